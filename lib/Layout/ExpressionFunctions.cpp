//===- ExpressionFunctions.cpp - The algebra by name ----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Layout/Banks.h"
#include "warpwright/Layout/Expression.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace warpwright {

using Value = ExpressionValue;
using Argument = ExpressionArgument;

namespace {
class AlgebraLibrary : public ExpressionLibrary {
public:
  bool contains(StringRef Name) const override {
    return is_contained(expressionFunctions(), Name);
  }
  Expected<Value> call(StringRef Name, ArrayRef<Argument> Args) const override;
};
} // namespace

const ExpressionLibrary &algebraLibrary() {
  static const AlgebraLibrary Library;
  return Library;
}

/// Keeps the swizzle of \p L in front of what became of its layout.
static Expected<Value> rewrap(const ComposedLayout &L,
                              Expected<Layout> Result) {
  if (!Result)
    return Result.takeError();
  return Value(L.withOuter(*Result));
}

static Expected<Value> callUnary(StringRef Name, const ComposedLayout &L) {
  if (Name == "size")
    return Value(IntTuple(L.size()));
  if (Name == "rank")
    return Value(IntTuple(L.rank()));
  if (Name == "depth")
    return Value(IntTuple(L.outer().depth()));
  if (Name == "coalesce")
    return Value(L.withOuter(coalesce(L.outer())));
  if (Name == "flatten")
    return Value(L.withOuter(flatten(L.outer())));
  // The others make no sense through a swizzle.
  if (!L.isPlain())
    return layoutError(Name + " of a swizzled layout");
  if (Name == "cosize")
    return Value(IntTuple(L.outer().cosize()));
  if (Name == "filter")
    return Value(ComposedLayout(filter(L.outer())));
  if (Name == "right_inverse")
    return Value(ComposedLayout(rightInverse(L.outer())));
  if (Name == "left_inverse")
    return rewrap(L, leftInverse(L.outer()));
  return rewrap(L, complement(L.outer(), L.outer().cosize()));
}

static Expected<Value> callTiled(StringRef Name, const ComposedLayout &L,
                                 const Argument &Arg) {
  if (Name == "blocked_product" || Name == "raked_product") {
    Expected<Layout> T = Arg.plainLayout();
    if (!T)
      return T.takeError();
    return rewrap(L, Name == "blocked_product" ? blockedProduct(L.outer(), *T)
                                               : rakedProduct(L.outer(), *T));
  }
  using Operation = Expected<Layout> (*)(const Layout &, const Tiler &);
  static constexpr std::pair<StringLiteral, Operation> Operations[] = {
      {"composition", composition},      {"logical_divide", logicalDivide},
      {"zipped_divide", zippedDivide},   {"tiled_divide", tiledDivide},
      {"flat_divide", flatDivide},       {"logical_product", logicalProduct},
      {"zipped_product", zippedProduct}, {"tiled_product", tiledProduct},
      {"flat_product", flatProduct}};
  Expected<Tiler> T = Arg.tiler();
  if (!T)
    return T.takeError();
  const auto *Op = find_if(
      Operations, [&](const auto &Entry) { return Entry.first == Name; });
  assert(Op != std::end(Operations) && "function without an implementation");
  return rewrap(L, Op->second(L.outer(), *T));
}

/// A shape: a tuple without `_` whose extents are positive.
static Expected<Shape> shapeOf(const Argument &A) {
  Expected<ComposedLayout> L = A.layout();
  if (!L)
    return L.takeError();
  return L->shape();
}

