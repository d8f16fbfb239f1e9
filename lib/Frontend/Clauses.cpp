//===-- Clauses.cpp - Values of the pragma's clauses ----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Discover.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"

using namespace warpwright;
using namespace clang;

namespace {

/// Finds names in a condition other than parameters and constants.
class ConditionNames : public DynamicRecursiveASTVisitor {
public:
  explicit ConditionNames(ASTContext &Context) : Context(Context) {}

  bool VisitDeclRefExpr(DeclRefExpr *Ref) override {
    const ValueDecl *Decl = Ref->getDecl();
    if (const auto *Variable = dyn_cast<VarDecl>(Decl))
      if (!isa<ParmVarDecl>(Variable) &&
          !Variable->isUsableInConstantExpressions(Context))
        Other = Ref;
    return !Other;
  }

  DeclRefExpr *Other = nullptr;

private:
  ASTContext &Context;
};

/// The allowed values of one argument: multiples of Step from Low to High.
struct Limits {
  llvm::StringLiteral Name;
  int64_t Low, High, Step;
};

class ClauseEvaluator {
public:
  ClauseEvaluator(ParsedFile &File, const PragmaSpec &Spec,
                  const AnnotateAttr *Attribute, RegionInstance &Instance)
      : File(File), Spec(Spec), Attribute(Attribute), Instance(Instance),
        D(Instance.Clauses) {}

  bool evaluate();

private:
  Expr *getExpr(const ClauseSpec &Clause, unsigned Index) const;
  std::optional<int64_t> evaluateInt(const ClauseSpec &Clause, unsigned Index,
                                     const Limits &Allowed);
  bool evaluateAssume(const ClauseSpec &Clause);
  bool evaluateClause(const ClauseSpec &Clause);
  bool checkContradictions();
  bool contradict(ClauseKind One, ClauseKind Other, llvm::StringRef Why);
  SourceLocation locate(ClauseKind Kind) const;

  ParsedFile &File;
  const PragmaSpec &Spec;
  const AnnotateAttr *Attribute;
  RegionInstance &Instance;
  Directives &D;
};

} // namespace

static constexpr Limits TileLimits[] = {
    {"m", 8, 512, 8}, {"n", 8, 512, 8}, {"k", 8, 512, 8}};
static constexpr Limits StageLimits = {"the number", 1, 16, 1};
static constexpr Limits ClusterLimits[] = {{"m", 1, 16, 1}, {"n", 1, 16, 1}};
static constexpr Limits SplitLimits = {"the number", 1, 1024, 1};
/// CTAs of a cluster that any Hopper device takes, with the non-portable
/// size allowed.
static constexpr int64_t MaxClusterSize = 16;

Expr *ClauseEvaluator::getExpr(const ClauseSpec &Clause, unsigned Index) const {
  if (!Attribute)
    return nullptr;
  unsigned At = 1 + Clause.FirstExpr + Index;
  return At < Attribute->args_size() ? Attribute->args_begin()[At] : nullptr;
}

std::optional<int64_t> ClauseEvaluator::evaluateInt(const ClauseSpec &Clause,
                                                    unsigned Index,
                                                    const Limits &Allowed) {
  llvm::StringRef Name = getClauseName(Clause.Kind);
  Expr *E = getExpr(Clause, Index);
  if (!E) // a declaration's clause: needs a plain number
    return std::nullopt;
  SourceLocation Where = Clause.ArgRanges[Index].getBegin();
  Expr::EvalResult Value;
  if (E->isValueDependent() || E->isTypeDependent() ||
      !E->getType()->isIntegralOrUnscopedEnumerationType() ||
      !E->EvaluateAsInt(Value, File.Context)) {
    File.Diags.report(DiagID::NotConstant, Where)
        << Name << Clause.ArgRanges[Index];
    return std::nullopt;
  }
  const llvm::APSInt &Int = Value.Val.getInt();
  bool Fits = Int.isRepresentableByInt64();
  int64_t Result = Fits ? Int.getExtValue() : -1;
  if (Result >= Allowed.Low && Result <= Allowed.High &&
      Result % Allowed.Step == 0)
    return Result;
  std::string Why = Allowed.Name.str() + " must be ";
  if (Allowed.Step != 1)
    Why += "a multiple of " + std::to_string(Allowed.Step) + " ";
  Why += "from " + std::to_string(Allowed.Low) + " to " +
         std::to_string(Allowed.High);
  llvm::SmallString<24> Digits;
  Int.toString(Digits);
  File.Diags.report(DiagID::OutOfRange, Where)
      << Digits.str() << Name << Why << Clause.ArgRanges[Index];
  return std::nullopt;
}

