// Sums that some threads pass by, which then store something else. What they
// would have read need not exist: each row and each column has to have an
// element that is summed. A value that is chosen behind the sum asks for nothing.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse > %t 2> %t.messages
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --input-file=%t.messages --check-prefix=DECLINED

#include <cuda_fp16.h>

#define KERNEL(NAME, TYPE, CONDITION)                                          \
  __global__ void NAME(const half *A, const half *B, float *C, int M, int N,   \
                       int K, TYPE p) {                                        \
    const int row = blockIdx.y * blockDim.y + threadIdx.y;                     \
    const int col = blockIdx.x * blockDim.x + threadIdx.x;                     \
    if (row >= M || col >= N)                                                  \
      return;                                                                  \
    float acc = 0.0f;                                                          \
    if (CONDITION)                                                             \
      for (int k = 0; k < K; ++k)                                              \
        acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);    \
    C[row * N + col] = acc;                                                    \
  }

// CHECK: contraction "rows" {
// CHECK: select(%m < p, acc, 0.0f:f32)
// CHECK: require -min(M, blockDim.y * gridDim.y) + p >= 0 : "a row has no element that is summed"
// CHECK: require p - 1 >= 0 : "a column has no element that is summed"
#pragma warpwright matmul
KERNEL(rows, int, row < p)

// Each row begins with an element that is summed.
// CHECK: contraction "triangle" {
// CHECK-NOT: a row has no
// CHECK: require min(M, blockDim.y * gridDim.y) - min(N, blockDim.x * gridDim.x) >= 0 : "a column has no element that is summed"
#pragma warpwright matmul
KERNEL(triangle, int, col <= row)

// The threads that store are those that sum.
// CHECK: contraction "guarded_twice" {
// CHECK-NOT: has no element
// CHECK: }
#pragma warpwright matmul
KERNEL(guarded_twice, int, row < M)

// CHECK: contraction "chosen_behind" {
// CHECK: select(%n <= %m, acc, 0.0f:f32)
// CHECK-NOT: has no element
// CHECK: }
#pragma warpwright matmul
__global__ void chosen_behind(const half *A, const half *B, float *C, int M,
                              int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = col <= row ? acc : 0.0f;
}

// What the host can compute is asked of the launch as it is.
// CHECK: contraction "by_double" {
// CHECK: require fcmp(f64(p:f32) != 0.0:f64) : "nothing is summed under the kernel's condition"
#pragma warpwright matmul
KERNEL(by_double, float, p != 0.0)

// The loop's condition is asked for, not the one that chooses behind it.
// CHECK: contraction "both_conditions" {
// CHECK: require p != 0 : "nothing is summed under the kernel's condition"
// CHECK-NOT: has no element
// CHECK: }
#pragma warpwright matmul
__global__ void both_conditions(const half *A, const half *B, float *C, int M,
                                int N, int K, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  if (p)
    for (int k = 0; k < K; ++k)
      acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = col <= row ? acc : row > 2 * col ? 2.0f * acc : 0.0f;
}

// CHECK: contraction "either_side" {
// CHECK: require p != 0 || p == 0 : "nothing is summed under the kernel's condition"
// CHECK-NOT: nothing is summed
// CHECK: }
#pragma warpwright matmul
__global__ void either_side(const half *A, const half *B, float *C, int N,
                            int K, int p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  float acc = 0.0f;
  if (p) {
    for (int k = 0; k < K; ++k)
      acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  } else {
    for (int k = 0; k < K; ++k)
      acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  }
  C[row * N + col] = acc;
}

// Rows of a loop.
// CHECK: contraction "in_a_loop" {
// CHECK: select(%m < p, acc, 0.0f:f32)
// CHECK: require -M + p >= 0 : "a row has no element that is summed"
#pragma warpwright matmul
__global__ void in_a_loop(const half *A, const half *B, float *C, int M, int N,
                          int K, int p) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= N)
    return;
  for (int row = blockIdx.y; row < M; row += gridDim.y) {
    float acc = 0.0f;
    if (row < p)
      for (int k = 0; k < K; ++k)
        acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    C[row * N + col] = acc;
  }
}

// Sums of one loop that another loop stores.
// CHECK: contraction "stored_later" {
// CHECK: select(%m < p, acc,
// CHECK: "a row has no element that is summed"
#pragma warpwright matmul
__global__ void stored_later(const half *A, const half *B, float *C, int N,
                             int K, int p) {
  const int row = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  float sums[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int i = 0; i < 4; ++i)
    if (row + i < p)
      for (int k = 0; k < K; ++k)
        sums[i] += __half2float(A[(row + i) * K + k]) *
                   __half2float(B[k * N + col]);
  for (int i = 0; i < 4; ++i)
    C[(row + i) * N + col] = sums[i];
}

