//===-- Pragma.h - #pragma warpwright while the file is lexed ---*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The pragma's grammar, and how its clause arguments become expressions.
///
/// A clause argument may name parameters and template parameters, so it can
/// only be parsed where those are in scope. The handler reads on to what the
/// pragma stands before, and gives everything back to the parser with one more
/// statement in it:
///
///     #pragma warpwright matmul tile(BM, 128, 64) assume(N % 8 == 0)
///     template <int BM> __global__ void k(..., int N) {
///       [[warpwright_matmul(0, BM, 128, 64, N % 8 == 0)]];   // added
///
/// Before a loop, the attribute goes onto the loop itself. Before a
/// declaration, a copy of the declaration is added that has such a body. Sema
/// turns the attribute into an AnnotateAttr (its first argument is the index
/// of the PragmaSpec), and template instantiation substitutes in it.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_FRONTEND_PRAGMA_H
#define WARPWRIGHT_LIB_FRONTEND_PRAGMA_H

#include "warpwright/Contraction/Directives.h"
#include "warpwright/Frontend/Diagnostics.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <string>
#include <vector>

namespace clang {
class AnnotateAttr;
class Preprocessor;
} // namespace clang

namespace warpwright {

enum class ClauseKind {
  Tile,
  Stages,
  Cluster,
  Schedule,
  SplitK,
  SwapAB,
  Precision,
  Accumulate,
  Assume,
  Shapes,
  Deterministic,
  BatchInvariant,
  Fallback,
  Factors,
};

/// The clause's name as the user types it: "split_k".
llvm::StringRef getClauseName(ClauseKind Kind);

/// One clause of a pragma, grammatically right.
struct ClauseSpec {
  ClauseKind Kind;
  clang::SourceLocation NameLocation;
  /// The arguments that are expressions are the arguments [FirstExpr, FirstExpr
  /// + NumExprs) of the attribute, not counting the index of the PragmaSpec.
  unsigned FirstExpr = 0;
  unsigned NumExprs = 0;
  /// The position of each argument, and its text.
  std::vector<clang::SourceRange> ArgRanges;
  std::vector<std::string> ArgTexts;
};

/// One pragma.
struct PragmaSpec {
  enum class Form { Definition, Declaration, Loop };

  clang::SourceLocation Location; ///< the word `warpwright`
  clang::SourceRange Range;
  Form Place = Form::Definition;
  std::vector<ClauseSpec> Clauses;
  /// The clauses whose values are words or shapes.
  Directives Words;
  /// The position that Sema has for the name of the function; invalid before a
  /// loop.
  clang::SourceLocation FunctionName;
  /// The first token after the pragma.
  clang::SourceLocation Follower;
  /// The tokens of the arguments that are expressions, separated by commas.
  std::vector<clang::Token> ExprTokens;
  unsigned NumExprs = 0;
  /// The token that ends the last of them.
  clang::SourceLocation ExprEnd;
};

/// All pragmas of one parse, in source order. Those with a syntax error were
/// reported and are not included.
struct PragmaTable {
  std::vector<std::unique_ptr<PragmaSpec>> Specs;
  /// Number of `#pragma warpwright` lines, including wrong ones.
  unsigned NumPragmas = 0;
  unsigned NumMisspelt = 0; ///< warned about

  /// The pragma from which \p Attribute was made, or null if it is not one of
  /// ours.
  const PragmaSpec *find(const clang::AnnotateAttr &Attribute) const;
};

/// Makes \p PP understand `#pragma warpwright`, filling \p Table. Both
/// \p Table and \p Diags must outlive the parse.
void registerPragma(clang::Preprocessor &PP, PragmaTable &Table,
                    Reporter &Diags);

/// The name of the copies of annotated declarations starts with this.
constexpr llvm::StringLiteral CloneNamePrefix = "__warpwright_clauses_";

} // namespace warpwright

#endif // WARPWRIGHT_LIB_FRONTEND_PRAGMA_H
