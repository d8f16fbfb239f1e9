#include <cuda_runtime.h>
const int S = 1024;
#pragma warpwright matmul
__global__ void const_size(float *P, float *Q, float *R) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < S && col < S) {
    float s = 0.0f;
    for (int k = 0; k < S; ++k) s += P[row * S + k] * Q[k * S + col];
    R[row * S + col] = s;
  }
}
void run(float *A, float *B, float *C) {
  dim3 t(16, 16);
  dim3 g((S + t.x - 1) / t.x, (S + t.y - 1) / t.y);
  const_size<<<g, t>>>(A, B, C);
}
