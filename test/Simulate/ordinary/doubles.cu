// Double precision, atomics on it, and the mathematical functions.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <cmath>
#include <vector>

__global__ void functions(const double *x, double *y, int n) {
  const int i = threadIdx.x;
  if (i >= n)
    return;
  const double v = x[i];
  double s, c;
  sincos(v, &s, &c);
  y[i] = s * s + c * c - 1;
  y[n + i] = exp(log(v)) - v;
  y[2 * n + i] = rsqrt(v) * sqrt(v) - 1;
  y[3 * n + i] = erf(v) + erfc(v) - 1;
  y[4 * n + i] = normcdfinv(normcdf(v - 2)) - (v - 2);
  y[5 * n + i] = cbrt(v) * cbrt(v) * cbrt(v) - v;
  y[6 * n + i] = sinpi(v) - sin(v * M_PI);
  y[7 * n + i] = hypot(3 * v, 4 * v) - 5 * v;
  y[8 * n + i] = tgamma(v + 1) / tgamma(v) - v;
  y[9 * n + i] = exp10(log10(v)) - v;
}
__global__ void accumulate(const double *x, double *sum, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    atomicAdd(sum, x[i]);
}
__global__ void rounded(double *out) {
  out[0] = __dadd_rd(1.0, 1e-30);
  out[1] = __dadd_ru(1.0, 1e-30);
  out[2] = __fma_rn(1.0 + 1e-10, 1.0 - 1e-10, -1.0);
  out[3] = __double2int_rn(2.5) + 10 * __double2int_ru(2.1);
  out[4] = __hiloint2double(__double2hiint(-3.5), __double2loint(-3.5));
}

int main() {
  const int n = 40, m = 10;
  std::vector<double> x(n), y(n * m);
  double total = 0;
  for (int i = 0; i < n; ++i)
    total += x[i] = 0.125 * (i + 1);
  Device<double> dx(x.data(), n), dy(n * m), sum(1);
  functions<<<1, 64>>>(dx, dy, n);
  dy.get(y.data());
  for (int i = 0; i < n * m; ++i)
    EXPECT(std::fabs(y[i]) < 1e-12);
  sum.zero();
  accumulate<<<1, 32>>>(dx, sum, n);
  double got;
  sum.get(&got);
  EXPECT(got == total); // eighths: exact in any order
  rounded<<<1, 1>>>(dy);
  dy.get(y.data());
  EXPECT(y[0] == 1.0 && y[1] == std::nextafter(1.0, 2.0));
  EXPECT(y[2] == std::fma(1.0 + 1e-10, 1.0 - 1e-10, -1.0));
  EXPECT(y[3] == 32 && y[4] == -3.5);
  return verdict();
}
