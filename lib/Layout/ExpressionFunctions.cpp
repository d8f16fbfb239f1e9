//===- ExpressionFunctions.cpp - The algebra by name ----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Layout/Banks.h"
#include "warpwright/Layout/Expression.h"
#include "warpwright/Layout/Mma.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace warpwright {

using Value = ExpressionValue;
using Argument = ExpressionArgument;
using Arguments = ArrayRef<ExpressionArgument>;

/// A test of all elements is refused for layouts larger than this.
static constexpr int64_t MaxWalk = int64_t(1) << 20;

namespace {
struct Function {
  StringLiteral Name;
  unsigned Min, Max; ///< number of arguments
  Expected<Value> (*Run)(Arguments);
};

using UnaryOperation = Layout (*)(const Layout &);
using TilerOperation = Expected<Layout> (*)(const Layout &, const Tiler &);
} // namespace

static constexpr unsigned Any = 64;

/// Puts the swizzle of \p L in front of the result that was computed from its
/// layout.
static Expected<Value> rewrap(const ComposedLayout &L,
                              Expected<Layout> Result) {
  if (!Result)
    return Result.takeError();
  return Value(L.withOuter(*Result));
}

static Expected<Value> asValue(Expected<ComposedLayout> L) {
  if (!L)
    return L.takeError();
  return Value(*L);
}

/// The mode numbers \p Args.
static Expected<std::vector<unsigned>> numbers(Arguments Args) {
  std::vector<unsigned> Result;
  for (const Argument &A : Args) {
    Expected<int64_t> N = A.integer();
    if (!N)
      return N.takeError();
    if (*N < 0 || *N > Any)
      return A.fail("modes are numbered from 0 to 64");
    Result.push_back(*N);
  }
  return Result;
}

/// The first argument, a layout; if mode numbers follow, that mode of it, as in
/// CuTe's `size<1,0>(layout)`.
static Expected<Layout> modeIn(Arguments Args) {
  Expected<ComposedLayout> L = Args[0].layout();
  if (!L)
    return L.takeError();
  Expected<std::vector<unsigned>> Path = numbers(Args.drop_front());
  if (!Path)
    return Path.takeError();
  return modeAt(L->outer(), *Path);
}

/// Functions that count something in one mode.
template <class Of> static Expected<Value> count(Arguments Args, Of Number) {
  Expected<Layout> L = modeIn(Args);
  if (!L)
    return L.takeError();
  return Value(IntTuple(Number(*L)));
}

static Expected<Value> callStride(Arguments Args) {
  Expected<ComposedLayout> L = Args[0].layout();
  if (!L)
    return L.takeError();
  if (!L->isPlain())
    return Args[0].fail("a swizzled layout has no strides");
  return count(Args, [](const Layout &L) { return L.stride(); });
}

static Expected<Value> callGet(Arguments Args) {
  Expected<ComposedLayout> L = Args[0].layout();
  if (!L)
    return L.takeError();
  return rewrap(*L, modeIn(Args));
}

/// Functions that ignore the swizzle of a layout.
template <UnaryOperation Op> static Expected<Value> onOuter(Arguments Args) {
  Expected<ComposedLayout> L = Args[0].layout();
  if (!L)
    return L.takeError();
  return Value(L->withOuter(Op(L->outer())));
}

/// Functions of a layout and a tiler that ignore the swizzle of the layout.
template <TilerOperation Op> static Expected<Value> byTiler(Arguments Args) {
  Expected<ComposedLayout> L = Args[0].layout();
  if (!L)
    return L.takeError();
  Expected<Tiler> T = Args[1].tiler();
  if (!T)
    return T.takeError();
  return rewrap(*L, Op(L->outer(), *T));
}

template <Expected<Layout> (*Op)(const Layout &, const Layout &)>
static Expected<Value> byLayout(Arguments Args) {
  Expected<ComposedLayout> L = Args[0].layout();
  if (!L)
    return L.takeError();
  Expected<Layout> T = Args[1].plainLayout();
  if (!T)
    return T.takeError();
  return rewrap(*L, Op(L->outer(), *T));
}

static Expected<Value> callCoalesce(Arguments Args) {
  if (Args.size() == 1)
    return onOuter<coalesce>(Args);
  Expected<ComposedLayout> L = Args[0].layout();
  if (!L)
    return L.takeError();
  Expected<IntTuple> Profile = Args[1].tuple();
  if (!Profile)
    return Profile.takeError();
  return rewrap(*L, coalesce(L->outer(), *Profile));
}

