//===-- Origin.cpp - What a generated section was made from ---------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The hash is over tokens, not over the AST: the tokens of the kernel, of its
/// pragma, and of every function, type, constant and macro of the user's that
/// the kernel reaches. What it reaches is found in the AST of all
/// instantiations. Comments and white space do not count. Neither does host
/// code, since launches in it change when a file is rewritten.
///
//===----------------------------------------------------------------------===//

#include "Origin.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/xxhash.h"
#include <set>

using namespace warpwright;
using namespace clang;

/// A word that the compiler defines, or may define.
static bool isReservedWord(llvm::StringRef Name) {
  return Name.starts_with("__") ||
         (Name.size() > 1 && Name[0] == '_' && llvm::isUpper(Name[1]));
}

namespace {

/// The user's declarations that a kernel reaches, except host functions.
class ReachedDecls : public DynamicRecursiveASTVisitor {
public:
  explicit ReachedDecls(const SourceManager &SM) : SM(SM) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  void add(const Decl *D);
  void run() {
    while (!Work.empty())
      TraverseDecl(const_cast<Decl *>(Work.pop_back_val()));
  }

  /// A record consists of its fields and bases; its functions count if they are
  /// called.
  bool TraverseDecl(Decl *D) override {
    if (const auto *F = D ? D->getAsFunction() : nullptr; F && isHostOnly(*F))
      return true;
    return DynamicRecursiveASTVisitor::TraverseDecl(D);
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    add(E->getDecl());
    return true;
  }
  bool VisitMemberExpr(MemberExpr *E) override {
    add(E->getMemberDecl());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) override {
    add(E->getConstructor());
    return true;
  }
  bool VisitOverloadExpr(OverloadExpr *E) override {
    for (NamedDecl *D : E->decls())
      add(D->getAsFunction());
    return true;
  }
  bool VisitExpr(Expr *E) override {
    addType(E->getType());
    return true;
  }
  bool VisitValueDecl(ValueDecl *D) override {
    addType(D->getType());
    return true;
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc T) override {
    add(T.getDecl());
    return true;
  }
  bool VisitTagTypeLoc(TagTypeLoc T) override {
    add(T.getDecl());
    return true;
  }

  llvm::SetVector<const Decl *> Decls;

private:
  static bool isHostOnly(const FunctionDecl &F) {
    return !F.hasAttr<CUDAGlobalAttr>() && !F.hasAttr<CUDADeviceAttr>() &&
           !F.isConstexpr() && !F.isDefaulted() && !F.isImplicit();
  }
  void addType(QualType Type) {
    if (Type.isNull())
      return;
    Type = Type.getNonReferenceType();
    while (Type->isAnyPointerType())
      Type = Type->getPointeeType();
    if (const TagDecl *Tag = Type->getAsTagDecl())
      add(Tag);
  }

  const SourceManager &SM;
  llvm::SmallVector<const Decl *, 16> Work;
};

/// One `#if`, `#else`, `#define` and so on, with the words behind it.
struct Directive {
  unsigned At = 0;
  std::string Name;
  std::vector<std::string> Words;

  bool isIf() const { return llvm::StringRef(Name).starts_with("if"); }
  bool isElse() const { return llvm::StringRef(Name).starts_with("el"); }
};

/// The directives of a file in their order, and the conditionals that are open.
class DirectiveReader {
public:
  DirectiveReader(const SourceManager &SM, const LangOptions &Language,
                  FileID File)
      : SM(SM), Text(SM.getBufferData(File)),
        Raw(SM.getLocForStartOfFile(File), Language, Text.begin(), Text.begin(),
            Text.end()) {
    Done = Raw.LexFromRawLexer(Tok);
  }

  /// The next directive that begins before \p End. Opens and closes what the
  /// one before it does.
  std::optional<Directive> next(unsigned End);

