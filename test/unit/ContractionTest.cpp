//===-- ContractionTest.cpp -------------------------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Contraction/Contraction.h"
#include "llvm/Support/ErrorHandling.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace warpwright;

namespace {

IntExpr P(llvm::StringRef Name) { return IntExpr::param(Name); }
IntExpr I(llvm::StringRef Name) { return IntExpr::index(Name); }

TEST(IntExprTest, NormalisesPolynomials) {
  IntExpr E = (P("a") + 2) * (P("a") - 2);
  EXPECT_EQ(E.str(), "a * a - 4");
  EXPECT_EQ(E - P("a") * P("a"), IntExpr(-4));
  EXPECT_TRUE((E - E).isZero());
}

TEST(IntExprTest, IndexAndParameterOfTheSameNameDiffer) {
  IntExpr E = I("m") * P("m") + I("n");
  EXPECT_EQ(E.str(), "%m * m + %n");
  EXPECT_EQ(E.coefficient("%m")->str(), "m");
  EXPECT_EQ(E.coefficient("m")->str(), "%m");
}

TEST(IntExprTest, CoefficientRefusesWhatIsNotAffine) {
  EXPECT_FALSE((I("m") * I("m")).coefficient("%m"));
  EXPECT_FALSE(IntExpr::mod(I("m"), P("N")).coefficient("%m"));
  EXPECT_TRUE(P("N").coefficient("%m")->isZero());
}

TEST(IntExprTest, DivisionSplitsOffMultiples) {
  IntExpr N = P("N");
  IntExpr Id = I("m") * N + I("n");
  EXPECT_EQ(IntExpr::floorDiv(Id, N).str(), "%m + floordiv(%n, N)");
  EXPECT_EQ(IntExpr::mod(Id, N).str(), "mod(%n, N)");
  EXPECT_EQ(IntExpr::floorDiv(-7, 2), IntExpr(-4));
  EXPECT_EQ(IntExpr::mod(-7, 2), IntExpr(1));
}

TEST(IntExprTest, ExclusiveOrCancels) {
  IntExpr A = IntExpr::param("A"), B = IntExpr::param("B");
  IntExpr AB = IntExpr::bitXor(A, B);
  EXPECT_EQ(AB.str(), "xor(A, B)");
  EXPECT_EQ(IntExpr::bitXor(B, A), AB);
  EXPECT_EQ(IntExpr::bitXor(AB, A), B);
  EXPECT_EQ(IntExpr::bitXor(AB, AB), IntExpr());
  EXPECT_EQ(IntExpr::bitXor(A, IntExpr()), A);
  EXPECT_EQ(IntExpr::bitXor(IntExpr(12), IntExpr(10)), IntExpr(6));
  // Constants are combined into one operand, and low bits that are zero in all
  // operands stay outside.
  IntExpr More = IntExpr::bitXor(IntExpr::bitXor(A * 4, 8), IntExpr(4));
  EXPECT_EQ(More, IntExpr::bitXor(A, 3) * 4);
  EXPECT_EQ(AB.substitute("A", B * 2 + 1).substitute("B", 3), IntExpr(7 ^ 3));
}

TEST(IntExprTest, SubstitutesInsideCompositeAtoms) {
  IntExpr E = IntExpr::floorDiv(P("id"), P("N")) * 3 + P("id");
  EXPECT_EQ(E.substitute("id", P("N") * P("q")).str(), "N * q + 3 * q");
}

TEST(IntExprTest, MinAndMaxFoldWhenTheDifferenceIsKnown) {
  EXPECT_EQ(IntExpr::min(P("N"), P("N") + 1), P("N"));
  EXPECT_EQ(IntExpr::max(P("N"), P("N") + 1), P("N") + 1);
  EXPECT_EQ(IntExpr::min(P("b"), P("a")), IntExpr::min(P("a"), P("b")));
}

TEST(IntExprTest, OverflowProvesNothing) {
  IntExpr Huge = INT64_MAX;
  IntExpr E = Huge * 2;
  EXPECT_TRUE(E.overflowed());
  EXPECT_FALSE(E == E);
  EXPECT_FALSE(E.getConstant());
}

TEST(BoolExprTest, NegationReachesTheLeaves) {
  auto A = BoolExpr::compare(CmpOp::LT, P("a"), P("b"));
  auto B = BoolExpr::nonNull("p");
  EXPECT_EQ(BoolExpr::negation(BoolExpr::conjunction(A, B)).str(),
            "a >= b || !(nonnull(p))");
  EXPECT_TRUE(BoolExpr::compare(CmpOp::LT, P("a"), P("a") + 1).isTrue());
}

TEST(BoolExprTest, FloatComparisonIsNotInverted) {
  // !(x < y) is not x >= y when one of them is NaN.
  auto X = Value::param(ScalarType::F32, "x");
  auto C = BoolExpr::floatCompare(CmpOp::LT, X, X);
  EXPECT_EQ(BoolExpr::negation(C).str(), "!(fcmp(x:f32 < x:f32))");
}

TEST(ValueTest, CastFoldsOnlyWhatChangesNothing) {
  auto B = Value::load(ScalarType::BF16, "p", I("n"));
  auto F = Value::cast(ScalarType::F32, B);
  EXPECT_EQ(Value::cast(ScalarType::BF16, F), B);
  auto Acc = Value::acc();
  auto Rounded =
      Value::cast(ScalarType::F32, Value::cast(ScalarType::BF16, Acc));
  EXPECT_EQ(Rounded->str(), "f32(bf16(acc))");
}

const char *Full = R"(contraction "gemm" {
  index %b < gridDim.z
  index %m < min(M, blockDim.y * gridDim.y)
  index %n < N
  index %k < K - 1
  operand A = A[%b * M * lda + %m * lda + %k + 1]:bf16
  operand B = p.b[%k * N + %n]:f16
  accumulate f32 for f16
  output C[%m * N + %n]:bf16 = bf16(select(nonnull(bias), (call.f32 "ns::act<2>"((acc * alpha:f32), 0.5f:f32) + f32(bias[%n]:bf16)), fma(acc, acc, int.f32(%m + 1))))
  output D[%m]:f32 = select(fcmp(acc > 0.0f:f32) && (M < 3 || N != 2), -(acc), acc)
  output E[%n]:f32 = (acc * f32(const.f16 "::ns::config.scales[2]"))
  require blockDim.x == 16 : "the block is not 16 wide"
  exchanged
  offsets i32
  restrict A, p.b
}
)";

