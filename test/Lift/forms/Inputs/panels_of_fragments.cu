#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
// serpentine block order and 1-D grid
#pragma warpwright matmul
__global__ void wmma_serp(const half *__restrict__ A, const half *__restrict__ B, half *__restrict__ C, int M, int N, int K) {
  const int bm = blockIdx.z % 2 ? gridDim.y - blockIdx.y - 1 : blockIdx.y;
  const int bn = blockIdx.z * gridDim.x + blockIdx.x;
  const int warp = threadIdx.x / 32;
  const int row = (bm * 2 + warp / 2) * 16, col = (bn * 2 + warp % 2) * 16;
  if (row >= M || col >= N) return;
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> c;
  wmma::fill_fragment(c, __float2half(0.f));
#pragma unroll
  for (int i = 0; i < (K + 15) / 16; ++i) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
    wmma::load_matrix_sync(a, A + row * K + i * 16, K);
    wmma::load_matrix_sync(b, B + col * K + i * 16, K);
    wmma::mma_sync(c, a, b, c);
  }
  wmma::store_matrix_sync(C + row * N + col, c, N, wmma::mem_row_major);
}
void run(const half *A, const half *B, half *C, int M, int N, int K) {
  int bz = (N / 32 + 7) / 8;
  wmma_serp<<<dim3((N / 32 + bz - 1) / bz, M / 32, bz), 128>>>(A, B, C, M, N, K);
}
