// Half precision and bfloat16 in device code, against the host's.
// RUN: %warpwright sim %s | FileCheck %s
// RUN: %warpwright sim -std=c++20 %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cmath>
#include <vector>

__global__ void axpy(half a, const half2 *x, half2 *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = __hfma2(__half2half2(a), x[i], y[i]);
}

__global__ void scalar(const half *x, half *y, float *z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  half v = x[i];
  v += half(1);
  v = v * __float2half(0.5f);
  if (__hgt(v, __float2half(3.0f)))
    v = -v;
  y[i] = __hmax(v, __float2half(-7.f));
  z[i] = __half2float(hsqrt(__habs(v))) + float(v);
}

__global__ void brain(const __nv_bfloat16 *x, __nv_bfloat16 *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float f = __bfloat162float(x[i]);
    y[i] = __float2bfloat16(f * f) - __nv_bfloat16(1.0f);
  }
}

static float to_half(float x) { return __half2float(__float2half(x)); }
static float to_brain(float x) { return __bfloat162float(__float2bfloat16(x)); }

int main() {
  const int n = 200;
  std::vector<half2> x(n), y(n), out(n);
  for (int i = 0; i < n; ++i) {
    x[i] = __floats2half2_rn(i * 0.37f - 20, 5 - i * 0.011f);
    y[i] = __floats2half2_rn(1.0f / (i + 1), i * 3.0f);
  }
  Device<half2> dx(x.data(), n), dy(y.data(), n);
  axpy<<<4, 64>>>(__float2half(1.7f), dx, dy, n);
  dy.get(out.data());
  const double a = to_half(1.7f);
  for (int i = 0; i < n; ++i) {
    const float2 fx = __half22float2(x[i]), fy = __half22float2(y[i]),
                 got = __half22float2(out[i]);
    EXPECT(got.x == __half2float(__double2half(a * fx.x + fy.x)));
    EXPECT(got.y == __half2float(__double2half(a * fx.y + fy.y)));
  }

  std::vector<half> hx(n), hy(n);
  std::vector<float> hz(n);
  for (int i = 0; i < n; ++i)
    hx[i] = __float2half(i * 0.11f - 9);
  Device<half> dhx(hx.data(), n), dhy(n);
  Device<float> dhz(n);
  scalar<<<4, 64>>>(dhx, dhy, dhz, n);
  dhy.get(hy.data());
  dhz.get(hz.data());
  for (int i = 0; i < n; ++i) {
    float v = to_half(to_half(__half2float(hx[i]) + 1) * 0.5f);
    if (v > 3)
      v = -v;
    EXPECT(__half2float(hy[i]) == (v > -7 ? v : -7));
    EXPECT(hz[i] == to_half(std::sqrt(std::fabs(v))) + v);
  }

  std::vector<__nv_bfloat16> bx(n), by(n);
  for (int i = 0; i < n; ++i)
    bx[i] = __float2bfloat16(i * 0.3f - 12);
  Device<__nv_bfloat16> dbx(bx.data(), n), dby(n);
  brain<<<4, 64>>>(dbx, dby, n);
  dby.get(by.data());
  for (int i = 0; i < n; ++i) {
    const float f = __bfloat162float(bx[i]);
    EXPECT(__bfloat162float(by[i]) == to_brain(to_brain(f * f) - 1));
  }
  return verdict();
}
