//===-- KernelText.cpp - The text and the place of a kernel ---------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Discover.h"
#include "FileText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"

using namespace warpwright;
using namespace clang;

static PrintingPolicy getPolicy(const ASTContext &Context, bool Canonical) {
  PrintingPolicy Policy(Context.getLangOpts());
  Policy.adjustForCPlusPlus();
  Policy.SuppressTagKeyword = true;
  Policy.FullyQualifiedName = Canonical;
  Policy.PrintAsCanonical = Canonical;
  Policy.SuppressScope = false;
  return Policy;
}

/// `const T *__restrict Name`.
static std::string printDeclarator(QualType Type, llvm::StringRef Name,
                                   const PrintingPolicy &Policy) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  Type.print(OS, Policy, Name);
  return Text;
}

/// The text from \p Begin up to but not including \p End, if both are in one
/// file and outside of macros.
static std::optional<std::string>
getText(const ASTContext &Context, SourceLocation Begin, SourceLocation End) {
  if (Begin.isInvalid() || End.isInvalid() || Begin.isMacroID() ||
      End.isMacroID())
    return std::nullopt;
  bool Invalid = false;
  llvm::StringRef Text = Lexer::getSourceText(
      CharSourceRange::getCharRange(Begin, End), Context.getSourceManager(),
      Context.getLangOpts(), &Invalid);
  if (Invalid)
    return std::nullopt;
  return Text.trim().str();
}

/// The text of a declaration without its default argument, which begins at \p
/// Default, and without the `=` before it.
static std::string dropDefault(llvm::StringRef Text) {
  return Text.rtrim()
      .drop_back(Text.rtrim().ends_with("=") ? 1 : 0)
      .rtrim()
      .str();
}

/// Where the token at \p Last ends. The last token of `class = A<B<int>>` is a
/// part of `>>` or `>>>`, which the parser has split.
static SourceLocation getEndOfToken(const ASTContext &Context,
                                    SourceLocation Last) {
  const SourceManager &SM = Context.getSourceManager();
  if (Last.isMacroID()) {
    const CharSourceRange Split = SM.getImmediateExpansionRange(Last);
    if (Split.isCharRange() && Split.getEnd().isFileID())
      return Split.getEnd();
  } else if (*SM.getCharacterData(Last) == '>') {
    return Last.getLocWithOffset(1);
  }
  return Lexer::getLocForEndOfToken(Last, 0, SM, Context.getLangOpts());
}

static std::string describeTemplateParam(const ASTContext &Context,
                                         const NamedDecl *Param,
                                         llvm::StringRef Name) {
  const PrintingPolicy Policy = getPolicy(Context, false);
  SourceLocation End = getEndOfToken(Context, Param->getSourceRange().getEnd());
  bool Named = !Param->getName().empty();
  if (const auto *Type = dyn_cast<TemplateTypeParmDecl>(Param)) {
    if (!Type->hasTypeConstraint())
      return (Type->isParameterPack() ? "typename... " : "typename ") +
             Name.str();
    SourceLocation Stop =
        Type->hasDefaultArgument()
            ? Type->getDefaultArgument().getSourceRange().getBegin()
            : End;
    if (auto Text = getText(Context, Param->getBeginLoc(), Stop); Text && Named)
      return dropDefault(*Text);
    return "typename " + Name.str();
  }
  if (const auto *Value = dyn_cast<NonTypeTemplateParmDecl>(Param)) {
    if (Named) {
      SourceLocation Stop =
          Value->hasDefaultArgument()
              ? Value->getDefaultArgument().getSourceRange().getBegin()
              : End;
      if (auto Text = getText(Context, Param->getBeginLoc(), Stop))
        return dropDefault(*Text);
    }
    return printDeclarator(Value->getType(), Name, Policy);
  }
  const auto *Template = cast<TemplateTemplateParmDecl>(Param);
  SourceLocation Stop =
      Template->hasDefaultArgument()
          ? Template->getDefaultArgument().getSourceRange().getBegin()
          : End;
  if (auto Text = getText(Context, Param->getBeginLoc(), Stop); Text && Named)
    return dropDefault(*Text);
  return "template <typename...> class " + Name.str();
}

