#include <cuda_runtime.h>
#pragma warpwright matmul
template <int EDGE> __global__ void form_chunk(float *R, float *P, float *Q, int wP, int wQ) {
  __shared__ alignas(alignof(float4)) float sp[EDGE][EDGE];
  __shared__ alignas(alignof(float4)) float sq[EDGE][EDGE];
  int t4 = threadIdx.x * 4;
  int pFirst = wP * EDGE * blockIdx.y;
  int pLast = pFirst + wP - 1;
  int pStep = EDGE;
  int qFirst = EDGE * blockIdx.x;
  int qStep = EDGE * wQ;
  float sum = 0;
  for (int p = pFirst, q = qFirst; p <= pLast; p += pStep, q += qStep) {
    if (t4 < EDGE) {
      float4 *const dp = reinterpret_cast<float4 *>(&sp[threadIdx.y][t4]);
      float4 *const dq = reinterpret_cast<float4 *>(&sq[threadIdx.y][t4]);
      const float4 *const gp = reinterpret_cast<float4 *>(&P[p + wP * threadIdx.y + t4]);
      const float4 *const gq = reinterpret_cast<float4 *>(&Q[p + wP * threadIdx.y + t4]);
      *dp = *gp;
      *dq = *gq;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < EDGE; ++k) sum += sp[threadIdx.y][k] * sq[k][threadIdx.x];
    __syncthreads();
  }
  int r = wQ * EDGE * blockIdx.y + EDGE * blockIdx.x;
  R[r + wQ * threadIdx.y + threadIdx.x] = sum;
}
void run(dim3 dP, dim3 dQ, float *P, float *Q, float *R, cudaStream_t s) {
  dim3 t(16, 16);
  dim3 g(dQ.x / t.x, dP.y / t.y);
  form_chunk<16><<<g, t, 0, s>>>(R, P, Q, dP.x, dQ.x);
}
