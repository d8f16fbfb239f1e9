#include <cuda_runtime.h>
#pragma warpwright matmul
template <const int TILE_M, const int TILE_N, const int TILE_K, const int RM, const int RN>
__global__ void gemm_extra_col(int m, int n, int k, float al, float *X, float *Y,
                                 float be, float *Z) {
  const uint br = blockIdx.y;
  const uint bc = blockIdx.x;
  const int tc = threadIdx.x % (TILE_N / RN);
  const int tr = threadIdx.x / (TILE_N / RN);
  __shared__ float sx[TILE_M * TILE_K];
  const int pad = 5;
  __shared__ float sy[TILE_K * (TILE_N + pad)];
  X += br * TILE_M * k;
  Y += bc * TILE_N;
  Z += br * TILE_M * n + bc * TILE_N;
  const uint xr = threadIdx.x / (TILE_K / 4);
  const uint xc = threadIdx.x % (TILE_K / 4);
  const uint yr = threadIdx.x / (TILE_N / 4);
  const uint yc = threadIdx.x % (TILE_N / 4);
  float out[RM * RN] = {0.0};
  float fm[RM] = {0.0};
  float fn[RN] = {0.0};
  for (uint k0 = 0; k0 < k; k0 += TILE_K) {
    float4 v = reinterpret_cast<float4 *>(&X[xr * k + xc * 4])[0];
    sx[(xc * 4 + 0) * TILE_M + xr] = v.x;
    sx[(xc * 4 + 1) * TILE_M + xr] = v.y;
    sx[(xc * 4 + 2) * TILE_M + xr] = v.z;
    sx[(xc * 4 + 3) * TILE_M + xr] = v.w;
    v = reinterpret_cast<float4 *>(&Y[yr * n + yc * 4])[0];
    sy[yr * (TILE_N + pad) + yc * 4 + 0] = v.x;
    sy[yr * (TILE_N + pad) + yc * 4 + 1] = v.y;
    sy[yr * (TILE_N + pad) + yc * 4 + 2] = v.z;
    sy[yr * (TILE_N + pad) + yc * 4 + 3] = v.w;
    __syncthreads();
    X += TILE_K;
    Y += TILE_K * n;
    for (uint d = 0; d < TILE_K; ++d) {
      for (uint i = 0; i < RM; ++i)
        fm[i] = sx[d * TILE_M + tr * RM + i];
      for (uint i = 0; i < RN; ++i)
        fn[i] = sy[d * (TILE_N + pad) + tc * RN + i];
      for (uint i = 0; i < RM; ++i)
        for (uint j = 0; j < RN; ++j)
          out[i * RN + j] += fm[i] * fn[j];
    }
    __syncthreads();
  }
  for (uint i = 0; i < RM; i += 1)
    for (uint j = 0; j < RN; j += 4) {
      float4 c = reinterpret_cast<float4 *>(&Z[(tr * RM + i) * n + tc * RN + j])[0];
      c.x = al * out[i * RN + j] + be * c.x;
      c.y = al * out[i * RN + j + 1] + be * c.y;
      c.z = al * out[i * RN + j + 2] + be * c.z;
      c.w = al * out[i * RN + j + 3] + be * c.w;
      reinterpret_cast<float4 *>(&Z[(tr * RM + i) * n + tc * RN + j])[0] = c;
    }
}
#define CDIV(a, b) (((a) + (b)-1) / (b))
void run(int M, int N, int K, float al, float *A, float *B, float be, float *C) {
  const uint BK = 8, TM = 8, TN = 8, BM = 128, BN = 128;
  dim3 g(CDIV(N, BN), CDIV(M, BM));
  dim3 b((BM * BN) / (TM * TN));
  gemm_extra_col<BM, BN, BK, TM, TN><<<g, b>>>(M, N, K, al, A, B, be, C);
}