/// complement(layout), complement(layout, size or shape). As in CuTe, the
/// swizzle is ignored.
static Expected<Value> callComplement(Arguments Args) {
  Expected<ComposedLayout> L = Args[0].layout();
  if (!L)
    return L.takeError();
  int64_t Target = L->outer().cosize();
  if (Args.size() == 2) {
    Expected<Shape> S = Args[1].shape();
    if (!S)
      return S.takeError();
    Target = product(*S);
  }
  Expected<Layout> Rest = complement(L->outer(), Target);
  if (!Rest)
    return Rest.takeError();
  return Value(ComposedLayout(*Rest));
}

/// composition(layout or swizzle, layout, tiler or swizzle), and
/// composition(swizzle or layout, offset, layout).
static Expected<Value> callComposition(Arguments Args) {
  const auto *Outer = std::get_if<Swizzle>(&Args.back().Value);
  const auto *Inner = std::get_if<Swizzle>(&Args[0].Value);
  if (Args.size() == 3) {
    Expected<int64_t> Offset = Args[1].integer();
    if (!Offset)
      return Offset.takeError();
    Expected<Layout> L = Args[2].plainLayout();
    if (!L)
      return L.takeError();
    if (Inner)
      return Value(ComposedLayout(*Inner, *Offset, *L));
    Expected<ComposedLayout> A = Args[0].layout();
    if (!A)
      return A.takeError();
    return asValue(composition(*A, ComposedLayout(Swizzle(), *Offset, *L)));
  }
  if (Inner && Outer) {
    Expected<Swizzle> Both = composition(*Inner, *Outer);
    if (!Both)
      return Both.takeError();
    return Value(*Both);
  }
  if (Inner) {
    Expected<ComposedLayout> L = Args[1].layout();
    if (!L)
      return L.takeError();
    if (L->isPlain())
      return Value(ComposedLayout(*Inner, 0, L->outer()));
    if (L->offset())
      return Args[1].fail("a swizzle of an offset behind a swizzle");
    Expected<Swizzle> Both = composition(*Inner, L->swizzle());
    if (!Both)
      return Both.takeError();
    return Value(ComposedLayout(*Both, 0, L->outer()));
  }
  Expected<ComposedLayout> L = Args[0].layout();
  if (!L)
    return L.takeError();
  if (Outer) // a(S(i)) for all of a
    return asValue(
        composition(*L, ComposedLayout(*Outer, 0, Layout(L->size(), 1))));
  if (const auto *B = std::get_if<ComposedLayout>(&Args[1].Value))
    return asValue(composition(*L, *B));
  if (const auto *B = std::get_if<ThreadValueLayout>(&Args[1].Value))
    return asValue(composition(*L, B->Elements));
  return byTiler<composition>(Args);
}

template <Expected<ComposedLayout> (*Op)(const ComposedLayout &)>
static Expected<Value> callInverse(Arguments Args) {
  if (const auto *S = std::get_if<Swizzle>(&Args[0].Value))
    return Value(*S);
  Expected<ComposedLayout> L = Args[0].layout();
  if (!L)
    return L.takeError();
  return asValue(Op(*L));
}

/// The part \p Outer that slice leaves of the layout of \p L, at its offset in
/// \p L.
static Expected<Value> part(const ComposedLayout &L, const Layout &Outer,
                            const Coord &C) {
  Expected<ComposedLayout> R =
      slice(ComposedLayout(L.swizzle(), L.offset(), Outer), C);
  if (!R)
    return R.takeError();
  if (L.isPlain() && !R->offset())
    return Value(ComposedLayout(R->outer()));
  return Value(*R);
}

/// slice(coordinate, layout). As in CuTe, a plain layout loses its offset,
/// which slice_and_offset keeps.
template <bool Offset> static Expected<Value> callSlice(Arguments Args) {
  Expected<IntTuple> C = Args[0].tuple();
  if (!C)
    return C.takeError();
  Expected<ComposedLayout> L = Args[1].layout();
  if (!L)
    return L.takeError();
  if (Error E = checkCoord(*C, L->shape()))
    return Args[0].fail(toString(std::move(E)));
  if (!isWithin(*C, L->shape()))
    return Args[0].fail("coordinate " + C->str() + " lies outside the shape " +
                        L->shape().str());
  return Offset ? part(*L, L->outer(), *C) : asValue(slice(*L, *C));
}

