//===- half_functions.h - 16-bit arithmetic, as text ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See half_type.h. Sums, differences, quotients and square roots are computed
// in single precision, which has more than twice the digits and two more, so
// that rounding twice does no harm; products and fused operations as the format
// says. What is approximate on the device is here the rounded function.
//
//===----------------------------------------------------------------------===//

#pragma clang force_cuda_host_device begin

namespace warpwright {
namespace sim {
/// a * b + c, rounded once.
static inline WARPWRIGHT_T fused(const WARPWRIGHT_T a, const WARPWRIGHT_T b,
                                 const WARPWRIGHT_T c) {
  const double product =
      static_cast<double>(widen(a)) * static_cast<double>(widen(b));
  return WARPWRIGHT_NAME(to_, )(
      add_to_odd(product, static_cast<double>(widen(c))), Round::nearest);
}
/// With another sign, of which the top bit counts. A NaN has none.
WARPWRIGHT_FUNCTION unsigned short with_sign(const WARPWRIGHT_T a,
                                             unsigned short sign) {
  const unsigned int bits = __builtin_bit_cast(unsigned short, a);
  const float x = widen(a);
  return static_cast<unsigned short>(
      x != x ? 0x7fff : (bits & 0x7fff) | (sign & 0x8000));
}
/// To [0, 1]; a NaN becomes 0.
WARPWRIGHT_FUNCTION WARPWRIGHT_T clamp_to_one(const WARPWRIGHT_T a) {
  const float x = widen(a);
  return x > 0 ? (x < 1 ? a : WARPWRIGHT_NAME(to_, )(1.0f))
               : WARPWRIGHT_NAME(as_, )(0);
}
WARPWRIGHT_FUNCTION WARPWRIGHT_T no_less_than_zero(const WARPWRIGHT_T a) {
  const float x = widen(a);
  return x > 0 || x != x ? a : WARPWRIGHT_NAME(as_, )(0);
}
/// The NaN rule of minimum and maximum: a number wins over a NaN, unless
/// `keep_nan`. -0 is less than +0.
template <bool Max>
WARPWRIGHT_FUNCTION WARPWRIGHT_T extreme(const WARPWRIGHT_T a,
                                         const WARPWRIGHT_T b, bool keep_nan) {
  const float x = widen(a), y = widen(b);
  const WARPWRIGHT_T nan = WARPWRIGHT_NAME(as_, )(0x7fff);
  if (x != x)
    return keep_nan || y != y ? nan : b;
  if (y != y)
    return keep_nan ? nan : a;
  if (x == y)
    return (__builtin_signbit(x) != 0) == Max ? b : a;
  return (x > y) == Max ? a : b;
}
} // namespace sim
} // namespace warpwright

// An operation on numbers and the same on pairs.
#define WARPWRIGHT_UNARY(Name, Name2, ...)                                     \
  WARPWRIGHT_FUNCTION WARPWRIGHT_T Name(const WARPWRIGHT_T a) {                \
    return __VA_ARGS__;                                                        \
  }                                                                            \
  WARPWRIGHT_FUNCTION WARPWRIGHT_T2 Name2(const WARPWRIGHT_T2 a) {             \
    return WARPWRIGHT_T2(Name(a.x), Name(a.y));                                \
  }
#define WARPWRIGHT_BINARY(Name, Name2, ...)                                    \
  WARPWRIGHT_FUNCTION WARPWRIGHT_T Name(const WARPWRIGHT_T a,                  \
                                        const WARPWRIGHT_T b) {                \
    return __VA_ARGS__;                                                        \
  }                                                                            \
  WARPWRIGHT_FUNCTION WARPWRIGHT_T2 Name2(const WARPWRIGHT_T2 a,               \
                                          const WARPWRIGHT_T2 b) {             \
    return WARPWRIGHT_T2(Name(a.x, b.x), Name(a.y, b.y));                      \
  }
