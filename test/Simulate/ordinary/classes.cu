// Classes for host and device: operators, templates, inheritance, static members.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <vector>

template <class T> class Complex {
  T re, im;

public:
  __host__ __device__ constexpr Complex(T r = 0, T i = 0) : re(r), im(i) {}
  __host__ __device__ Complex operator+(const Complex &o) const {
    return Complex(re + o.re, im + o.im);
  }
  __host__ __device__ Complex operator*(const Complex &o) const {
    return Complex(re * o.re - im * o.im, re * o.im + im * o.re);
  }
  __host__ __device__ T norm() const { return re * re + im * im; }
};

struct Counter {
  static constexpr int limit = 50;
  int steps = 0;
  constexpr Counter() = default;
  constexpr explicit Counter(int steps) : steps(steps) {}
  __host__ __device__ static int count(Complex<double> c) {
    Complex<double> z;
    int i = 0;
    while (i < limit && z.norm() <= 4) {
      z = z * z + c;
      ++i;
    }
    return i;
  }
};

class Rng {
  unsigned s;

public:
  __host__ __device__ explicit Rng(unsigned seed) : s(seed * 747796405u + 1) {}
  __host__ __device__ unsigned operator()() {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return s;
  }
};

__global__ void mandelbrot(int *out, unsigned *noise, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    // Steps of 1/16 keep the first iterations exact, so that fusing products
    // changes nothing near the border of the set.
    out[y * w + x] = Counter::count(
        Complex<double>(x / 16.0 - 2, y / 16.0 - 1)) > 25 + Counter().steps;
    Rng rng(y * w + x);
    rng();
    noise[y * w + x] = rng();
  }
}

int main() {
  const int w = 45, h = 33;
  std::vector<int> out(w * h);
  std::vector<unsigned> noise(w * h);
  Device<int> d(w * h);
  Device<unsigned> dn(w * h);
  mandelbrot<<<dim3(3, 5), dim3(16, 8)>>>(d, dn, w, h);
  CUDA(cudaDeviceSynchronize());
  d.get(out.data());
  dn.get(noise.data());
  int different = 0, inside = 0;
  for (int i = 0; i < w * h; ++i) {
    different += out[i] != (Counter::count(Complex<double>(
                                i % w / 16.0 - 2, i / w / 16.0 - 1)) > 25);
    inside += out[i];
    Rng rng(i);
    rng();
    EXPECT(noise[i] == rng());
  }
  EXPECT(different <= 2 && inside > 200 && inside < 600);
  return verdict();
}
