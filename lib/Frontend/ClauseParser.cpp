//===-- ClauseParser.cpp - The clauses of one pragma ----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClauseParser.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringSwitch.h"

using namespace warpwright;
using namespace clang;

namespace {

/// The form of what stands between a clause's parentheses.
enum class ArgumentKind { None, Exprs, Word, WordOrExpr, Shapes };

struct ClauseGrammar {
  ClauseKind Kind;
  llvm::StringLiteral Name;
  ArgumentKind Arguments;
  unsigned MinArgs;
  unsigned MaxArgs; ///< ~0u: any number
  llvm::StringLiteral Words;
};

} // namespace

static constexpr ClauseGrammar Grammar[] = {
    {ClauseKind::Tile, "tile", ArgumentKind::Exprs, 3, 3, ""},
    {ClauseKind::Stages, "stages", ArgumentKind::Exprs, 1, 1, ""},
    {ClauseKind::Cluster, "cluster", ArgumentKind::Exprs, 2, 2, ""},
    {ClauseKind::Schedule, "schedule", ArgumentKind::Word, 1, 1,
     "auto|cooperative|pingpong"},
    {ClauseKind::SplitK, "split_k", ArgumentKind::WordOrExpr, 1, 1, "auto|off"},
    {ClauseKind::SwapAB, "swap_ab", ArgumentKind::Word, 1, 1, "auto|on|off"},
    {ClauseKind::Precision, "precision", ArgumentKind::Word, 1, 1,
     "auto|tf32|tf32x3"},
    {ClauseKind::Accumulate, "accumulate", ArgumentKind::Word, 1, 1,
     "f16|f32|f64|i32|promoted|fast"},
    {ClauseKind::Assume, "assume", ArgumentKind::Exprs, 1, ~0u, ""},
    {ClauseKind::Shapes, "shapes", ArgumentKind::Shapes, 1, ~0u, ""},
    {ClauseKind::Deterministic, "deterministic", ArgumentKind::None, 0, 0, ""},
    {ClauseKind::BatchInvariant, "batch_invariant", ArgumentKind::None, 0, 0,
     ""},
    {ClauseKind::Fallback, "fallback", ArgumentKind::Word, 1, 1,
     "original|error"},
    {ClauseKind::Factors, "factors", ArgumentKind::Word, 1, 1,
     "outside|inside"},
};

llvm::StringRef warpwright::getClauseName(ClauseKind Kind) {
  for (const ClauseGrammar &Clause : Grammar)
    if (Clause.Kind == Kind)
      return Clause.Name;
  llvm_unreachable("every clause has a grammar");
}

static const ClauseGrammar *findGrammar(llvm::StringRef Name) {
  for (const ClauseGrammar &Clause : Grammar)
    if (Clause.Name == Name)
      return &Clause;
  return nullptr;
}

std::string warpwright::suggest(llvm::StringRef Word,
                                llvm::ArrayRef<llvm::StringRef> Candidates,
                                llvm::StringRef &Best) {
  unsigned BestDistance = Word.size() / 3 + 2;
  Best = "";
  for (llvm::StringRef Candidate : Candidates) {
    unsigned Distance = Word.edit_distance_insensitive(Candidate);
    if (Distance < BestDistance) {
      BestDistance = Distance;
      Best = Candidate;
    }
  }
  if (Best.empty())
    return "";
  return ("; did you mean '" + Best + "'?").str();
}

/// `'auto', 'on' or 'off'` for "auto|on|off".
static std::string listWords(llvm::StringRef Words) {
  llvm::SmallVector<llvm::StringRef, 4> List;
  Words.split(List, '|');
  std::string Text;
  for (size_t I = 0; I != List.size(); ++I) {
    if (I)
      Text += I + 1 == List.size() ? " or " : ", ";
    Text += ("'" + List[I] + "'").str();
  }
  return Text;
}

