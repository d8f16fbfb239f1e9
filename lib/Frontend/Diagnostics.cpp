//===-- Diagnostics.cpp - Reporting on the user's source ------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Frontend/Diagnostics.h"
#include "warpwright/Frontend/CompileFlags.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "llvm/Support/raw_ostream.h"

using namespace warpwright;
using namespace clang;

static constexpr DiagInfo AllDiagnostics[] = {
#define WW_DIAG(Number, Name, Severity, Format)                                \
  {DiagID::Name, #Name, DiagSeverity::Severity, Format},
#include "warpwright/Source/Diagnostics.def"
};

llvm::ArrayRef<DiagInfo> warpwright::getAllDiagnostics() {
  return AllDiagnostics;
}

const DiagInfo &warpwright::getDiagInfo(DiagID ID) {
  for (const DiagInfo &Info : AllDiagnostics)
    if (Info.ID == ID)
      return Info;
  llvm_unreachable("not a row of Diagnostics.def");
}

std::string warpwright::getDiagCode(DiagID ID) {
  std::string Digits = std::to_string(static_cast<unsigned>(ID));
  return "WW" + std::string(Digits.size() < 3 ? 3 - Digits.size() : 0, '0') +
         Digits;
}

DiagnosticBuilder Reporter::report(DiagID ID, SourceLocation Location) {
  const DiagInfo &Info = getDiagInfo(ID);
  DiagnosticIDs::Level Level = DiagnosticIDs::Level::Warning;
  switch (Info.Severity) {
  case DiagSeverity::Error:
    Level = DiagnosticIDs::Level::Error;
    ++NumErrors;
    break;
  case DiagSeverity::Warning:
    break;
  case DiagSeverity::Decline:
    if (Strict)
      Level = DiagnosticIDs::Level::Error;
    ++NumDeclines;
    break;
  case DiagSeverity::Remark:
    Level = ShowRemarks ? DiagnosticIDs::Level::Remark
                        : DiagnosticIDs::Level::Ignored;
    break;
  }
  std::string Format = (Info.Format + " [" + getDiagCode(ID) + "]").str();
  unsigned Custom = Engine.getDiagnosticIDs()->getCustomDiagID(Level, Format);
  // Clang leaves remarks out unless they are asked for one by one.
  if (Level == DiagnosticIDs::Level::Remark)
    Engine.setSeverity(Custom, diag::Severity::Remark, SourceLocation());
  return Engine.Report(Location, Custom);
}

void Reporter::decline(DiagID ID, SourceLocation Location, SourceRange Range,
                       llvm::StringRef Kernel, llvm::StringRef Message) {
  assert(getDiagInfo(ID).Severity == DiagSeverity::Decline &&
         "a decline needs the ID of a decline");
  DiagnosticBuilder Builder = report(ID, Location);
  Builder << Kernel << Message;
  if (Range.isValid())
    Builder << Range;
}

DiagnosticBuilder Reporter::note(SourceLocation Location,
                                 llvm::StringRef Message) {
  unsigned Custom = Engine.getDiagnosticIDs()->getCustomDiagID(
      DiagnosticIDs::Level::Note, "%0");
  DiagnosticBuilder Builder = Engine.Report(Location, Custom);
  Builder << Message;
  return Builder;
}

std::string warpwright::formatPlain(DiagID ID,
                                    llvm::ArrayRef<std::string> Arguments) {
  std::string Message;
  llvm::StringRef Format = getDiagInfo(ID).Format;
  while (!Format.empty()) {
    auto [Text, Rest] = Format.split('%');
    Message += Text;
    if (Rest.empty())
      break;
    unsigned Index = Rest.front() - '0';
    assert(Index < 10 && "only %0 to %9 in a plain diagnostic");
    if (Index < Arguments.size())
      Message += Arguments[Index];
    Format = Rest.drop_front();
  }
  return Message;
}

void warpwright::reportPlain(DiagID ID, llvm::ArrayRef<std::string> Arguments,
                             bool Strict) {
  bool IsError = getDiagInfo(ID).Severity == DiagSeverity::Error || Strict;
  llvm::errs() << "warpwright: " << (IsError ? "error: " : "warning: ")
               << formatPlain(ID, Arguments) << " [" << getDiagCode(ID)
               << "]\n";
}

void warpwright::reportError(llvm::Error E) {
  llvm::handleAllErrors(
      std::move(E),
      [](const DiagError &D) {
        reportPlain(D.getDiagID(), D.getArguments(), /*Strict=*/true);
      },
      [](const llvm::ErrorInfoBase &Other) {
        reportPlain(DiagID::Usage, {Other.message()});
      });
}
