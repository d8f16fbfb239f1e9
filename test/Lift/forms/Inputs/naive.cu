#include <cuda_runtime.h>
#include <cstddef>
#pragma warpwright matmul
__global__ void fw_one(float *y, const float *x, const float *w, const float *b, int rows, int c, int oc) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  int o = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && o < oc) {
    float v = (b != NULL) ? b[o] : 0.0f;
    const float *wr = w + o * c;
    const float *xr = x + r * c;
    for (int i = 0; i < c; i++) {
      v += xr[i] * wr[i];
    }
    y[r * oc + o] = v;
  }
}
template <class T> T up(T a, T b) { return (a + b - 1) / b; }
void run(float *y, const float *x, const float *w, const float *b, int B, int T, int C, int OC, const int edge) {
  dim3 g(up(B * T, edge), up(OC, edge));
  dim3 t(edge, edge);
  fw_one<<<g, t>>>(y, x, w, b, B * T, C, OC);
}
