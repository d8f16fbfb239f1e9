#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>
using namespace nvcuda;
#pragma warpwright matmul
__global__ void form_warp_scratch(const half *A, const half *B,
                                  const float *bias, half *D, int M, int N,
                                  int K) {
  __shared__ float scratch[4][16 * 16];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int wm = blockIdx.y * 2 + warp / 2, wn = blockIdx.x * 2 + warp % 2;
  if (wm * 16 >= M || wn * 16 >= N)
    return;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  wmma::fill_fragment(acc, 0.f);
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(fa, A + wm * 16 * K + k, K);
    wmma::load_matrix_sync(fb, B + wn * 16 * K + k, K);
    wmma::mma_sync(acc, fa, fb, acc);
  }
  wmma::store_matrix_sync(scratch[warp], acc, 16, wmma::mem_row_major);
  __syncwarp();
  for (int i = lane; i < 256; i += 32) {
    const int r = i / 16, c = i % 16;
    float v = scratch[warp][i] + bias[wn * 16 + c];
    v = v > 0.f ? v : 0.f;
    D[(wm * 16 + r) * N + wn * 16 + c] = __float2half(v);
  }
}
void run(half *a, half *b, float *bias, half *d, int M, int N, int K) {
  form_warp_scratch<<<dim3((N + 31) / 32, (M + 31) / 32), 128>>>(a, b, bias, d,
                                                                 M, N, K);
}
