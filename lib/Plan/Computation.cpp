//===- Computation.cpp - What no plan computes ----------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The contractions that every plan declines, whatever its sizes and clauses.
/// A contraction can say more than plans can do: each such thing is declined
/// here by its name, so that what plans and code generation read of it is all
/// that there is.
///
//===----------------------------------------------------------------------===//

#include "Orders.h"
#include "Products.h"

#include "warpwright/Contraction/NamedCalls.h"
#include "warpwright/Plan/Bits.h"
#include "warpwright/Plan/Elements.h"
#include "warpwright/Plan/Roles.h"
#include "warpwright/Plan/Scales.h"
#include "warpwright/Plan/Shifts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace warpwright {

static std::optional<std::string> whyNotOperandType(const Contraction &C,
                                                    ScalarType T) {
  // What words of bits multiply to is not the product of integers.
  if (const ElementType *E = elementType(T); E && (!E->Bits || tableOfBits(C)))
    return std::nullopt;
  return ("operands of type " + name(T) + " have no plan; " + elementWords() +
          " do")
      .str();
}

/// Why sums in \p T of products of \p E cannot be left to the tensor cores.
static std::optional<std::string> whyNotAccumulator(ScalarType T,
                                                    const ElementType &E) {
  if (E.addsIn(T))
    return std::nullopt;
  if (!isFloating(E.Sum))
    return ("its products of integers are added in " + name(T) +
            "; the tensor cores add them in " + name(E.Sum) +
            ", which wraps around")
        .str();
  if (T == ScalarType::F64)
    return "its products are added in double; the tensor cores' sums in float "
           "would be less exact";
  return ("its products are added in " + name(T) + ", which " +
          (E.Sum == ScalarType::F64 ? "double" : "float") +
          " sums do not reproduce")
      .str();
}

/// Nodes of an epilogue in print, where what is used twice stands twice: a
/// value that is squared ten times over has 2^10 leaves. Nobody reads that, and
/// compilers take minutes for it.
static constexpr unsigned MaxEpilogueSize = 10000;
/// The same of a prologue, which stands 32 times in the transform of each plan.
static constexpr unsigned MaxPrologueSize = 200;

static bool isZero(const Value &V) { return V.isConstant(0); }

namespace {

/// Follows a prologue from its outside to the element that it is made from.
class PrologueReader {
public:
  PrologueReader(const Operand &O, StringRef Free) : O(O), Free(Free) {}

  std::string describe() {
    const Value *V = O.Prologue.get();
    while (V && !O.isElement(*V))
      V = step(*V);
    if (Steps.empty())
      Steps.push_back("converted to " + name(O.Prologue->Type).str());
    std::reverse(Steps.begin(), Steps.end()); // the element's side first
    return join(Steps, ", then ");
  }

private:
  const Operand &O;
  const StringRef Free;
  std::vector<std::string> Steps; ///< the outermost first

  bool readsElement(const Value &V) const {
    bool Found = false;
    V.walk([&](const Value &N) { Found |= O.isElement(N); });
    return Found;
  }

  /// "per k by 'scale'": how \p V, which has no element, varies.
  std::string factor(const Value &V) const {
    bool OfRow = false, OfK = false, OfGroup = false, OfBatch = false;
    std::vector<std::string> Names;
    V.walk([&](const Value &N) {
      if (!N.Name.empty() && !is_contained(Names, "'" + N.Name + "'"))
        Names.push_back("'" + N.Name + "'");
      else if (N.K == Value::Kind::Constant)
        Names.push_back(N.Text);
      auto Note = [&](const IntExpr &E) {
        OfRow |= E.contains(("%" + Free).str());
        OfBatch |= E.contains("%b");
        // `scale[%k / 64]`: k is inside a quotient.
        const bool HasK = E.contains("%k");
        OfGroup |= HasK && !E.coefficient("%k");
        OfK |= HasK && E.coefficient("%k");
      };
      Note(N.Index);
      N.Condition.walk(Note, [](const ValueRef &) {});
    });
    std::vector<std::string> Per;
    if (OfBatch)
      Per.push_back("batch");
    if (OfRow)
      Per.push_back(Free == "m" ? "row" : "column");
    if (OfK)
      Per.push_back("k");
    else if (OfGroup)
      Per.push_back("group along k");
    std::string Text = Per.empty() ? "" : "per " + join(Per, " and ") + " ";
    return Text + "by " + (Names.empty() ? "a number" : join(Names, ", "));
  }

