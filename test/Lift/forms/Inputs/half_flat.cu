#include <cuda_fp16.h>
#pragma warpwright matmul
__global__ void half_flat(const int M, const int N, const int K, const float al, const float be, const half *P, const half *Q, float *R) {
  const int g = blockDim.x * blockIdx.x + threadIdx.x;
  if (g >= M * N) {
    return;
  }
  const int lp = K;
  const int lq = N;
  const int lr = N;
  const int r = g / lr;
  const int c = g % lr;
  const int po = r * lp;
  const int qo = c;
  half s = 0.0;
  for (int k = 0; k < K; ++k) {
    s += P[po + k] * Q[qo + k * lq];
  }
  R[r * lr + c] = float((half)al * s) + be * R[r * lr + c];
}
void run(int M, int N, int K, float al, float be, half *A, half *B, float *C) {
  half_flat<<<(M * N + 255) / 256, 256>>>(M, N, K, al, be, A, B, C);
}
