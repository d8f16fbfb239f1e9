#include <cuda_bf16.h>
#define W 16
#pragma warpwright matmul
__global__ void bf_converted(const __nv_bfloat16 *__restrict__ A, const __nv_bfloat16 *__restrict__ B, __nv_bfloat16 *__restrict__ C, int M, int N, int K) {
  __shared__ float sa[W][W];
  __shared__ float sb[W][W];
  const int row = blockIdx.y * W + threadIdx.y;
  const int col = blockIdx.x * W + threadIdx.x;
  float acc = 0.0f;
  const int tiles = (K + W - 1) / W;
  for (int t = 0; t < tiles; ++t) {
    const int ac = t * W + threadIdx.x;
    const int br = t * W + threadIdx.y;
    sa[threadIdx.y][threadIdx.x] = (row < M && ac < K) ? __bfloat162float(A[row * K + ac]) : 0.0f;
    sb[threadIdx.y][threadIdx.x] = (br < K && col < N) ? __bfloat162float(B[br * N + col]) : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < W; ++k) acc += sa[threadIdx.y][k] * sb[k][threadIdx.x];
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = __float2bfloat16(acc);
}
void run(const __nv_bfloat16 *A, const __nv_bfloat16 *B, __nv_bfloat16 *C, int M, int N, int K) {
  dim3 t(W, W);
  dim3 g((N + W - 1) / W, (M + W - 1) / W);
  bf_converted<<<g, t>>>(A, B, C, M, N, K);
}
