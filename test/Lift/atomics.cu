// atomicAdd whose result is not used: the rewritten kernel adds atomically, too,
// where one thread adds to each element.
//
// RUN: not %warpwright rewrite --emit=contraction %s -- %parse 2>&1 | FileCheck %s
// RUN: not %warpwright rewrite %s -- %parse 2>/dev/null | FileCheck --check-prefix=CODE %s

#include <cuda_runtime.h>

#define PLACE                                                                  \
  const int row = blockIdx.y * blockDim.y + threadIdx.y;                       \
  const int col = blockIdx.x * blockDim.x + threadIdx.x;                       \
  if (row >= M || col >= N)                                                    \
    return;
#define SUM(begin, end)                                                        \
  float sum = 0;                                                               \
  for (int k = begin; k < end; ++k)                                            \
    sum += A[row * K + k] * B[k * N + col];
#define ARGUMENTS const float *A, const float *B, float *C, int M, int N, int K

// CHECK: 'slices' is not rewritten: several threads add to the same element, in an order that is not fixed: let one thread sum all that is added to it [WW210]
// CHECK: 'stored_before' is not rewritten: 'atomicAdd' adds to 'C' here, which is also stored to [WW210]
// CHECK: 'stored_behind' is not rewritten: 'C' is stored to here, and added to atomically [WW210]
// CHECK: 'old_value' is not rewritten: 'atomicAdd' gives the element as it was, which depends on the order of threads [WW210]
// CHECK: 'if_positive' is not rewritten: it could not be shown that one thread adds atomically to each element: whether this element is stored depends on loaded data [WW210]
// CHECK: 'less_the_old' is not rewritten: what is added to 'C' atomically {{.*}} [WW210]
// CHECK: 'products_of_threads' is not rewritten: what a thread adds to this element is not a sum over a loop; let one thread sum all that is added to it [WW210]
// CHECK: 'bytes' is not rewritten: 'atomicAdd' is understood for float and double only; {{.*}} [WW210]
// CHECK: 'bits' is not rewritten: 'atomicAdd' adds a float to 'C', which has other elements [WW210]
// CHECK: 'of_a_tile' is not rewritten: 'atomicAdd' combines the work {{.*}} [WW210]
// CHECK: 'of_the_system' is not rewritten: 'atomicAdd_system' combines the work {{.*}} [WW210]
// The reason is an operand, not what is added to.
// CHECK: 'gathered' is not rewritten: which element is meant depends on loaded data [WW204]

// CHECK-LABEL: contraction "gradient"
// CHECK: output C[%m * N + %n]:f32 = (C[%m * N + %n]:f32 + (scale:f32 * acc)) atomically
// CODE: ::atomicAdd(&C[m * N + n], {{.*}});
#pragma warpwright matmul
__global__ void gradient(ARGUMENTS, float scale) {
  PLACE
  SUM(0, K)
  atomicAdd(&C[row * N + col], scale * sum);
}

// What is added is rounded as it is written, before it meets the element.
//
// CHECK-LABEL: contraction "with_addends"
// CODE: part_of_output0 = acc + (bias[n] + rest);
#pragma warpwright matmul
__global__ void with_addends(ARGUMENTS, const float *bias, float rest) {
  PLACE
  SUM(0, K)
  atomicAdd(&C[row * N + col], sum + (bias[col] + rest));
}

// Two additions are two, each of which is rounded.
//
// CHECK-LABEL: contraction "two_additions"
// CHECK: output C[%m * N + %n]:f32 = ((C[%m * N + %n]:f32 + acc) + bias[%n]:f32) atomically
// CODE: part_of_output0 = acc;
// CODE-NEXT: part_of_output0_1 = bias[n];
// CODE-NEXT: ::atomicAdd(&C[m * N + n], part_of_output0);
// CODE-NEXT: ::atomicAdd(&C[m * N + n], part_of_output0_1);
#pragma warpwright matmul
__global__ void two_additions(ARGUMENTS, const float *bias) {
  PLACE
  SUM(0, K)
  atomicAdd(&C[row * N + col], sum);
  atomicAdd(&C[row * N + col], bias[col]);
}

// CHECK-LABEL: contraction "every_term"
// CHECK: output C[%m * N + %n]:f32 = (C[%m * N + %n]:f32 + acc) atomically
#pragma warpwright matmul
__global__ void every_term(ARGUMENTS) {
  PLACE
  for (int k = 0; k < K; ++k)
    atomicAdd(&C[row * N + col], A[row * K + k] * B[k * N + col]);
}