std::string print(const Contraction &C) {
  std::string S;
  llvm::raw_string_ostream OS(S);
  C.print(OS);
  return S;
}

TEST(ContractionTest, TextRoundTrips) {
  auto C = parseContraction(Full);
  ASSERT_TRUE(static_cast<bool>(C)) << llvm::toString(C.takeError());
  EXPECT_EQ(print(*C), Full);
  EXPECT_EQ(C->A.stride("m").str(), "lda");
  EXPECT_EQ(C->A.stride("k").str(), "1");
  EXPECT_EQ(C->A.base().str(), "1");
  EXPECT_EQ(C->B.Pointer, "p.b");
  EXPECT_EQ(C->OriginalAccType, ScalarType::F16);
  EXPECT_TRUE(C->RolesExchanged);
  EXPECT_EQ(C->IndexBits, 32u);
}

TEST(ContractionTest, DigitsOfTheBatch) {
  const std::string Text = R"(contraction "heads" {
  index %b < B * H * G of G, H, B
  index %m < M
  index %n < N
  index %k < K
  operand A = Q[7 * floordiv(%b, G * H) + %m * K + %k + 5 * mod(floordiv(%b, G), H) + 3 * mod(%b, G)]:f16
  operand B = V[2 * floordiv(%b, G * H) + %k * N + %n]:f16
  accumulate f32
  output S[%b * M * N + %m * N + %n]:f32 = acc
  offsets i32
}
)";
  auto C = parseContraction(Text);
  ASSERT_TRUE(static_cast<bool>(C)) << llvm::toString(C.takeError());
  auto Again = parseContraction(print(*C));
  ASSERT_TRUE(static_cast<bool>(Again)) << llvm::toString(Again.takeError());
  EXPECT_EQ(print(*Again), print(*C));
  ASSERT_EQ(Again->BatchDigits.size(), 3u);
  auto Strides = [&](const IntExpr &Index) {
    auto Form = C->formOf(Index);
    if (!Form)
      return std::string("none");
    std::string S = Form->Base.str() + "; " + Form->M.str() + ", " +
                    Form->N.str() + ", " + Form->K.str() + ";";
    for (const IntExpr &E : Form->Batch)
      S += " " + E.str();
    return S;
  };
  EXPECT_EQ(Strides(C->A.Index), "0; K, 0, 1; 3 5 7");
  EXPECT_EQ(Strides(C->B.Index), "0; 0, 1, N; 0 0 2");
  // All digits together are b.
  EXPECT_EQ(Strides(C->Outputs[0].Index),
            "0; N, 1, 0; M * N G * M * N G * H * M * N");
  EXPECT_TRUE(C->batchStride(C->B).isZero());
  EXPECT_EQ(C->batchStride(C->A).str(), "3");
  // Another remainder is no digit.
  EXPECT_EQ(Strides(IntExpr::mod(IntExpr::index("b"), IntExpr::param("H"))),
            "none");
}

