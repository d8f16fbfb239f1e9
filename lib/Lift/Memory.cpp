//===-- Memory.cpp - Variables, arrays and parameters ---------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace warpwright::symbolic {

bool Interpreter::isHalfClass(QualType T) const {
  const auto *R = T.getCanonicalType()->getAsCXXRecordDecl();
  return R && R->getIdentifier() &&
         (R->getName() == "__half" || R->getName() == "__nv_bfloat16");
}

bool Interpreter::isHalf2Class(QualType T) const {
  const auto *R = T.getCanonicalType()->getAsCXXRecordDecl();
  return R && R->getIdentifier() &&
         (R->getName() == "__half2" || R->getName() == "__nv_bfloat162");
}

std::optional<Interpreter::Vector> Interpreter::vectorType(QualType T) const {
  const auto *R = T.getCanonicalType()->getAsCXXRecordDecl();
  if (!R || !R->hasDefinition() || R->isUnion() || R->isLambda() ||
      R->getNumBases() || isHalfClass(T))
    return std::nullopt;
  Vector V{ScalarType::F32, 0};
  for (const FieldDecl *F : R->getDefinition()->fields()) {
    auto Elem = scalarType(F->getType());
    if (!Elem || !isFloating(*Elem) || F->isBitField() ||
        (V.Lanes && *Elem != V.Elem))
      return std::nullopt;
    V.Elem = *Elem;
    ++V.Lanes;
  }
  if (V.Lanes == 0 || Context.getTypeSizeInChars(T).getQuantity() !=
                          static_cast<int64_t>(V.Lanes) * byteSize(V.Elem))
    return std::nullopt;
  return V;
}

std::optional<ScalarType> Interpreter::elementType(QualType T) const {
  if (auto Scalar = scalarType(T))
    return Scalar;
  auto V = vectorType(T);
  return V ? std::optional(V->Elem) : std::nullopt;
}

std::optional<ScalarType> Interpreter::scalarType(QualType T) const {
  T = T.getCanonicalType().getUnqualifiedType();
  if (const auto *E = T->getAs<EnumType>())
    T = E->getDecl()
            ->getDefinitionOrSelf()
            ->getIntegerType()
            .getCanonicalType();
  if (const auto *B = T->getAs<BuiltinType>()) {
    if (T->isBooleanType())
      return ScalarType::Bool;
    if (B->getKind() == BuiltinType::Float)
      return ScalarType::F32;
    if (B->getKind() == BuiltinType::Double)
      return ScalarType::F64;
    if (B->getKind() == BuiltinType::Half ||
        B->getKind() == BuiltinType::Float16)
      return ScalarType::F16;
    if (B->getKind() == BuiltinType::BFloat16)
      return ScalarType::BF16;
    if (!T->isIntegerType())
      return std::nullopt;
    bool U = T->isUnsignedIntegerType();
    switch (Context.getTypeSize(T)) {
    case 8:
      return U ? ScalarType::U8 : ScalarType::I8;
    case 16:
      return U ? ScalarType::U16 : ScalarType::I16;
    case 32:
      return U ? ScalarType::U32 : ScalarType::I32;
    case 64:
      return U ? ScalarType::U64 : ScalarType::I64;
    default:
      return std::nullopt;
    }
  }
  if (isHalfClass(T))
    return T->getAsCXXRecordDecl()->getName() == "__half" ? ScalarType::F16
                                                          : ScalarType::BF16;
  return std::nullopt;
}

LValue Interpreter::newCell(SymValue V) {
  LValue L;
  L.K = LValue::Kind::Cell;
  L.Cell = NextCell++;
  S.Cells[L.Cell] = std::move(V);
  return L;
}

LValue *Interpreter::findVariable(const VarDecl *V) {
  auto &Vars = Frames.back().Vars;
  auto It = Vars.find(V);
  return It == Vars.end() ? nullptr : &It->second;
}

SymValue Interpreter::parameter(QualType T, const std::string &Path,
                                bool Restrict, SourceLocation Loc) {
  if (const auto *P = T->getAs<PointerType>()) {
    auto Elem = elementType(P->getPointeeType());
    if (!Elem)
      return SymValue::unknown(DiagID::UnsupportedType, Loc,
                               "'" + Path +
                                   "' points to a type that is not "
                                   "supported");
    Pointers.push_back({Path, *Elem, Restrict || T.isRestrictQualified(),
                        vectorType(P->getPointeeType()).has_value()});
    S.Arrays[Path].Elem = *Elem;
    return SymValue::pointer(Path, *Elem, IntExpr());
  }
  if (auto ST = scalarType(T)) {
    if (*ST == ScalarType::Bool)
      return SymValue::boolean(
          BoolExpr::compare(CmpOp::NE, IntExpr::param(Path), 0));
    if (isFloating(*ST))
      return SymValue::scalar(Value::param(*ST, Path));
    return SymValue::integer(IntExpr::param(Path), *ST);
  }
  const auto *R = T->getAsCXXRecordDecl();
  if (!R || !R->hasDefinition() || R->isUnion() || R->getNumBases())
    return SymValue::unknown(DiagID::UnsupportedType, Loc,
                             "'" + Path + "' has a type that is not supported");
  SymValue V;
  V.K = SymValue::Kind::Struct;
  for (const FieldDecl *F : R->getDefinition()->fields()) {
    bool Reachable = F->getAccess() == AS_public || F->getAccess() == AS_none;
    V.Fields.push_back(Reachable && !F->isBitField()
                           ? parameter(F->getType(),
                                       Path + "." + F->getName().str(), false,
                                       Loc)
                           : SymValue::unknown(DiagID::UnsupportedType, Loc,
                                               "'" + Path + "." + F->getName() +
                                                   "' is not accessible"));
  }
  return V;
}