namespace {

/// The parser of one directive. Names of clauses are read without macro
/// expansion, so that a macro called `tile` does no harm; arguments are
/// expanded.
class ClauseParser {
public:
  ClauseParser(Preprocessor &PP, Reporter &Diags, PragmaSpec &Spec)
      : PP(PP), Diags(Diags), Spec(Spec) {}

  bool parse(const Token &Name);

private:
  using Argument = llvm::SmallVector<Token, 8>;

  bool parseDirective();
  bool parseClause();
  bool parseArguments(const ClauseGrammar &Clause);
  bool collectArguments(const ClauseGrammar &Clause);
  bool checkNumber(const Token &Number);
  bool applyWord(const ClauseGrammar &Clause, const Argument &Argument,
                 ClauseSpec &Result);
  bool applyShape(const Argument &Argument);
  void setWord(ClauseKind Kind, llvm::StringRef Word);
  void takeExpr(const Argument &Argument, ClauseSpec &Result);

  void lexName() {
    if (Tok.isNot(tok::eod))
      LastEnd = getEnd(Tok);
    PP.LexUnexpandedToken(Tok);
  }
  void lex() {
    if (Tok.isNot(tok::eod))
      LastEnd = getEnd(Tok);
    PP.Lex(Tok);
  }
  /// The position right after the token, in the file.
  SourceLocation getEnd(const Token &T) const {
    return PP.getLocForEndOfToken(
        PP.getSourceManager().getExpansionRange(T.getLocation()).getEnd());
  }
  /// The position of the current token, or the end of the last token at the end
  /// of the line.
  SourceLocation here() const {
    return Tok.is(tok::eod) ? LastEnd : Tok.getLocation();
  }
  std::string spell(const Token &T) const {
    return T.is(tok::eod) ? "" : PP.getSpelling(T);
  }

  Preprocessor &PP;
  Reporter &Diags;
  PragmaSpec &Spec;
  Token Tok;
  SourceLocation LastEnd;
  SourceLocation ClauseLocation;
  SourceLocation LParen;
  llvm::SmallVector<Argument, 4> Arguments;
  llvm::SmallVector<SourceLocation, 4> Ends; ///< of each: its `,` or `)`
};

} // namespace

bool ClauseParser::parse(const Token &Name) {
  Tok = Name;
  bool Valid = parseDirective();
  while (Valid && Tok.isNot(tok::eod))
    Valid = parseClause();
  Spec.Range = SourceRange(Name.getLocation(), here());
  while (Tok.isNot(tok::eod))
    lexName();
  return Valid;
}

bool ClauseParser::parseDirective() {
  lexName();
  if (Tok.is(tok::eod)) {
    Diags.report(DiagID::MissingDirective, here())
        << FixItHint::CreateInsertion(here(), " matmul");
    return false;
  }
  if (spell(Tok) == "matmul") {
    lexName();
    return true;
  }
  llvm::StringRef Best;
  bool Close = !suggest(spell(Tok), {"matmul"}, Best).empty();
  DiagnosticBuilder Builder =
      Diags.report(DiagID::UnknownDirective, Tok.getLocation());
  Builder << spell(Tok);
  if (Close)
    Builder << FixItHint::CreateReplacement(Tok.getLocation(), Best);
  return false;
}

