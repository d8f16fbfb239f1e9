#include <cuda_bf16.h>
#include <mma.h>
using namespace nvcuda;
constexpr int F = 16, PM = 64, PN = 64, PK = 16, WM = 4, WN = 2;
#pragma warpwright matmul
__global__ void wmma_bf_gap(const __nv_bfloat16 *__restrict__ A, const __nv_bfloat16 *__restrict__ B, float *__restrict__ C, int M, int N, int K) {
  const int bx = blockIdx.x;
  const int by = blockIdx.y;
  const int w = threadIdx.x / 32;
  const int wm = w / WN;
  const int wn = w % WN;
  const int tm = by * PM;
  const int tn = bx * PN;
  const int rm = tm + wm * F;
  const int rn = tn + wn * F;
  __shared__ __nv_bfloat16 sa[PM][PK];
  __shared__ __nv_bfloat16 sb[PK][PN];
  wmma::fragment<wmma::matrix_a, F, F, F, __nv_bfloat16, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, F, F, F, __nv_bfloat16, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, F, F, F, float> c;
  wmma::fill_fragment(c, 0.0f);
  for (int k = 0; k < K; k += PK) {
    for (int i = threadIdx.x; i < PM * PK; i += blockDim.x) {
      int r = i / PK;
      int q = i % PK;
      int gr = tm + r;
      int gc = k + q;
      if (gr < M && gc < K) {
        sa[r][q] = A[gr * K + gc];
      } else {
        sa[r][q] = __float2bfloat16(0.0f);
      }
    }
    for (int i = threadIdx.x; i < PK * PN; i += blockDim.x) {
      int r = i / PN;
      int q = i % PN;
      int gr = k + r;
      int gc = tn + q;
      if (gr < K && gc < N) {
        sb[r][q] = B[gr * N + gc];
      } else {
        sb[r][q] = __float2bfloat16(0.0f);
      }
    }
    __syncthreads();
    if (wm < (PM / F) && wn < (PN / F)) {
      wmma::load_matrix_sync(a, &sa[wm * F][0], PK);
      wmma::load_matrix_sync(b, &sb[0][wn * F], PN);
      wmma::mma_sync(c, a, b, c);
    }
    __syncthreads();
  }
  if (rm < M && rn < N) {
    wmma::store_matrix_sync(&C[rm * N + rn], c, N, wmma::mem_row_major);
  }
}
void run(const __nv_bfloat16 *A, const __nv_bfloat16 *B, float *C, int M, int N, int K) {
  dim3 b(WM * WN * 32);
  dim3 g((N + PN - 1) / PN, (M + PM - 1) / PM);
  wmma_bf_gap<<<g, b>>>(A, B, C, M, N, K);
}
