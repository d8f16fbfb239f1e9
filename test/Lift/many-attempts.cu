// A kernel that is not understood for one block and one case after the other,
// each of which takes its time: attempts come to an end.

// RUN: bash -c "ulimit -t 25; not %warpwright rewrite --no-check --emit=contraction %s -- %parse 2>&1" | FileCheck %s

#include <cuda_runtime.h>

#define VECTOR_OR_ELEMENTS(V, Row, From, At, End, Count)                       \
  if (Row && At + Count <= End) {                                              \
    V = *(const float4 *)(From + At);                                          \
  } else if (Row) {                                                            \
    if (At < End)                                                              \
      V.x = (From)[At];                                                        \
    if (At + 1 < End)                                                          \
      V.y = (From)[At + 1];                                                    \
    if (At + 2 < End)                                                          \
      V.z = (From)[At + 2];                                                    \
  }
#define PUT(VA, VB, To, I)                                                     \
  {                                                                            \
    As[To][(I) % 2 * 4][(I) / 2] = VA.x;                                       \
    As[To][(I) % 2 * 4 + 1][(I) / 2] = VA.y;                                   \
    As[To][(I) % 2 * 4 + 2][(I) / 2] = VA.z;                                   \
    As[To][(I) % 2 * 4 + 3][(I) / 2] = VA.w;                                   \
    *(float4 *)&Bs[To][(I) / 8][(I) % 8 * 4] = VB;                             \
  }
#define FRAGMENTS(To, Tile, K_)                                                \
  {                                                                            \
    *(float4 *)fa[To] = *(const float4 *)&As[Tile][K_][r];                     \
    *(float4 *)fb[To] = *(const float4 *)&Bs[Tile][K_][c];                     \
  }

// Each of 16 x 4 threads fills four elements of a row of either tile. The first
// tile of A is filled as if it had four columns, which nobody means.
//
// CHECK: warning: 'stashed' is not rewritten: 'As' is read here where it may still hold what an earlier iteration stored [WW223]
#pragma warpwright matmul
__global__ void stashed(const float *A, const float *B, float *C, int M, int N,
                        int K) {
  __shared__ __align__(16) float As[2][8][32], Bs[2][8][32];
  const int tid = threadIdx.y * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * 32, col = blockIdx.x * 32;
  const int r = threadIdx.y * 4, c = threadIdx.x * 4;
  float fa[2][4], fb[2][4], sum[4][4] = {};
  for (int i = tid; i < 64; i += 64) {
    float4 a = make_float4(0, 0, 0, 0), b = make_float4(0, 0, 0, 0);
    const int ra = row + i / 2, ka = i % 1 * 4, kb = i / 8;
    const int cb = col + i % 8 * 4;
    VECTOR_OR_ELEMENTS(a, ra < M, A + ra * K, ka, K, 4)
    VECTOR_OR_ELEMENTS(b, kb < K, B + kb * N, cb, N, 4)
    PUT(a, b, 0, i)
  }
  __syncthreads();
  FRAGMENTS(0, 0, 0)
  float4 nextA[1], nextB[1];
  int now = 0;
  for (int k0 = 0; k0 < K; k0 += 8) {
    const bool more = k0 + 8 < K;
    for (int k = 0; k < 8; ++k) {
      if (k + 1 < 8)
        FRAGMENTS((k + 1) & 1, now, k + 1)
      if (k == 0 && more)
        for (int q = 0; q < 1; ++q) {
          const int i = tid + q * 64, ra = row + i / 2, kb = k0 + 8 + i / 8;
          const int ka = k0 + 8 + i % 2 * 4, cb = col + i % 8 * 4;
          nextA[q] = nextB[q] = make_float4(0, 0, 0, 0);
          VECTOR_OR_ELEMENTS(nextA[q], ra < M, A + ra * K, ka, K, 4)
          VECTOR_OR_ELEMENTS(nextB[q], kb < K, B + kb * N, cb, N, 4)
        }
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          sum[i][j] += fa[k & 1][i] * fb[k & 1][j];
    }
    if (more)
      for (int q = 0; q < 1; ++q)
        PUT(nextA[q], nextB[q], 1 - now, tid + q * 64)
    __syncthreads();
    if (more)
      FRAGMENTS(0, 1 - now, 0)
    now = 1 - now;
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      if (row + r + i < M && col + c + j < N)
        C[(row + r + i) * N + col + c + j] = sum[i][j];
}
