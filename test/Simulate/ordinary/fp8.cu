// Numbers of eight bits: quantisation and a product in both formats.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <cmath>
#include <cuda_fp8.h>
#include <vector>

template <class T>
__global__ void quantise(const float *in, T *out, float *scale, int n) {
  __shared__ float most;
  if (threadIdx.x == 0) {
    most = 0;
    for (int i = 0; i < n; ++i)
      most = fmaxf(most, fabsf(in[i]));
    *scale = most;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = T(in[i] / most * 200.0f);
}

template <class A, class B>
__global__ void dot(const A *a, const B *b, float *out, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 32)
    sum += float(a[i]) * float(b[i]);
  for (int offset = 16; offset; offset /= 2)
    sum += __shfl_down_sync(~0u, sum, offset);
  if (threadIdx.x == 0)
    *out = sum;
}

__global__ void edges(unsigned char *out) {
  out[0] = __nv_fp8_e4m3(1000.0f).__x;
  out[1] = __nv_fp8_e4m3(-1e-9f).__x;
  out[2] = __nv_fp8_e5m2(1e9f).__x;
  out[3] = __nv_fp8_e4m3(NAN).__x;
  out[4] = __nv_fp8_e4m3(1.0f).__x;
  out[5] = __nv_fp8_e5m2(-1.0f).__x;
  out[6] = __nv_cvt_float_to_fp8(1e9f, __NV_NOSAT, __NV_E5M2);
  out[7] = __nv_fp8_e4m3(17.0f).__x; // halfway: to the even 16
  const __nv_fp8x4_e4m3 four(make_float4(1, 2, 3, 448));
  const float4 back = float4(four);
  out[8] = back.x + back.y + back.z == 6 && back.w == 448;
}

int main() {
  const int n = 64;
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i)
    x[i] = std::sin(i * 0.7f) * (i + 1);
  Device<float> dx(x.data(), n), scale(1), result(1);
  Device<__nv_fp8_e4m3> a(n);
  Device<__nv_fp8_e5m2> b(n);
  quantise<<<1, 32>>>(dx, a.data, scale, n);
  quantise<<<1, 32>>>(dx, b.data, scale, n);
  dot<<<1, 32>>>(a.data, b.data, result, n);
  float most = 0, got = 0;
  scale.get(&most);
  result.get(&got);
  double want = 0;
  for (float v : x)
    want += static_cast<double>(v) * v;
  want *= 200.0 * 200.0 / most / most;
  EXPECT(std::fabs(got - want) < 0.05 * want);
  std::vector<__nv_fp8_e4m3> qa(n);
  std::vector<__nv_fp8_e5m2> qb(n);
  a.get(qa.data());
  b.get(qb.data());
  for (int i = 0; i < n; ++i) {
    const float v = x[i] / most * 200.0f;
    EXPECT(std::fabs(float(qa[i]) - v) <= std::fabs(v) / 16 + 0.001f);
    EXPECT(std::fabs(float(qb[i]) - v) <= std::fabs(v) / 8 + 0.001f);
  }

  Device<unsigned char> e(9);
  edges<<<1, 1>>>(e);
  unsigned char bytes[9];
  e.get(bytes);
  const unsigned char expected[9] = {0x7e, 0x80, 0x7b, 0x7f, 0x38,
                                     0xbc, 0x7c, 0x58, 1};
  for (int i = 0; i < 9; ++i)
    EXPECT(bytes[i] == expected[i]);
  return verdict();
}
