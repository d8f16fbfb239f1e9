//===- Expression.cpp - The layout language -------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Layout/Expression.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

#include <variant>

using namespace llvm;

namespace warpwright {

char ExpressionError::ID;

void ExpressionError::log(raw_ostream &OS) const {
  OS << "at " << Offset << ": " << Message;
}
std::error_code ExpressionError::convertToErrorCode() const {
  return inconvertibleErrorCode();
}

namespace {

/// What an expression can be. A tuple of integers doubles as a shape.
using Value = std::variant<IntTuple, ComposedLayout, Tiler>;

/// One argument with the place that a complaint about it points to.
struct Argument {
  Value V;
  size_t Offset;
};

constexpr unsigned MaxDepth = 64;
/// Extents and strides beyond this would overflow products of a few of them.
constexpr int64_t MaxInteger = int64_t(1) << 31;
constexpr int64_t MaxSize = int64_t(1) << 40;

class Parser {
public:
  explicit Parser(StringRef Text) : Text(Text) {}

  Expected<Value> parseAll() {
    Expected<Value> V = parseValue(0);
    if (!V)
      return V;
    skipSpace();
    if (Pos != Text.size())
      return fail(Pos, "unexpected text after the expression");
    return V;
  }

private:
  StringRef Text;
  size_t Pos = 0;

  Error fail(size_t At, const Twine &Message) {
    return make_error<ExpressionError>(At, Message.str());
  }
  Error relocate(size_t At, Error E) {
    if (E.isA<ExpressionError>())
      return E;
    return fail(At, toString(std::move(E)));
  }
  void skipSpace() {
    while (Pos < Text.size() && isSpace(Text[Pos]))
      ++Pos;
  }
  bool accept(char C) {
    skipSpace();
    if (Pos >= Text.size() || Text[Pos] != C)
      return false;
    ++Pos;
    return true;
  }
  Error expect(char C) {
    if (accept(C))
      return Error::success();
    return fail(Pos, "expected '" + Twine(C) + "'");
  }
  StringRef word() {
    skipSpace();
    size_t Begin = Pos;
    while (Pos < Text.size() && (isAlnum(Text[Pos]) || Text[Pos] == '_'))
      ++Pos;
    return Text.slice(Begin, Pos);
  }

  Expected<int64_t> parseInteger() {
    skipSpace();
    size_t Begin = Pos;
    if (Pos < Text.size() && Text[Pos] == '-')
      ++Pos;
    while (Pos < Text.size() && isDigit(Text[Pos]))
      ++Pos;
    int64_t N;
    if (Text.slice(Begin, Pos).getAsInteger(10, N)) {
      bool Digits = Pos > Begin && isDigit(Text[Pos - 1]);
      return fail(Begin, Digits ? "integer out of range" : "expected a number");
    }
    if (N > MaxInteger || N < -MaxInteger)
      return fail(Begin, "integer out of range");
    return N;
  }

  Expected<IntTuple> parseTuple(unsigned Depth) {
    skipSpace();
    if (Depth > MaxDepth)
      return fail(Pos, "nested too deeply");
    if (accept('_'))
      return IntTuple::any();
    if (!accept('(')) {
      Expected<int64_t> N = parseInteger();
      if (!N)
        return N.takeError();
      return IntTuple(*N);
    }
    std::vector<IntTuple> Modes;
    do {
      Expected<IntTuple> Mode = parseTuple(Depth + 1);
      if (!Mode)
        return Mode;
      Modes.push_back(*Mode);
    } while (accept(','));
    if (Error E = expect(')'))
      return E;
    return IntTuple::tuple(std::move(Modes));
  }

  /// `shape:stride`, or a tuple alone.
  Expected<Value> parseTupleOrLayout(unsigned Depth) {
    size_t Begin = Pos;
    Expected<IntTuple> S = parseTuple(Depth);
    if (!S)
      return S.takeError();
    if (!accept(':'))
      return Value(*S);
    Expected<IntTuple> D = parseTuple(Depth);
    if (!D)
      return D.takeError();
    if (hasAny(*S) || hasAny(*D))
      return fail(Begin, "'_' cannot stand in a layout");
    Expected<Layout> L = Layout::create(*S, *D);
    if (!L)
      return relocate(Begin, L.takeError());
    if (L->size() > MaxSize)
      return fail(Begin, "layout too large");
    return Value(ComposedLayout(*L));
  }

  static bool hasAny(const IntTuple &T) {
    if (!T.isTuple())
      return T.isAny();
    return any_of(T.modes(), hasAny);
  }

