//===-- Pragma.cpp - #pragma warpwright while the file is lexed -----------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pragma.h"
#include "ClauseParser.h"
#include "warpwright/Frontend/Parse.h"
#include "warpwright/Frontend/Region.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

using namespace warpwright;
using namespace clang;

/// The attribute that carries clause arguments through the parser. Unscoped,
/// because the parser drops the arguments of scoped attributes that it does
/// not know.
static constexpr char AttributeName[] = "warpwright_matmul";

namespace {

/// Makes an AnnotateAttr of `[[warpwright_matmul(index, expressions...)]]`.
struct MatmulAttrInfo : ParsedAttrInfo {
  MatmulAttrInfo() {
    static constexpr Spelling S[] = {
        {ParsedAttr::AS_CXX11, AttributeName},
    };
    Spellings = S;
    NumArgs = 1;
    OptArgs = 15; // any number
    IsStmt = 1;
  }

  AttrHandling handleStmtAttribute(Sema &S, Stmt *, const ParsedAttr &Attr,
                                   class Attr *&Result) const override {
    llvm::SmallVector<Expr *, 8> Args;
    for (unsigned I = 0; I != Attr.getNumArgs(); ++I) {
      if (!Attr.isArgExpr(I))
        return AttributeNotApplied;
      Args.push_back(Attr.getArgAsExpr(I));
    }
    Result = AnnotateAttr::Create(S.Context, PragmaAnnotation, Args.data(),
                                  Args.size(), Attr.getRange());
    return AttributeApplied;
  }
};

/// Reads what follows a pragma, token by token.
struct Follower {
  enum class Kind { Definition, Declaration, Loop, Other, EndOfFile };
  Kind What = Kind::Other;
  /// All tokens that were read, to be returned to the parser.
  std::vector<Token> Tokens;
  /// For a function: the index of its name in Tokens, or none.
  std::optional<size_t> Name;
  /// Whether it is an explicit specialisation or instantiation, of which no
  /// copy can be made.
  bool HasTemplateArgs = false;
};

class WarpwrightPragma : public PragmaHandler {
public:
  WarpwrightPragma(PragmaTable &Table, Reporter &Diags)
      : PragmaHandler("warpwright"), Table(Table), Diags(Diags) {}

  void HandlePragma(Preprocessor &PP, PragmaIntroducer Introducer,
                    Token &Name) override;

private:
  void readFollower(Preprocessor &PP, Follower &Result);
  void readFunction(Preprocessor &PP, Follower &Result, Token Tok);
  std::vector<Token> makeAttribute(Preprocessor &PP, const PragmaSpec &Spec,
                                   bool AsStatement) const;
  void appendClone(Preprocessor &PP, Follower &Result, const PragmaSpec &Spec);

  PragmaTable &Table;
  Reporter &Diags;
  /// The pragma whose follower is being read; used to find two pragmas in a
  /// row.
  PragmaSpec *Reading = nullptr;
};

/// Receives unknown pragmas, which may be misspelt ones of ours.
class UnknownPragma : public PragmaHandler {
public:
  UnknownPragma(PragmaTable &Table, Reporter &Diags)
      : Table(Table), Diags(Diags) {}

  void HandlePragma(Preprocessor &PP, PragmaIntroducer Introducer,
                    Token &Name) override;

private:
  PragmaTable &Table;
  Reporter &Diags;
};

} // namespace

bool warpwright::isMisspeltPragma(llvm::StringRef Word) {
  constexpr llvm::StringLiteral Right = "warpwright";
  constexpr unsigned MostEdits = 3;
  if (Word == "matmul")
    return true;
  return Word != Right && Word.size() + MostEdits >= Right.size() &&
         llvm::StringRef(Word.lower())
                 .edit_distance(Right, /*AllowReplacements=*/true, MostEdits) <=
             MostEdits;
}

void UnknownPragma::HandlePragma(Preprocessor &PP, PragmaIntroducer,
                                 Token &Name) {
  if (Name.isAnnotation() || !Name.getIdentifierInfo())
    return;
  std::string Word = PP.getSpelling(Name);
  if (!isMisspeltPragma(Word))
    return;
  ++Table.NumMisspelt;
  // `#pragma matmul` lacks the word `warpwright`.
  llvm::StringRef Rest = Word == "matmul" ? " matmul" : "";
  Diags.report(DiagID::PragmaMisspelt, Name.getLocation())
      << Word << Rest
      << FixItHint::CreateReplacement(
             CharSourceRange::getTokenRange(Name.getLocation()),
             ("warpwright" + Rest).str());
}