static Expected<Value> callDice(Arguments Args) {
  Expected<IntTuple> C = Args[0].tuple();
  if (!C)
    return C.takeError();
  Expected<Layout> L = Args[1].plainLayout();
  if (!L)
    return L.takeError();
  Expected<Layout> R = dice(*L, *C);
  if (!R)
    return Args[0].fail(toString(R.takeError()));
  return Value(ComposedLayout(*R));
}

/// A single coordinate \p A, checked against the shape of \p L.
static Expected<Coord> coordinate(const Argument &A, const Shape &S) {
  Expected<IntTuple> C = A.tuple();
  if (!C)
    return C.takeError();
  if (hasAny(*C))
    return A.fail("'_' names no single element");
  if (Error E = checkCoord(*C, S))
    return A.fail(toString(std::move(E)));
  if (!isWithin(*C, S))
    return A.fail("coordinate " + C->str() + " lies outside the shape " +
                  S.str());
  return *C;
}

/// crd2idx(coordinate, layout), crd2idx(coordinate, shape, stride).
static Expected<Value> callCrd2idx(Arguments Args) {
  Expected<ComposedLayout> L = Args[1].layout();
  if (!L)
    return L.takeError();
  Expected<Coord> C = coordinate(Args[0], L->shape());
  if (!C)
    return C.takeError();
  if (Args.size() == 3) {
    Expected<IntTuple> D = Args[2].tuple();
    if (!D)
      return D.takeError();
    if (hasAny(*D))
      return Args[2].fail("'_' is no stride");
    Expected<Layout> Given = Layout::create(L->shape(), *D);
    if (!Given)
      return Args[2].fail(toString(Given.takeError()));
    return Value(IntTuple((*Given)(*C)));
  }
  return Value(IntTuple((*L)(*C)));
}

/// idx2crd(index, shape), idx2crd(offset, shape, stride).
static Expected<Value> callIdx2crd(Arguments Args) {
  Expected<Shape> S = Args[1].shape();
  if (!S)
    return S.takeError();
  if (Args.size() == 3) {
    Expected<int64_t> Offset = Args[0].integer();
    if (!Offset)
      return Offset.takeError();
    Expected<IntTuple> D = Args[2].tuple();
    if (!D)
      return D.takeError();
    if (*Offset < 0)
      return Args[0].fail("expected an offset");
    if (hasAny(*D) || !congruent(*S, *D))
      return Args[2].fail("stride " + D->str() + " does not fit the shape " +
                          S->str());
    return Value(idx2crd(*Offset, *S, *D));
  }
  Expected<Coord> C = coordinate(Args[0], *S);
  if (!C)
    return C.takeError();
  if (!C->isInt())
    return Args[0].fail("expected an index");
  return Value(idx2crd(C->value(), *S));
}

static Expected<Value> callCrd2crd(Arguments Args) {
  Expected<Shape> From = Args[1].shape(), To = Args[2].shape();
  if (!From || !To)
    return joinErrors(From.takeError(), To.takeError());
  Expected<Coord> C = coordinate(Args[0], *From);
  if (!C)
    return C.takeError();
  Expected<Coord> R = crd2crd(*C, *From, *To);
  if (!R)
    return R.takeError();
  return Value(*R);
}

/// wavefronts(layout in bytes, (thread, value) layout, value, access bytes).
static Expected<Value> callWavefronts(Arguments Args) {
  Expected<ComposedLayout> Bytes = Args[0].layout();
  if (!Bytes)
    return Bytes.takeError();
  Expected<Layout> ThreadValue = Args[1].plainLayout();
  if (!ThreadValue)
    return ThreadValue.takeError();
  if (ThreadValue->rank() != 2)
    return Args[1].fail("expected a layout of two modes, (thread, value)");
  constexpr int64_t MaxThreads = 1024; // of a block
  if (product(ThreadValue->shape()[0]) > MaxThreads)
    return Args[1].fail("more than 1024 threads");
  // Elements beyond the tile would belong to another tile.
  if (ThreadValue->cosize() > Bytes->size())
    return Args[1].fail("element " + Twine(ThreadValue->cosize() - 1) +
                        " lies outside the " + Twine(Bytes->size()) +
                        " of the layout");
  Expected<int64_t> Which = Args[2].integer();
  if (!Which)
    return Which.takeError();
  if (*Which < 0)
    return Args[2].fail("values are numbered from 0");
  Expected<int64_t> Access = Args[3].integer();
  if (!Access)
    return Access.takeError();
  if (*Access != 1 && *Access != 2 && *Access != 4 && *Access != 8 &&
      *Access != 16)
    return Args[3].fail("a lane accesses 1, 2, 4, 8 or 16 bytes");
  if (*Which >= product(ThreadValue->shape()[1]))
    return Args[2].fail("no value " + Twine(*Which) + " in " +
                        ThreadValue->str());
  Expected<unsigned> N = countWavefronts(*Bytes, *ThreadValue, *Which, *Access);
  if (!N)
    return N.takeError();
  return Value(IntTuple(*N));
}

