//===-- Parse.cpp - Reads the text form of a contraction ------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A recursive-descent parser for the output of Contraction::print. A failure
/// is an error position; alternatives are tried by resetting the cursor.
///
//===----------------------------------------------------------------------===//

#include "warpwright/Contraction/Contraction.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <utility>

namespace warpwright {

namespace {

class Parser {
public:
  explicit Parser(llvm::StringRef Text) : Text(Text) {}
  llvm::Expected<Contraction> run();

private:
  llvm::StringRef Text;
  size_t Pos = 0;
  unsigned Depth = 0;
  size_t ErrorPos = 0;
  std::string Message;
  /// What the sums that were read so far accumulate in: an output may name
  /// these sums, a prologue none.
  llvm::SmallVector<ScalarType, 2> Sums;

  static constexpr unsigned MaxDepth = 200;

  /// The error at the farthest position; alternatives may replace errors before
  /// it.
  bool fail(const llvm::Twine &What) {
    if (Message.empty() || Pos >= ErrorPos) {
      ErrorPos = Pos;
      Message = What.str();
    }
    return false;
  }

  void skipSpace() {
    while (Pos < Text.size() && llvm::isSpace(Text[Pos]))
      ++Pos;
  }

  bool accept(llvm::StringRef Token) {
    skipSpace();
    if (!Text.substr(Pos).starts_with(Token))
      return false;
    // A keyword must not be followed by another character of a word.
    size_t End = Pos + Token.size();
    if (llvm::isAlnum(Token.back()) && End < Text.size() &&
        (llvm::isAlnum(Text[End]) || Text[End] == '_'))
      return false;
    Pos = End;
    return true;
  }

  bool expect(llvm::StringRef Token) {
    return accept(Token) || fail("expected '" + Token + "'");
  }

  /// `name`, `p.field`, `p->field`, `%m`.
  bool name(std::string &Out) {
    skipSpace();
    size_t Begin = Pos;
    if (Pos < Text.size() && Text[Pos] == '%')
      ++Pos;
    auto IsStart = [](char C) { return llvm::isAlpha(C) || C == '_'; };
    if (Pos >= Text.size() || !IsStart(Text[Pos])) {
      Pos = Begin;
      return fail("expected a name");
    }
    auto Word = [&] {
      while (Pos < Text.size() &&
             (llvm::isAlnum(Text[Pos]) || Text[Pos] == '_'))
        ++Pos;
    };
    Word();
    while (Pos + 1 < Text.size() && Text[Pos] == '.' &&
           IsStart(Text[Pos + 1])) {
      ++Pos;
      Word();
    }
    Out = Text.slice(Begin, Pos).str();
    return true;
  }

  bool quoted(std::string &Out) {
    if (!expect("\""))
      return false;
    size_t End = Text.find('"', Pos);
    if (End == llvm::StringRef::npos)
      return fail("unterminated string");
    Out = Text.slice(Pos, End).str();
    Pos = End + 1;
    return true;
  }

  bool scalarType(ScalarType &T) {
    size_t Begin = Pos;
    std::string Word;
    if (!name(Word))
      return false;
    auto Parsed = parseScalarType(Word);
    if (!Parsed) {
      Pos = Begin;
      return fail("expected a type");
    }
    T = *Parsed;
    return true;
  }

  bool integer(int64_t &Out) {
    skipSpace();
    llvm::StringRef Digits =
        Text.substr(Pos).take_while([](char C) { return llvm::isDigit(C); });
    if (Digits.empty() || Digits.getAsInteger(10, Out))
      return fail("expected an integer");
    Pos += Digits.size();
    return true;
  }

