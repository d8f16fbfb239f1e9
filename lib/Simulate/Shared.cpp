//===-- Shared.cpp - Shared variables as places in the CTA's memory -------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The declaration of a shared variable becomes that of a type, for any form of
/// declarator: `__shared__ float a[2][N], *p;` becomes `typedef float
/// type_a[2][N], *type_p;`. Each use calls a function that finds the variable
/// of the running CTA (program.h). A local reference would not work: a lambda
/// with `[=]` would copy the variable.
///
//===----------------------------------------------------------------------===//

#include "Transformer.h"

using namespace warpwright;
using namespace clang;

static bool isDynamic(const VarDecl *V) {
  return V->getStorageClass() == SC_Extern;
}

static bool isLocal(const VarDecl *V) {
  return V->getLexicalDeclContext()->isFunctionOrMethod();
}

static std::string getTypeName(const VarDecl *V) {
  return ("__ww_type_" + V->getName()).str();
}

/// The text that replaces a use of \p V.
static std::string getAccess(const VarDecl *V) {
  std::string Type = getTypeName(V);
  if (!isLocal(V))
    return ("__ww_shared_" + V->getName() + "()").str();
  if (isDynamic(V))
    return "(::warpwright::sim::dynamic_shared<" + Type + " &>(alignof(" +
           Type + ")))";
  return ("(::warpwright::sim::shared<" + Type + " &>(__ww_site_" +
          V->getName() + "))")
      .str();
}

void Transformer::useShared(SourceLocation Location, const VarDecl *V) {
  size_t I = getToken(Location);
  if (isInText(Location) && Tokens.isWord(I, V->getName()))
    Pieces.replace(Tokens[I].Begin, Tokens[I].End, getAccess(V));
  else
    reject(Location, "this use of a shared variable");
}

bool Transformer::VisitDeclRefExpr(DeclRefExpr *E) {
  const auto *V = llvm::dyn_cast<VarDecl>(E->getDecl());
  if (V && V->hasAttr<CUDASharedAttr>())
    useShared(E->getLocation(), V);
  if (const auto *F = llvm::dyn_cast<FunctionDecl>(E->getDecl()))
    if (const FunctionTemplateDecl *Template = F->getPrimaryTemplate())
      nameTemplate(Template, 0);
  return true;
}

bool Transformer::VisitMemberExpr(MemberExpr *E) {
  const auto *V = llvm::dyn_cast<VarDecl>(E->getMemberDecl());
  if (V && V->hasAttr<CUDASharedAttr>())
    reject(E->getMemberLoc(), "a shared variable that is a member");
  checkArrow(E);
  return true;
}

bool Transformer::VisitDecltypeTypeLoc(DecltypeTypeLoc T) {
  const auto *E = llvm::dyn_cast<DeclRefExpr>(T.getUnderlyingExpr());
  const auto *V = E ? llvm::dyn_cast<VarDecl>(E->getDecl()) : nullptr;
  if (!V || !V->hasAttr<CUDASharedAttr>() || !isInText(T.getBeginLoc()))
    return true;
  // `decltype(a)` is the declared type, not that of an expression.
  size_t I = getToken(T.getBeginLoc());
  size_t Close = Tokens.findClosing(I + 1);
  if (Close < Tokens.size())
    Pieces.replace(Tokens[I].Begin, Tokens[Close].End, getTypeName(V));
  return true;
}

/// `alignas(x)` may not stand in a typedef; GNU's attribute may.
void Transformer::editSharedAlignment(VarDecl *V) {
  for (const auto *A : V->specific_attrs<AlignedAttr>()) {
    if (!A->isAlignas() || !isInText(A->getLocation()))
      continue;
    size_t I = getToken(A->getLocation());
    size_t Close = Tokens.findClosing(I + 1);
    if (!Tokens.isWord(I, "alignas") || Close >= Tokens.size() ||
        Tokens.is(Close - 1, tok::ellipsis)) {
      reject(A->getLocation(), "this alignment of a shared variable");
      continue;
    }
    bool IsType = !A->isAlignmentExpr();
    Pieces.replace(Tokens[I].Begin, Tokens[Close].End,
                   {TextPiece{std::string("__attribute__((aligned(") +
                                  (IsType ? "alignof(" : ""),
                              Tokens[I + 1].End, Tokens[Close].Begin},
                    TextPiece{IsType ? "))))" : ")))", 0, 0}});
  }
}