  /// `S<B,M,S> o offset o layout`, after the `S`.
  Expected<Value> parseSwizzled(size_t Begin, unsigned Depth) {
    if (Error E = expect('<'))
      return E;
    int64_t Numbers[3];
    for (int I = 0; I < 3; ++I) {
      if (I)
        if (Error E = expect(','))
          return E;
      Expected<int64_t> N = parseInteger();
      if (!N)
        return N.takeError();
      Numbers[I] = std::clamp<int64_t>(*N, -1000, 1000);
    }
    if (Error E = expect('>'))
      return E;
    Expected<Swizzle> S = Swizzle::create(Numbers[0], Numbers[1], Numbers[2]);
    if (!S)
      return relocate(Begin, S.takeError());
    if (word() != "o")
      return fail(Pos, "expected 'o' after a swizzle");
    Expected<int64_t> Offset = parseInteger();
    if (!Offset)
      return Offset.takeError();
    if (word() != "o")
      return fail(Pos, "expected 'o' after the offset");
    skipSpace();
    size_t At = Pos;
    Expected<Value> Outer = parseValue(Depth + 1);
    if (!Outer)
      return Outer;
    Expected<ComposedLayout> L = toLayout({*Outer, At});
    if (!L)
      return L.takeError();
    if (!L->isPlain())
      return fail(At, "a swizzle of a swizzled layout");
    return Value(ComposedLayout(*S, *Offset, L->outer()));
  }

  Expected<Value> parseTiler(unsigned Depth) {
    std::vector<Tiler> Modes;
    do {
      skipSpace();
      size_t At = Pos;
      Expected<Value> Mode = parseValue(Depth + 1);
      if (!Mode)
        return Mode;
      Expected<Tiler> T = toTiler({*Mode, At});
      if (!T)
        return T.takeError();
      Modes.push_back(*T);
    } while (accept(','));
    if (Error E = expect('>'))
      return E;
    return Value(Tiler::byMode(std::move(Modes)));
  }

  Expected<Value> parseValue(unsigned Depth) {
    skipSpace();
    if (Depth > MaxDepth)
      return fail(Pos, "nested too deeply");
    size_t Begin = Pos;
    if (accept('<'))
      return parseTiler(Depth);
    if (Pos < Text.size() && isAlpha(Text[Pos])) {
      StringRef Name = word();
      if (Name == "S" || Name == "Sw")
        return parseSwizzled(Begin, Depth);
      if (!is_contained(expressionFunctions(), Name))
        return fail(Begin, "unknown function '" + Name + "'");
      if (Error E = expect('('))
        return E;
      std::vector<Argument> Args;
      do {
        skipSpace();
        size_t At = Pos;
        Expected<Value> Arg = parseValue(Depth + 1);
        if (!Arg)
          return Arg;
        Args.push_back({*Arg, At});
      } while (accept(','));
      if (Error E = expect(')'))
        return E;
      Expected<Value> Result = call(Name, Args);
      if (!Result)
        return relocate(Begin, Result.takeError());
      return Result;
    }
    return parseTupleOrLayout(Depth);
  }

public:
  Expected<ComposedLayout> toLayout(const Argument &A) {
    if (const auto *L = std::get_if<ComposedLayout>(&A.V))
      return *L;
    if (const auto *T = std::get_if<IntTuple>(&A.V)) {
      if (hasAny(*T))
        return fail(A.Offset, "expected a layout");
      if (product(*T) > MaxSize)
        return fail(A.Offset, "layout too large");
      Expected<Layout> L = Layout::create(*T, compactMajor(*T));
      if (!L)
        return relocate(A.Offset, L.takeError());
      return ComposedLayout(*L);
    }
    return fail(A.Offset, "expected a layout, not a tiler");
  }

private:
  Expected<Layout> toPlain(const Argument &A) {
    Expected<ComposedLayout> L = toLayout(A);
    if (!L)
      return L.takeError();
    if (!L->isPlain())
      return fail(A.Offset, "expected a layout without a swizzle");
    return L->outer();
  }
  Expected<IntTuple> toTuple(const Argument &A) {
    if (const auto *T = std::get_if<IntTuple>(&A.V))
      return *T;
    return fail(A.Offset, "expected an integer or a tuple");
  }
  Expected<int64_t> toInteger(const Argument &A) {
    if (const auto *T = std::get_if<IntTuple>(&A.V))
      if (T->isInt())
        return T->value();
    return fail(A.Offset, "expected an integer");
  }
  /// A tuple stands for one tiler per mode, as in CuTe.
  Expected<Tiler> toTiler(const Argument &A) {
    if (const auto *T = std::get_if<Tiler>(&A.V))
      return *T;
    if (const auto *L = std::get_if<ComposedLayout>(&A.V)) {
      if (!L->isPlain())
        return fail(A.Offset, "a tiler cannot be swizzled");
      return Tiler(L->outer());
    }
    return tilerOf(std::get<IntTuple>(A.V), A.Offset);
  }
  Expected<Tiler> tilerOf(const IntTuple &T, size_t At) {
    if (T.isAny())
      return Tiler();
    if (T.isInt()) {
      if (T.value() < 1)
        return fail(At, "a tile's extent must be positive");
      return Tiler(T.value());
    }
    std::vector<Tiler> Modes;
    for (const IntTuple &Mode : T.modes()) {
      Expected<Tiler> M = tilerOf(Mode, At);
      if (!M)
        return M;
      Modes.push_back(*M);
    }
    return Tiler::byMode(std::move(Modes));
  }

