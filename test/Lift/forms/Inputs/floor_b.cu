#include <cuda_runtime.h>
#define WIDE 8
#pragma warpwright matmul
__global__ void floored(float *P, float *Q, float *R, int n) {
  __shared__ float sp[WIDE][WIDE];
  __shared__ float sq[WIDE][WIDE];
  int bx = blockIdx.x; int by = blockIdx.y;
  int tx = threadIdx.x; int ty = threadIdx.y;
  int row = by * WIDE + ty;
  int col = bx * WIDE + tx;
  float v = 0;
  for (int m = 0; m < n / WIDE; m++) {
    sp[ty][tx] = P[row * n + m * WIDE + tx];
    sq[ty][tx] = Q[(m * WIDE + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < WIDE; k++) v += sp[ty][k] * sq[k][tx];
    __syncthreads();
  }
  R[row * n + col] = v;
}
void run(float *A, float *B, float *C, int n) {
  dim3 b(WIDE, WIDE, 1);
  dim3 g(n / WIDE, n / WIDE, 1);
  floored<<<g, b>>>(A, B, C, n);
}