/// The text of a template parameter's default argument, or empty.
static std::string getDefault(const ASTContext &Context,
                              const NamedDecl *Param) {
  auto Get = [&](const auto *P) -> std::string {
    if (!P->hasDefaultArgument())
      return "";
    SourceRange Range = P->getDefaultArgument().getSourceRange();
    return getText(Context, Range.getBegin(),
                   getEndOfToken(Context, Range.getEnd()))
        .value_or("");
  };
  if (const auto *Type = dyn_cast<TemplateTypeParmDecl>(Param))
    return Get(Type);
  if (const auto *Value = dyn_cast<NonTypeTemplateParmDecl>(Param))
    return Get(Value);
  return Get(cast<TemplateTemplateParmDecl>(Param));
}

static void describeTemplate(const ASTContext &Context,
                             const FunctionDecl &Function, KernelSource &S) {
  const FunctionTemplateDecl *Template =
      Function.getDescribedFunctionTemplate();
  if (!Template)
    return;
  std::string Header, WithDefaults;
  bool AnyDefault = false;
  unsigned Index = 0;
  for (const NamedDecl *Param : *Template->getTemplateParameters()) {
    std::string Name = Param->getName().str();
    if (Name.empty())
      Name = "WarpwrightT" + std::to_string(Index);
    if (Index++) {
      Header += ", ";
      WithDefaults += ", ";
    }
    std::string Text = describeTemplateParam(Context, Param, Name);
    std::string Default = getDefault(Context, Param);
    AnyDefault |= !Default.empty();
    Header += Text;
    WithDefaults += Text + (Default.empty() ? "" : " = " + Default);
    S.TemplateParamNames.push_back(
        Name + (Param->isTemplateParameterPack() ? "..." : ""));
  }
  S.TemplateHeader = "template <" + Header + ">";
  if (AnyDefault)
    S.TemplateHeaderWithDefaults = "template <" + WithDefaults + ">";
}

/// Splits the parameter list between the parentheses at its top-level commas;
/// empty if that does not give \p Count pieces.
static std::vector<std::string>
splitParams(const ASTContext &Context, llvm::StringRef Text, unsigned Count) {
  // Commas are counted with and without nesting in angle brackets: `a < b`
  // against `pair<a, b>`.
  for (bool Angles : {true, false}) {
    std::vector<std::string> Pieces(1);
    int Depth = 0, Angle = 0;
    Lexer Raw(SourceLocation(), Context.getLangOpts(), Text.begin(),
              Text.begin(), Text.end());
    Raw.SetKeepWhitespaceMode(true);
    bool Default = false;
    for (Token Tok;;) {
      bool Last = Raw.LexFromRawLexer(Tok);
      if (Tok.is(tok::eof))
        break;
      unsigned End = Raw.getCurrentBufferOffset();
      llvm::StringRef Piece =
          Text.substr(End - Tok.getLength(), Tok.getLength());
      if (Tok.isOneOf(tok::l_paren, tok::l_square, tok::l_brace))
        ++Depth;
      else if (Tok.isOneOf(tok::r_paren, tok::r_square, tok::r_brace))
        --Depth;
      else if (Angles && Tok.is(tok::less))
        ++Angle;
      else if (Angles && Tok.is(tok::greater))
        --Angle;
      else if (Angles && Tok.is(tok::greatergreater))
        Angle -= 2;
      else if (Angles && Tok.is(tok::greatergreatergreater))
        Angle -= 3;
      if (Tok.is(tok::comma) && Depth == 0 && Angle == 0) {
        Pieces.emplace_back();
        Default = false;
      } else if (Tok.is(tok::equal) && Depth == 0 && Angle == 0) {
        Default = true;
      } else if (!Default) {
        Pieces.back() += Tok.is(tok::comment) ? llvm::StringRef(" ") : Piece;
      }
      if (Last)
        break;
    }
    if (Pieces.size() == Count)
      return Pieces;
  }
  return {};
}

/// On one line, with single spaces.
static std::string squeeze(llvm::StringRef Text) {
  std::string Result;
  bool Space = false;
  for (char C : Text.trim()) {
    if (isWhitespace(C) || C == '\\') {
      Space = true;
      continue;
    }
    if (Space)
      Result += ' ';
    Space = false;
    Result += C;
  }
  return Result;
}

