#include <cuda_runtime.h>
constexpr int W = 32;
#pragma warpwright matmul
__global__ void step_ternary(const float *__restrict__ P, const float *__restrict__ Q, float *__restrict__ R, int M, int N, int K) {
  __shared__ float sp[W][W];
  __shared__ float sq[W][W];
  int row = blockIdx.y * W + threadIdx.y;
  int col = blockIdx.x * W + threadIdx.x;
  float acc = 0.0f;
  for (int t = 0; t < K; t += W) {
    sp[threadIdx.y][threadIdx.x] = (row < M && t + threadIdx.x < K) ? P[row * K + t + threadIdx.x] : 0.0f;
    sq[threadIdx.y][threadIdx.x] = (t + threadIdx.y < K && col < N) ? Q[(t + threadIdx.y) * N + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < W; ++k) acc += sp[threadIdx.y][k] * sq[k][threadIdx.x];
    __syncthreads();
  }
  if (row < M && col < N) R[row * N + col] = acc;
}
void run(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 b(W, W);
  dim3 g((N + W - 1) / W, (M + W - 1) / W);
  step_ternary<<<g, b>>>(A, B, C, M, N, K);
}
