// Constant memory, device variables and their symbols.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <vector>

__constant__ float coefficients[5];
__constant__ int mode = 3;
__device__ int counter;
__device__ float table[4] = {1, 2, 4, 8};
static __device__ unsigned long long total = 40;

__global__ void polynomial(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float r = 0;
  for (int k = 4; k >= 0; --k)
    r = r * x[i] + coefficients[k];
  y[i] = r + table[i % 4] + mode;
  atomicAdd(&counter, 1);
  if (i == 0)
    total += 2;
}

int main() {
  const float c[5] = {1, -2, 0.5f, 0, 0.25f};
  CUDA(cudaMemcpyToSymbol(coefficients, c, sizeof c));
  const int new_mode = 7;
  CUDA(cudaMemcpyToSymbol(mode, &new_mode, sizeof new_mode));
  const float last = 16;
  CUDA(cudaMemcpyToSymbol(table, &last, sizeof last, 3 * sizeof(float)));

  const int n = 100;
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i)
    x[i] = (i % 9 - 4) * 0.5f;
  Device<float> dx(x.data(), n), dy(n);
  polynomial<<<2, 64>>>(dx, dy, n);
  dy.get(y.data());
  const float values[] = {1, 2, 4, 16};
  for (int i = 0; i < n; ++i) {
    float r = 0;
    for (int k = 4; k >= 0; --k)
      r = r * x[i] + c[k];
    EXPECT(y[i] == r + values[i % 4] + 7);
  }

  int counted = 0;
  CUDA(cudaMemcpyFromSymbol(&counted, counter, sizeof counted));
  EXPECT(counted == n);
  void *address = nullptr;
  size_t size = 0;
  CUDA(cudaGetSymbolAddress(&address, total));
  CUDA(cudaGetSymbolSize(&size, table));
  EXPECT(size == sizeof(float) * 4);
  unsigned long long sum = 0;
  CUDA(cudaMemcpy(&sum, address, sizeof sum, cudaMemcpyDeviceToHost));
  EXPECT(sum == 42);
  return verdict();
}
