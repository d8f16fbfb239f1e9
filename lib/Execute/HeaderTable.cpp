//===-- HeaderTable.cpp - Functions of CUDA's headers ---------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeaderTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include <cmath>

namespace warpwright {
namespace execute {

using S = ScalarType;
using Args = llvm::ArrayRef<Num>;
using Result = std::optional<Num>;

/// The C library's function writes the sign of gamma to a variable that all
/// threads share.
static double logGamma(double X) {
  int Sign = 0;
  return lgamma_r(X, &Sign);
}

/// The result of a half function is that of the float function, rounded.
#define WW_UNARY(NAME, CALL)                                                   \
  static Result NAME(Args A) {                                                 \
    if (A[0].Type == ScalarType::F32) {                                        \
      const float X = asFloat(A[0].Bits);                                      \
      return Num{ScalarType::F32, bitsOf(static_cast<float>(CALL))};           \
    }                                                                          \
    if (!A[0].isFloat()) {                                                     \
      const double X = A[0].real();                                            \
      return fromReal(ScalarType::F64, CALL);                                  \
    }                                                                          \
    const double X = A[0].real();                                              \
    return fromReal(A[0].Type, CALL);                                          \
  }
WW_UNARY(applyExp, std::exp(X))
WW_UNARY(applyExp2, std::exp2(X))
WW_UNARY(applyExp10, std::pow(10, X))
WW_UNARY(applyExpm1, std::expm1(X))
WW_UNARY(applyLog, std::log(X))
WW_UNARY(applyLog2, std::log2(X))
WW_UNARY(applyLog10, std::log10(X))
WW_UNARY(applyLog1p, std::log1p(X))
WW_UNARY(applySqrt, std::sqrt(X))
WW_UNARY(applyRsqrt, 1 / std::sqrt(X))
WW_UNARY(applyCbrt, std::cbrt(X))
WW_UNARY(applySin, std::sin(X))
WW_UNARY(applyCos, std::cos(X))
WW_UNARY(applyTan, std::tan(X))
WW_UNARY(applyAsin, std::asin(X))
WW_UNARY(applyAcos, std::acos(X))
WW_UNARY(applyAtan, std::atan(X))
WW_UNARY(applySinh, std::sinh(X))
WW_UNARY(applyCosh, std::cosh(X))
WW_UNARY(applyTanh, std::tanh(X))
WW_UNARY(applyErf, std::erf(X))
WW_UNARY(applyErfc, std::erfc(X))
WW_UNARY(applyNormcdf, 0.5 * std::erfc(-X * 0.70710678118654752440))
WW_UNARY(applyFloor, std::floor(X))
WW_UNARY(applyCeil, std::ceil(X))
WW_UNARY(applyTrunc, std::trunc(X))
WW_UNARY(applyRound, std::round(X))
WW_UNARY(applyRint, std::rint(X))
WW_UNARY(applyRcp, 1 / X)
WW_UNARY(applyAcosh, std::acosh(X))
WW_UNARY(applyAsinh, std::asinh(X))
WW_UNARY(applyAtanh, std::atanh(X))
WW_UNARY(applyRcbrt, 1 / std::cbrt(X))
WW_UNARY(applySinpi, std::sin(X * 3.14159265358979323846))
WW_UNARY(applyCospi, std::cos(X * 3.14159265358979323846))
WW_UNARY(applyLgamma, logGamma(X))
WW_UNARY(applyTgamma, std::tgamma(X))
WW_UNARY(applyLogb, std::logb(X))
#undef WW_UNARY

/// The type in which numbers of several types are computed, as in C++'s
/// functions of <cmath> and CUDA's overloads: double, unless all are float or
/// half. Integers alone keep their type.
static llvm::SmallVector<Num, 3> inOneType(Args A) {
  llvm::SmallVector<Num, 3> Result(A.begin(), A.end());
  auto IsFloat = [](const Num &X) { return X.isFloat(); };
  auto IsFirst = [&](const Num &X) { return X.Type == A[0].Type; };
  if (llvm::all_of(A, IsFirst) || llvm::none_of(A, IsFloat))
    return Result;
  const bool Double = llvm::any_of(A, [](const Num &X) {
    return !X.isFloat() || X.Type == ScalarType::F64;
  });
  for (Num &X : Result)
    X = convert(Double ? ScalarType::F64 : ScalarType::F32, X).value_or(X);
  return Result;
}

#define WW_BINARY(NAME, CALL)                                                  \
  static Result NAME(Args A) {                                                 \
    if (A[0].Type == ScalarType::F32 && A[1].Type == ScalarType::F32) {        \
      const float X = asFloat(A[0].Bits), Y = asFloat(A[1].Bits);              \
      return Num{ScalarType::F32, bitsOf(static_cast<float>(CALL))};           \
    }                                                                          \
    const auto Both = inOneType(A);                                            \
    const double X = Both[0].real(), Y = Both[1].real();                       \
    return fromReal(Both[0].isFloat() ? Both[0].Type : ScalarType::F64, CALL); \
  }
WW_BINARY(applyPow, std::pow(X, Y))
WW_BINARY(applyFmod, std::fmod(X, Y))
WW_BINARY(applyHypot, std::hypot(X, Y))
WW_BINARY(applyAtan2, std::atan2(X, Y))
WW_BINARY(applyFdim, std::fdim(X, Y))
WW_BINARY(applyCopysign, std::copysign(X, Y))
WW_BINARY(applyRemainder, std::remainder(X, Y))
WW_BINARY(applyNextafter, std::nextafter(X, Y))
#undef WW_BINARY

static Num absolute(const Num &X) {
  if (X.isFloat())
    return {X.Type, X.Bits & lowBits(8 * byteSize(X.Type) - 1)};
  return X.integer() < 0 && X.isSigned() ? negate(X) : X;
}
static Result applyAbs(Args A) {
  // The absolute value of the smallest integer is undefined.
  if (!A[0].isFloat() && A[0].isSigned() &&
      A[0].Bits == uint64_t(1) << (8 * byteSize(A[0].Type) - 1))
    return std::nullopt;
  return absolute(A[0]);
}

static bool lessThan(const Num &L, const Num &R) {
  if (L.isFloat())
    return L.real() < R.real();
  return L.isSigned() ? L.integer() < R.integer() : L.Bits < R.Bits;
}
static bool isNan(const Num &X) { return X.isFloat() && std::isnan(X.real()); }

/// fmax and fmin: if one operand is NaN the result is the other one, and -0 is
/// below +0.
static Num extreme(const Num &L, const Num &R, bool Max) {
  if (isNan(L))
    return R;
  if (isNan(R))
    return L;
  if (L.isFloat() && L.real() == 0 && R.real() == 0)
    return std::signbit(L.real()) == Max ? R : L;
  return lessThan(L, R) == Max ? R : L;
}
static Result applyMax(Args A) {
  const auto Both = inOneType(A);
  return extreme(Both[0], Both[1], true);
}
static Result applyMin(Args A) {
  const auto Both = inOneType(A);
  return extreme(Both[0], Both[1], false);
}
static Result applyMaxNan(Args A) {
  return isNan(A[0]) ? A[0] : isNan(A[1]) ? A[1] : extreme(A[0], A[1], true);
}
static Result applyMinNan(Args A) {
  return isNan(A[0]) ? A[0] : isNan(A[1]) ? A[1] : extreme(A[0], A[1], false);
}

template <Arithmetic Op> static Result applyArithmetic(Args A) {
  return apply(Op, A[0], A[1]);
}
static Result applyFma(Args A) {
  const auto All = inOneType(A);
  return fma(All[0], All[1], All[2]);
}
static Result applyNeg(Args A) { return negate(A[0]); }
static Result applySaturate(Args A) {
  const double X = A[0].real();
  return fromReal(A[0].Type, X > 0 ? (X < 1 ? X : 1.0) : 0.0);
}
static Result applyFmaRelu(Args A) {
  const Num X = fma(A[0], A[1], A[2]);
  return isNan(X) || X.real() > 0 ? X : fromReal(X.Type, 0);
}

template <ScalarType T> static Result applyConvert(Args A) {
  return convert(T, A[0]);
}
using Rounding = llvm::RoundingMode;

template <ScalarType T, Rounding Mode> static Result applyRoundTo(Args A) {
  return convertRounded(T, A[0], Mode);
}
template <ScalarType T, Rounding Mode> static Result applyToInteger(Args A) {
  return saturateToInteger(T, A[0], Mode);
}
template <Arithmetic Op, Rounding Mode> static Result applyDirected(Args A) {
  return applyRounded(Op, A[0], A[1], Mode);
}
template <Rounding Mode> static Result applyDirectedFma(Args A) {
  return fmaRounded(A[0], A[1], A[2], Mode);
}
template <Rounding Mode> static Result applyDirectedRcp(Args A) {
  return applyRounded(Arithmetic::Div, fromReal(A[0].Type, 1), A[0], Mode);
}
/// x times two to the power of an integer.
static Result applyScale(Args A) {
  return fromReal(A[0].Type,
                  std::ldexp(A[0].real(), static_cast<int>(A[1].integer())));
}
template <ScalarType T> static Result applyBits(Args A) {
  return Num{T, A[0].Bits & lowBits(8 * byteSize(T))};
}

/// Half of the sum of two integers, rounded down or, with 1, up.
template <int Up> static Result applyAverage(Args A) {
  return fromInteger(A[0].Type, (A[0].integer() + A[1].integer() + Up) >> 1);
}
/// The headers have two functions of the name __hadd: one adds two halves.
static Result applyHalfAdd(Args A) {
  return A[0].isFloat() ? apply(Arithmetic::Add, A[0], A[1])
                        : applyAverage<0>(A);
}
template <Arithmetic Op> static Result applySaturated(Args A) {
  const Result X = apply(Op, A[0], A[1]);
  return applySaturate(*X);
}
static Result applySaturatedFma(Args A) {
  return applySaturate(fma(A[0], A[1], A[2]));
}

// Functions of integers.
static Result applyMul24(Args A) {
  auto Of = [](const Num &X) {
    return X.isSigned() ? signExtend(X.Bits, 24)
                        : static_cast<int64_t>(X.Bits & lowBits(24));
  };
  return fromInteger(A[0].Type, Of(A[0]) * Of(A[1]));
}
static Result applyMulHigh(Args A) {
  if (byteSize(A[0].Type) > 4)
    return std::nullopt;
  return fromInteger(A[0].Type,
                     A[0].isSigned()
                         ? (A[0].integer() * A[1].integer()) >> 32
                         : static_cast<int64_t>((A[0].Bits * A[1].Bits) >> 32));
}
static Result applySad(Args A) {
  const int64_t L = A[0].integer(), R = A[1].integer();
  return fromInteger(S::U32, (L < R ? R - L : L - R) + A[2].integer());
}
static Result applyPopc(Args A) {
  return fromInteger(S::I32, llvm::popcount(A[0].Bits));
}
static Result applyClz(Args A) {
  return fromInteger(S::I32, llvm::countl_zero(A[0].Bits) -
                                 (64 - 8 * int(byteSize(A[0].Type))));
}
static Result applyFfs(Args A) {
  return fromInteger(S::I32, A[0].Bits ? 1 + llvm::countr_zero(A[0].Bits) : 0);
}
static Result applyBrev(Args A) {
  return Num{A[0].Type,
             llvm::reverseBits(A[0].Bits) >> (64 - 8 * byteSize(A[0].Type))};
}

static Result applySignbit(Args A) {
  return Num{ScalarType::Bool, A[0].Bits >> (8 * byteSize(A[0].Type) - 1)};
}
static Result applyIsNan(Args A) {
  return Num{ScalarType::Bool, uint64_t(isNan(A[0]))};
}
static Result applyIsInf(Args A) {
  return Num{ScalarType::Bool,
             uint64_t(A[0].isFloat() && std::isinf(A[0].real()))};
}
static Result applyIsFinite(Args A) {
  return Num{ScalarType::Bool, uint64_t(std::isfinite(A[0].real()))};
}
/// A comparison that also holds if one side is a NaN.
template <int Op> static Result applyCompare(Args A);
template <int Op> static Result applyUnordered(Args A) {
  return isNan(A[0]) || isNan(A[1]) ? Num{ScalarType::Bool, 1}
                                    : applyCompare<Op>(A);
}
template <int Op> static Result applyCompare(Args A) {
  const double L = A[0].real(), R = A[1].real();
  const bool B = Op == 0   ? L == R
                 : Op == 1 ? L < R || L > R
                 : Op == 2 ? L < R
                 : Op == 3 ? L <= R
                 : Op == 4 ? L > R
                           : L >= R;
  return Num{ScalarType::Bool, uint64_t(B)};
}

/// PTX ISA, cvt.rna.tf32: to 10 bits of fraction, ties away from zero.
static Result applyToTf32(Args A) {
  const uint64_t Bits = A[0].Bits;
  if (!std::isfinite(A[0].real()))
    return A[0];
  return Num{A[0].Type, (Bits + 0x1000) & 0xffffe000};
}

static Result applyIdentity(Args A) { return A[0]; }

/// The functions whose name ends in the rounding \p Mode, such as `rn` or `rz`.
template <Rounding Mode>
static void addRounded(llvm::StringMap<HeaderFunction> &T,
                       llvm::StringRef Suffix) {
  using Function = Result (*)(Args);
  struct Target {
    const char *Name;
    Function Convert;
  };
  static constexpr Target Integers[] = {
      {"char", applyToInteger<S::I8, Mode>},
      {"uchar", applyToInteger<S::U8, Mode>},
      {"short", applyToInteger<S::I16, Mode>},
      {"ushort", applyToInteger<S::U16, Mode>},
      {"int", applyToInteger<S::I32, Mode>},
      {"uint", applyToInteger<S::U32, Mode>},
      {"ll", applyToInteger<S::I64, Mode>},
      {"ull", applyToInteger<S::U64, Mode>}};
  static constexpr Target Floats[] = {{"half", applyRoundTo<S::F16, Mode>},
                                      {"bfloat16", applyRoundTo<S::BF16, Mode>},
                                      {"float", applyRoundTo<S::F32, Mode>},
                                      {"double", applyRoundTo<S::F64, Mode>}};
  auto Add = [&](const llvm::Twine &Name, unsigned Arity, Function Apply) {
    for (const char *Prefix : {"__", "__nv_"})
      T[(Prefix + Name + "_" + Suffix).str()] = {Arity, Apply, true};
  };
  auto Convert = [&](llvm::StringRef From, const Target &To) {
    if (From != To.Name)
      Add(From + "2" + To.Name, 1, To.Convert);
  };
  for (const Target &Float : Floats) {
    for (const Target &Integer : Integers) {
      Convert(Float.Name, Integer);
      Convert(Integer.Name, Float);
    }
    for (const Target &Other : Floats)
      Convert(Float.Name, Other);
  }
  for (const char *Kind : {"f", "d"}) {
    const llvm::StringRef K = Kind;
    Add(K + "add", 2, applyDirected<Arithmetic::Add, Mode>);
    Add(K + "sub", 2, applyDirected<Arithmetic::Sub, Mode>);
    Add(K + "mul", 2, applyDirected<Arithmetic::Mul, Mode>);
    Add(K + "div", 2, applyDirected<Arithmetic::Div, Mode>);
    Add(K + "rcp", 1, applyDirectedRcp<Mode>);
  }
  Add("fmaf", 3, applyDirectedFma<Mode>);
  Add("fma", 3, applyDirectedFma<Mode>);
}

static const llvm::StringMap<HeaderFunction> &table() {
  static const llvm::StringMap<HeaderFunction> Table = [] {
    llvm::StringMap<HeaderFunction> T;
    auto Add = [&](std::initializer_list<const char *> Names, unsigned Arity,
                   Result (*Apply)(Args), bool Exact) {
      for (const char *Name : Names)
        T[Name] = {Arity, Apply, Exact};
    };
    // Mathematical functions. libdevice has the same names with the prefix
    // __nv_.
    struct Row {
      const char *Name;
      unsigned Arity;
      Result (*Apply)(Args);
      bool Exact;
    };
    static constexpr Row Math[] = {
        {"exp", 1, applyExp, false},
        {"exp2", 1, applyExp2, false},
        {"exp10", 1, applyExp10, false},
        {"expm1", 1, applyExpm1, false},
        {"log", 1, applyLog, false},
        {"log2", 1, applyLog2, false},
        {"log10", 1, applyLog10, false},
        {"log1p", 1, applyLog1p, false},
        {"sqrt", 1, applySqrt, true},
        {"rsqrt", 1, applyRsqrt, false},
        {"cbrt", 1, applyCbrt, false},
        {"sin", 1, applySin, false},
        {"cos", 1, applyCos, false},
        {"tan", 1, applyTan, false},
        {"asin", 1, applyAsin, false},
        {"acos", 1, applyAcos, false},
        {"atan", 1, applyAtan, false},
        {"sinh", 1, applySinh, false},
        {"cosh", 1, applyCosh, false},
        {"tanh", 1, applyTanh, false},
        {"erf", 1, applyErf, false},
        {"erfc", 1, applyErfc, false},
        {"normcdf", 1, applyNormcdf, false},
        {"floor", 1, applyFloor, true},
        {"ceil", 1, applyCeil, true},
        {"trunc", 1, applyTrunc, true},
        {"round", 1, applyRound, true},
        {"rint", 1, applyRint, true},
        {"nearbyint", 1, applyRint, true},
        {"fabs", 1, applyAbs, true},
        {"pow", 2, applyPow, false},
        {"fmod", 2, applyFmod, true},
        {"hypot", 2, applyHypot, false},
        {"atan2", 2, applyAtan2, false},
        {"fdim", 2, applyFdim, true},
        {"copysign", 2, applyCopysign, true},
        {"fmax", 2, applyMax, true},
        {"fmin", 2, applyMin, true},
        {"fma", 3, applyFma, true},
        {"acosh", 1, applyAcosh, false},
        {"asinh", 1, applyAsinh, false},
        {"atanh", 1, applyAtanh, false},
        {"rcbrt", 1, applyRcbrt, false},
        {"sinpi", 1, applySinpi, false},
        {"cospi", 1, applyCospi, false},
        {"lgamma", 1, applyLgamma, false},
        {"tgamma", 1, applyTgamma, false},
        {"logb", 1, applyLogb, true},
        {"remainder", 2, applyRemainder, true},
        {"nextafter", 2, applyNextafter, true},
        {"ldexp", 2, applyScale, true},
        {"scalbn", 2, applyScale, true},
        {"lrint", 1, applyToInteger<S::I64, Rounding::NearestTiesToEven>, true},
        {"llrint", 1, applyToInteger<S::I64, Rounding::NearestTiesToEven>,
         true},
        {"lround", 1, applyToInteger<S::I64, Rounding::NearestTiesToAway>,
         true},
        {"llround", 1, applyToInteger<S::I64, Rounding::NearestTiesToAway>,
         true},
    };
    for (const Row &R : Math)
      for (const char *Prefix : {"", "__nv_"})
        for (const char *Suffix : {"", "f"})
          T[(llvm::Twine(Prefix) + R.Name + Suffix).str()] = {R.Arity, R.Apply,
                                                              R.Exact};
    static constexpr Row Fast[] = {
        {"exp", 1, applyExp, false},          {"exp10", 1, applyExp10, false},
        {"log", 1, applyLog, false},          {"log2", 1, applyLog2, false},
        {"log10", 1, applyLog10, false},      {"sin", 1, applySin, false},
        {"cos", 1, applyCos, false},          {"tan", 1, applyTan, false},
        {"tanh", 1, applyTanh, false},        {"pow", 2, applyPow, false},
        {"saturate", 1, applySaturate, true},
    };
    for (const Row &R : Fast)
      for (const char *Prefix : {"__", "__nv_fast_"})
        T[(llvm::Twine(Prefix) + R.Name + "f").str()] = {R.Arity, R.Apply,
                                                         R.Exact};
    for (const char *Name : {"__saturatef", "__nv_saturatef"})
      T[Name] = {1, applySaturate, true};
    // Half and bfloat16.
    static constexpr Row Half[] = {
        {"exp", 1, applyExp, false},          {"exp2", 1, applyExp2, false},
        {"exp10", 1, applyExp10, false},      {"log", 1, applyLog, false},
        {"log2", 1, applyLog2, false},        {"log10", 1, applyLog10, false},
        {"sqrt", 1, applySqrt, true},         {"rsqrt", 1, applyRsqrt, false},
        {"rcp", 1, applyRcp, false},          {"sin", 1, applySin, false},
        {"cos", 1, applyCos, false},          {"tanh", 1, applyTanh, false},
        {"tanh_approx", 1, applyTanh, false}, {"floor", 1, applyFloor, true},
        {"ceil", 1, applyCeil, true},         {"trunc", 1, applyTrunc, true},
        {"rint", 1, applyRint, true},
    };
    for (const Row &R : Half)
      T[(llvm::Twine("h") + R.Name).str()] = {R.Arity, R.Apply, R.Exact};
    Add({"__hadd"}, 2, applyHalfAdd, true);
    Add({"__hadd_rn"}, 2, applyArithmetic<Arithmetic::Add>, true);
    Add({"__hsub", "__hsub_rn"}, 2, applyArithmetic<Arithmetic::Sub>, true);
    Add({"__hmul", "__hmul_rn"}, 2, applyArithmetic<Arithmetic::Mul>, true);
    Add({"__hdiv", "hdiv"}, 2, applyArithmetic<Arithmetic::Div>, true);
    Add({"__hfma"}, 3, applyFma, true);
    Add({"__hfma_relu"}, 3, applyFmaRelu, true);
    Add({"__hadd_sat"}, 2, applySaturated<Arithmetic::Add>, true);
    Add({"__hsub_sat"}, 2, applySaturated<Arithmetic::Sub>, true);
    Add({"__hmul_sat"}, 2, applySaturated<Arithmetic::Mul>, true);
    Add({"__hfma_sat"}, 3, applySaturatedFma, true);
    Add({"__hneg"}, 1, applyNeg, true);
    Add({"__habs"}, 1, applyAbs, true);
    Add({"__hmax"}, 2, applyMax, true);
    Add({"__hmin"}, 2, applyMin, true);
    Add({"__hmax_nan"}, 2, applyMaxNan, true);
    Add({"__hmin_nan"}, 2, applyMinNan, true);
    Add({"__hisnan"}, 1, applyIsNan, true);
    Add({"__heq"}, 2, applyCompare<0>, true);
    Add({"__hne"}, 2, applyCompare<1>, true);
    Add({"__hlt"}, 2, applyCompare<2>, true);
    Add({"__hle"}, 2, applyCompare<3>, true);
    Add({"__hgt"}, 2, applyCompare<4>, true);
    Add({"__hge"}, 2, applyCompare<5>, true);
    Add({"__hequ"}, 2, applyUnordered<0>, true);
    Add({"__hneu"}, 2, applyUnordered<1>, true);
    Add({"__hltu"}, 2, applyUnordered<2>, true);
    Add({"__hleu"}, 2, applyUnordered<3>, true);
    Add({"__hgtu"}, 2, applyUnordered<4>, true);
    Add({"__hgeu"}, 2, applyUnordered<5>, true);
    Add({"__hisinf"}, 1, applyIsInf, true);
    Add({"__float2half", "__double2half"}, 1, applyConvert<S::F16>, true);
    Add({"__float2bfloat16", "__double2bfloat16"}, 1, applyConvert<S::BF16>,
        true);
    Add({"__half2float", "__bfloat162float"}, 1, applyConvert<S::F32>, true);
    // Conversions of numbers out of range are undefined in C++; LLVM's
    // saturating conversions are defined.
    constexpr Rounding Zero = Rounding::TowardZero;
    Add({"static_cast<signed char>"}, 1, applyToInteger<S::I8, Zero>, true);
    Add({"static_cast<unsigned char>"}, 1, applyToInteger<S::U8, Zero>, true);
    Add({"static_cast<short>"}, 1, applyToInteger<S::I16, Zero>, true);
    Add({"static_cast<unsigned short>"}, 1, applyToInteger<S::U16, Zero>, true);
    Add({"static_cast<int>"}, 1, applyToInteger<S::I32, Zero>, true);
    Add({"static_cast<unsigned int>"}, 1, applyToInteger<S::U32, Zero>, true);
    Add({"static_cast<long long>"}, 1, applyToInteger<S::I64, Zero>, true);
    Add({"static_cast<unsigned long long>"}, 1, applyToInteger<S::U64, Zero>,
        true);
    addRounded<Rounding::NearestTiesToEven>(T, "rn");
    addRounded<Rounding::TowardZero>(T, "rz");
    addRounded<Rounding::TowardPositive>(T, "ru");
    addRounded<Rounding::TowardNegative>(T, "rd");
    Add({"__half_as_ushort", "__bfloat16_as_ushort"}, 1, applyBits<S::U16>,
        true);
    Add({"__half_as_short", "__bfloat16_as_short"}, 1, applyBits<S::I16>, true);
    Add({"__ushort_as_half", "__short_as_half"}, 1, applyBits<S::F16>, true);
    Add({"__ushort_as_bfloat16", "__short_as_bfloat16"}, 1, applyBits<S::BF16>,
        true);
    Add({"__float_as_int"}, 1, applyBits<S::I32>, true);
    Add({"__float_as_uint"}, 1, applyBits<S::U32>, true);
    Add({"__int_as_float", "__uint_as_float"}, 1, applyBits<S::F32>, true);
    for (const char *Name : {"__frsqrt_rn", "__nv_frsqrt_rn"})
      T[Name] = {1, applyRsqrt, false};
    for (const char *Name :
         {"__fsqrt_rn", "__nv_fsqrt_rn", "__dsqrt_rn", "__nv_dsqrt_rn"})
      T[Name] = {1, applySqrt, true};
    Add({"__fdividef", "__nv_fast_fdividef", "fdividef"}, 2,
        applyArithmetic<Arithmetic::Div>, false);
    Add({"max", "__nv_max", "__nv_llmax", "umax", "llmax"}, 2, applyMax, true);
    Add({"min", "__nv_min", "__nv_llmin", "umin", "llmin"}, 2, applyMin, true);
    Add({"abs", "labs", "llabs", "__nv_abs", "__nv_llabs"}, 1, applyAbs, true);
    Add({"__mul24", "__umul24", "__nv_mul24", "__nv_umul24"}, 2, applyMul24,
        true);
    Add({"__mulhi", "__umulhi", "__nv_mulhi", "__nv_umulhi"}, 2, applyMulHigh,
        true);
    Add({"__sad", "__usad", "__nv_sad", "__nv_usad"}, 3, applySad, true);
    Add({"__popc", "__popcll", "__nv_popc", "__nv_popcll"}, 1, applyPopc, true);
    Add({"__clz", "__clzll", "__nv_clz", "__nv_clzll"}, 1, applyClz, true);
    Add({"__ffs", "__ffsll", "__nv_ffs", "__nv_ffsll"}, 1, applyFfs, true);
    Add({"__brev", "__brevll", "__nv_brev", "__nv_brevll"}, 1, applyBrev, true);
    Add({"__uhadd", "__nv_hadd", "__nv_uhadd"}, 2, applyAverage<0>, true);
    Add({"__rhadd", "__urhadd", "__nv_rhadd", "__nv_urhadd"}, 2,
        applyAverage<1>, true);
    Add({"signbit", "__nv_signbitf", "__nv_signbitd"}, 1, applySignbit, true);
    Add({"isnan", "__nv_isnanf", "__nv_isnand"}, 1, applyIsNan, true);
    Add({"isinf", "__nv_isinff", "__nv_isinfd"}, 1, applyIsInf, true);
    Add({"isfinite", "__nv_finitef", "__nv_isfinited"}, 1, applyIsFinite, true);
    // Conversions and arithmetic written as operators and constructors.
    Add({"__half::operator float", "__nv_bfloat16::operator float"}, 1,
        applyConvert<S::F32>, true);
    Add({"__half::operator __half_raw",
         "__nv_bfloat16::operator __nv_bfloat16_raw"},
        1, applyIdentity, true);
    Add({"__half::__half", "__half::operator="}, 1, applyConvert<S::F16>, true);
    Add({"__nv_bfloat16::__nv_bfloat16", "__nv_bfloat16::operator="}, 1,
        applyConvert<S::BF16>, true);
    Add({"unary operator+"}, 1, applyIdentity, true);
    Add({"unary operator-"}, 1, applyNeg, true);
    Add({"operator+", "operator+="}, 2, applyArithmetic<Arithmetic::Add>, true);
    Add({"operator-", "operator-="}, 2, applyArithmetic<Arithmetic::Sub>, true);
    Add({"operator*", "operator*="}, 2, applyArithmetic<Arithmetic::Mul>, true);
    Add({"operator/", "operator/="}, 2, applyArithmetic<Arithmetic::Div>, true);
    Add({"operator=="}, 2, applyCompare<0>, true);
    Add({"operator!="}, 2, applyCompare<1>, true);
    Add({"operator<"}, 2, applyCompare<2>, true);
    Add({"operator<="}, 2, applyCompare<3>, true);
    Add({"operator>"}, 2, applyCompare<4>, true);
    Add({"operator>="}, 2, applyCompare<5>, true);
    Add({"__float_to_tf32"}, 1, applyToTf32, true);
    Add({"__ldg", "__ldcg", "__ldca", "__ldcs", "__ldlu", "__ldcv"}, 1,
        applyIdentity, true);
    return T;
  }();
  return Table;
}

const HeaderFunction *findHeaderFunction(llvm::StringRef Name, unsigned Arity) {
  Name.consume_front("::");
  Name.consume_front("std::");
  Name.consume_front("nvcuda::wmma::");
  // The names of the table have one arity each.
  const bool IsSign =
      Arity == 1 && (Name == "operator+" || Name == "operator-");
  auto It = table().find(IsSign ? ("unary " + Name).str() : Name.str());
  if (It == table().end() || It->second.Arity != Arity)
    return nullptr;
  return &It->second;
}

} // namespace execute
} // namespace warpwright
