//===-- Shared.cpp - What the threads of a block share --------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A barrier that all threads of the block reach ends a phase. The stores of a
/// phase to a shared array are families of stores over the threads and their
/// loops (Family.h). An element that is read in a later phase is the value that
/// the newest family with that element stored, for the thread that stored it in
/// place of the thread that reads.
///
/// Within a phase the threads run in any order. If one of them stores an
/// element and another one reads it in the same phase, that is a race, and the
/// kernel is declined.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "Family.h"
#include "Mistakes.h"
#include "Stores.h"
#include "Sums.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace clang;

namespace warpwright::symbolic {

using VK = SymValue::Kind;

/// All arrays of dynamic size begin at the same address.
static constexpr llvm::StringLiteral DynamicArray = "!";

std::string Executor::sharedName(const llvm::GlobalVariable &G) const {
  bool IsDynamic = G.isDeclaration() || G.getValueType()->isSized() == false ||
                   Layout.getTypeAllocSize(G.getValueType()) == 0;
  return IsDynamic ? DynamicArray.str() : "!" + G.getName().str();
}

void Executor::declareShared() {
  for (const llvm::GlobalVariable &G : Module.module().globals()) {
    if (G.getAddressSpace() != 3 || Module.isHeaderVariable(G))
      continue;
    std::string Name = sharedName(G);
    ArrayState &A = localArray(Name);
    A.IsShared = !OwnElements.count(Name);
    A.Size = Name == DynamicArray
                 ? 0
                 : Layout.getTypeAllocSize(G.getValueType()).getFixedValue();
    llvm::Type *Element = G.getValueType();
    while (Element->isArrayTy() ||
           (Element->isStructTy() && Element->getStructNumElements() == 1))
      Element = Element->isArrayTy() ? Element->getArrayElementType()
                                     : Element->getStructElementType(0);
    // Arrays of dynamic size may be declared with several types.
    const unsigned Bytes =
        Element->isIntegerTy() || Element->isFloatingPointTy()
            ? Layout.getTypeStoreSize(Element).getFixedValue()
            : 0;
    A.Element = Bytes > 1 && (!A.Element || A.Element == Bytes) ? Bytes : 0;
    std::string User = Module.variableName(G).str();
    SharedNames.try_emplace(Name,
                            User.empty() ? "a shared array" : "'" + User + "'");
  }
}

/// The family of \p W in a block that is known. There a quotient of a thread's
/// number may be one number, as `threadIdx.x / 16` is where there are 16
/// threads along x.
static std::optional<Family> inBlock(Write W, const Simplifier &Facts,
                                     const std::array<int64_t, 3> &Block,
                                     unsigned &NextCounter) {
  // `for (i = tid; i < 512; i += 256)` runs twice in each of 256 threads.
  for (BoundLoop &L : W.Loops)
    L.Trip = Facts.simplify(L.Trip);
  W.Index = Facts.simplify(W.Index);
  W.Guard = Facts.simplify(W.Guard);
  W.Value.I = Facts.simplify(W.Value.I);
  if (W.Value.S)
    W.Value.S = Facts.simplify(W.Value.S);
  return familyOf(W, /*ByThreads=*/true, NextCounter, Block);
}

/// The size of a block of the shape \p Block where it is asked for.
static auto numberOf(const std::array<int64_t, 3> &Block) {
  return [&Block](const IntAtom &A) {
    return A.getKind() == AtomKind::BlockDim && Block[A.getDim()]
               ? std::optional<IntExpr>(Block[A.getDim()])
               : std::nullopt;
  };
}

/// Whether \p F is the family of another block than one of the shape \p Block:
/// the width of swizzled rows was taken for that of the block, but the rows are
/// padded.
static bool isOfOther(const Family &F, const std::array<int64_t, 3> &Block) {
  return llvm::any_of(F.Requires, [&](const Requirement &R) {
    return R.Condition.transform(numberOf(Block)).isFalse();
  });
}

/// Whether a block of the shape \p Block stores behind the end of an array of
/// \p Bytes (0: any number) bytes. Then it is another block that is meant.
static bool leavesArray(const Family &F, const std::array<int64_t, 3> &Block,
                        uint64_t Bytes) {
  IntExpr Last = F.Base;
  for (const Digit &D : F.Digits)
    Last += D.Stride * (D.Var.Range - 1);
  const auto Top = Last.transform(numberOf(Block)).getConstant();
  return Bytes && Top && *Top >= 0 && F.Guard.isTrue() &&
         (static_cast<uint64_t>(*Top) + 1) * F.Size > Bytes;
}

const Family *Executor::familyFor(const Write &W) {
  auto It = Families.find(W.Id);
  if (It == Families.end()) {
    const bool ByThreads = W.Array[0] == '!';
    std::optional<Family> F = familyOf(W, ByThreads, NextCounter);
    if (ByThreads && llvm::any_of(Block, [](int64_t N) { return N != 0; })) {
      const Simplifier Facts(Bounds, W.Loops, BoolExpr::constant(true));
      auto Never = [](const IntExpr &) { return false; };
      if (!F || F->OpenGuard || isOfOther(*F, Block) ||
          !isInjective(*F, Facts, Never) || leavesOpen(*F))
        if (auto There = inBlock(W, Facts, Block, NextCounter))
          F = std::move(There);
      if (F && leavesArray(*F, Block, S[W.Array].Size))
        F.reset();
    }
    It = Families.emplace(W.Id, std::move(F)).first;
  }
  if (!It->second)
    return nullptr;
  for (const Requirement &R : It->second->Requires) {
    require(R.Condition, R.Reason);
    // The following holds for such blocks only.
    if (R.Condition.getKind() == BoolExpr::Kind::Compare &&
        R.Condition.getOp() == CmpOp::EQ)
      Bounds.learnEqual(R.Condition.getLHS(), R.Condition.getRHS());
  }
  return &*It->second;
}

/// For a remainder `mod(x + c, d)` with a small d: the key of x, which is a
/// counter or a number of iterations, and d.
static std::optional<std::pair<std::string, int64_t>> turn(const IntExpr &E) {
  std::optional<std::pair<std::string, int64_t>> Found;
  E.walk([&](const IntAtom &A) {
    if (A.getKind() != AtomKind::Mod || Found)
      return;
    auto D = A.getRHS().getConstant();
    if (!D || *D < 2 || *D > 16)
      return;
    A.getLHS().walk([&](const IntAtom &X) {
      if (X.getKind() == AtomKind::Counter && !Found)
        Found = {X.getKey().str(), *D};
    });
    if (Found || A.getLHS().containsKind(AtomKind::ThreadIdx))
      return;
    IntExpr Rest;
    for (const auto &[M, C] : A.getLHS().terms())
      if (!M.empty())
        Rest += M.size() == 1 ? IntExpr(C) * IntExpr(M[0]) : IntExpr(2);
    if (AtomRef X = Rest.getAtom())
      Found = {X->getKey().str(), *D};
  });
  return Found;
}

/// Like invert(), with a case for each buffer whose turn it may be.
static Origin locate(const Family &F, const IntExpr &Index,
                     const Simplifier &Facts, unsigned FreeCounter,
                     std::optional<Ensure> Demand = std::nullopt,
                     std::optional<Plausible> Plausibly = std::nullopt) {
  // A requirement is useful only if the family moves with its turn.
  auto Turn = turn(Index - F.Base);
  if (Demand && !turn(F.Base))
    Turn.reset();
  if (!Turn)
    return invert(F, Index, Facts, Demand, Plausibly);
  Origin O = invert(F, Index, Facts, std::nullopt);
  if (O.K != Origin::Kind::Unclear)
    return O;
  std::optional<Origin> Same;
  bool Elsewhere = true, Here = true;
  for (int64_t R = 0; R < Turn->second && (Elsewhere || Here); ++R) {
    auto Fn = [&](const IntAtom &A) -> std::optional<IntExpr> {
      if (A.getKey() == Turn->first)
        return IntExpr(Turn->second) * IntExpr::counter(FreeCounter) + R;
      return std::nullopt;
    };
    Family There = F;
    There.Base = F.Base.transform(Fn);
    Origin X = invert(There, Index.transform(Fn), Facts, Demand, Plausibly);
    Elsewhere &= X.K == Origin::Kind::Elsewhere;
    // There is one member, whosever turn it is.
    Here &= X.K == Origin::Kind::Here && (!Same || Same->At == X.At) &&
            llvm::none_of(X.At, [&](const auto &Named) {
              return Named.second.contains(IntExpr::counter(FreeCounter).str());
            });
    if (!Same)
      Same = std::move(X);
  }
  if (Here)
    return *Same;
  if (Elsewhere)
    O.K = Origin::Kind::Elsewhere;
  return O;
}

/// Two stores of the same iterations to the same places. If the map can be
/// inverted, one element belongs to one thread and one iteration.
static bool sameMap(const Write &A, const Write &B) {
  return A.Size == B.Size && A.Index == B.Index &&
         A.Loops.size() == B.Loops.size() &&
         llvm::all_of(llvm::zip(A.Loops, B.Loops), [](const auto &P) {
           const auto &[LA, LB] = P;
           return LA.Counter == LB.Counter && LA.Trip == LB.Trip;
         });
}

/// \p E, whatever its counters are called.
static IntExpr anonymous(const IntExpr &E) {
  return E.transform([](const IntAtom &X) -> std::optional<IntExpr> {
    if (X.getKind() != AtomKind::Counter)
      return std::nullopt;
    return IntExpr::counter(0);
  });
}

/// Whether the conditions of both families leave the same threads where several
/// would store to one place.
static bool sameThreads(const Family &A, const Family &B) {
  return A.Free.size() == B.Free.size() &&
         llvm::all_of(llvm::zip(A.Free, B.Free), [&](const auto &P) {
           const auto &[FA, FB] = P;
           return FA.Range == FB.Range &&
                  anonymous(FA.origin()) == anonymous(FB.origin()) &&
                  pinned(A.Guard, FA.Atom) == pinned(B.Guard, FB.Atom);
         });
}

/// Members of the two families at one place are stored by the same threads in
/// the same iterations.
static bool sameMember(const Family &A, const Origin &OA, const Family &B,
                       const Origin &OB) {
  if (A.Digits.size() != B.Digits.size())
    return false;
  for (auto [DA, DB] : llvm::zip(A.Digits, B.Digits))
    if (DA.Stride != DB.Stride || DA.Var.Range != DB.Var.Range ||
        anonymous(DA.Var.origin()) != anonymous(DB.Var.origin()) ||
        OA.At.at(DA.Var.key()) != OB.At.at(DB.Var.key()))
      return false;
  return true;
}

static SymValue withAtoms(SymValue V,
                          const std::map<std::string, IntExpr> &At) {
  if (At.empty())
    return V;
  auto Fn = [&](const IntAtom &A) -> std::optional<IntExpr> {
    auto It = A.isLeaf() ? At.find(A.getKey().str()) : At.end();
    return It == At.end() ? std::nullopt : std::optional<IntExpr>(It->second);
  };
  V.I = V.I.transform(Fn);
  if (V.S)
    V.S = transformInts(V.S, Fn);
  return V;
}

static BoolExpr withAtoms(const BoolExpr &B,
                          const std::map<std::string, IntExpr> &At) {
  return B.transform([&](const IntAtom &A) -> std::optional<IntExpr> {
    auto It = A.isLeaf() ? At.find(A.getKey().str()) : At.end();
    return It == At.end() ? std::nullopt : std::optional<IntExpr>(It->second);
  });
}

/// The value that the family's member at \p O stored, and the condition under
/// which it was stored. Threads and iterations that do not determine the place
/// are chosen freely. Nothing if they matter for the value.
static std::optional<std::pair<BoolExpr, SymValue>>
memberAt(const Family &F, Origin &O, const Simplifier &Facts) {
  BoolExpr Guard = F.Guard;
  for (const IndexVar &V : F.Free) {
    auto Is = [&](llvm::StringRef Key) { return Key == V.key(); };
    bool InGuard = mentionsAny(SymValue::boolean(Guard), Is);
    bool InValue = mentionsAny(F.Value, Is);
    if (!InGuard && !InValue)
      continue;
    auto Fixed = pinned(Guard, V.Atom);
    if (!Fixed && InValue)
      return std::nullopt;
    O.At[V.key()] = Fixed ? *Fixed : IntExpr();
  }
  BoolExpr When = Facts.simplify(withAtoms(Guard, O.At));
  for (const IndexVar &V : F.Free)
    if (O.At.count(V.key()) && !pinned(Guard, V.Atom) && !When.isTrue())
      return std::nullopt; // another thread may have stored it
  SymValue Value = withAtoms(F.Value, O.At);
  if (Value.S)
    Value.S = Facts.simplify(Value.S);
  Value.I = Facts.simplify(Value.I);
  return std::make_pair(When, Value);
}

/// A single thread stores and reads the element.
bool Executor::ownThread(const Origin &O) {
  for (unsigned D = 0; D < 3; ++D) {
    if (O.OwnDims & (1u << D))
      continue;
    if (UsedThreads[D] ||
        !demand(IntExpr(1) - IntExpr::special(AtomKind::BlockDim, D),
                "blockDim." + llvm::Twine("xyz"[D]) + " is not 1"))
      return false;
  }
  return true;
}

bool Executor::checkInside(const std::string &Name, const IntExpr &Bytes,
                           unsigned Size) {
  const ArrayState &A = S[Name];
  if (Probing || !A.Size || mentionsPhi(Bytes))
    return true;
  Simplifier Facts(Bounds, bodyLoops(), totalActive());
  IntExpr Room = IntExpr(static_cast<int64_t>(A.Size) - Size) - Bytes;
  auto Refuted = [&](const IntExpr &E) { return Facts.neverNegative(-E - 1); };
  if (Refuted(Room) || Refuted(Bytes))
    return fail(DiagID::SharedElement, here(),
                "an element outside of " + SharedNames[Name] +
                    " is accessed here");
  return true;
}

/// \p E for thread 0 in the first iteration of every loop.
static IntExpr withoutThreads(const IntExpr &E) {
  return E.transform([](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.isLeaf() && Simplifier::varies(A))
      return IntExpr();
    return std::nullopt;
  });
}