static ParsedAttrInfoRegistry::Add<MatmulAttrInfo>
    RegisterMatmulAttr(AttributeName, "clauses of #pragma warpwright matmul");

static void enterTokens(Preprocessor &PP, llvm::ArrayRef<Token> Tokens) {
  if (!Tokens.empty() && Tokens.back().is(tok::eof))
    Tokens = Tokens.drop_back();
  if (Tokens.empty())
    return;
  auto Copy = std::make_unique<Token[]>(Tokens.size());
  llvm::copy(Tokens, Copy.get());
  // All macros are expanded already.
  PP.EnterTokenStream(std::move(Copy), Tokens.size(),
                      /*DisableMacroExpansion=*/true, /*IsReinject=*/false);
}

void WarpwrightPragma::HandlePragma(Preprocessor &PP, PragmaIntroducer,
                                    Token &Name) {
  ++Table.NumPragmas;
  auto Spec = std::make_unique<PragmaSpec>();
  bool Valid = parsePragmaLine(PP, Name, Diags, *Spec);

  if (Reading) {
    // The pragma is inside the look-ahead of an earlier one.
    Diags.report(DiagID::DuplicatePragma, Name.getLocation());
    Diags.note(Reading->Location, "the first one is here");
    return;
  }

  Reading = Spec.get();
  Follower Next;
  // At the end of the main file the preprocessor would destroy the lexer that
  // is calling this handler. If it is told that more may come, it does not
  // destroy the lexer, and gives the end again on the next call.
  bool Incremental = PP.isIncrementalProcessingEnabled();
  PP.enableIncrementalProcessing(true);
  readFollower(PP, Next);
  PP.enableIncrementalProcessing(Incremental);
  Reading = nullptr;

  assert((!Next.Tokens.empty() || Next.What == Follower::Kind::EndOfFile) &&
         "only the end of a file is no token");
  if (Valid && Next.What == Follower::Kind::EndOfFile) {
    Diags.report(DiagID::AtEndOfFile, Spec->Location) << Spec->Range;
    Valid = false;
  } else if (Valid && Next.What == Follower::Kind::Other) {
    Diags.report(DiagID::NotBeforeKernel, Spec->Location) << Spec->Range;
    Diags.note(Next.Tokens.front().getLocation(), "this is what it precedes");
    Valid = false;
  }
  if (!Valid) {
    enterTokens(PP, Next.Tokens);
    return;
  }

  Spec->Follower = Next.Tokens.front().getLocation();
  if (Next.Name)
    Spec->FunctionName = Next.Tokens[*Next.Name].getLocation();
  Table.Specs.push_back(std::move(Spec));
  PragmaSpec &Added = *Table.Specs.back();
  switch (Next.What) {
  case Follower::Kind::Definition: {
    Added.Place = PragmaSpec::Form::Definition;
    std::vector<Token> Attribute = makeAttribute(PP, Added, true);
    Next.Tokens.insert(Next.Tokens.end(), Attribute.begin(), Attribute.end());
    break;
  }
  case Follower::Kind::Declaration:
    Added.Place = PragmaSpec::Form::Declaration;
    if (Added.NumExprs && Next.Name && !Next.HasTemplateArgs)
      appendClone(PP, Next, Added);
    break;
  case Follower::Kind::Loop: {
    Added.Place = PragmaSpec::Form::Loop;
    // After the annotations of `#pragma unroll`, before the keyword.
    std::vector<Token> Attribute = makeAttribute(PP, Added, false);
    Next.Tokens.insert(Next.Tokens.end() - 1, Attribute.begin(),
                       Attribute.end());
    break;
  }
  case Follower::Kind::Other:
  case Follower::Kind::EndOfFile:
    llvm_unreachable("reported above");
  }
  enterTokens(PP, Next.Tokens);
}