// DECLINED: 'even_rows' is not rewritten: some threads that store do not come to the sum, and what they would read need not exist [WW216]
#pragma warpwright matmul
KERNEL(even_rows, int, row % 2 == 0)

// DECLINED: 'by_table' is not rewritten: some threads that store do not come to the sum
#pragma warpwright matmul
KERNEL(by_table, const int *, p[row] != 0)

// The launcher does not compute in half.
// DECLINED: 'by_half' is not rewritten: some threads that store do not come to the sum
#pragma warpwright matmul
KERNEL(by_half, half, __half2float(p) != 0.0f)

//===----------------------------------------------------------------------===//
// Terms that variables take in turns, up to an odd end
//===----------------------------------------------------------------------===//

#define PRODUCT(k) (A[row * K + (k)] * B[(k) * N + col])
#define TURNS(...)                                                             \
  {                                                                            \
    const int row = blockIdx.y * blockDim.y + threadIdx.y;                     \
    const int col = blockIdx.x * blockDim.x + threadIdx.x;                     \
    if (row >= M || col >= N)                                                  \
      return;                                                                  \
    float s = 0, t = 0, u = 0, v = 0;                                          \
    int k = 0;                                                                 \
    __VA_ARGS__                                                                \
    C[row * N + col] = s + t + u + v;                                          \
  }

// CHECK-LABEL: contraction "second_if_inside" {
// CHECK: index %k < K
// CHECK-NEXT: operand A = A[%m * K + %k]:f32
// CHECK-NEXT: operand B = B[%k * N + %n]:f32
// CHECK: output C[%m * N + %n]:f32 = (0.0f:f32 + acc)
#pragma warpwright matmul
__global__ void second_if_inside(const float *A, const float *B, float *C,
                                 int M, int N, int K)
    TURNS(for (; k < K; k += 2) {
      s += PRODUCT(k);
      if (k + 1 < K)
        t += PRODUCT(k + 1);
    })

// CHECK-LABEL: contraction "one_variable" {
// CHECK: index %k < K
// CHECK: output C[%m * N + %n]:f32 = (acc + 0.0f:f32)
#pragma warpwright matmul
__global__ void one_variable(const float *A, const float *B, float *C, int M,
                             int N, int K)
    TURNS(for (; k < K; k += 2) {
      s += PRODUCT(k);
      if (k + 1 < K)
        s += PRODUCT(k + 1);
    })

// CHECK-LABEL: contraction "four_and_the_rest" {
// CHECK: index %k < K
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void four_and_the_rest(const float *A, const float *B, float *C,
                                  int M, int N, int K)
    TURNS(for (; k + 3 < K; k += 4) {
      s += PRODUCT(k);
      t += PRODUCT(k + 1);
      u += PRODUCT(k + 2);
      v += PRODUCT(k + 3);
    } for (; k < K; ++k) s += PRODUCT(k);)

// The last term is one of the epilogue.
// CHECK-LABEL: contraction "last_of_two" {
// CHECK: index %k < 2 * floordiv(K, 2)
// CHECK: output C[%m * N + %n]:f32 = {{.*}}select(2 * max(0, floordiv(K, 2)) < K,
#pragma warpwright matmul
__global__ void last_of_two(const float *A, const float *B, float *C, int M,
                            int N, int K)
    TURNS(for (; k + 1 < K; k += 2) {
      s += PRODUCT(k);
      t += PRODUCT(k + 1);
    } if (k < K) s += PRODUCT(k);)

// The second variable lacks the last term of an even number: a product over
// every second k, and one over one k less of the others.
// CHECK-LABEL: contraction "one_too_few" {
// CHECK:       index %k < floordiv(K + 1, 2)
// CHECK:       plus over %k < floordiv(K - 1, 2)
#pragma warpwright matmul
__global__ void one_too_few(const float *A, const float *B, float *C, int M,
                            int N, int K)
    TURNS(for (; k < K; k += 2) {
      s += PRODUCT(k);
      if (k + 2 < K)
        t += PRODUCT(k + 1);
    })

// The rest begins one term too late, and is a product over a range of its own.
// CHECK-LABEL: contraction "one_left_out" {
// CHECK:       index %k < 4 * floordiv(K, 4)
// CHECK:       plus over %k < K - 4 * max(0, floordiv(K, 4)) - 1
#pragma warpwright matmul
__global__ void one_left_out(const float *A, const float *B, float *C, int M,
                             int N, int K)
    TURNS(for (; k + 3 < K; k += 4) {
      s += PRODUCT(k);
      t += PRODUCT(k + 1);
      u += PRODUCT(k + 2);
      v += PRODUCT(k + 3);
    } for (++k; k < K; ++k) s += PRODUCT(k);)
