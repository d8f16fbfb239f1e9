#include <cuda_runtime.h>
#include <cmath>
#define SI 512
#define SJ 512
#define SK 512
#define BOUND_I si
#define BOUND_J sj
#define BOUND_K sk
#define REAL float
#pragma warpwright matmul
__global__ void pb_gemm(int si, int sj, int sk, REAL al, REAL be, REAL *x, REAL *y, REAL *z) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if ((i < BOUND_I) && (j < BOUND_J)) {
    z[i * SJ + j] *= be;
    int k;
    for (k = 0; k < BOUND_K; k++) {
      z[i * SJ + j] += al * x[i * SK + k] * y[k * SJ + j];
    }
  }
}
void run(int ni, int nj, int nk, REAL al, REAL be, REAL *a, REAL *b, REAL *c) {
  dim3 block(32, 8);
  dim3 grid((size_t)(ceil(((float)SI) / ((float)block.x))), (size_t)(ceil(((float)SJ) / ((float)block.y))));
  pb_gemm<<<grid, block>>>(ni, nj, nk, al, be, a, b, c);
}
