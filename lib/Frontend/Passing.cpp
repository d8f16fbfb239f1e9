//===-- Passing.cpp - Parameters that a launcher can pass on --------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Frontend/Passing.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace warpwright {

/// Whether \p D is a constructor template that takes anything by a forwarding
/// reference. It fits an object that is not const better than a copy
/// constructor does.
static bool takesAnything(const Decl &D) {
  const auto *Template = dyn_cast<FunctionTemplateDecl>(&D);
  const auto *Constructor =
      Template ? dyn_cast<CXXConstructorDecl>(Template->getTemplatedDecl())
               : nullptr;
  if (!Constructor || Constructor->getNumParams() == 0)
    return false;
  const QualType First = Constructor->getParamDecl(0)->getType();
  return First->isRValueReferenceType() &&
         First->getPointeeType()->isTemplateTypeParmType();
}

/// What keeps the launcher from copying objects of \p R, apart from their
/// parts: `has a destructor of its own`; empty if nothing does.
static std::string whyNotCopied(const CXXRecordDecl &R) {
  if (const CXXDestructorDecl *Destructor = R.getDestructor();
      Destructor && Destructor->isUserProvided())
    return "has a destructor of its own";
  bool Declared = false;
  for (const CXXConstructorDecl *Each : R.ctors()) {
    if (!Each->isCopyConstructor())
      continue;
    Declared = true;
    if (Each->isDeleted() || Each->getAccess() == AS_private ||
        Each->getAccess() == AS_protected)
      return "cannot be copied";
    if (Each->isUserProvided())
      return "has a copy constructor of its own";
  }
  if (!Declared && !R.hasSimpleCopyConstructor())
    return "cannot be copied";
  if (llvm::any_of(R.decls(), [](const Decl *D) { return takesAnything(*D); }))
    return "has a constructor that may be called in place of the copy "
           "constructor";
  return {};
}

/// The same of \p T and all that is in it, with the name of the class. Classes
/// of system headers, such as __half2, copy what is in them, in whatever way
/// they are written.
static std::string whyNotCopied(const ASTContext &Context, QualType T) {
  const CXXRecordDecl *R = Context.getBaseElementType(T)->getAsCXXRecordDecl();
  if (!R || !(R = R->getDefinition()))
    return {};
  for (const CXXBaseSpecifier &Base : R->bases())
    if (std::string Why = whyNotCopied(Context, Base.getType()); !Why.empty())
      return Why;
  for (const FieldDecl *Field : R->fields())
    if (std::string Why = whyNotCopied(Context, Field->getType()); !Why.empty())
      return Why;
  if (Context.getSourceManager().isInSystemHeader(R->getLocation()))
    return {};
  const std::string Why = whyNotCopied(*R);
  return Why.empty() ? Why : "'" + R->getQualifiedNameAsString() + "' " + Why;
}

std::string whyNotPassed(const ParmVarDecl &Param) {
  const std::string Name = "'" + Param.getName().str() + "' is ";
  if (Param.getType()->isReferenceType())
    return Name + "passed by reference, and the launcher passes values";
  const std::string Why = whyNotCopied(Param.getASTContext(), Param.getType());
  if (Why.empty())
    return Why;
  return Name + "copied more often by a launcher than by a launch, and " + Why;
}

} // namespace warpwright