/// select(layout, mode, mode, ...).
static Expected<Value> callSelect(Arguments Args) {
  Expected<ComposedLayout> L = Args[0].layout();
  if (!L)
    return L.takeError();
  Expected<std::vector<unsigned>> Modes = numbers(Args.drop_front());
  if (!Modes)
    return Modes.takeError();
  return rewrap(*L, select(L->outer(), *Modes));
}

/// group(layout, begin, end), take(layout, begin, end).
template <Expected<Layout> (*Op)(const Layout &, unsigned, unsigned)>
static Expected<Value> callRange(Arguments Args) {
  Expected<ComposedLayout> L = Args[0].layout();
  if (!L)
    return L.takeError();
  Expected<std::vector<unsigned>> Ends = numbers(Args.drop_front());
  if (!Ends)
    return Ends.takeError();
  return rewrap(*L, Op(L->outer(), (*Ends)[0], (*Ends)[1]));
}

/// append(layout, mode), append(layout, rank), append(layout, rank, mode); a
/// number is a rank, `4:1` is a mode.
template <Layout (*One)(const Layout &, const Layout &),
          Layout (*Pad)(const Layout &, unsigned, const Layout &)>
static Expected<Value> callPad(Arguments Args) {
  Expected<ComposedLayout> L = Args[0].layout();
  if (!L)
    return L.takeError();
  const auto *Number = std::get_if<IntTuple>(&Args[1].Value);
  if (!Number || !Number->isInt()) {
    if (Args.size() == 3)
      return Args[1].fail("expected a rank");
    Expected<Layout> Mode = Args[1].plainLayout();
    if (!Mode)
      return Mode.takeError();
    return Value(L->withOuter(One(L->outer(), *Mode)));
  }
  Expected<std::vector<unsigned>> Rank = numbers(Args.slice(1, 1));
  if (!Rank)
    return Rank.takeError();
  Expected<Layout> Mode = Args.size() == 3 ? Args[2].plainLayout() : Layout();
  if (!Mode)
    return Mode.takeError();
  return Value(L->withOuter(Pad(L->outer(), (*Rank)[0], *Mode)));
}

template <bool Vector> static Expected<Value> callCommon(Arguments Args) {
  Expected<ComposedLayout> A = Args[0].layout(), B = Args[1].layout();
  if (!A || !B)
    return joinErrors(A.takeError(), B.takeError());
  Expected<Layout> Common = maxCommonLayout(*A, *B);
  if (!Common)
    return Common.takeError();
  if (Vector)
    return Value(IntTuple(Common->size()));
  return Value(ComposedLayout(*Common));
}

static Expected<Value> callTileToShape(Arguments Args) {
  Expected<ComposedLayout> L = Args[0].layout();
  if (!L)
    return L.takeError();
  Expected<Shape> Target = Args[1].shape();
  if (!Target)
    return Target.takeError();
  if (Args.size() == 2)
    return asValue(tileToShape(*L, *Target));
  Expected<IntTuple> Order = Args[2].tuple();
  if (!Order)
    return Order.takeError();
  if (hasAny(*Order))
    return Args[2].fail("'_' cannot stand in an order");
  return asValue(tileToShape(*L, *Target, *Order));
}

static Expected<unsigned> width(const Argument &A) {
  Expected<int64_t> N = A.integer();
  if (!N)
    return N.takeError();
  if (*N < 1 || *N > 4096)
    return A.fail("expected 1 to 4096");
  return unsigned(*N);
}

