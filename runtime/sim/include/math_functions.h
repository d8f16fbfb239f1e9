//===- math_functions.h - Mathematical functions of device code -*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What CUDA has beside <math.h>, in single and double precision. The functions
// of the C library are taken as they are: within the accuracy that CUDA
// promises, but not the same bits in the last place. Fused multiply-add,
// division and square root are exact, as on the device.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_MATH_FUNCTIONS_H
#define WARPWRIGHT_SIM_MATH_FUNCTIONS_H

#include "host_defines.h"
#include "warpwright/sim/rounding.h"
#include "warpwright/sim/special_functions.h"

#include <math.h>
#include <stdlib.h>

#pragma clang force_cuda_host_device begin

#define WARPWRIGHT_SIM_MATH static __forceinline__

// min and max: the NaN rule is that of fmin, and mixed signs are unsigned.
#define WARPWRIGHT_SIM_MIN_MAX(Result, A, B)                                   \
  WARPWRIGHT_SIM_MATH Result min(const A a, const B b) {                       \
    const Result x = static_cast<Result>(a), y = static_cast<Result>(b);       \
    return y < x ? y : x;                                                      \
  }                                                                            \
  WARPWRIGHT_SIM_MATH Result max(const A a, const B b) {                       \
    const Result x = static_cast<Result>(a), y = static_cast<Result>(b);       \
    return x < y ? y : x;                                                      \
  }
#define WARPWRIGHT_SIM_INTEGER_MIN_MAX(Type)                                   \
  WARPWRIGHT_SIM_MIN_MAX(Type, Type, Type)                                     \
  WARPWRIGHT_SIM_MIN_MAX(unsigned Type, unsigned Type, unsigned Type)          \
  WARPWRIGHT_SIM_MIN_MAX(unsigned Type, Type, unsigned Type)                   \
  WARPWRIGHT_SIM_MIN_MAX(unsigned Type, unsigned Type, Type)
WARPWRIGHT_SIM_INTEGER_MIN_MAX(int)
WARPWRIGHT_SIM_INTEGER_MIN_MAX(long)
WARPWRIGHT_SIM_INTEGER_MIN_MAX(long long)
#undef WARPWRIGHT_SIM_INTEGER_MIN_MAX
#undef WARPWRIGHT_SIM_MIN_MAX
WARPWRIGHT_SIM_MATH float min(const float a, const float b) {
  return __builtin_fminf(a, b);
}
WARPWRIGHT_SIM_MATH float max(const float a, const float b) {
  return __builtin_fmaxf(a, b);
}
WARPWRIGHT_SIM_MATH double min(const double a, const double b) {
  return __builtin_fmin(a, b);
}
WARPWRIGHT_SIM_MATH double max(const double a, const double b) {
  return __builtin_fmax(a, b);
}
WARPWRIGHT_SIM_MATH double min(const float a, const double b) {
  return __builtin_fmin(a, b);
}
WARPWRIGHT_SIM_MATH double min(const double a, const float b) {
  return __builtin_fmin(a, b);
}
WARPWRIGHT_SIM_MATH double max(const float a, const double b) {
  return __builtin_fmax(a, b);
}
WARPWRIGHT_SIM_MATH double max(const double a, const float b) {
  return __builtin_fmax(a, b);
}
WARPWRIGHT_SIM_MATH unsigned int umin(const unsigned int a,
                                      const unsigned int b) {
  return b < a ? b : a;
}
WARPWRIGHT_SIM_MATH unsigned int umax(const unsigned int a,
                                      const unsigned int b) {
  return a < b ? b : a;
}
WARPWRIGHT_SIM_MATH long long llmin(const long long a, const long long b) {
  return b < a ? b : a;
}
WARPWRIGHT_SIM_MATH long long llmax(const long long a, const long long b) {
  return a < b ? b : a;
}
WARPWRIGHT_SIM_MATH unsigned long long ullmin(const unsigned long long a,
                                              const unsigned long long b) {
  return b < a ? b : a;
}
WARPWRIGHT_SIM_MATH unsigned long long ullmax(const unsigned long long a,
                                              const unsigned long long b) {
  return a < b ? b : a;
}