/// The default argument of \p P as the user wrote it, macros unexpanded, or
/// empty. Without it the launcher could not be called as the kernel is.
static std::string getDefaultText(const ASTContext &Context,
                                  const FunctionDecl &Function,
                                  const ParmVarDecl &P) {
  if (!P.hasDefaultArg() || P.hasUnparsedDefaultArg())
    return "";
  const SourceManager &SM = Context.getSourceManager();
  SourceRange Range = P.getDefaultArgRange();
  // If a macro writes the function, only the macro's call is in the file.
  if (!Function.getEndLoc().isMacroID()) {
    SourceLocation End = Lexer::getLocForEndOfToken(
        SM.getExpansionRange(Range.getEnd()).getEnd(), 0, SM,
        Context.getLangOpts());
    if (auto Text = getText(Context, SM.getExpansionLoc(Range.getBegin()), End))
      return *Text;
  }
  const Expr *Default = P.hasUninstantiatedDefaultArg()
                            ? P.getUninstantiatedDefaultArg()
                            : P.getDefaultArg();
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  Default->printPretty(OS, nullptr, getPolicy(Context, false));
  return Text;
}

static void describeParams(const ASTContext &Context,
                           const FunctionDecl &Function, bool FromSource,
                           KernelSource &S) {
  const PrintingPolicy Policy = getPolicy(Context, false);
  std::vector<std::string> Texts;
  if (FunctionTypeLoc Type = Function.getFunctionTypeLoc();
      Type && FromSource) {
    SourceLocation Open = Type.getLParenLoc();
    if (auto Text = getText(Context, Open, Type.getRParenLoc()))
      Texts = splitParams(Context, llvm::StringRef(*Text).drop_front(),
                          Function.getNumParams());
  }
  unsigned Index = 0;
  for (const ParmVarDecl *P : Function.parameters()) {
    ParamSource Param;
    Param.Name = P->getName().str();
    bool Named = !Param.Name.empty();
    if (!Named)
      Param.Name = "warpwright_arg" + std::to_string(Index);
    Param.Type = P->getType().getAsString(Policy);
    if (Named && Index < Texts.size())
      Param.DeclText = squeeze(Texts[Index]);
    else
      Param.DeclText =
          printDeclarator(P->getOriginalType(), Param.Name, Policy);
    Param.DefaultText = getDefaultText(Context, Function, *P);
    S.Params.push_back(std::move(Param));
    ++Index;
  }
}

void warpwright::describeInstance(const ParsedFile &File,
                                  RegionInstance &Instance) {
  PrintingPolicy Policy = getPolicy(File.Context, true);
  for (const ParmVarDecl *P : Instance.Function->parameters())
    Instance.Source.ParamTypes.push_back(
        P->getType().getCanonicalType().getAsString(Policy));
  const TemplateArgumentList *Args =
      Instance.Function->getTemplateSpecializationArgs();
  if (!Args)
    return;
  const SourceManager &SM = File.Context.getSourceManager();
  const FunctionDecl *Pattern =
      Instance.Function->getTemplateInstantiationPattern();
  auto Add = [&](const TemplateArgument &Arg) {
    if (Pattern && Arg.getKind() == TemplateArgument::Declaration)
      Instance.Source.NamesLater |= SM.isBeforeInTranslationUnit(
          Pattern->getEndLoc(),
          Arg.getAsDecl()->getCanonicalDecl()->getLocation());
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    File.Context.getCanonicalTemplateArgument(Arg).print(Policy, OS,
                                                         /*IncludeType=*/true);
    Instance.Source.TemplateArgs.push_back(std::move(Text));
  };
  for (const TemplateArgument &Arg : Args->asArray()) {
    if (Arg.getKind() == TemplateArgument::Pack)
      for (const TemplateArgument &Element : Arg.pack_elements())
        Add(Element);
    else
      Add(Arg);
  }
}

//===----------------------------------------------------------------------===//
// Where the section goes
//===----------------------------------------------------------------------===//

MainFileText::MainFileText(const ParsedFile &File)
    : SM(File.Context.getSourceManager()), Context(File.Context),
      Text(File.Text) {}

std::optional<unsigned> MainFileText::getOffset(SourceLocation Location) const {
  if (Location.isInvalid() || Location.isMacroID() ||
      !SM.isInMainFile(Location) ||
      SM.getFileID(Location) != SM.getMainFileID())
    return std::nullopt;
  return SM.getFileOffset(Location);
}