static Expected<Value> callRecast(Arguments Args) {
  Expected<ComposedLayout> L = Args[0].layout();
  if (!L)
    return L.takeError();
  Expected<unsigned> From = width(Args[1]);
  if (!From)
    return From.takeError();
  Expected<unsigned> To = width(Args[2]);
  if (!To)
    return To.takeError();
  return asValue(recast(*L, *From, *To));
}

/// upcast(layout, n): n elements become one; downcast does the reverse.
template <bool Up> static Expected<Value> callCast(Arguments Args) {
  Expected<ComposedLayout> L = Args[0].layout();
  if (!L)
    return L.takeError();
  Expected<unsigned> N = width(Args[1]);
  if (!N)
    return N.takeError();
  return asValue(recast(*L, Up ? 1 : *N, Up ? *N : 1));
}

/// make_layout(layout, layout, ...), make_layout(shape), make_layout(shape,
/// stride).
static Expected<Value> callMakeLayout(Arguments Args) {
  if (all_of(Args, [](const Argument &A) {
        return std::holds_alternative<IntTuple>(A.Value);
      })) {
    Expected<Shape> S = Args[0].shape();
    if (!S)
      return S.takeError();
    if (Args.size() == 1)
      return Value(ComposedLayout(Layout::compact(*S)));
    if (Args.size() > 2)
      return Args[2].fail("expected a shape and a stride, or layouts");
    Expected<IntTuple> D = Args[1].tuple();
    if (!D)
      return D.takeError();
    if (hasAny(*D))
      return Args[1].fail("'_' is no stride");
    Expected<Layout> L = Layout::create(*S, *D);
    if (!L)
      return Args[1].fail(toString(L.takeError()));
    return Value(ComposedLayout(*L));
  }
  std::vector<Layout> Modes;
  for (const Argument &A : Args) {
    Expected<Layout> Mode = A.plainLayout();
    if (!Mode)
      return Mode.takeError();
    Modes.push_back(*Mode);
  }
  return Value(ComposedLayout(Layout::join(Modes)));
}

static Expected<Value> callOrdered(Arguments Args) {
  Expected<Shape> S = Args[0].shape();
  if (!S)
    return S.takeError();
  Expected<IntTuple> Order = Args[1].tuple();
  if (!Order)
    return Order.takeError();
  if (hasAny(*Order))
    return Args[1].fail("'_' cannot stand in an order");
  Expected<Layout> L = orderedLayout(*S, *Order);
  if (!L)
    return L.takeError();
  return Value(ComposedLayout(*L));
}

static Expected<Value> callFragmentLike(Arguments Args) {
  Expected<ComposedLayout> L = Args[0].layout();
  if (!L)
    return L.takeError();
  Expected<Layout> R = fragmentLike(L->outer());
  if (!R)
    return R.takeError();
  return Value(ComposedLayout(*R));
}

static Expected<Value> callLayoutLike(Arguments Args) {
  Expected<ComposedLayout> L = Args[0].layout();
  if (!L)
    return L.takeError();
  return Value(ComposedLayout(layoutLike(L->outer())));
}

static Expected<Value> callNullspace(Arguments Args) {
  Expected<Layout> L = Args[0].plainLayout();
  if (!L)
    return L.takeError();
  return Value(ComposedLayout(nullspace(*L)));
}

/// local_tile(layout, tiler, coordinate of the tile).
static Expected<Value> callLocalTile(Arguments Args) {
  Expected<ComposedLayout> L = Args[0].layout();
  if (!L)
    return L.takeError();
  Expected<Tiler> T = Args[1].tiler();
  if (!T)
    return T.takeError();
  Expected<Layout> Zipped = zippedDivide(L->outer(), *T);
  if (!Zipped)
    return Zipped.takeError();
  Expected<IntTuple> C = Args[2].tuple();
  if (!C)
    return C.takeError();
  // Modes of tiles that the coordinate does not name stay.
  std::vector<IntTuple> Tiles(Zipped->mode(0).rank(), IntTuple::any()), At{*C};
  Layout Rest = Zipped->mode(1);
  if (C->isTuple()) {
    At = C->modes().vec();
    if (At.size() < Rest.rank())
      At.resize(Rest.rank(), IntTuple::any());
  }
  Coord Which{IntTuple::tuple(std::move(Tiles)),
              C->isTuple() ? IntTuple::tuple(std::move(At)) : *C};
  if (Zipped->mode(0).rank() == 1 && !Zipped->shape()[0].isTuple())
    Which = {IntTuple::any(), Which[1]};
  if (Error E = checkCoord(Which, Zipped->shape()))
    return Args[2].fail(toString(std::move(E)));
  if (!isWithin(Which, Zipped->shape()))
    return Args[2].fail("no tile " + C->str() + " of " + Rest.shape().str());
  return part(*L, *Zipped, Which);
}

