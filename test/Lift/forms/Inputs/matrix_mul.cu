#include <cuda_runtime.h>
#pragma warpwright matmul
template <int EDGE> __global__ void form_mm(float *R, float *P, float *Q, int wP, int wQ) {
  int gx = blockIdx.x;
  int gy = blockIdx.y;
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int first = wP * EDGE * gy;
  int last = first + wP - 1;
  int pStep = EDGE;
  int qFirst = EDGE * gx;
  int qStep = EDGE * wQ;
  float sum = 0;
  for (int p = first, q = qFirst; p <= last; p += pStep, q += qStep) {
    __shared__ float sp[EDGE][EDGE];
    __shared__ float sq[EDGE][EDGE];
    sp[ty][tx] = P[p + wP * ty + tx];
    sq[ty][tx] = Q[q + wQ * ty + tx];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < EDGE; ++k) {
      sum += sp[ty][k] * sq[k][tx];
    }
    __syncthreads();
  }
  int r = wQ * EDGE * gy + EDGE * gx;
  R[r + wQ * ty + tx] = sum;
}
void run(int edge, dim3 dP, dim3 dQ, float *P, float *Q, float *R, cudaStream_t s) {
  dim3 t(edge, edge);
  dim3 g(dQ.x / t.x, dP.y / t.y);
  if (edge == 16)
    form_mm<16><<<g, t, 0, s>>>(R, P, Q, dP.x, dQ.x);
  else
    form_mm<32><<<g, t, 0, s>>>(R, P, Q, dP.x, dQ.x);
}
