#include <cuda_runtime.h>
__device__ __forceinline__ void block_sync() { asm volatile("bar.sync 0;" ::: "memory"); }
__device__ __forceinline__ void block_sync2() { asm volatile("barrier.sync 0;"); }
constexpr int BS = 16;
#pragma warpwright matmul
__global__ void mm_bar(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float As[BS][BS], Bs[BS][BS];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * BS + ty, col = blockIdx.x * BS + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += BS) {
    As[ty][tx] = A[row * K + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * N + col];
    block_sync();
    for (int k = 0; k < BS; ++k) acc += As[ty][k] * Bs[k][tx];
    block_sync2();
  }
  C[row * N + col] = acc;
}
void run(const float *A, const float *B, float *C, int M, int N, int K) {
  mm_bar<<<dim3(N / BS, M / BS), dim3(BS, BS)>>>(A, B, C, M, N, K);
}
