#include <cuda_runtime.h>
#pragma warpwright matmul
__global__ void batched_flat(const float *P, const float *Q, float *R, int B, int M, int N, int K) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  int total = B * M * N;
  if (g >= total) return;
  int b = g / (M * N);
  int e = g % (M * N);
  int i = e / N;
  int j = e % N;
  const float *p = P + b * M * K;
  const float *q = Q + b * K * N;
  float s = 0.0f;
  for (int k = 0; k < K; ++k) s += p[i * K + k] * q[k * N + j];
  R[b * M * N + i * N + j] = s;
}
void solve(const float *A, const float *B, float *C, int BATCH, int M, int N, int K) {
  int total = BATCH * M * N;
  if (total == 0) return;
  int threads = 256;
  int blocks = (total + threads - 1) / threads;
  batched_flat<<<blocks, threads>>>(A, B, C, BATCH, M, N, K);
  cudaDeviceSynchronize();
}
