#include <cuda_runtime.h>
#define CDIV(a, b) (((a) + (b)-1) / (b))
const int LANES = 32;
namespace parts {
template <const int TILE_M, const int TILE_N, const int TILE_K, const int xs, const int ys>
__device__ void fetch(int n, int k, float *X, float *Y, float *sx, float *sy,
                      int xr, int xc, int yr, int yc) {
  for (uint o = 0; o + xs <= TILE_M; o += xs) {
    float4 v = reinterpret_cast<float4 *>(&X[(xr + o) * k + xc * 4])[0];
    sx[(xc * 4 + 0) * TILE_M + xr + o] = v.x;
    sx[(xc * 4 + 1) * TILE_M + xr + o] = v.y;
    sx[(xc * 4 + 2) * TILE_M + xr + o] = v.z;
    sx[(xc * 4 + 3) * TILE_M + xr + o] = v.w;
  }
  for (uint o = 0; o + ys <= TILE_K; o += ys)
    reinterpret_cast<float4 *>(&sy[(yr + o) * TILE_N + yc * 4])[0] =
        reinterpret_cast<float4 *>(&Y[(yr + o) * n + yc * 4])[0];
}
template <const int TILE_M, const int TILE_N, const int TILE_K, const int WTM, const int WTN,
          const int MI, const int NI, const int SM, const int SN, const int RM, const int RN>
__device__ void consume(float *fm, float *fn, float *out, const float *sx, const float *sy,
                        const uint wr, const uint wc, const uint lr, const uint lc) {
  for (uint d = 0; d < TILE_K; ++d) {
    for (uint p = 0; p < MI; ++p)
      for (uint i = 0; i < RM; ++i)
        fm[p * RM + i] = sx[(d * TILE_M) + wr * WTM + p * SM + lr * RM + i];
    for (uint q = 0; q < NI; ++q)
      for (uint i = 0; i < RN; ++i)
        fn[q * RN + i] = sy[(d * TILE_N) + wc * WTN + q * SN + lc * RN + i];
    for (uint p = 0; p < MI; ++p)
      for (uint q = 0; q < NI; ++q)
        for (uint i = 0; i < RM; ++i)
          for (uint j = 0; j < RN; ++j)
            out[(p * RM + i) * (NI * RN) + (q * RN) + j] += fm[p * RM + i] * fn[q * RN + j];
  }
}
} // namespace parts

#pragma warpwright matmul
template <const int TILE_M, const int TILE_N, const int TILE_K, const int WTM, const int WTN,
          const int NI, const int RM, const int RN, const int THREADS>
__global__ void __launch_bounds__(THREADS)
    gemm_halves(int m, int n, int k, float al, float *X, float *Y, float be, float *Z) {
  const uint br = blockIdx.y;
  const uint bc = blockIdx.x;
  const uint warp = threadIdx.x / LANES;
  const uint wc = warp % (TILE_N / WTN);
  const uint wr = warp / (TILE_N / WTN);
  constexpr uint MI = (WTM * WTN) / (LANES * RM * RN * NI);
  constexpr uint SM = WTM / MI;
  constexpr uint SN = WTN / NI;
  const uint lane = threadIdx.x % LANES;
  const uint lc = lane % (SN / RN);
  const uint lr = lane / (SN / RN);
  __shared__ float sx[2 * TILE_M * TILE_K];
  __shared__ float sy[2 * TILE_K * TILE_N];
  bool second = threadIdx.x >= (THREADS / 2);
  X += br * TILE_M * k;
  Y += bc * TILE_N;
  Z += (br * TILE_M + wr * WTM) * n + bc * TILE_N + wc * WTN;
  const uint xr = (threadIdx.x % (THREADS / 2)) / (TILE_K / 4);
  const uint xc = (threadIdx.x % (THREADS / 2)) % (TILE_K / 4);
  constexpr uint xs = ((THREADS / 2) * 4) / TILE_K;
  const uint yr = (threadIdx.x % (THREADS / 2)) / (TILE_N / 4);
  const uint yc = (threadIdx.x % (THREADS / 2)) % (TILE_N / 4);
  constexpr uint ys = (THREADS / 2) / (TILE_N / 4);
  float out[MI * RM * NI * RN] = {0.0};
  float fm[MI * RM] = {0.0};
  float fn[NI * RN] = {0.0};
  if (second == 0) {
    parts::fetch<TILE_M, TILE_N, TILE_K, xs, ys>(n, k, X, Y, sx, sy, xr, xc, yr, yc);
  }
  __syncthreads();
  for (uint k0 = 0; k0 < k; k0 += 2 * TILE_K) {
    if (second == 0) {
      parts::consume<TILE_M, TILE_N, TILE_K, WTM, WTN, MI, NI, SM, SN, RM, RN>(fm, fn, out, sx, sy, wr, wc, lr, lc);
      __syncthreads();
      if (k0 + TILE_K < k)
        parts::consume<TILE_M, TILE_N, TILE_K, WTM, WTN, MI, NI, SM, SN, RM, RN>(fm, fn, out, sx + TILE_M * TILE_K, sy + TILE_K * TILE_N, wr, wc, lr, lc);
      __syncthreads();
      if (k0 + 2 * TILE_K < k)
        parts::fetch<TILE_M, TILE_N, TILE_K, xs, ys>(n, k, X + 2 * TILE_K, Y + 2 * TILE_K * n, sx, sy, xr, xc, yr, yc);
    } else {
      if (k0 + TILE_K < k)
        parts::fetch<TILE_M, TILE_N, TILE_K, xs, ys>(n, k, X + TILE_K, Y + TILE_K * n, sx + TILE_M * TILE_K,
                     sy + TILE_K * TILE_N, xr, xc, yr, yc);
      __syncthreads();
      parts::consume<TILE_M, TILE_N, TILE_K, WTM, WTN, MI, NI, SM, SN, RM, RN>(fm, fn, out, sx, sy, wr, wc, lr, lc);
      __syncthreads();
      if (k0 + TILE_K < k)
        parts::consume<TILE_M, TILE_N, TILE_K, WTM, WTN, MI, NI, SM, SN, RM, RN>(fm, fn, out, sx + TILE_M * TILE_K, sy + TILE_K * TILE_N, wr, wc, lr, lc);
    }
    X += 2 * TILE_K;
    Y += 2 * TILE_K * n;
    __syncthreads();
  }

  for (uint p = 0; p < MI; ++p)
    for (uint q = 0; q < NI; ++q) {
      float *part = Z + (p * SM) * n + q * SN;
      for (uint i = 0; i < RM; i += 1)
        for (uint j = 0; j < RN; j += 4) {
          float4 c = reinterpret_cast<float4 *>(&part[(lr * RM + i) * n + lc * RN + j])[0];
          const int at = (p * RM + i) * (NI * RN) + q * RN + j;
          c.x = al * out[at + 0] + be * c.x;
          c.y = al * out[at + 1] + be * c.y;
          c.z = al * out[at + 2] + be * c.z;
          c.w = al * out[at + 3] + be * c.w;
          reinterpret_cast<float4 *>(&part[(lr * RM + i) * n + lc * RN + j])[0] = c;
        }
    }
}
void run(int M, int N, int K, float al, float *A, float *B, float be, float *C) {
  const uint T = 256, BN = 256, BM = 128, BK = 16, WN = 32, WM = 128, NI = 1, TN = 8, TM = 8;
  dim3 b(T);
  dim3 g(CDIV(N, BN), CDIV(M, BM));
  gemm_halves<BM, BN, BK, WM, WN, NI, TM, TN, T><<<g, b>>>(M, N, K, al, A, B, be, C);
}