/// The functions whose first argument is a coordinate (or an index).
static Expected<Value> callCoordinate(StringRef Name, ArrayRef<Argument> Args) {
  Expected<IntTuple> C = Args[0].tuple();
  if (!C)
    return C.takeError();
  if (Name == "dice") {
    Expected<Layout> L = Args[1].plainLayout();
    if (!L)
      return L.takeError();
    Expected<Layout> R = dice(*L, *C);
    if (!R)
      return R.takeError();
    return Value(ComposedLayout(*R));
  }
  if (hasAny(*C))
    return Args[0].fail("'_' names no single element");
  Expected<ComposedLayout> L = Args[1].layout();
  if (!L)
    return L.takeError();
  if (Error E = checkCoord(*C, L->shape()))
    return Args[0].fail(toString(std::move(E)));
  if (!isWithin(*C, L->shape()))
    return Args[0].fail("coordinate " + C->str() + " lies outside the shape " +
                        L->shape().str());
  if (Name == "crd2idx")
    return Value(IntTuple((*L)(*C)));
  if (Name == "idx2crd") {
    if (!C->isInt())
      return Args[0].fail("expected an index");
    return Value(idx2crd(C->value(), L->shape()));
  }
  Expected<Shape> To = shapeOf(Args[2]);
  if (!To)
    return To.takeError();
  Expected<Coord> R = crd2crd(*C, L->shape(), *To);
  if (!R)
    return R.takeError();
  return Value(*R);
}

/// wavefronts(layout in bytes, (thread, value) layout, value, access bytes).
static Expected<Value> callWavefronts(ArrayRef<Argument> Args) {
  Expected<ComposedLayout> Bytes = Args[0].layout();
  if (!Bytes)
    return Bytes.takeError();
  Expected<Layout> ThreadValue = Args[1].plainLayout();
  if (!ThreadValue)
    return ThreadValue.takeError();
  constexpr int64_t MaxThreads = 1024; // of a block
  if (product(ThreadValue->shape()[0]) > MaxThreads)
    return Args[1].fail("more than 1024 threads");
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
  Expected<unsigned> N = countWavefronts(*Bytes, *ThreadValue, *Which, *Access);
  if (!N)
    return N.takeError();
  return Value(IntTuple(*N));
}

/// The functions that pick or pad modes, by the numbers \p Args.
static Expected<Value> callModes(StringRef Name, const ComposedLayout &L,
                                 ArrayRef<Argument> Args) {
  std::vector<unsigned> Numbers;
  for (const Argument &A : Args) {
    Expected<int64_t> N = A.integer();
    if (!N)
      return N.takeError();
    if (*N < 0 || *N > 64)
      return A.fail("modes are numbered from 0 to 64");
    Numbers.push_back(*N);
  }
  if (Name == "select")
    return rewrap(L, select(L.outer(), Numbers));
  if (Name == "group")
    return rewrap(L, group(L.outer(), Numbers[0], Numbers[1]));
  return Value(L.withOuter(Name == "append" ? append(L.outer(), Numbers[0])
                                            : prepend(L.outer(), Numbers[0])));
}