/// The sign of a number that is made of sizes: -1, 0 or 1. -1 if it is not
/// clear.
static int signOf(const IntExpr &E) {
  if (E.isZero())
    return 0;
  return llvm::all_of(E.terms(), [](const auto &T) { return T.second > 0; })
             ? 1
             : -1;
}

/// The distance from the first element of \p F to the last one. Nothing if a
/// stride may be negative, since then these are other elements.
static std::optional<IntExpr> spanOf(const Family &F, const Simplifier &Facts,
                                     Ensure Demand) {
  IntExpr Span;
  for (const Digit &D : F.Digits) {
    if (!Facts.neverNegative(D.Stride) && !Demand(D.Stride))
      return std::nullopt;
    Span += D.Stride * (D.Var.Range - 1);
  }
  return Span;
}

/// Whether \p From, the distance to the first element of a family that moves
/// with its turn by \p Base, is in another buffer, whosever turn it is. If that
/// is plausible, it is required by \p Demand.
bool Executor::isOtherBuffer(const std::pair<std::string, int64_t> &Turn,
                             const IntExpr &Base, const IntExpr &From,
                             const Simplifier &Facts, Ensure Demand,
                             const IntExpr &Span) const {
  auto At = [&](const IntExpr &E, int64_t R) {
    return Facts.simplify(E.substitute(
        Turn.first, IntExpr(Turn.second) * IntExpr::counter(NextCounter) + R));
  };
  // Buffers are as large as the distance between them.
  std::set<int64_t> Begins;
  for (int64_t R = 0; R < Turn.second; ++R) {
    auto Begin = withoutThreads(At(Base, R)).getConstant();
    if (!Begin)
      return false;
    Begins.insert(*Begin);
  }
  if (Begins.size() < 2)
    return false;
  int64_t Room = INT64_MAX;
  for (auto It = std::next(Begins.begin()); It != Begins.end(); ++It)
    Room = std::min(Room, *It - *std::prev(It));
  for (int64_t R = 0; R < Turn.second; ++R) {
    const IntExpr There = At(From, R);
    auto Distance = withoutThreads(There).getConstant();
    if (!Distance || (*Distance >= 0 && *Distance < Room))
      return false;
    if (!Demand(*Distance < 0 ? -There - 1 : There - Span - 1))
      return false;
  }
  return true;
}