#define WARPWRIGHT_TERNARY(Name, Name2, ...)                                   \
  WARPWRIGHT_FUNCTION WARPWRIGHT_T Name(                                       \
      const WARPWRIGHT_T a, const WARPWRIGHT_T b, const WARPWRIGHT_T c) {      \
    return __VA_ARGS__;                                                        \
  }                                                                            \
  WARPWRIGHT_FUNCTION WARPWRIGHT_T2 Name2(                                     \
      const WARPWRIGHT_T2 a, const WARPWRIGHT_T2 b, const WARPWRIGHT_T2 c) {   \
    return WARPWRIGHT_T2(Name(a.x, b.x, c.x), Name(a.y, b.y, c.y));            \
  }
#define WARPWRIGHT_WIDE(a) ::warpwright::sim::widen(a)
#define WARPWRIGHT_NARROW(x) ::warpwright::sim::WARPWRIGHT_NAME(to_, )(x)
#define WARPWRIGHT_BITS(x) ::warpwright::sim::WARPWRIGHT_NAME(as_, )(x)

WARPWRIGHT_BINARY(__hadd, __hadd2,
                  WARPWRIGHT_NARROW(WARPWRIGHT_WIDE(a) + WARPWRIGHT_WIDE(b)))
WARPWRIGHT_BINARY(__hsub, __hsub2,
                  WARPWRIGHT_NARROW(WARPWRIGHT_WIDE(a) - WARPWRIGHT_WIDE(b)))
WARPWRIGHT_BINARY(
    __hmul, __hmul2,
    WARPWRIGHT_BITS(::warpwright::sim::WARPWRIGHT_FORMAT::multiply(
        WARPWRIGHT_WIDE(a), WARPWRIGHT_WIDE(b))))
// The quotient may be below a float's normal numbers.
WARPWRIGHT_BINARY(__hdiv, __h2div,
                  ::warpwright::sim::WARPWRIGHT_NAME(to_, )(
                      static_cast<double>(WARPWRIGHT_WIDE(a)) /
                          static_cast<double>(WARPWRIGHT_WIDE(b)),
                      ::warpwright::sim::Round::nearest))
WARPWRIGHT_BINARY(__hadd_rn, __hadd2_rn, __hadd(a, b))
WARPWRIGHT_BINARY(__hsub_rn, __hsub2_rn, __hsub(a, b))
WARPWRIGHT_BINARY(__hmul_rn, __hmul2_rn, __hmul(a, b))
WARPWRIGHT_BINARY(__hadd_sat, __hadd2_sat,
                  ::warpwright::sim::clamp_to_one(__hadd(a, b)))
WARPWRIGHT_BINARY(__hsub_sat, __hsub2_sat,
                  ::warpwright::sim::clamp_to_one(__hsub(a, b)))
WARPWRIGHT_BINARY(__hmul_sat, __hmul2_sat,
                  ::warpwright::sim::clamp_to_one(__hmul(a, b)))
WARPWRIGHT_BINARY(__hmax, __hmax2,
                  ::warpwright::sim::extreme<true>(a, b, false))
WARPWRIGHT_BINARY(__hmin, __hmin2,
                  ::warpwright::sim::extreme<false>(a, b, false))
WARPWRIGHT_BINARY(__hmax_nan, __hmax2_nan,
                  ::warpwright::sim::extreme<true>(a, b, true))
WARPWRIGHT_BINARY(__hmin_nan, __hmin2_nan,
                  ::warpwright::sim::extreme<false>(a, b, true))
WARPWRIGHT_TERNARY(__hfma, __hfma2, ::warpwright::sim::fused(a, b, c))
WARPWRIGHT_TERNARY(
    __hfma_sat, __hfma2_sat,
    ::warpwright::sim::clamp_to_one(::warpwright::sim::fused(a, b, c)))
WARPWRIGHT_TERNARY(
    __hfma_relu, __hfma2_relu,
    ::warpwright::sim::no_less_than_zero(::warpwright::sim::fused(a, b, c)))
WARPWRIGHT_UNARY(__hneg, __hneg2,
                 WARPWRIGHT_BITS(::warpwright::sim::with_sign(
                     a, static_cast<unsigned short>(
                            ~__builtin_bit_cast(unsigned short, a)))))
WARPWRIGHT_UNARY(__habs, __habs2,
                 WARPWRIGHT_BITS(::warpwright::sim::with_sign(a, 0)))