BoolExpr Interpreter::totalActive() const {
  BoolExpr A = S.Active;
  for (const BoolExpr &O : OuterActive)
    A = BoolExpr::conjunction(O, A);
  return A;
}

void Interpreter::noteOffset(const SymValue &P) {
  NarrowOffset |= P.Narrow;
  NarrowSigned |= P.Narrow && !P.NarrowUnsigned;
}

Interpreter::Alias Interpreter::matches(const Write &W, const IntExpr &Index,
                                        std::map<unsigned, IntExpr> &At) const {
  IntExpr Rest = W.Index;
  if (W.Loops.empty()) {
    IntExpr D = Rest - Index;
    if (D.isZero())
      return Alias::Yes;
    return D.getConstant() ? Alias::No : Alias::Maybe;
  }
  // Solve for one counter after the other. A solution is a number of the
  // loop's range: the counter of a loop with the same trip count, or a
  // constant that is small enough.
  IntExpr Wanted = Index;
  for (const BoundLoop &L : W.Loops) {
    IntExpr C = IntExpr::counter(L.Counter);
    auto Step = Rest.coefficient(C.str());
    if (!Step || Step->isZero())
      return Alias::Maybe;
    bool Solved = false;
    for (const auto &[Id, Trip] : LiveTrips) {
      auto Other = Wanted.coefficient(IntExpr::counter(Id).str());
      if (!Other || *Other != *Step || Trip != L.Trip)
        continue;
      At[L.Counter] = IntExpr::counter(Id);
      Wanted = Wanted - *Step * IntExpr::counter(Id);
      Rest = Rest - *Step * C;
      Solved = true;
      break;
    }
    if (Solved)
      continue;
    if (W.Loops.size() == 1) {
      auto X = (Index - (Rest - *Step * C)).exactDivide(*Step);
      auto Number = X ? X->getConstant() : std::nullopt;
      auto Trip = L.Trip.getConstant();
      if (Number && Trip && *Number >= 0) {
        if (*Number >= *Trip)
          return Alias::No;
        At[L.Counter] = *X;
        return Alias::Yes;
      }
    }
    return Alias::Maybe;
  }
  return (Rest - Wanted).isZero() ? Alias::Yes : Alias::Maybe;
}

static SymValue withCounters(SymValue V,
                             const std::map<unsigned, IntExpr> &At) {
  if (At.empty())
    return V;
  auto Fn = [&](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.getKind() != AtomKind::Counter)
      return std::nullopt;
    auto It = At.find(A.getDim());
    if (It == At.end())
      return std::nullopt;
    return It->second;
  };
  V.I = V.I.transform(Fn);
  V.B = V.B.transform(Fn);
  if (V.S)
    V.S = transformInts(V.S, Fn);
  return V;
}

SymValue Interpreter::loadElement(const SymValue &P, SourceLocation Loc) {
  if (P.is(SymValue::Kind::Unknown))
    return P;
  if (!P.is(SymValue::Kind::Pointer) || P.Array.empty())
    return SymValue::unknown(DiagID::UnsupportedExpression, Loc,
                             "this address is not understood");
  if (P.Array[0] == '@') {
    if (!P.I.isZero())
      return SymValue::unknown(DiagID::UnsupportedExpression, Loc,
                               "address arithmetic on a variable");
    return S.Cells[std::stoul(P.Array.substr(1))];
  }
  const ArrayState &A = S.Arrays[P.Array];
  if (!A.IsLocal) {
    noteOffset(P);
    // Stores of earlier rounds of a loop are to other elements.
    for (const auto &[Name, Other] : S.Arrays)
      if (Name != P.Array && !Other.IsLocal)
        LoadAfterStore |= llvm::any_of(
            Other.Writes, [](const Write &W) { return W.Loops.empty(); });
  }
  SymValue Older = A.IsLocal
                       ? SymValue::unknown(
                             DiagID::UnsupportedExpression, Loc,
                             "an array element is used without having been set")
                       : SymValue::scalar(Value::load(P.Type, P.Array, P.I));
  if (Older.S) {
    auto V = std::make_shared<Value>(*Older.S);
    V->Loc = Loc.getRawEncoding();
    Older.S = V;
  }
  if (P.Type != A.Elem)
    return SymValue::unknown(DiagID::UnsupportedType, Loc,
                             "'" + P.Array + "' is read as another type");
  // Oldest first, so that later writes overlay earlier ones.
  BoolExpr Active = totalActive();
  for (const Write &W : A.Writes) {
    std::map<unsigned, IntExpr> At;
    switch (matches(W, P.I, At)) {
    case Alias::No:
      continue;
    case Alias::Yes: {
      SymValue V = withCounters(W.Value, At);
      Older = implies(Active, W.Guard) ? V : select(W.Guard, V, Older);
      continue;
    }
    case Alias::Maybe:
      Older = SymValue::unknown(
          DiagID::OrderingHazard, Loc,
          "'" + (A.IsLocal ? std::string("the array") : P.Array) +
              "' is read here at an element that an earlier store may have "
              "changed");
      continue;
    }
  }
  return Older;
}

