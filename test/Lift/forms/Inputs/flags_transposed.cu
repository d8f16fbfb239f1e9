#include <cuda_runtime.h>
static constexpr int W = 16;
#pragma warpwright matmul
__global__ void flags(const float *__restrict__ P, const float *__restrict__ Q, float *__restrict__ R, int M, int N, int K, int tp, int tq) {
  __shared__ float sp[W][W];
  __shared__ float sq[W][W];
  const int row = blockIdx.y * W + threadIdx.y;
  const int col = blockIdx.x * W + threadIdx.x;
  float s = 0.0f;
  for (int t = 0; t < (K + W - 1) / W; ++t) {
    const int pc = t * W + threadIdx.x;
    const int qr = t * W + threadIdx.y;
    if (row < M && pc < K)
      sp[threadIdx.y][threadIdx.x] = tp ? P[pc * M + row] : P[row * K + pc];
    else
      sp[threadIdx.y][threadIdx.x] = 0.0f;
    if (qr < K && col < N)
      sq[threadIdx.y][threadIdx.x] = tq ? Q[col * K + qr] : Q[qr * N + col];
    else
      sq[threadIdx.y][threadIdx.x] = 0.0f;
    __syncthreads();
    for (int k = 0; k < W; ++k) s += sp[threadIdx.y][k] * sq[k][threadIdx.x];
    __syncthreads();
  }
  if (row < M && col < N) R[row * N + col] = s;
}
void run(const float *A, const float *B, float *C, int M, int N, int K, int ta, int tb) {
  dim3 b(W, W);
  dim3 g((N + W - 1) / W, (M + W - 1) / W);
  flags<<<g, b>>>(A, B, C, M, N, K, ta, tb);
}