/// Whether only directives and comments follow \p Location in its file. To read
/// on would leave the file, whose lexer is calling the handler.
static bool isLastInFile(const Preprocessor &PP, SourceLocation Location) {
  const SourceManager &SM = PP.getSourceManager();
  auto [File, Offset] = SM.getDecomposedLoc(SM.getExpansionLoc(Location));
  llvm::StringRef Text = SM.getBufferData(File);
  size_t Line = Text.find('\n', Offset);
  while (Line != llvm::StringRef::npos && Text[Line - 1] == '\\')
    Line = Text.find('\n', Line + 1);
  if (Line == llvm::StringRef::npos)
    return true;
  Lexer Raw(SM.getLocForStartOfFile(File), PP.getLangOpts(), Text.begin(),
            Text.begin() + Line, Text.end());
  Token Tok;
  Raw.LexFromRawLexer(Tok);
  while (Tok.is(tok::hash) && Tok.isAtStartOfLine())
    do
      Raw.LexFromRawLexer(Tok);
    while (Tok.isNot(tok::eof) && !Tok.isAtStartOfLine());
  return Tok.is(tok::eof);
}

void WarpwrightPragma::readFollower(Preprocessor &PP, Follower &Result) {
  const SourceManager &SM = PP.getSourceManager();
  FileID File = SM.getFileID(SM.getExpansionLoc(Reading->Location));
  if (File != SM.getMainFileID() && isLastInFile(PP, Reading->Location)) {
    Result.What = Follower::Kind::EndOfFile;
    return;
  }
  Token Tok;
  PP.Lex(Tok);
  while (Tok.is(tok::annot_pragma_loop_hint)) {
    Result.Tokens.push_back(Tok);
    PP.Lex(Tok);
  }
  // A pragma concerns its own file only: neither the file that includes it nor
  // files that it includes.
  if (Tok.is(tok::eof) ||
      SM.getFileID(SM.getExpansionLoc(Tok.getLocation())) != File) {
    Result.Tokens.push_back(Tok);
    Result.What = Follower::Kind::EndOfFile;
    return;
  }
  if (Tok.isOneOf(tok::kw_for, tok::kw_while, tok::kw_do)) {
    Result.Tokens.push_back(Tok);
    Result.What = Follower::Kind::Loop;
    return;
  }
  if (!Result.Tokens.empty()) {
    Result.Tokens.push_back(Tok);
    return;
  }
  readFunction(PP, Result, Tok);
}

/// The template argument lists that \p Tok may close: `>>>` is one token in
/// CUDA.
static int closedAngles(const Token &Tok) {
  return Tok.is(tok::greater)                 ? 1
         : Tok.is(tok::greatergreater)        ? 2
         : Tok.is(tok::greatergreatergreater) ? 3
                                              : 0;
}

/// Reads up to the `{` of a definition or the `;` of a declaration.
void WarpwrightPragma::readFunction(Preprocessor &PP, Follower &Result,
                                    Token Tok) {
  bool IsKernel = false;
  unsigned Depth = 0; // depth in (), [] and braces before the body
  int AngleDepth = 0; // depth in a template header
  bool InTemplateHeader = false;
  bool Instantiates = false; // `template __global__ void k<float>(...);`
  for (;; PP.Lex(Tok)) {
    Result.Tokens.push_back(Tok);
    if (Tok.isOneOf(tok::eof, tok::annot_module_end))
      return;
    const Token *Previous = Result.Tokens.size() > 1
                                ? &Result.Tokens[Result.Tokens.size() - 2]
                                : nullptr;
    if (Depth == 0 && Tok.is(tok::semi)) {
      if (IsKernel && Result.Name && !Instantiates)
        Result.What = Follower::Kind::Declaration;
      return;
    }
    if (Depth == 0 && Tok.is(tok::r_brace))
      return;
    if (Depth == 0 && Tok.is(tok::l_brace) && !InTemplateHeader) {
      if (IsKernel && Result.Name)
        Result.What = Follower::Kind::Definition;
      return;
    }
    // `__global__` is __attribute__((global)).
    if (Depth == 2 && Previous && Previous->is(tok::l_paren) &&
        (Tok.is(tok::identifier) || Tok.is(tok::raw_identifier)) &&
        Tok.getIdentifierInfo() && Tok.getIdentifierInfo()->isStr("global"))
      IsKernel = true;
    if (Depth == 0 && Previous && Previous->is(tok::kw_template) &&
        Tok.isNot(tok::less))
      Instantiates = true;
    if (Depth == 0 && Tok.is(tok::kw_template))
      InTemplateHeader = true;
    if (InTemplateHeader && Depth == 0) {
      if (Tok.is(tok::less))
        ++AngleDepth;
      AngleDepth -= closedAngles(Tok);
      if (AngleDepth <= 0 && closedAngles(Tok))
        InTemplateHeader = false;
    }
    // The parameter list opens after the name, `k(` or `k<float>(`.
    if (Depth == 0 && Tok.is(tok::l_paren) && Previous && !InTemplateHeader &&
        !Result.Name) {
      size_t At = Result.Tokens.size() - 2;
      if (closedAngles(*Previous)) {
        int Open = 0;
        do {
          Open += closedAngles(Result.Tokens[At]);
          if (Result.Tokens[At].is(tok::less))
            --Open;
        } while (At-- && Open > 0);
        Result.HasTemplateArgs = true;
      }
      if (At < Result.Tokens.size() && Result.Tokens[At].is(tok::identifier))
        Result.Name = At;
    }
    if (Tok.isOneOf(tok::l_paren, tok::l_square, tok::l_brace))
      ++Depth;
    else if (Tok.isOneOf(tok::r_paren, tok::r_square, tok::r_brace) && Depth)
      --Depth;
  }
}

