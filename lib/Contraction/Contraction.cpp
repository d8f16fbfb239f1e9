//===-- Contraction.cpp - What a kernel computes --------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Contraction/Contraction.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <map>

namespace warpwright {

static IntExpr strideOf(const IntExpr &Index, llvm::StringRef Name) {
  return Index.coefficient(("%" + llvm::Twine(Name)).str()).value_or(IntExpr());
}

static IntExpr baseOf(const IntExpr &Index) {
  return Index.transform([](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.getKind() == AtomKind::Index)
      return IntExpr();
    return std::nullopt;
  });
}

int64_t Operand::numbers() const {
  const IntExpr K = IntExpr::index("k");
  int64_t Numbers = 1;
  bool Alone = true;
  Index.walk([&](const IntAtom &A) {
    const auto By =
        !A.isLeaf() && A.getKind() == AtomKind::FloorDiv && A.getLHS() == K
            ? A.getRHS().getConstant()
            : std::nullopt;
    if (!By)
      return;
    Alone &= Numbers == 1 || Numbers == *By;
    Numbers = *By;
  });
  if (Numbers < 2 || !Alone)
    return 1;
  const std::string Element = IntExpr::floorDiv(K, Numbers).str();
  const auto Stride = Index.coefficient(Element);
  return Stride && !Stride->contains(K.str()) &&
                 !(Index - *Stride * IntExpr::floorDiv(K, Numbers))
                      .contains(K.str())
             ? Numbers
             : 1;
}

IntExpr Operand::indexOfElements() const {
  const int64_t Numbers = numbers();
  if (Numbers == 1)
    return Index;
  const IntExpr K = IntExpr::index("k");
  const std::string Element = IntExpr::floorDiv(K, Numbers).str();
  return Index.transform([&](const IntAtom &A) {
    return A.getKey() == Element ? std::optional(K) : std::nullopt;
  });
}

IntExpr Operand::stride(llvm::StringRef IndexName) const {
  return strideOf(wordNumbers() > 1 ? indexOfNumbers() : indexOfElements(),
                  IndexName);
}

IntExpr Operand::base() const { return baseOf(Index); }

/// What is divided by the numbers of a word in the index of \p O; null if
/// nothing is, or an index steps through words in another way.
static AtomRef dividedIndex(const Operand &O) {
  if (isFloating(O.Type) || O.Type == ScalarType::Bool || O.Gathered)
    return nullptr;
  for (const auto &[Atoms, Coefficient] : O.Index.terms())
    if (Atoms.size() == 1 && Coefficient == 1 &&
        Atoms[0]->getKind() == AtomKind::FloorDiv &&
        Atoms[0]->getRHS().getConstant() == 2 * int64_t(byteSize(O.Type)) &&
        (Atoms[0]->getLHS().contains("%m") ||
         Atoms[0]->getLHS().contains("%n")))
      return Atoms[0];
  return nullptr;
}

int64_t Operand::wordNumbers() const {
  const AtomRef Divided = dividedIndex(*this);
  if (!Divided)
    return 1;
  const IntExpr Numbers = indexOfNumbers();
  for (const char *Name : {"%b", "%m", "%n", "%k"})
    if (!Numbers.coefficient(Name))
      return 1;
  return *Divided->getRHS().getConstant();
}

IntExpr Operand::indexOfNumbers() const {
  const AtomRef Divided = dividedIndex(*this);
  if (!Divided)
    return Index;
  return (Index - IntExpr(Divided)) * Divided->getRHS() + Divided->getLHS();
}

ValueRef Operand::element() const { return Value::load(Type, Pointer, Index); }

bool Operand::isElement(const Value &V) const {
  return V.K == Value::Kind::Load && V.Type == Type && V.Name == Pointer &&
         V.Index == Index;
}

BoolExpr IndexRange::condition() const {
  const IntExpr I = IntExpr::index(Index);
  return BoolExpr::conjunction(
      Begin.isZero() ? BoolExpr::constant(true)
                     : BoolExpr::compare(CmpOp::LE, Begin, I),
      End ? BoolExpr::compare(CmpOp::LT, I, *End) : BoolExpr::constant(true));
}