Origin Executor::elsewhere(const Family &F, const IntExpr &Index,
                           const Simplifier &Facts, const std::string &Name) {
  Origin O = locate(F, Index, Facts, NextCounter);
  if (O.K != Origin::Kind::Unclear)
    return O;
  const IntExpr From = Index - F.Base;
  auto Demand = [&](const IntExpr &E) {
    return demand(E, "the block does not have the shape of the tile " +
                         SharedNames[Name]);
  };
  const auto Extent = spanOf(F, Facts, Demand);
  if (!Extent)
    return O;
  const IntExpr &Span = *Extent;
  if (auto Turn = turn(F.Base)) {
    if (isOtherBuffer(*Turn, F.Base, From, Facts, Demand, Span))
      O.K = Origin::Kind::Elsewhere;
    return O;
  }
  // The element is in another part of the array, before or after this one.
  auto Distance = withoutThreads(Facts.simplify(From)).getConstant();
  if (!Distance || *Distance == 0)
    return O;
  const auto Required = Requires;
  const Ranges Bounded = Bounds;
  if (Demand(*Distance < 0 ? -From - 1 : From - Span - 1)) {
    O.K = Origin::Kind::Elsewhere;
    return O;
  }
  // Requirements that turned out to be of no use are removed.
  Requires = Required;
  Bounds = Bounded;
  return O;
}

