//===-- Kernels.cpp - Kernels as functions that launch themselves ---------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transformer.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace warpwright;
using namespace clang;

static std::string quote(llvm::StringRef Text) {
  std::string Out;
  llvm::raw_string_ostream OS(Out);
  OS << '"';
  OS.write_escaped(Text);
  OS << '"';
  return Out;
}

/// `gemm` for the file `<gemm.warpwright>` of generated text; else empty.
static llvm::StringRef getGeneratedFor(llvm::StringRef File) {
  if (File.consume_front("<") && File.consume_back(".warpwright>"))
    return File;
  return "";
}

void Transformer::addNumber(std::vector<TextPiece> &Site,
                            llvm::StringRef Before, Expr *E,
                            llvm::StringRef Type, llvm::StringRef Default) {
  Expr::EvalResult Result;
  if (!E) {
    Site.push_back({(Before + Default).str(), 0, 0});
  } else if (!E->isValueDependent() && E->EvaluateAsInt(Result, Context)) {
    // As a number, since a parameter of the kernel may have the same name as
    // the bound.
    llvm::SmallString<16> Digits;
    Result.Val.getInt().toString(Digits, 10);
    Site.push_back({(Before + Digits).str(), 0, 0});
  } else {
    Site.push_back(makePiece((Before + "static_cast<" + Type + ">(").str(),
                             E->getSourceRange()));
    Site.push_back({")", 0, 0});
  }
}

/// The parameters' types, as template arguments.
static std::vector<TextPiece>
listTypes(FunctionDecl *F,
          llvm::function_ref<TextPiece(std::string, SourceRange)> MakePiece) {
  std::vector<TextPiece> List;
  llvm::StringRef Comma;
  for (ParmVarDecl *P : F->parameters()) {
    if (P->getIdentifier()) {
      List.push_back({(Comma + "decltype(" + P->getName() + ")" +
                       (P->isParameterPack() ? "..." : ""))
                          .str(),
                      0, 0});
    } else {
      List.push_back(MakePiece(
          Comma.str(), {P->getOuterLocStart(),
                        P->getTypeSourceInfo()->getTypeLoc().getEndLoc()}));
    }
    Comma = ", ";
  }
  return List;
}

/// The kernel for which \p F was generated, as an expression. The runtime's
/// kernel was generated for the kernel of its template arguments.
static std::string getUserKernel(const FunctionDecl *F) {
  const FunctionTemplateDecl *Template = F->getDescribedFunctionTemplate();
  if (!Template)
    return "nullptr";
  std::string Types;
  for (const NamedDecl *Parameter : *Template->getTemplateParameters())
    if (llvm::isa<TemplateTypeParmDecl>(Parameter) &&
        !Parameter->isParameterPack() && Parameter->getIdentifier())
      Types += (Types.empty() ? "" : ", ") + Parameter->getNameAsString();
  return Types.empty() ? "nullptr"
                       : "::warpwright::sim::user_kernel_of<" + Types + ">()";
}

/// Structs of a generated section name the kernel to which they belong.
bool Transformer::VisitCXXRecordDecl(CXXRecordDecl *Record) {
  if (!Record->isThisDeclarationADefinition() || Record->isLambda() ||
      Record->isUnion() || !Record->getDeclContext()->isFileContext() ||
      llvm::isa<ClassTemplateSpecializationDecl>(Record) ||
      Record->getDescribedClassTemplate())
    return true;
  PresumedLoc Place = SM.getPresumedLoc(Record->getLocation());
  const llvm::StringRef Original = getGeneratedFor(Place.getFilename());
  auto Found = UserKernels.find(Original);
  if (Found == UserKernels.end() ||
      !isInText(Record->getBraceRange().getBegin()))
    return true;
  Pieces.insert(
      getOffset(Record->getBraceRange().getBegin()) + 1, "user kernel",
      {{" static constexpr ::warpwright::sim::UserKernel __ww_user_kernel = {" +
            quote(Original) + ", " + quote(Found->second.File) + ", " +
            std::to_string(Found->second.Line) + "};",
        0, 0}});
  return true;
}

std::vector<TextPiece> Transformer::makeSite(FunctionDecl *F) {
  PresumedLoc Place = SM.getPresumedLoc(F->getLocation());
  std::vector<TextPiece> Site;
  Site.push_back({" static const ::warpwright::sim::KernelSite __ww_site = {" +
                      quote(F->getNameAsString()) + ", __PRETTY_FUNCTION__, " +
                      quote(Place.getFilename()) + ", " +
                      std::to_string(Place.getLine()),
                  0, 0});
  const auto *Bounds = F->getAttr<CUDALaunchBoundsAttr>();
  addNumber(Site, ", ", Bounds ? Bounds->getMaxThreads() : nullptr, "int", "0");
  addNumber(Site, ", ", Bounds ? Bounds->getMinBlocks() : nullptr, "int", "0");
  auto Types = listTypes(F, [&](std::string Text, SourceRange Range) {
    return makePiece(std::move(Text), Range);
  });
  Site.push_back({", ::warpwright::sim::parameter_bytes<", 0, 0});
  Site.insert(Site.end(), Types.begin(), Types.end());
  Site.push_back({">(), " + getUserKernel(F), 0, 0});
  if (const auto *Cluster = F->getAttr<CUDAClusterDimsAttr>()) {
    addNumber(Site, ", {", Cluster->getX(), "unsigned", "1");
    addNumber(Site, ", ", Cluster->getY(), "unsigned", "1");
    addNumber(Site, ", ", Cluster->getZ(), "unsigned", "1");
    Site.push_back({"}};", 0, 0});
  } else {
    Site.push_back({", {0, 0, 0}};", 0, 0});
  }
  return Site;
}

void Transformer::editKernel(FunctionDecl *F) {
  const auto *Body = llvm::cast<CompoundStmt>(F->getBody());
  if (!isInText(Body->getLBracLoc()))
    return;
  PresumedLoc Place = SM.getPresumedLoc(F->getLocation());
  if (getGeneratedFor(Place.getFilename()).empty())
    UserKernels[F->getNameAsString()] = {Place.getFilename(), Place.getLine()};

  std::vector<TextPiece> Head = makeSite(F);
  Head.push_back({" if (::warpwright::sim::answer_query<", 0, 0});
  for (TextPiece &Each : listTypes(F, [&](std::string Text, SourceRange Range) {
         return makePiece(std::move(Text), Range);
       }))
    Head.push_back(std::move(Each));
  // Not inlined, so that the checks can be inlined; see
  // WARPWRIGHT_SIM_UNCHECKED.
  Head.push_back({">(__ww_site)) return; ::warpwright::sim::run_kernel("
                  "__ww_site, [=]() __attribute__((noinline)) mutable { "
                  "_Pragma(\"clang fp contract(fast)\")",
                  0, 0});
  Pieces.insert(getOffset(Body->getLBracLoc()) + 1, "kernel", std::move(Head));
  Pieces.insert(getOffset(Body->getRBracLoc()), "kernel end", "}); ");
}