  /// The operand of \p V that has the element, where it is the only one.
  const Value *onlyInput(const Value &V, const Value *&Other) const {
    const bool First = readsElement(*V.Ops[0]),
               Second = readsElement(*V.Ops[1]);
    if (First == Second)
      return nullptr;
    Other = V.Ops[First ? 1 : 0].get();
    return V.Ops[First ? 0 : 1].get();
  }

  const Value *end(const Twine &What) {
    Steps.push_back(What.str());
    return nullptr;
  }

  /// Notes what \p V does; what it does it to, if that can be told.
  const Value *step(const Value &V) {
    const Value *Other = nullptr;
    switch (V.K) {
    case Value::Kind::Cast:
      if (isFloating(V.Type) &&
          significandBits(V.Type) < significandBits(V.Ops[0]->Type))
        Steps.push_back("rounded to " + name(V.Type).str());
      return V.Ops[0].get();
    case Value::Kind::Neg:
      Steps.push_back("negated");
      return V.Ops[0].get();
    case Value::Kind::Mul:
    case Value::Kind::Div:
      if (const Value *Input = onlyInput(V, Other);
          Input && (V.K == Value::Kind::Mul || Input == V.Ops[0].get())) {
        Steps.push_back((V.K == Value::Kind::Mul ? "scaled " : "divided ") +
                        factor(*Other));
        return Input;
      }
      return end("transformed");
    case Value::Kind::Add:
    case Value::Kind::Sub:
      if (const Value *Input = onlyInput(V, Other)) {
        Steps.push_back("shifted " + factor(*Other));
        if (V.K == Value::Kind::Sub && Input == V.Ops[1].get())
          Steps.push_back("negated"); // first, then the rest is added
        return Input;
      }
      return end("transformed");
    case Value::Kind::Select:
    case Value::Kind::Call:
      return selected(V);
    default:
      return end("transformed");
    }
  }

  /// max(x, 0), in its two forms, or any call or choice.
  const Value *selected(const Value &V) {
    if (V.K == Value::Kind::Call) {
      const Value *Other = nullptr;
      if (V.Ops.size() == 2 && StringRef(V.Name).contains("max"))
        if (const Value *Input = onlyInput(V, Other); Input && isZero(*Other)) {
          Steps.push_back("clamped at zero");
          return Input;
        }
      if (V.Ops.size() != 1)
        return end("passed through '" + V.Name + "'");
      Steps.push_back("passed through '" + V.Name + "'");
      return V.Ops[0].get();
    }
    const BoolExpr &C = V.Condition;
    if (C.getKind() != BoolExpr::Kind::FloatCmp)
      return end("chosen by a condition");
    const ValueRef &L = C.getValueLHS(), &R = C.getValueRHS();
    const ValueRef &Then = V.Ops[0], &Else = V.Ops[1];
    const bool Greater = C.getOp() == CmpOp::GT || C.getOp() == CmpOp::GE;
    const bool Less = C.getOp() == CmpOp::LT || C.getOp() == CmpOp::LE;
    // x > 0 ? x : 0 and 0 < x ? x : 0; x < 0 ? 0 : x and 0 > x ? 0 : x.
    auto Is = [&](const ValueRef &X, const ValueRef &Zero, const ValueRef &Kept,
                  const ValueRef &Dropped) {
      return isZero(*Zero) && isZero(*Dropped) && sameValue(X, Kept);
    };
    if ((Greater && Is(L, R, Then, Else)) || (Less && Is(R, L, Then, Else)) ||
        (Less && Is(L, R, Else, Then)) || (Greater && Is(R, L, Else, Then))) {
      Steps.push_back("clamped at zero");
      return isZero(*Then) ? Else.get() : Then.get();
    }
    return end("chosen by a comparison");
  }
};

} // namespace

std::string describePrologue(const Operand &O, StringRef Free) {
  return PrologueReader(O, Free).describe();
}