namespace warpwright {
namespace sim {

/// sin and cos of pi times x, and tan's reduction: exact for whole and half x.
WARPWRIGHT_SIM_MATH double sin_pi(double x) {
  const double r = x - 2 * __builtin_rint(x / 2); // in [-1, 1]
  const double pi = 3.14159265358979323846;
  if (r != r || __builtin_isinf(x))
    return __builtin_nan("");
  if (r == 0 || r == 1 || r == -1)
    return __builtin_copysign(0.0, x);
  if (r > 0.5)
    return ::sin(pi * (1 - r));
  return r < -0.5 ? -::sin(pi * (1 + r)) : ::sin(pi * r);
}
WARPWRIGHT_SIM_MATH double cos_pi(double x) {
  const double r = __builtin_fabs(x - 2 * __builtin_rint(x / 2));
  const double pi = 3.14159265358979323846;
  if (r != r || __builtin_isinf(x))
    return __builtin_nan("");
  if (r == 0.5)
    return 0;
  return r > 0.75 ? -::cos(pi * (1 - r)) : ::sin(pi * (0.5 - r));
}

} // namespace sim
} // namespace warpwright

WARPWRIGHT_SIM_MATH float rsqrtf(float x) {
  return static_cast<float>(1 / __builtin_sqrt(static_cast<double>(x)));
}
WARPWRIGHT_SIM_MATH double rsqrt(double x) { return 1 / __builtin_sqrt(x); }
WARPWRIGHT_SIM_MATH float rsqrt(float x) { return rsqrtf(x); }
WARPWRIGHT_SIM_MATH float rcbrtf(float x) {
  return static_cast<float>(1 / ::cbrt(static_cast<double>(x)));
}
WARPWRIGHT_SIM_MATH double rcbrt(double x) { return 1 / ::cbrt(x); }
WARPWRIGHT_SIM_MATH float sinpif(float x) {
  return static_cast<float>(::warpwright::sim::sin_pi(x));
}
WARPWRIGHT_SIM_MATH double sinpi(double x) {
  return ::warpwright::sim::sin_pi(x);
}
WARPWRIGHT_SIM_MATH float cospif(float x) {
  return static_cast<float>(::warpwright::sim::cos_pi(x));
}
WARPWRIGHT_SIM_MATH double cospi(double x) {
  return ::warpwright::sim::cos_pi(x);
}
WARPWRIGHT_SIM_MATH void sincospif(float x, float *s, float *c) {
  *s = sinpif(x);
  *c = cospif(x);
}
WARPWRIGHT_SIM_MATH void sincospi(double x, double *s, double *c) {
  *s = sinpi(x);
  *c = cospi(x);
}
#ifndef _GNU_SOURCE
WARPWRIGHT_SIM_MATH void sincosf(float x, float *s, float *c) {
  *s = ::sinf(x);
  *c = ::cosf(x);
}
WARPWRIGHT_SIM_MATH void sincos(double x, double *s, double *c) {
  *s = ::sin(x);
  *c = ::cos(x);
}
WARPWRIGHT_SIM_MATH float exp10f(float x) {
  return static_cast<float>(::pow(10.0, static_cast<double>(x)));
}
WARPWRIGHT_SIM_MATH double exp10(double x) { return ::pow(10.0, x); }
#endif
WARPWRIGHT_SIM_MATH float rhypotf(float x, float y) {
  return static_cast<float>(
      1 / ::hypot(static_cast<double>(x), static_cast<double>(y)));
}
WARPWRIGHT_SIM_MATH double rhypot(double x, double y) {
  return 1 / ::hypot(x, y);
}
WARPWRIGHT_SIM_MATH double norm3d(double a, double b, double c) {
  return ::hypot(::hypot(a, b), c);
}
WARPWRIGHT_SIM_MATH double norm4d(double a, double b, double c, double d) {
  return ::hypot(::hypot(a, b), ::hypot(c, d));
}
WARPWRIGHT_SIM_MATH double rnorm3d(double a, double b, double c) {
  return 1 / norm3d(a, b, c);
}
WARPWRIGHT_SIM_MATH double rnorm4d(double a, double b, double c, double d) {
  return 1 / norm4d(a, b, c, d);
}
WARPWRIGHT_SIM_MATH float norm3df(float a, float b, float c) {
  return static_cast<float>(norm3d(a, b, c));
}
WARPWRIGHT_SIM_MATH float norm4df(float a, float b, float c, float d) {
  return static_cast<float>(norm4d(a, b, c, d));
}
WARPWRIGHT_SIM_MATH float rnorm3df(float a, float b, float c) {
  return static_cast<float>(1 / norm3d(a, b, c));
}
WARPWRIGHT_SIM_MATH float rnorm4df(float a, float b, float c, float d) {
  return static_cast<float>(1 / norm4d(a, b, c, d));
}
WARPWRIGHT_SIM_MATH double norm(int dim, const double *p) {
  double sum = 0;
  for (int i = 0; i < dim; ++i)
    sum = ::hypot(sum, p[i]);
  return sum;
}
WARPWRIGHT_SIM_MATH float normf(int dim, const float *p) {
  double sum = 0;
  for (int i = 0; i < dim; ++i)
    sum = ::hypot(sum, static_cast<double>(p[i]));
  return static_cast<float>(sum);
}
WARPWRIGHT_SIM_MATH double rnorm(int dim, const double *p) {
  return 1 / norm(dim, p);
}
WARPWRIGHT_SIM_MATH float rnormf(int dim, const float *p) {
  return 1 / normf(dim, p);
}
WARPWRIGHT_SIM_MATH double normcdf(double x) {
  return 0.5 * ::erfc(-x * 0.70710678118654752440);
}
WARPWRIGHT_SIM_MATH float normcdff(float x) {
  return static_cast<float>(normcdf(static_cast<double>(x)));
}
WARPWRIGHT_SIM_MATH double normcdfinv(double p) {
  return ::warpwright::sim::inverse_normal_cdf(p);
}
WARPWRIGHT_SIM_MATH float normcdfinvf(float p) {
  return static_cast<float>(normcdfinv(static_cast<double>(p)));
}
WARPWRIGHT_SIM_MATH double erfcinv(double y) {
  return ::warpwright::sim::inverse_erfc(y);
}
WARPWRIGHT_SIM_MATH float erfcinvf(float y) {
  return static_cast<float>(erfcinv(static_cast<double>(y)));
}
WARPWRIGHT_SIM_MATH double erfinv(double y) {
  return y < 0 ? -::warpwright::sim::inverse_erfc(1 + y)
               : ::warpwright::sim::inverse_erfc(1 - y);
}
WARPWRIGHT_SIM_MATH float erfinvf(float y) {
  return static_cast<float>(erfinv(static_cast<double>(y)));
}
WARPWRIGHT_SIM_MATH double erfcx(double x) {
  return ::warpwright::sim::scaled_erfc(x);
}
WARPWRIGHT_SIM_MATH float erfcxf(float x) {
  return static_cast<float>(erfcx(static_cast<double>(x)));
}
WARPWRIGHT_SIM_MATH double cyl_bessel_i0(double x) {
  return ::warpwright::sim::bessel_i0(x);
}
WARPWRIGHT_SIM_MATH float cyl_bessel_i0f(float x) {
  return static_cast<float>(cyl_bessel_i0(static_cast<double>(x)));
}
WARPWRIGHT_SIM_MATH double cyl_bessel_i1(double x) {
  return ::warpwright::sim::bessel_i1(x);
}
WARPWRIGHT_SIM_MATH float cyl_bessel_i1f(float x) {
  return static_cast<float>(cyl_bessel_i1(static_cast<double>(x)));
}

