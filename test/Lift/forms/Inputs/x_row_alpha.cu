#include <cuda_runtime.h>
#pragma warpwright matmul
__global__ void x_row(int M, int K, int N, float al, float be, const float *P, const float *Q, float *R) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < M && y < N) {
    float c = 0;
    for (int k = 0; k < K; ++k) {
      c += P[x * K + k] * Q[N * k + y];
    }
    R[x * N + y] = al * c + be * R[x * N + y];
  }
}
void run(int M, int K, int N, float al, float be, const float *A, const float *B, float *C) {
  dim3 b(32, 32);
  dim3 g((M + 31) / 32, (N + 31) / 32);
  x_row<<<g, b>>>(M, K, N, al, be, A, B, C);
}