/// A gate: two sums over one A, the second one over another range of k. The
/// first sum has two products, whose factors are computed from the loaded
/// elements.
const char *Several = R"(contraction "gate" {
  index %b < 1
  index %m < M
  index %n < N
  index %k < K
  operand A = A[%m * K + %k]:f16 as (call.f32 "relu"(f32(A[%m * K + %k]:f16)) * scale[%k]:f32)
  operand B = G[%k * N + %n]:i8 as (f32(G[%k * N + %n]:i8) * groups[N * floordiv(%k, 64) + %n]:f32)
  plus
  operand A = B[%m * K + %k]:f16 as -(B[%m * K + %k]:f16)
  operand B = A[%n * K + %k]:f16
  accumulate f32
  sum acc1
  index %k < 2 * K
  minus
  operand A = A[%m * K + %k]:f16
  operand B = U[%k * N + %n]:f16
  plus over %k < min(K, R)
  operand A = U[%m * K + %k]:f16
  operand B = A[%k * N + %n]:f16
  times f64((alpha:f32 / 3.0f:f32))
  minus over %k < 9
  operand A = U[%m * K + %k]:f16
  operand B = U[%k * N + %n]:f16
  accumulate f64 for f32
  sum acc2
  index %k < 7
  operand A = A[%m * K + %k]:f16 as select(fcmp(A[%m * K + %k]:f16 > 0.0f:f16), A[%m * K + %k]:f16, 0.0f:f16)
  operand B = V[%k]:f16 as (V[%k]:f16 + bias[%n]:f16)
  accumulate f16
  output C[%m * N + %n]:f16 = f16((call.f32 "silu"(acc) * (acc1 + acc:f32)))
  output D[%m * N + %n]:f32 = (acc2 - acc1[%n]:f32)
  offsets i64
}
)";

Contraction parsed(llvm::StringRef Text) {
  auto C = parseContraction(Text);
  if (!C)
    llvm::report_fatal_error(C.takeError());
  return *C;
}

TEST(ContractionTest, SeveralSumsAndProloguesRoundTrip) {
  Contraction C = parsed(Several);
  EXPECT_EQ(print(C), Several);
  EXPECT_FALSE(C.hasOneProduct());
  EXPECT_TRUE(parsed(Full).hasOneProduct());
  ASSERT_EQ(C.sumCount(), 3u);
  ASSERT_EQ(C.sum(0).Products.size(), 2u);
  EXPECT_EQ(C.sum(0).Products[0].A.Pointer, C.A.Pointer);
  EXPECT_EQ(C.sum(0).Products[1].A.Pointer, "B");
  EXPECT_EQ(C.sum(0).KExtent, C.KExtent);
  EXPECT_EQ(C.sum(1).KExtent, P("K") * 2);
  EXPECT_TRUE(C.sum(1).Products[0].Subtracted);
  EXPECT_FALSE(C.sum(1).Products[1].Subtracted);
  EXPECT_TRUE(C.sum(1).Products[2].Subtracted);
  EXPECT_EQ(C.sum(1).extentOf(C.sum(1).Products[0]), P("K") * 2);
  EXPECT_EQ(C.sum(1).extentOf(C.sum(1).Products[1]),
            IntExpr::min(P("K"), P("R")));
  EXPECT_EQ(C.sum(1).extentOf(C.sum(1).Products[2]), IntExpr(9));
  EXPECT_TRUE(C.hasOwnRanges());
  EXPECT_TRUE(C.hasScales());
  EXPECT_FALSE(parsed(Full).hasScales());
  EXPECT_FALSE(parsed(Full).hasOwnRanges());
  std::set<std::string> Walked;
  C.walk([&](const IntExpr &E) { Walked.insert(E.str()); },
         [](const ValueRef &) {});
  EXPECT_EQ(Walked.count("min(K, R)"), 1u);
  EXPECT_EQ(C.sum(1).AccType, ScalarType::F64);
  EXPECT_EQ(C.sum(1).OriginalAccType, ScalarType::F32);
  EXPECT_EQ(C.sum(2).AccType, ScalarType::F16);
  std::string Names;
  C.forEachOperand([&](const Operand &O) { Names += O.Pointer; });
  EXPECT_EQ(Names, "AGBAAUUAUUAV");
}

