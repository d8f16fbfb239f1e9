//===-- Alignment.cpp - Accesses through pointers to vectors --------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The device faults if a vector is accessed at an address that is not a
/// multiple of its alignment. This machine does not, and its compiler may split
/// the access. So the pointers in `*p`, `p[i]` and `p->x` are checked if they
/// point to vectors, or are cast on the spot: `*(unsigned *)&half[1]`.
///
//===----------------------------------------------------------------------===//

#include "Transformer.h"
#include "clang/Basic/SourceManager.h"

using namespace warpwright;
using namespace clang;

/// A type of the program's that asks for at least this alignment in bytes
/// counts as a vector; half itself asks for two.
static constexpr unsigned VectorAlignment = 4;

static bool isVector(QualType T, const ASTContext &Context) {
  const auto *Record = T->getAsCXXRecordDecl();
  return Record && Record->hasDefinition() && Record->hasAttr<AlignedAttr>() &&
         Context.getTypeAlignInChars(T).getQuantity() >= VectorAlignment;
}

llvm::StringRef Transformer::getAlignmentCheck(const Expr *Pointer) const {
  const auto *P = Pointer->getType()->getAs<PointerType>();
  if (!P || Sides.empty() || Sides.back() == Side::Host)
    return "";
  // An array has the alignment of its declaration.
  const auto *Decay = llvm::dyn_cast<ImplicitCastExpr>(Pointer->IgnoreParens());
  if (Decay && Decay->getCastKind() == CK_ArrayToPointerDecay)
    return "";
  QualType To = P->getPointeeType();
  bool IsDependent = To->isDependentType();
  if (!IsDependent && (To->isIncompleteType() || !To->isObjectType()))
    return "";
  const auto *Cast = llvm::dyn_cast<ExplicitCastExpr>(Pointer->IgnoreParens());
  if (Cast && (Cast->getCastKind() == CK_BitCast ||
               Cast->getCastKind() == CK_Dependent))
    return "::warpwright::sim::aligned_pointer(";
  if (IsDependent || isVector(To, Context))
    return "::warpwright::sim::vector_pointer(";
  return "";
}

bool Transformer::isCheckedText(SourceRange Range) const {
  if (!isInText(Range.getBegin()) || !isInText(Range.getEnd()))
    return false;
  // Of code that is not the user's, only the parts of generated kernels are
  // checked.
  return !SM.isInSystemHeader(Range.getBegin()) ||
         llvm::StringRef(SM.getPresumedLoc(Range.getBegin()).getFilename())
             .contains("/warpwright/rt/");
}

bool Transformer::VisitUnaryOperator(UnaryOperator *E) {
  const Expr *Sub = E->getSubExpr();
  if (E->getOpcode() == UO_AddrOf) {
    // `&p[i]` makes no access.
    Unaccessed.insert(Sub->IgnoreParens());
    return true;
  }
  if (E->getOpcode() != UO_Deref || Unaccessed.count(E) ||
      !isCheckedText(E->getSourceRange()))
    return true;
  llvm::StringRef Check = getAlignmentCheck(Sub);
  if (Check.empty())
    return true;
  TextPiece Pointer = makePiece(("*" + Check).str(), Sub->getSourceRange());
  unsigned End = Pointer.End;
  Pieces.replace(getOffset(E->getOperatorLoc()), End,
                 {std::move(Pointer), TextPiece{")", 0, 0}});
  return true;
}

bool Transformer::VisitArraySubscriptExpr(ArraySubscriptExpr *E) {
  const Expr *Base = E->getLHS();
  if (Unaccessed.count(E) || !isCheckedText(E->getSourceRange()))
    return true;
  llvm::StringRef Check = getAlignmentCheck(Base);
  if (Check.empty())
    return true;
  TextPiece Pointer = makePiece(Check.str(), Base->getSourceRange());
  TextPiece Rest = makePiece(")", {E->getRBracketLoc(), E->getRBracketLoc()});
  Rest.Begin = Pointer.End;
  unsigned Begin = Pointer.Begin, End = Rest.End;
  Pieces.replace(Begin, End, {std::move(Pointer), std::move(Rest)});
  return true;
}

void Transformer::checkArrow(const MemberExpr *E) {
  const Expr *Base = E->getBase();
  if (!E->isArrow() || Base->isImplicitCXXThis() ||
      llvm::isa<CXXThisExpr>(Base->IgnoreParenImpCasts()) ||
      !llvm::isa<FieldDecl>(E->getMemberDecl()) ||
      !isCheckedText(E->getSourceRange()))
    return;
  llvm::StringRef Check = getAlignmentCheck(Base);
  if (Check.empty())
    return;
  TextPiece Pointer = makePiece(Check.str(), Base->getSourceRange());
  TextPiece Rest = makePiece(")", {E->getMemberLoc(), E->getMemberLoc()});
  Rest.Begin = Pointer.End;
  unsigned Begin = Pointer.Begin, End = Rest.End;
  Pieces.replace(Begin, End, {std::move(Pointer), std::move(Rest)});
}