// The fast ones: on the device they go through ex2.approx, lg2.approx and the
// like. Computed here as documented there, each step rounded once.
WARPWRIGHT_SIM_MATH float fdividef(float a, float b) { return a / b; }
WARPWRIGHT_SIM_MATH float __fdividef(float a, float b) {
  // From 2^126 on the reciprocal that the device multiplies by is 0.
  const float magnitude = __builtin_fabsf(b);
  if (magnitude > 0x1p126f && !__builtin_isinf(b))
    return a * __builtin_copysignf(0.0f, b);
  return a / b;
}
// The C library declares functions of these names, which programs cannot mean.
#define WARPWRIGHT_SIM_FAST extern "C" __forceinline__
WARPWRIGHT_SIM_FAST float __expf(float x) noexcept {
  return ::exp2f(x * 1.44269504088896340736f);
}
WARPWRIGHT_SIM_FAST float __exp10f(float x) noexcept {
  return ::exp2f(x * 3.32192809488736234787f);
}
WARPWRIGHT_SIM_FAST float __log2f(float x) noexcept { return ::log2f(x); }
WARPWRIGHT_SIM_FAST float __logf(float x) noexcept {
  return ::log2f(x) * 0.69314718055994530942f;
}
WARPWRIGHT_SIM_FAST float __log10f(float x) noexcept {
  return ::log2f(x) * 0.30102999566398119521f;
}
WARPWRIGHT_SIM_FAST float __powf(float x, float y) noexcept {
  return ::exp2f(y * ::log2f(x));
}
WARPWRIGHT_SIM_FAST float __sinf(float x) noexcept { return ::sinf(x); }
WARPWRIGHT_SIM_FAST float __cosf(float x) noexcept { return ::cosf(x); }
WARPWRIGHT_SIM_FAST float __tanf(float x) noexcept {
  return ::sinf(x) / ::cosf(x);
}
WARPWRIGHT_SIM_FAST float __tanhf(float x) noexcept { return ::tanhf(x); }
WARPWRIGHT_SIM_FAST void __sincosf(float x, float *s, float *c) noexcept {
  *s = ::sinf(x);
  *c = ::cosf(x);
}
#undef WARPWRIGHT_SIM_FAST
/// To [0, 1]; a NaN becomes 0.
WARPWRIGHT_SIM_MATH float __saturatef(float x) {
  return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}
