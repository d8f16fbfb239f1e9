//===-- Registers.cpp - Variables from which a wgmma takes A --------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A wgmma may read the registers of A until it has been waited for. Its asm
/// statement tells which variables these are: arrays of 32-bit words, which are
/// declared elsewhere and passed on by reference or pointer. The simulator
/// cannot see when such a variable goes out of scope and its memory is reused.
/// So each of them gets a companion that goes out of scope with it (Registers
/// in program.h). Only programs with such a wgmma get companions.
///
//===----------------------------------------------------------------------===//

#include "Transformer.h"

using namespace warpwright;
using namespace clang;

/// Whether control can enter the block other than at its beginning; then no
/// variable with a destructor may be added.
static bool hasJumpTarget(const Stmt *S, bool InSwitch = false) {
  for (const Stmt *Child : S->children()) {
    if (!Child)
      continue;
    if (llvm::isa<LabelStmt>(Child) ||
        (llvm::isa<SwitchCase>(Child) && !InSwitch) ||
        hasJumpTarget(Child, InSwitch || llvm::isa<SwitchStmt>(Child)))
      return true;
  }
  return false;
}

static bool isWord(QualType T, const ASTContext &Context) {
  return !T->isDependentType() && T->isIntegerType() &&
         Context.getTypeSize(T) == 32;
}

/// Whether \p T is an array of words or contains one; for a type that depends
/// on template parameters this is assumed.
static bool holdsWords(QualType T, const ASTContext &Context) {
  if (T->isVariableArrayType())
    return false;
  QualType Element = Context.getBaseElementType(T);
  if (T->isArrayType() && isWord(Element, Context))
    return true;
  if (Element->isDependentType())
    return Element->getAs<TemplateSpecializationType>() != nullptr;
  const auto *Record = Element->getAsCXXRecordDecl();
  if (!Record || !Record->hasDefinition() || Record->isLambda())
    return false;
  for (const FieldDecl *Field : Record->fields())
    if (holdsWords(Field->getType(), Context))
      return true;
  for (const CXXBaseSpecifier &Base : Record->bases())
    if (holdsWords(Base.getType(), Context))
      return true;
  return false;
}

static bool isConstexpr(const DeclContext *Where) {
  const auto *F = llvm::dyn_cast<FunctionDecl>(Where);
  const auto *Method = llvm::dyn_cast_or_null<CXXMethodDecl>(F);
  // A lambda's function is not constexpr with such a variable, which is no
  // error.
  return F && F->isConstexpr() && !(Method && Method->getParent()->isLambda());
}

bool Transformer::VisitCompoundStmt(CompoundStmt *S) {
  if (Sides.empty() || Sides.back() == Side::Host ||
      !isInText(S->getLBracLoc()))
    return true;
  for (const Stmt *Child : S->body()) {
    const auto *D = llvm::dyn_cast<DeclStmt>(Child);
    if (!D || !isInText(D->getEndLoc()))
      continue;
    size_t End = getToken(D->getEndLoc());
    for (const Decl *Each : D->decls()) {
      const auto *V = llvm::dyn_cast<VarDecl>(Each);
      if (!V || !V->hasLocalStorage() || V->isConstexpr() ||
          !V->getIdentifier() || V->hasAttr<CUDASharedAttr>() ||
          !Tokens.is(End, tok::semi) ||
          Context.getBaseElementType(V->getType()).isConstQualified() ||
          !holdsWords(V->getType(), Context) ||
          isConstexpr(V->getDeclContext()) || hasJumpTarget(S))
        continue;
      std::string Name = V->getName().str();
      Registers.push_back({" ::warpwright::sim::Registers __ww_registers_" +
                               Name + "(__builtin_addressof(" + Name +
                               "), sizeof(" + Name + "));",
                           Tokens[End].End, Tokens[End].End});
    }
  }
  return true;
}

void Transformer::nameTemplate(const NamedDecl *D, unsigned Arguments) {
  const auto *Template = llvm::dyn_cast<FunctionTemplateDecl>(D);
  // For overloads in a template only the number of arguments tells which one is
  // called.
  if (Template && Template->getTemplateParameters()->size() >= Arguments)
    NamedTemplates.insert(Template->getCanonicalDecl());
}

bool Transformer::VisitUnresolvedLookupExpr(UnresolvedLookupExpr *E) {
  for (const NamedDecl *Each : E->decls())
    nameTemplate(Each->getUnderlyingDecl(), E->getNumTemplateArgs());
  return true;
}

void Transformer::addRegisters() {
  for (const FunctionTemplateDecl *Each : RegisterTemplates)
    TakesRegisters |= NamedTemplates.count(Each) != 0;
  if (!TakesRegisters)
    return;
  for (const TextPiece &Each : Registers)
    Pieces.insert(Each.Begin, Each.Text, Each.Text);
}

bool Transformer::takesRegisters(llvm::StringRef Text) {
  size_t At = Text.find("wgmma.mma_async");
  if (At == llvm::StringRef::npos)
    return false;
  // The accumulators, and then A: `{%0, %1}, {%2, ...`, in one string literal
  // or several.
  std::string Bare;
  for (size_t I = At; I < Text.size(); ++I)
    if (Text[I] == '\\')
      ++I; // a newline, or a tabulator
    else if (Text[I] != '"' && !llvm::isSpace(Text[I]))
      Bare += Text[I];
  if (!llvm::StringRef(Bare).contains("},{"))
    return false;
  // Templates are not instantiated here; a template that is never named is not
  // needed.
  const FunctionTemplateDecl *Template =
      Function ? Function->getDescribedFunctionTemplate() : nullptr;
  if (Template && !llvm::isa<CXXMethodDecl>(Function))
    RegisterTemplates.push_back(Template->getCanonicalDecl());
  else
    TakesRegisters = true;
  return true;
}

bool Transformer::isRegister(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (llvm::isa<ArraySubscriptExpr>(E))
    return true;
  // A word by itself counts only if it may be an element of an array elsewhere.
  const auto *Ref = llvm::dyn_cast<DeclRefExpr>(E);
  return Ref && Ref->getDecl()->getType()->isReferenceType();
}
