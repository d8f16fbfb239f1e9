#include <cuda_runtime.h>
#define EDGE 32
#pragma warpwright matmul
__global__ void form_if(float *P, float *Q, float *R, int rp, int cp, int rq, int cq, int rr, int cr, int ckk, int total, int m) {
  Q += blockIdx.z * total * ckk;
  R += blockIdx.z * m * total;
  __shared__ float sp[EDGE][EDGE];
  __shared__ float sq[EDGE][EDGE];
  int bx = blockIdx.x; int by = blockIdx.y;
  int tx = threadIdx.x; int ty = threadIdx.y;
  int row = by * EDGE + ty;
  int col = bx * EDGE + tx;
  int width = cp;
  float p = 0;
  int tiles = width / EDGE;
  if (row < rr || col < cr) {
    for (int i = 0; i < tiles; i++) {
      sp[ty][tx] = P[row * cp + i * EDGE + tx];
      sq[ty][tx] = Q[(i * EDGE + ty) * cq + col];
      __syncthreads();
      for (int k = 0; k < EDGE; k++) p += sp[ty][k] * sq[k][tx];
      __syncthreads();
    }
    if (row < rr && col < cr) R[row * cr + col] = p;
  }
}
void run(float *A, float *B, float *C, int m, int ckk, int total, int batch) {
  dim3 b(EDGE, EDGE, 1);
  dim3 g((total + EDGE - 1) / EDGE, (m + EDGE - 1) / EDGE, batch);
  form_if<<<g, b>>>(A, B, C, m, ckk, ckk, total, m, total, ckk, total, m);
}