TEST(ContractionTest, ProductsAreMultipliedWithNumbersOfTheLaunch) {
  for (const char *Scale : {"B[%k]:f32", "int.f32(%k)", "acc", "alpha:f32"}) {
    std::string Text = Several;
    const std::string Old = "f64((alpha:f32 / 3.0f:f32))";
    Text.replace(Text.find(Old), Old.size(), Scale);
    auto C = parseContraction(Text);
    if (llvm::StringRef(Scale) == "alpha:f32") {
      EXPECT_TRUE(!!C);
      continue;
    }
    ASSERT_FALSE(!!C) << Scale;
    llvm::consumeError(C.takeError());
  }
}

/// The part of a contraction in front of its outputs.
static constexpr char BeforeOutputs[] = R"(contraction "qkv" {
  index %b < 1
  index %m < M
  index %n < 3 * D
  index %k < K
  operand A = X[%m * K + %k]:f16
  operand B = W[%n * K + %k]:f16
  accumulate f32
)";

TEST(ContractionTest, OutputsHaveRangesOfAnIndex) {
  const std::string Text = std::string(BeforeOutputs) +
                           R"(  output q[%m * D + %n]:f16 = f16(acc) when %n < D
  output k[%m * D + %n - D]:f16 = f16(acc) when D <= %n < 2 * D
  output v[%m * D + %n - 2 * D]:f16 = f16(acc) when 2 * D <= %n
  output r[%m * D + %n]:f32 = acc when 0 <= %m
  offsets i64
}
)";
  const Contraction C = parsed(Text);
  EXPECT_EQ(print(C), Text);
  EXPECT_EQ(C.Outputs[0].When->condition().str(), "%n < D");
  EXPECT_EQ(C.Outputs[1].When->condition().str(), "D <= %n && %n < 2 * D");
  EXPECT_EQ(C.Outputs[2].When->condition().str(), "2 * D <= %n");
  EXPECT_TRUE(C.Outputs[3].When->condition().isTrue());
  unsigned Ends = 0;
  C.walk([&](const IntExpr &E) { Ends += E == P("D"); },
         [](const ValueRef &) {});
  EXPECT_EQ(Ends, 2u);
  auto ErrorOf = [](const char *Range) {
    auto Wrong = parseContraction(std::string(BeforeOutputs) +
                                  "  output q[%m]:f32 = acc when " + Range +
                                  "\n  offsets i64\n}\n");
    return Wrong ? "none" : llvm::toString(Wrong.takeError());
  };
  const std::string NoRange = "9:31: a range is of %b, %m or %n, and its ends "
                              "do not depend on an index";
  EXPECT_EQ(ErrorOf("D <= %n"), "none");
  EXPECT_EQ(ErrorOf("%k < D"), NoRange);
  EXPECT_EQ(ErrorOf("D < %n"), NoRange);
  EXPECT_EQ(ErrorOf("D <= %n + 1"), NoRange);
  EXPECT_EQ(ErrorOf("%m <= %n < D"), NoRange);
  EXPECT_EQ(ErrorOf("%n < %m"), NoRange);
  EXPECT_EQ(ErrorOf("%n"), "10:3: expected '<'");
}

TEST(ContractionTest, SumsHaveNumbersInTheEpilogue) {
  Contraction C = parsed(Several);
  std::string Leaves;
  for (const Output &O : C.Outputs)
    O.Value->walk([&](const Value &V) {
      if (V.K == Value::Kind::Acc || V.K == Value::Kind::Param)
        Leaves += V.str() + " ";
      if (V.K == Value::Kind::Acc) {
        EXPECT_EQ(V.str(), Value::acc(V.Counter)->str());
      }
    });
  // A parameter and an array with the names of sums are not sums.
  EXPECT_EQ(Leaves, "acc acc1 acc:f32 acc2 ");
  EXPECT_TRUE(sameValue(Value::acc(1), Value::acc(1)));
  EXPECT_FALSE(sameValue(Value::acc(), Value::acc(1)));
}

