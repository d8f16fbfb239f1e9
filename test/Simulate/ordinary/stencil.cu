// Stencils with halos: one dimension from shared memory, two in place of time.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <vector>

constexpr int radius = 3, block = 64;

__global__ void stencil(const int *in, int *out, int n) {
  __shared__ int s[block + 2 * radius];
  const int g = blockIdx.x * block + threadIdx.x, l = threadIdx.x + radius;
  auto at = [&](int i) { return i >= 0 && i < n ? in[i] : 0; };
  s[l] = at(g);
  if (threadIdx.x < radius) {
    s[l - radius] = at(g - radius);
    s[l + block] = at(g + block);
  }
  __syncthreads();
  int sum = 0;
#pragma unroll
  for (int d = -radius; d <= radius; ++d)
    sum += s[l + d] * (d + 4);
  if (g < n)
    out[g] = sum;
}

__global__ void diffuse(const float *from, float *to, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  const int i = y * w + x;
  const bool edge = x == 0 || y == 0 || x == w - 1 || y == h - 1;
  to[i] = edge ? from[i]
               : 0.25f * (from[i - 1] + from[i + 1] + from[i - w] +
                          from[i + w]);
}

int main() {
  const int n = 500;
  std::vector<int> in(n), out(n);
  for (int i = 0; i < n; ++i)
    in[i] = i * 7 % 31;
  Device<int> din(in.data(), n), dout(n);
  stencil<<<(n + block - 1) / block, block>>>(din, dout, n);
  dout.get(out.data());
  for (int i = 0; i < n; ++i) {
    int sum = 0;
    for (int d = -radius; d <= radius; ++d)
      sum += i + d >= 0 && i + d < n ? in[i + d] * (d + 4) : 0;
    EXPECT(out[i] == sum);
  }

  const int w = 33, h = 20, steps = 10;
  std::vector<float> a(w * h), b;
  for (int i = 0; i < w * h; ++i)
    a[i] = static_cast<float>(i % 17);
  Device<float> da(a.data(), a.size()), db(a.size());
  for (int s = 0; s < steps; ++s)
    diffuse<<<dim3(3, 3), dim3(16, 8)>>>(s % 2 ? db : da, s % 2 ? da : db, w, h);
  b = a;
  for (int s = 0; s < steps; ++s) {
    std::vector<float> next = b;
    for (int y = 1; y < h - 1; ++y)
      for (int x = 1; x < w - 1; ++x) {
        const int i = y * w + x;
        next[i] = 0.25f * (b[i - 1] + b[i + 1] + b[i - w] + b[i + w]);
      }
    b = next;
  }
  da.get(a.data());
  for (int i = 0; i < w * h; ++i)
    EXPECT(a[i] == b[i]); // sums and an exact product: the same bits
  return verdict();
}