  /// The words of each conditional that is open, with those of its other
  /// branches so far.
  std::vector<std::vector<std::string>> Open;

private:
  const SourceManager &SM;
  llvm::StringRef Text;
  Lexer Raw;
  Token Tok;
  bool Done;
  std::optional<Directive> Last;
};

/// Tokens of the user's files as text, and the names among them.
class OriginText {
public:
  OriginText(const ParsedFile &File)
      : SM(File.Context.getSourceManager()), PP(File.Sema.getPreprocessor()) {}

  void addRange(SourceRange Range);
  void addDecl(const Decl *D);
  void addText(llvm::StringRef Text) { Pieces.insert(Text.str()); }
  std::string hash() const;

  /// Macros and words that occur in preprocessor conditionals.
  const std::set<std::string> &macros() const { return Macros; }
  const std::set<std::string> &tested() const { return Tested; }

  /// Whether a macro that the files define has another definition, or none, if
  /// the build is given other macros: a conditional is around it. What the
  /// compiler defines does not count, since it differs between the host's pass
  /// and the device's.
  bool dependsOnFlags(llvm::StringRef Name) const;

private:
  void addName(llvm::StringRef Name);
  bool isUsers(const MacroInfo *Macro) const;
  std::vector<std::string> wordsAround(const MacroInfo &Macro) const;
  void addConditionals(FileID File, unsigned First, unsigned Last);

  const SourceManager &SM;
  Preprocessor &PP;
  std::set<std::string> Pieces, Macros, Tested;
  llvm::StringSet<> Names;
};

} // namespace

