#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
constexpr int F = 16, PM = 64, PN = 64, PK = 16, WX = 4, WY = 4;
#pragma warpwright matmul
__global__ void wmma_ldg(const half *__restrict__ A, const half *__restrict__ B, half *__restrict__ C, int m, int n, int k) {
  __shared__ half sa[PM][PK + 8];
  __shared__ half sb[PK][PN + 8];
  int w = threadIdx.x / 32;
  int wx = w % WX;
  int wy = w / WX;
  int bx = blockIdx.x;
  int by = blockIdx.y;
  int row = by * PM + wy * F;
  int col = bx * PN + wx * F;
  wmma::fragment<wmma::matrix_a, F, F, F, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, F, F, F, half, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, F, F, F, float> c;
  wmma::fill_fragment(c, 0.0f);
  int id = threadIdx.x;
  int tiles = (k + PK - 1) / PK;
  for (int t = 0; t < tiles; ++t) {
    {
      int at = id;
      if (at < (PM * PK / 2)) {
        int r = (at * 2) / PK;
        int q = (at * 2) % PK;
        int gr = by * PM + r;
        int gc = t * PK + q;
        if (gr < m && gc + 1 < k) {
          const half2 *src = reinterpret_cast<const half2 *>(&A[gr * k + gc]);
          half2 v = __ldg(src);
          sa[r][q] = v.x;
          sa[r][q + 1] = v.y;
        } else if (gr < m && gc < k) {
          sa[r][q] = __ldg(&A[gr * k + gc]);
          sa[r][q + 1] = (gc + 1 < k) ? __ldg(&A[gr * k + gc + 1]) : __float2half(0.0f);
        } else {
          sa[r][q] = __float2half(0.0f);
          sa[r][q + 1] = __float2half(0.0f);
        }
      }
    }
    {
      int at = id;
      if (at < (PK * PN / 2)) {
        int r = (at * 2) / PN;
        int q = (at * 2) % PN;
        int gr = t * PK + r;
        int gc = bx * PN + q;
        if (gr < k && gc + 1 < n) {
          const half2 *src = reinterpret_cast<const half2 *>(&B[gr * n + gc]);
          half2 v = __ldg(src);
          sb[r][q] = v.x;
          sb[r][q + 1] = v.y;
        } else if (gr < k && gc < n) {
          sb[r][q] = __ldg(&B[gr * n + gc]);
          sb[r][q + 1] = (gc + 1 < n) ? __ldg(&B[gr * n + gc + 1]) : __float2half(0.0f);
        } else {
          sb[r][q] = __float2half(0.0f);
          sb[r][q + 1] = __float2half(0.0f);
        }
      }
    }
    __syncthreads();
    if (row < m && col < n) {
      wmma::load_matrix_sync(a, &sa[wy * F][0], PK + 8);
      wmma::load_matrix_sync(b, &sb[0][wx * F], PN + 8);
      wmma::mma_sync(c, a, b, c);
    }
    __syncthreads();
  }
  if (row < m && col < n) {
    wmma::fragment<wmma::accumulator, F, F, F, half> h;
    for (int i = 0; i < c.num_elements; ++i) h.x[i] = __float2half(c.x[i]);
    wmma::store_matrix_sync(C + row * n + col, h, n, wmma::mem_row_major);
  }
}
void run(const half *A, const half *B, half *C, int m, int n, int k) {
  dim3 b(512);
  dim3 g((n + PN - 1) / PN, (m + PM - 1) / PM);
  wmma_ldg<<<g, b>>>(A, B, C, m, n, k);
}
