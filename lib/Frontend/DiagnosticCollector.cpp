//===-- DiagnosticCollector.cpp - Which errors count ----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DiagnosticCollector.h"
#include "warpwright/Frontend/Region.h"
#include "clang/Basic/AllDiagnostics.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/TextDiagnostic.h"
#include "llvm/Support/raw_ostream.h"

using namespace warpwright;
using namespace clang;

void DiagnosticCollector::BeginSourceFile(const LangOptions &Options,
                                          const Preprocessor *) {
  LangOpts = &Options;
}

static bool isOurs(unsigned ID) { return ID >= diag::DIAG_UPPER_LIMIT; }

/// After an error of the preprocessor or the parser the AST is not reliable.
static bool isSyntax(unsigned ID) {
  if (ID == diag::err_pp_hash_error)
    return true;
  llvm::StringRef Category = DiagnosticIDs::getCategoryNameFromID(
      DiagnosticIDs::getCategoryNumberForDiag(ID));
  return Category == "Parse Issue" ||
         Category == "Lexical or Preprocessor Issue";
}

void DiagnosticCollector::HandleDiagnostic(DiagnosticsEngine::Level Level,
                                           const Diagnostic &Info) {
  DiagnosticConsumer::HandleDiagnostic(Level, Info);
  if (!Info.hasSourceManager()) {
    // From Clang's driver, about the command line.
    if (Level < DiagnosticsEngine::Error || Silent)
      return;
    llvm::SmallString<128> Message;
    Info.FormatDiagnostic(Message);
    if (Observe)
      observe(StoredDiagnostic(Level, Info.getID(), Message));
    else
      llvm::errs() << "warpwright: error: " << Message << '\n';
    ++NumFailures;
    return;
  }

  if (Info.getID() == diag::err_cuda_device_kernel_launch_require_rdc)
    Lost.push_back(Info.getLocation());
  bool Ours = isOurs(Info.getID());
  if (Level == DiagnosticsEngine::Note) {
    if (!DroppedLast && !Entries.empty())
      Entries.push_back({StoredDiagnostic(Level, Info), Entries.back().What});
    return;
  }
  // Warnings are left to the user's compiler.
  DroppedLast = !Ours && Level < DiagnosticsEngine::Error;
  if (DroppedLast)
    return;

  StoredDiagnostic Stored(Level, Info);
  std::string Key = std::to_string(Stored.getLocation().getRawEncoding()) +
                    ":" + Stored.getMessage().str();
  DroppedLast = !Seen.insert(Key).second;
  if (DroppedLast)
    return;

  State What = State::Print;
  if (Level >= DiagnosticsEngine::Error) {
    if (Ours || Level == DiagnosticsEngine::Fatal || isSyntax(Info.getID()) ||
        Stored.getLocation().isInvalid())
      ++NumFailures;
    else
      What = State::Open;
  }
  if (Observe && What == State::Print)
    observe(Stored);
  Entries.push_back({std::move(Stored), What});
}

void DiagnosticCollector::observe(const StoredDiagnostic &Stored) const {
  if (Stored.getLevel() < DiagnosticsEngine::Warning)
    return;
  SourceMessage Message;
  Message.IsError = Stored.getLevel() >= DiagnosticsEngine::Error;
  llvm::StringRef Text = Stored.getMessage();
  if (auto [Before, ID] = Text.rsplit(" [WW");
      isOurs(Stored.getID()) && ID.consume_back("]") &&
      !ID.getAsInteger(10, Message.Code))
    Text = Before;
  Message.Text = Text.str();
  if (const FullSourceLoc &Where = Stored.getLocation(); Where.isValid()) {
    Message.Location = Where.getRawEncoding();
    FullSourceLoc Place = Where.getExpansionLoc();
    if (OptionalFileEntryRef File = Place.getFileEntryRef())
      Message.File = File->getName();
    Message.Line = Place.getSpellingLineNumber();
    Message.Column = Place.getSpellingColumnNumber();
  }
  (*Observe)(Message);
}

const StoredDiagnostic *DiagnosticCollector::findOpen(
    llvm::function_ref<bool(SourceLocation)> Matters) const {
  for (const Entry &Each : Entries)
    if (Each.What == State::Open &&
        Each.Stored.getLevel() >= DiagnosticsEngine::Error &&
        Matters(Each.Stored.getLocation()))
      return &Each.Stored;
  return nullptr;
}

/// In a section that Warpwright wrote, which the user cannot correct.
static bool isGenerated(const FullSourceLoc &Location) {
  if (!Location.hasManager())
    return false;
  PresumedLoc Presumed = Location.getPresumedLoc();
  return Presumed.isValid() &&
         llvm::StringRef(Presumed.getFilename()).ends_with(GeneratedFileSuffix);
}

void DiagnosticCollector::settle(
    llvm::function_ref<bool(SourceLocation)> Matters,
    llvm::function_ref<bool(SourceLocation)> InClause) {
  State Last = State::Print;
  for (Entry &Each : Entries) {
    const StoredDiagnostic &Stored = Each.Stored;
    bool IsNote = Stored.getLevel() == DiagnosticsEngine::Note;
    if (Each.What == State::Open) {
      if (!IsNote) {
        bool Counts = Matters(Stored.getLocation());
        Last = Counts ? State::Print
               : ErrorsAsWarnings || isGenerated(Stored.getLocation())
                   ? State::Dropped
                   : State::Demoted;
        NumFailures += Counts;
        if (Counts && Observe)
          observe(Stored);
      }
      // Clang's list of other places in which it looked is left out, since nvcc
      // accepts this.
      Each.What = IsNote && Last == State::Demoted ? State::Dropped : Last;
    }
    if (!IsNote && !isOurs(Stored.getID()) && InClause(Stored.getLocation()))
      Each.Stored = StoredDiagnostic(Stored.getLevel(), Stored.getID(),
                                     (Stored.getMessage() + " [" +
                                      getDiagCode(DiagID::ErrorInClause) + "]")
                                         .str(),
                                     Stored.getLocation(), Stored.getRanges(),
                                     Stored.getFixIts());
  }
}

void DiagnosticCollector::EndSourceFile() {
  if (Silent || Observe)
    Entries.clear();
  if (Entries.empty())
    return;
  DiagnosticOptions Options;
  TextDiagnostic Printer(llvm::errs(), *LangOpts, Options);
  for (Entry &Each : Entries) {
    StoredDiagnostic &Stored = Each.Stored;
    if (Each.What == State::Dropped)
      continue;
    DiagnosticsEngine::Level Level = Stored.getLevel();
    bool IsError = Level >= DiagnosticsEngine::Error;
    if (IsError && (ErrorsAsWarnings || Each.What == State::Demoted))
      Level = DiagnosticsEngine::Warning;
    StoredDiagnostic Final(Level, Stored.getID(), Stored.getMessage(),
                           Stored.getLocation(), Stored.getRanges(),
                           Stored.getFixIts());
    Printer.emitStoredDiagnostic(Final);
  }
  Entries.clear();
}
