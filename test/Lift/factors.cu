// A factor in the loop that is the same for every k leaves the loop: a remark at
// the multiplication says so. A factor after the loop stays where it is. The clause
// factors(inside) keeps it beside its element.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse 2>&1 | FileCheck %s --implicit-check-not=WW505

#include <cuda_fp16.h>

#define PLACE                                                                  \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;

#pragma warpwright matmul
__global__ void parameter(const half *A, const half *B, float *C, int M, int N,
                          int K, float alpha) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k)
    // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: 'parameter' multiplies by a factor inside the loop; the rewritten kernel multiplies the sum by it, which differs where a product or the sum leaves float's range [WW505]
    acc += alpha * __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = acc;
}

#pragma warpwright matmul
__global__ void element(const half *A, const half *B, float *C,
                        const float *scale, int M, int N, int K) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k)
    // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: 'element' multiplies by a factor inside the loop{{.*}} [WW505]
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]) * scale[row];
  C[row * N + col] = acc;
}

#pragma warpwright matmul
__global__ void outside(const half *A, const half *B, float *C, int M, int N,
                        int K, float alpha) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = alpha * acc;
}

#pragma warpwright matmul factors(inside)
__global__ void kept(const half *A, const half *B, float *C,
                     const float *scale, int M, int N, int K, float alpha) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += scale[row] * -__half2float(A[row * K + k]) *
           (__half2float(B[k * N + col]) * alpha);
  C[row * N + col] = acc;
}

// There is nothing to keep.
#pragma warpwright matmul factors(inside)
__global__ void nothing(const half *A, const half *B, float *C, int M, int N,
                        int K) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += -__half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = acc;
}

#pragma warpwright matmul factors(inside)
__global__ void of_the_product(const half *A, const half *B, float *C, int M,
                               int N, int K, float alpha) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k)
    // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warning: 'of_the_product' is not rewritten: the factor multiplies a product of two elements, and stays inside the loop only beside one element [WW2
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]) * alpha;
  C[row * N + col] = acc;
}

#pragma warpwright matmul factors(inside)
__global__ void of_the_other(const half *A, const half *B, float *C,
                             const float *scale, int M, int N, int K) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k)
    // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warning: 'of_the_other' is not rewritten: the factor beside an element of 'A' changes with an index that only the other element has [WW2
    acc += scale[col] * __half2float(A[row * K + k]) *
           __half2float(B[k * N + col]);
  C[row * N + col] = acc;
}

// CHECK: contraction "parameter"
// CHECK: = (alpha:f32 * acc)
// CHECK: contraction "element"
// CHECK: = (scale[%m]:f32 * acc)
// CHECK: contraction "outside"
// CHECK: = (alpha:f32 * acc)
// CHECK: contraction "kept"
// CHECK: operand A = A[%m * K + %k]:f16 as
// CHECK: operand B = B[%k * N + %n]:f16 as
// CHECK: output C[%m * N + %n]:f32 = acc
// CHECK: contraction "nothing"
// CHECK: operand A = A[%m * K + %k]:f16{{$}}
// CHECK: = -(acc)

// An argument chooses what is multiplied: lifted for one of its values, which the
// launcher asks for.
// CHECK-LABEL: contraction "flagged"
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK-NEXT: operand B = B[%k * N + %n]:f32
// CHECK: output C[%m * N + %n]:f32 = acc
// CHECK: require transposed == 0 : "'transposed' is not 0"
// CHECK: require layout == 2 : "'layout' is not 2"
#pragma warpwright matmul
__global__ void flagged(const float *A, const float *B, float *C, int M, int N,
                        int K, bool transposed, int layout) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += (transposed ? A[k * M + row] : A[row * K + k]) *
           B[layout == 2 ? k * N + col : col * K + k];
  // The flag means the same here.
  C[row * N + col] = transposed ? 2.0f * sum : sum;
}

// It has two values at once: no contraction is right for both.
// CHECK-NOT: contraction "flagged_twice"
#pragma warpwright matmul
__global__ void flagged_twice(const float *A, const float *B, float *C, int M,
                              int N, int K, int flag) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += (k % 2 == flag ? A[k * M + row] : A[row * K + k]) * B[k * N + col];
  C[row * N + col] = sum;
}

// A sum of integers is the same wherever the factor is multiplied: no remark.
#pragma warpwright matmul
__global__ void whole(const signed char *A, const signed char *B, int *C, int M,
                      int N, int K, int alpha) {
  PLACE
  int acc = 0;
  for (int k = 0; k < K; ++k)
    acc += alpha * (A[row * K + k] * B[col * K + k]);
  C[row * N + col] = acc;
}