void Transformer::editShared(VarDecl *V) {
  // The declaration begins with its first specifier or attribute.
  unsigned Begin = getOffset(V->getOuterLocStart());
  for (const Attr *A : V->attrs()) {
    if (A->isInherited() || A->isImplicit() || !isInText(A->getLocation()))
      continue;
    size_t I = getToken(A->getLocation());
    // From `aligned` back to `__attribute__`, before the two parentheses.
    while (I > 0 && !Tokens.isWord(I, "__attribute__") &&
           !Tokens.isWord(I, "alignas") && Tokens[I].Begin + 64 > Begin &&
           !Tokens.is(I, tok::semi) && !Tokens.is(I, tok::l_square))
      --I;
    if (Tokens.isWord(I, "__attribute__") || Tokens.isWord(I, "alignas"))
      Begin = std::min(Begin, Tokens[I].Begin);
  }
  size_t Name = getToken(V->getLocation());
  size_t End = Name; // the semicolon
  while (End < Tokens.size() && !Tokens.is(End, tok::semi))
    End = Tokens.is(End, tok::l_square) || Tokens.is(End, tok::l_paren) ||
                  Tokens.is(End, tok::l_brace)
              ? Tokens.findClosing(End) + 1
              : End + 1;
  if (!Tokens.isWord(Name, V->getName()) || End >= Tokens.size()) {
    reject(V->getLocation(), "this declaration of a shared variable");
    return;
  }

  if (SharedDeclarations.try_emplace(Begin, End).second) {
    Pieces.insert(Begin, "typedef", "typedef ");
    for (size_t I = Tokens.findAt(Begin); I < Name; ++I) {
      if (Tokens.is(I, tok::l_brace) || Tokens.is(I, tok::l_paren))
        I = Tokens.findClosing(I);
      else if (Tokens.is(I, tok::l_square) && Tokens.is(I + 1, tok::l_square)) {
        size_t Close = Tokens.findClosing(I);
        Pieces.erase(Tokens[I].Begin, Tokens[Close].End);
        I = Close;
      } else if (Tokens.isWord(I, "static") || Tokens.isWord(I, "extern") ||
                 Tokens.isWord(I, "inline"))
        Pieces.erase(Tokens[I].Begin, Tokens[I].End);
    }
  }
  editSharedAlignment(V);
  std::string Type = getTypeName(V);
  Pieces.replace(Tokens[Name].Begin, Tokens[Name].End, Type);

  std::string Name_ = V->getName().str();
  std::string Site = isDynamic(V)
                         ? ""
                         : " static ::warpwright::sim::SharedSite __ww_site_" +
                               Name_ + " = {\"" + Name_ + "\", sizeof(" + Type +
                               "), alignof(" + Type + "), 0};";
  if (!isLocal(V)) {
    if (!V->isFirstDecl())
      return; // the function is already there
    std::string Access =
        isDynamic(V) ? "dynamic_shared<" + Type + " &>(alignof(" + Type + "))"
                     : "shared<" + Type + " &>(__ww_site_" + Name_ + ")";
    Site += " static inline __attribute__((always_inline)) " + Type +
            " &__ww_shared_" + Name_ +
            "() { return ::warpwright::sim::" + Access + "; }";
  }
  if (!Site.empty())
    Pieces.insert(Tokens[End].End, "site " + Name_, Site);
}

bool Transformer::VisitVarDecl(VarDecl *V) {
  if (!V->hasAttr<CUDASharedAttr>() || !isInText(V->getLocation()))
    return true;
  if (V->isStaticDataMember() || V->getDescribedVarTemplate() ||
      llvm::isa<VarTemplateSpecializationDecl>(V))
    reject(V->getLocation(),
           "a shared variable that is a member or a template");
  else if (V->hasInit() && V->getInitStyle() != VarDecl::CallInit)
    reject(V->getLocation(), "an initializer of a shared variable");
  else
    editShared(V);
  return true;
}
