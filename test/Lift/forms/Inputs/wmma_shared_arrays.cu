#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
template <int PM, int PK, int COUNT>
__device__ void bring_x(const __half *A, __half *s, int K, uint id) {
  constexpr int TOTAL = (PM * PK) / 8;
  constexpr int EACH = TOTAL / COUNT;
#pragma unroll
  for (int i = 0; i < EACH; ++i) {
    uint at = id + i * COUNT;
    uint per = PK / 8;
    uint r = at / per;
    uint c = at % per;
    float4 v = reinterpret_cast<const float4 *>(&A[r * K + c * 8])[0];
    reinterpret_cast<float4 *>(&s[r * PK + c * 8])[0] = v;
  }
}
#pragma warpwright matmul
template <int PM, int PN, int PK, int WM, int WN>
__global__ void wmma_arrays_half(int M, int N, int K, const __half *A, const __half *B, __half *C) {
  constexpr int F = 16;
  constexpr int TM = WM / F;
  constexpr int TN = WN / F;
  constexpr int WSM = PM / WM;
  constexpr int WSN = PN / WN;
  constexpr int COUNT = WSM * WSN * 32;
  __shared__ __half sa[PM * PK];
  __shared__ __half sb[PN * PK];
  const uint id = threadIdx.x;
  const uint w = id / 32;
  const uint wm = w / WSN;
  const uint wn = w % WSN;
  A += blockIdx.y * PM * K;
  B += blockIdx.x * PN * K;
  C += blockIdx.y * PM * N + blockIdx.x * PN;
  wmma::fragment<wmma::accumulator, F, F, F, __half> acc[TM][TN];
#pragma unroll
  for (int m = 0; m < TM; ++m)
#pragma unroll
    for (int n = 0; n < TN; ++n) wmma::fill_fragment(acc[m][n], (__half)0.0f);
  for (int t = 0; t < K; t += PK) {
    bring_x<PM, PK, COUNT>(A, sa, K, id);
    bring_x<PN, PK, COUNT>(B, sb, K, id);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < PK; k += F) {
      wmma::fragment<wmma::matrix_a, F, F, F, __half, wmma::row_major> fa[TM];
#pragma unroll
      for (int m = 0; m < TM; ++m) {
        const __half *p = &sa[(wm * WM + m * F) * PK + k];
        wmma::load_matrix_sync(fa[m], p, PK);
      }
      wmma::fragment<wmma::matrix_b, F, F, F, __half, wmma::col_major> fb[TN];
#pragma unroll
      for (int n = 0; n < TN; ++n) {
        const __half *p = &sb[(wn * WN + n * F) * PK + k];
        wmma::load_matrix_sync(fb[n], p, PK);
      }
#pragma unroll
      for (int m = 0; m < TM; ++m)
#pragma unroll
        for (int n = 0; n < TN; ++n) wmma::mma_sync(acc[m][n], fa[m], fb[n], acc[m][n]);
    }
    __syncthreads();
    A += PK;
    B += PK;
  }
#pragma unroll
  for (int m = 0; m < TM; ++m)
#pragma unroll
    for (int n = 0; n < TN; ++n) {
      __half *p = C + (wm * WM + m * F) * N + (wn * WN + n * F);
      wmma::store_matrix_sync(p, acc[m][n], N, wmma::mem_row_major);
    }
}
void run(int M, int N, int K, const __half *A, const __half *B, __half *C) {
  constexpr int BM = 128, BN = 128, BK = 32, WM = 64, WN = 64;
  dim3 g((N + BN - 1) / BN, (M + BM - 1) / BM);
  dim3 b((BM / WM) * (BN / WN) * 32);
  wmma_arrays_half<BM, BN, BK, WM, WN><<<g, b>>>(M, N, K, A, B, C);
}