/// Complex a * b + c, real part first, in the device's order of operations.
static inline WARPWRIGHT_T2
__hcmadd(const WARPWRIGHT_T2 a, const WARPWRIGHT_T2 b, const WARPWRIGHT_T2 c) {
  const WARPWRIGHT_T real = __hfma(a.x, b.x, c.x);
  const WARPWRIGHT_T imaginary = __hfma(a.x, b.y, c.y);
  return WARPWRIGHT_T2(__hfma(__hneg(a.y), b.y, real),
                       __hfma(a.y, b.x, imaginary));
}

WARPWRIGHT_UNARY(htrunc, h2trunc,
                 WARPWRIGHT_NARROW(__builtin_truncf(WARPWRIGHT_WIDE(a))))
WARPWRIGHT_UNARY(hceil, h2ceil,
                 WARPWRIGHT_NARROW(__builtin_ceilf(WARPWRIGHT_WIDE(a))))
WARPWRIGHT_UNARY(hfloor, h2floor,
                 WARPWRIGHT_NARROW(__builtin_floorf(WARPWRIGHT_WIDE(a))))
WARPWRIGHT_UNARY(hrint, h2rint,
                 WARPWRIGHT_NARROW(__builtin_rintf(WARPWRIGHT_WIDE(a))))
WARPWRIGHT_UNARY(hsqrt, h2sqrt,
                 WARPWRIGHT_NARROW(__builtin_sqrtf(WARPWRIGHT_WIDE(a))))
WARPWRIGHT_UNARY(hrsqrt, h2rsqrt, WARPWRIGHT_NARROW(rsqrtf(WARPWRIGHT_WIDE(a))))
WARPWRIGHT_UNARY(hrcp, h2rcp, WARPWRIGHT_NARROW(1.0f / WARPWRIGHT_WIDE(a)))
WARPWRIGHT_UNARY(hlog, h2log, WARPWRIGHT_NARROW(::logf(WARPWRIGHT_WIDE(a))))
WARPWRIGHT_UNARY(hlog2, h2log2, WARPWRIGHT_NARROW(::log2f(WARPWRIGHT_WIDE(a))))
WARPWRIGHT_UNARY(hlog10, h2log10,
                 WARPWRIGHT_NARROW(::log10f(WARPWRIGHT_WIDE(a))))
WARPWRIGHT_UNARY(hexp, h2exp, WARPWRIGHT_NARROW(::expf(WARPWRIGHT_WIDE(a))))
WARPWRIGHT_UNARY(hexp2, h2exp2, WARPWRIGHT_NARROW(::exp2f(WARPWRIGHT_WIDE(a))))
WARPWRIGHT_UNARY(hexp10, h2exp10,
                 WARPWRIGHT_NARROW(::exp10f(WARPWRIGHT_WIDE(a))))
WARPWRIGHT_UNARY(hcos, h2cos, WARPWRIGHT_NARROW(::cosf(WARPWRIGHT_WIDE(a))))
WARPWRIGHT_UNARY(hsin, h2sin, WARPWRIGHT_NARROW(::sinf(WARPWRIGHT_WIDE(a))))
WARPWRIGHT_UNARY(htanh, h2tanh, WARPWRIGHT_NARROW(::tanhf(WARPWRIGHT_WIDE(a))))
WARPWRIGHT_UNARY(htanh_approx, h2tanh_approx, htanh(a))

