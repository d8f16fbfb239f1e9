//===-- ExecuteNumbersTest.cpp - Functions of CUDA's headers --------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Expected bits follow from the CUDA Math API's descriptions and from IEEE
/// 754.
///
//===----------------------------------------------------------------------===//

#include "Execute/HeaderTable.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace warpwright;
using namespace warpwright::execute;
using S = ScalarType;

namespace {

constexpr double Infinity = std::numeric_limits<double>::infinity();
constexpr double NaN = std::numeric_limits<double>::quiet_NaN();

Num integer(S Type, int64_t X) { return fromInteger(Type, X); }
Num real(S Type, double X) { return fromReal(Type, X); }

/// The result, which must exist and have the type \p Type.
Num call(llvm::StringRef Name, std::initializer_list<Num> Args, S Type) {
  const HeaderFunction *F = findHeaderFunction(Name, Args.size());
  if (!F) {
    ADD_FAILURE() << Name.str() << " is not known";
    return {};
  }
  const std::optional<Num> X = F->Apply(Args);
  if (!X || X->Type != Type) {
    ADD_FAILURE() << Name.str() << " has no result of the type";
    return {};
  }
  return *X;
}

int64_t toInteger(llvm::StringRef Name, Num X, S Type) {
  return call(Name, {X}, Type).integer();
}

TEST(ExecuteNumbers, ConversionsToIntegersRoundAsNamedAndSaturate) {
  const Num X = real(S::F32, -2.5), Y = real(S::F16, 3.5);
  EXPECT_EQ(toInteger("__float2int_rn", X, S::I32), -2);
  EXPECT_EQ(toInteger("__float2int_rz", X, S::I32), -2);
  EXPECT_EQ(toInteger("__float2int_rd", X, S::I32), -3);
  EXPECT_EQ(toInteger("__float2int_ru", X, S::I32), -2);
  EXPECT_EQ(toInteger("__half2ushort_rn", Y, S::U16), 4);
  EXPECT_EQ(toInteger("__half2ushort_rz", Y, S::U16), 3);
  EXPECT_EQ(toInteger("__float2uint_rz", X, S::U32), 0);
  EXPECT_EQ(toInteger("__half2char_rz", real(S::F16, 1000), S::I8), 127);
  EXPECT_EQ(toInteger("__bfloat162char_rz", real(S::BF16, -1000), S::I8), -128);
  EXPECT_EQ(toInteger("__float2int_rz", real(S::F32, Infinity), S::I32),
            std::numeric_limits<int32_t>::max());
  EXPECT_EQ(toInteger("__float2ll_rn", real(S::F32, -1e30), S::I64),
            std::numeric_limits<int64_t>::min());
  EXPECT_EQ(call("__float2ull_rz", {real(S::F32, 1e30)}, S::U64).Bits, ~0ull);
  EXPECT_EQ(toInteger("__float2int_rz", real(S::F32, NaN), S::I32), 0);
  EXPECT_EQ(toInteger("lroundf", X, S::I64), -3);
  EXPECT_EQ(toInteger("llrint", real(S::F64, -2.5), S::I64), -2);
}

TEST(ExecuteNumbers, ConversionsToFloatsRoundAsNamed) {
  // 1 + 2^-11 + 2^-20 lies between two halves, above their middle.
  const Num X = real(S::F32, 1 + 0x1p-11 + 0x1p-20);
  EXPECT_EQ(call("__float2half_rn", {X}, S::F16).real(), 1 + 0x1p-10);
  EXPECT_EQ(call("__float2half_rz", {X}, S::F16).real(), 1);
  EXPECT_EQ(call("__float2half_ru", {X}, S::F16).real(), 1 + 0x1p-10);
  EXPECT_EQ(call("__float2bfloat16_rd", {negate(X)}, S::BF16).real(),
            -1 - 0x1p-7);
  const Num I = integer(S::I32, (1 << 24) + 1);
  EXPECT_EQ(call("__int2float_rz", {I}, S::F32).real(), 0x1p24);
  EXPECT_EQ(call("__int2float_ru", {I}, S::F32).real(), 0x1p24 + 2);
  EXPECT_EQ(call("__uint2half_rz", {integer(S::U32, 70000)}, S::F16).real(),
            65504);
  EXPECT_EQ(call("__double2float_rd", {real(S::F64, -0.1)}, S::F32).real(),
            double(-0.1f));
  EXPECT_EQ(call("__double2float_rz", {real(S::F64, -0.1)}, S::F32).real(),
            double(std::nextafter(-0.1f, 0.0f)));
}

TEST(ExecuteNumbers, ArithmeticRoundsAsNamed) {
  const Num One = real(S::F32, 1), Tiny = real(S::F32, 0x1p-30);
  EXPECT_EQ(call("__fadd_rn", {One, Tiny}, S::F32).real(), 1);
  EXPECT_EQ(call("__fadd_ru", {One, Tiny}, S::F32).real(), 1 + 0x1p-23);
  EXPECT_EQ(call("__fsub_rz", {One, Tiny}, S::F32).real(), 1 - 0x1p-24);
  EXPECT_EQ(call("__fmaf_rd", {One, One, negate(Tiny)}, S::F32).real(),
            1 - 0x1p-24);
  // 1.0f / 3 is rounded up.
  EXPECT_EQ(call("__fdiv_ru", {One, real(S::F32, 3)}, S::F32).real(),
            double(1.0f / 3));
  EXPECT_EQ(call("__frcp_rz", {real(S::F32, 3)}, S::F32).real(),
            double(std::nextafter(1.0f / 3, 0.0f)));
}

TEST(ExecuteNumbers, HalvesSaturate) {
  auto H = [](double X) { return real(S::F16, X); };
  EXPECT_EQ(call("__hadd_sat", {H(0.75), H(0.75)}, S::F16).real(), 1);
  EXPECT_EQ(call("__hsub_sat", {H(0.5), H(0.75)}, S::F16).real(), 0);
  EXPECT_EQ(call("__hfma_sat", {H(0.5), H(0.5), H(0.25)}, S::F16).real(), 0.5);
  EXPECT_EQ(call("__hmul_sat", {H(NaN), H(0.5)}, S::F16).real(), 0);
}

TEST(ExecuteNumbers, OneNameForHalvesAndIntegers) {
  EXPECT_EQ(call("__hadd", {real(S::F16, 2), real(S::F16, 3)}, S::F16).real(),
            5);
  EXPECT_EQ(call("__hadd", {integer(S::I32, 2), integer(S::I32, -5)}, S::I32)
                .integer(),
            -2);
  EXPECT_EQ(call("__rhadd", {integer(S::I32, 2), integer(S::I32, 3)}, S::I32)
                .integer(),
            3);
}

TEST(ExecuteNumbers, FunctionsOfIntegers) {
  auto I = [](int64_t X) { return integer(S::I32, X); };
  auto U = [](int64_t X) { return integer(S::U32, X); };
  EXPECT_EQ(call("__mul24", {I(0x01000003), I(-2)}, S::I32).integer(), -6);
  EXPECT_EQ(call("__umul24", {U(0xff000003), U(2)}, S::U32).Bits, 6u);
  EXPECT_EQ(call("__mulhi", {I(-1), I(5)}, S::I32).integer(), -1);
  EXPECT_EQ(call("__umulhi", {U(-1), U(5)}, S::U32).Bits, 4u);
  EXPECT_EQ(call("__sad", {I(-3), I(4), U(10)}, S::U32).Bits, 17u);
  EXPECT_EQ(call("__popc", {U(0xf0)}, S::I32).integer(), 4);
  EXPECT_EQ(call("__clz", {I(1)}, S::I32).integer(), 31);
  EXPECT_EQ(call("__clz", {I(0)}, S::I32).integer(), 32);
  EXPECT_EQ(call("__ffs", {I(8)}, S::I32).integer(), 4);
  EXPECT_EQ(call("__ffs", {I(0)}, S::I32).integer(), 0);
  EXPECT_EQ(call("__brev", {U(1)}, S::U32).Bits, 0x80000000u);
}

TEST(ExecuteNumbers, UnorderedComparisonsHoldForNaN) {
  const Num X = real(S::F16, NaN), Y = real(S::F16, 1);
  EXPECT_EQ(call("__hltu", {X, Y}, S::Bool).Bits, 1u);
  EXPECT_EQ(call("__hlt", {X, Y}, S::Bool).Bits, 0u);
  EXPECT_EQ(call("__hgtu", {real(S::F16, 0), Y}, S::Bool).Bits, 0u);
}

} // namespace
