#include <cassert>
#include <cuda_runtime.h>
#pragma warpwright matmul
template <const int TILE_M, const int TILE_N, const int TILE_K, const int RM, const int RN>
__global__ void __launch_bounds__((TILE_M * TILE_N) / (RM * RN), 1)
    gemm_block2d(int m, int n, int k, float al, const float *X, const float *Y,
                 float be, float *Z) {
  const uint br = blockIdx.y;
  const uint bc = blockIdx.x;
  const uint perBlock = TILE_M * TILE_N;
  const uint threads = perBlock / (RM * RN);
  assert(threads == blockDim.x);
  const int tc = threadIdx.x % (TILE_N / RN);
  const int tr = threadIdx.x / (TILE_N / RN);
  __shared__ float sx[TILE_M * TILE_K];
  __shared__ float sy[TILE_K * TILE_N];
  X += br * TILE_M * k;
  Y += bc * TILE_N;
  Z += br * TILE_M * n + bc * TILE_N;
  const uint xr = threadIdx.x / TILE_K;
  const uint xc = threadIdx.x % TILE_K;
  const uint xs = threads / TILE_K;
  const uint yr = threadIdx.x / TILE_N;
  const uint yc = threadIdx.x % TILE_N;
  const uint ys = threads / TILE_N;
  float out[RM * RN] = {0.0};
  float fm[RM] = {0.0};
  float fn[RN] = {0.0};
  for (uint k0 = 0; k0 < k; k0 += TILE_K) {
    for (uint o = 0; o < TILE_M; o += xs)
      sx[(xr + o) * TILE_K + xc] = X[(xr + o) * k + xc];
    for (uint o = 0; o < TILE_K; o += ys)
      sy[(yr + o) * TILE_N + yc] = Y[(yr + o) * n + yc];
    __syncthreads();
    X += TILE_K;
    Y += TILE_K * n;
    for (uint d = 0; d < TILE_K; ++d) {
      for (uint i = 0; i < RM; ++i)
        fm[i] = sx[(tr * RM + i) * TILE_K + d];
      for (uint i = 0; i < RN; ++i)
        fn[i] = sy[d * TILE_N + tc * RN + i];
      for (uint i = 0; i < RM; ++i)
        for (uint j = 0; j < RN; ++j)
          out[i * RN + j] += fm[i] * fn[j];
    }
    __syncthreads();
  }
  for (uint i = 0; i < RM; ++i)
    for (uint j = 0; j < RN; ++j)
      Z[(tr * RM + i) * n + tc * RN + j] =
          al * out[i * RN + j] + be * Z[(tr * RM + i) * n + tc * RN + j];
}
#define CDIV(a, b) (((a) + (b)-1) / (b))
void run(int M, int N, int K, float al, float *A, float *B, float be, float *C) {
  const uint BK = 8, TM = 8, TN = 8;
  if (M >= 128 and N >= 128) {
    const uint BM = 128, BN = 128;
    dim3 g(CDIV(N, BN), CDIV(M, BM));
    dim3 b((BM * BN) / (TM * TN));
    gemm_block2d<BM, BN, BK, TM, TN><<<g, b>>>(M, N, K, al, A, B, be, C);
  } else {
    const uint BM = 64, BN = 64;
    dim3 g(CDIV(N, BN), CDIV(M, BM));
    dim3 b((BM * BN) / (TM * TN));
    gemm_block2d<BM, BN, BK, TM, TN><<<g, b>>>(M, N, K, al, A, B, be, C);
  }
}
