#include <cuda_runtime.h>
#include <cmath>
#define W 16
#pragma warpwright matmul
__global__ void zeros_first(float *P, float *Q, float *R, int rp, int common, int cq) {
  __shared__ float sp[W][W];
  __shared__ float sq[W][W];
  int bx = blockIdx.x;
  int by = blockIdx.y;
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row = by * W + ty;
  int col = bx * W + tx;
  float v = 0;
  for (int m = 0; m < ceil((float)common / W); ++m) {
    sp[ty][tx] = 0;
    sq[ty][tx] = 0;
    if (m * W + tx < common && row < rp) sp[ty][tx] = P[row * common + m * W + tx];
    if (m * W + ty < common && col < cq) sq[ty][tx] = Q[(m * W + ty) * cq + col];
    __syncthreads();
    for (int k = 0; k < W; ++k) {
      v += sp[ty][k] * sq[k][tx];
    }
    __syncthreads();
  }
  if (row < rp && col < cq) R[row * cq + col] = v;
}
void run(float *A, float *B, float *C, int m, int k, int n) {
  dim3 b(W, W, 1);
  dim3 g(ceil((float)n / W), ceil((float)m / W), 1);
  zeros_first<<<g, b>>>(A, B, C, m, k, n);
}
