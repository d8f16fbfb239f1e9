#include <cuda_runtime.h>
#define E 32
#pragma warpwright matmul
__global__ void flat_block(unsigned const int M, unsigned const int N, unsigned const int K, const float *P, const float *Q, float *R) {
  __shared__ float sp[E * E];
  __shared__ float sq[E * E];
  unsigned int r = threadIdx.x / E, c = threadIdx.x % E, gr = blockIdx.y * E + r, gc = blockIdx.x * E + c, at = 0;
  float v = 0.0f;
  for (int i = 0; i < K; i += E) {
    unsigned int ip = r * E + c;
    unsigned int iq = r * E + c;
    sp[ip] = ((at + c) < K) ? P[(gr * K) + at + c] : 0.0f;
    sq[iq] = ((at + r) < K) ? Q[(at + r) * N + gc] : 0.0f;
    __syncthreads();
    for (int j = 0; j < E; j++) v += sp[r * E + j] * sq[j * E + c];
    __syncthreads();
    at += E;
  }
  if (gr < M && gc < N) R[gr * N + gc] = v;
}
void run(unsigned const int M, unsigned const int N, unsigned const int K, const float *A, const float *B, float *C) {
  dim3 b(E * E);
  dim3 g((N / E) + 1, (M / E) + 1);
  flat_block<<<g, b>>>(M, N, K, A, B, C);
}
