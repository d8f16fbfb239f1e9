// Float intrinsics with their roundings, and contraction of products.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <cmath>

__global__ void compute(const float *x, float *o) {
  const float a = x[0], b = x[1], c = x[2];
  o[0] = a * b + c;                        // fused, as nvcc compiles it
  o[1] = __fadd_rn(__fmul_rn(a, b), c);    // asked not to be
  o[2] = __fadd_rz(a, c);
  o[3] = __fadd_ru(a, c);
  o[4] = __fmul_rd(a, b);
  o[5] = __fdiv_ru(a, b);
  o[6] = __fsqrt_rd(b);
  o[7] = __frcp_rz(a);
  o[8] = __saturatef(a);
  o[9] = fminf(NAN, b) + fmaxf(c, NAN);
  o[10] = __int_as_float(__float_as_int(a) ^ 0x80000000);
  o[11] = static_cast<float>(__float2int_rn(2.5f) + 10 * __float2int_ru(2.1f) +
                             100 * __float2int_rz(-2.9f));
  o[12] = static_cast<float>(__float2uint_rz(-5.0f)) +
          static_cast<float>(__float2int_rz(1e20f) == 2147483647);
  o[13] = rsqrtf(16.0f) + cospif(1.0f) + normcdff(0.0f) + exp10f(2.0f);
  float t = a;
  t *= b;
  t += c; // across statements too
  o[14] = t;
  o[15] = __fmaf_rz(a, b, c);
}

int main() {
  const float in[3] = {1.0f + 0x1p-12f, 1.0f + 0x1p-13f, -1.0f};
  Device<float> x(in, 3), d(16);
  compute<<<1, 1>>>(x, d);
  float o[16];
  d.get(o);
  const float a = in[0], b = in[1], c = in[2];
  const double da = a, db = b, dc = c;
  volatile float product = a * b;
  EXPECT(o[0] == std::fma(a, b, c));
  EXPECT(o[1] == product + c && o[0] != o[1]);
  EXPECT(o[2] == static_cast<float>(da + dc) && o[3] == o[2]); // exact
  EXPECT(o[4] <= da * db && std::nextafter(o[4], 2.0f) > da * db);
  EXPECT(o[5] >= da / db && std::nextafter(o[5], 0.0f) < da / db);
  EXPECT(o[6] <= std::sqrt(db) && std::nextafter(o[6], 2.0f) > std::sqrt(db));
  EXPECT(o[7] <= 1 / da && std::nextafter(o[7], 2.0f) > 1 / da);
  EXPECT(o[8] == 1.0f && o[9] == b + c && o[10] == -a);
  EXPECT(o[11] == 2 + 30 - 200 && o[12] == 1);
  EXPECT(std::fabs(o[13] - (0.25f - 1 + 0.5f + 100)) < 1e-4f);
  EXPECT(o[14] == o[0]);
  EXPECT(o[15] <= da * db + dc && std::nextafter(o[15], 2.0f) > da * db + dc);
  return verdict();
}
