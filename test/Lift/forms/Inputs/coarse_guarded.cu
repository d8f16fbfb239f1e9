#include <cuda_runtime.h>
#define WIDE 32
#define COARSE 4
#pragma warpwright matmul
__global__ void coarse_right(float *P, float *Q, float *R, int m, int n, int o) {
  __shared__ float sp[WIDE][WIDE];
  __shared__ float sq[WIDE][WIDE];
  int by = blockIdx.y;
  int bx = blockIdx.x;
  int ty = threadIdx.y;
  int tx = threadIdx.x;
  int row = by * WIDE + ty;
  int start = bx * WIDE * COARSE + tx;
  float v[COARSE] = {0.0f};
  for (int ph = 0; ph < (n + WIDE - 1) / WIDE; ph++) {
    if (row < m && (ph * WIDE + tx) < n)
      sp[ty][tx] = P[row * n + ph * WIDE + tx];
    else
      sp[ty][tx] = 0.0f;
    for (int c = 0; c < COARSE; c++) {
      int col = start + c * WIDE;
      if ((ph * WIDE + ty) < n && (col < o))
        sq[ty][tx] = Q[(ph * WIDE + ty) * o + col];
      else
        sq[ty][tx] = 0.0f;
      __syncthreads();
      for (int k = 0; k < WIDE; k++) v[c] += sp[ty][k] * sq[k][tx];
      __syncthreads();
    }
  }
  for (int c = 0; c < COARSE; c++) {
    int col = start + c * WIDE;
    if (row < m && col < o) R[row * o + col] = v[c];
  }
}
unsigned cdiv(unsigned a, unsigned b) { return (a + b - 1) / b; }
void run(float *M, float *N, float *P, int m, int n, int o) {
  dim3 b(WIDE, WIDE);
  dim3 g(cdiv(o, b.x * COARSE), cdiv(m, b.y));
  coarse_right<<<g, b>>>(M, N, P, m, n, o);
}
