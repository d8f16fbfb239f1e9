#include <cuda_runtime.h>
#define EDGE 16
#pragma warpwright matmul
__global__ void guarded_tile(float *P, float *Q, float *R, int M, int N, int K) {
  __shared__ float sp[EDGE][EDGE];
  __shared__ float sq[EDGE][EDGE];
  int bx = blockIdx.x, by = blockIdx.y;
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = by * EDGE + ty;
  int col = bx * EDGE + tx;
  float s = 0.0f;
  for (int t = 0; t < (K + EDGE - 1) / EDGE; ++t) {
    if (row < M && t * EDGE + tx < K)
      sp[ty][tx] = P[row * K + t * EDGE + tx];
    else
      sp[ty][tx] = 0.0f;
    if (col < N && t * EDGE + ty < K)
      sq[ty][tx] = Q[(t * EDGE + ty) * N + col];
    else
      sq[ty][tx] = 0.0f;
    __syncthreads();
    for (int k = 0; k < EDGE; ++k) s += sp[ty][k] * sq[k][tx];
    __syncthreads();
  }
  if (row < M && col < N) R[row * N + col] = s;
}
int main() {
  const int M = 1024, N = 1024, K = 1024;
  float *a, *b, *c;
  cudaMalloc(&a, M * K * sizeof(float));
  cudaMalloc(&b, K * N * sizeof(float));
  cudaMalloc(&c, M * N * sizeof(float));
  dim3 blockDim(EDGE, EDGE);
  dim3 gridDim((N + EDGE - 1) / EDGE, (M + EDGE - 1) / EDGE);
  guarded_tile<<<gridDim, blockDim>>>(a, b, c, M, N, K);
  cudaDeviceSynchronize();
}
