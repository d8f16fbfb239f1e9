#include <cuda_runtime.h>
#include <cmath>
#define SI 1024
#define SJ 1024
#define SK 1024
#define SL 1024
#define REAL float
#pragma warpwright matmul
__global__ void pb_mm_first(int si, int sj, int sk, int sl, REAL al, REAL be, REAL *t, REAL *x, REAL *y) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if ((i < si) && (j < sj)) {
    t[i * SJ + j] = 0;
    int k;
    for (k = 0; k < sk; k++) {
      t[i * SJ + j] += al * x[i * SK + k] * y[k * SJ + j];
    }
  }
}
#pragma warpwright matmul
__global__ void pb_mm_second(int si, int sj, int sk, int sl, REAL al, REAL be, REAL *t, REAL *y, REAL *z) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if ((i < si) && (j < sl)) {
    z[i * SL + j] *= be;
    int k;
    for (k = 0; k < sj; k++) {
      z[i * SL + j] += t[i * SJ + k] * y[k * SL + j];
    }
  }
}
void run(int ni, int nj, int nk, int nl, REAL al, REAL be, REAL *t, REAL *a, REAL *b, REAL *c, REAL *d) {
  dim3 block(32, 8);
  dim3 g1((size_t)ceil(((float)SJ) / ((float)block.x)), (size_t)ceil(((float)SI) / ((float)block.y)));
  dim3 g2((size_t)ceil(((float)SL) / ((float)block.x)), (size_t)ceil(((float)SI) / ((float)block.y)));
  pb_mm_first<<<g1, block>>>(ni, nj, nk, nl, al, be, t, a, b);
  pb_mm_second<<<g2, block>>>(ni, nj, nk, nl, al, be, t, c, d);
}
