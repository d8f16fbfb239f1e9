#include <cuda_runtime.h>
#define W 16
#pragma warpwright matmul
__global__ void batched_tiles(const float *__restrict__ P, const float *__restrict__ Q, float *__restrict__ R, int M, int K, int N) {
  int b = blockIdx.z;
  int row = blockIdx.y * W + threadIdx.y;
  int col = blockIdx.x * W + threadIdx.x;
  const float *p = P + b * M * K;
  const float *q = Q + b * K * N;
  float *r = R + b * M * N;
  __shared__ float sp[W][W];
  __shared__ float sq[W][W];
  float s = 0.0f;
  int tiles = (K + W - 1) / W;
  for (int t = 0; t < tiles; t++) {
    int pc = t * W + threadIdx.x;
    int qr = t * W + threadIdx.y;
    sp[threadIdx.y][threadIdx.x] = (row < M && pc < K) ? p[row * K + pc] : 0.0f;
    sq[threadIdx.y][threadIdx.x] = (qr < K && col < N) ? q[qr * N + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < W; k++) s += sp[threadIdx.y][k] * sq[k][threadIdx.x];
    __syncthreads();
  }
  if (row < M && col < N) r[row * N + col] = s;
}
void run(const float *A, const float *B, float *C, int batch, int M, int K, int N) {
  dim3 t(W, W);
  dim3 g((N + W - 1) / W, (M + W - 1) / W, batch);
  batched_tiles<<<g, t>>>(A, B, C, M, K, N);
}
