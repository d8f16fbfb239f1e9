#include <cuda_runtime.h>
#define WIDE 16
#pragma warpwright matmul
__global__ void course(const float *P, const float *Q, float *R, int rp, int cp, int rq, int cq, int rr, int cr) {
  __shared__ float sp[WIDE][WIDE];
  __shared__ float sq[WIDE][WIDE];
  int by = blockIdx.y, bx = blockIdx.x, ty = threadIdx.y, tx = threadIdx.x;
  int row = by * WIDE + ty, col = bx * WIDE + tx;
  float v = 0;
  for (int t = 0; t < (cp - 1) / WIDE + 1; t++) {
    if (row < rp && t * WIDE + tx < cp) {
      sp[ty][tx] = P[(size_t)row * cp + t * WIDE + tx];
    } else {
      sp[ty][tx] = 0;
    }
    if (col < cq && t * WIDE + ty < rq) {
      sq[ty][tx] = Q[((size_t)t * WIDE + ty) * cq + col];
    } else {
      sq[ty][tx] = 0;
    }
    __syncthreads();
    if (row < rr && col < cr) {
      for (int i = 0; i < WIDE; i++) {
        v += sp[ty][i] * sq[i][tx];
      }
    }
    __syncthreads();
  }
  if (row < rr && col < cr) {
    R[row * cr + col] = v;
  }
}
void run(const float *A, const float *B, float *C, int ar, int ac, int br, int bc, int cr, int cc) {
  dim3 b(WIDE, WIDE, 1);
  dim3 g((bc - 1) / WIDE + 1, (ar - 1) / WIDE + 1, 1);
  course<<<g, b>>>(A, B, C, ar, ac, br, bc, cr, cc);
}
