#include <cuda_bf16.h>
#include <cstdint>
namespace {
constexpr int PM = 64, PN = 64, PK = 16;
constexpr int COUNT = 256;
#pragma warpwright matmul
__global__ void bf_weights(const float *__restrict__ x, const __nv_bfloat16 *__restrict__ W, const __nv_bfloat16 *__restrict__ bias,
                           int64_t T, int64_t in, int64_t out, float *__restrict__ y) {
  __shared__ float xs[PM][PK + 1];
  __shared__ float ws[PN][PK + 1];
  const int id = threadIdx.x, tr = id / 16, tc = id % 16;
  const int64_t t0 = int64_t(blockIdx.y) * PM, o0 = int64_t(blockIdx.x) * PN;
  float acc[4][4];
#pragma unroll
  for (int i = 0; i < 4; i++)
#pragma unroll
    for (int j = 0; j < 4; j++) acc[i][j] = 0.0f;
  for (int64_t k0 = 0; k0 < in; k0 += PK) {
    for (int e = id; e < PM * PK; e += COUNT) {
      const int r = e / PK, k = e % PK;
      const int64_t t = t0 + r, i = k0 + k;
      xs[r][k] = (t < T && i < in) ? x[t * in + i] : 0.0f;
      const int64_t o = o0 + r;
      ws[r][k] = (o < out && i < in) ? __bfloat162float(W[o * in + i]) : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < PK; k++) {
      float xv[4], wv[4];
#pragma unroll
      for (int i = 0; i < 4; i++) xv[i] = xs[tr * 4 + i][k];
#pragma unroll
      for (int j = 0; j < 4; j++) wv[j] = ws[tc * 4 + j][k];
#pragma unroll
      for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) acc[i][j] += xv[i] * wv[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; i++) {
    const int64_t t = t0 + tr * 4 + i;
    if (t >= T) continue;
#pragma unroll
    for (int j = 0; j < 4; j++) {
      const int64_t o = o0 + tc * 4 + j;
      if (o >= out) continue;
      y[t * out + o] = acc[i][j] + (bias ? __bfloat162float(bias[o]) : 0.0f);
    }
  }
}
} // namespace
void run(const float *x, const __nv_bfloat16 *W, const __nv_bfloat16 *bias, int64_t T, int64_t in, int64_t out, float *y) {
  const dim3 g(unsigned((out + PN - 1) / PN), unsigned((T + PM - 1) / PM), 1u);
  bf_weights<<<g, COUNT>>>(x, W, bias, T, in, out, y);
}
