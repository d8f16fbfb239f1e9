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
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace warpwright {

char ExpressionError::ID;

void ExpressionError::log(raw_ostream &OS) const {
  OS << "at " << Offset << ": " << Message;
}
std::error_code ExpressionError::convertToErrorCode() const {
  return inconvertibleErrorCode();
}

static Error failAt(size_t At, const Twine &Message) {
  return make_error<ExpressionError>(At, Message.str());
}

/// Limits numbers so that no computation with \p V may overflow.
static Error checkReach(const ExpressionValue &V) {
  const auto *L = std::get_if<ComposedLayout>(&V);
  if (const auto *ThreadValue = std::get_if<ThreadValueLayout>(&V))
    L = &ThreadValue->Elements;
  if (!L)
    return Error::success();
  Expected<Layout> Checked =
      Layout::create(L->outer().shape(), L->outer().stride());
  if (!Checked)
    return Checked.takeError();
  if (L->offset() > int64_t(1) << 55 || L->offset() < -(int64_t(1) << 55))
    return layoutError("an offset beyond 2^55");
  return Error::success();
}

/// Gives an error that has no position the position \p At.
static Error relocate(size_t At, Error E) {
  if (E.isA<ExpressionError>())
    return E;
  return failAt(At, toString(std::move(E)));
}

namespace {

using Value = ExpressionValue;
using Argument = ExpressionArgument;

constexpr unsigned MaxDepth = 64;
/// Layouts have the same limit; see Layout::create.
constexpr int64_t MaxInteger = int64_t(1) << 55;

class Parser {
public:
  Parser(StringRef Text, const ExpressionLibrary *More)
      : Text(Text), More(More) {}

  Expected<Value> parseAll() {
    Expected<Value> V = parseValue(0);
    if (!V)
      return V;
    skipSpace();
    if (Pos != Text.size())
      return failAt(Pos, "unexpected text after the expression");
    return V;
  }

private:
  StringRef Text;
  const ExpressionLibrary *More;
  size_t Pos = 0;

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
    return failAt(Pos, "expected '" + Twine(C) + "'");
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
      return failAt(Begin,
                    Digits ? "integer out of range" : "expected a number");
    }
    if (N > MaxInteger || N < -MaxInteger)
      return failAt(Begin, "integer out of range");
    return N;
  }

  Expected<IntTuple> parseTuple(unsigned Depth) {
    skipSpace();
    if (Depth > MaxDepth)
      return failAt(Pos, "nested too deeply");
    if (accept('_')) {
      // `_8` is CuTe's spelling of an 8 that is known at compile time.
      if (Pos == Text.size() || !isDigit(Text[Pos]))
        return IntTuple::any();
      Expected<int64_t> N = parseInteger();
      if (!N)
        return N.takeError();
      return IntTuple(*N);
    }
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
      return failAt(Begin, "'_' cannot stand in a layout");
    Expected<Layout> L = Layout::create(*S, *D);
    if (!L)
      return relocate(Begin, L.takeError());
    return parseOuter(ComposedLayout(*L), Begin, Depth);
  }

  /// Parses what may follow \p Inner: ` o offset o layout`, the composition of
  /// both.
  Expected<Value> parseOuter(ComposedLayout Inner, size_t Begin,
                             unsigned Depth) {
    size_t Before = Pos;
    if (word() != "o") {
      Pos = Before;
      return Value(std::move(Inner));
    }
    Expected<ComposedLayout> Outer = parseOffsetAndLayout(Depth);
    if (!Outer)
      return Outer.takeError();
    Expected<ComposedLayout> Result = composition(Inner, *Outer);
    if (!Result)
      return relocate(Begin, Result.takeError());
    return Value(*Result);
  }

  /// `offset o layout`, with the identity as its swizzle if there is an offset.
  Expected<ComposedLayout> parseOffsetAndLayout(unsigned Depth) {
    Expected<int64_t> Offset = parseInteger();
    if (!Offset)
      return Offset.takeError();
    skipSpace();
    size_t At = Pos;
    if (word() != "o")
      return failAt(At, "expected 'o' after the offset");
    skipSpace();
    At = Pos;
    Expected<Value> Outer = parseValue(Depth + 1);
    if (!Outer)
      return Outer.takeError();
    Expected<ComposedLayout> L = Argument{*Outer, At}.layout();
    if (!L)
      return L.takeError();
    if (!L->isPlain())
      return failAt(At, "a swizzle or an offset of a layout that has one");
    return *Offset ? ComposedLayout(Swizzle(), *Offset, L->outer()) : *L;
  }

  /// `smem_ptr[16b](unset)`, CuTe's spelling of the offset of a layout in
  /// shared memory: the width of an element, on whose bytes the swizzle acts.
  Expected<int64_t> parseElementBits(size_t At) {
    int64_t Bits;
    if (!accept('[') || Text.substr(Pos).consumeInteger(10, Bits))
      return failAt(Pos, "expected the bits of an element, as in "
                         "smem_ptr[16b](unset)");
    while (Pos < Text.size() && isDigit(Text[Pos]))
      ++Pos;
    if (!accept('b') || !accept(']') || !accept('('))
      return failAt(Pos, "expected 'b](', as in smem_ptr[16b](unset)");
    word(); // `unset`, or an address
    if (Error E = expect(')'))
      return E;
    if (Bits < 1 || Bits > 128 || !isPowerOf2_64(Bits))
      return failAt(At, "an element has 1, 2, 4, ... or 128 bits");
    return Bits;
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
    skipSpace();
    if (Pos == Text.size() || StringRef(",)>").contains(Text[Pos]))
      return Value(*S);
    size_t Joint = Pos;
    if (word() != "o")
      return failAt(Joint, "expected 'o' after a swizzle");
    skipSpace();
    Joint = Pos;
    if (StringRef Word = word(); Word == "smem_ptr") {
      Expected<int64_t> Bits = parseElementBits(Joint);
      if (!Bits)
        return Bits.takeError();
      int Up = *Bits < 8 ? Log2_64(8 / *Bits) : -int(Log2_64(*Bits / 8));
      if (S->Base + Up < 0)
        return failAt(Begin, "the swizzle acts within an element");
      S->Base += Up;
      skipSpace();
      Joint = Pos;
      if (word() != "o")
        return failAt(Joint, "expected 'o' after the pointer");
      skipSpace();
      size_t At = Pos;
      Expected<Value> Outer = parseValue(Depth + 1);
      if (!Outer)
        return Outer;
      Expected<Layout> L = Argument{*Outer, At}.plainLayout();
      if (!L)
        return L.takeError();
      return Value(ComposedLayout(*S, 0, *L));
    }
    Pos = Joint;
    Expected<ComposedLayout> Outer = parseOffsetAndLayout(Depth);
    if (!Outer)
      return Outer.takeError();
    return Value(ComposedLayout(*S, Outer->offset(), Outer->outer()));
  }

  Expected<Value> parseTiler(unsigned Depth) {
    std::vector<Tiler> Modes;
    do {
      skipSpace();
      size_t At = Pos;
      Expected<Value> Mode = parseValue(Depth + 1);
      if (!Mode)
        return Mode;
      Expected<Tiler> T = Argument{*Mode, At}.tiler();
      if (!T)
        return T.takeError();
      Modes.push_back(*T);
    } while (accept(','));
    if (Error E = expect('>'))
      return E;
    return Value(Tiler::byMode(std::move(Modes)));
  }

  /// Parses `.member`, any number of times, after \p V.
  Expected<Value> parseMembers(Value V) {
    while (accept('.')) {
      skipSpace();
      size_t At = Pos;
      StringRef Name = word();
      const auto *Object =
          std::get_if<std::shared_ptr<const ExpressionObject>>(&V);
      if (!Object)
        return failAt(At, "only an atom or a tiling has members");
      Expected<Value> Member = (*Object)->member(Name);
      if (!Member)
        return relocate(At, Member.takeError());
      if (Error E = checkReach(*Member))
        return relocate(At, std::move(E));
      Value Next = *Member; // V owns the target of Object
      V = std::move(Next);
    }
    return V;
  }

  Expected<Value> parseValue(unsigned Depth) {
    skipSpace();
    if (Depth > MaxDepth)
      return failAt(Pos, "nested too deeply");
    size_t Begin = Pos;
    if (accept('<'))
      return parseTiler(Depth);
    if (Pos < Text.size() && isAlpha(Text[Pos])) {
      StringRef Name = word();
      if (Name == "S" || Name == "Sw")
        return parseSwizzled(Begin, Depth);
      if (!accept('('))
        return Value(ExpressionWord{Name.str()});
      const ExpressionLibrary *Library = &algebraLibrary();
      if (!Library->contains(Name))
        Library = More;
      if (!Library || !Library->contains(Name))
        return failAt(Begin, "unknown function '" + Name + "'");
      std::vector<Argument> Args;
      do {
        skipSpace();
        size_t At = Pos;
        Expected<Value> Arg = parseValue(Depth + 1);
        if (!Arg)
          return Arg;
        Args.push_back({std::move(*Arg), At});
      } while (accept(','));
      if (Error E = expect(')'))
        return E;
      Expected<Value> Result = Library->call(Name, Args);
      if (!Result)
        return relocate(Begin, Result.takeError());
      if (Error E = checkReach(*Result))
        return relocate(Begin, std::move(E));
      return parseMembers(*Result);
    }
    return parseTupleOrLayout(Depth);
  }
};

} // namespace

