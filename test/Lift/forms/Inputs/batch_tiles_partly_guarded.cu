#include <cuda_runtime.h>
#define W 16
#pragma warpwright matmul
__global__ void batch_tiles_z(const float *A, const float *B, float *C, int batches, int m, int k, int n) {
  int b = blockIdx.x;
  int tr = blockIdx.y;
  int tc = blockIdx.z;
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row = tr * W + ty;
  int col = tc * W + tx;
  float v = 0.0f;
  __shared__ float sa[W][W];
  __shared__ float sb[W][W];
  for (int p = 0; p < (k + W - 1) / W; p++) {
    int ar = row;
    int ac = p * W + tx;
    if (ac < k && ty < W) {
      sa[ty][tx] = A[b * m * k + ar * k + ac];
    } else {
      sa[ty][tx] = 0.0f;
    }
    int br = p * W + ty;
    int bc = col;
    if (br < k && tx < W) {
      sb[ty][tx] = B[b * k * n + br * n + bc];
    } else {
      sb[ty][tx] = 0.0f;
    }
    __syncthreads();
    for (int i = 0; i < W; i++) v += sa[ty][i] * sb[i][tx];
    __syncthreads();
  }
  if (row < m && col < n) C[b * m * n + row * n + col] = v;
}
void run(const float *A, const float *B, float *C, int batches, int m, int k, int n) {
  dim3 t(W, W);
  dim3 g(batches, (m + W - 1) / W, (n + W - 1) / W);
  batch_tiles_z<<<g, t>>>(A, B, C, batches, m, k, n);
}