void ReachedDecls::add(const Decl *D) {
  if (!D || D->getLocation().isInvalid() ||
      SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
    return;
  if (const auto *F = dyn_cast<FunctionDecl>(D)) {
    const FunctionDecl *Definition = nullptr;
    if (F->isDefined(Definition))
      D = F = Definition;
    if (isHostOnly(*F))
      return;
    if (const FunctionDecl *Pattern = F->getTemplateInstantiationPattern())
      add(Pattern);
  }
  if (const auto *Tag = dyn_cast<TagDecl>(D))
    if (const TagDecl *Definition = Tag->getDefinition())
      D = Definition;
  if (const auto *Constant = dyn_cast<EnumConstantDecl>(D))
    D = cast<EnumDecl>(Constant->getDeclContext());
  if (isa<FieldDecl>(D))
    D = cast<RecordDecl>(D->getDeclContext());
  if (Decls.insert(D))
    Work.push_back(D);
}

std::optional<Directive> DirectiveReader::next(unsigned End) {
  if (Last && Last->isIf())
    Open.push_back(Last->Words);
  else if (Last && Last->isElse() && !Open.empty())
    Open.back().insert(Open.back().end(), Last->Words.begin(),
                       Last->Words.end());
  else if (Last && Last->Name == "endif" && !Open.empty())
    Open.pop_back();
  Last.reset();
  for (; !Done; Done = Raw.LexFromRawLexer(Tok)) {
    const unsigned At = SM.getFileOffset(Tok.getLocation());
    if (At >= End)
      break;
    if (!Tok.isAtStartOfLine() || Tok.isNot(tok::hash))
      continue;
    Last.emplace();
    Last->At = At;
    Done = Raw.LexFromRawLexer(Tok);
    if (Tok.is(tok::raw_identifier))
      Last->Name = Tok.getRawIdentifier();
    while (!Done && !(Done = Raw.LexFromRawLexer(Tok)) &&
           !Tok.isAtStartOfLine())
      if (Tok.is(tok::raw_identifier) && Tok.getRawIdentifier() != "defined")
        Last->Words.push_back(Tok.getRawIdentifier().str());
    return Last;
  }
  return std::nullopt;
}

bool OriginText::isUsers(const MacroInfo *Macro) const {
  return Macro && !Macro->isBuiltinMacro() &&
         !SM.isInSystemHeader(Macro->getDefinitionLoc()) &&
         !SM.isWrittenInBuiltinFile(Macro->getDefinitionLoc());
}

void OriginText::addName(llvm::StringRef Name) {
  if (!Names.insert(Name).second)
    return;
  const IdentifierInfo *II = PP.getIdentifierInfo(Name);
  if (!II->hadMacroDefinition())
    return;
  // Every definition that the file has had: for a hash it does not matter which
  // of them is in effect.
  for (const MacroDirective *D = PP.getLocalMacroDirectiveHistory(II); D;
       D = D->getPrevious()) {
    const auto *Definition = dyn_cast<DefMacroDirective>(D);
    const MacroInfo *Macro = Definition ? Definition->getInfo() : nullptr;
    if (!isUsers(Macro))
      continue;
    Macros.insert(Name.str());
    std::string Text = "#define " + Name.str();
    if (Macro->isFunctionLike()) {
      Text += '(';
      for (const IdentifierInfo *Param : Macro->params())
        Text += Param->getName().str() + ',';
      Text += ')';
    }
    for (const Token &Tok : Macro->tokens()) {
      Text += ' ' + PP.getSpelling(Tok);
      if (const IdentifierInfo *Word = Tok.getIdentifierInfo())
        addName(Word->getName());
    }
    Pieces.insert(std::move(Text));
  }
}

/// The words of the conditionals in and around a piece of a file.
void OriginText::addConditionals(FileID File, unsigned First, unsigned Last) {
  auto Add = [&](llvm::ArrayRef<std::string> Words) {
    for (const std::string &Word : Words) {
      Tested.insert(Word);
      addName(Word);
    }
  };
  DirectiveReader Reader(SM, PP.getLangOpts(), File);
  while (Reader.next(First))
    ;
  for (const std::vector<std::string> &Words : Reader.Open)
    Add(Words);
  while (std::optional<Directive> D = Reader.next(Last + 1))
    if (D->isIf() || D->isElse())
      Add(D->Words);
}

/// The words of the conditionals around the definition of \p Macro, without the
/// one that keeps a header from being read twice.
std::vector<std::string> OriginText::wordsAround(const MacroInfo &Macro) const {
  auto [File, At] = SM.getDecomposedLoc(Macro.getDefinitionLoc());
  if (SM.isWrittenInCommandLineFile(Macro.getDefinitionLoc()))
    return {};
  DirectiveReader Reader(SM, PP.getLangOpts(), File);
  std::vector<Directive> First;
  while (std::optional<Directive> D = Reader.next(At))
    if (First.size() < 2)
      First.push_back(std::move(*D));
  const bool Guarded = File != SM.getMainFileID() && First.size() == 2 &&
                       First[0].isIf() && First[0].Words.size() == 1 &&
                       First[1].Name == "define" && !First[1].Words.empty() &&
                       First[1].Words[0] == First[0].Words[0];
  std::vector<std::string> Words;
  for (size_t I = Guarded; I < Reader.Open.size(); ++I)
    Words.insert(Words.end(), Reader.Open[I].begin(), Reader.Open[I].end());
  return Words;
}

bool OriginText::dependsOnFlags(llvm::StringRef Name) const {
  std::set<std::string> Seen;
  std::vector<std::string> Work = {Name.str()};
  bool Found = false;
  while (!Work.empty()) {
    const std::string Word = std::move(Work.back());
    Work.pop_back();
    if (isReservedWord(Word))
      return false;
    if (!Seen.insert(Word).second)
      continue;
    const IdentifierInfo *II = PP.getIdentifierInfo(Word);
    if (!II->hadMacroDefinition())
      continue;
    for (const MacroDirective *D = PP.getLocalMacroDirectiveHistory(II); D;
         D = D->getPrevious()) {
      const auto *Definition = dyn_cast<DefMacroDirective>(D);
      if (!Definition || !isUsers(Definition->getInfo()))
        continue;
      std::vector<std::string> Words = wordsAround(*Definition->getInfo());
      Found |= Word == Name && !Words.empty();
      Work.insert(Work.end(), Words.begin(), Words.end());
      for (const Token &Tok : Definition->getInfo()->tokens())
        if (const IdentifierInfo *Inner = Tok.getIdentifierInfo())
          Work.push_back(Inner->getName().str());
    }
  }
  return Found;
}

void OriginText::addRange(SourceRange Range) {
  const SourceLocation Begin = SM.getExpansionLoc(Range.getBegin());
  const SourceLocation End = SM.getExpansionRange(Range.getEnd()).getEnd();
  if (Begin.isInvalid() || End.isInvalid())
    return;
  auto [File, First] = SM.getDecomposedLoc(Begin);
  auto [EndFile, Last] = SM.getDecomposedLoc(End);
  if (File != EndFile)
    return;
  llvm::StringRef Text = SM.getBufferData(File);
  Lexer Raw(SM.getLocForStartOfFile(File), PP.getLangOpts(), Text.begin(),
            Text.begin() + First, Text.end());
  std::string Piece;
  // The lexer reports the end together with the last token of a file that does
  // not end in a newline.
  Token Tok;
  for (bool Done = false; !Done;) {
    Done = Raw.LexFromRawLexer(Tok);
    const unsigned At = SM.getFileOffset(Tok.getLocation());
    if (At > Last || Tok.is(tok::eof))
      break;
    llvm::StringRef Word = Text.substr(At, Tok.getLength());
    if (!Piece.empty())
      Piece += ' ';
    Piece += Word;
    if (Tok.is(tok::raw_identifier))
      addName(Tok.getRawIdentifier());
  }
  Pieces.insert(std::move(Piece));
  addConditionals(File, First, Last);
}

void OriginText::addDecl(const Decl *D) {
  // The text of a function includes what is inside of it; a lambda's class has
  // no text of its own.
  if (isa<ParmVarDecl>(D) || (D->getDeclContext()->isFunctionOrMethod() &&
                              isa<VarDecl, TypedefNameDecl>(D)))
    return;
  if (const auto *Record = dyn_cast<CXXRecordDecl>(D)) {
    if (Record->isLambda() || !Record->isThisDeclarationADefinition())
      return;
    addRange({Record->getBeginLoc(), Record->getBraceRange().getBegin()});
    for (const Decl *Member : Record->decls())
      if (!Member->isImplicit() && !Member->getAsFunction() &&
          !isa<CXXRecordDecl>(Member))
        addRange(Member->getSourceRange());
    return;
  }
  if (const auto *F = dyn_cast<FunctionDecl>(D))
    if (const FunctionTemplateDecl *Template =
            F->getDescribedFunctionTemplate())
      return addRange(Template->getSourceRange());
  addRange(D->getSourceRange());
}

std::string OriginText::hash() const {
  std::string All = WARPWRIGHT_VERSION;
  for (const std::string &Piece : Pieces)
    All += '\n' + Piece;
  return llvm::utohexstr(llvm::xxh3_64bits(All), /*LowerCase=*/true, 16);
}

/// The macro \p II at \p Where, or at the end of the file.
static const MacroInfo *findMacro(Preprocessor &PP, const IdentifierInfo *II,
                                  SourceLocation Where) {
  return Where.isInvalid()
             ? PP.getMacroInfo(II)
             : PP.getMacroDefinitionAtLoc(II, Where).getMacroInfo();
}

/// The tokens that \p Macro expands to at \p Where, without spaces between
/// them; nothing if the expansion involves function-like macros.
static std::optional<std::string> expand(Preprocessor &PP,
                                         const MacroInfo &Macro,
                                         SourceLocation Where,
                                         const std::set<std::string> &Inside) {
  std::string Text;
  for (const Token &Tok : Macro.tokens()) {
    if (Tok.isOneOf(tok::hash, tok::hashhash))
      return std::nullopt;
    const std::string Word = PP.getSpelling(Tok);
    const IdentifierInfo *II = Tok.getIdentifierInfo();
    const MacroInfo *Next =
        II && !Inside.count(Word) ? findMacro(PP, II, Where) : nullptr;
    if (!Next) {
      Text += Word;
      continue;
    }
    if (Next->isFunctionLike() || Next->isBuiltinMacro())
      return std::nullopt;
    std::set<std::string> Deeper = Inside;
    Deeper.insert(Word);
    std::optional<std::string> Expanded = expand(PP, *Next, Where, Deeper);
    if (!Expanded)
      return std::nullopt;
    Text += *Expanded;
  }
  return Text;
}

/// The check that \p Macro, which is called \p Name, is at \p Where what it is
/// here; nothing if no build could be held to that.
static std::optional<MacroCheck> makeCheck(Preprocessor &PP,
                                           const std::string &Name,
                                           const MacroInfo &Macro,
                                           SourceLocation Where) {
  MacroCheck Check;
  Check.Name = Check.Use = Name;
  if (Macro.isFunctionLike())
    Check.Use += "(" +
                 llvm::join(llvm::map_range(Macro.params(),
                                            [](const IdentifierInfo *P) {
                                              return P->getName();
                                            }),
                            ", ") +
                 ")";
  Check.Value = expand(PP, Macro, Where, {Name});
  if (!Check.Value || (Macro.isFunctionLike() && Macro.isVariadic()))
    return std::nullopt;
  return Check;
}

/// What a build must agree with: the macros of the command line that matter,
/// and those of the files that follow from them. Returns the name of one that
/// cannot be checked.
static std::string addChecks(const ParsedFile &File, const OriginText &Text,
                             Region &R) {
  const SourceManager &SM = File.Context.getSourceManager();
  Preprocessor &PP = File.Sema.getPreprocessor();
  KernelSource &S = R.Source;
  const SourceLocation Section = SM.getLocForStartOfFile(SM.getMainFileID())
                                     .getLocWithOffset(S.SectionOffset);
  const SourceLocation Kernel = SM.getExpansionLoc(R.Function->getEndLoc());
  for (const std::string &Name : Text.macros()) {
    const IdentifierInfo *II = PP.getIdentifierInfo(Name);
    if (isReservedWord(Name))
      continue;
    const MacroInfo *Macro = PP.getMacroInfo(II);
    if (Macro && SM.isWrittenInCommandLineFile(Macro->getDefinitionLoc())) {
      std::optional<MacroCheck> Check =
          makeCheck(PP, Name, *Macro, SourceLocation());
      if (!Check)
        return Name;
      S.MacroChecks.push_back(std::move(*Check));
      continue;
    }
    // The file defines it, which is part of the hash. Only a definition that
    // the section still sees can be looked at there.
    Macro = findMacro(PP, II, Section);
    if (!Macro || Macro != findMacro(PP, II, Kernel) ||
        !Text.dependsOnFlags(Name))
      continue;
    std::optional<MacroCheck> Check = makeCheck(PP, Name, *Macro, Section);
    // The section of a template may have to stand at the end of the file.
    if (Check && R.IsTemplate) {
      const MacroInfo *Last = PP.getMacroInfo(II);
      std::optional<MacroCheck> AtEnd =
          Last ? makeCheck(PP, Name, *Last, SourceLocation()) : std::nullopt;
      if (!AtEnd || AtEnd->Value != Check->Value)
        continue;
    }
    if (Check)
      S.MacroChecks.push_back(std::move(*Check));
  }
  for (const std::string &Name : Text.tested())
    if (!isReservedWord(Name) &&
        !PP.getIdentifierInfo(Name)->hadMacroDefinition())
      S.MacroChecks.push_back({Name, Name, std::nullopt});
  return "";
}

std::string warpwright::describeOrigin(const ParsedFile &File, Region &R) {
  OriginText Text(File);
  ReachedDecls Reached(File.Context.getSourceManager());
  Reached.add(R.Function);
  for (const RegionInstance &Instance : R.Instances) {
    Reached.add(Instance.Function);
    Text.addText("<" + llvm::join(Instance.Source.TemplateArgs, ", ") + ">(" +
                 llvm::join(Instance.Source.ParamTypes, ", ") + ")");
  }
  Reached.run();
  for (const Decl *D : Reached.Decls)
    Text.addDecl(D);
  Text.addRange(R.PragmaRange);
  R.Source.Origin = WARPWRIGHT_VERSION ", " + Text.hash();
  return addChecks(File, Text, R);
}