/// `[[warpwright_matmul(index, expressions)]]`, and `;` if \p AsStatement.
std::vector<Token> WarpwrightPragma::makeAttribute(Preprocessor &PP,
                                                   const PragmaSpec &Spec,
                                                   bool AsStatement) const {
  std::vector<Token> Tokens;
  auto Add = [&](tok::TokenKind Kind) -> Token & {
    Token Tok;
    Tok.startToken();
    Tok.setKind(Kind);
    Tok.setLocation(Spec.Location);
    Tokens.push_back(Tok);
    return Tokens.back();
  };
  Add(tok::l_square);
  Add(tok::l_square);
  Add(tok::identifier).setIdentifierInfo(PP.getIdentifierInfo(AttributeName));
  Add(tok::l_paren);
  // The index comes first, because a first argument that is a bare identifier
  // would not be parsed as an expression.
  Token &Index = Add(tok::numeric_constant);
  PP.CreateString(std::to_string(Table.Specs.size() - 1), Index, Spec.Location,
                  Spec.Location);
  Tokens.insert(Tokens.end(), Spec.ExprTokens.begin(), Spec.ExprTokens.end());
  Token &Close = Add(tok::r_paren);
  if (Spec.ExprEnd.isValid())
    Close.setLocation(Spec.ExprEnd);
  Add(tok::r_square);
  Add(tok::r_square);
  if (AsStatement)
    Add(tok::semi);
  return Tokens;
}

/// Adds a copy of the declaration in \p Result, with a name of its own and a
/// body that holds the clauses.
void WarpwrightPragma::appendClone(Preprocessor &PP, Follower &Result,
                                   const PragmaSpec &Spec) {
  std::vector<Token> Clone(Result.Tokens.begin(), Result.Tokens.end() - 1);
  std::string Name =
      (CloneNamePrefix + llvm::Twine(Table.Specs.size() - 1)).str();
  Clone[*Result.Name].setIdentifierInfo(PP.getIdentifierInfo(Name));
  Token Brace = Result.Tokens.back();
  Brace.setKind(tok::l_brace);
  Clone.push_back(Brace);
  std::vector<Token> Attribute = makeAttribute(PP, Spec, true);
  Clone.insert(Clone.end(), Attribute.begin(), Attribute.end());
  Brace.setKind(tok::r_brace);
  Clone.push_back(Brace);
  Result.Tokens.insert(Result.Tokens.end(), Clone.begin(), Clone.end());
}

const PragmaSpec *PragmaTable::find(const AnnotateAttr &Attribute) const {
  if (Attribute.getAnnotation() != PragmaAnnotation ||
      Attribute.args_size() == 0)
    return nullptr;
  const auto *Index = dyn_cast<IntegerLiteral>(
      (*Attribute.args_begin())->IgnoreParenImpCasts());
  if (!Index || Index->getValue().getZExtValue() >= Specs.size())
    return nullptr;
  return Specs[Index->getValue().getZExtValue()].get();
}

void warpwright::registerPragma(Preprocessor &PP, PragmaTable &Table,
                                Reporter &Diags) {
  PP.AddPragmaHandler(new WarpwrightPragma(Table, Diags));
  PP.AddPragmaHandler(new UnknownPragma(Table, Diags));
}
