#include <cuda_runtime.h>
template <int ROWS, int COLS, int STRIDE, int COUNT, bool FLIP = false>
__device__ __forceinline__ void fetch(float *d, float const *s, int ld) {
  constexpr int V = 4;
  constexpr int CV = COLS / V;
  constexpr int TOTAL = ROWS * CV;
  constexpr int EACH = TOTAL / COUNT;
  int const id = threadIdx.x;
  float4 const *sv = reinterpret_cast<float4 const *>(s);
#pragma unroll
  for (int i = 0; i < EACH; i++) {
    int const at = id + i * COUNT;
    int const r = at / CV;
    int const c = at % CV;
    int const off = r * (ld / V) + c;
    float4 v = sv[off];
    int const cb = c * V;
    if constexpr (FLIP) {
      d[(cb + 0) * STRIDE + r] = v.x;
      d[(cb + 1) * STRIDE + r] = v.y;
      d[(cb + 2) * STRIDE + r] = v.z;
      d[(cb + 3) * STRIDE + r] = v.w;
    } else {
      *reinterpret_cast<float4 *>(&d[r * STRIDE + cb]) = v;
    }
  }
}
#pragma warpwright matmul
template <int PM, int PN, int PK, int HM, int HN, int PAD = 4>
__global__ void extern_vec(float *__restrict__ z, float const *__restrict__ x, float const *__restrict__ y, int const M, int const N, int const K) {
  constexpr int COUNT = (PM * PN) / (HM * HN);
  constexpr int XS = PM + PAD;
  extern __shared__ float pool[];
  float *sx = pool;
  float *sy = pool + XS * PK;
  x += PM * blockIdx.y * K;
  y += PN * blockIdx.x;
  z += PM * blockIdx.y * N + PN * blockIdx.x;
  int const tr = threadIdx.x / (PN / HN);
  int const tc = threadIdx.x % (PN / HN);
  float acc[HM][HN] = {0.f};
  float fx[HM];
  float fy[HN];
  for (int t = 0; t < K; t += PK) {
    fetch<PM, PK, XS, COUNT, true>(sx, x, K);
    fetch<PK, PN, PN, COUNT, false>(sy, y, N);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < PK; k++) {
#pragma unroll
      for (int m = 0; m < HM; m++) fx[m] = sx[k * XS + tr * HM + m];
#pragma unroll
      for (int n = 0; n < HN; n++) fy[n] = sy[k * PN + tc * HN + n];
#pragma unroll
      for (int m = 0; m < HM; m++) {
#pragma unroll
        for (int n = 0; n < HN; n++) acc[m][n] += fx[m] * fy[n];
      }
    }
    x += PK;
    y += PK * N;
    __syncthreads();
  }
#pragma unroll
  for (int m = 0; m < HM; m++) {
    int const r = tr * HM + m;
    if constexpr (HN % 4 == 0) {
#pragma unroll
      for (int n = 0; n < HN; n += 4) {
        float4 o;
        o.x = acc[m][n + 0];
        o.y = acc[m][n + 1];
        o.z = acc[m][n + 2];
        o.w = acc[m][n + 3];
        int const c = tc * HN + n;
        *reinterpret_cast<float4 *>(&z[r * N + c]) = o;
      }
    } else {
#pragma unroll
      for (int n = 0; n < HN; n++) z[r * N + tc * HN + n] = acc[m][n];
    }
  }
}
template <int PM, int PN, int PK, int HM, int HN, int PAD = 4>
void go(float *z, float const *x, float const *y, int const M, int const N, int const K) {
  constexpr int COUNT = (PM * PN) / (HM * HN);
  constexpr int BYTES = PK * (PM + PAD + PN) * sizeof(float);
  dim3 b(COUNT);
  dim3 g((N + PN - 1) / PN, (M + PM - 1) / PM);
  extern_vec<PM, PN, PK, HM, HN, PAD><<<g, b, BYTES>>>(z, x, y, M, N, K);
}
template void go<128, 128, 8, 8, 8>(float *, float const *, float const *, int const, int const, int const);
