#include <cuda_runtime.h>
#pragma warpwright matmul
template <int T>
__global__ void pointer_loop(int m, int n, int k, float *a, int la, float *b, int lb, float *c, int lc) {
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int bx = blockIdx.x;
  const int by = blockIdx.y;
  float *a0 = a + by * T * k;
  float *b0 = b + bx * T;
  float *a1 = a0 + k;
  float s = 0.f;
  for (float *p = a0, *q = b0; p < a1; p += T, q += T * n) {
    __shared__ float sa[T][T];
    __shared__ float sb[T][T];
    sa[ty][tx] = p[ty * k + tx];
    sb[ty][tx] = q[ty * n + tx];
    __syncthreads();
    for (int i = 0; i < T; ++i) {
      s += sa[ty][i] * sb[i][tx];
    }
    __syncthreads();
  }
  c[(T * by + ty) * n + T * bx + tx] = s;
}
void run(int m, int n, int k, float *A, int la, float *B, int lb, float *C, int lc) {
  constexpr int T = 16;
  dim3 b(T, T);
  dim3 g((m + T - 1) / T, (n + T - 1) / T);
  pointer_loop<T><<<g, b>>>(m, n, k, A, la, B, lb, C, lc);
}