bool ClauseParser::parseClause() {
  ClauseLocation = Tok.getLocation();
  const IdentifierInfo *Identifier = Tok.getIdentifierInfo();
  if (!Identifier) {
    // A comma between clauses is a common mistake; say what is expected.
    DiagnosticBuilder Builder = Diags.report(DiagID::ExpectedClause, here());
    if (Tok.is(tok::comma))
      Builder << FixItHint::CreateRemoval(Tok.getLocation());
    return false;
  }
  std::string Name = spell(Tok);
  const ClauseGrammar *Clause = findGrammar(Name);
  if (!Clause && Identifier->hasMacroDefinition() && !Tok.isExpandDisabled()) {
    // A macro that stands for clauses: read it again with expansion.
    auto Again = std::make_unique<Token[]>(1);
    Again[0] = Tok;
    PP.EnterTokenStream(std::move(Again), 1, /*DisableMacroExpansion=*/false,
                        /*IsReinject=*/true);
    PP.Lex(Tok);
    if (Tok.is(tok::identifier) && spell(Tok) == Name)
      Tok.setFlag(Token::DisableExpand);
    return true;
  }
  if (!Clause) {
    llvm::SmallVector<llvm::StringRef, 16> Names;
    for (const ClauseGrammar &Each : Grammar)
      Names.push_back(Each.Name);
    llvm::StringRef Best;
    std::string Hint = suggest(Name, Names, Best);
    DiagnosticBuilder Builder =
        Diags.report(DiagID::UnknownClause, Tok.getLocation());
    Builder << Name << Hint;
    if (!Best.empty())
      Builder << FixItHint::CreateReplacement(Tok.getLocation(), Best);
    return false;
  }
  for (const ClauseSpec &Earlier : Spec.Clauses)
    if (Earlier.Kind == Clause->Kind && Clause->Kind != ClauseKind::Assume) {
      Diags.report(DiagID::DuplicateClause, Tok.getLocation()) << Name;
      Diags.note(Earlier.NameLocation, "it is given here first");
      return false;
    }
  lexName();
  return parseArguments(*Clause);
}

bool ClauseParser::parseArguments(const ClauseGrammar &Clause) {
  ClauseSpec Result;
  Result.Kind = Clause.Kind;
  Result.NameLocation = ClauseLocation;
  Result.FirstExpr = Spec.NumExprs;

  if (Clause.Arguments == ArgumentKind::None) {
    if (Tok.is(tok::l_paren)) {
      Diags.report(DiagID::UnexpectedArguments, Tok.getLocation())
          << Clause.Name;
      return false;
    }
    setWord(Clause.Kind, "");
    Spec.Clauses.push_back(std::move(Result));
    return true;
  }

  if (Tok.isNot(tok::l_paren)) {
    Diags.report(DiagID::ExpectedLParen, LastEnd) << Clause.Name;
    return false;
  }
  if (!collectArguments(Clause))
    return false;

  size_t Given = Arguments.size();
  if (Given < Clause.MinArgs || Given > Clause.MaxArgs) {
    SourceLocation Where = Given > Clause.MaxArgs
                               ? Arguments[Clause.MaxArgs].front().getLocation()
                               : ClauseLocation;
    Diags.report(DiagID::ArgumentCount, Where)
        << Clause.Name << Clause.MinArgs << Clause.MinArgs
        << static_cast<unsigned>(Given);
    return false;
  }

  for (const Argument &Each : Arguments) {
    Result.ArgRanges.push_back(
        SourceRange(Each.front().getLocation(), Each.back().getLocation()));
    std::string Text;
    for (const Token &T : Each) {
      if (!Text.empty() && T.hasLeadingSpace())
        Text += ' ';
      Text += spell(T);
    }
    Result.ArgTexts.push_back(std::move(Text));
    switch (Clause.Arguments) {
    case ArgumentKind::None:
      llvm_unreachable("handled above");
    case ArgumentKind::Exprs:
      if (Clause.Kind != ClauseKind::Assume && Each.size() == 1 &&
          Each.front().is(tok::numeric_constant) && !checkNumber(Each.front()))
        return false;
      takeExpr(Each, Result);
      break;
    case ArgumentKind::Word:
    case ArgumentKind::WordOrExpr:
      if (!applyWord(Clause, Each, Result))
        return false;
      break;
    case ArgumentKind::Shapes:
      if (!applyShape(Each))
        return false;
      break;
    }
  }
  Spec.Clauses.push_back(std::move(Result));
  return true;
}

