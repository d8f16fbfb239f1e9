//===-- CodeGenPrinterTest.cpp - Expressions as C++ text ------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/CodeGen/ExprPrinter.h"
#include "gtest/gtest.h"

using namespace warpwright;

namespace {

IntExpr P(llvm::StringRef Name) { return IntExpr::param(Name); }
IntExpr I(llvm::StringRef Name) { return IntExpr::index(Name); }

class CodeGenPrinter : public ::testing::Test {
protected:
  CodeGenPrinter() {
    Scope.Runtime = "rt::";
    for (const char *Name : {"M", "N", "K", "lda"})
      Scope.ParamTypes[Name] = "int";
    Scope.ParamTypes["u"] = "unsigned int";
    Scope.ParamTypes["big"] = "unsigned long";
    Scope.ParamTypes["A"] = "const __nv_bfloat16 *";
    Scope.ParamTypes["raw"] = "const unsigned short *__restrict__";
    Scope.ParamTypes["odd"] = "const my_half *";
  }
  NameScope Scope;

  std::string print(const IntExpr &E) { return ExprPrinter(Scope).print(E); }
  std::string print(const BoolExpr &E) {
    return llvm::cantFail(ExprPrinter(Scope).print(E));
  }
  std::string print(const ValueRef &V) {
    return llvm::cantFail(ExprPrinter(Scope).print(V));
  }
  ValueRef f32(llvm::StringRef Name) {
    return Value::param(ScalarType::F32, Name);
  }
  ValueRef f16(llvm::StringRef Name) {
    return Value::param(ScalarType::F16, Name);
  }
};

TEST_F(CodeGenPrinter, LoneAtomsAndConstantsStayAsTheyAre) {
  EXPECT_EQ(print(IntExpr(0)), "0");
  EXPECT_EQ(print(IntExpr(-3)), "-3");
  EXPECT_EQ(print(IntExpr(int64_t(1) << 40)), "INT64_C(1099511627776)");
  EXPECT_EQ(print(P("K")), "K");
  EXPECT_EQ(print(IntExpr::special(AtomKind::GridDim, 1)), "launch.grid.y");
}

TEST_F(CodeGenPrinter, ArithmeticIsIn64Bits) {
  EXPECT_EQ(print(I("m") * P("N") + I("n")), "int64_t(m) * N + n");
  EXPECT_EQ(print(P("N") - P("M")), "int64_t(N) - M");
  EXPECT_EQ(print(P("N") - 1), "int64_t(N) - 1");
  EXPECT_EQ(print(P("K") * 2), "2 * int64_t(K)");
  EXPECT_EQ(print(IntExpr() - P("K")), "-int64_t(K)");
  // A later product must not be computed in a narrower type either.
  EXPECT_EQ(print(I("m") * P("lda") + I("b") * P("N")),
            "int64_t(b) * N + int64_t(m) * lda");
}

TEST_F(CodeGenPrinter, UnsignedWordsAndUnknownTypesAreCast) {
  EXPECT_EQ(print(P("big")), "int64_t(big)");
  EXPECT_EQ(print(I("m") * P("big") + P("u")), "int64_t(m) * int64_t(big) + u");
  EXPECT_EQ(print(I("m") * P("p.ld")), "int64_t(m) * int64_t(p.ld)");
}

/// On the host nothing wraps: every product, sum and division that could wrap
/// is computed in the runtime's integer type, and so is everything that depends
/// on it.
TEST_F(CodeGenPrinter, TheHostComputesExactly) {
  Scope.Wide = "rt::Integer";
  EXPECT_EQ(print(P("M") * P("N") * P("K")), "rt::Integer(K) * M * N");
  EXPECT_EQ(print(P("M")), "M");
  EXPECT_EQ(print(P("big")), "rt::Integer(big)");
  EXPECT_EQ(print(IntExpr::floorDiv(P("N"), 8)), "rt::floor_div(N, 8)");
  EXPECT_EQ(print(IntExpr::floorDiv(P("N"), P("M"))),
            "rt::floor_div(rt::Integer(N), M)");
  EXPECT_EQ(print(IntExpr::min(P("M"), P("N")) * P("K")),
            "rt::Integer(K) * rt::min(M, N)");
  EXPECT_EQ(print(IntExpr::floorDiv(IntExpr::special(AtomKind::GridDim, 0) *
                                        IntExpr::special(AtomKind::BlockDim, 0),
                                    4)),
            "rt::floor_div(rt::Integer(launch.block.x) * launch.grid.x, 4)");
  EXPECT_EQ(print(BoolExpr::compare(CmpOp::EQ, P("M") * P("N"), P("u"))),
            "rt::Integer(M) * N == u");
  EXPECT_EQ(print(BoolExpr::compare(CmpOp::LT, P("u"), P("M"))),
            "rt::Integer(u) < M");
  EXPECT_EQ(print(IntExpr::select(BoolExpr::compare(CmpOp::LT, P("M"), P("N")),
                                  P("M") * 2, P("K")) +
                  1),
            "rt::Integer(rt::choose(M < N, 2 * rt::Integer(M), K)) + 1");
  Scope.Wide = "rt::Range";
  Scope.IndicesAreRanges = true;
  Scope.N = "n";
  EXPECT_EQ(print(I("n") * P("N") * P("M")), "n * M * N");
  EXPECT_EQ(print(IntExpr::min(P("M"), P("N")) * P("K")),
            "rt::Range(K) * rt::min(M, N)");
}

TEST_F(CodeGenPrinter, DivisionRoundsDown) {
  IntExpr Any = IntExpr::floorDiv(P("N"), P("M"));
  EXPECT_EQ(print(Any), "rt::floor_div(N, M)");
  // For numbers that cannot be negative, C++ rounds in the same way.
  EXPECT_EQ(print(IntExpr::floorDiv(I("n"), 128)), "n / 128");
  EXPECT_EQ(print(IntExpr::mod(I("n"), 128) * P("N")),
            "int64_t(N) * (n % 128)");
  EXPECT_EQ(print(IntExpr::mod(I("n") - 1, 8)),
            "rt::floor_mod(int64_t(n) - 1, 8)");
}

TEST_F(CodeGenPrinter, MinMaxSelect) {
  IntExpr Cover = IntExpr::special(AtomKind::GridDim, 0) *
                  IntExpr::special(AtomKind::BlockDim, 0);
  EXPECT_EQ(print(IntExpr::min(P("N"), Cover)),
            "rt::min(N, int64_t(launch.block.x) * launch.grid.x)");
  auto C = BoolExpr::compare(CmpOp::LT, P("M"), P("N"));
  EXPECT_EQ(print(IntExpr::select(C, P("M"), P("K")) + 1),
            "(M < N ? int64_t(M) : int64_t(K)) + 1");
}

TEST_F(CodeGenPrinter, RangesNeedNoCasts) {
  Scope.IndicesAreRanges = true;
  Scope.M = "R(m)";
  Scope.N = "R(n)";
  EXPECT_EQ(print(I("m") * P("N") + IntExpr::floorDiv(I("n"), 4)),
            "R(m) * N + rt::floor_div(R(n), 4)");
  EXPECT_EQ(print(P("K") * P("N") * I("m") - I("n")), "R(m) * K * N - R(n)");
}

TEST_F(CodeGenPrinter, Conditions) {
  EXPECT_EQ(print(BoolExpr::compare(
                CmpOp::EQ, IntExpr::special(AtomKind::BlockDim, 0), 16)),
            "launch.block.x == 16");
  // The operands have different signedness, so both become int64_t.
  EXPECT_EQ(print(BoolExpr::compare(CmpOp::LT, P("u"), P("N"))),
            "int64_t(u) < int64_t(N)");
  EXPECT_EQ(print(BoolExpr::compare(CmpOp::LT, I("n"), P("N"))), "n < N");
  auto A = BoolExpr::nonNull("bias");
  auto B = BoolExpr::compare(CmpOp::GT, P("N"), 0);
  auto C = BoolExpr::compare(CmpOp::GT, P("M"), 0);
  EXPECT_EQ(print(BoolExpr::disjunction(A, BoolExpr::conjunction(B, C))),
            "bias != nullptr || (N > 0 && M > 0)");
  EXPECT_EQ(print(BoolExpr::negation(A)), "!(bias != nullptr)");
  EXPECT_EQ(print(BoolExpr::floatCompare(CmpOp::GT, f16("h"), f16("g"))),
            "__half2float(h) > __half2float(g)");
}

TEST_F(CodeGenPrinter, FloatArithmeticKeepsItsShape) {
  auto Mul = Value::binary(Value::Kind::Mul, ScalarType::F32, f32("alpha"),
                           Value::acc());
  auto Sum =
      Value::binary(Value::Kind::Add, ScalarType::F32, f32("x"), f32("y"));
  EXPECT_EQ(print(Value::binary(Value::Kind::Mul, ScalarType::F32, Mul, Sum)),
            "alpha * acc * (x + y)");
  // Floating-point addition is not associative, so the parentheses of the right
  // side stay.
  EXPECT_EQ(
      print(Value::binary(Value::Kind::Add, ScalarType::F32, f32("z"), Sum)),
      "z + (x + y)");
  EXPECT_EQ(print(Value::binary(Value::Kind::Sub, ScalarType::F32, Sum,
                                Value::unary(Value::Kind::Neg, Sum))),
            "x + y - -(x + y)");
  EXPECT_EQ(print(Value::fma(ScalarType::F32, f32("a"), f32("b"), f32("c"))),
            "fmaf(a, b, c)");
}

TEST_F(CodeGenPrinter, BitsOfIntegers) {
  using K = Value::Kind;
  using S = ScalarType;
  auto Number = [](int64_t N) { return Value::integer(S::I32, IntExpr(N)); };
  ValueRef X = Value::param(S::I32, "x");
  EXPECT_EQ(print(Value::binary(K::And, S::I32,
                                Value::binary(K::Shr, S::I32, X, Number(4)),
                                Number(15))),
            "((x >> static_cast<int>(4)) & static_cast<int>(15))");
  // A sign is not shifted out.
  EXPECT_EQ(print(Value::binary(K::Shl, S::I32, X, Number(4))),
            "static_cast<int>(static_cast<unsigned>(x) << "
            "static_cast<int>(4))");
}

TEST_F(CodeGenPrinter, HalfArithmeticIsIntrinsics) {
  auto Mul =
      Value::binary(Value::Kind::Mul, ScalarType::F16, f16("a"), f16("b"));
  EXPECT_EQ(
      print(Value::binary(Value::Kind::Add, ScalarType::F16, Mul, f16("c"))),
      "__hadd(__hmul(a, b), c)");
  EXPECT_EQ(print(Value::unary(Value::Kind::Neg, f16("a"))), "__hneg(a)");
  EXPECT_EQ(print(Value::fma(ScalarType::BF16, f16("a"), f16("b"), f16("c"))),
            "__hfma(a, b, c)");
}

TEST_F(CodeGenPrinter, Casts) {
  using S = ScalarType;
  auto Cast = [&](S From, S To) {
    return print(Value::cast(To, Value::param(From, "x")));
  };
  EXPECT_EQ(Cast(S::F32, S::BF16), "__float2bfloat16(x)");
  EXPECT_EQ(Cast(S::F32, S::F16), "__float2half(x)");
  EXPECT_EQ(Cast(S::BF16, S::F32), "__bfloat162float(x)");
  EXPECT_EQ(Cast(S::F16, S::F64), "static_cast<double>(__half2float(x))");
  EXPECT_EQ(Cast(S::F16, S::BF16), "__float2bfloat16(__half2float(x))");
  EXPECT_EQ(Cast(S::E4M3, S::F32), "static_cast<float>(x)");
  EXPECT_EQ(Cast(S::E5M2, S::F16), "__float2half(static_cast<float>(x))");
  EXPECT_EQ(Cast(S::F64, S::E4M3), "static_cast<__nv_fp8_e4m3>(x)");
  EXPECT_EQ(Cast(S::F16, S::E5M2),
            "static_cast<__nv_fp8_e5m2>(__half2float(x))");
  EXPECT_EQ(Cast(S::F64, S::F16), "__double2half(x)");
  EXPECT_EQ(Cast(S::I32, S::F32), "static_cast<float>(x)");
  EXPECT_EQ(Cast(S::I64, S::BF16), "__ll2bfloat16_rn(x)");
  EXPECT_EQ(Cast(S::F64, S::F32), "static_cast<float>(x)");
  EXPECT_EQ(print(Value::integer(S::F32, I("n") + 1)),
            "static_cast<float>(int64_t(n) + 1)");
}

TEST_F(CodeGenPrinter, Literals) {
  auto Literal = [&](ScalarType T, llvm::StringRef Text) {
    return print(Value::constant(T, Text));
  };
  EXPECT_EQ(Literal(ScalarType::F32, "0.5f"), "0.5f");
  EXPECT_EQ(Literal(ScalarType::F32, "0.5"), "0.5f");
  EXPECT_EQ(Literal(ScalarType::F32, "2"), "2.0f");
  EXPECT_EQ(Literal(ScalarType::F64, "2"), "2.0");
  EXPECT_EQ(Literal(ScalarType::F32, "INFINITY"),
            "static_cast<float>(INFINITY)");
  EXPECT_EQ(Literal(ScalarType::F16, "1.0f"), "__float2half(1.0f)");
}

TEST_F(CodeGenPrinter, LoadsAreCastWhereTheParameterHasAnotherType) {
  auto Load = [&](llvm::StringRef Name) {
    return print(Value::load(ScalarType::BF16, Name, I("n")));
  };
  EXPECT_EQ(Load("A"), "A[n]");
  EXPECT_EQ(Load("raw"), "reinterpret_cast<const __nv_bfloat16 *>(raw)[n]");
  EXPECT_EQ(Load("odd"), "odd[n]"); // a typedef that the lift saw through
  EXPECT_EQ(Load("p.c"), "p.c[n]");
}

TEST_F(CodeGenPrinter, OffsetsOfIntsMayBeInts) {
  auto Load = [&](const IntExpr &Index) {
    return print(Value::load(ScalarType::BF16, "A", Index));
  };
  IntExpr E = I("m") * P("lda") + I("n");
  EXPECT_EQ(Load(E), "A[int64_t(m) * lda + n]");
  Scope.OffsetsFitInt = true;
  EXPECT_EQ(Load(E), "A[m * lda + n]");
  EXPECT_EQ(Load(I("m") * P("u") + I("n")), "A[m * int(u) + n]");
  EXPECT_EQ(Load(I("m") * P("big")), "A[m * int(big)]");
}

TEST_F(CodeGenPrinter, RenamedParameters) {
  Scope.Renamed["value"] = "user_value";
  EXPECT_EQ(print(f32("value")), "user_value");
  EXPECT_EQ(print(P("value.ld") * I("m")),
            "int64_t(m) * int64_t(user_value.ld)");
}

TEST_F(CodeGenPrinter, PartsNeededTwiceGetAName) {
  auto X = Value::binary(Value::Kind::Mul, ScalarType::F32, f32("alpha"),
                         Value::acc());
  auto Square = Value::binary(Value::Kind::Mul, ScalarType::F32, X, X);
  auto Body = llvm::cantFail(ExprPrinter(Scope).printBody(Square, "part"));
  ASSERT_EQ(Body.Locals.size(), 1u);
  EXPECT_EQ(Body.Locals[0].Type, "float");
  EXPECT_EQ(Body.Locals[0].Text, "alpha * acc");
  EXPECT_EQ(Body.Result, "part0 * part0");
}

TEST_F(CodeGenPrinter, ConditionalLoadsStayUnderTheirCondition) {
  auto Bias = Value::load(ScalarType::F32, "bias", I("n"));
  auto Twice = Value::binary(Value::Kind::Add, ScalarType::F32, Bias, Bias);
  auto V = Value::select(BoolExpr::nonNull("bias"), Twice, Value::acc());
  auto Body = llvm::cantFail(ExprPrinter(Scope).printBody(V, "part"));
  EXPECT_TRUE(Body.Locals.empty());
  EXPECT_EQ(Body.Result, "bias != nullptr ? bias[n] + bias[n] : acc");

  // An element that is read in any case is read once.
  auto Sum = Value::binary(Value::Kind::Add, ScalarType::F32, V, Bias);
  Body = llvm::cantFail(ExprPrinter(Scope).printBody(Sum, "part"));
  ASSERT_EQ(Body.Locals.size(), 1u);
  EXPECT_EQ(Body.Locals[0].Text, "bias[n]");
}

TEST_F(CodeGenPrinter, ValuesOfTheLiftHaveNoText) {
  auto Phi = std::make_shared<Value>(Value::Kind::Phi, ScalarType::F32);
  auto Text = ExprPrinter(Scope).print(ValueRef(Phi));
  ASSERT_FALSE(Text);
  EXPECT_NE(llvm::toString(Text.takeError()).find("internal error"),
            std::string::npos);
}

TEST(CodeGenTypes, ElementTypes) {
  EXPECT_EQ(elementTypeOf("const __half *__restrict__"), ScalarType::F16);
  EXPECT_EQ(elementTypeOf("nv_bfloat16*"), ScalarType::BF16);
  EXPECT_EQ(elementTypeOf("const float *const"), ScalarType::F32);
  EXPECT_EQ(elementTypeOf("unsigned int *"), ScalarType::U32);
  EXPECT_EQ(elementTypeOf("T *"), std::nullopt);
}

} // namespace
