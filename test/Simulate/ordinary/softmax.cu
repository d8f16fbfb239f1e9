// Softmax and layer norm: rows per warp and per block, in single precision.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <cmath>
#include <vector>

template <int Width> __device__ float warp_reduce(float v, bool maximum) {
  for (int offset = Width / 2; offset; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffff, v, offset);
    v = maximum ? fmaxf(v, other) : v + other;
  }
  return v;
}

__global__ void softmax(const float *in, float *out, int rows, int cols) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows)
    return;
  const float *x = in + row * cols;
  float most = -INFINITY, sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32)
    most = fmaxf(most, x[c]);
  most = warp_reduce<32>(most, true);
  for (int c = threadIdx.x; c < cols; c += 32)
    sum += __expf(x[c] - most);
  sum = warp_reduce<32>(sum, false);
  for (int c = threadIdx.x; c < cols; c += 32)
    out[row * cols + c] = __fdividef(__expf(x[c] - most), sum);
}

__global__ void layer_norm(const float4 *in, float4 *out, int quads) {
  extern __shared__ float partial[];
  const float4 *x = in + blockIdx.x * quads;
  float sum = 0, squares = 0;
  for (int c = threadIdx.x; c < quads; c += blockDim.x) {
    const float4 v = __ldg(x + c);
    sum += v.x + v.y + v.z + v.w;
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  sum = warp_reduce<32>(sum, false);
  squares = warp_reduce<32>(squares, false);
  if (threadIdx.x % 32 == 0) {
    partial[threadIdx.x / 32 * 2] = sum;
    partial[threadIdx.x / 32 * 2 + 1] = squares;
  }
  __syncthreads();
  sum = squares = 0;
  for (unsigned w = 0; w < blockDim.x / 32; ++w) {
    sum += partial[2 * w];
    squares += partial[2 * w + 1];
  }
  const float n = 4.0f * quads, mean = sum / n;
  const float scale = rsqrtf(squares / n - mean * mean + 1e-5f);
  for (int c = threadIdx.x; c < quads; c += blockDim.x) {
    const float4 v = x[c];
    out[blockIdx.x * quads + c] =
        make_float4((v.x - mean) * scale, (v.y - mean) * scale,
                    (v.z - mean) * scale, (v.w - mean) * scale);
  }
}

int main() {
  const int rows = 11, cols = 100;
  std::vector<float> in(rows * cols), out(rows * cols);
  unsigned state = 2;
  for (float &x : in)
    x = next_random(state) % 2000 * 0.01f - 10;
  Device<float> din(in.data(), in.size()), dout(in.size());
  softmax<<<3, dim3(32, 4)>>>(din, dout, rows, cols);
  dout.get(out.data());
  for (int r = 0; r < rows; ++r) {
    double most = -1e30, sum = 0, total = 0;
    for (int c = 0; c < cols; ++c)
      most = std::fmax(most, in[r * cols + c]);
    for (int c = 0; c < cols; ++c)
      sum += std::exp(in[r * cols + c] - most);
    for (int c = 0; c < cols; ++c) {
      const double want = std::exp(in[r * cols + c] - most) / sum;
      EXPECT(std::fabs(out[r * cols + c] - want) <= 1e-5 * want + 1e-9);
      total += out[r * cols + c];
    }
    EXPECT(std::fabs(total - 1) < 1e-5);
  }
  layer_norm<<<rows, 64, 4 * sizeof(float)>>>(
      reinterpret_cast<const float4 *>(din.data),
      reinterpret_cast<float4 *>(dout.data), cols / 4);
  dout.get(out.data());
  for (int r = 0; r < rows; ++r) {
    double sum = 0, squares = 0;
    for (int c = 0; c < cols; ++c) {
      sum += out[r * cols + c];
      squares += static_cast<double>(out[r * cols + c]) * out[r * cols + c];
    }
    EXPECT(std::fabs(sum) < 1e-3);
    EXPECT(std::fabs(squares / cols - 1) < 1e-3);
  }
  return verdict();
}