TEST(ContractionTest, SumsHaveTheTypeTheyAccumulateIn) {
  Contraction C = parsed(Several);
  std::string Types;
  for (const Output &O : C.Outputs)
    O.Value->walk([&](const Value &V) {
      if (V.K == Value::Kind::Acc)
        Types += (V.str() + ":" + name(V.Type) + " ").str();
    });
  EXPECT_EQ(Types, "acc:f32 acc1:f64 acc2:f16 ");
}

TEST(ContractionTest, WideningIsUndoneByNarrowing) {
  using T = ScalarType;
  const ValueRef Byte = Value::param(T::I8, "b"),
                 Word = Value::param(T::I32, "w");
  auto Cast = [](T To, ValueRef V) { return Value::cast(To, V); };
  EXPECT_TRUE(sameValue(Cast(T::I8, Cast(T::I32, Byte)), Byte));
  EXPECT_TRUE(sameValue(Cast(T::I8, Cast(T::U8, Byte)), Byte));
  EXPECT_EQ(Cast(T::U16, Cast(T::U32, Byte))->str(), "u16(b:i8)");
  // What is cut off is lost, and a float is no integer of more bits.
  EXPECT_EQ(Cast(T::I32, Cast(T::I8, Word))->str(), "i32(i8(w:i32))");
  EXPECT_EQ(Cast(T::I32, Cast(T::F32, Word))->str(), "i32(f32(w:i32))");
  EXPECT_EQ(Cast(T::I8, Cast(T::Bool, Byte))->str(), "i8(bool(b:i8))");
}

TEST(ContractionTest, ProloguesAreValuesLikeOthers) {
  Contraction C = parsed(Several);
  unsigned Elements = 0;
  C.A.Prologue->walk([&](const Value &V) { Elements += C.A.isElement(V); });
  EXPECT_EQ(Elements, 1u);
  EXPECT_TRUE(C.A.isElement(*C.A.element()));
  EXPECT_FALSE(C.B.isElement(*C.A.element()));
  ValueRef Moved = transformInts(
      C.A.Prologue, [](const IntAtom &A) -> std::optional<IntExpr> {
        if (A.getKey() == "%k")
          return I("k") + 1;
        return std::nullopt;
      });
  EXPECT_EQ(Moved->str(), "(call.f32 \"relu\"(f32(A[%m * K + %k + 1]:f16)) * "
                          "scale[%k + 1]:f32)");
  // Questions about a whole contraction take every prologue and sum into
  // account.
  std::string Seen;
  C.walk([&](const IntExpr &E) { Seen += E.str() + ";"; },
         [&](const ValueRef &V) {
           V->walk([&](const Value &N) { Seen += N.Name + ";"; });
         });
  for (const char *Part : {"scale;", "groups;", "2 * K;", "V;", "silu;", "7;"})
    EXPECT_NE(Seen.find(Part), std::string::npos) << Part;
}

TEST(ContractionTest, AnOverflowAnywhereIsSeen) {
  IntExpr Overflowed = IntExpr(INT64_MAX) * 2;
  ValueRef Load = Value::load(ScalarType::F32, "x", Overflowed);
  auto With = [](auto Change) {
    Contraction C = parsed(Several);
    EXPECT_FALSE(C.overflowed());
    Change(C);
    return C.overflowed();
  };
  EXPECT_TRUE(With([&](Contraction &C) { C.MExtent = Overflowed; }));
  EXPECT_TRUE(With([&](Contraction &C) { C.A.Prologue = Load; }));
  EXPECT_TRUE(
      With([&](Contraction &C) { C.MoreSums[1].KExtent = Overflowed; }));
  EXPECT_TRUE(
      With([&](Contraction &C) { C.MoreProducts[0].B.Index = Overflowed; }));
  EXPECT_TRUE(With(
      [&](Contraction &C) { C.MoreSums[0].Products[0].A.Prologue = Load; }));
  EXPECT_TRUE(With([&](Contraction &C) { C.Outputs[1].Value = Load; }));
  EXPECT_TRUE(With([&](Contraction &C) {
    C.Requires.push_back(
        {BoolExpr::compare(CmpOp::LT, Overflowed, P("M")), "it is large"});
  }));
}