WARPWRIGHT_SIM_MATH float __frsqrt_rn(float x) {
  // Rounded twice, the first time to 53 bits: no root of a 24-bit number comes
  // that close to a midpoint of two floats.
  return static_cast<float>(1 / __builtin_sqrt(static_cast<double>(x)));
}

WARPWRIGHT_SIM_ROUNDINGS(float, __fadd, (float a, float b), (a, b), a + b)
WARPWRIGHT_SIM_ROUNDINGS(float, __fsub, (float a, float b), (a, b), a - b)
WARPWRIGHT_SIM_ROUNDINGS(float, __fmul, (float a, float b), (a, b), a *b)
WARPWRIGHT_SIM_ROUNDINGS(float, __fdiv, (float a, float b), (a, b), a / b)
WARPWRIGHT_SIM_ROUNDINGS(float, __fmaf, (float a, float b, float c), (a, b, c),
                         __builtin_fmaf(a, b, c))
WARPWRIGHT_SIM_ROUNDINGS(float, __frcp, (float a), (a), 1.0f / a)
WARPWRIGHT_SIM_ROUNDINGS(float, __fsqrt, (float a), (a), __builtin_sqrtf(a))
WARPWRIGHT_SIM_ROUNDINGS(double, __dadd, (double a, double b), (a, b), a + b)
WARPWRIGHT_SIM_ROUNDINGS(double, __dsub, (double a, double b), (a, b), a - b)
WARPWRIGHT_SIM_ROUNDINGS(double, __dmul, (double a, double b), (a, b), a *b)
WARPWRIGHT_SIM_ROUNDINGS(double, __ddiv, (double a, double b), (a, b), a / b)
WARPWRIGHT_SIM_ROUNDINGS(double, __fma, (double a, double b, double c),
                         (a, b, c), __builtin_fma(a, b, c))
WARPWRIGHT_SIM_ROUNDINGS(double, __drcp, (double a), (a), 1.0 / a)
WARPWRIGHT_SIM_ROUNDINGS(double, __dsqrt, (double a), (a), __builtin_sqrt(a))

// Conversions.
WARPWRIGHT_SIM_ROUNDINGS(float, __double2float, (double a), (a),
                         static_cast<float>(a))
WARPWRIGHT_SIM_ROUNDINGS(float, __int2float, (int a), (a),
                         static_cast<float>(a))