bool Interpreter::storeElement(const SymValue &P, SymValue V,
                               SourceLocation Loc) {
  if (P.is(SymValue::Kind::Unknown))
    return fail(P.ReasonID, P.ReasonLoc, P.Reason);
  if (!P.is(SymValue::Kind::Pointer) || P.Array.empty())
    return fail(DiagID::UnsupportedExpression, Loc,
                "the address of this store is not understood");
  if (P.Array[0] == '@') {
    V.AssignLoc = Loc;
    S.Cells[std::stoul(P.Array.substr(1))] = std::move(V);
    return P.I.isZero() || fail(DiagID::UnsupportedExpression, Loc,
                                "address arithmetic on a variable");
  }
  ArrayState &A = S.Arrays[P.Array];
  if (P.Type != A.Elem)
    return fail(DiagID::UnsupportedType, Loc,
                "'" + P.Array + "' is written as another type");
  if (!A.IsLocal) {
    noteOffset(P);
    if (V.is(SymValue::Kind::Int))
      V = SymValue::scalar(Value::integer(A.Elem, V.I));
  }
  Write W;
  W.Index = P.I;
  W.Value = std::move(V);
  W.Value.AssignLoc = Loc;
  W.Guard = S.Active;
  W.Loc = Loc;
  W.Id = NextWrite++;
  // What this store hides is gone.
  llvm::erase_if(A.Writes, [&](const Write &Old) {
    return Old.Loops.empty() && Old.Index == W.Index &&
           implies(Old.Guard, W.Guard);
  });
  A.Writes.push_back(std::move(W));
  return true;
}

SymValue Interpreter::load(const LValue &L, SourceLocation Loc) {
  switch (L.K) {
  case LValue::Kind::None:
    return SymValue::unknown(DiagID::UnsupportedExpression, Loc,
                             "this expression is not understood");
  case LValue::Kind::Temporary:
    return L.Temporary;
  case LValue::Kind::Memory:
    return loadElement(L.Pointer, Loc);
  case LValue::Kind::Cell: {
    const SymValue *V = &S.Cells[L.Cell];
    for (unsigned F : L.Path) {
      if (V->is(SymValue::Kind::Unknown))
        return *V;
      if (!V->is(SymValue::Kind::Struct) || F >= V->Fields.size())
        return SymValue::unknown(DiagID::UnsupportedExpression, Loc,
                                 "this member is not understood");
      V = &V->Fields[F];
    }
    return *V;
  }
  }
  llvm_unreachable("covered switch");
}

SymValue Interpreter::load(const LValue &L, SourceLocation Loc, QualType T) {
  if (L.K != LValue::Kind::Memory || !L.Pointer.is(SymValue::Kind::Pointer))
    return load(L, Loc);
  auto V = vectorType(T);
  if (!V)
    return load(L, Loc);
  SymValue R;
  R.K = SymValue::Kind::Struct;
  for (unsigned Lane = 0; Lane < V->Lanes; ++Lane) {
    SymValue P = L.Pointer;
    P.I = P.I + IntExpr(Lane);
    R.Fields.push_back(loadElement(P, Loc));
  }
  return R;
}

bool Interpreter::store(const LValue &L, SymValue V, SourceLocation Loc) {
  switch (L.K) {
  case LValue::Kind::None:
  case LValue::Kind::Temporary:
    return fail(DiagID::UnsupportedExpression, Loc,
                "the target of this assignment is not understood");
  case LValue::Kind::Memory: {
    if (!V.is(SymValue::Kind::Struct))
      return storeElement(L.Pointer, std::move(V), Loc);
    SymValue P = L.Pointer;
    for (SymValue &Field : V.Fields) {
      if (!storeElement(P, std::move(Field), Loc))
        return false;
      P.I = P.I + 1;
    }
    return true;
  }
  case LValue::Kind::Cell: {
    SymValue *Slot = &S.Cells[L.Cell];
    for (unsigned F : L.Path) {
      if (!Slot->is(SymValue::Kind::Struct) || F >= Slot->Fields.size())
        return fail(DiagID::UnsupportedExpression, Loc,
                    "the target of this assignment is not understood");
      Slot = &Slot->Fields[F];
    }
    V.AssignLoc = Loc;
    *Slot = std::move(V);
    return true;
  }
  }
  llvm_unreachable("covered switch");
}

} // namespace warpwright::symbolic
