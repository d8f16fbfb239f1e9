#include <cuda_runtime.h>
#include <cstddef>
#pragma warpwright matmul
template <typename T, size_t PM, size_t PN, size_t PK, size_t HM, size_t HN>
__global__ void index_buffers(T *X, T *Y, T *Z, size_t M, size_t N, size_t K) {
  __shared__ float sx[2][PM * PK];
  __shared__ float sy[2][PK * PN];
  const int id = threadIdx.x;
  const int per = PN / HN;
  const int tr = id / per;
  const int tc = id % per;
  X += blockIdx.y * PM * K;
  Y += blockIdx.x * PN;
  Z += blockIdx.y * PM * N + blockIdx.x * PN;
  float out[HM * HN] = {0.0f};
  const int threads = blockDim.x;
  int cur = 0;
  for (uint o = id; o < PM * PK; o += threads) {
    uint r = o / PK;
    uint c = o % PK;
    sx[cur][r * PK + c] = X[r * K + c];
  }
  for (uint o = id; o < PK * PN; o += threads) {
    uint r = o / PN;
    uint c = o % PN;
    sy[cur][r * PN + c] = Y[r * N + c];
  }
  __syncthreads();
  for (uint k0 = 0; k0 < K; k0 += PK) {
    int nxt = 1 - cur;
    if (k0 + PK < K) {
      X += PK;
      Y += PK * N;
      for (uint o = id; o < PM * PK; o += threads) {
        uint r = o / PK;
        uint c = o % PK;
        sx[nxt][r * PK + c] = X[r * K + c];
      }
      for (uint o = id; o < PK * PN; o += threads) {
        uint r = o / PN;
        uint c = o % PN;
        sy[nxt][r * PN + c] = Y[r * N + c];
      }
    }
    __syncthreads();
#pragma unroll
    for (uint d = 0; d < PK; ++d) {
      float fx[HM];
      float fy[HN];
      for (uint i = 0; i < HM; ++i) fx[i] = sx[cur][(tr * HM + i) * PK + d];
      for (uint j = 0; j < HN; ++j) fy[j] = sy[cur][d * PN + tc * HN + j];
#pragma unroll
      for (uint i = 0; i < HM; ++i) {
#pragma unroll
        for (uint j = 0; j < HN; ++j) out[i * HN + j] += fx[i] * fy[j];
      }
    }
    __syncthreads();
    cur = nxt;
  }
  for (uint i = 0; i < HM; ++i)
    for (uint j = 0; j < HN; ++j) Z[(tr * HM + i) * N + tc * HN + j] = out[i * HN + j];
}
void run(float *a, float *b, float *c, size_t M, size_t N, size_t K) {
  constexpr unsigned BM = 128, BN = 128, BK = 32, TM = 8, TN = 8;
  dim3 t((BM * BN) / (TM * TN), 1, 1);
  dim3 g((N + BN - 1) / BN, (M + BM - 1) / BM, 1);
  index_buffers<float, BM, BN, BK, TM, TN><<<g, t>>>(a, b, c, M, N, K);
}