TEST(ContractionTest, RoundingByItselfRoundTrips) {
  std::string Text = Several;
  const std::string Old = "(acc1 + acc:f32)";
  for (const char *Operator : {"+", "-", "*", "/"}) {
    const std::string Plain = std::string("(acc1 ") + Operator + " rn:f32)";
    std::string Alone = Text, Together = Text;
    Alone.replace(Alone.find(Old), Old.size(), "rn" + Plain);
    Together.replace(Together.find(Old), Old.size(), Plain);
    const Contraction A = parsed(Alone), T = parsed(Together);
    EXPECT_EQ(print(A), Alone);
    EXPECT_EQ(print(T), Together);
    EXPECT_FALSE(sameValue(A.Outputs.front().Value, T.Outputs.front().Value));
  }
}

TEST(ContractionTest, BitsOfIntegersRoundTrip) {
  auto With = [](llvm::StringRef Prologue) {
    std::string Text = Several;
    const std::string Old = "V[%k]:f16 as (V[%k]:f16 + bias[%n]:f16)";
    return Text.replace(Text.find(Old), Old.size(), Prologue.str());
  };
  const std::string Text =
      With("V[%k]:u8 as f16((((i32(V[%k]:u8) >> int.i32(4)) & int.i32(15)) ^ "
           "((i32(bias[%n]:u8) << int.i32(1)) | int.i32(8))))");
  EXPECT_EQ(print(parsed(Text)), Text);
  auto Bad = parseContraction(With("V[%k]:f16 as (V[%k]:f16 & bias[%n]:f16)"));
  ASSERT_FALSE(static_cast<bool>(Bad));
  EXPECT_NE(llvm::toString(Bad.takeError()).find("bits of a floating-point"),
            std::string::npos);
}

TEST(ContractionTest, TypesOf8BitsSaturate) {
  using S = ScalarType;
  for (S T : {S::E4M3, S::E5M2}) {
    EXPECT_EQ(parseScalarType(name(T)), T);
    // Every number but the infinite ones is its own image; a NaN has no sign.
    for (unsigned Bits = 0; Bits < 256; ++Bits) {
      const double X = fromFloat8(T, Bits);
      if (std::isnan(X))
        EXPECT_EQ(toFloat8(T, X), 0x7f);
      else if (!std::isinf(X))
        EXPECT_EQ(toFloat8(T, X), Bits);
    }
    // What lies between two numbers becomes the nearer one, or the even one.
    const unsigned Largest = T == S::E4M3 ? 0x7e : 0x7b;
    for (unsigned Bits = 0; Bits < Largest; ++Bits) {
      const double L = fromFloat8(T, Bits), H = fromFloat8(T, Bits + 1),
                   Middle = (L + H) / 2;
      EXPECT_EQ(toFloat8(T, Middle), Bits + (Bits & 1));
      EXPECT_EQ(toFloat8(T, std::nextafter(Middle, L)), Bits);
      EXPECT_EQ(toFloat8(T, std::nextafter(Middle, H)), Bits + 1);
      EXPECT_EQ(toFloat8(T, -Middle), (Bits + (Bits & 1)) | 0x80);
    }
    for (double X : {1e6, 1e300, double(INFINITY)}) {
      EXPECT_EQ(toFloat8(T, X), Largest);
      EXPECT_EQ(toFloat8(T, -X), Largest | 0x80);
    }
  }
  EXPECT_EQ(fromFloat8(S::E4M3, 0x7e), 448);
  EXPECT_EQ(fromFloat8(S::E4M3, 0x01), 0x1p-9);
  EXPECT_EQ(fromFloat8(S::E5M2, 0x7b), 57344);
  EXPECT_EQ(fromFloat8(S::E5M2, 0xfc), -INFINITY);
  EXPECT_EQ(fromFloat8(S::E5M2, 0x01), 0x1p-16);
}