unsigned MainFileText::getLine(unsigned Offset) const {
  SourceLocation Location =
      SM.getLocForStartOfFile(SM.getMainFileID()).getLocWithOffset(Offset);
  return SM.getPresumedLoc(Location).getLine();
}

unsigned MainFileText::skipRestOfLine(unsigned Offset) const {
  size_t End = Text.find('\n', Offset);
  llvm::StringRef Rest = Text.slice(Offset, End).trim(" \t\r;");
  bool Empty =
      Rest.empty() || (Rest.starts_with("//") && !Rest.ends_with("\\"));
  if (!Empty)
    return Offset;
  return End == llvm::StringRef::npos ? Text.size() : End + 1;
}

unsigned MainFileText::skipDirective(unsigned Offset) const {
  while (true) {
    size_t End = Text.find('\n', Offset);
    if (End == llvm::StringRef::npos)
      return Text.size();
    llvm::StringRef Line = Text.slice(Offset, End).rtrim("\r");
    Offset = End + 1;
    if (!Line.ends_with("\\"))
      return Offset;
  }
}

SourceLocation MainFileText::getIncludeInMain(SourceLocation Location) const {
  FileID FID = SM.getFileID(SM.getExpansionLoc(Location));
  while (FID.isValid() && FID != SM.getMainFileID()) {
    SourceLocation Include = SM.getIncludeLoc(FID);
    if (Include.isInvalid())
      return SourceLocation();
    FID = SM.getFileID(Include);
    if (FID == SM.getMainFileID())
      return Include;
  }
  return SourceLocation();
}

bool MainFileText::isAtFileScope(unsigned Offset) const {
  for (const Decl *D : Context.getTranslationUnitDecl()->decls()) {
    if (D->isImplicit() || D->getBeginLoc().isInvalid())
      continue;
    std::optional<unsigned> Begin =
        getOffset(SM.getExpansionLoc(D->getBeginLoc()));
    std::optional<unsigned> End =
        getOffset(SM.getExpansionRange(D->getEndLoc()).getEnd());
    if (Begin && End && *Begin < Offset && Offset <= *End)
      return false;
  }
  return true;
}

/// The namespaces around a declaration, outermost first; "" is an unnamed one.
static std::vector<std::string> getNamespaces(const DeclContext *Inner) {
  std::vector<std::string> Names;
  for (; Inner; Inner = Inner->getParent())
    if (const auto *Namespace = dyn_cast<NamespaceDecl>(Inner))
      Names.insert(Names.begin(), Namespace->getName().str());
  return Names;
}

std::optional<MainFileText::Place>
MainFileText::findPlaceAfter(const FunctionDecl &Function,
                             SourceLocation End) const {
  Place Result;
  const DeclContext *Scope = Function.getLexicalDeclContext();
  if (std::optional<unsigned> Offset =
          getOffset(SM.getExpansionRange(End).getEnd())) {
    // The position after the last token, which is `}`, `;` or the `)` of a
    // macro.
    SourceLocation Behind = Lexer::getLocForEndOfToken(
        SM.getExpansionRange(End).getEnd(), 0, SM, Context.getLangOpts());
    for (const DeclContext *C = Scope; C; C = C->getParent())
      if (const auto *Linkage = dyn_cast<LinkageSpecDecl>(C))
        Result.InExternC |= Linkage->hasBraces();
    std::optional<unsigned> At = getOffset(Behind);
    if (!At)
      return std::nullopt;
    Result.Offset = skipRestOfLine(*At);
    Result.Line = getLine(Result.Offset);
    return Result;
  }
  SourceLocation Include = getIncludeInMain(End);
  std::optional<unsigned> At = getOffset(Include);
  if (!At || !isAtFileScope(*At))
    return std::nullopt;
  Result.Offset = skipDirective(*At);
  Result.Line = getLine(Result.Offset);
  Result.Namespaces = getNamespaces(Scope);
  return Result;
}

SourceLocation MainFileText::getSemicolon(SourceLocation End) const {
  SourceLocation File = SM.getExpansionRange(End).getEnd();
  std::optional<Token> Next =
      Lexer::findNextToken(File, SM, Context.getLangOpts());
  return Next && Next->is(tok::semi) ? Next->getLocation() : File;
}

