#include <cuda_runtime.h>
#define WIDE 32
#pragma warpwright matmul
__global__ void corner(const float *P, const float *Q, float *R, int n, int m, int k) {
  __shared__ float sp[WIDE][WIDE];
  __shared__ float sq[WIDE][WIDE];
  int bx{static_cast<int>(blockIdx.x)};
  int by{static_cast<int>(blockIdx.y)};
  int tx{static_cast<int>(threadIdx.x)};
  int ty{static_cast<int>(threadIdx.y)};
  int row{by * WIDE + ty};
  int col{bx * WIDE + tx};
  float v{0};
  int tiles{(m + WIDE - 1) / WIDE};
  for (int ph = 0; ph < tiles; ++ph) {
    if ((row < n) && (ph * WIDE + tx) < m)
      sp[ty][tx] = P[row * m + ph * WIDE + tx];
    else
      sp[ty][tx] = 0.0f;
    if ((ph * WIDE + ty) < m && (col < k))
      sq[ty][tx] = Q[col * m + ph * WIDE + ty];
    else
      sq[ty][tx] = 0.0f;
    __syncthreads();
    for (int i = 0; i < WIDE; i++) v += sp[ty][i] * sq[i][tx];
    __syncthreads();
  }
  if (row < n && col < k) R[row * k + col] = v;
}
inline int cdiv(int a, int b) { return (a + b - 1) / b; }
void run(const float *A, const float *B, float *C, int n, int m, int k) {
  dim3 b(WIDE, WIDE, 1);
  dim3 g(cdiv(k, WIDE), cdiv(n, WIDE));
  corner<<<g, b>>>(A, B, C, n, m, k);
}
