// Structures as parameters: by value, with arrays, and changed in the kernel.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <vector>

struct Matrix {
  int rows, cols;
  float *data;
  __host__ __device__ float &at(int r, int c) const { return data[r * cols + c]; }
};
struct __align__(16) Settings {
  float weights[8];
  char name[5];
  double scale;
  int2 offset;
};

__global__ void apply(Matrix m, const __grid_constant__ Settings s, int shift) {
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= m.rows || c >= m.cols)
    return;
  shift += c; // a parameter is the thread's own
  m.data += 0;
  m.at(r, c) = static_cast<float>(s.weights[c % 8] * s.scale) + s.offset.x * r +
               s.offset.y + s.name[1] + shift;
}

int main() {
  const int rows = 9, cols = 21;
  Device<float> d(rows * cols);
  Matrix m = {rows, cols, d};
  Settings s = {{1, 2, 3, 4, 5, 6, 7, 8}, "abcd", 0.5, make_int2(100, -3)};
  apply<<<dim3(3, 3), dim3(8, 4)>>>(m, s, 10);
  CUDA(cudaDeviceSynchronize());
  std::vector<float> got(rows * cols);
  d.get(got.data());
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c)
      EXPECT(got[r * cols + c] ==
             (c % 8 + 1) * 0.5f + 100 * r - 3 + 'b' + 10 + c);
  return verdict();
}
