#include <cuda_runtime.h>
#define D 32
#pragma warpwright matmul
__global__ void guide_ab(float *a, float *b, float *c, int n) {
  __shared__ float sa[D][D], sb[D][D];
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  sa[threadIdx.y][threadIdx.x] = a[row * D + threadIdx.x];
  sb[threadIdx.y][threadIdx.x] = b[threadIdx.y * n + col];
  __syncthreads();
  for (int i = 0; i < D; i++) s += sa[threadIdx.y][i] * sb[i][threadIdx.x];
  c[row * n + col] = s;
}
#pragma warpwright matmul
__global__ void guide_a(float *a, float *b, float *c, int n) {
  __shared__ float sa[D][D];
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  sa[threadIdx.y][threadIdx.x] = a[row * D + threadIdx.x];
  __syncwarp();
  for (int i = 0; i < D; i++) s += sa[threadIdx.y][i] * b[i * n + col];
  c[row * n + col] = s;
}
#pragma warpwright matmul
__global__ void guide_aat(float *a, float *c, int m) {
  __shared__ float sa[D][D], st[D][D + 1];
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  sa[threadIdx.y][threadIdx.x] = a[row * D + threadIdx.x];
  st[threadIdx.x][threadIdx.y] = a[(blockIdx.x * blockDim.x + threadIdx.y) * D + threadIdx.x];
  __syncthreads();
  for (int i = 0; i < D; i++) s += sa[threadIdx.y][i] * st[i][threadIdx.x];
  c[row * m + col] = s;
}
void run(float *a, float *b, float *c, int m, int n) {
  dim3 t(D, D);
  dim3 g(n / D, m / D);
  guide_ab<<<g, t>>>(a, b, c, n);
  guide_a<<<g, t>>>(a, b, c, n);
  dim3 g2(m / D, m / D);
  guide_aat<<<g2, t>>>(a, c, m);
}