// Comparisons: with a NaN the plain ones are false and the u ones true.
#define WARPWRIGHT_COMPARE_AS(Name, ...)                                       \
  WARPWRIGHT_FUNCTION bool __h##Name(const WARPWRIGHT_T a,                     \
                                     const WARPWRIGHT_T b) {                   \
    const float x = WARPWRIGHT_WIDE(a), y = WARPWRIGHT_WIDE(b);                \
    return __VA_ARGS__;                                                        \
  }                                                                            \
  WARPWRIGHT_FUNCTION WARPWRIGHT_T2 __h##Name##2(const WARPWRIGHT_T2 a,        \
                                                 const WARPWRIGHT_T2 b) {      \
    return WARPWRIGHT_T2(                                                      \
        WARPWRIGHT_NARROW(__h##Name(a.x, b.x) ? 1.0f : 0.0f),                  \
        WARPWRIGHT_NARROW(__h##Name(a.y, b.y) ? 1.0f : 0.0f));                 \
  }                                                                            \
  WARPWRIGHT_FUNCTION bool __hb##Name##2(const WARPWRIGHT_T2 a,                \
                                         const WARPWRIGHT_T2 b) {              \
    return __h##Name(a.x, b.x) && __h##Name(a.y, b.y);                         \
  }                                                                            \
  WARPWRIGHT_FUNCTION unsigned int __h##Name##2_mask(const WARPWRIGHT_T2 a,    \
                                                     const WARPWRIGHT_T2 b) {  \
    return (__h##Name(a.x, b.x) ? 0xffffu : 0) |                               \
           (__h##Name(a.y, b.y) ? 0xffff0000u : 0);                            \
  }
#define WARPWRIGHT_COMPARE(Name, Operator)                                     \
  WARPWRIGHT_COMPARE_AS(Name, x == x && y == y && x Operator y)                \
  WARPWRIGHT_COMPARE_AS(Name##u, x != x || y != y || x Operator y)
WARPWRIGHT_COMPARE(eq, ==)
WARPWRIGHT_COMPARE(ne, !=)
WARPWRIGHT_COMPARE(lt, <)
WARPWRIGHT_COMPARE(le, <=)
WARPWRIGHT_COMPARE(gt, >)
WARPWRIGHT_COMPARE(ge, >=)
#undef WARPWRIGHT_COMPARE
#undef WARPWRIGHT_COMPARE_AS

WARPWRIGHT_FUNCTION bool __hisnan(const WARPWRIGHT_T a) {
  const float x = WARPWRIGHT_WIDE(a);
  return x != x;
}
WARPWRIGHT_FUNCTION WARPWRIGHT_T2 __hisnan2(const WARPWRIGHT_T2 a) {
  return WARPWRIGHT_T2(WARPWRIGHT_NARROW(__hisnan(a.x) ? 1.0f : 0.0f),
                       WARPWRIGHT_NARROW(__hisnan(a.y) ? 1.0f : 0.0f));
}
/// 1 or -1, the sign of the infinity; 0 for other numbers.
WARPWRIGHT_FUNCTION int __hisinf(const WARPWRIGHT_T a) {
  const float x = WARPWRIGHT_WIDE(a);
  return __builtin_isinf(x) ? (x > 0 ? 1 : -1) : 0;
}

// Operators.
#define WARPWRIGHT_ARITHMETIC(Type, Operator, Function)                        \
  WARPWRIGHT_FUNCTION Type operator Operator(const Type &lh, const Type &rh) { \
    return Function(lh, rh);                                                   \
  }                                                                            \
  WARPWRIGHT_FUNCTION Type &operator Operator## =                              \
      (Type & lh, const Type &rh) {                                            \
    lh = Function(lh, rh);                                                     \
    return lh;                                                                 \
  }
#define WARPWRIGHT_STEP(Type, Operator, Function, One)                         \
  WARPWRIGHT_FUNCTION Type &operator Operator(Type &h) {                       \
    h = Function(h, One);                                                      \
    return h;                                                                  \
  }                                                                            \
  WARPWRIGHT_FUNCTION Type operator Operator(Type &h, const int) {             \
    const Type before = h;                                                     \
    h = Function(h, One);                                                      \
    return before;                                                             \
  }
#define WARPWRIGHT_COMPARE(Type, Operator, Function)                           \
  WARPWRIGHT_FUNCTION bool operator Operator(const Type &lh, const Type &rh) { \
    return Function(lh, rh);                                                   \
  }
#if WARPWRIGHT_OPERATORS
WARPWRIGHT_ARITHMETIC(WARPWRIGHT_T, +, __hadd)
WARPWRIGHT_ARITHMETIC(WARPWRIGHT_T, -, __hsub)
WARPWRIGHT_ARITHMETIC(WARPWRIGHT_T, *, __hmul)
WARPWRIGHT_ARITHMETIC(WARPWRIGHT_T, /, __hdiv)
WARPWRIGHT_STEP(WARPWRIGHT_T, ++, __hadd, WARPWRIGHT_NARROW(1.0f))
WARPWRIGHT_STEP(WARPWRIGHT_T, --, __hsub, WARPWRIGHT_NARROW(1.0f))
WARPWRIGHT_FUNCTION WARPWRIGHT_T operator+(const WARPWRIGHT_T &h) { return h; }
WARPWRIGHT_FUNCTION WARPWRIGHT_T operator-(const WARPWRIGHT_T &h) {
  return __hneg(h);
}
WARPWRIGHT_COMPARE(WARPWRIGHT_T, ==, __heq)
WARPWRIGHT_COMPARE(WARPWRIGHT_T, !=, __hneu)
WARPWRIGHT_COMPARE(WARPWRIGHT_T, >, __hgt)
WARPWRIGHT_COMPARE(WARPWRIGHT_T, <, __hlt)
WARPWRIGHT_COMPARE(WARPWRIGHT_T, >=, __hge)
WARPWRIGHT_COMPARE(WARPWRIGHT_T, <=, __hle)
#endif
#if WARPWRIGHT_OPERATORS2
WARPWRIGHT_ARITHMETIC(WARPWRIGHT_T2, +, __hadd2)
WARPWRIGHT_ARITHMETIC(WARPWRIGHT_T2, -, __hsub2)
WARPWRIGHT_ARITHMETIC(WARPWRIGHT_T2, *, __hmul2)
WARPWRIGHT_ARITHMETIC(WARPWRIGHT_T2, /, __h2div)
WARPWRIGHT_STEP(WARPWRIGHT_T2, ++, __hadd2,
                WARPWRIGHT_NAME2(__float2, _rn)(1.0f))
WARPWRIGHT_STEP(WARPWRIGHT_T2, --, __hsub2,
                WARPWRIGHT_NAME2(__float2, _rn)(1.0f))
WARPWRIGHT_FUNCTION WARPWRIGHT_T2 operator+(const WARPWRIGHT_T2 &h) {
  return h;
}
WARPWRIGHT_FUNCTION WARPWRIGHT_T2 operator-(const WARPWRIGHT_T2 &h) {
  return __hneg2(h);
}
WARPWRIGHT_COMPARE(WARPWRIGHT_T2, ==, __hbeq2)
WARPWRIGHT_COMPARE(WARPWRIGHT_T2, !=, __hbneu2)
WARPWRIGHT_COMPARE(WARPWRIGHT_T2, >, __hbgt2)
WARPWRIGHT_COMPARE(WARPWRIGHT_T2, <, __hblt2)
WARPWRIGHT_COMPARE(WARPWRIGHT_T2, >=, __hbge2)
WARPWRIGHT_COMPARE(WARPWRIGHT_T2, <=, __hble2)
#endif
#undef WARPWRIGHT_COMPARE
#undef WARPWRIGHT_STEP
#undef WARPWRIGHT_ARITHMETIC

// Memory and warps. The shuffles and cached loads are those of memory.h and
// warp.h with these types.
#define WARPWRIGHT_SIM_FUNCTION WARPWRIGHT_FUNCTION
WARPWRIGHT_SIM_CACHED(WARPWRIGHT_T)
WARPWRIGHT_SIM_CACHED(WARPWRIGHT_T2)
WARPWRIGHT_SIM_SHUFFLES(WARPWRIGHT_T)
WARPWRIGHT_SIM_SHUFFLES(WARPWRIGHT_T2)
#undef WARPWRIGHT_SIM_FUNCTION
WARPWRIGHT_SIM_ATOMIC(atomicAdd, WARPWRIGHT_T, __hadd(old, val))
WARPWRIGHT_SIM_ATOMIC(atomicAdd, WARPWRIGHT_T2, __hadd2(old, val))

#undef WARPWRIGHT_BITS
#undef WARPWRIGHT_NARROW
#undef WARPWRIGHT_WIDE
#undef WARPWRIGHT_TERNARY
#undef WARPWRIGHT_BINARY
#undef WARPWRIGHT_UNARY
#undef WARPWRIGHT_FUNCTION

#pragma clang force_cuda_host_device end