/// What the tensor cores would multiply for \p P: its elements, or parts of
/// them or of what is computed from them.
static const ElementType &multiplied(const Product &P, ScalarType Sum) {
  auto IsElement = [](const Operand &O) {
    return !O.Prologue || !isFloating(O.Prologue->Type);
  };
  // checkTypes() has seen to it that they are counted.
  if (P.A.numbers() == 1 && elementType(P.A.Type)->Bits)
    return *elementType(P.A.Type);
  if (!IsElement(P.A) || !IsElement(P.B))
    return *elementType(PartType);
  // Products of bytes may be added as floats: bytes have fp16 parts.
  const bool AsTheyAre = areWgmmaTypes(P.A.Type, P.B.Type) &&
                         (elementType(P.A.Type)->addsIn(Sum) ||
                          !elementType(PartType)->addsIn(Sum));
  return *elementType(AsTheyAre ? P.A.Type
                      : areFragmentTypes(P.A.Type, P.B.Type, Sum)
                          ? ScalarType::F64
                          : PartType);
}

/// A prologue of a type that plans have is declined as a prologue, and every
/// other operand by its type.
static std::optional<Decline> checkTypes(const Contraction &C) {
  std::optional<Decline> Result;
  if (std::string Why = whyNotCounted(C); !Why.empty())
    return Decline{DiagID::NoPlanForTypes, Why};
  C.forEachOperand([&](const Operand &O) {
    // takeGathered() has taken the others.
    if (O.wordNumbers() > 1 && !Result)
      Result = Decline{DiagID::NoPlanForTypes,
                       "'" + O.Pointer +
                           "': a word has several numbers of four bits that "
                           "lie across k, which a plan takes in one sum of one "
                           "product, of one of its operands"};
    if (O.numbers() > 1)
      return; // what is computed of them has a type of its own
    if (auto Why = whyNotOperandType(C, O.Type); Why && !Result)
      Result = Decline{DiagID::NoPlanForTypes, "'" + O.Pointer + "': " + *Why};
  });
  for (unsigned I = 0; I != C.sumCount() && !Result; ++I)
    if (auto Why = whyNotAccumulator(
            C.sum(I).AccType,
            multiplied(C.sum(I).Products.front(), C.sum(I).AccType)))
      Result = Decline{DiagID::NoPlanForTypes, *Why};
  // Products of doubles, or their sums, that the kernel cuts to float are what
  // a float sum of them would be.
  for (unsigned I = 0; I != C.sumCount() && !Result; ++I) {
    const Accumulation S = C.sum(I);
    if (S.AccType == ScalarType::F64 && S.OriginalAccType != ScalarType::F64 &&
        (S.Products.front().A.Type == ScalarType::F64 ||
         S.Products.front().B.Type == ScalarType::F64))
      Result = Decline{DiagID::NoPlanForTypes,
                       ("its products or sums of doubles are rounded to " +
                        name(S.OriginalAccType) +
                        ", which double sums do not reproduce")
                           .str()};
  }
  return Result;
}

void takeRoundings(Contraction &C, Directives &D) {
  auto Rounds = [](const Operand &O) {
    const Value *V = O.Prologue.get();
    return V && roundsToTF32(*V) && O.Type == ScalarType::F32 &&
           O.isElement(*V->Ops[0]);
  };
  if (!C.hasOneProduct() || !Rounds(C.A) || !Rounds(C.B))
    return;
  C.A.Prologue = C.B.Prologue = nullptr;
  using Kind = Directives::PrecisionKind;
  if (D.Precision.value_or(Kind::Auto) == Kind::Auto)
    D.Precision = Kind::TF32;
}

/// \p O is an integer that has factors of several products.
static bool sharesWords(const Contraction &C, const Operand &O) {
  return !isFloating(O.Type) && any_of(C.MoreProducts, [&](const Product &P) {
    return any_of(std::array{&P.A, &P.B}, [&](const Operand *Other) {
      return Other->Pointer == O.Pointer && Other->Index == O.Index;
    });
  });
}

