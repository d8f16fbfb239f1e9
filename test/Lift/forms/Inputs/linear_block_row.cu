#include <cuda_runtime.h>
#pragma warpwright matmul
__global__ void linear_row(const float *in, const float *w, const float *b, float *out, int rows, int nf, int of) {
  const int s = blockIdx.x;
  const int n = threadIdx.x;
  if (s >= rows || n >= of) {
    return;
  }
  const float *x = in + s * nf;
  float v = b[n];
  for (int i = 0; i < nf; ++i) {
    v += x[i] * w[n * nf + i];
  }
  out[s * of + n] = v;
}
void run(const float *in, const float *w, const float *b, float *out, int rows, int nf, int of) {
  linear_row<<<rows, of>>>(in, w, b, out, rows, nf, of);
}