WARPWRIGHT_SIM_ROUNDINGS(float, __uint2float, (unsigned int a), (a),
                         static_cast<float>(a))
WARPWRIGHT_SIM_ROUNDINGS(float, __ll2float, (long long a), (a),
                         static_cast<float>(a))
WARPWRIGHT_SIM_ROUNDINGS(float, __ull2float, (unsigned long long a), (a),
                         static_cast<float>(a))
WARPWRIGHT_SIM_ROUNDINGS(double, __ll2double, (long long a), (a),
                         static_cast<double>(a))
WARPWRIGHT_SIM_ROUNDINGS(double, __ull2double, (unsigned long long a), (a),
                         static_cast<double>(a))
WARPWRIGHT_SIM_MATH double __int2double_rn(int a) { return a; }
WARPWRIGHT_SIM_MATH double __uint2double_rn(unsigned int a) { return a; }

#define WARPWRIGHT_SIM_TO_INTEGER(Integer, Name, Float, Suffix)                \
  WARPWRIGHT_SIM_MATH Integer Name##_rn(Float x) {                             \
    return ::warpwright::sim::to_integer<Integer>(__builtin_rint##Suffix(x));  \
  }                                                                            \
  WARPWRIGHT_SIM_MATH Integer Name##_rz(Float x) {                             \
    return ::warpwright::sim::to_integer<Integer>(__builtin_trunc##Suffix(x)); \
  }                                                                            \
  WARPWRIGHT_SIM_MATH Integer Name##_ru(Float x) {                             \
    return ::warpwright::sim::to_integer<Integer>(__builtin_ceil##Suffix(x));  \
  }                                                                            \
  WARPWRIGHT_SIM_MATH Integer Name##_rd(Float x) {                             \
    return ::warpwright::sim::to_integer<Integer>(__builtin_floor##Suffix(x)); \
  }
WARPWRIGHT_SIM_TO_INTEGER(int, __float2int, float, f)
WARPWRIGHT_SIM_TO_INTEGER(unsigned int, __float2uint, float, f)
WARPWRIGHT_SIM_TO_INTEGER(long long, __float2ll, float, f)
WARPWRIGHT_SIM_TO_INTEGER(unsigned long long, __float2ull, float, f)
WARPWRIGHT_SIM_TO_INTEGER(int, __double2int, double, )
WARPWRIGHT_SIM_TO_INTEGER(unsigned int, __double2uint, double, )
WARPWRIGHT_SIM_TO_INTEGER(long long, __double2ll, double, )
WARPWRIGHT_SIM_TO_INTEGER(unsigned long long, __double2ull, double, )
#undef WARPWRIGHT_SIM_TO_INTEGER

// Bit patterns.
#define WARPWRIGHT_SIM_REINTERPRET(To, Name, From)                             \
  WARPWRIGHT_SIM_MATH To Name(From x) { return __builtin_bit_cast(To, x); }
WARPWRIGHT_SIM_REINTERPRET(int, __float_as_int, float)
WARPWRIGHT_SIM_REINTERPRET(unsigned int, __float_as_uint, float)
WARPWRIGHT_SIM_REINTERPRET(float, __int_as_float, int)
WARPWRIGHT_SIM_REINTERPRET(float, __uint_as_float, unsigned int)
WARPWRIGHT_SIM_REINTERPRET(long long, __double_as_longlong, double)
WARPWRIGHT_SIM_REINTERPRET(double, __longlong_as_double, long long)
#undef WARPWRIGHT_SIM_REINTERPRET
WARPWRIGHT_SIM_MATH int __double2hiint(double x) {
  return static_cast<int>(__double_as_longlong(x) >> 32);
}
WARPWRIGHT_SIM_MATH int __double2loint(double x) {
  return static_cast<int>(__double_as_longlong(x));
}
WARPWRIGHT_SIM_MATH double __hiloint2double(int hi, int lo) {
  return __longlong_as_double(static_cast<long long>(hi) << 32 |
                              static_cast<unsigned int>(lo));
}

#undef WARPWRIGHT_SIM_MATH

#pragma clang force_cuda_host_device end

#endif // WARPWRIGHT_SIM_MATH_FUNCTIONS_H