/// Macros that the user's files and the command line define, sorted. Which of
/// them are defined where a section comes to stand is not known here.
static std::vector<std::string> getUsersMacros(const ParsedFile &File) {
  const SourceManager &SM = File.Context.getSourceManager();
  auto IsUsers = [&](const MacroDirective &D) {
    const SourceLocation Where = D.getLocation();
    return isa<DefMacroDirective>(D) && Where.isValid() &&
           !SM.isInSystemHeader(Where) && !SM.isWrittenInBuiltinFile(Where) &&
           !SM.isWrittenInCommandLineFile(Where);
  };
  std::vector<std::string> Names = getCommandLineMacros(File);
  for (const auto &[Identifier, State] : File.Sema.getPreprocessor().macros())
    for (const MacroDirective *D = State.getLatest(); D; D = D->getPrevious())
      if (IsUsers(*D)) {
        Names.push_back(Identifier->getName().str());
        break;
      }
  llvm::sort(Names);
  Names.erase(llvm::unique(Names), Names.end());
  return Names;
}

void warpwright::describeKernel(ParsedFile &File, Region &R) {
  const ASTContext &Context = File.Context;
  const SourceManager &SM = Context.getSourceManager();
  const FunctionDecl &Function = *R.Function;
  KernelSource &S = R.Source;
  MainFileText Main(File);

  S.Name = Function.getName().str();
  S.QualifiedName = R.Name;
  PresumedLoc Presumed =
      SM.getPresumedLoc(SM.getExpansionLoc(Function.getLocation()));
  S.File = Presumed.isValid() ? Presumed.getFilename() : "";
  S.Line = Presumed.isValid() ? Presumed.getLine() : 0;
  S.InternalLinkage = Function.getFormalLinkage() == Linkage::Internal ||
                      Function.isInAnonymousNamespace();
  S.InUnnamedNamespace = Function.isInAnonymousNamespace();
  S.Inline = Function.isInlineSpecified();
  S.DeclarationOnly = !R.HasDefinition;
  R.InHeader = SM.getFileID(SM.getExpansionLoc(Function.getLocation())) !=
               SM.getMainFileID();

  auto Decline = [&](DiagID ID, llvm::StringRef Why) {
    DiagnosticBuilder Builder = File.Diags.report(ID, R.PragmaLocation);
    Builder << R.Name;
    if (!Why.empty())
      Builder << Why;
    R.Declined = true;
  };
  if (Function.getTemplateSpecializationKind() == TSK_ExplicitSpecialization)
    return Decline(DiagID::KernelNotReachable,
                   "it is an explicit specialisation of a template");
  if (Function.getLexicalDeclContext()->isRecord() ||
      Function.getDeclContext()->isRecord())
    return Decline(DiagID::KernelNotReachable, "it is a member of a class");
  for (const ParmVarDecl *P : Function.parameters())
    if (P->getName() == S.Name || P->getName() == S.Name + "_warpwright")
      return Decline(DiagID::KernelNotReachable,
                     P->getName() == S.Name
                         ? "a parameter has its name, and hides it"
                         : "a parameter has the name of its launcher, and "
                           "hides it");
  if (const FunctionTemplateDecl *Template =
          Function.getDescribedFunctionTemplate();
      Template &&
      llvm::any_of(*Template->getTemplateParameters(),
                   [](const NamedDecl *P) { return P->isImplicit(); }))
    return Decline(DiagID::KernelNotReachable,
                   "a parameter of type auto makes it a template, whose header "
                   "its launcher cannot repeat");
  if (!Function.getDeclContext()->getRedeclContext()->Equals(
          Function.getLexicalDeclContext()->getRedeclContext()))
    return Decline(DiagID::KernelNotReachable,
                   "it is defined outside its namespace");

  describeTemplate(Context, Function, S);
  describeParams(Context, Function, /*FromSource=*/!R.InHeader, S);

  SourceLocation End = R.HasDefinition
                           ? Function.getEndLoc()
                           : Main.getSemicolon(Function.getEndLoc());
  std::optional<MainFileText::Place> Place = Main.findPlaceAfter(Function, End);
  if (!Place)
    return Decline(DiagID::IncludeNotAtNamespaceScope, "");
  S.SectionOffset = Place->Offset;
  S.FollowLine = Place->Line;
  S.ReopenNamespaces = Place->Namespaces;
  S.InExternC = Place->InExternC;
  S.ReservedNames = getUsersMacros(File);
}
