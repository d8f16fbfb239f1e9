// Numbers that one thread computes for its block, and that all threads read
// behind a barrier.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t.yes 2>%t.no
// RUN: FileCheck %s --implicit-check-not="is not rewritten" <%t.no
// RUN: FileCheck %s --check-prefix=LIFTED <%t.yes

#define T 16
#define KERNEL(NAME, WHO, COUNT, BARRIER)                                      \
  __global__ void NAME(const float *A, const float *B, float *C, int M, int N, \
                       int K) {                                                \
    __shared__ float As[T][T], Bs[T][T];                                       \
    __shared__ int tiles;                                                      \
    const int x = threadIdx.x, y = threadIdx.y;                                \
    const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;              \
    if (WHO)                                                                   \
      tiles = COUNT;                                                           \
    BARRIER;                                                                   \
    float acc = 0.0f;                                                          \
    for (int t = 0; t < tiles; ++t) {                                          \
      As[y][x] = row < M && t * T + x < K ? A[row * K + t * T + x] : 0.0f;     \
      Bs[y][x] = t * T + y < K && col < N ? B[(t * T + y) * N + col] : 0.0f;   \
      __syncthreads();                                                         \
      for (int k = 0; k < T; ++k)                                              \
        acc += As[y][k] * Bs[k][x];                                            \
      __syncthreads();                                                         \
    }                                                                          \
    if (row < M && col < N)                                                    \
      C[row * N + col] = acc;                                                  \
  }

// LIFTED-LABEL: contraction "count" {
// LIFTED: index %k < K
// LIFTED: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
KERNEL(count, x == 0 && y == 0, (K + T - 1) / T, __syncthreads())

// CHECK: 'without_barrier' is not rewritten: {{.*}} [WW2
#pragma warpwright matmul
KERNEL(without_barrier, x == 0 && y == 0, (K + T - 1) / T, )

// Several threads store, and not the same number.
//
// CHECK: 'of_row' is not rewritten: {{.*}} [WW2
#pragma warpwright matmul
KERNEL(of_row, x == 0, (K + y) / T, __syncthreads())

// No thread may have this number.
//
// CHECK: 'by_nobody' is not rewritten: {{.*}} [WW2
#pragma warpwright matmul
KERNEL(by_nobody, x == 0 && y == T, (K + T - 1) / T, __syncthreads())
