#include <cuda_runtime.h>
#pragma warpwright matmul
extern "C" __global__ void two_rows(float *a, float *b, float *c, int pa, int pb, int pc, int n, int m, int p) {
  int tx = threadIdx.x;
  int bw = blockDim.x;
  int i = blockIdx.x * bw + tx;
  int j = blockIdx.y * 2;
  __shared__ float s0[512], s1[512];
  float v0 = 0.0, v1 = 0.0;
  for (int ks = 0; ks < p; ks += bw) {
    s0[tx] = c[ks + tx + pc * j];
    s1[tx] = c[ks + tx + pc * (j + 1)];
    __syncthreads();
    for (int k = ks; k < ks + bw; ++k) {
      float r = b[i + pb * k];
      v0 += r * s0[k - ks];
      v1 += r * s1[k - ks];
    }
    __syncthreads();
  }
  a[i + pa * j] = v0;
  a[i + pa * (j + 1)] = v1;
}
void run(float *a, float *b, float *c, int n) {
  dim3 t(256, 1);
  dim3 g(n / 256, n / 2);
  two_rows<<<g, t>>>(a, b, c, n, n, n, n, n, n);
}
