//===- Composed.cpp - Operations on swizzled layouts ----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Layout/Algebra.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

using namespace llvm;

namespace warpwright {

/// A swizzle commutes with an operation on layouts only if the operation maps
/// bits to bits. Instead of conditions on strides, the results are compared at
/// every coordinate, for layouts up to this size; larger ones are refused.
static constexpr int64_t MaxCompared = int64_t(1) << 20;

/// The swizzle that XORs the bits \p From onto the bits \p Onto.
static std::optional<Swizzle> swizzleOfMasks(uint64_t From, uint64_t Onto) {
  if (!From && !Onto)
    return Swizzle();
  if (!isShiftedMask_64(From) || !isShiftedMask_64(Onto) ||
      llvm::popcount(From) != llvm::popcount(Onto))
    return std::nullopt;
  int Y = llvm::countr_zero(From), Z = llvm::countr_zero(Onto);
  Expected<Swizzle> S =
      Swizzle::create(llvm::popcount(From), std::min(Y, Z), Y - Z);
  if (S)
    return *S;
  consumeError(S.takeError());
  return std::nullopt;
}

ComposedLayout coalesce(const ComposedLayout &L) {
  return L.withOuter(coalesce(L.outer()));
}
Expected<ComposedLayout> coalesce(const ComposedLayout &L,
                                  const IntTuple &Profile) {
  Expected<Layout> Outer = coalesce(L.outer(), Profile);
  if (!Outer)
    return Outer.takeError();
  return L.withOuter(*Outer);
}
ComposedLayout filter(const ComposedLayout &L) {
  return L.withOuter(filter(L.outer()));
}
ComposedLayout flatten(const ComposedLayout &L) {
  return L.withOuter(flatten(L.outer()));
}

Expected<Swizzle> composition(Swizzle A, Swizzle B) {
  if (A.isIdentity())
    return B;
  if (B.isIdentity())
    return A;
  // Both are XORs. They can be combined into one swizzle if the combined mask
  // is contiguous and no bit that one of them changes is read by the other.
  std::optional<Swizzle> S = swizzleOfMasks(A.sourceMask() ^ B.sourceMask(),
                                            A.targetMask() ^ B.targetMask());
  for (int Bit = 0; S && Bit < 62; ++Bit)
    if (int64_t X = int64_t(1) << Bit; (*S)(X) != A(B(X)))
      S.reset();
  if (!S)
    return layoutError("the composition of " + A.str() + " with " + B.str() +
                       " is no swizzle");
  return *S;
}

/// L(Index), also beyond the end of L; nothing if that exceeds 2^55.
static std::optional<int64_t> at(const Layout &L, int64_t Index) {
  std::vector<int64_t> Extents = leaves(L.shape()), Steps = leaves(L.stride());
  int64_t Sum = 0, Part;
  if (Index < 0)
    return std::nullopt;
  for (size_t I = 0; I < Extents.size(); ++I) {
    bool Last = I + 1 == Extents.size();
    if (MulOverflow(Last ? Index : Index % Extents[I], Steps[I], Part) ||
        AddOverflow(Sum, Part, Sum))
      return std::nullopt;
    Index /= Extents[I];
  }
  if (std::abs(Sum) > int64_t(1) << 55)
    return std::nullopt;
  return Sum;
}

static std::optional<int64_t> at(const ComposedLayout &L, int64_t Index) {
  std::optional<int64_t> Outer = at(L.outer(), Index);
  if (!Outer)
    return std::nullopt;
  return L.swizzle()(L.offset() + *Outer);
}

/// A swizzle T with T(L(i)) = L(S(i)) wherever L maps single bits to single
/// bits.
static std::optional<Swizzle> swizzleBehind(const Layout &L, Swizzle S) {
  if (S.isIdentity())
    return Swizzle();
  std::optional<int64_t> Y = at(L, S.sourceMask()), Z = at(L, S.targetMask());
  if (!Y || !Z || *Y < 0 || *Z < 0)
    return std::nullopt;
  return swizzleOfMasks(*Y, *Z);
}

Expected<ComposedLayout> composition(const ComposedLayout &A,
                                     const ComposedLayout &B) {
  Expected<Layout> Outer = composition(A.outer(), B.outer());
  if (!Outer)
    return Outer.takeError();
  if (B.isPlain())
    return A.withOuter(*Outer);
  auto Fail = [&](const Twine &Why) {
    return layoutError("composition of " + A.str() + " with " + B.str() + ": " +
                       Why);
  };
  if (B.size() > MaxCompared)
    return Fail("too large to be compared element by element");
  std::optional<int64_t> Start = at(A.outer(), B.offset());
  if (!Start)
    return Fail("no element " + Twine(B.offset()) + " in " + A.outer().str());
  std::optional<Swizzle> Behind = swizzleBehind(A.outer(), B.swizzle());
  if (!Behind)
    return Fail("the swizzle does not act on whole bits of " + A.outer().str());
  Expected<Swizzle> Both = composition(A.swizzle(), *Behind);
  if (!Both)
    return Fail(toString(Both.takeError()));
  ComposedLayout Result(*Both, A.offset() + *Start, *Outer);
  for (int64_t I = 0; I < B.size(); ++I)
    if (std::optional<int64_t> Want = at(A, B(I)); !Want || Result(I) != *Want)
      return Fail("no swizzled layout agrees with it at element " + Twine(I));
  return Result;
}

Expected<ComposedLayout> composition(const ComposedLayout &A, const Tiler &T) {
  Expected<Layout> Outer = composition(A.outer(), T);
  if (!Outer)
    return Outer.takeError();
  return A.withOuter(*Outer);
}

/// \p Inverse, of L's outer layout, applied after L's swizzle is undone: its
/// value at i is Inverse(S(i)).
static Expected<ComposedLayout>
inverseOf(const ComposedLayout &L, const Layout &Inverse, StringRef What) {
  if (L.offset())
    return layoutError(What + " of " + L.str() + ": the offset is not 0");
  if (L.size() > MaxCompared)
    return layoutError(What + " of " + L.str() +
                       ": too large to be compared element by element");
  std::optional<Swizzle> S = swizzleBehind(Inverse, L.swizzle());
  if (!S)
    return layoutError(What + " of " + L.str() +
                       ": the swizzle does not act on whole bits of " +
                       Inverse.str());
  return ComposedLayout(*S, 0, Inverse);
}

Expected<ComposedLayout> rightInverse(const ComposedLayout &L) {
  if (L.isPlain())
    return ComposedLayout(rightInverse(L.outer()));
  Expected<ComposedLayout> R =
      inverseOf(L, rightInverse(L.outer()), "right inverse");
  if (!R)
    return R;
  for (int64_t I = 0; I < R->size(); ++I)
    if (int64_t At = (*R)(I); At < 0 || At >= L.size() || L(At) != I)
      return layoutError("right inverse of " + L.str() +
                         ": no swizzled layout finds offset " + Twine(I));
  return R;
}

Expected<ComposedLayout> leftInverse(const ComposedLayout &L) {
  Expected<Layout> Inverse = leftInverse(L.outer());
  if (!Inverse)
    return Inverse.takeError();
  if (L.isPlain())
    return ComposedLayout(*Inverse);
  Expected<ComposedLayout> R = inverseOf(L, *Inverse, "left inverse");
  if (!R)
    return R;
  for (int64_t I = 0; I < L.size(); ++I)
    if (at(*R, L(I)) != I)
      return layoutError("left inverse of " + L.str() +
                         ": no swizzled layout leads back to element " +
                         Twine(I));
  return R;
}

Expected<Layout> maxCommonLayout(const Layout &A, const Layout &B) {
  Layout Inverse = rightInverse(B);
  Expected<Layout> Common = composition(A, Inverse);
  if (!Common)
    return Common;
  Layout First = coalesce(*Common).mode(0);
  if (First.stride().value() != 1)
    return Layout();
  return composition(Inverse, First);
}

Expected<Layout> maxCommonLayout(const ComposedLayout &A,
                                 const ComposedLayout &B) {
  Expected<Layout> Common = maxCommonLayout(A.outer(), B.outer());
  if (!Common)
    return Common;
  // A swizzle does not change the bits below its base, so a run of contiguous
  // elements ends where the offset carries into the bits above.
  int64_t Longest = Common->size();
  for (const ComposedLayout *L : {&A, &B})
    if (!L->swizzle().isIdentity()) {
      int64_t Unit = int64_t(1) << L->swizzle().Base;
      if (int64_t Left = Unit - (L->offset() & (Unit - 1)); Longest > Left)
        Longest = std::gcd(Longest, Left);
    }
  return composition(*Common, Layout(Longest, 1));
}

Expected<int64_t> maxCommonVector(const ComposedLayout &A,
                                  const ComposedLayout &B) {
  Expected<Layout> Common = maxCommonLayout(A, B);
  if (!Common)
    return Common.takeError();
  return Common->size();
}

bool isCompact(const ComposedLayout &L) { return isBijective(filter(L)); }

bool isInjectiveByStrides(const Layout &L) {
  std::vector<int64_t> Extents = leaves(L.shape()), Steps = leaves(L.stride());
  std::vector<std::pair<int64_t, int64_t>> Sorted;
  for (size_t I = 0; I < Extents.size(); ++I)
    if (Extents[I] > 1)
      Sorted.push_back({std::abs(Steps[I]), Extents[I]});
  llvm::sort(Sorted);
  int64_t Reach = 0; // largest offset of the modes with smaller strides
  for (auto [Step, Extent] : Sorted) {
    if (Step <= Reach)
      return false;
    Reach += (Extent - 1) * Step;
  }
  return true;
}

static std::vector<int64_t> sortedOffsets(const ComposedLayout &L) {
  std::vector<int64_t> Offsets;
  Offsets.reserve(L.size());
  for (int64_t I = 0; I < L.size(); ++I)
    Offsets.push_back(L(I));
  llvm::sort(Offsets);
  return Offsets;
}

bool isInjective(const ComposedLayout &L) {
  // A swizzle never maps two offsets to the same one.
  if (isInjectiveByStrides(L.outer()))
    return true;
  std::vector<int64_t> Offsets = sortedOffsets(L.outer());
  return std::adjacent_find(Offsets.begin(), Offsets.end()) == Offsets.end();
}

bool isBijective(const ComposedLayout &L) {
  if (L.isPlain() && isInjectiveByStrides(L.outer()) &&
      llvm::all_of(leaves(L.outer().stride()),
                   [](int64_t D) { return D >= 0; }))
    return L.outer().cosize() == L.size();
  std::vector<int64_t> Offsets = sortedOffsets(L);
  for (int64_t I = 0; I < L.size(); ++I)
    if (Offsets[I] != I)
      return false;
  return true;
}

} // namespace warpwright
