// Pairs of which the second element is copied by itself, or cleared, at the end
// of a row.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t.lifted 2>%t.declined
// RUN: FileCheck %s <%t.declined --implicit-check-not="is not rewritten"
// RUN: FileCheck %s --check-prefix=LIFTED <%t.lifted

#define T 16
#define KERNEL(Else)                                                           \
  __shared__ float As[T][T], Bs[T][T];                                         \
  const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 8 + tx;             \
  const int r = tid / 8, c = tid % 8 * 2;                                      \
  const int row = blockIdx.y * T + r, col = blockIdx.x * T + c;                \
  float sum[2] = {0.0f, 0.0f};                                                 \
  for (int k0 = 0; k0 < K; k0 += T) {                                          \
    if (row < M && k0 + c + 1 < K) {                                           \
      As[r][c] = A[row * K + k0 + c];                                          \
      As[r][c + 1] = A[row * K + k0 + c + 1];                                  \
    } else {                                                                   \
      Else                                                                     \
    }                                                                          \
    if (k0 + r < K && col + 1 < N) {                                           \
      Bs[r][c] = B[(k0 + r) * N + col];                                        \
      Bs[r][c + 1] = B[(k0 + r) * N + col + 1];                                \
    } else {                                                                   \
      Bs[r][c] = k0 + r < K && col < N ? B[(k0 + r) * N + col] : 0.0f;         \
      Bs[r][c + 1] = 0.0f;                                                     \
    }                                                                          \
    __syncthreads();                                                           \
    for (int k = 0; k < T; ++k)                                                \
      for (int j = 0; j < 2; ++j)                                              \
        sum[j] += As[ty][k] * Bs[k][tx * 2 + j];                               \
    __syncthreads();                                                           \
  }                                                                            \
  for (int j = 0; j < 2; ++j)                                                  \
    if (blockIdx.y * T + ty < M && blockIdx.x * T + tx * 2 + j < N)            \
      C[(blockIdx.y * T + ty) * N + blockIdx.x * T + tx * 2 + j] = sum[j];
#define ARGS const float *A, const float *B, float *C, int M, int N, int K

// LIFTED-LABEL: contraction "pairs" {
// LIFTED: index %m < min(16 * gridDim.y, M)
// LIFTED: index %n < min(16 * gridDim.x, N)
// LIFTED: index %k < K
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
__global__ void pairs(ARGS) {
  KERNEL(As[r][c] = row < M && k0 + c < K ? A[row * K + k0 + c] : 0.0f;
         As[r][c + 1] = 0.0f;)
}

// The last element of a row of odd length is left out.
//
// LIFTED-LABEL: contraction "both_cleared" {
// LIFTED: index %k < min(16 * floordiv(K + 15, 16), 2 * floordiv(K, 2))
// LIFTED: require 2 * floordiv(K, 2) == K || {{.*}} : "one of the two operands is not 0 beyond the sum's range"
#pragma warpwright matmul
__global__ void both_cleared(ARGS) {
  KERNEL(As[r][c] = 0.0f; As[r][c + 1] = 0.0f;)
}

// CHECK: 'second_kept' is not rewritten: 'As' is read here {{.*}} [WW223]
#pragma warpwright matmul
__global__ void second_kept(ARGS) {
  KERNEL(As[r][c] = row < M && k0 + c < K ? A[row * K + k0 + c] : 0.0f;)
}

// The single element goes to the place of the second one.
//
// CHECK: 'exchanged' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void exchanged(ARGS) {
  KERNEL(As[r][c + 1] = row < M && k0 + c < K ? A[row * K + k0 + c] : 0.0f;
         As[r][c] = 0.0f;)
}
