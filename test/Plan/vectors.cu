// A product of a matrix and a vector has one row. Plans for elements of 16 bits
// and less take it, with a distance between rows that TMA accepts; a float
// matrix would pass through the transform, which takes longer than reading it.

// RUN: rm -rf %t && mkdir %t
// RUN: not %warpwright rewrite %s -o %t/out.cu -- %parse 2>&1 | FileCheck %s --check-prefix=DECLINED
// RUN: grep -v '^// [A-Z-]*:' %t/out.cu | FileCheck %s --check-prefix=OUT

#include <cuda_fp16.h>

// OUT: // operand A = x[%k + 16 * %m]:f16
// OUT-NEXT: // operand B = w[%n * n + %k]:f16
// OUT-NEXT: // output y[16 * %m + %n]:f32 = ((0.5f:f32 * acc) + y[16 * %m + %n]:f32)
#pragma warpwright matmul
__global__ void of_halves(const half *w, const half *x, float *y, int d,
                          int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= d)
    return;
  float sum = 0;
  for (int j = 0; j < n; ++j)
    sum += __half2float(w[row * n + j]) * __half2float(x[j]);
  y[row] = 0.5f * sum + y[row];
}

// The matrix has numbers of four bits, two in a byte.
// OUT: // operand A = x[%k + 16 * %m]:f16x2
// OUT-NEXT: // operand B = w[%n * floordiv(n, 2) + %k]:u4x2 as
#pragma warpwright matmul
__global__ void of_nibbles(const unsigned char *w, const half *x, half *y,
                           int d, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= d)
    return;
  float sum = 0;
  for (int j = 0; j < n; ++j) {
    const int q = w[row * (n / 2) + j / 2] >> (4 * (j % 2)) & 15;
    sum += static_cast<float>(q - 8) * __half2float(x[j]);
  }
  y[row] = __float2half(sum);
}

// DECLINED: :[[#@LINE+2]]:9: warning: 'of_floats' is not rewritten: 'x' is a vector, and only products with vectors of 16 bits and less have plans: {{.*}} [WW304]
// DECLINED-NOT: WW304
#pragma warpwright matmul
__global__ void of_floats(const float *w, const float *x, float *y, int d,
                          int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= d)
    return;
  float sum = 0;
  for (int j = 0; j < n; ++j)
    sum += w[row * n + j] * x[j];
  y[row] = sum;
}
