//===-- Transform.cpp - CUDA as plain C++ for the simulator ---------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Simulate/Transform.h"
#include "Preprocess.h"
#include "Transformer.h"
#include "warpwright/Frontend/BracedLaunches.h"
#include "warpwright/Frontend/Diagnostics.h"
#include "warpwright/Frontend/JoinedChevrons.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

using namespace warpwright;
using namespace clang;

/// Writes `<%`, `%>`, `<:` and `:>` as the brackets that they are, so that
/// edits find these by their first character. Columns stay as they are.
static void spellBrackets(std::string &Text) {
  if (llvm::none_of(llvm::ArrayRef<const char *>{"<%", "%>", "<:", ":>"},
                    [&](const char *Digraph) {
                      return llvm::StringRef(Text).contains(Digraph);
                    }))
    return;
  struct Bracket {
    tok::TokenKind Kind;
    const char *Instead;
  };
  static constexpr Bracket Brackets[] = {{tok::l_brace, "{ "},
                                         {tok::r_brace, " }"},
                                         {tok::l_square, "[ "},
                                         {tok::r_square, " ]"}};
  std::vector<std::pair<unsigned, const char *>> Found;
  const SourceTokens Tokens(Text);
  for (size_t I = 0; I != Tokens.size(); ++I)
    for (const Bracket &Each : Brackets)
      if (Tokens.is(I, Each.Kind) && Tokens[I].End - Tokens[I].Begin == 2)
        Found.push_back({Tokens[I].Begin, Each.Instead});
  for (const auto &[Begin, Instead] : Found)
    Text.replace(Begin, 2, Instead);
}

std::optional<std::string>
warpwright::makePlainCpp(llvm::StringRef Path,
                         std::optional<llvm::StringRef> Text,
                         const SimulateOptions &Options) {
  std::optional<std::string> Preprocessed = preprocess(Path, Text, Options);
  if (!Preprocessed)
    return std::nullopt;
  spellBrackets(*Preprocessed);
  if (std::optional<std::string> Joined = withJoinedChevrons(*Preprocessed))
    Preprocessed = std::move(Joined);
  std::string Plain;
  // The edited text has its braces, which plain C++ accepts.
  std::optional<std::string> WithoutBraces =
      withoutBracedLaunches(*Preprocessed);
  const std::string &Parsed = WithoutBraces ? *WithoutBraces : *Preprocessed;
  bool Good =
      parsePreprocessed(Path, Parsed, Options, [&](ASTContext &Context) {
        SourceTokens Tokens(*Preprocessed);
        TextPieces Pieces(*Preprocessed);
        dropCudaWords(Tokens, Pieces);
        if (!Transformer(Context, Tokens, Pieces).run())
          return false;
        Plain = Pieces.render();
        return true;
      });
  if (!Good)
    return std::nullopt;
  return Plain;
}

bool Transformer::run() {
  TraverseAST(Context);
  addRegisters();
  return Good;
}

unsigned Transformer::getOffset(SourceLocation Location) const {
  return SM.getFileOffset(SM.getExpansionLoc(Location));
}

bool Transformer::isInText(SourceLocation Location) const {
  return Location.isValid() &&
         SM.getFileID(SM.getExpansionLoc(Location)) == SM.getMainFileID();
}

bool Transformer::isUserCode(SourceLocation Location) const {
  return isInText(Location) && !SM.isInSystemHeader(Location);
}

TextPiece Transformer::makePiece(std::string Text, SourceRange Range) const {
  unsigned Begin = getOffset(Range.getBegin());
  unsigned End = getOffset(Range.getEnd());
  if (size_t I = Tokens.findAt(End); I < Tokens.size())
    End = Tokens[I].End;
  return {std::move(Text), Begin, End};
}

void Transformer::reject(SourceLocation Location, llvm::StringRef Why) {
  Good = false;
  const DiagInfo &Info = getDiagInfo(DiagID::NotSimulated);
  DiagnosticsEngine &Engine = Context.getDiagnostics();
  std::string Format =
      (Info.Format + " [" + getDiagCode(DiagID::NotSimulated) + "]").str();
  Engine.Report(Location, Engine.getDiagnosticIDs()->getCustomDiagID(
                              DiagnosticIDs::Level::Error, Format))
      << Why;
}

/// Whether the source itself says so; Clang was told to assume it of every
/// function.
template <class T> static bool isWritten(const FunctionDecl *F) {
  for (const FunctionDecl *Each : F->redecls())
    if (const auto *A = Each->getAttr<T>(); A && !A->isImplicit())
      return true;
  return false;
}

Transformer::Side Transformer::getSide(const FunctionDecl *F) const {
  if (F->hasAttr<CUDAGlobalAttr>())
    return Side::Device;
  if (isWritten<CUDADeviceAttr>(F))
    return isWritten<CUDAHostAttr>(F) ? Side::Both : Side::Device;
  return F->isConstexpr() ? Side::Both : Side::Host;
}