bool IndexRange::operator==(const IndexRange &Other) const {
  return Index == Other.Index && Begin == Other.Begin && End == Other.End;
}

IntExpr Output::stride(llvm::StringRef IndexName) const {
  return strideOf(Index, IndexName);
}

IntExpr Output::base() const { return baseOf(Index); }

/// Whether \p V or a condition in it has an element of \p Pointer.
static bool readsArray(const ValueRef &V, llvm::StringRef Pointer) {
  if (V->K == Value::Kind::Load && V->Name == Pointer)
    return true;
  bool Found = llvm::any_of(
      V->Ops, [&](const ValueRef &X) { return readsArray(X, Pointer); });
  if (V->K == Value::Kind::Select)
    V->Condition.walk(
        [](const IntExpr &) {},
        [&](const ValueRef &X) { Found |= readsArray(X, Pointer); });
  return Found;
}

std::vector<ValueRef> Output::addends() const {
  std::vector<ValueRef> Result;
  // What is added in one piece stays as it is written: sums in it that do not
  // have the element are rounded before they are added to it.
  ValueRef V = Value;
  while (V->K == Value::Kind::Add && V->Type == Type) {
    const bool First = readsArray(V->Ops[0], Pointer);
    if (First == readsArray(V->Ops[1], Pointer))
      return {};
    Result.push_back(V->Ops[First ? 1 : 0]);
    V = V->Ops[First ? 0 : 1];
  }
  if (V->K != Value::Kind::Load || V->Name != Pointer || V->Type != Type ||
      V->Index != Index)
    return {};
  std::reverse(Result.begin(), Result.end()); // the innermost is first
  return Result;
}

bool Contraction::readsElsewhere(llvm::StringRef Pointer) const {
  bool Found = false;
  forEachOperand([&](const Operand &O) {
    Found |=
        O.Pointer == Pointer || (O.Prologue && readsArray(O.Prologue, Pointer));
  });
  for (const Output &O : Outputs)
    Found |= O.Pointer != Pointer && readsArray(O.Value, Pointer);
  return Found;
}

bool Contraction::readsOutputs() const {
  return llvm::any_of(Outputs, [&](const Output &O) {
    return O.Atomic || llvm::any_of(Outputs, [&](const Output &Of) {
             return readsArray(O.Value, Of.Pointer);
           });
  });
}

IntExpr Contraction::batchDigit(unsigned Number) const {
  const IntExpr B = IntExpr::index("b");
  if (BatchDigits.empty())
    return B;
  IntExpr Below(1);
  for (unsigned I = 0; I < Number; ++I)
    Below = Below * BatchDigits[I];
  const IntExpr Above = Number ? IntExpr::floorDiv(B, Below) : B;
  return Number + 1 == BatchDigits.size()
             ? Above
             : IntExpr::mod(Above, BatchDigits[Number]);
}

std::optional<IndexForm> Contraction::formOf(const IntExpr &Index) const {
  // The digits as indices of their own, and what is left of b as their sum.
  const unsigned Digits = std::max<size_t>(BatchDigits.size(), 1);
  std::map<std::string, IntExpr> Apart;
  std::vector<IntExpr> Names;
  IntExpr All, Below(1);
  for (unsigned I = 0; I < Digits; ++I) {
    Names.push_back(IntExpr::index("b" + std::to_string(I)));
    All += Below * Names.back();
    if (!BatchDigits.empty()) {
      Apart.emplace(batchDigit(I).str(), Names.back());
      Below = Below * BatchDigits[I];
    }
  }
  IntExpr Rest = Index.transform([&](const IntAtom &A) {
    auto It = Apart.find(A.getKey().str());
    return It == Apart.end() ? std::optional<IntExpr>() : It->second;
  });
  Rest = Rest.substitute("%b", All);
  bool Affine = true;
  auto Take = [&](const IntExpr &Atom) {
    const auto Stride = Rest.coefficient(Atom.getAtom()->getKey());
    if (!Stride || Stride->containsKind(AtomKind::Index)) {
      Affine = false;
      return IntExpr();
    }
    Rest -= *Stride * Atom;
    return *Stride;
  };
  IndexForm Form;
  Form.M = Take(IntExpr::index("m"));
  Form.N = Take(IntExpr::index("n"));
  Form.K = Take(IntExpr::index("k"));
  for (const IntExpr &Name : Names)
    Form.Batch.push_back(Take(Name));
  Form.Base = Rest;
  if (!Affine || Rest.containsKind(AtomKind::Index))
    return std::nullopt;
  return Form;
}

