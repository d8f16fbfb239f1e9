//===-- PrintRegions.cpp - What the front end found, as text --------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FileText.h"
#include "warpwright/Frontend/Region.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace warpwright;

static void printList(llvm::raw_ostream &OS,
                      llvm::ArrayRef<std::string> Items) {
  for (size_t I = 0; I != Items.size(); ++I)
    OS << (I ? ", " : "") << Items[I];
}

static void printClauses(llvm::raw_ostream &OS, const RegionInstance &I) {
  const Directives &D = I.Clauses;
  static constexpr llvm::StringLiteral Schedules[] = {"auto", "cooperative",
                                                      "pingpong"};
  static constexpr llvm::StringLiteral Toggles[] = {"auto", "on", "off"};
  static constexpr llvm::StringLiteral Precisions[] = {"auto", "tf32",
                                                       "tf32x3"};
  static constexpr llvm::StringLiteral Types[] = {
      "default", "f16", "f32", "f64", "i32", "promoted", "fast"};
  if (D.Tile)
    OS << " tile(" << (*D.Tile)[0] << ',' << (*D.Tile)[1] << ',' << (*D.Tile)[2]
       << ')';
  if (D.Stages)
    OS << " stages(" << *D.Stages << ')';
  if (D.Cluster)
    OS << " cluster(" << D.Cluster->first << ',' << D.Cluster->second << ')';
  if (D.Schedule)
    OS << " schedule(" << Schedules[static_cast<int>(*D.Schedule)] << ')';
  if (D.SplitK) {
    OS << " split_k(";
    if (*D.SplitK == 0)
      OS << "auto";
    else
      OS << *D.SplitK;
    OS << ')';
  }
  if (D.SwapAB)
    OS << " swap_ab(" << Toggles[static_cast<int>(*D.SwapAB)] << ')';
  if (D.Precision)
    OS << " precision(" << Precisions[static_cast<int>(*D.Precision)] << ')';
  if (D.Accumulate)
    OS << " accumulate(" << Types[static_cast<int>(*D.Accumulate)] << ')';
  for (const Assumption &A : I.Assumptions)
    OS << " assume(" << A.Text << ')';
  for (const auto &S : D.Shapes)
    OS << " shape(" << S[0] << 'x' << S[1] << 'x' << S[2] << ')';
  if (D.Deterministic)
    OS << " deterministic";
  if (D.BatchInvariant)
    OS << " batch_invariant";
  if (D.Fallback == Directives::FallbackKind::Error)
    OS << " fallback(error)";
  if (D.Factors == Directives::FactorsKind::Inside)
    OS << " factors(inside)";
}

static llvm::StringRef getPlaceName(Region::PragmaPlace Place) {
  switch (Place) {
  case Region::PragmaPlace::Definition:
    return "definition";
  case Region::PragmaPlace::Declaration:
    return "declaration";
  case Region::PragmaPlace::Loop:
    return "loop";
  }
  llvm_unreachable("every place has a name");
}

void warpwright::printRegions(llvm::raw_ostream &OS, const ParsedFile &File) {
  for (const Region &R : File.Regions) {
    const KernelSource &S = R.Source;
    OS << "kernel " << R.Name << " (pragma on " << getPlaceName(R.Place)
       << (R.InHeader ? ", in an included file" : "")
       << (R.HasDefinition ? "" : ", not defined here")
       << (R.AlreadyRewritten ? ", rewritten already" : "")
       << (R.Declined ? ", declined" : "") << ")\n";
    if (!S.TemplateHeader.empty()) {
      OS << "  "
         << (S.TemplateHeaderWithDefaults.empty()
                 ? S.TemplateHeader
                 : S.TemplateHeaderWithDefaults)
         << " passes on <";
      printList(OS, S.TemplateParamNames);
      OS << ">\n";
    }
    for (const ParamSource &P : S.Params)
      OS << "  parameter " << P.Name << ": " << P.DeclText
         << (P.DefaultText.empty() ? "" : " = " + P.DefaultText) << '\n';
    for (const RegionInstance &I : R.Instances) {
      OS << "  instance <";
      printList(OS, I.Source.TemplateArgs);
      OS << "> (";
      printList(OS, I.Source.ParamTypes);
      OS << ')';
      printClauses(OS, I);
      OS << '\n';
    }
    if (!R.Declined) {
      OS << "  section before line " << S.FollowLine;
      if (!S.ReopenNamespaces.empty()) {
        OS << " in namespace ";
        for (size_t I = 0; I != S.ReopenNamespaces.size(); ++I)
          OS << (I ? "::" : "") << S.ReopenNamespaces[I];
      }
      OS << (S.InExternC ? ", in extern \"C\"" : "")
         << (S.InternalLinkage ? ", internal" : "")
         << (S.Inline ? ", inline" : "") << '\n';
      if (S.ForwardDeclaration)
        OS << "  forward declaration before line "
           << S.ForwardDeclaration->second << '\n';
    }
    for (const LaunchSource &L : S.Launches)
      OS << "  launch line " << L.Line << ": " << L.Qualifier
         << File.Text.slice(L.NameBegin, L.NameEnd) << " | "
         << File.Text.slice(L.OpenBegin, L.OpenEnd) << " | "
         << File.Text.slice(L.CloseBegin, L.CloseEnd)
         << (L.HasArguments ? "" : " no arguments") << '\n';
    const clang::SourceManager &SM = File.Context.getSourceManager();
    for (clang::SourceLocation Location : R.AddressTaken)
      OS << "  address taken line "
         << SM.getPresumedLineNumber(SM.getExpansionLoc(Location)) << '\n';
    for (const auto &[Location, Why] : R.AddressLeaves)
      OS << "  address leaves line "
         << SM.getPresumedLineNumber(SM.getExpansionLoc(Location)) << ": "
         << Why << '\n';
  }
  for (const LaunchSource &L : File.ByAddress.Launches)
    OS << "launch by address line " << L.Line << ": "
       << File.Text.slice(L.NameBegin, L.NameEnd) << '\n';
  for (unsigned Offset : File.ByAddress.Calls)
    OS << "launch by address line " << MainFileText(File).getLine(Offset)
       << ": " << File.Text.substr(Offset).take_while([](char C) {
            return clang::isAsciiIdentifierContinue(C) || C == ':';
          })
       << '\n';
  const clang::SourceManager &SM = File.Context.getSourceManager();
  for (const auto &[Location, Why] : File.NotByAddress)
    OS << "launch by address kept line "
       << SM.getPresumedLineNumber(SM.getExpansionLoc(Location)) << ": " << Why
       << '\n';
}
