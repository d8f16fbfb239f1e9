//===-- Reference.cpp - A contraction as C++ in double --------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reference.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <map>

using namespace warpwright;

std::string warpwright::verifyName(llvm::StringRef Name) {
  std::string Result;
  for (char C : Name)
    Result += llvm::isAlnum(C) || C == '_' ? C : '_';
  return Result;
}

//===----------------------------------------------------------------------===//
// Integers and conditions
//===----------------------------------------------------------------------===//

static std::string printAtom(const IntAtom &A) {
  auto Call = [&](const char *Function) {
    return llvm::formatv("{0}({1}, {2})", Function, printReference(A.getLHS()),
                         printReference(A.getRHS()))
        .str();
  };
  static constexpr char Dims[] = {'x', 'y', 'z'};
  switch (A.getKind()) {
  case AtomKind::Param:
    return "with." + verifyName(A.getKey());
  case AtomKind::Index:
    return A.getKey().drop_front().str();
  case AtomKind::BlockDim:
    return std::string("int64_t(with.setup.block.") + Dims[A.getDim()] + ")";
  case AtomKind::GridDim:
    return std::string("int64_t(with.setup.grid.") + Dims[A.getDim()] + ")";
  case AtomKind::FloorDiv:
    return Call("floor_div");
  case AtomKind::Mod:
    return Call("modulo");
  case AtomKind::Min:
    return Call("lesser");
  case AtomKind::Max:
    return Call("greater");
  case AtomKind::Xor:
    return llvm::formatv("({0} ^ {1})", printReference(A.getLHS()),
                         printReference(A.getRHS()));
  case AtomKind::Select: {
    // A condition over integers can always be printed.
    llvm::Expected<std::string> C = printReference(A.getCondition());
    if (!C) {
      llvm::consumeError(C.takeError());
      return "0";
    }
    return llvm::formatv("({0} ? {1} : {2})", *C, printReference(A.getLHS()),
                         printReference(A.getRHS()));
  }
  case AtomKind::ThreadIdx:
  case AtomKind::BlockIdx:
  case AtomKind::Counter:
    break;
  }
  return A.getKey().str();
}

std::string warpwright::printReference(const IntExpr &E) {
  if (E.isZero())
    return "0";
  std::string Text;
  for (const auto &[Monomial, Coefficient] : E.terms()) {
    uint64_t Size = Coefficient < 0 ? 0 - static_cast<uint64_t>(Coefficient)
                                    : static_cast<uint64_t>(Coefficient);
    if (Text.empty())
      Text = Coefficient < 0 ? "-" : "";
    else
      Text += Coefficient < 0 ? " - " : " + ";
    bool First = true;
    if (Size != 1 || Monomial.empty()) {
      Text += std::to_string(Size);
      First = false;
    }
    for (const AtomRef &A : Monomial) {
      Text += (First ? "" : " * ") + printAtom(*A);
      First = false;
    }
  }
  return Text;
}

namespace {

/// Prints one value; shared parts are printed once.
class ValueWriter {
public:
  ReferenceText Text;
  /// The function that has no version in double.
  std::string Unknown;

  llvm::Expected<std::string> condition(const BoolExpr &E);
  llvm::Expected<std::string> value(const ValueRef &V);
  /// Counts uses, so that value() knows which parts are shared.
  void count(const ValueRef &V) {
    if (!V || ++Uses[V.get()] > 1)
      return;
    if (V->K == Value::Kind::Call && V->Body)
      return count(V->Body);
    for (const ValueRef &Op : V->Ops)
      count(Op);
    countCondition(V->Condition);
  }

private:
  void countCondition(const BoolExpr &E) {
    if (E.getKind() == BoolExpr::Kind::FloatCmp) {
      count(E.getValueLHS());
      count(E.getValueRHS());
    }
    for (const BoolExpr &Op : E.operands())
      countCondition(Op);
  }
  llvm::Expected<std::string> plain(const Value &V);
  llvm::Expected<std::string> call(const Value &V,
                                   llvm::ArrayRef<std::string> Ops);
  std::map<const Value *, unsigned> Uses;
  std::map<const Value *, std::string> Locals;
};

} // namespace

