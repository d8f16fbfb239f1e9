// Lambdas given to kernels, capturing values and pointers.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <vector>

template <class F> __global__ void for_each(int n, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    f(i);
}

template <class F> void parallel_for(int n, F f) {
  for_each<<<(n + 63) / 64, 64>>>(n, f);
  CUDA(cudaGetLastError());
}

int main() {
  const int n = 300;
  Device<float> x(n), y(n);
  float *px = x, *py = y;
  const float scale = 2.5f;
  parallel_for(n, [=] __device__(int i) { px[i] = i * scale; });
  parallel_for(n, [=] __device__(int i) {
    auto square = [](float v) { return v * v; };
    py[i] = square(px[i]) - px[n - 1 - i];
  });
  std::vector<float> got(n);
  y.get(got.data());
  for (int i = 0; i < n; ++i) {
    const float a = i * scale, b = (n - 1 - i) * scale;
    EXPECT(got[i] == a * a - b); // all exact
  }
  return verdict();
}