ExpressionObject::~ExpressionObject() = default;
ExpressionLibrary::~ExpressionLibrary() = default;

Expected<std::string> ExpressionObject::svg() const {
  return layoutError("there is no picture of " + kind() +
                     "; name one of its members");
}

Error ExpressionArgument::fail(const Twine &Message) const {
  return failAt(Offset, Message);
}

/// The kind of \p V, for a message.
static std::string describe(const Value &V) {
  if (const auto *Word = std::get_if<ExpressionWord>(&V))
    return "'" + Word->Text + "'";
  if (const auto *O = std::get_if<std::shared_ptr<const ExpressionObject>>(&V))
    return (*O)->kind();
  if (std::holds_alternative<Tiler>(V))
    return "a tiler";
  if (std::holds_alternative<Swizzle>(V))
    return "a swizzle";
  return std::holds_alternative<IntTuple>(V) ? "a tuple" : "a layout";
}

Expected<ComposedLayout> ExpressionArgument::layout() const {
  if (const auto *L = std::get_if<ComposedLayout>(&Value))
    return *L;
  if (const auto *L = std::get_if<ThreadValueLayout>(&Value))
    return L->Elements;
  if (const auto *T = std::get_if<IntTuple>(&Value)) {
    if (hasAny(*T))
      return fail("expected a layout");
    Expected<Layout> L = Layout::create(*T, compactMajor(*T));
    if (!L)
      return relocate(Offset, L.takeError());
    return ComposedLayout(*L);
  }
  return fail("expected a layout, not " + describe(Value));
}

