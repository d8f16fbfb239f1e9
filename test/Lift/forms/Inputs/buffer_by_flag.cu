#include <cuda_runtime.h>
constexpr int BS = 16;
#pragma warpwright matmul
__global__ void mm_bool(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float s[2][2][BS][BS];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * BS + ty, col = blockIdx.x * BS + tx;
  bool cur = false;
  s[cur][0][ty][tx] = A[row * K + tx];
  s[cur][1][ty][tx] = B[ty * N + col];
  float acc = 0.0f;
  __syncthreads();
  for (int k0 = BS; k0 < K; k0 += BS) {
    s[!cur][0][ty][tx] = A[row * K + k0 + tx];
    s[!cur][1][ty][tx] = B[(k0 + ty) * N + col];
    for (int k = 0; k < BS; ++k) acc += s[cur][0][ty][k] * s[cur][1][k][tx];
    cur = !cur;
    __syncthreads();
  }
  for (int k = 0; k < BS; ++k) acc += s[cur][0][ty][k] * s[cur][1][k][tx];
  C[row * N + col] = acc;
}
void run(const float *A, const float *B, float *C, int M, int N, int K) {
  mm_bool<<<dim3(N / BS, M / BS), dim3(BS, BS)>>>(A, B, C, M, N, K);
}
