// Complex numbers: a discrete Fourier transform and its inverse.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <cmath>
#include <cuComplex.h>
#include <nvtx3/nvToolsExt.h>
#include <vector>

__global__ void transform(const cuComplex *in, cuComplex *out, int n, int sign) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= n)
    return;
  cuDoubleComplex sum = make_cuDoubleComplex(0, 0);
  for (int i = 0; i < n; ++i) {
    double s, c;
    sincospi(sign * 2.0 * (i * k % n) / n, &s, &c);
    sum = cuCadd(sum, cuCmul(cuComplexFloatToDouble(in[i]),
                             make_cuDoubleComplex(c, s)));
  }
  if (sign > 0)
    sum = cuCdiv(sum, make_cuDoubleComplex(n, 0));
  out[k] = cuComplexDoubleToFloat(sum);
}

int main() {
  const int n = 60;
  std::vector<cuComplex> x(n), y(n), z(n);
  for (int i = 0; i < n; ++i)
    x[i] = make_cuComplex(static_cast<float>(i % 7), static_cast<float>(-i % 5));
  Device<cuComplex> dx(x.data(), n), dy(n), dz(n);
  nvtxRangePushA("transforms");
  transform<<<2, 32>>>(dx, dy, n, -1);
  transform<<<2, 32>>>(dy, dz, n, 1);
  nvtxRangePop();
  dy.get(y.data());
  dz.get(z.data());
  double before = 0, after = 0;
  for (int i = 0; i < n; ++i) {
    EXPECT(cuCabsf(cuCsubf(z[i], x[i])) < 1e-5f);
    before += cuCrealf(cuCmulf(x[i], cuConjf(x[i])));
    after += static_cast<double>(cuCabsf(y[i])) * cuCabsf(y[i]) / n;
  }
  EXPECT(std::fabs(before - after) < 1e-3 * before); // Parseval
  const cuComplex q = cuCdivf(make_cuComplex(1, 2), make_cuComplex(3, -4));
  EXPECT(std::fabs(q.x + 0.2f) < 1e-6f && std::fabs(q.y - 0.4f) < 1e-6f);
  return verdict();
}