bool ClauseEvaluator::evaluateAssume(const ClauseSpec &Clause) {
  for (unsigned I = 0; I != Clause.NumExprs; ++I) {
    Expr *E = getExpr(Clause, I);
    if (!E)
      continue;
    SourceLocation Where = Clause.ArgRanges[I].getBegin();
    auto Complain = [&](const llvm::Twine &Why) {
      File.Diags.report(DiagID::BadAssume, Where)
          << Why.str() << Clause.ArgRanges[I];
      return false;
    };
    if (E->isTypeDependent() || E->isValueDependent() || E->containsErrors())
      continue;
    if (!E->getType()->isScalarType())
      return Complain("is not a condition");
    if (E->HasSideEffects(File.Context, /*IncludePossibleEffects=*/false))
      return Complain("has side effects");
    ConditionNames Names(File.Context);
    Names.TraverseStmt(E);
    if (Names.Other)
      return Complain("names '" +
                      llvm::Twine(Names.Other->getDecl()->getName()) +
                      "', which is neither a parameter nor a constant");
    bool Value = false;
    if (E->EvaluateAsBooleanCondition(Value, File.Context) && !Value)
      return Complain("is always false");
    Instance.Assumptions.push_back({E, Clause.ArgTexts[I]});
  }
  return true;
}

bool ClauseEvaluator::evaluateClause(const ClauseSpec &Clause) {
  if (Clause.NumExprs == 0)
    return true; // words, which are set already
  switch (Clause.Kind) {
  case ClauseKind::Tile: {
    std::array<int64_t, 3> Tile;
    for (unsigned I = 0; I != 3; ++I) {
      std::optional<int64_t> Value = evaluateInt(Clause, I, TileLimits[I]);
      if (!Value)
        return !getExpr(Clause, I);
      Tile[I] = *Value;
    }
    D.Tile = Tile;
    return true;
  }
  case ClauseKind::Stages:
    D.Stages = evaluateInt(Clause, 0, StageLimits);
    return D.Stages || !getExpr(Clause, 0);
  case ClauseKind::Cluster: {
    std::optional<int64_t> M = evaluateInt(Clause, 0, ClusterLimits[0]);
    std::optional<int64_t> N = evaluateInt(Clause, 1, ClusterLimits[1]);
    if (!M || !N)
      return !getExpr(Clause, 0);
    if (*M * *N > MaxClusterSize) {
      File.Diags.report(DiagID::OutOfRange, Clause.ArgRanges[0].getBegin())
          << std::to_string(*M) + "x" + std::to_string(*N) << "cluster"
          << "a cluster has at most 16 blocks";
      return false;
    }
    D.Cluster = {*M, *N};
    return true;
  }
  case ClauseKind::SplitK:
    D.SplitK = evaluateInt(Clause, 0, SplitLimits);
    return D.SplitK || !getExpr(Clause, 0);
  case ClauseKind::Assume:
    return evaluateAssume(Clause);
  case ClauseKind::Schedule:
  case ClauseKind::SwapAB:
  case ClauseKind::Precision:
  case ClauseKind::Accumulate:
  case ClauseKind::Shapes:
  case ClauseKind::Deterministic:
  case ClauseKind::BatchInvariant:
  case ClauseKind::Fallback:
  case ClauseKind::Factors:
    break;
  }
  llvm_unreachable("not a clause of expressions");
}

SourceLocation ClauseEvaluator::locate(ClauseKind Kind) const {
  for (const ClauseSpec &Clause : Spec.Clauses)
    if (Clause.Kind == Kind)
      return Clause.NameLocation;
  return Spec.Location;
}

/// Puts the caret on the clause that comes second.
bool ClauseEvaluator::contradict(ClauseKind One, ClauseKind Other,
                                 llvm::StringRef Why) {
  SourceLocation First = locate(One), Second = locate(Other);
  if (File.Context.getSourceManager().isBeforeInTranslationUnit(Second,
                                                                First)) {
    std::swap(First, Second);
    std::swap(One, Other);
  }
  File.Diags.report(DiagID::Contradiction, Second)
      << getClauseName(Other) << getClauseName(One) << Why;
  File.Diags.note(First, "it is given here");
  return false;
}

bool ClauseEvaluator::checkContradictions() {
  using ScheduleKind = Directives::ScheduleKind;
  using AccumulateKind = Directives::AccumulateKind;
  using PrecisionKind = Directives::PrecisionKind;
  if (D.Schedule == ScheduleKind::Pingpong && D.Stages && *D.Stages < 2)
    return contradict(ClauseKind::Schedule, ClauseKind::Stages,
                      "two consumers in turn need at least 2 stages");
  if (D.BatchInvariant && D.SplitK && *D.SplitK == 0)
    return contradict(ClauseKind::BatchInvariant, ClauseKind::SplitK,
                      "an automatic split depends on the problem's size");
  bool FloatPrecision = D.Precision && *D.Precision != PrecisionKind::Auto;
  const AccumulateKind Sums = D.Accumulate.value_or(AccumulateKind::Default);
  if (FloatPrecision && Sums != AccumulateKind::F32 &&
      Sums != AccumulateKind::Promoted && Sums != AccumulateKind::Fast &&
      Sums != AccumulateKind::Default)
    return contradict(ClauseKind::Precision, ClauseKind::Accumulate,
                      "tf32 products are accumulated in f32");
  return true;
}

bool ClauseEvaluator::evaluate() {
  D = Spec.Words;
  bool Valid = true;
  for (const ClauseSpec &Clause : Spec.Clauses)
    Valid &= evaluateClause(Clause);
  return Valid && checkContradictions();
}

bool warpwright::evaluateClauses(ParsedFile &File, const PragmaSpec &Spec,
                                 const AnnotateAttr *Attribute,
                                 RegionInstance &Instance) {
  return ClauseEvaluator(File, Spec, Attribute, Instance).evaluate();
}