bool Transformer::TraverseDecl(Decl *D) {
  auto *F = llvm::dyn_cast_or_null<FunctionDecl>(D);
  if (!F)
    return DynamicRecursiveASTVisitor::TraverseDecl(D);
  Sides.push_back(getSide(F));
  const FunctionDecl *Outer = std::exchange(Function, F);
  bool Result = DynamicRecursiveASTVisitor::TraverseDecl(D);
  Function = Outer;
  Sides.pop_back();
  return Result;
}

bool Transformer::TraverseLambdaExpr(LambdaExpr *E) {
  // For Clang every lambda may be device code. A lambda without attributes runs
  // where the enclosing function does.
  const CXXMethodDecl *Call = E->getCallOperator();
  Side Where = isWritten<CUDADeviceAttr>(Call) ? getSide(Call)
               : Sides.empty()                 ? Side::Both
                                               : Sides.back();
  Sides.push_back(Where);
  const CompoundStmt *Body = E->getCompoundStmtBody();
  if (Where != Side::Host && isUserCode(E->getBeginLoc()))
    Pieces.insert(getOffset(Body->getLBracLoc()) + 1, "contract",
                  " _Pragma(\"clang fp contract(fast)\")");
  if (Where == Side::Host && isUserCode(E->getBeginLoc()) &&
      E->hasExplicitParameters())
    Pieces.insert(getOffset(Call->getFunctionTypeLoc().getRParenLoc()) + 1,
                  "unchecked", " __attribute__((no_sanitize(\"coverage\")))");
  bool Result = DynamicRecursiveASTVisitor::TraverseLambdaExpr(E);
  Sides.pop_back();
  return Result;
}

bool Transformer::VisitFunctionDecl(FunctionDecl *F) {
  if (!isInText(F->getLocation()))
    return true;
  auto *Body = F->doesThisDeclarationHaveABody()
                   ? llvm::dyn_cast_or_null<CompoundStmt>(F->getBody())
                   : nullptr;
  if (F->hasAttr<CUDAGlobalAttr>()) {
    if (Body)
      editKernel(F);
    else if (F->doesThisDeclarationHaveABody())
      reject(F->getLocation(), "a kernel whose body is a try block");
    return true;
  }
  // A body that the compiler writes, of `= default`, stands nowhere in the
  // text.
  if (!Body || F->isDefaulted() || !isUserCode(F->getLocation()) ||
      (llvm::isa<CXXMethodDecl>(F) &&
       llvm::cast<CXXMethodDecl>(F)->getParent()->isLambda()))
    return true;
  if (getSide(F) == Side::Host)
    markUnchecked(F);
  else if (isInText(Body->getLBracLoc()))
    Pieces.insert(getOffset(Body->getLBracLoc()) + 1, "contract",
                  " _Pragma(\"clang fp contract(fast)\")");
  return true;
}

/// Code that only the host runs is not checked; its accesses need no hooks.
void Transformer::markUnchecked(FunctionDecl *F) {
  SourceLocation Begin = F->getInnerLocStart();
  if (!isInText(Begin) || F->isDefaulted() || F->isDeleted())
    return;
  // A member that is defined inside an `extern "C"` without braces, and similar
  // cases, begin with other words; the first token of the function itself is
  // used.
  Pieces.insert(getOffset(Begin), "unchecked",
                "__attribute__((no_sanitize(\"coverage\"))) ");
}

bool Transformer::VisitCUDAKernelCallExpr(CUDAKernelCallExpr *E) {
  const CallExpr *Config = E->getConfig();
  if (!isInText(E->getBeginLoc()) || !Config)
    return true;
  // Clang represents the configuration as a call between `<<<` and `>>>`.
  size_t Open = getToken(Config->getBeginLoc());
  size_t Close = getToken(Config->getRParenLoc());
  if (!Tokens.is(Open, tok::lesslessless) ||
      !Tokens.is(Close, tok::greatergreatergreater) || Close == Open + 1) {
    reject(E->getBeginLoc(), "this form of launch");
    return true;
  }
  unsigned Begin = getOffset(E->getCallee()->getBeginLoc());
  Pieces.insert(Begin, "launch" + std::to_string(Tokens[Open].Begin),
                {TextPiece{"(::warpwright::sim::configure(", Tokens[Open].End,
                           Tokens[Close].Begin},
                 TextPiece{"), ", 0, 0}});
  Pieces.erase(Tokens[Open].Begin, Tokens[Close].End);
  unsigned End = getOffset(E->getRParenLoc());
  Pieces.insert(End + 1, "launched" + std::to_string(Tokens[Open].Begin), ")");
  return true;
}