std::optional<BoolExpr> Executor::memberWhen(const Family &F, Origin &O,
                                             const Simplifier &Facts) const {
  auto Member = memberAt(F, O, Facts);
  return Member ? std::optional<BoolExpr>(Member->first) : std::nullopt;
}

SymValue Executor::readShared(const std::string &Name, const IntExpr &Bytes,
                              unsigned Size) {
  ArrayState &A = S[Name];
  const std::string &User = SharedNames[Name];
  if (!checkInside(Name, Bytes, Size) || !keepsToPart(Name, Bytes, Size))
    return {};
  Write Read;
  Read.Array = Name;
  Read.Index = Bytes;
  Read.Size = Size;
  Read.Guard = totalActive();
  Read.Loc = here();
  Read.Id = NextWrite++;
  Read.Phase = phaseOf(Name);
  Read.Visible = Read.Done = BoolExpr::constant(false);
  A.Reads.push_back(Read);
  auto Bad = [&](DiagID ID, llvm::Twine Why) {
    return unknown(ID, User + Why);
  };
  // Where an element that is read was stored, if that is not clear.
  auto AtLine = [&](const Write &W) {
    return W.Loc.isValid() ? " at line " + std::to_string(Module.lineOf(W.Loc))
                           : std::string();
  };
  // While a loop is probed, only the type is needed.
  if (Outlining || mentionsPhi(Bytes)) {
    for (const Write &W : llvm::reverse(A.Writes))
      if (W.Value.is(VK::Int) && W.Size == Size && W.Index == Bytes)
        return W.Value;
      else if (W.Value.is(VK::Scalar) && W.Size == Size)
        return SymValue::scalar(
            std::make_shared<Value>(Value::Kind::Undefined, W.Value.S->Type));
    return Bad(DiagID::SharedElement, " is read before anything is stored");
  }
  noteTurn(Name, Bytes);
  auto Index = Bytes.exactDivide(IntExpr(static_cast<int64_t>(Size)));
  BoolExpr All = totalActive();
  Simplifier Facts(Bounds, bodyLoops(),
                   BoolExpr::conjunction(splitMinima(All), beforeEnds()));
  auto Demand = [&](const IntExpr &E) {
    return demand(E, "the block does not have the shape of the tile " + User);
  };
  struct Candidate {
    const Write *W;
    const Family *F;
    Origin O;
    IntExpr Distance;               ///< from the first element, of thread 0
    bool Ahead = false;             ///< the element may be behind the first one
    BoolExpr When;                  ///< its member was stored
    std::shared_ptr<Family> Turned; ///< F, if it is known whose turn it is
  };
  // The newest families come first; those that cannot have the element are left
  // out.
  std::vector<Candidate> Candidates;
  std::optional<unsigned> LastPhase;
  for (const Write &W : llvm::reverse(A.Writes)) {
    // Stores of one phase are not ordered.
    if (LastPhase && W.Phase != *LastPhase)
      break;
    Candidate C{&W, nullptr, {}, {}, false, {}, nullptr};
    if (!W.Clobber) {
      C.F = W.Size == Size && Index ? familyFor(W) : nullptr;
      if (C.F) {
        if (IntExpr Base = withKnownTurns(C.F->Base); Base != C.F->Base) {
          C.Turned = std::make_shared<Family>(*C.F);
          C.Turned->Base = Base;
          C.F = C.Turned.get();
        }
        C.O = locate(*C.F, *Index, Facts, NextCounter);
        if (C.O.K == Origin::Kind::Elsewhere)
          continue;
        C.Distance = withoutThreads(*Index - C.F->Base);
        C.Ahead = signOf(C.Distance) >= 0;
      }
    }
    bool Last = C.O.K == Origin::Kind::Here && C.F->Guard.isTrue();
    Candidates.push_back(std::move(C));
    if (Last)
      LastPhase = W.Phase;
  }
  // If several arrays share one buffer, take the one whose beginning is the
  // closest before the element.
  std::optional<IntExpr> Nearest;
  for (const Candidate &C : Candidates)
    if (C.F && C.Ahead && (!Nearest || signOf(*Nearest - C.Distance) > 0))
      Nearest = C.Distance;
  std::vector<std::pair<BoolExpr, SymValue>> Values;
  BoolExpr Cover = BoolExpr::constant(false);
  std::vector<const Candidate *> Taken;
  SymValue Missing;
  for (Candidate &C : Candidates) {
    const Write &W = *C.W;
    const bool Covered = implies(All, Cover) && !Taken.empty();
    if (Covered && (W.Clobber || W.Phase != Taken.back()->W->Phase))
      break;
    if (W.Clobber) {
      if (A.Size)
        HandedOn.insert(Name);
      Missing = Bad(DiagID::SharedElement,
                    " is read here where it may still hold what an earlier "
                    "iteration stored");
      break;
    }
    if (!C.F)
      return W.Size != Size || !Index
                 ? Bad(DiagID::UnsupportedType,
                       " is read as another type than it is stored as")
                 : Bad(DiagID::SharedElement,
                       " is filled" + AtLine(W) +
                           " in a way that does not tell which thread stores "
                           "which element");
    if (C.O.K == Origin::Kind::Unclear) {
      const auto Required = Requires;
      const Ranges Bounded = Bounds;
      // The element is before the first or after the last one of the family,
      // whosever turn it is if the family moves with its turn.
      IntExpr From = *Index - C.F->Base;
      const auto Extent = spanOf(*C.F, Facts, Demand);
      if (!Extent)
        return Bad(DiagID::SharedElement,
                   " is filled" + AtLine(W) +
                       " in steps of which it is not clear that they are not "
                       "negative");
      const IntExpr &Span = *Extent;
      auto Outside = [&](const IntExpr &From) {
        return Demand(-From - 1) || Demand(From - Span - 1);
      };
      auto Turn = turn(C.F->Base);
      if (!Turn && (!Nearest || C.Distance != *Nearest) && Outside(From))
        continue;
      if (Turn && isOtherBuffer(*Turn, C.F->Base, From, Facts, Demand, Span))
        continue;
      auto Fits = [&](const IntExpr &E) { return plausible(E, Facts); };
      C.O = locate(*C.F, *Index, Facts, NextCounter, Ensure(Demand),
                   Plausible(Fits));
      if (C.O.K == Origin::Kind::Elsewhere)
        continue;
      if (C.O.K == Origin::Kind::Unclear) {
        // Requirements that turned out to be of no use are removed.
        auto InVain = std::exchange(Requires, Required);
        const Ranges Beyond = std::exchange(Bounds, Bounded);
        if (askForTurn(*C.F, *Index, Facts)) {
          A.Reads.pop_back();
          return readShared(Name, Bytes, Size);
        }
        const bool Asked = InVain.size() > Required.size();
        Requires = std::move(InVain);
        Bounds = Beyond;
        // What was asked for one digit may be what another one needs.
        if (Asked) {
          A.Reads.pop_back();
          return readShared(Name, Bytes, Size);
        }
        return Bad(DiagID::SharedElement,
                   " is read here at an element of which it is not clear that "
                   "a thread has stored it" +
                       AtLine(W));
      }
    }
    askForColumns(*C.F, C.O, *Index, Demand);
    auto Member = memberAt(*C.F, C.O, Facts);
    if (!Member)
      if (auto One = withoutOthers(*C.F, Demand))
        Member = memberAt(*One, C.O, Facts);
    if (!Member)
      return Bad(DiagID::SharedElement,
                 " is read here at an element that several threads store" +
                     AtLine(W));
    // The only thread that stores it, `if (threadIdx.x == 16)`, is in the
    // block.
    if (llvm::any_of(C.F->Free, [&](const IndexVar &V) {
          auto Only = C.O.At.find(V.key());
          return Only != C.O.At.end() && !Demand(V.Range - 1 - Only->second);
        }))
      return Bad(DiagID::SharedElement, " is stored by no thread of the block");
    if (Member->first.isFalse())
      continue;
    bool Seen = implies(BoolExpr::conjunction(All, Member->first),
                        Facts.simplify(W.Visible));
    if (!isInjective(*C.F, Facts, Demand))
      return Bad(DiagID::SharedElement,
                 " is read here at an element that several threads may store" +
                     AtLine(W));
    if (W.Async && !Seen && !knows(All, W.Done))
      return Bad(DiagID::CopyNotAwaited,
                 " is read here while the asynchronous copy at line " +
                     llvm::Twine(Module.lineOf(W.Loc)) +
                     " may still be under way: before that, and before a "
                     "__syncthreads(), every thread has to wait for its "
                     "copies");
    if (!Seen && !((W.Async || W.Phase == phaseOf(Name)) && ownThread(C.O)) &&
        !mistaken(Mistake::BarrierNotNeeded)) {
      Unordered.insert(Name);
      return Bad(DiagID::MissingBarrier,
                 " is read here before a __syncthreads() that comes after " +
                     llvm::Twine(W.Async ? "another thread's wait for its copy"
                                         : "the store of another thread"));
    }
    C.When = Member->first;
    // Stores of one phase are not ordered, unless one thread makes both. A copy
    // that completes later is not ordered with what follows it.
    auto Excludes = [&](const Candidate &T) {
      return implies(C.When, BoolExpr::negation(T.When)) ||
             implies(T.When, BoolExpr::negation(C.When));
    };
    const auto Other = llvm::find_if(Taken, [&](const Candidate *T) {
      return T->W->Phase == W.Phase &&
             ((W.Async && !Excludes(*T)) || !sameThreads(*T->F, *C.F) ||
              (!sameMap(*T->W, W) && !sameMember(*T->F, T->O, *C.F, C.O)));
    });
    if (Other != Taken.end())
      return Bad(DiagID::SharedElement,
                 " is read here at an element that two threads store, one" +
                     AtLine(W) + " and one" + AtLine(*(*Other)->W));
    Taken.push_back(&C);
    if (Covered)
      continue;
    Values.push_back(*Member);
    Cover = either(Cover, Member->first);
    if (Values.size() > 2 && !implies(All, Cover))
      Cover = joinBranches(Values);
  }
  if (Missing.Reason.empty() && (Values.empty() || !implies(All, Cover)))
    Missing = Bad(DiagID::SharedElement,
                  " is read here at an element that no thread may have stored");
  // A zero is the number 0 beside numbers, `half{}` where others store halves.
  const auto Number = llvm::find_if(
      Values, [](const auto &V) { return V.second.is(VK::Scalar); });
  if (Number != Values.end())
    for (auto &[When, V] : Values)
      if (V.is(VK::Int) && hasZeroBits(V) &&
          V.Width == 8 * byteSize(Number->second.S->Type))
        V = asNumber(V, Number->second.S->Type);
  if (Values.empty() ||
      (!Missing.Reason.empty() && !Values.back().second.is(VK::Scalar)))
    return Missing;
  SymValue Result;
  if (Missing.Reason.empty()) {
    Result = Values.back().second;
    Values.pop_back();
  } else {
    // The race may not matter: the last tile is fetched, and nobody uses it.
    Result = notSet(Values.back().second.S->Type, Missing);
  }
  for (const auto &[When, V] : llvm::reverse(Values)) {
    noteMeeting(V, Result);
    // A vector where it fits, and its elements one by one where it does not.
    const ValueRef Side =
        V.is(VK::Scalar) && Result.is(VK::Scalar)
            ? weakerSide(When, V.S, Result.S, Bounds, bodyLoops())
            : nullptr;
    if (Side)
      Result.S = Side;
    else
      Result = select(When, V, Result);
  }
  Result.Loc = here();
  return Result;
}