/// Why no plan applies the prologue of \p O, one of the factors on its side of
/// \p C.
static std::optional<std::string> whyNotPrologue(const Contraction &C,
                                                 const Operand &O, bool First) {
  const bool Converted = isConverted(O.Type, (First ? C.B : C.A).Type) &&
                         !feedsFor(C, FactorPrecision::Float).empty();
  if (!Converted && !mostParts(O.Prologue->Type))
    return ("and are then " + name(O.Prologue->Type) +
            ", which no plan multiplies")
        .str();
  if (sharesWords(C, O))
    return "which a plan does to numbers that share a byte or a word only "
           "where each has four of its bits, and they are neighbours along k";
  if (!Converted && !mostParts(O.Type) && O.numbers() == 1)
    return ("which a plan does to elements of " +
            elementWords(ElementUse::Parts) + " only, not of " + name(O.Type))
        .str();
  for (auto OfTheLift : {Value::Kind::Acc, Value::Kind::Sum, Value::Kind::Phi,
                         Value::Kind::Undefined})
    if (O.Prologue->containsKind(OfTheLift))
      return "by what is not known before the sum is";
  // Of the computation of several numbers, each k has that of one.
  if (O.Prologue->size() > MaxPrologueSize * O.numbers())
    return "by more operations than a plan does for every element";
  if (!C.MoreProducts.empty())
    return "which a plan does where a sum is over one product";
  if (C.sumCount() > 1 &&
      sharedFactor(C) != (First ? SharedFactor::A : SharedFactor::B))
    return "which a plan does, beside several sums, only to the factor that "
           "they share";
  return std::nullopt;
}

/// What would be rewritten in the place of a prologue.
static std::string adviceOnPrologue(const Operand &O) {
  if (isFloat8(O.Type))
    return "scales that are the same for each 128 of k are rewritten where "
           "both "
           "operands are of 8-bit floats, and so is a product of operands that "
           "another kernel computed";
  if (isFloating(O.Type) || isFloating(O.Prologue->Type) ||
      !isWgmmaType(O.Type))
    return "a product of operands that another kernel computed is rewritten";
  return "elements that are multiplied as they are, or from which a zero point "
         "is subtracted that is the same for all k, are rewritten where a sum "
         "is over one product";
}

static std::optional<Decline> checkPrologues(const Contraction &C) {
  if (depthOfScaledBlocks(C) || isShifted(C) || tableOfBits(C))
    return std::nullopt;
  for (unsigned I = 0; I != C.sumCount(); ++I)
    for (const Product &P : C.sum(I).Products)
      for (const Operand *O : {&P.A, &P.B})
        if (O->Prologue)
          if (auto Why = whyNotPrologue(C, *O, O == &P.A))
            return Decline{DiagID::OperandPrologue,
                           "the elements of '" + O->Pointer + "' are " +
                               describePrologue(*O, O == &P.A ? "m" : "n") +
                               " before they are multiplied, " + *Why + "; " +
                               adviceOnPrologue(*O)};
  return std::nullopt;
}

/// Elements that are left as they are, and have a type each that plans have,
/// may still be of types that none multiplies by one another.
static std::optional<Decline> checkPairs(const Contraction &C) {
  if (!feedsFor(C, FactorPrecision::Float).empty())
    return std::nullopt;
  return Decline{DiagID::NoPlanForTypes,
                 ("'" + Twine(C.A.Pointer) + "' is " + name(C.A.Type) +
                  " and '" + C.B.Pointer + "' " + name(C.B.Type) +
                  ", which no plan multiplies by one another")
                     .str()};
}

std::optional<Decline> checkComputation(const Contraction &C) {
  if (C.overflowed())
    return Decline{DiagID::NoPlan,
                   "an extent, index or condition is too large to print"};
  if (std::optional<Decline> No = checkTypes(C))
    return No;
  if (std::optional<Decline> No = checkPrologues(C))
    return No;
  if (std::optional<Decline> No = checkPairs(C))
    return No;
  if (std::optional<Decline> No = checkProducts(C))
    return No;
  if (C.Outputs.empty())
    return Decline{DiagID::NoPlanForEpilogue, "it writes nothing"};
  for (const Output &O : C.Outputs)
    if (O.Value->size() > MaxEpilogueSize)
      return Decline{DiagID::NoPlanForEpilogue,
                     ("written out, the value that is stored to '" +
                      Twine(O.Pointer) + "' has more than " +
                      Twine(MaxEpilogueSize) + " operations and operands")
                         .str()};
  return std::nullopt;
}

} // namespace warpwright