llvm::Expected<std::string> ValueWriter::condition(const BoolExpr &E) {
  switch (E.getKind()) {
  case BoolExpr::Kind::Constant:
    return std::string(E.isTrue() ? "true" : "false");
  case BoolExpr::Kind::Compare:
    return llvm::formatv("({0} {1} {2})", printReference(E.getLHS()),
                         spelling(E.getOp()), printReference(E.getRHS()))
        .str();
  case BoolExpr::Kind::NonNull:
    return verifyName(E.getName()) + "_.given()";
  case BoolExpr::Kind::FloatCmp: {
    llvm::Expected<std::string> L = value(E.getValueLHS());
    if (!L)
      return L;
    llvm::Expected<std::string> R = value(E.getValueRHS());
    if (!R)
      return R;
    return llvm::formatv("({0} {1} {2})", *L, spelling(E.getOp()), *R).str();
  }
  case BoolExpr::Kind::Not: {
    llvm::Expected<std::string> Op = condition(E.operands()[0]);
    if (!Op)
      return Op;
    return "!" + *Op;
  }
  case BoolExpr::Kind::And:
  case BoolExpr::Kind::Or: {
    std::string Result = "(";
    for (const BoolExpr &Each : E.operands()) {
      llvm::Expected<std::string> Op = condition(Each);
      if (!Op)
        return Op;
      // Not the short-circuit operators, since both sides are evaluated.
      if (Result.size() > 1)
        Result += E.getKind() == BoolExpr::Kind::And ? " & " : " | ";
      Result += *Op;
    }
    return Result + ")";
  }
  }
  return std::string("true");
}

