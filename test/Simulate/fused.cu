// Sums with products are fused in device code, the first product of two, and a
// product that is used twice is not; whether Clang optimizes the program, as any
// Clang does that the user names, or our passes take the optimizer's place.
//
// RUN: rm -rf %t && mkdir %t && ln -s %clang++ %t/clang++
// RUN: %warpwright sim %s | FileCheck %s
// RUN: env WARPWRIGHT_SIM_CXX=%t/clang++ %warpwright sim --keep=%t/named %s | FileCheck %s
// CHECK: 72 right
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>

// Each result has operands of its own: a product that two of them shared would
// not be fused.
constexpr int results = 12;

template <class T> __global__ void compute(const T *in, T *out) {
  const T *a = in + 4 * results * threadIdx.x, *b = a + results,
          *c = b + results, *d = c + results;
  T *y = out + results * threadIdx.x;
  y[0] = a[0] * b[0] + c[0];
  y[1] = c[1] + a[1] * b[1];
  y[2] = a[2] * b[2] - c[2];
  y[3] = c[3] - a[3] * b[3];
  y[4] = -(a[4] * b[4]) + c[4];
  y[5] = a[5] * b[5] + c[5] * d[5];
  y[6] = a[6] * b[6] - c[6] * d[6];
  const T twice = a[7] * b[7];
  y[7] = twice + c[7];
  y[8] = twice - d[8];
  T sum = 0;
  for (int i = 0; i < results; ++i)
    sum += c[i] * d[i];
  y[9] = sum;
  T kept = c[10];
  if (threadIdx.x % 2)
    kept += a[10] * d[10];
  y[10] = kept;
  y[11] = -(a[11] * b[11] + c[11]);
}

static int right = 0;

template <class T> void check(int thread, const T *a, const T *is) {
  const T *b = a + results, *c = b + results, *d = c + results;
  const volatile T twice = a[7] * b[7], other = c[5] * d[5],
                   another = c[6] * d[6];
  T sum = 0;
  for (int i = 0; i < results; ++i)
    sum = std::fma(c[i], d[i], sum);
  const T should[results] = {
      std::fma(a[0], b[0], c[0]),
      std::fma(a[1], b[1], c[1]),
      std::fma(a[2], b[2], -c[2]),
      std::fma(-a[3], b[3], c[3]),
      std::fma(-a[4], b[4], c[4]),
      std::fma(a[5], b[5], T(other)),
      std::fma(a[6], b[6], T(-another)),
      twice + c[7],
      twice - d[8],
      sum,
      thread % 2 ? std::fma(a[10], d[10], c[10]) : c[10],
      -std::fma(a[11], b[11], c[11])};
  for (int i = 0; i < results; ++i)
    if (is[i] == should[i])
      ++right;
    else
      std::printf("thread %d, %d: %a instead of %a\n", thread, i, double(is[i]),
                  double(should[i]));
}

template <class T> void run() {
  constexpr int threads = 3;
  T *in, *out;
  cudaMallocManaged(&in, 4 * threads * results * sizeof(T));
  cudaMallocManaged(&out, threads * results * sizeof(T));
  for (int i = 0; i < 4 * threads * results; ++i)
    in[i] = (i % 5 ? T(1) : T(-1)) / T(3 + 2 * i);
  compute<<<1, threads>>>(in, out);
  cudaDeviceSynchronize();
  for (int t = 0; t < threads; ++t)
    check(t, in + 4 * results * t, out + results * t);
}

int main() {
  run<float>();
  run<double>();
  std::printf("%d right\n", right);
}
