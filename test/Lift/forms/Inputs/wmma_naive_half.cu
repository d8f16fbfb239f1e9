#include <cuda_fp16.h>
#include <mma.h>
#define F 16
using namespace nvcuda;
inline __device__ __host__ size_t up(size_t a, size_t b) { return (a % b != 0) ? (a / b + 1) : (a / b); }
#pragma warpwright matmul
__global__ void wmma_naive_half(const half *__restrict__ P, const half *__restrict__ Q, half *__restrict__ R, size_t M, size_t N, size_t K) {
  const size_t tiles = up(K, F);
  const size_t row = blockIdx.y * F;
  const size_t col = blockIdx.x * F;
  if (row >= M && col >= N) {
    return;
  }
  wmma::fragment<wmma::accumulator, F, F, F, half> c;
  wmma::fill_fragment(c, 0.0);
#pragma unroll
  for (size_t i = 0; i < tiles; ++i) {
    wmma::fragment<wmma::matrix_a, F, F, F, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, F, F, F, half, wmma::col_major> b;
    wmma::load_matrix_sync(a, P + row * K + i * F, K);
    wmma::load_matrix_sync(b, Q + i * F + col * K, K);
    wmma::mma_sync(c, a, b, c);
  }
  wmma::store_matrix_sync(R + row * N + col, c, N, wmma::mem_row_major);
}
void run(half *A, half *B, half *C, size_t M, size_t N, size_t K) {
  dim3 b(32);
  dim3 g(up(N, F), up(M, F));
  wmma_naive_half<<<g, b>>>(A, B, C, M, N, K);
}