llvm::Expected<std::string> warpwright::printReference(const BoolExpr &E) {
  ValueWriter Writer;
  return Writer.condition(E);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Host C++ for a function of the CUDA math library, whose arguments are {0} to
/// {2}; empty if the function is not known.
static llvm::StringRef getMathFunction(llvm::StringRef Name) {
  Name.consume_front("::");
  Name.consume_front("std::");
  llvm::StringRef Exact =
      llvm::StringSwitch<llvm::StringRef>(Name)
          .Cases({"rsqrtf", "rsqrt", "__frsqrt_rn", "hrsqrt"},
                 "(1 / std::sqrt({0}))")
          .Cases({"__frcp_rn", "hrcp"}, "(1 / {0})")
          .Cases({"rcbrtf", "rcbrt"}, "(1 / std::cbrt({0}))")
          .Cases({"exp10f", "exp10", "__exp10f", "hexp10"},
                 "std::pow(10.0, {0})")
          .Cases({"normcdff", "normcdf"},
                 "(0.5 * std::erfc(-{0} / std::sqrt(2.0)))")
          .Cases({"erfcxf", "erfcx"}, "(std::exp({0} * {0}) * std::erfc({0}))")
          .Cases({"fdividef", "__fdividef", "__fdiv_rn", "__hdiv", "hdiv"},
                 "({0} / {1})")
          .Cases({"__fadd_rn", "__hadd", "__hadd_rn", "__dadd_rn"},
                 "({0} + {1})")
          .Cases({"__fsub_rn", "__hsub", "__hsub_rn", "__dsub_rn"},
                 "({0} - {1})")
          .Cases({"__fmul_rn", "__hmul", "__hmul_rn", "__dmul_rn"},
                 "({0} * {1})")
          .Cases({"__fmaf_rn", "__hfma", "fmaf", "fma", "__fma_rn"},
                 "({0} * {1} + {2})")
          .Cases({"__saturatef", "saturate"},
                 "std::fmin(std::fmax({0}, 0.0), 1.0)")
          .Cases({"__hmax", "__hmax_nan", "max", "fmaxf", "fmax"},
                 "std::fmax({0}, {1})")
          .Cases({"__hmin", "__hmin_nan", "min", "fminf", "fmin"},
                 "std::fmin({0}, {1})")
          .Cases({"__hneg", "hneg"}, "(-{0})")
          .Cases({"__habs", "habs", "fabsf", "fabs", "abs"}, "std::fabs({0})")
          .Cases({"__hfma_relu"}, "std::fmax({0} * {1} + {2}, 0.0)")
          .Cases({"sinpif", "sinpi"}, "std::sin(3.141592653589793 * {0})")
          .Cases({"cospif", "cospi"}, "std::cos(3.141592653589793 * {0})")
          .Default("");
  if (!Exact.empty())
    return Exact;
  // The same name without the prefixes and suffixes of CUDA.
  Name.consume_front("__");
  if (Name.size() > 4 && Name.front() == 'h' && Name != "hypot" &&
      Name != "hypotf")
    Name = Name.drop_front();
  Name.consume_back("_rn");
  if (Name == "fsqrt")
    Name = "sqrt";
  if (Name != "erf")
    Name.consume_back("f");
  return llvm::StringSwitch<llvm::StringRef>(Name)
#define ONE(X) .Case(#X, "std::" #X "({0})")
#define TWO(X) .Case(#X, "std::" #X "({0}, {1})")
      ONE(exp) ONE(exp2) ONE(expm1) ONE(log) ONE(log2) ONE(log10) ONE(log1p)
          ONE(sqrt) ONE(cbrt) ONE(tanh) ONE(sin) ONE(cos) ONE(tan) ONE(sinh)
              ONE(cosh) ONE(asin) ONE(acos) ONE(atan) ONE(asinh) ONE(acosh)
                  ONE(atanh) ONE(erf) ONE(erfc) ONE(lgamma) ONE(tgamma)
                      ONE(floor) ONE(ceil) ONE(trunc) ONE(round) ONE(rint)
                          ONE(nearbyint) TWO(pow) TWO(atan2) TWO(hypot)
                              TWO(fmod) TWO(copysign) TWO(fdim)
#undef ONE
#undef TWO
                                  .Default("");
}

/// Host C++ for a conversion of {0} to an integer, such as `__float2int_rn` or
/// `static_cast<int>`; empty if \p V is none.
static std::string conversionToInteger(const Value &V) {
  if (isFloating(V.Type) || V.Ops.size() != 1 || !isFloating(V.Ops[0]->Type))
    return "";
  llvm::StringRef Name = V.Name;
  Name.consume_front("::");
  const bool IsCast = Name.starts_with("static_cast<");
  const auto [Types, Rounding] = Name.rsplit('_');
  if (!IsCast && !(Types.starts_with("__") && Types.contains('2')))
    return "";
  const llvm::StringRef Rounded =
      llvm::StringSwitch<llvm::StringRef>(IsCast ? "rz" : Rounding)
          .Case("rn", "std::nearbyint({0})")
          .Case("rz", "std::trunc({0})")
          .Case("rd", "std::floor({0})")
          .Case("ru", "std::ceil({0})")
          .Default("");
  if (Rounded.empty() || V.Type == ScalarType::Bool)
    return "";
  return ("to_integer(Type::" + name(V.Type) + ", " + Rounded + ")").str();
}

llvm::Expected<std::string> ValueWriter::call(const Value &V,
                                              llvm::ArrayRef<std::string> Ops) {
  const std::string ToInteger = conversionToInteger(V);
  llvm::StringRef Format =
      ToInteger.empty() ? getMathFunction(V.Name) : llvm::StringRef(ToInteger);
  if (Format.empty()) {
    Unknown = V.Name;
    return std::string("NAN");
  }
  std::string Result;
  while (!Format.empty()) {
    if (Format.size() > 2 && Format[0] == '{' && Format[2] == '}') {
      unsigned Index = Format[1] - '0';
      if (Index >= Ops.size()) {
        Unknown = V.Name;
        return std::string("NAN");
      }
      Result += Ops[Index];
      Format = Format.drop_front(3);
    } else {
      Result += Format.front();
      Format = Format.drop_front();
    }
  }
  return Result;
}

static bool isNarrow(ScalarType T) {
  return isNarrowFloat(T) || !isFloating(T);
}

/// Whether the integer type \p To has all numbers of the type \p From.
static bool holds(ScalarType To, ScalarType From) {
  auto IsSigned = [](ScalarType T) { return name(T).starts_with("i"); };
  if (isFloating(To) || isFloating(From) || To == ScalarType::Bool)
    return false;
  return To == From ||
         (byteSize(To) > byteSize(From) && (IsSigned(To) || !IsSigned(From)));
}

static std::string roundTo(ScalarType T, llvm::StringRef Text) {
  return llvm::formatv("round_to(Type::{0}, {1})",
                       T == ScalarType::Bool ? "boolean" : name(T), Text);
}

llvm::Expected<std::string> ValueWriter::plain(const Value &V) {
  std::vector<std::string> Ops;
  if (V.K != Value::Kind::Call || !V.Body)
    for (const ValueRef &Each : V.Ops) {
      llvm::Expected<std::string> Op = value(Each);
      if (!Op)
        return Op;
      Ops.push_back(std::move(*Op));
    }
  auto Arithmetic = [&](std::string Text) {
    return isNarrow(V.Type) ? roundTo(V.Type, Text) : Text;
  };
  switch (V.K) {
  case Value::Kind::Constant: {
    std::optional<double> Number = V.getConstant();
    if (!Number || !std::isfinite(*Number))
      return std::string(!Number || std::isnan(*Number) ? "NAN"
                         : *Number < 0                  ? "-INFINITY"
                                                        : "INFINITY");
    std::string Text = llvm::formatv("{0}", llvm::format("%.17g", *Number));
    double Short = 0;
    std::string Brief = llvm::formatv("{0}", llvm::format("%g", *Number));
    if (!llvm::StringRef(Brief).getAsDouble(Short) && Short == *Number)
      Text = Brief;
    if (Text.find_first_of(".en") == std::string::npos)
      Text += ".0";
    return Text;
  }
  case Value::Kind::Acc:
    return "acc" + (V.Counter ? std::to_string(V.Counter) : std::string());
  case Value::Kind::Load:
    return verifyName(V.Name) + "_[" + printReference(V.Index) + "]";
  case Value::Kind::Global:
    return "with." + verifyName(V.Name);
  case Value::Kind::Param:
    return isFloating(V.Type) ? "with." + verifyName(V.Name)
                              : "double(with." + verifyName(V.Name) + ")";
  case Value::Kind::Int:
    return "double(" + printReference(V.Index) + ")";
  case Value::Kind::Cast:
    return isNarrow(V.Type) && !holds(V.Type, V.Ops[0]->Type)
               ? roundTo(V.Type, Ops[0])
               : Ops[0];
  case Value::Kind::Neg:
    return isFloating(V.Type) ? "(-" + Ops[0] + ")"
                              : roundTo(V.Type, "-" + Ops[0]);
  case Value::Kind::Add:
    return Arithmetic("(" + Ops[0] + " + " + Ops[1] + ")");
  case Value::Kind::Sub:
    return Arithmetic("(" + Ops[0] + " - " + Ops[1] + ")");
  case Value::Kind::Mul:
    return Arithmetic(Ops[0] + " * " + Ops[1]);
  case Value::Kind::Div:
    return Arithmetic("(" + Ops[0] + " / " + Ops[1] + ")");
  case Value::Kind::And:
  case Value::Kind::Or:
  case Value::Kind::Xor:
    return roundTo(
        V.Type, llvm::formatv("double(int64_t({0}) {1} int64_t({2}))", Ops[0],
                              V.K == Value::Kind::And  ? "&"
                              : V.K == Value::Kind::Or ? "|"
                                                       : "^",
                              Ops[1])
                    .str());
  case Value::Kind::Shl:
    return roundTo(
        V.Type,
        llvm::formatv("std::ldexp({0}, int({1}))", Ops[0], Ops[1]).str());
  case Value::Kind::Shr:
    return llvm::formatv("std::floor(std::ldexp({0}, -int({1})))", Ops[0],
                         Ops[1])
        .str();
  case Value::Kind::Fma:
    return Arithmetic("(" + Ops[0] + " * " + Ops[1] + " + " + Ops[2] + ")");
  case Value::Kind::Call:
    return V.Body ? value(V.Body) : call(V, Ops);
  case Value::Kind::Select: {
    llvm::Expected<std::string> C = condition(V.Condition);
    if (!C)
      return C;
    return llvm::formatv("choose({0}, {1}, {2})", *C, Ops[0], Ops[1]).str();
  }
  case Value::Kind::Sum:
  case Value::Kind::Phi:
  case Value::Kind::Undefined:
    break;
  }
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "a value of the lift has no reference text");
}

