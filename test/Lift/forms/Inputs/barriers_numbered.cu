// barrier with a name and count for the whole block: bar.sync 1, 256
#include <cuda_runtime.h>
__device__ __forceinline__ void named(int id, int n) { asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory"); }
#pragma warpwright matmul
__global__ void mm_named(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float As[16][16], Bs[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[ty][tx] = A[row * K + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * N + col];
    named(1, 256);
    for (int k = 0; k < 16; ++k) acc += As[ty][k] * Bs[k][tx];
    named(1, 256);
  }
  C[row * N + col] = acc;
}
void run(const float *A, const float *B, float *C, int M, int N, int K) { mm_named<<<dim3(N / 16, M / 16), dim3(16, 16)>>>(A, B, C, M, N, K); }
