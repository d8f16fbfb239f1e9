#include <cuda_runtime.h>
#pragma warpwright matmul
__global__ void pitch_m(float *P, float *Q, float *R, float *b, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if ((row < M) && (col < N)) {
    float v = 0;
    for (int k = 0; k < K; ++k) v += P[row * M + k] * Q[k * M + col];
    R[row * M + col] = v + b[row * M + col];
  }
}
void run(float *A, float *B, float *C, float *b, int m, int n, int k) {
  dim3 t(16, 16);
  dim3 g((n + 15) / 16, (m + 15) / 16);
  pitch_m<<<g, t>>>(A, B, C, b, m, n, k);
}