bool Executor::noteSharedStore(const Write &W) {
  if (!checkInside(W.Array, W.Index, W.Size) ||
      !keepsToPart(W.Array, W.Index, W.Size))
    return false;
  if (Probing || mentionsPhi(W.Index))
    return true;
  Simplifier Facts(Bounds, bodyLoops(), totalActive());
  auto Index = W.Index.exactDivide(IntExpr(static_cast<int64_t>(W.Size)));
  for (const Write &R : S[W.Array].Reads) {
    if (implies(totalActive(), R.Visible))
      continue;
    const Family *F = R.Size == W.Size && Index ? familyFor(R) : nullptr;
    bool Meets = false; // it is the element that another thread reads
    if (F) {
      IntExpr Place = *Index;
      for (unsigned Counter : R.First)
        Place = Place.substitute(IntExpr::counter(Counter).str(), IntExpr());
      // Without a bound of the array, the block may be required to be so small
      // that the other buffer is read.
      const auto Required = Requires;
      const Ranges Bounded = Bounds;
      Origin O = elsewhere(*F, Place, Facts, W.Array);
      if (O.K != Origin::Kind::Elsewhere) {
        Requires = Required;
        Bounds = Bounded;
      }
      auto Never = [](const IntExpr &) { return false; };
      if (O.K == Origin::Kind::Elsewhere ||
          (isInjective(*F, Facts, Never) && ownThread(O)))
        continue;
      Meets = O.K == Origin::Kind::Here;
    }
    if (mistaken(Mistake::BarrierNotNeeded))
      continue;
    Unordered.insert(W.Array);
    const std::string Line = std::to_string(Module.lineOf(R.Loc));
    return fail(
        DiagID::MissingBarrier, here(),
        SharedNames[W.Array] +
            (Meets ? " is overwritten here while other threads may still read "
                     "it: a __syncthreads() is missing after line " +
                         Line
                   : " is stored to here, and it could not be shown that this "
                     "is not an element that other threads may still read at "
                     "line " +
                         Line +
                         "; a __syncthreads() between the two is needed only "
                         "if it is one"));
  }
  return noteUnderWay(W, Index ? &*Index : nullptr);
}

} // namespace warpwright::symbolic
