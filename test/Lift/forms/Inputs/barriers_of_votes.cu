#include <cuda_runtime.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
constexpr int BS = 16;
#pragma warpwright matmul
__global__ void mm_syncs(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float As[BS][BS], Bs[BS][BS];
  auto block = cg::this_thread_block();
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * BS + ty, col = blockIdx.x * BS + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 2 * BS) {
    As[ty][tx] = A[row * K + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * N + col];
    __syncthreads_or(0);
    for (int k = 0; k < BS; ++k) acc += As[ty][k] * Bs[k][tx];
    cg::sync(block);
    As[ty][tx] = A[row * K + k0 + BS + tx];
    Bs[ty][tx] = B[(k0 + BS + ty) * N + col];
    __syncthreads_count(1);
    for (int k = 0; k < BS; ++k) acc += As[ty][k] * Bs[k][tx];
    __syncthreads_and(tx > 3);
  }
  C[row * N + col] = acc;
}
void run(const float *A, const float *B, float *C, int M, int N, int K) {
  mm_syncs<<<dim3(N / BS, M / BS), dim3(BS, BS)>>>(A, B, C, M, N, K);
}