// CHECK-LABEL: contraction "doubles"
// CHECK: output C[%m * N + %n]:f64 = (C[%m * N + %n]:f64 + acc) atomically
#pragma warpwright matmul
__global__ void doubles(const double *A, const double *B, double *C, int M,
                        int N, int K) {
  PLACE
  double sum = 0;
  for (int k = 0; k < K; ++k)
    sum += A[row * K + k] * B[k * N + col];
  atomicAdd(C + row * N + col, sum);
}

// The casts say what a pointer to void has.
// CHECK-LABEL: contraction "untyped"
// CHECK: output C[%m * N + %n]:f32 = (C[%m * N + %n]:f32 + acc) atomically
#pragma warpwright matmul
__global__ void untyped(const float *A, const float *B, void *C, int M, int N,
                        int K) {
  PLACE
  SUM(0, K)
  atomicAdd(static_cast<float *>(C) + row * N + col, sum);
}

// Stores to one element would be a race, so no stride of 0 is meant there.
// CHECK-LABEL: contraction "by_strides"
// CHECK: require rows >= 1 || {{.*}} <= 1 : "several threads add to the same element"
// CHECK: require columns >= 1 || {{.*}} <= 1 : "several threads add to the same element"
#pragma warpwright matmul
__global__ void by_strides(ARGUMENTS, int rows, int columns) {
  PLACE
  SUM(0, K)
  atomicAdd(&C[row * rows + col * columns], sum);
}

// CHECK-NOT: contraction
#pragma warpwright matmul
__global__ void slices(ARGUMENTS) {
  PLACE
  const int length = K / gridDim.z;
  SUM(blockIdx.z * length, (blockIdx.z + 1) * length)
  atomicAdd(&C[row * N + col], sum);
}

#pragma warpwright matmul
__global__ void stored_before(ARGUMENTS) {
  PLACE
  C[row * N + col] = 0;
  SUM(0, K)
  atomicAdd(&C[row * N + col], sum);
}

#pragma warpwright matmul
__global__ void stored_behind(ARGUMENTS) {
  PLACE
  SUM(0, K)
  atomicAdd(&C[row * N + col], sum);
  C[row * N + col] *= 2;
}

#pragma warpwright matmul
__global__ void old_value(ARGUMENTS, float *D) {
  PLACE
  SUM(0, K)
  D[row * N + col] = atomicAdd(&C[row * N + col], sum);
}

#pragma warpwright matmul
__global__ void if_positive(ARGUMENTS) {
  PLACE
  SUM(0, K)
  if (sum > 0)
    atomicAdd(&C[row * N + col], sum);
}

#pragma warpwright matmul
__global__ void less_the_old(ARGUMENTS) {
  PLACE
  SUM(0, K)
  atomicAdd(&C[row * N + col], sum - C[row * N + col]);
}

#pragma warpwright matmul
__global__ void products_of_threads(ARGUMENTS) {
  PLACE
  for (int k = 0; k < K; ++k)
    atomicAdd(&C[row * K + k], A[row * N + col] * B[k * N + col]);
}

#pragma warpwright matmul
__global__ void bytes(const signed char *A, const signed char *B, int *C, int M,
                      int N, int K) {
  PLACE
  int sum = 0;
  for (int k = 0; k < K; ++k)
    sum += A[row * K + k] * B[k * N + col];
  atomicAdd(&C[row * N + col], sum);
}

#pragma warpwright matmul
__global__ void bits(const float *A, const float *B, int *C, int M, int N,
                     int K) {
  PLACE
  SUM(0, K)
  atomicAdd(reinterpret_cast<float *>(C) + row * N + col, sum);
}

#pragma warpwright matmul
__global__ void of_a_tile(ARGUMENTS) {
  __shared__ float sums[16][16];
  PLACE
  sums[threadIdx.y][threadIdx.x] = 0;
  SUM(0, K)
  atomicAdd(&sums[threadIdx.y][threadIdx.x], sum);
  C[row * N + col] = sums[threadIdx.y][threadIdx.x];
}

#pragma warpwright matmul
__global__ void of_the_system(ARGUMENTS) {
  PLACE
  SUM(0, K)
  atomicAdd_system(&C[row * N + col], sum);
}

#pragma warpwright matmul
__global__ void gathered(ARGUMENTS, const int *places) {
  PLACE
  float sum = 0;
  for (int k = 0; k < K; ++k)
    sum += A[row * K + places[k]] * B[k * N + col];
  atomicAdd(&C[row * N + col], sum);
}
