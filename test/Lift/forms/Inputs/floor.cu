#include <cuda_runtime.h>
#include <cmath>
#define WIDE 4
#pragma warpwright matmul
__global__ void mp3(float *P, float *Q, float *R, int pr, int pc, int qr, int qc, int rr, int rc) {
  __shared__ float sp[WIDE][WIDE];
  __shared__ float sq[WIDE][WIDE];
  int bx = blockIdx.x;
  int by = blockIdx.y;
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row = by * WIDE + ty;
  int col = bx * WIDE + tx;
  float v = 0;
  for (int t = 0; t < pc / WIDE; t++) {
    sp[ty][tx] = P[row * pc + t * WIDE + tx];
    sq[ty][tx] = Q[(t * WIDE + ty) * qc + col];
    __syncthreads();
    for (int k = 0; k < WIDE; k++) {
      v += sp[ty][k] * sq[k][tx];
      __syncthreads();
    }
  }
  R[row * rc + col] = v;
}
void run(float *A, float *B, float *C, int ar, int ac, int br, int bc, int cr, int cc) {
  dim3 g(ceil(cc / double(WIDE)), ceil(cr / double(WIDE)), 1);
  dim3 b(WIDE, WIDE, 1);
  mp3<<<g, b>>>(A, B, C, ar, ac, br, bc, cr, cc);
}
