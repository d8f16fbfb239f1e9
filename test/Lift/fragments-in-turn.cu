// Fragments that take turns by k over all tiles, `fragment[(k + kk) % 2]`: where
// tiles are of an even depth, that is one after the other in each tile.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t 2>%t.no
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --input-file=%t.no --check-prefix=DECLINED --implicit-check-not=WW220

#define BM 64
#define KERNEL(NAME, BK, STORED, READ, NEXT, BARRIER)                          \
  __global__ void NAME(const float *A, const float *B, float *C, int M, int N, \
                       int K) {                                                \
    __shared__ float As[2][BK][BM], Bs[2][BK][BM];                             \
    const int t = threadIdx.x, tx = t % 32, ty = t / 32;                       \
    const int r0 = blockIdx.y * BM, c0 = blockIdx.x * BM;                      \
    float fa[2][2], fb[2][2], acc[2][2] = {};                                  \
    auto fill = [&](int buf, int k0) {                                         \
      for (int i = t; i < BK * BM; i += 1024) {                                \
        As[buf][i / BM][i % BM] = A[(r0 + i % BM) * K + k0 + i / BM];          \
        Bs[buf][i / BM][i % BM] = B[(k0 + i / BM) * N + c0 + i % BM];          \
      }                                                                        \
    };                                                                         \
    fill(0, 0);                                                                \
    __syncthreads();                                                           \
    for (int i = 0; i < 2; ++i) {                                              \
      fa[0][i] = As[0][0][ty + 32 * i];                                        \
      fb[0][i] = Bs[0][0][tx + 32 * i];                                        \
    }                                                                          \
    for (int k = 0; k < K; k += BK) {                                          \
      const int now = k / BK % 2;                                              \
      if (k + BK < K)                                                          \
        fill(now ^ 1, k + BK);                                                 \
      for (int kk = 0; kk < BK; ++kk) {                                        \
        if (kk == BK - 1)                                                      \
          BARRIER;                                                             \
        const int buf = kk == BK - 1 ? NEXT : now, at = (kk + 1) % BK;         \
        for (int i = 0; i < 2; ++i) {                                          \
          fa[STORED][i] = As[buf][at][ty + 32 * i];                            \
          fb[STORED][i] = Bs[buf][at][tx + 32 * i];                            \
        }                                                                      \
        for (int i = 0; i < 2; ++i)                                            \
          for (int j = 0; j < 2; ++j)                                          \
            acc[i][j] += fa[READ][i] * fb[READ][j];                            \
      }                                                                        \
    }                                                                          \
    for (int i = 0; i < 2; ++i)                                                \
      for (int j = 0; j < 2; ++j)                                              \
        C[(r0 + ty + 32 * i) * N + c0 + tx + 32 * j] = acc[i][j];              \
  }

// CHECK: contraction "by_all_k" {
// CHECK: index %k < 16 * floordiv(K + 15, 16)
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
KERNEL(by_all_k, 16, (k + kk + 1) % 2, (k + kk) % 2, now ^ 1, __syncthreads())

// CHECK: contraction "by_mask" {
// CHECK: index %k < 16 * floordiv(K + 15, 16)
#pragma warpwright matmul
KERNEL(by_mask, 16, (k + kk + 1) & 1, (k + kk) & 1, now ^ 1, __syncthreads())

// What was stored just now is multiplied, so that the last term is one beyond the
// last tile: no launch is asked for that.
//
// CHECK: contraction "same_parity" {
// CHECK: require K - 16 * floordiv(K + 15, 16) - 1 >= 0 : "a tile is not filled completely"
#pragma warpwright matmul
KERNEL(same_parity, 16, (k + kk + 1) % 2, (k + kk + 1) % 2, now ^ 1,
       __syncthreads())

// The first fragment of the next tile is that of this one.
//
// DECLINED: warning: 'same_buffer' is not rewritten: {{.*}} [WW221]
#pragma warpwright matmul
KERNEL(same_buffer, 16, (k + kk + 1) % 2, (k + kk) % 2, now, __syncthreads())

// DECLINED: warning: 'no_barrier' is not rewritten: {{.*}} [WW221]
#pragma warpwright matmul
KERNEL(no_barrier, 16, (k + kk + 1) % 2, (k + kk) % 2, now ^ 1, )

// The step is another one from the second iteration on.
// DECLINED: 'step_changes' is not rewritten: a variable of the loop steps by numbers that the loop stores to an array [WW208]
#pragma warpwright matmul
__global__ void step_changes(const float *A, const float *B, float *C, int M,
                             int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  int steps[2] = {1, 1}, at = 0;
  for (int k = 0; k < K; k += 2) {
    sum += A[row * K + at] * B[at * N + col];
    at += steps[0];
    steps[k % 2] = 2;
  }
  C[row * N + col] = sum;
}
