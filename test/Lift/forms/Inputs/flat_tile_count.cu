#include <cuda_runtime.h>
#pragma warpwright matmul
template <int T> __global__ void flat_count(float *A, float *B, float *C, int M, int N, int K, int tiles) {
  int id = threadIdx.x;
  int r = id / T;
  int c = id % T;
  int gr = blockIdx.x * T + r;
  int gc = blockIdx.y * T + c;
  __shared__ float sa[T * T];
  __shared__ float sb[T * T];
  float v = 0.0f;
  for (int t = 0; t < tiles; t++) {
    int ai = gr * K + t * T + c;
    int bi = gc + (t * T + r) * N;
    sa[id] = A[ai];
    sb[id] = B[bi];
    __syncthreads();
    for (int i = 0; i < T; i++) v += sa[r * T + i] * sb[i * T + c];
    __syncthreads();
  }
  C[gr * N + gc] = v;
}
void run(float *A, float *B, float *C, int M, int N, int K) {
  const int T = 32;
  dim3 b(T * T);
  dim3 g((M + T - 1) / T, (N + T - 1) / T);
  flat_count<T><<<g, b>>>(A, B, C, M, N, K, (K + T - 1) / T);
}
