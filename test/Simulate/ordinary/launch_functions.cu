// Kernels launched by function: with an array of arguments, and typed.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <vector>

template <class T>
__global__ void fill(T *out, int n, T value, short step) {
  extern __shared__ int seen[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  seen[threadIdx.x] = i;
  __syncthreads();
  if (i < n)
    out[i] = value + static_cast<T>(step * seen[threadIdx.x]);
}

int main() {
  const int n = 90;
  Device<double> d(n);
  double *p = d;
  int count = n;
  double value = 0.5;
  short step = 3;
  std::vector<double> got(n);
  void *arguments[] = {&p, &count, &value, &step};

  CUDA(cudaLaunchKernel(fill<double>, dim3(3), dim3(32), arguments,
                        32 * sizeof(int), nullptr));
  d.get(got.data());
  for (int i = 0; i < n; ++i)
    EXPECT(got[i] == 0.5 + 3 * i);

  step = -2;
  const void *erased = reinterpret_cast<const void *>(&fill<double>);
  CUDA(cudaLaunchKernel(erased, dim3(3), dim3(32), arguments, 32 * sizeof(int),
                        0));
  d.get(got.data());
  EXPECT(got[n - 1] == 0.5 - 2 * (n - 1));

  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(9);
  config.blockDim = dim3(10);
  config.dynamicSmemBytes = 10 * sizeof(int);
  CUDA(cudaLaunchKernelEx(&config, fill<double>, p, n, 7, 1)); // converts
  d.get(got.data());
  for (int i = 0; i < n; ++i)
    EXPECT(got[i] == 7 + i);
  return verdict();
}
