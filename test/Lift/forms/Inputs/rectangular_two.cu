#include <cuda_runtime.h>
#include <cmath>
#define WIDE 32
#pragma warpwright matmul
__global__ void rect_two(float *P, float *Q, float *R, int rp, int cp, int rq, int cq, int rr, int cr) {
  __shared__ float sp[WIDE][WIDE];
  __shared__ float sq[WIDE][WIDE * 2];
  int bx = blockIdx.x, by = blockIdx.y;
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = by * WIDE + ty;
  int col = bx * WIDE * 2 + tx;
  float v1 = 0;
  float v2 = 0;
  for (int ph = 0; ph < ceil(cp / (float)WIDE); ph++) {
    if (row < rp && ph * WIDE + tx < cp)
      sp[ty][tx] = P[row * cp + ph * WIDE + tx];
    else
      sp[ty][tx] = 0;
    if (ph * WIDE + ty < rq && col < cq)
      sq[ty][tx] = Q[(ph * WIDE + ty) * cq + col];
    else
      sq[ty][tx] = 0;
    if (ph * WIDE + ty < rq && WIDE + tx < cq)
      sq[ty][WIDE + tx] = Q[(ph * WIDE + ty) * cq + WIDE + col];
    else
      sq[ty][WIDE + tx] = 0;
    __syncthreads();
    for (int k = 0; k < WIDE; k++) {
      v1 += sp[ty][k] * sq[k][tx];
      v2 += sp[ty][k] * sq[k][WIDE + tx];
    }
    __syncthreads();
  }
  if (row < rr && col < cr) R[row * cr + col] = v1;
  if (row < rr && WIDE + col < cr) R[row * cr + WIDE + col] = v2;
}
void run(float *A, float *B, float *C, int ar, int ac, int br, int bc, int cr, int cc) {
  dim3 b(WIDE, WIDE);
  dim3 g(ceil(((float)cc / b.x) / 2), ceil((float)cr / b.y));
  rect_two<<<g, b>>>(A, B, C, ar, ac, br, bc, cr, cc);
}
