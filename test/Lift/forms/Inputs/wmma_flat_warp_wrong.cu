#include <mma.h>
using namespace nvcuda;
constexpr int FM = 16, FN = 16, FK = 16;
#pragma warpwright matmul
__global__ void wmma_mixed(const half *P, const half *Q, float *R, int M, int N, int K, int lp, int lq, int lr) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
  int tx = N / FN;
  int y = w / tx;
  int x = w % tx;
  if (y * FM >= M || x * FN >= N) return;
  wmma::fragment<wmma::matrix_a, FM, FN, FK, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, FM, FN, FK, half, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, FM, FN, FK, float> c;
  wmma::fill_fragment(c, 0.0f);
  for (int k = 0; k < K; k += FK) {
    const half *p = P + (y * FM) * lp + k;
    const half *q = Q + k * lq + (x * FN);
    wmma::load_matrix_sync(a, p, lp);
    wmma::load_matrix_sync(b, q, lq);
    wmma::mma_sync(c, a, b, c);
  }
  float *r = R + (y * FM) * lr + x * FN;
  wmma::store_matrix_sync(r, c, lr, wmma::mem_row_major);
}
void run(const half *A, const half *B, float *C, int M, int N, int K) {
  int warps = (M / FM) * (N / FN);
  int t = 128;
  wmma_mixed<<<(warps * 32 + t - 1) / t, t>>>(A, B, C, M, N, K, K, N, N);
}
