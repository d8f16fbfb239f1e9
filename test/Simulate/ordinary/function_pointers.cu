// Device functions by pointer, virtual functions, and kernels by pointer.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <vector>

typedef float (*Operation)(float, float);
__device__ float plus(float a, float b) { return a + b; }
__device__ float minus(float a, float b) { return a - b; }
__device__ float larger(float a, float b) { return a > b ? a : b; }
__device__ Operation operations[] = {plus, minus, larger};
__device__ Operation chosen = minus;

struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
};
struct Rectangle : Shape {
  float a, b;
  __device__ Rectangle(float x, float y) : a(x), b(y) {}
  __device__ float area() const override { return a * b; }
};

__global__ void apply(const float *a, const float *b, float *c, int n) {
  const int i = threadIdx.x;
  if (i >= n)
    return;
  c[i] = operations[i % 3](a[i], b[i]) + chosen(1, 3);
  Shape *shape = i % 2 ? static_cast<Shape *>(new Square(i))
                       : static_cast<Shape *>(new Rectangle(i, 2));
  c[i] += shape->area();
  delete shape;
}
__global__ void twice(const float *a, const float *, float *c, int n) {
  if (threadIdx.x < n)
    c[threadIdx.x] = 2 * a[threadIdx.x];
}

int main() {
  const int n = 30;
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) {
    a[i] = static_cast<float>(i);
    b[i] = static_cast<float>(i * i % 11);
  }
  Device<float> da(a.data(), n), db(b.data(), n), dc(n);
  void (*kernels[])(const float *, const float *, float *, int) = {apply, twice};
  for (int k = 0; k < 2; ++k) {
    kernels[k]<<<1, 32>>>(da, db, dc, n);
    CUDA(cudaDeviceSynchronize());
    dc.get(c.data());
    for (int i = 0; i < n; ++i) {
      const float x = i % 3 == 0   ? a[i] + b[i]
                      : i % 3 == 1 ? a[i] - b[i]
                      : a[i] > b[i] ? a[i]
                                    : b[i];
      EXPECT(c[i] == (k ? 2 * a[i] : x - 2 + (i % 2 ? i * i : i * 2)));
    }
  }
  return verdict();
}
