#include <cuda_runtime.h>
#pragma warpwright matmul
__global__ void any_width(float *P, float *Q, float *R, int m, int n, int o, int w) {
  extern __shared__ float pool[];
  float *sp = pool;
  float *sq = &pool[w * w];
  int by = blockIdx.y;
  int bx = blockIdx.x;
  int ty = threadIdx.y;
  int tx = threadIdx.x;
  int row = by * w + ty;
  int col = bx * w + tx;
  float v = 0.0;
  for (int ph = 0; ph < (n + w - 1) / w; ph++) {
    if (row < m && (ph * w + tx) < n)
      sp[ty * w + tx] = P[row * n + ph * w + tx];
    else
      sp[ty * w + tx] = 0.0f;
    if ((ph * w + ty) < n && (col < o))
      sq[ty * w + tx] = Q[(ph * w + ty) * o + col];
    else
      sq[ty * w + tx] = 0.0f;
    __syncthreads();
    for (int k = 0; k < w; k++) {
      v += sp[ty * w + k] * sq[k * w + tx];
    }
    __syncthreads();
  }
  if (row < m && col < o)
    R[row * o + col] = v;
}
int best(int m, int n, int o);
void run(float *M, float *N, float *P, int m, int n, int o) {
  int w = best(m, n, o);
  dim3 b(w, w);
  dim3 g((o + b.x - 1) / b.x, (m + b.y - 1) / b.y);
  int bytes = 2 * w * w * sizeof(float);
  any_width<<<g, b, bytes>>>(M, N, P, m, n, o, w);
}