  /// Keeps the swizzle of \p L in front of what became of its layout.
  static Expected<Value> rewrap(const ComposedLayout &L,
                                Expected<Layout> Result) {
    if (!Result)
      return Result.takeError();
    return Value(L.withOuter(*Result));
  }

  Expected<Value> call(StringRef Name, ArrayRef<Argument> Args);
  Expected<Value> callUnary(StringRef Name, const ComposedLayout &L);
  Expected<Value> callTiled(StringRef Name, const ComposedLayout &L,
                            const Argument &Arg);
};

} // namespace

Expected<Value> Parser::callUnary(StringRef Name, const ComposedLayout &L) {
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

Expected<Value> Parser::callTiled(StringRef Name, const ComposedLayout &L,
                                  const Argument &Arg) {
  if (Name == "blocked_product" || Name == "raked_product") {
    Expected<Layout> T = toPlain(Arg);
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
  Expected<Tiler> T = toTiler(Arg);
  if (!T)
    return T.takeError();
  const auto *Op = find_if(
      Operations, [&](const auto &Entry) { return Entry.first == Name; });
  assert(Op != std::end(Operations) && "function without an implementation");
  return rewrap(L, Op->second(L.outer(), *T));
}

Expected<Value> Parser::call(StringRef Name, ArrayRef<Argument> Args) {
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
    Expected<IntTuple> C = toTuple(Args[0]);
    if (!C)
      return C.takeError();
    Expected<ComposedLayout> L = toLayout(Args[1]);
    if (!L)
      return L.takeError();
    Expected<ComposedLayout> R = slice(*L, *C);
    if (!R)
      return R.takeError();
    return Value(*R);
  }
  Expected<ComposedLayout> L = toLayout(Args[0]);
  if (!L)
    return L.takeError();
  if (Name == "coalesce" && Args.size() == 2) {
    Expected<IntTuple> Profile = toTuple(Args[1]);
    if (!Profile)
      return Profile.takeError();
    return rewrap(*L, coalesce(L->outer(), *Profile));
  }
  if (Name == "complement" && Args.size() == 2) {
    Expected<int64_t> Target = toInteger(Args[1]);
    if (!Target)
      return Target.takeError();
    if (!L->isPlain())
      return fail(Args[0].Offset, "complement of a swizzled layout");
    return rewrap(*L, complement(L->outer(), *Target));
  }
  if (Name == "tile_to_shape") {
    if (Error E = Arity(2, 3))
      return E;
    Expected<IntTuple> Target = toTuple(Args[1]);
    if (!Target)
      return Target.takeError();
    Expected<ComposedLayout> Check = toLayout(Args[1]); // positive extents
    if (!Check)
      return Check.takeError();
    Expected<ComposedLayout> R = ComposedLayout();
    if (Args.size() == 3) {
      Expected<IntTuple> Order = toTuple(Args[2]);
      if (!Order)
        return Order.takeError();
      if (hasAny(*Order))
        return fail(Args[2].Offset, "'_' cannot stand in an order");
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
    Expected<int64_t> From = toInteger(Args[1]), To = toInteger(Args[2]);
    if (!From || !To)
      return joinErrors(From.takeError(), To.takeError());
    if (*From < 1 || *To < 1 || *From > 4096 || *To > 4096)
      return fail(Args[1].Offset, "element widths are 1 to 4096 bits");
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
  static constexpr StringLiteral Names[] = {
      "blocked_product", "coalesce",      "complement",    "composition",
      "cosize",          "depth",         "filter",        "flat_divide",
      "flat_product",    "flatten",       "left_inverse",  "logical_divide",
      "logical_product", "raked_product", "rank",          "recast",
      "right_inverse",   "size",          "slice",         "tile_to_shape",
      "tiled_divide",    "tiled_product", "zipped_divide", "zipped_product"};
  return Names;
}

Expected<ComposedLayout> evaluateLayout(StringRef Text) {
  Parser P(Text);
  Expected<Value> V = P.parseAll();
  if (!V)
    return V.takeError();
  return P.toLayout({*V, 0});
}

Expected<Layout> parseLayout(StringRef Text) {
  Expected<ComposedLayout> L = evaluateLayout(Text);
  if (!L)
    return L.takeError();
  if (!L->isPlain())
    return make_error<ExpressionError>(0, "expected a layout, not a swizzle");
  return L->outer();
}

Expected<IntTuple> parseIntTuple(StringRef Text) {
  Parser P(Text);
  Expected<Value> V = P.parseAll();
  if (!V)
    return V.takeError();
  if (auto *T = std::get_if<IntTuple>(&*V))
    return *T;
  return make_error<ExpressionError>(0, "expected an integer or a tuple");
}

} // namespace warpwright