/// Reads from `(` to after the matching `)` into Arguments.
bool ClauseParser::collectArguments(const ClauseGrammar &Clause) {
  Arguments.clear();
  LParen = Tok.getLocation();
  llvm::SmallVector<tok::TokenKind, 4> Closers;
  Argument Current;
  Ends.clear();
  auto Finish = [&]() {
    if (!Current.empty()) {
      Arguments.push_back(std::move(Current));
      Current.clear();
      Ends.push_back(Tok.getLocation());
      return true;
    }
    Diags.report(DiagID::EmptyArgument, here()) << Clause.Name;
    return false;
  };
  for (lex();; lex()) {
    if (Tok.is(tok::eod)) {
      Diags.report(DiagID::ExpectedRParen, here())
          << Clause.Name << FixItHint::CreateInsertion(here(), ")");
      Diags.note(LParen, "to match this '('");
      return false;
    }
    if (Closers.empty() && Tok.is(tok::r_paren)) {
      if (!Finish())
        return false;
      break;
    }
    if (Closers.empty() && Tok.is(tok::comma)) {
      if (!Finish())
        return false;
      continue;
    }
    if (Tok.is(tok::l_paren))
      Closers.push_back(tok::r_paren);
    else if (Tok.is(tok::l_square))
      Closers.push_back(tok::r_square);
    else if (Tok.is(tok::l_brace))
      Closers.push_back(tok::r_brace);
    else if (!Closers.empty() && Tok.is(Closers.back()))
      Closers.pop_back();
    Current.push_back(Tok);
  }
  lexName();
  return true;
}

/// If a number among the arguments is not an integer, we report it, not the
/// parser.
bool ClauseParser::checkNumber(const Token &Number) {
  std::string Text = spell(Number);
  llvm::StringRef Digits(Text);
  Digits = Digits.rtrim("uUlLzZ");
  std::string Plain;
  for (char C : Digits)
    if (C != '\'')
      Plain += C;
  llvm::APInt Value;
  if (!llvm::StringRef(Plain).getAsInteger(0, Value))
    return true;
  Diags.report(DiagID::BadNumber, Number.getLocation()) << Text;
  return false;
}

bool ClauseParser::applyWord(const ClauseGrammar &Clause,
                             const Argument &Argument, ClauseSpec &Result) {
  llvm::SmallVector<llvm::StringRef, 4> Words;
  Clause.Words.split(Words, '|');
  std::string Text = Argument.size() == 1 ? spell(Argument.front()) : "";
  if (llvm::is_contained(Words, Text)) {
    setWord(Clause.Kind, Text);
    return true;
  }
  llvm::StringRef Best;
  std::string Hint = suggest(Text, Words, Best);
  bool MayBeExpr = Clause.Arguments == ArgumentKind::WordOrExpr;
  if (MayBeExpr) {
    if (Argument.size() == 1 && Argument.front().is(tok::numeric_constant) &&
        !checkNumber(Argument.front()))
      return false;
    takeExpr(Argument, Result);
    return true;
  }
  DiagnosticBuilder Builder =
      Diags.report(DiagID::UnknownValue, Argument.front().getLocation());
  Builder << Result.ArgTexts.back() << Clause.Name
          << listWords(Clause.Words) + Hint;
  if (!Best.empty())
    Builder << FixItHint::CreateReplacement(Argument.front().getLocation(),
                                            Best);
  return false;
}

/// `4096x4096x1024` is one preprocessing number; `M` x `N` x `K`, each at
/// least 1.
bool ClauseParser::applyShape(const Argument &Argument) {
  std::string Text;
  for (const Token &T : Argument)
    Text += spell(T);
  llvm::SmallVector<llvm::StringRef, 4> Parts;
  llvm::StringRef(Text).split(Parts, 'x');
  std::array<int64_t, 3> Shape = {};
  bool Good = Parts.size() == 3;
  for (size_t I = 0; Good && I != 3; ++I)
    Good = !Parts[I].getAsInteger(10, Shape[I]) && Shape[I] > 0;
  if (!Good) {
    Diags.report(DiagID::BadShape, Argument.front().getLocation()) << Text;
    return false;
  }
  Spec.Words.Shapes.push_back(Shape);
  return true;
}