TEST(ContractionTest, ConversionsOfTypesOf8BitsFold) {
  using S = ScalarType;
  ValueRef A = Value::load(S::E4M3, "A", 0), B = Value::load(S::E5M2, "B", 0);
  EXPECT_EQ(Value::cast(S::F32, Value::cast(S::F16, A))->str(),
            "f32(A[0]:e4m3)");
  EXPECT_EQ(Value::cast(S::F32, Value::cast(S::F64, A))->str(),
            "f32(A[0]:e4m3)");
  EXPECT_EQ(Value::cast(S::BF16, Value::cast(S::F32, B))->str(),
            "bf16(B[0]:e5m2)");
  EXPECT_EQ(Value::cast(S::E4M3, Value::cast(S::F32, A)), A);
  // Infinity becomes a finite number.
  EXPECT_EQ(Value::cast(S::E5M2, Value::cast(S::F32, B))->str(),
            "e5m2(f32(B[0]:e5m2))");
  EXPECT_EQ(Value::cast(S::E4M3, Value::cast(S::F16, B))->str(),
            "e4m3(f16(B[0]:e5m2))");
  auto Constant = [](S T, const char *Text) {
    return *Value::cast(T, Value::constant(S::F32, Text))->getConstant();
  };
  EXPECT_EQ(Constant(S::E4M3, "1000.0f"), 448);
  EXPECT_EQ(Constant(S::E4M3, "1.06f"), 1);
  EXPECT_EQ(Constant(S::E5M2, "-1e9f"), -57344);
}

TEST(ContractionTest, ErrorsInSeveralSums) {
  auto ErrorOf = [](llvm::StringRef From, llvm::StringRef To) {
    std::string Text = Several;
    Text.replace(Text.find(From.str()), From.size(), To.str());
    auto C = parseContraction(Text);
    if (C)
      return std::string("none");
    return llvm::toString(C.takeError());
  };
  EXPECT_EQ(ErrorOf("(acc2 -", "(acc3 -"),
            "31:32: there is no sum 'acc3' here");
  EXPECT_EQ(ErrorOf("sum acc2", "sum acc3"), "25:7: expected 'acc2'");
  EXPECT_EQ(ErrorOf("  sum acc1\n", ""), "12:3: expected 'output'");
  EXPECT_EQ(ErrorOf("  plus\n", ""), "8:3: expected 'accumulate'");
  EXPECT_EQ(ErrorOf("  plus\n", "  plus\n  plus\n"), "9:3: expected 'operand'");
  EXPECT_EQ(ErrorOf("as -(B[%m * K + %k]:f16)", "as -(B[%m * K]:f16)"),
            "9:37: the prologue of operand A: it does not read the element");
  EXPECT_EQ(ErrorOf("scale[%k]", "scale[%n]"),
            "6:37: the prologue of operand A: it depends on %n");
  EXPECT_EQ(ErrorOf("64) + %n", "64) + %m"),
            "7:36: the prologue of operand B: it depends on %m");
  EXPECT_EQ(ErrorOf("scale[%k]:f32)", "acc)"),
            "6:81: there is no sum 'acc' here");
  EXPECT_EQ(ErrorOf("(acc2 -", "(acc01 -"), "31:38: expected ':'");
}

TEST(ContractionTest, EveryPrefixOfSeveralSumsIsRefused) {
  llvm::StringRef Text(Several);
  for (size_t Size = 0; Size + 2 < Text.size(); ++Size) {
    auto C = parseContraction(Text.take_front(Size));
    EXPECT_FALSE(static_cast<bool>(C)) << Size;
    llvm::consumeError(C.takeError());
  }
}

TEST(ContractionTest, ErrorsNameThePlace) {
  std::string Broken = Full;
  Broken.replace(Broken.find("f16\n"), 3, "f17");
  auto C = parseContraction(Broken);
  ASSERT_FALSE(static_cast<bool>(C));
  EXPECT_EQ(llvm::toString(C.takeError()), "6:51: expected a type");
}

TEST(ContractionTest, EveryPrefixIsRefusedWithoutCrashing) {
  llvm::StringRef Text(Full);
  for (size_t Size = 0; Size + 2 < Text.size(); ++Size) {
    auto C = parseContraction(Text.take_front(Size));
    EXPECT_FALSE(static_cast<bool>(C)) << Size;
    llvm::consumeError(C.takeError());
  }
}

TEST(ContractionTest, DeepNestingIsAnErrorNotACrash) {
  std::string Text =
      "contraction \"x\" {\n index %b < " + std::string(100000, '(') + "1";
  auto C = parseContraction(Text);
  ASSERT_FALSE(static_cast<bool>(C));
  EXPECT_NE(llvm::toString(C.takeError()).find("nested too deep"),
            std::string::npos);
}

} // namespace
