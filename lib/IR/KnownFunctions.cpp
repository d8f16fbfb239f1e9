//===-- KnownFunctions.cpp - Functions of the CUDA headers ----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sources: the CUDA C++ Programming Guide (mathematical functions, intrinsics),
// the CUDA Math API (half and bfloat16 precision), and the headers themselves.
//
//===----------------------------------------------------------------------===//

#include "warpwright/IR/KnownFunctions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

namespace warpwright {

static const llvm::StringMap<KnownOp> &namedRows() {
  static const auto *Rows = [] {
    auto *R = new llvm::StringMap<KnownOp>;
    auto Add = [&](KnownOp Op, std::initializer_list<const char *> Names) {
      for (const char *Name : Names)
        (*R)[Name] = Op;
    };
    Add(KnownOp::Convert,
        {"__half2float",      "__bfloat162float",    "__float2half",
         "__float2half_rn",   "__float2bfloat16",    "__float2bfloat16_rn",
         "__double2half",     "__double2bfloat16",   "__int2half_rn",
         "__uint2half_rn",    "__int2bfloat16_rn",   "__uint2bfloat16_rn",
         "__short2half_rn",   "__ushort2half_rn",    "__ll2half_rn",
         "__ull2half_rn",     "__short2bfloat16_rn", "__ushort2bfloat16_rn",
         "__ll2bfloat16_rn",  "__ull2bfloat16_rn",   "__int2float_rn",
         "__uint2float_rn",   "__ll2float_rn",       "__ull2float_rn",
         "__double2float_rn", "__int2double_rn",     "__uint2double_rn",
         "__ll2double_rn",    "__ull2double_rn"});
    Add(KnownOp::Add, {"__hadd", "__hadd_rn", "__fadd_rn", "__dadd_rn",
                       "__hadd2", "__hadd2_rn"});
    Add(KnownOp::Sub, {"__hsub", "__hsub_rn", "__fsub_rn", "__dsub_rn",
                       "__hsub2", "__hsub2_rn"});
    Add(KnownOp::Mul, {"__hmul", "__hmul_rn", "__fmul_rn", "__dmul_rn",
                       "__hmul2", "__hmul2_rn"});
    Add(KnownOp::Div, {"__hdiv", "__fdiv_rn", "__ddiv_rn", "__h2div"});
    Add(KnownOp::Fma,
        {"fmaf", "fma", "__fmaf_rn", "__fma_rn", "__hfma", "__hfma2"});
    Add(KnownOp::Neg, {"__hneg", "__hneg2"});
    Add(KnownOp::Less, {"__hlt"});
    Add(KnownOp::LessEqual, {"__hle"});
    Add(KnownOp::Greater, {"__hgt"});
    Add(KnownOp::GreaterEqual, {"__hge"});
    Add(KnownOp::Equal, {"__heq"});
    Add(KnownOp::Low,
        {"__low2float", "__low2half", "__low2bfloat16", "__low2half2",
         "__low2bfloat162", "__lows2half2", "__lows2bfloat162"});
    Add(KnownOp::High,
        {"__high2float", "__high2half", "__high2bfloat16", "__high2half2",
         "__high2bfloat162", "__highs2half2", "__highs2bfloat162"});
    Add(KnownOp::Both, {"__half22float2", "__bfloat1622float2",
                        "__float22half2_rn", "__float22bfloat162_rn"});
    Add(KnownOp::Pack,
        {"make_float2", "make_float3", "make_float4", "make_double2",
         "make_half2", "make_bfloat162", "__halves2half2", "__halves2bfloat162",
         "__floats2half2_rn", "__floats2bfloat162_rn"});
    Add(KnownOp::Splat, {"__half2half2", "__bfloat162bfloat162",
                         "__float2half2_rn", "__float2bfloat162_rn"});
    Add(KnownOp::ToFloat8,
        {"__nv_cvt_float_to_fp8", "__nv_cvt_float2_to_fp8x2",
         "__nv_cvt_double_to_fp8", "__nv_cvt_double2_to_fp8x2",
         "__nv_cvt_halfraw_to_fp8", "__nv_cvt_halfraw2_to_fp8x2",
         "__nv_cvt_bfloat16raw_to_fp8", "__nv_cvt_bfloat16raw2_to_fp8x2"});
    Add(KnownOp::FromFloat8,
        {"__nv_cvt_fp8_to_halfraw", "__nv_cvt_fp8x2_to_halfraw2"});
    Add(KnownOp::Load,
        {"__ldg", "__ldca", "__ldcg", "__ldcs", "__ldcv", "__ldlu"});
    Add(KnownOp::Store, {"__stcs", "__stcg", "__stwb", "__stwt"});
    Add(KnownOp::Minimum, {"min", "umin", "llmin", "ullmin"});
    Add(KnownOp::Maximum, {"max", "umax", "llmax", "ullmax"});
    Add(KnownOp::Multiply24, {"__mul24", "__umul24"});
    Add(KnownOp::Barrier, {"__syncthreads", "__syncwarp"});
    Add(KnownOp::Fence,
        {"__threadfence", "__threadfence_block", "__threadfence_system"});
    Add(KnownOp::CopyAsync,
        {"__pipeline_memcpy_async", "__warpwright_memcpy_async"});
    Add(KnownOp::CopyCommit, {"__pipeline_commit"});
    Add(KnownOp::CopyWait, {"__pipeline_wait_prior"});
    Add(KnownOp::Exchange, {"__shfl",
                            "__shfl_up",
                            "__shfl_down",
                            "__shfl_xor",
                            "__shfl_sync",
                            "__shfl_up_sync",
                            "__shfl_down_sync",
                            "__shfl_xor_sync",
                            "__all",
                            "__any",
                            "__ballot",
                            "__all_sync",
                            "__any_sync",
                            "__uni_sync",
                            "__ballot_sync",
                            "__activemask",
                            "__match_any_sync",
                            "__match_all_sync",
                            "__reduce_add_sync",
                            "__reduce_min_sync",
                            "__reduce_max_sync",
                            "__reduce_and_sync",
                            "__reduce_or_sync",
                            "__reduce_xor_sync"});
    Add(KnownOp::BarrierVote,
        {"__syncthreads_count", "__syncthreads_and", "__syncthreads_or"});
    Add(KnownOp::Effect,
        {"printf", "__trap", "__brkpt", "__nanosleep", "vprintf", "malloc",
         "free", "clock", "clock64", "__prof_trigger"});
    Add(KnownOp::Assertion, {"__assert_fail", "__assertfail", "__assert"});
    Add(KnownOp::Nothing, {"__builtin_assume", "__assume"});
    Add(KnownOp::First, {"__builtin_expect", "__builtin_assume_aligned"});
    for (const char *Register :
         {"threadIdx", "blockIdx", "blockDim", "gridDim"})
      for (auto [Suffix, Op] : {std::pair{"x", KnownOp::SpecialX},
                                {"y", KnownOp::SpecialY},
                                {"z", KnownOp::SpecialZ}})
        (*R)[(llvm::Twine("__cuda_builtin_") + Register +
              "_t::__fetch_builtin_" + Suffix)
                 .str()] = Op;
    return R;
  }();
  return *Rows;
}

/// Functions of the CUDA Math API whose results depend on their arguments
/// alone. In this list `f` stands for the single-precision name, which ends in
/// `f`.
static const llvm::StringSet<> &mathFunctions() {
  static const auto *Names = [] {
    auto *N = new llvm::StringSet<>;
    for (const char *Name : {"acos",         "acosh",      "asin",
                             "asinh",        "atan",       "atan2",
                             "atanh",        "cbrt",       "ceil",
                             "copysign",     "cos",        "cosh",
                             "cospi",        "erf",        "erfc",
                             "erfcinv",      "erfcx",      "erfinv",
                             "exp",          "exp10",      "exp2",
                             "expm1",        "fabs",       "fdim",
                             "floor",        "fmax",       "fmin",
                             "fmod",         "hypot",      "j0",
                             "j1",           "lgamma",     "log",
                             "log10",        "log1p",      "log2",
                             "logb",         "nearbyint",  "nextafter",
                             "normcdf",      "normcdfinv", "pow",
                             "rcbrt",        "remainder",  "rhypot",
                             "rint",         "round",      "rsqrt",
                             "sin",          "sinh",       "sinpi",
                             "sqrt",         "tan",        "tanh",
                             "tgamma",       "trunc",      "y0",
                             "y1",           "norm3d",     "norm4d",
                             "rnorm3d",      "rnorm4d",    "cyl_bessel_i0",
                             "cyl_bessel_i1"}) {
      N->insert(Name);
      N->insert((llvm::Twine(Name) + "f").str());
    }
    for (const char *Name :
         {"abs", "labs", "llabs", "fdividef", "fdivide", "ldexp", "ldexpf",
          "scalbn", "scalbnf", "scalbln", "scalblnf", "ilogb", "ilogbf",
          "isnan", "isinf", "isfinite", "signbit", "isnanf", "isinff",
          "finitef", "lrint", "lrintf", "llrint", "llrintf", "lround",
          "lroundf", "llround", "llroundf", "saturate",
          // Intrinsics.
          "__cosf", "__exp10f", "__expf", "__fdividef", "__log10f", "__log2f",
          "__logf", "__powf", "__saturatef", "__sinf", "__tanf", "__tanhf",
          "__frcp_rn", "__frsqrt_rn", "__fsqrt_rn", "__drcp_rn", "__dsqrt_rn",
          "__fadd_rd", "__fadd_ru", "__fadd_rz", "__fsub_rd", "__fsub_ru",
          "__fsub_rz", "__fmul_rd", "__fmul_ru", "__fmul_rz", "__fmaf_rd",
          "__fmaf_ru", "__fmaf_rz", "__fdiv_rd", "__fdiv_ru", "__fdiv_rz",
          "__frcp_rd", "__frcp_ru", "__frcp_rz", "__fsqrt_rd", "__fsqrt_ru",
          "__fsqrt_rz", "__dadd_rd", "__dadd_ru", "__dadd_rz", "__dsub_rd",
          "__dsub_ru", "__dsub_rz", "__dmul_rd", "__dmul_ru", "__dmul_rz",
          "__ddiv_rd", "__ddiv_ru", "__ddiv_rz", "__fma_rd", "__fma_ru",
          "__fma_rz", "__double2float_rd", "__double2float_ru",
          "__double2float_rz", "__float2int_rd", "__float2int_rn",
          "__float2int_ru", "__float2int_rz", "__float2uint_rd",
          "__float2uint_rn", "__float2uint_ru", "__float2uint_rz",
          "__float2ll_rd", "__float2ll_rn", "__float2ll_ru", "__float2ll_rz",
          "__int2float_rd", "__int2float_ru", "__int2float_rz",
          "__uint2float_rd", "__uint2float_ru", "__uint2float_rz",
          "__float_as_int", "__int_as_float", "__float_as_uint",
          "__uint_as_float", "__double2int_rn", "__double2int_rz",
          "__double2int_rd", "__double2int_ru", "__popc", "__popcll", "__clz",
          "__ffs", "__brev", "__mulhi", "__umulhi", "__sad", "__usad", "__hadd",
          "__uhadd", "__rhadd", "__urhadd", "__hadd_sat", "__hsub_sat",
          "__hmul_sat", "__hfma_sat", "__hfma_relu", "__habs", "__hmax",
          "__hmin", "__hmax_nan", "__hmin_nan", "__hisnan", "__hisinf", "hceil",
          "hcos", "hexp", "hexp10", "hexp2", "hfloor", "hlog", "hlog10",
          "hlog2", "hrcp", "hrint", "hrsqrt", "hsin", "hsqrt", "htanh",
          "htrunc", "htanh_approx", "__hne", "__hneu", "__hequ", "__hltu",
          "__hgtu", "__hleu", "__hgeu", "__float2half_rd", "__float2half_ru",
          "__float2half_rz", "__float2bfloat16_rd", "__float2bfloat16_ru",
          "__float2bfloat16_rz", "__half2int_rd", "__half2int_rn",
          "__half2int_ru", "__half2int_rz", "__half2uint_rd", "__half2uint_rn",
          "__half2uint_ru", "__half2uint_rz", "__half2short_rd",
          "__half2short_rn", "__half2short_ru", "__half2short_rz",
          "__half2ushort_rd", "__half2ushort_rn", "__half2ushort_ru",
          "__half2ushort_rz", "__half2ll_rn", "__half2ll_rz", "__half2ull_rn",
          "__half2ull_rz", "__bfloat162int_rd", "__bfloat162int_rn",
          "__bfloat162int_ru", "__bfloat162int_rz", "__bfloat162uint_rn",
          "__bfloat162uint_rz", "__half_as_short", "__half_as_ushort",
          "__short_as_half", "__ushort_as_half", "__bfloat16_as_short",
          "__bfloat16_as_ushort", "__short_as_bfloat16", "__ushort_as_bfloat16",
          "__half2char_rz", "__half2uchar_rz", "__bfloat162char_rz",
          "__bfloat162uchar_rz"})
      N->insert(Name);
    return N;
  }();
  return *Names;
}

/// The classes of 8 bits. Their conversions from and to integers are executed.
static std::optional<KnownOp> float8Member(const FunctionInfo &F,
                                           llvm::StringRef Class,
                                           llvm::StringRef Member) {
  llvm::StringRef Kind = Class;
  if (!Kind.consume_front("__nv_fp8"))
    return std::nullopt;
  Kind.consume_front("x2") || Kind.consume_front("x4");
  if (Kind != "_e4m3" && Kind != "_e5m2")
    return std::nullopt;
  auto IsNumbers = [](const TypeInfo &T) {
    return (T.K == TypeInfo::Kind::Scalar || T.K == TypeInfo::Kind::Vector) &&
           isFloating(T.Element) && (!T.Indirect || T.Reference);
  };
  if (Member == Class) {
    if (F.Params.empty())
      return KnownOp::Copy;
    unsigned Lanes = 0;
    for (const TypeInfo &P : F.Params) {
      Lanes += P.Lanes;
      if (!IsNumbers(P) || isFloat8(P.Element))
        return std::nullopt;
    }
    return Lanes == F.This.Lanes ? std::optional(KnownOp::Construct)
                                 : std::nullopt;
  }
  if (Member.starts_with("operator ") && F.Params.empty() &&
      F.Result.Lanes == F.This.Lanes &&
      (IsNumbers(F.Result) || F.Result.Element == ScalarType::Bool))
    return KnownOp::ReadThis;
  return std::nullopt;
}

/// The classes of half precision, whose members are recognised by their form.
static std::optional<KnownOp> halfMember(const FunctionInfo &F,
                                         llvm::StringRef Class,
                                         llvm::StringRef Member) {
  bool IsVector = Class == "__half2" || Class == "__nv_bfloat162";
  if (!IsVector && Class != "__half" && Class != "__nv_bfloat16")
    return std::nullopt;
  auto SameType = [](const TypeInfo &A, const TypeInfo &B) {
    return A.K == B.K && A.Element == B.Element && A.Lanes == B.Lanes;
  };
  bool Constructs = Member == Class, Assigns = Member == "operator=";
  if (Constructs && F.Params.empty())
    return KnownOp::Copy;
  if ((Constructs || Assigns) && F.Params.size() == 1) {
    const TypeInfo &P = F.Params[0];
    if (SameType(P, F.This))
      return KnownOp::Copy;
    if (!IsVector && P.K == TypeInfo::Kind::Scalar)
      return KnownOp::Construct;
    // __half_raw and the like: executed.
    return std::nullopt;
  }
  if (Constructs && IsVector && F.Params.size() == 2)
    return std::nullopt; // has a body
  if (!IsVector && Member.starts_with("operator ") && F.Params.empty() &&
      F.Result.isScalar())
    return KnownOp::ReadThis;
  return std::nullopt;
}

/// `a + b` and other operators on half types.
static std::optional<KnownOp> halfOperator(const FunctionInfo &F) {
  llvm::StringRef Op = F.Name;
  if (!Op.consume_front("operator") || F.Params.empty())
    return std::nullopt;
  for (const TypeInfo &P : F.Params)
    if ((P.K != TypeInfo::Kind::Scalar && P.K != TypeInfo::Kind::Vector) ||
        (P.Element != ScalarType::F16 && P.Element != ScalarType::BF16))
      return std::nullopt;
  bool Scalar = F.Params[0].K == TypeInfo::Kind::Scalar;
  if (F.Params.size() == 1) {
    if (Op == "+")
      return KnownOp::Plus;
    if (Op == "-")
      return KnownOp::Neg;
    return std::nullopt;
  }
  if (F.Params.size() != 2)
    return std::nullopt;
  static const std::pair<llvm::StringRef, KnownOp> Arithmetic[] = {
      {"+", KnownOp::Add},        {"-", KnownOp::Sub},
      {"*", KnownOp::Mul},        {"/", KnownOp::Div},
      {"+=", KnownOp::AssignAdd}, {"-=", KnownOp::AssignSub},
      {"*=", KnownOp::AssignMul}, {"/=", KnownOp::AssignDiv}};
  for (const auto &[Spelling, Known] : Arithmetic)
    if (Op == Spelling)
      return Known;
  static const std::pair<llvm::StringRef, KnownOp> Comparisons[] = {
      {"<", KnownOp::Less},    {"<=", KnownOp::LessEqual},
      {">", KnownOp::Greater}, {">=", KnownOp::GreaterEqual},
      {"==", KnownOp::Equal},  {"!=", KnownOp::NotEqual}};
  if (Scalar)
    for (const auto &[Spelling, Known] : Comparisons)
      if (Op == Spelling)
        return Known;
  return std::nullopt;
}

static bool allScalars(const FunctionInfo &F) {
  return !F.Variadic && !F.HasThis && !F.Params.empty() &&
         F.Result.isScalar() && llvm::all_of(F.Params, [](const TypeInfo &P) {
           return P.isScalar() || (P.Reference && P.ConstReferent &&
                                   P.K == TypeInfo::Kind::Scalar);
         });
}

std::optional<SharedBarrierOp> sharedBarrier(llvm::StringRef Name) {
  return llvm::StringSwitch<std::optional<SharedBarrierOp>>(Name)
      .Case("__mbarrier_init", SharedBarrierOp::Init)
      .Case("__mbarrier_arrive", SharedBarrierOp::Arrive)
      .Case("__warpwright_mbarrier_wait", SharedBarrierOp::Wait)
      .Case("__pipeline_arrive_on", SharedBarrierOp::Track)
      .Default(std::nullopt);
}

std::optional<PipelineOp> pipelineOp(llvm::StringRef Name) {
  return llvm::StringSwitch<std::optional<PipelineOp>>(Name)
      .Case("__warpwright_pipeline_make", PipelineOp::Make)
      .Case("__warpwright_pipeline_acquire", PipelineOp::Acquire)
      .Case("__warpwright_pipeline_commit", PipelineOp::Commit)
      .Case("__warpwright_pipeline_wait", PipelineOp::Wait)
      .Case("__warpwright_pipeline_release", PipelineOp::Release)
      .Default(std::nullopt);
}

std::optional<KnownOp> knownFunction(const FunctionInfo &F) {
  if (!F.Header)
    return std::nullopt;
  llvm::StringRef Name = F.Name;
  if (sharedBarrier(Name))
    return KnownOp::SharedBarrier;
  if (pipelineOp(Name))
    return KnownOp::Pipeline;
  if (F.HasThis) {
    if (auto It = namedRows().find(Name); It != namedRows().end())
      return It->second;
    auto [Class, Member] = Name.rsplit("::");
    if (auto Op = float8Member(F, Class, Member))
      return Op;
    return halfMember(F, Class, Member);
  }
  // The parts of a class that are static, such as __fetch_builtin_x.
  if (auto It = namedRows().find(Name); It != namedRows().end()) {
    const KnownOp Op = It->second;
    if (Op == KnownOp::Minimum || Op == KnownOp::Maximum) {
      if (F.Params.size() == 2 && F.Result.isScalar() && allScalars(F))
        return isFloating(F.Result.Element) ? KnownOp::Math : Op;
      return std::nullopt;
    }
    // __hadd of integers is half their sum.
    const bool OfIntegers = llvm::any_of(F.Params, [](const TypeInfo &P) {
      return P.isScalar() && !isFloating(P.Element);
    });
    if (Op != KnownOp::Add || !OfIntegers)
      return Op;
  }
  if (auto Operator = halfOperator(F))
    return Operator;
  if (Name.starts_with("atomic"))
    return KnownOp::Atomic;
  Name.consume_front("std::");
  Name.consume_front("__1::");
  Name.consume_front("__nv_");
  if (mathFunctions().contains(Name) && allScalars(F))
    return KnownOp::Math;
  return std::nullopt;
}

} // namespace warpwright
