#include <cuda_runtime.h>
constexpr int BS = 16;
#pragma warpwright matmul
__global__ void mm_swap_idx(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float As[2][BS][BS];
  __shared__ float Bs[2][BS][BS];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * BS + ty, col = blockIdx.x * BS + tx;
  int read_idx = 0, write_idx = 1;
  As[0][ty][tx] = A[row * K + tx];
  Bs[0][ty][tx] = B[ty * N + col];
  __syncthreads();
  float acc = 0.0f;
  const int tiles = K / BS;
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) {
      As[write_idx][ty][tx] = A[row * K + (t + 1) * BS + tx];
      Bs[write_idx][ty][tx] = B[((t + 1) * BS + ty) * N + col];
    }
    for (int k = 0; k < BS; ++k) acc += As[read_idx][ty][k] * Bs[read_idx][k][tx];
    __syncthreads();
    int tmp = read_idx;
    read_idx = write_idx;
    write_idx = tmp;
  }
  C[row * N + col] = acc;
}
void run(const float *A, const float *B, float *C, int M, int N, int K) {
  mm_swap_idx<<<dim3(N / BS, M / BS), dim3(BS, BS)>>>(A, B, C, M, N, K);
}