IntExpr Contraction::batchStride(const Operand &O) const {
  const auto Form = formOf(O.indexOfElements());
  return Form ? Form->Batch[0] : IntExpr();
}

Accumulation Contraction::sum(unsigned I) const {
  if (I)
    return MoreSums[I - 1];
  Accumulation First;
  First.KExtent = KExtent;
  First.Products.push_back({A, B});
  First.Products.back().Scale = Scale;
  llvm::append_range(First.Products, MoreProducts);
  First.AccType = AccType;
  First.OriginalAccType = OriginalAccType;
  return First;
}

void Contraction::setSum(unsigned I, Accumulation Sum) {
  if (I) {
    MoreSums[I - 1] = std::move(Sum);
    return;
  }
  KExtent = Sum.KExtent;
  A = Sum.Products.front().A;
  B = Sum.Products.front().B;
  Scale = Sum.Products.front().Scale;
  MoreProducts.assign(Sum.Products.begin() + 1, Sum.Products.end());
  AccType = Sum.AccType;
  OriginalAccType = Sum.OriginalAccType;
}

ScalarType Operand::factorType() const {
  if (!Prologue)
    return Type;
  const Value *V = Prologue.get();
  if (V->K == Value::Kind::Cast && V->Type == ScalarType::F32 &&
      isNarrowFloat(V->Ops[0]->Type))
    V = V->Ops[0].get();
  return V->Type;
}

void Contraction::forEachProduct(
    llvm::function_ref<void(const Accumulation &, const Product &)> Fn) const {
  for (unsigned I = 0; I != sumCount(); ++I) {
    const Accumulation Sum = sum(I);
    for (const Product &P : Sum.Products)
      Fn(Sum, P);
  }
}

bool Contraction::hasOwnRanges() const {
  bool Found = false;
  forEachProduct([&](const Accumulation &, const Product &P) {
    Found |= P.KExtent.has_value();
  });
  return Found;
}

bool Contraction::hasScales() const {
  bool Found = false;
  forEachProduct([&](const Accumulation &, const Product &P) {
    Found |= P.Scale != nullptr;
  });
  return Found;
}

bool Contraction::hasPrologue() const {
  bool Found = false;
  forEachOperand([&](const Operand &O) { Found |= O.Prologue != nullptr; });
  return Found;
}

bool Contraction::isPacked() const {
  bool Found = false;
  forEachOperand([&](const Operand &O) { Found |= O.numbers() > 1; });
  return Found;
}

void Contraction::forEachOperand(
    llvm::function_ref<void(const Operand &)> Fn) const {
  Fn(A);
  Fn(B);
  auto OfAll = [&](llvm::ArrayRef<Product> Products) {
    for (const Product &P : Products) {
      Fn(P.A);
      Fn(P.B);
    }
  };
  OfAll(MoreProducts);
  for (const Accumulation &S : MoreSums)
    OfAll(S.Products);
}

