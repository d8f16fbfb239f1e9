//===-- DiagnosticCollector.h - Which errors count --------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Keeps the diagnostics of one parse until it is known which of Clang's
/// errors matter: fatal and syntax errors always do, other errors only in an
/// annotated kernel, in what it uses, or in a clause. nvcc may well accept the
/// rest (functions that its runtime has lost, global min and max), so those
/// are printed as warnings.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_FRONTEND_DIAGNOSTICCOLLECTOR_H
#define WARPWRIGHT_LIB_FRONTEND_DIAGNOSTICCOLLECTOR_H

#include "warpwright/Frontend/Parse.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/LangOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"
#include <vector>

namespace warpwright {

class DiagnosticCollector : public clang::DiagnosticConsumer {
public:
  using Observer = std::function<void(const SourceMessage &)>;

  /// With \p Observe, diagnostics are passed to it and nothing is printed.
  DiagnosticCollector(bool ErrorsAsWarnings, bool Silent,
                      const Observer *Observe = nullptr)
      : ErrorsAsWarnings(ErrorsAsWarnings), Silent(Silent),
        Observe(Observe && *Observe ? Observe : nullptr) {}

  void BeginSourceFile(const clang::LangOptions &Options,
                       const clang::Preprocessor *PP) override;
  void EndSourceFile() override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override;

  /// Decides about undecided errors: \p Matters says whether a place is in a
  /// kernel or in what it uses. Errors for which \p InClause holds get the ID
  /// of errors in clauses.
  void settle(llvm::function_ref<bool(clang::SourceLocation)> Matters,
              llvm::function_ref<bool(clang::SourceLocation)> InClause);

  /// The first undecided error for which \p Matters holds, or null.
  const clang::StoredDiagnostic *
  findOpen(llvm::function_ref<bool(clang::SourceLocation)> Matters) const;

  /// The `<<<` of launches that Clang has left out of the AST because it takes
  /// them for launches by the device.
  llvm::ArrayRef<clang::SourceLocation> lostLaunches() const { return Lost; }

  /// Forgets everything that was reported so far.
  void silence() { Entries.clear(); }

  /// The number of errors that count, ours and Clang's, without undecided ones.
  unsigned getNumFailures() const { return NumFailures; }

private:
  enum class State { Print, Open, Demoted, Dropped };
  struct Entry {
    clang::StoredDiagnostic Stored;
    State What;
  };

  void observe(const clang::StoredDiagnostic &Stored) const;

  bool ErrorsAsWarnings;
  bool Silent; ///< print nothing
  const Observer *Observe;
  const clang::LangOptions *LangOpts = nullptr;
  std::vector<Entry> Entries;
  std::vector<clang::SourceLocation> Lost;
  llvm::StringSet<> Seen;
  bool DroppedLast = false;
  unsigned NumFailures = 0;
};

} // namespace warpwright

#endif // WARPWRIGHT_LIB_FRONTEND_DIAGNOSTICCOLLECTOR_H