/// local_partition(layout, layout of threads, thread).
static Expected<Value> callLocalPartition(Arguments Args) {
  Expected<ComposedLayout> L = Args[0].layout();
  if (!L)
    return L.takeError();
  Expected<Layout> Threads = Args[1].plainLayout();
  if (!Threads)
    return Threads.takeError();
  Expected<int64_t> Thread = Args[2].integer();
  if (!Thread)
    return Thread.takeError();
  std::vector<int64_t> At = threadCoordinates(*Threads, *Thread);
  std::vector<IntTuple> Which(At.begin(), At.end());
  if (*Thread < 0 ||
      (Threads->shape().isTuple() ? (*Threads)(IntTuple::tuple(Which))
                                  : (*Threads)(Which[0])) != *Thread)
    return Args[2].fail("no thread " + Twine(*Thread) + " in " +
                        Threads->str());
  std::vector<Tiler> Extents;
  for (const Layout &Mode : Threads->modes())
    Extents.push_back(Tiler(Mode.size()));
  Expected<Layout> Zipped =
      zippedDivide(L->outer(), Tiler::byMode(std::move(Extents)));
  if (!Zipped)
    return Zipped.takeError();
  std::vector<IntTuple> Rest(Zipped->mode(1).rank(), IntTuple::any());
  return part(
      *L, *Zipped,
      {IntTuple::tuple(std::move(Which)), IntTuple::tuple(std::move(Rest))});
}

template <bool (*Test)(const ComposedLayout &)>
static Expected<Value> callTest(Arguments Args) {
  Expected<ComposedLayout> L = Args[0].layout();
  if (!L)
    return L.takeError();
  // The usual layouts are decided without looking at their elements.
  const Layout &Outer = L->outer();
  bool Quick =
      L->isPlain() &&
      all_of(leaves(Outer.stride()), [](int64_t D) { return D >= 0; }) &&
      isInjectiveByStrides(Test == isCompact ? filter(Outer) : Outer);
  if (L->size() > MaxWalk && !Quick)
    return Args[0].fail("too large to visit every element");
  return Value(IntTuple(int(Test(*L))));
}

/// equal(a, b): the same offset at every index.
static Expected<Value> callEqual(Arguments Args) {
  Expected<ComposedLayout> A = Args[0].layout();
  if (!A)
    return A.takeError();
  Expected<ComposedLayout> B = Args[1].layout();
  if (!B)
    return B.takeError();
  if (A->size() != B->size())
    return Value(IntTuple(0));
  if (A->swizzle() == B->swizzle() && A->offset() == B->offset() &&
      coalesce(A->outer()) == coalesce(B->outer()))
    return Value(IntTuple(1));
  if (A->size() > MaxWalk)
    return Args[0].fail("too large to visit every element");
  return Value(IntTuple(int(equalAsFunctions(*A, *B))));
}

template <bool (*Test)(const Shape &, const Shape &)>
static Expected<Value> callShapes(Arguments Args) {
  Expected<Shape> A = Args[0].shape();
  if (!A)
    return A.takeError();
  Expected<Shape> B = Args[1].shape();
  if (!B)
    return B.takeError();
  return Value(IntTuple(int(Test(*A, *B))));
}