Expected<Value> AlgebraLibrary::call(StringRef Name,
                                     ArrayRef<Argument> Args) const {
  auto Arity = [&](size_t Min, size_t Max) -> Error {
    if (Args.size() >= Min && Args.size() <= Max)
      return Error::success();
    return layoutError(Name + " takes " + Twine(Min) +
                       (Max > Min ? " to " + Twine(Max) : Twine("")) +
                       " arguments, not " + Twine(Args.size()));
  };
  if (Name == "slice") { // slice(coordinate, layout), as in CuTe
    if (Error E = Arity(2, 2))
      return E;
    Expected<IntTuple> C = Args[0].tuple();
    if (!C)
      return C.takeError();
    Expected<ComposedLayout> L = Args[1].layout();
    if (!L)
      return L.takeError();
    Expected<ComposedLayout> R = slice(*L, *C);
    if (!R)
      return R.takeError();
    return Value(*R);
  }
  if (Name == "crd2idx" || Name == "idx2crd" || Name == "crd2crd" ||
      Name == "dice") {
    if (Error E = Name == "crd2crd" ? Arity(3, 3) : Arity(2, 2))
      return E;
    return callCoordinate(Name, Args);
  }
  if (Name == "wavefronts") {
    if (Error E = Arity(4, 4))
      return E;
    return callWavefronts(Args);
  }
  Expected<ComposedLayout> L = Args[0].layout();
  if (!L)
    return L.takeError();
  if (Name == "select" || Name == "group" || Name == "append" ||
      Name == "prepend") {
    if (Error E = Name == "group"    ? Arity(3, 3)
                  : Name == "select" ? Arity(2, 64)
                                     : Arity(2, 2))
      return E;
    return callModes(Name, *L, Args.drop_front());
  }
  if (Name == "max_common_layout" || Name == "max_common_vector") {
    if (Error E = Arity(2, 2))
      return E;
    Expected<Layout> A = Args[0].plainLayout(), B = Args[1].plainLayout();
    if (!A || !B)
      return joinErrors(A.takeError(), B.takeError());
    Expected<Layout> Common = maxCommonLayout(*A, *B);
    if (!Common)
      return Common.takeError();
    if (Name == "max_common_vector")
      return Value(IntTuple(Common->size()));
    return Value(ComposedLayout(*Common));
  }
  if (Name == "coalesce" && Args.size() == 2) {
    Expected<IntTuple> Profile = Args[1].tuple();
    if (!Profile)
      return Profile.takeError();
    return rewrap(*L, coalesce(L->outer(), *Profile));
  }
  if (Name == "complement" && Args.size() == 2) {
    Expected<int64_t> Target = Args[1].integer();
    if (!Target)
      return Target.takeError();
    if (!L->isPlain())
      return Args[0].fail("complement of a swizzled layout");
    return rewrap(*L, complement(L->outer(), *Target));
  }
  if (Name == "tile_to_shape") {
    if (Error E = Arity(2, 3))
      return E;
    Expected<IntTuple> Target = Args[1].tuple();
    if (!Target)
      return Target.takeError();
    Expected<ComposedLayout> Check = Args[1].layout(); // positive extents
    if (!Check)
      return Check.takeError();
    Expected<ComposedLayout> R = ComposedLayout();
    if (Args.size() == 3) {
      Expected<IntTuple> Order = Args[2].tuple();
      if (!Order)
        return Order.takeError();
      if (hasAny(*Order))
        return Args[2].fail("'_' cannot stand in an order");
      R = tileToShape(*L, *Target, *Order);
    } else {
      R = tileToShape(*L, *Target);
    }
    if (!R)
      return R.takeError();
    return Value(*R);
  }
  if (Name == "recast") {
    if (Error E = Arity(3, 3))
      return E;
    Expected<int64_t> From = Args[1].integer(), To = Args[2].integer();
    if (!From || !To)
      return joinErrors(From.takeError(), To.takeError());
    if (*From < 1 || *To < 1 || *From > 4096 || *To > 4096)
      return Args[1].fail("element widths are 1 to 4096 bits");
    Expected<ComposedLayout> R = recast(*L, *From, *To);
    if (!R)
      return R.takeError();
    return Value(*R);
  }
  static constexpr StringLiteral Unary[] = {
      "coalesce", "complement", "cosize",        "depth", "filter",
      "flatten",  "rank",       "right_inverse", "size",  "left_inverse"};
  if (is_contained(Unary, Name)) {
    if (Error E = Arity(1, Name == "coalesce" || Name == "complement" ? 2 : 1))
      return E;
    return callUnary(Name, *L);
  }
  if (Error E = Arity(2, 2))
    return E;
  return callTiled(Name, *L, Args[1]);
}

ArrayRef<StringLiteral> expressionFunctions() {
  static constexpr StringLiteral Names[] = {"append",
                                            "blocked_product",
                                            "coalesce",
                                            "complement",
                                            "composition",
                                            "cosize",
                                            "crd2crd",
                                            "crd2idx",
                                            "depth",
                                            "dice",
                                            "filter",
                                            "flat_divide",
                                            "flat_product",
                                            "flatten",
                                            "group",
                                            "idx2crd",
                                            "left_inverse",
                                            "logical_divide",
                                            "logical_product",
                                            "max_common_layout",
                                            "max_common_vector",
                                            "prepend",
                                            "raked_product",
                                            "rank",
                                            "recast",
                                            "right_inverse",
                                            "select",
                                            "size",
                                            "slice",
                                            "tile_to_shape",
                                            "tiled_divide",
                                            "tiled_product",
                                            "wavefronts",
                                            "zipped_divide",
                                            "zipped_product"};
  return Names;
}

} // namespace warpwright
