#include <cuda_runtime.h>
#include <cstdint>
#pragma warpwright matmul
__global__ void linear64(const float *__restrict__ in, const float *__restrict__ w, const float *__restrict__ b,
                         float *__restrict__ out, int64_t rows, int64_t nf, int64_t of) {
  const int o = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r >= rows || o >= of) {
    return;
  }
  float s = 0.0f;
  const int64_t io = r * nf;
  const int64_t wo = o * nf;
  for (int64_t i = 0; i < nf; ++i) {
    s += in[io + i] * w[wo + i];
  }
  if (b != nullptr) {
    s += b[o];
  }
  out[r * of + o] = s;
}
void run(const float *in, const float *w, const float *b, float *out, int64_t rows, int64_t nf, int64_t of) {
  dim3 t(16, 16);
  dim3 g((of + 15) / 16, (rows + 15) / 16);
  linear64<<<g, t>>>(in, w, b, out, rows, nf, of);
}