static constexpr Function Functions[] = {
    {"append", 2, 3, callPad<append, append>},
    {"blocked_product", 2, 2, byLayout<blockedProduct>},
    {"coalesce", 1, 2, callCoalesce},
    {"compatible", 2, 2, callShapes<compatible>},
    {"complement", 1, 2, callComplement},
    {"composition", 2, 3, callComposition},
    {"congruent", 2, 2, callShapes<congruent>},
    {"cosize", 1, Any,
     [](Arguments Args) {
       return count(Args, [](const Layout &L) { return L.cosize(); });
     }},
    {"crd2crd", 3, 3, callCrd2crd},
    {"crd2idx", 2, 3, callCrd2idx},
    {"depth", 1, Any,
     [](Arguments Args) {
       return count(Args, [](const Layout &L) { return L.depth(); });
     }},
    {"dice", 2, 2, callDice},
    {"downcast", 2, 2, callCast<false>},
    {"equal", 2, 2, callEqual},
    {"filter", 1, 1, onOuter<filter>},
    {"filter_zeros", 1, 1, onOuter<filterZeros>},
    {"flat_divide", 2, 2, byTiler<flatDivide>},
    {"flat_product", 2, 2, byTiler<flatProduct>},
    {"flatten", 1, 1, onOuter<flatten>},
    {"get", 2, Any, callGet},
    {"group", 3, 3, callRange<group>},
    {"group_modes", 3, 3, callRange<group>},
    {"idx2crd", 2, 3, callIdx2crd},
    {"is_bijective", 1, 1, callTest<isBijective>},
    {"is_compact", 1, 1, callTest<isCompact>},
    {"is_injective", 1, 1, callTest<isInjective>},
    {"left_inverse", 1, 1, callInverse<leftInverse>},
    {"local_partition", 3, 3, callLocalPartition},
    {"local_tile", 3, 3, callLocalTile},
    {"logical_divide", 2, 2, byTiler<logicalDivide>},
    {"logical_product", 2, 2, byTiler<logicalProduct>},
    {"make_fragment_like", 1, 1, callFragmentLike},
    {"make_layout", 1, Any, callMakeLayout},
    {"make_layout_like", 1, 1, callLayoutLike},
    {"make_ordered_layout", 2, 2, callOrdered},
    {"max_common_layout", 2, 2, callCommon<false>},
    {"max_common_vector", 2, 2, callCommon<true>},
    {"nullspace", 1, 1, callNullspace},
    {"prepend", 2, 3, callPad<prepend, prepend>},
    {"raked_product", 2, 2, byLayout<rakedProduct>},
    {"rank", 1, Any,
     [](Arguments Args) {
       return count(Args, [](const Layout &L) { return L.rank(); });
     }},
    {"recast", 3, 3, callRecast},
    {"right_inverse", 1, 1, callInverse<rightInverse>},
    {"select", 2, Any, callSelect},
    {"shape", 1, Any,
     [](Arguments Args) {
       return count(Args, [](const Layout &L) { return L.shape(); });
     }},
    {"size", 1, Any,
     [](Arguments Args) {
       return count(Args, [](const Layout &L) { return L.size(); });
     }},
    {"slice", 2, 2, callSlice<false>},
    {"slice_and_offset", 2, 2, callSlice<true>},
    {"stride", 1, Any, callStride},
    {"take", 3, 3, callRange<take>},
    {"tile_to_shape", 2, 3, callTileToShape},
    {"tiled_divide", 2, 2, byTiler<tiledDivide>},
    {"tiled_product", 2, 2, byTiler<tiledProduct>},
    {"upcast", 2, 2, callCast<true>},
    {"wavefronts", 4, 4, callWavefronts},
    {"zipped_divide", 2, 2, byTiler<zippedDivide>},
    {"zipped_product", 2, 2, byTiler<zippedProduct>}};

static const Function *find(StringRef Name) {
  const Function *F =
      find_if(Functions, [&](const Function &F) { return F.Name == Name; });
  return F == std::end(Functions) ? nullptr : F;
}

namespace {
class AlgebraLibrary : public ExpressionLibrary {
public:
  bool contains(StringRef Name) const override { return find(Name); }
  Expected<Value> call(StringRef Name, Arguments Args) const override {
    const Function &F = *find(Name);
    if (Args.size() >= F.Min && Args.size() <= F.Max)
      return F.Run(Args);
    std::string Count = std::to_string(F.Min);
    if (F.Max == Any)
      Count = "at least " + Count;
    else if (F.Max > F.Min)
      Count += " to " + std::to_string(F.Max);
    bool One = F.Min == 1 && (F.Max == 1 || F.Max == Any);
    return layoutError(Name + " takes " + Count +
                       (One ? " argument, not " : " arguments, not ") +
                       Twine(Args.size()));
  }
};
} // namespace

const ExpressionLibrary &algebraLibrary() {
  static const AlgebraLibrary Library;
  return Library;
}

std::vector<StringRef> expressionFunctions() {
  std::vector<StringRef> Names;
  for (const Function &F : Functions)
    Names.push_back(F.Name);
  return Names;
}

} // namespace warpwright
