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

using Args = llvm::ArrayRef<Num>;
using Result = std::optional<Num>;

/// Results of half functions are the float function's, rounded.
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
#undef WW_UNARY

/// What numbers of several types are computed in, as C++'s functions of <cmath>
/// and CUDA's overloads do: in double, unless all are float or half. Integers
/// among themselves stay what they are.
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
#undef WW_BINARY

static Num absolute(const Num &X) {
  if (X.isFloat())
    return {X.Type, X.Bits & lowBits(8 * byteSize(X.Type) - 1)};
  return X.integer() < 0 && X.isSigned() ? negate(X) : X;
}
static Result applyAbs(Args A) {
  // The absolute value of the least integer is undefined.
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

/// fmax and fmin: a NaN gives way to the other operand, and -0 is below +0.
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
/// Conversions to integers that saturate, as the device's instructions do.
template <ScalarType T, int Mode> static Result applyToInteger(Args A) {
  double X = A[0].real();
  X = Mode == 0   ? std::trunc(X)
      : Mode == 1 ? std::rint(X)
      : Mode == 2 ? std::floor(X)
                  : std::ceil(X);
  const Num Probe = {T, 0};
  const int Bits = 8 * byteSize(T);
  const double Beyond = std::ldexp(1.0, Probe.isSigned() ? Bits - 1 : Bits);
  const double Least = Probe.isSigned() ? -Beyond : 0;
  if (std::isnan(X))
    X = 0;
  if (X >= Beyond)
    return Num{T, lowBits(Probe.isSigned() ? Bits - 1 : Bits)};
  if (X < Least)
    X = Least;
  return convert(T, Num{ScalarType::F64, bitsOf(X)});
}
template <ScalarType T> static Result applyBits(Args A) {
  return Num{T, A[0].Bits & lowBits(8 * byteSize(T))};
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

static Result applyIdentity(Args A) { return A[0]; }

using S = ScalarType;

static const llvm::StringMap<HeaderFunction> &table() {
  static const llvm::StringMap<HeaderFunction> Table = [] {
    llvm::StringMap<HeaderFunction> T;
    auto Add = [&](std::initializer_list<const char *> Names, unsigned Arity,
                   Result (*Apply)(Args), bool Exact) {
      for (const char *Name : Names)
        T[Name] = {Arity, Apply, Exact};
    };
    // Mathematical functions. libdevice calls them the same, with __nv_ before.
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
    Add({"__hadd", "__hadd_rn"}, 2, applyArithmetic<Arithmetic::Add>, true);
    Add({"__hsub", "__hsub_rn"}, 2, applyArithmetic<Arithmetic::Sub>, true);
    Add({"__hmul", "__hmul_rn"}, 2, applyArithmetic<Arithmetic::Mul>, true);
    Add({"__hdiv", "hdiv"}, 2, applyArithmetic<Arithmetic::Div>, true);
    Add({"__hfma"}, 3, applyFma, true);
    Add({"__hfma_relu"}, 3, applyFmaRelu, true);
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
    Add({"__float2half", "__float2half_rn", "__double2half", "__int2half_rn",
         "__uint2half_rn", "__ll2half_rn", "__ull2half_rn", "__short2half_rn",
         "__ushort2half_rn"},
        1, applyConvert<S::F16>, true);
    Add({"__float2bfloat16", "__float2bfloat16_rn", "__double2bfloat16",
         "__int2bfloat16_rn", "__uint2bfloat16_rn", "__ll2bfloat16_rn",
         "__ull2bfloat16_rn", "__short2bfloat16_rn", "__ushort2bfloat16_rn"},
        1, applyConvert<S::BF16>, true);
    Add({"__half2float", "__bfloat162float", "__int2float_rn",
         "__uint2float_rn", "__ll2float_rn", "__ull2float_rn",
         "__double2float_rn"},
        1, applyConvert<S::F32>, true);
    Add({"__int2double_rn", "__uint2double_rn", "__ll2double_rn",
         "__ull2double_rn"},
        1, applyConvert<S::F64>, true);
    Add({"__float2int_rz", "__double2int_rz", "__half2int_rz",
         "__bfloat162int_rz"},
        1, applyToInteger<S::I32, 0>, true);
    Add({"__float2int_rn", "__double2int_rn", "__half2int_rn",
         "__bfloat162int_rn"},
        1, applyToInteger<S::I32, 1>, true);
    Add({"__float2int_rd", "__double2int_rd"}, 1, applyToInteger<S::I32, 2>,
        true);
    Add({"__float2int_ru", "__double2int_ru"}, 1, applyToInteger<S::I32, 3>,
        true);
    Add({"__float2uint_rz"}, 1, applyToInteger<S::U32, 0>, true);
    Add({"__float2uint_rn"}, 1, applyToInteger<S::U32, 1>, true);
    Add({"__float2ll_rz"}, 1, applyToInteger<S::I64, 0>, true);
    Add({"__float2ll_rn"}, 1, applyToInteger<S::I64, 1>, true);
    Add({"__half_as_ushort", "__bfloat16_as_ushort"}, 1, applyBits<S::U16>,
        true);
    Add({"__half_as_short", "__bfloat16_as_short"}, 1, applyBits<S::I16>, true);
    Add({"__ushort_as_half", "__short_as_half"}, 1, applyBits<S::F16>, true);
    Add({"__ushort_as_bfloat16", "__short_as_bfloat16"}, 1, applyBits<S::BF16>,
        true);
    Add({"__float_as_int"}, 1, applyBits<S::I32>, true);
    Add({"__float_as_uint"}, 1, applyBits<S::U32>, true);
    Add({"__int_as_float", "__uint_as_float"}, 1, applyBits<S::F32>, true);
    // Float arithmetic with the rounding in the name.
    for (const char *Prefix : {"__", "__nv_"}) {
      const std::string P = Prefix;
      for (const char *Kind : {"f", "d"}) {
        T[P + Kind + "add_rn"] = {2, applyArithmetic<Arithmetic::Add>, true};
        T[P + Kind + "sub_rn"] = {2, applyArithmetic<Arithmetic::Sub>, true};
        T[P + Kind + "mul_rn"] = {2, applyArithmetic<Arithmetic::Mul>, true};
        T[P + Kind + "div_rn"] = {2, applyArithmetic<Arithmetic::Div>, true};
        T[P + Kind + "sqrt_rn"] = {1, applySqrt, true};
        T[P + Kind + "rcp_rn"] = {1, applyRcp, true};
      }
      T[P + "fmaf_rn"] = {3, applyFma, true};
      T[P + "fma_rn"] = {3, applyFma, true};
      T[P + "frsqrt_rn"] = {1, applyRsqrt, false};
    }
    Add({"__fdividef", "__nv_fast_fdividef", "fdividef"}, 2,
        applyArithmetic<Arithmetic::Div>, false);
    Add({"max", "__nv_max", "__nv_llmax", "umax", "llmax"}, 2, applyMax, true);
    Add({"min", "__nv_min", "__nv_llmin", "umin", "llmin"}, 2, applyMin, true);
    Add({"abs", "labs", "llabs", "__nv_abs", "__nv_llabs"}, 1, applyAbs, true);
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
    Add({"operator+"}, 2, applyArithmetic<Arithmetic::Add>, true);
    Add({"operator-"}, 2, applyArithmetic<Arithmetic::Sub>, true);
    Add({"operator*"}, 2, applyArithmetic<Arithmetic::Mul>, true);
    Add({"operator/"}, 2, applyArithmetic<Arithmetic::Div>, true);
    Add({"operator=="}, 2, applyCompare<0>, true);
    Add({"operator<"}, 2, applyCompare<2>, true);
    Add({"operator<="}, 2, applyCompare<3>, true);
    Add({"operator>"}, 2, applyCompare<4>, true);
    Add({"operator>="}, 2, applyCompare<5>, true);
    Add({"__ldg", "__ldcg", "__ldca", "__ldcs", "__ldlu", "__ldcv"}, 1,
        applyIdentity, true);
    return T;
  }();
  return Table;
}

const HeaderFunction *findHeaderFunction(llvm::StringRef Name, unsigned Arity) {
  Name.consume_front("::");
  Name.consume_front("std::");
  auto It = table().find(Name);
  if (It == table().end() || It->second.Arity != Arity)
    return nullptr;
  return &It->second;
}

} // namespace execute
} // namespace warpwright