void Contraction::walk(
    llvm::function_ref<void(const IntExpr &)> OnInt,
    llvm::function_ref<void(const ValueRef &)> OnValue) const {
  for (const IntExpr *Extent : {&BatchExtent, &MExtent, &NExtent})
    OnInt(*Extent);
  for (const IntExpr &Extent : BatchDigits)
    OnInt(Extent);
  for (unsigned I = 0; I != sumCount(); ++I) {
    Accumulation S = sum(I);
    OnInt(S.KExtent);
    for (const Product &P : S.Products) {
      if (P.KExtent)
        OnInt(*P.KExtent);
      if (P.Scale)
        OnValue(P.Scale);
      for (const Operand *O : {&P.A, &P.B}) {
        OnInt(O->Index);
        if (O->Prologue)
          OnValue(O->Prologue);
      }
    }
  }
  for (const Output &O : Outputs) {
    OnInt(O.Index);
    OnValue(O.Value);
    if (O.When) {
      OnInt(O.When->Begin);
      if (O.When->End)
        OnInt(*O.When->End);
    }
  }
  for (const Requirement &R : Requires)
    R.Condition.walk(OnInt, OnValue);
}

bool Contraction::overflowed() const {
  bool Found = false;
  walk([&](const IntExpr &E) { Found |= E.overflowed(); },
       [&](const ValueRef &V) { Found |= V->measure().Overflow; });
  return Found;
}

static void printOperand(llvm::raw_ostream &OS, char Name, const Operand &O) {
  OS << "  operand " << Name << " = " << O.Pointer << '[' << O.Index
     << "]:" << name(O.Type);
  if (O.Gathered) {
    OS << (O.Gathered->AlongK ? " gathered along k(" : " gathered(");
    llvm::interleaveComma(O.Gathered->Places, OS);
    OS << ')';
  }
  if (O.Prologue) {
    OS << " as ";
    O.Prologue->print(OS);
  }
  OS << '\n';
}

static void printSum(llvm::raw_ostream &OS, const Accumulation &S) {
  OS << "  index %k < " << S.KExtent << '\n';
  for (const Product &P : S.Products) {
    if (P.Subtracted || &P != &S.Products.front()) {
      OS << (P.Subtracted ? "  minus" : "  plus");
      if (P.KExtent)
        OS << " over %k < " << *P.KExtent;
      OS << '\n';
    }
    printOperand(OS, 'A', P.A);
    printOperand(OS, 'B', P.B);
    if (P.Scale) {
      OS << "  times ";
      P.Scale->print(OS);
      OS << '\n';
    }
  }
  OS << "  accumulate " << name(S.AccType);
  if (S.OriginalAccType != S.AccType)
    OS << " for " << name(S.OriginalAccType);
  OS << '\n';
}

void Contraction::print(llvm::raw_ostream &OS) const {
  OS << "contraction \"" << Kernel << "\" {\n";
  OS << "  index %b < " << BatchExtent;
  for (const IntExpr &Extent : BatchDigits)
    OS << (&Extent == &BatchDigits.front() ? " of " : ", ") << Extent;
  OS << '\n';
  OS << "  index %m < " << MExtent << '\n';
  OS << "  index %n < " << NExtent << '\n';
  for (unsigned I = 0; I != sumCount(); ++I) {
    if (I)
      OS << "  sum acc" << I << '\n';
    printSum(OS, sum(I));
  }
  for (const Output &O : Outputs) {
    OS << "  output " << O.Pointer << '[' << O.Index << "]:" << name(O.Type)
       << " = ";
    O.Value->print(OS);
    if (O.Atomic)
      OS << " atomically";
    if (O.When) {
      OS << " when ";
      if (!O.When->Begin.isZero() || !O.When->End)
        OS << O.When->Begin << " <= ";
      OS << '%' << O.When->Index;
      if (O.When->End)
        OS << " < " << *O.When->End;
    }
    OS << '\n';
  }
  for (const Requirement &R : Requires)
    OS << "  require " << R.Condition << " : \"" << R.Reason << "\"\n";
  if (RolesExchanged)
    OS << "  exchanged\n";
  OS << "  offsets " << (IndexSigned ? 'i' : 'u') << IndexBits << '\n';
  if (LoadsAfterStores)
    OS << "  loads after stores\n";
  if (!VectorPointers.empty())
    OS << "  vectors " << llvm::join(VectorPointers, ", ") << '\n';
  if (!RestrictPointers.empty())
    OS << "  restrict " << llvm::join(RestrictPointers, ", ") << '\n';
  OS << "}\n";
}

} // namespace warpwright