Expected<Layout> ExpressionArgument::plainLayout() const {
  Expected<ComposedLayout> L = layout();
  if (!L)
    return L.takeError();
  if (!L->isPlain())
    return fail("expected a layout without a swizzle");
  return L->outer();
}

Expected<Shape> ExpressionArgument::shape() const {
  Expected<ComposedLayout> L = layout();
  if (!L)
    return L.takeError();
  return L->shape();
}

Expected<IntTuple> ExpressionArgument::tuple() const {
  if (const auto *T = std::get_if<IntTuple>(&Value))
    return *T;
  return fail("expected an integer or a tuple, not " + describe(Value));
}

Expected<int64_t> ExpressionArgument::integer() const {
  if (const auto *T = std::get_if<IntTuple>(&Value))
    if (T->isInt())
      return T->value();
  return fail("expected an integer");
}

Expected<std::string> ExpressionArgument::word() const {
  if (const auto *Word = std::get_if<ExpressionWord>(&Value))
    return Word->Text;
  return fail("expected a name, not " + describe(Value));
}

/// A tuple stands for one tiler for each mode, as in CuTe.
static Expected<Tiler> tilerOf(const IntTuple &T, size_t At) {
  if (T.isAny())
    return Tiler();
  if (T.isInt()) {
    if (T.value() < 1)
      return failAt(At, "a tile's extent must be positive");
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

Expected<Tiler> ExpressionArgument::tiler() const {
  if (const auto *T = std::get_if<Tiler>(&Value))
    return *T;
  if (const auto *T = std::get_if<IntTuple>(&Value))
    return tilerOf(*T, Offset);
  Expected<ComposedLayout> L = layout();
  if (!L)
    return L.takeError();
  if (!L->isPlain())
    return fail("a tiler cannot be swizzled");
  return Tiler(L->outer());
}

Expected<Value> evaluateExpression(StringRef Text,
                                   const ExpressionLibrary *More) {
  return Parser(Text, More).parseAll();
}

Expected<ComposedLayout> evaluateLayout(StringRef Text) {
  Expected<Value> V = evaluateExpression(Text);
  if (!V)
    return V.takeError();
  return Argument{*V, 0}.layout();
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
  Expected<Value> V = evaluateExpression(Text);
  if (!V)
    return V.takeError();
  return Argument{*V, 0}.tuple();
}

} // namespace warpwright
