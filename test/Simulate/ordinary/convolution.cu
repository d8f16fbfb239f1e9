// A convolution over images with halo tiles and weights in constant memory.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <vector>

constexpr int radius = 2, side = 2 * radius + 1, tile = 12;
__constant__ short weights[side * side];

__global__ void convolve(const uchar3 *__restrict__ in, int3 *__restrict__ out,
                         int w, int h) {
  __shared__ uchar3 s[tile + 2 * radius][tile + 2 * radius];
  const int x0 = blockIdx.x * tile - radius, y0 = blockIdx.y * tile - radius;
  for (int y = threadIdx.y; y < tile + 2 * radius; y += blockDim.y)
    for (int x = threadIdx.x; x < tile + 2 * radius; x += blockDim.x) {
      const int gx = min(max(x0 + x, 0), w - 1), gy = min(max(y0 + y, 0), h - 1);
      s[y][x] = in[gy * w + gx];
    }
  __syncthreads();
  const int x = x0 + radius + threadIdx.x, y = y0 + radius + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int3 sum = make_int3(0, 0, 0);
#pragma unroll
  for (int dy = 0; dy < side; ++dy)
#pragma unroll
    for (int dx = 0; dx < side; ++dx) {
      const uchar3 p = s[threadIdx.y + dy][threadIdx.x + dx];
      const int k = weights[dy * side + dx];
      sum.x += k * p.x;
      sum.y += k * p.y;
      sum.z += k * p.z;
    }
  out[y * w + x] = sum;
}

int main() {
  const int w = 29, h = 17;
  std::vector<uchar3> in(w * h);
  std::vector<int3> out(w * h);
  short k[side * side];
  unsigned state = 21;
  for (uchar3 &p : in)
    p = make_uchar3(next_random(state), next_random(state), next_random(state));
  for (int i = 0; i < side * side; ++i)
    k[i] = static_cast<short>(i % 7 - 3);
  CUDA(cudaMemcpyToSymbol(weights, k, sizeof k));
  Device<uchar3> din(in.data(), in.size());
  Device<int3> dout(out.size());
  convolve<<<dim3(3, 2), dim3(tile, tile)>>>(din, dout, w, h);
  dout.get(out.data());
  auto clamp = [](int v, int n) { return v < 0 ? 0 : v >= n ? n - 1 : v; };
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      int3 sum = {0, 0, 0};
      for (int dy = -radius; dy <= radius; ++dy)
        for (int dx = -radius; dx <= radius; ++dx) {
          const uchar3 p = in[clamp(y + dy, h) * w + clamp(x + dx, w)];
          const int c = k[(dy + radius) * side + dx + radius];
          sum.x += c * p.x;
          sum.y += c * p.y;
          sum.z += c * p.z;
        }
      const int3 got = out[y * w + x];
      EXPECT(got.x == sum.x && got.y == sum.y && got.z == sum.z);
    }
  return verdict();
}