  bool intFactor(IntExpr &Out);
  bool intTerm(IntExpr &Out);
  bool intExpr(IntExpr &Out);
  bool boolPrimary(BoolExpr &Out);
  bool boolExpr(BoolExpr &Out);
  bool valueList(std::vector<ValueRef> &Out);
  bool value(ValueRef &Out);
  bool infix(ValueRef &Out);
  bool constantValue(ValueRef &Out);
  bool access(std::string &Pointer, IntExpr &Index, ScalarType &T) {
    return name(Pointer) && expect("[") && intExpr(Index) && expect("]") &&
           expect(":") && scalarType(T);
  }
  bool cmpOp(CmpOp &Op);
  std::optional<unsigned> accNumber(llvm::StringRef Word);
  bool operand(llvm::StringRef Name, Operand &O);
  bool order(NumberOrder &Order);
  bool scale(ValueRef &Scale);
  bool range(IndexRange &R);
  bool sum(Accumulation &S);
  bool body(Contraction &C);

  /// Refuses input that is nested too deep for the stack.
  struct Nesting {
    Parser &P;
    explicit Nesting(Parser &P) : P(P) { ++P.Depth; }
    ~Nesting() { --P.Depth; }
    bool tooDeep() const { return P.Depth > MaxDepth; }
  };
};

bool Parser::cmpOp(CmpOp &Op) {
  // Two-character operators first.
  for (CmpOp C :
       {CmpOp::LE, CmpOp::GE, CmpOp::EQ, CmpOp::NE, CmpOp::LT, CmpOp::GT})
    if (accept(spelling(C))) {
      Op = C;
      return true;
    }
  return fail("expected a comparison");
}

bool Parser::intFactor(IntExpr &Out) {
  Nesting N(*this);
  if (N.tooDeep())
    return fail("nested too deep");
  skipSpace();
  if (Pos < Text.size() && llvm::isDigit(Text[Pos])) {
    int64_t I = 0;
    if (!integer(I))
      return false;
    Out = IntExpr(I);
    return true;
  }
  if (accept("("))
    return intExpr(Out) && expect(")");
  using Fold = IntExpr (*)(const IntExpr &, const IntExpr &);
  static constexpr std::pair<llvm::StringLiteral, Fold> Functions[] = {
      {"floordiv", IntExpr::floorDiv},
      {"mod", IntExpr::mod},
      {"min", IntExpr::min},
      {"max", IntExpr::max}};
  for (auto [Word, Make] : Functions)
    if (size_t Save = Pos; accept(Word)) {
      IntExpr L, R;
      if (!accept("(")) { // a parameter that is called like the function
        Pos = Save;
        break;
      }
      if (!intExpr(L) || !expect(",") || !intExpr(R) || !expect(")"))
        return false;
      Out = Make(L, R);
      return true;
    }
  if (size_t Save = Pos; accept("select")) {
    if (accept("(")) {
      BoolExpr C;
      IntExpr L, R;
      if (!boolExpr(C) || !expect(",") || !intExpr(L) || !expect(",") ||
          !intExpr(R) || !expect(")"))
        return false;
      Out = IntExpr::select(C, L, R);
      return true;
    }
    Pos = Save;
  }
  std::string Word;
  if (!name(Word))
    return false;
  if (Word[0] == '%') {
    Out = IntExpr::index(llvm::StringRef(Word).drop_front());
    return true;
  }
  static constexpr std::pair<llvm::StringLiteral, AtomKind> Specials[] = {
      {"threadIdx.", AtomKind::ThreadIdx},
      {"blockIdx.", AtomKind::BlockIdx},
      {"blockDim.", AtomKind::BlockDim},
      {"gridDim.", AtomKind::GridDim}};
  for (auto [Prefix, Kind] : Specials) {
    llvm::StringRef Dim = Word;
    if (Dim.consume_front(Prefix) && Dim.size() == 1 && Dim[0] >= 'x' &&
        Dim[0] <= 'z') {
      Out = IntExpr::special(Kind, Dim[0] - 'x');
      return true;
    }
  }
  Out = IntExpr::param(Word);
  return true;
}

bool Parser::intTerm(IntExpr &Out) {
  if (!intFactor(Out))
    return false;
  while (accept("*")) {
    IntExpr F;
    if (!intFactor(F))
      return false;
    Out = Out * F;
  }
  return true;
}

bool Parser::intExpr(IntExpr &Out) {
  bool Negative = accept("-");
  if (!intTerm(Out))
    return false;
  if (Negative)
    Out = -Out;
  while (true) {
    bool Plus = accept("+");
    if (!Plus && !accept("-"))
      return true;
    IntExpr T;
    if (!intTerm(T))
      return false;
    Out = Plus ? Out + T : Out - T;
  }
}

bool Parser::boolPrimary(BoolExpr &Out) {
  Nesting N(*this);
  if (N.tooDeep())
    return fail("nested too deep");
  size_t Begin = Pos;
  IntExpr L, R;
  CmpOp Op;
  // A comparison is tried first, since its left side may begin with a
  // parenthesis as well.
  if (intExpr(L) && cmpOp(Op) && intExpr(R)) {
    Out = BoolExpr::compare(Op, L, R);
    return true;
  }
  Pos = Begin;
  if (accept("true")) {
    Out = BoolExpr::constant(true);
    return true;
  }
  if (accept("false")) {
    Out = BoolExpr::constant(false);
    return true;
  }
  if (accept("nonnull")) {
    std::string P;
    if (!expect("(") || !name(P) || !expect(")"))
      return false;
    Out = BoolExpr::nonNull(P);
    return true;
  }
  if (accept("fcmp")) {
    ValueRef A, B;
    if (!expect("(") || !value(A) || !cmpOp(Op) || !value(B) || !expect(")"))
      return false;
    Out = BoolExpr::floatCompare(Op, A, B);
    return true;
  }
  if (accept("!")) {
    BoolExpr E;
    if (!expect("(") || !boolExpr(E) || !expect(")"))
      return false;
    Out = BoolExpr::negation(E);
    return true;
  }
  if (accept("("))
    return boolExpr(Out) && expect(")");
  return fail("expected a condition");
}

bool Parser::boolExpr(BoolExpr &Out) {
  if (!boolPrimary(Out))
    return false;
  while (true) {
    bool And = accept("&&");
    if (!And && !accept("||"))
      return true;
    BoolExpr R;
    if (!boolPrimary(R))
      return false;
    Out = And ? BoolExpr::conjunction(Out, R) : BoolExpr::disjunction(Out, R);
  }
}

bool Parser::valueList(std::vector<ValueRef> &Out) {
  if (!expect("("))
    return false;
  if (accept(")"))
    return true;
  do {
    ValueRef V;
    if (!value(V))
      return false;
    Out.push_back(V);
  } while (accept(","));
  return expect(")");
}

bool Parser::infix(ValueRef &Out) {
  ValueRef L, R;
  if (!value(L))
    return false;
  Value::Kind K;
  if (accept("+"))
    K = Value::Kind::Add;
  else if (accept("-"))
    K = Value::Kind::Sub;
  else if (accept("*"))
    K = Value::Kind::Mul;
  else if (accept("/"))
    K = Value::Kind::Div;
  else if (accept("&"))
    K = Value::Kind::And;
  else if (accept("|"))
    K = Value::Kind::Or;
  else if (accept("^"))
    K = Value::Kind::Xor;
  else if (accept("<<"))
    K = Value::Kind::Shl;
  else if (accept(">>"))
    K = Value::Kind::Shr;
  else
    return fail("expected an operator");
  if (!value(R) || !expect(")"))
    return false;
  if (K >= Value::Kind::And && K <= Value::Kind::Shr &&
      (isFloating(L->Type) || isFloating(R->Type)))
    return fail("bits of a floating-point number");
  Out = Value::binary(K, L->Type, L, R);
  return true;
}

/// `0.5f:f32`: a C++ literal, which ends at the colon.
bool Parser::constantValue(ValueRef &Out) {
  skipSpace();
  size_t Colon = Text.find(':', Pos);
  if (Colon == llvm::StringRef::npos)
    return fail("expected ':' after a literal");
  std::string Literal = Text.slice(Pos, Colon).str();
  Pos = Colon + 1;
  ScalarType T;
  if (!scalarType(T))
    return false;
  Out = Value::constant(T, Literal);
  return true;
}

/// `acc` is 0, `acc1` is 1. Parameters and arrays may have the same names; they
/// are printed with a type.
std::optional<unsigned> Parser::accNumber(llvm::StringRef Word) {
  size_t Next = Text.find_if_not([](char C) { return llvm::isSpace(C); }, Pos);
  if (Next != llvm::StringRef::npos && (Text[Next] == ':' || Text[Next] == '['))
    return std::nullopt;
  unsigned Number = 0;
  if (!Word.consume_front("acc") || Word.starts_with("0"))
    return std::nullopt;
  if (!Word.empty() && (Word.getAsInteger(10, Number) || !Number))
    return std::nullopt;
  return Number;
}

bool Parser::value(ValueRef &Out) {
  Nesting N(*this);
  if (N.tooDeep())
    return fail("nested too deep");
  skipSpace();
  if (Pos >= Text.size())
    return fail("expected a value");
  if (accept("("))
    return infix(Out);
  if (Text[Pos] == '-') {
    ++Pos;
    ValueRef V;
    if (!expect("(") || !value(V) || !expect(")"))
      return false;
    Out = Value::unary(Value::Kind::Neg, V);
    return true;
  }
  if (llvm::isDigit(Text[Pos]) || Text[Pos] == '.')
    return constantValue(Out);
  size_t Begin = Pos;
  std::string Word;
  if (!name(Word))
    return false;
  if (std::optional<unsigned> Number = accNumber(Word)) {
    if (*Number >= Sums.size()) {
      Pos = Begin;
      return fail("there is no sum '" + Word + "' here");
    }
    Out = Value::acc(*Number, Sums[*Number]);
    return true;
  }
  llvm::StringRef Rest = Word;
  if (Rest.consume_front("int.")) {
    auto T = parseScalarType(Rest);
    IntExpr E;
    if (!T)
      return fail("expected a type");
    if (!expect("(") || !intExpr(E) || !expect(")"))
      return false;
    Out = Value::integer(*T, E);
    return true;
  }
  if (Rest.consume_front("call.")) {
    auto T = parseScalarType(Rest);
    std::string Callee;
    std::vector<ValueRef> Args;
    if (!T)
      return fail("expected a type");
    if (!quoted(Callee) || !valueList(Args))
      return false;
    Out = Value::call(*T, Callee, Args);
    return true;
  }
  if (Rest.consume_front("const.")) {
    auto T = parseScalarType(Rest);
    std::string Name;
    if (!T)
      return fail("expected a type");
    if (!quoted(Name))
      return false;
    Out = Value::global(*T, Name);
    return true;
  }
  if (accept("(")) {
    --Pos;
    if (Word == "select") {
      BoolExpr C;
      ValueRef A, B;
      if (!expect("(") || !boolExpr(C) || !expect(",") || !value(A) ||
          !expect(",") || !value(B) || !expect(")"))
        return false;
      Out = Value::select(C, A, B);
      return true;
    }
    if (Word == "rn" && accept("(")) {
      ValueRef V;
      if (!infix(V))
        return false;
      auto Alone = std::make_shared<Value>(*V);
      Alone->Alone = true;
      Out = Alone;
      return true;
    }
    std::vector<ValueRef> Args;
    if (!valueList(Args))
      return false;
    if (Word == "fma" && Args.size() == 3) {
      Out = Value::fma(Args[0]->Type, Args[0], Args[1], Args[2]);
      return true;
    }
    if (auto T = parseScalarType(Word); T && Args.size() == 1) {
      Out = Value::cast(*T, Args[0]);
      return true;
    }
    Pos = Begin;
    return fail("unknown function '" + Word + "'");
  }
  if (accept("[")) {
    IntExpr Index;
    ScalarType T;
    if (!intExpr(Index) || !expect("]") || !expect(":") || !scalarType(T))
      return false;
    Out = Value::load(T, Word, Index);
    return true;
  }
  ScalarType T;
  if (!expect(":") || !scalarType(T))
    return false;
  Out = Value::param(T, Word);
  return true;
}

/// What is wrong with the prologue of operand \p Name; nothing if it is right.
static std::string checkPrologue(llvm::StringRef Name, const Operand &O) {
  bool ReadsElement = false;
  O.Prologue->walk([&](const Value &V) { ReadsElement |= O.isElement(V); });
  if (!ReadsElement)
    return "it does not read the element";
  const llvm::StringRef Foreign = Name == "A" ? "%n" : "%m";
  bool Moves = false;
  auto OnInt = [&](const IntExpr &E) { Moves |= E.contains(Foreign); };
  O.Prologue->walk([&](const Value &V) {
    OnInt(V.Index);
    V.Condition.walk(OnInt, [](const ValueRef &) {});
  });
  return Moves ? ("it depends on " + Foreign).str() : "";
}

/// `(0, 4, 1, 5)`, or `along k(0, 1)`.
bool Parser::order(NumberOrder &Order) {
  Order.AlongK = accept("along");
  if ((Order.AlongK && !expect("k")) || !expect("("))
    return false;
  do {
    IntExpr Place;
    skipSpace();
    const size_t Begin = Pos;
    if (!intExpr(Place))
      return false;
    const int64_t Number = Place.getConstant().value_or(-1);
    if (Number < 0 || Number > 7 || Order.Places.size() == 8) {
      ErrorPos = Begin;
      Message = "a word has at most 8 numbers, and their places are 0 to 7";
      return false;
    }
    Order.Places.push_back(unsigned(Number));
  } while (accept(","));
  return expect(")");
}

bool Parser::operand(llvm::StringRef Name, Operand &O) {
  if (!expect("operand") || !expect(Name) || !expect("=") ||
      !access(O.Pointer, O.Index, O.Type))
    return false;
  if (accept("gathered") && !order(O.Gathered.emplace()))
    return false;
  if (!accept("as"))
    return true;
  skipSpace();
  const size_t Begin = Pos;
  const auto Readable = std::exchange(Sums, {});
  if (!value(O.Prologue))
    return false;
  Sums = Readable;
  std::string Wrong = checkPrologue(Name, O);
  if (Wrong.empty())
    return true;
  ErrorPos = Begin;
  Message = ("the prologue of operand " + Name + ": " + Wrong).str();
  return false;
}

/// What the sum of a product's terms is multiplied by.
bool Parser::scale(ValueRef &Scale) {
  skipSpace();
  const size_t Begin = Pos;
  const auto Readable = std::exchange(Sums, {});
  if (!value(Scale))
    return false;
  Sums = Readable;
  if (isNumberOfLaunch(*Scale))
    return true;
  ErrorPos = Begin;
  Message = "a product is multiplied by numbers that the launch knows";
  return false;
}

/// `%n < D`, `D <= %n` or `D <= %n < 2 * D`.
bool Parser::range(IndexRange &R) {
  skipSpace();
  const size_t Begin = Pos;
  IntExpr First;
  if (!intExpr(First))
    return false;
  IntExpr Index = First;
  if (accept("<=")) {
    R.Begin = First;
    if (!intExpr(Index))
      return false;
  }
  const bool IsOpen = Index != First;
  for (const char *Name : {"b", "m", "n"})
    if (Index == IntExpr::index(Name))
      R.Index = Name;
  if ((!IsOpen && !expect("<")) ||
      ((!IsOpen || accept("<")) && !intExpr(R.End.emplace())))
    return false;
  if (!R.Index.empty() && !R.Begin.containsKind(AtomKind::Index) &&
      !(R.End && R.End->containsKind(AtomKind::Index)))
    return true;
  ErrorPos = Begin;
  Message =
      "a range is of %b, %m or %n, and its ends do not depend on an index";
  return false;
}

bool Parser::sum(Accumulation &S) {
  if (!expect("index") || !expect("%k") || !expect("<") || !intExpr(S.KExtent))
    return false;
  // Of the first product of all there is no sign.
  bool Subtracted = !Sums.empty() && accept("minus");
  do {
    Product P;
    P.Subtracted = Subtracted;
    if (!S.Products.empty() && accept("over") &&
        (!expect("%k") || !expect("<") || !intExpr(P.KExtent.emplace())))
      return false;
    if (!operand("A", P.A) || !operand("B", P.B) ||
        (accept("times") && !scale(P.Scale)))
      return false;
    S.Products.push_back(std::move(P));
    Subtracted = accept("minus");
  } while (Subtracted || accept("plus"));
  if (!expect("accumulate") || !scalarType(S.AccType))
    return false;
  S.OriginalAccType = S.AccType;
  if (accept("for") && !scalarType(S.OriginalAccType))
    return false;
  Sums.push_back(S.AccType);
  return true;
}

bool Parser::body(Contraction &C) {
  if (!expect("contraction") || !quoted(C.Kernel) || !expect("{"))
    return false;
  std::pair<llvm::StringLiteral, IntExpr *> Indices[] = {
      {"%b", &C.BatchExtent}, {"%m", &C.MExtent}, {"%n", &C.NExtent}};
  for (auto [Key, Extent] : Indices) {
    if (!expect("index") || !expect(Key) || !expect("<") || !intExpr(*Extent))
      return false;
    if (Extent == &C.BatchExtent && accept("of"))
      do {
        if (!intExpr(C.BatchDigits.emplace_back()))
          return false;
      } while (accept(","));
  }
  Accumulation First;
  if (!sum(First))
    return false;
  C.setSum(0, std::move(First));
  while (accept("sum")) {
    if (!expect("acc" + std::to_string(Sums.size())) ||
        !sum(C.MoreSums.emplace_back()))
      return false;
  }
  while (accept("output")) {
    Output O;
    if (!access(O.Pointer, O.Index, O.Type) || !expect("=") ||
        !value(O.Value) ||
        ((O.Atomic = accept("atomically")) && O.addends().empty() &&
         !fail("what is stored atomically is the element plus a number")) ||
        (accept("when") && !range(O.When.emplace())))
      return false;
    if (O.When && O.When->Index == "b" && !C.BatchDigits.empty())
      return fail("there is no range of several batch indices");
    C.Outputs.push_back(O);
  }
  if (C.Outputs.empty())
    return fail("expected 'output'");
  Sums.clear();
  while (accept("require")) {
    Requirement R;
    if (!boolExpr(R.Condition) || !expect(":") || !quoted(R.Reason))
      return false;
    C.Requires.push_back(R);
  }
  C.RolesExchanged = accept("exchanged");
  if (!expect("offsets"))
    return false;
  ScalarType T;
  if (!scalarType(T))
    return false;
  C.IndexBits = byteSize(T) * 8;
  C.IndexSigned = T == ScalarType::I32 || T == ScalarType::I64;
  C.LoadsAfterStores = accept("loads");
  if (C.LoadsAfterStores && (!expect("after") || !expect("stores")))
    return false;
  for (auto [Word, Names] : {std::pair("vectors", &C.VectorPointers),
                             std::pair("restrict", &C.RestrictPointers)}) {
    if (!accept(Word))
      continue;
    do {
      std::string P;
      if (!name(P))
        return false;
      Names->push_back(P);
    } while (accept(","));
  }
  return expect("}");
}

llvm::Expected<Contraction> Parser::run() {
  Contraction C;
  bool Ok = body(C);
  skipSpace();
  if (Ok && Pos == Text.size())
    return C;
  if (Ok)
    Message = "expected the end of the text", ErrorPos = Pos;
  llvm::StringRef Before = Text.take_front(ErrorPos);
  unsigned Line = Before.count('\n') + 1;
  unsigned Column = ErrorPos - (Before.rfind('\n') + 1) + 1;
  return llvm::createStringError(llvm::Twine(Line) + ":" + llvm::Twine(Column) +
                                 ": " + Message);
}

} // namespace

llvm::Expected<Contraction> parseContraction(llvm::StringRef Text) {
  return Parser(Text).run();
}

} // namespace warpwright