llvm::Expected<std::string> ValueWriter::value(const ValueRef &V) {
  if (auto Found = Locals.find(V.get()); Found != Locals.end())
    return Found->second;
  llvm::Expected<std::string> Result = plain(*V);
  if (!Result || Uses[V.get()] < 2 || Result->size() < 12)
    return Result;
  std::string Name = "t" + std::to_string(Text.Statements.size());
  Text.Statements.push_back("const double " + Name + " = " + *Result + ";");
  return Locals[V.get()] = Name;
}

llvm::Expected<std::optional<ReferenceText>>
warpwright::printReference(const ValueRef &V, bool DropRounding) {
  ValueRef Top = V;
  // What saturates does so also where its rounding is left out.
  ScalarType Saturates = ScalarType::F64;
  while (DropRounding && Top->K == Value::Kind::Cast && isFloating(Top->Type) &&
         !isFloat8(Saturates)) {
    Saturates = Top->Type;
    Top = Top->Ops[0];
  }
  ValueWriter Writer;
  Writer.count(Top);
  llvm::Expected<std::string> Result = Writer.value(Top);
  if (!Result)
    return Result.takeError();
  if (!Writer.Unknown.empty())
    return std::nullopt;
  Writer.Text.Result =
      isFloat8(Saturates)
          ? llvm::formatv("saturate(Type::{0}, {1})", name(Saturates), *Result)
                .str()
          : std::move(*Result);
  return std::move(Writer.Text);
}
