#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
#pragma warpwright matmul
template <int PB>
__global__ void wmma_grid(const half *A, const half *B, float *C, int M, int N, int K) {
  constexpr int F = 16;
  constexpr int WN = PB / F;
  int w = threadIdx.x / 32;
  int wr = w / WN;
  int wc = w % WN;
  int row = blockIdx.y * PB + wr * F;
  int col = blockIdx.x * PB + wc * F;
  wmma::fragment<wmma::matrix_a, F, F, F, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, F, F, F, half, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, F, F, F, float> c;
  wmma::fill_fragment(c, 0.0f);
  for (int t = 0; t < K; t += F) {
    wmma::load_matrix_sync(a, A + row * K + t, K);
    wmma::load_matrix_sync(b, B + t * N + col, N);
    wmma::mma_sync(c, a, b, c);
  }
  if (row < M && col < N) wmma::store_matrix_sync(C + row * N + col, c, N, wmma::mem_row_major);
}
void run(const half *A, const half *B, float *C, int M, int N, int K) {
  constexpr int T = 64;
  int threads = (T / 16) * (T / 16) * 32;
  dim3 g((N + T - 1) / T, (M + T - 1) / T);
  wmma_grid<T><<<g, threads>>>(A, B, C, M, N, K);
}