void ClauseParser::setWord(ClauseKind Kind, llvm::StringRef Word) {
  Directives &D = Spec.Words;
  using Toggle = Directives::Toggle;
  using ScheduleKind = Directives::ScheduleKind;
  using PrecisionKind = Directives::PrecisionKind;
  using AccumulateKind = Directives::AccumulateKind;
  using FallbackKind = Directives::FallbackKind;
  switch (Kind) {
  case ClauseKind::Schedule:
    D.Schedule = llvm::StringSwitch<ScheduleKind>(Word)
                     .Case("cooperative", ScheduleKind::Cooperative)
                     .Case("pingpong", ScheduleKind::Pingpong)
                     .Default(ScheduleKind::Auto);
    return;
  case ClauseKind::SplitK:
    D.SplitK = Word == "off" ? 1 : 0;
    return;
  case ClauseKind::SwapAB:
    D.SwapAB = llvm::StringSwitch<Toggle>(Word)
                   .Case("on", Toggle::On)
                   .Case("off", Toggle::Off)
                   .Default(Toggle::Auto);
    return;
  case ClauseKind::Precision:
    D.Precision = llvm::StringSwitch<PrecisionKind>(Word)
                      .Case("tf32", PrecisionKind::TF32)
                      .Case("tf32x3", PrecisionKind::TF32x3)
                      .Default(PrecisionKind::Auto);
    return;
  case ClauseKind::Accumulate:
    D.Accumulate = llvm::StringSwitch<AccumulateKind>(Word)
                       .Case("f16", AccumulateKind::F16)
                       .Case("f64", AccumulateKind::F64)
                       .Case("i32", AccumulateKind::I32)
                       .Case("promoted", AccumulateKind::Promoted)
                       .Case("fast", AccumulateKind::Fast)
                       .Default(AccumulateKind::F32);
    return;
  case ClauseKind::Deterministic:
    D.Deterministic = true;
    return;
  case ClauseKind::BatchInvariant:
    D.BatchInvariant = true;
    return;
  case ClauseKind::Fallback:
    D.Fallback = Word == "error" ? FallbackKind::Error : FallbackKind::Original;
    return;
  case ClauseKind::Factors:
    D.Factors = Word == "inside" ? Directives::FactorsKind::Inside
                                 : Directives::FactorsKind::Outside;
    return;
  case ClauseKind::Tile:
  case ClauseKind::Stages:
  case ClauseKind::Cluster:
  case ClauseKind::Assume:
  case ClauseKind::Shapes:
    break;
  }
  llvm_unreachable("not a clause of words");
}

void ClauseParser::takeExpr(const Argument &Argument, ClauseSpec &Result) {
  // The arguments are appended after the index of the pragma, so each has a
  // comma before it. The comma has the position of the previous argument's end,
  // so that Clang's complaints about that argument point there.
  Token Comma;
  Comma.startToken();
  Comma.setKind(tok::comma);
  Comma.setLocation(Spec.ExprEnd.isValid() ? Spec.ExprEnd
                                           : Argument.front().getLocation());
  Comma.setLength(0);
  Spec.ExprEnd = Ends[&Argument - Arguments.begin()];
  Spec.ExprTokens.push_back(Comma);
  Spec.ExprTokens.insert(Spec.ExprTokens.end(), Argument.begin(),
                         Argument.end());
  ++Spec.NumExprs;
  ++Result.NumExprs;
}

bool warpwright::parsePragmaLine(Preprocessor &PP, const Token &Name,
                                 Reporter &Diags, PragmaSpec &Spec) {
  Spec.Location = Name.getLocation();
  return ClauseParser(PP, Diags, Spec).parse(Name);
}
