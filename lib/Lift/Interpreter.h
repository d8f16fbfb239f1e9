//===-- Interpreter.h - Symbolic execution of one thread --------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs a kernel's body for one generic thread. Integers become polynomials,
/// floating-point values become expression trees, branches become conditions,
/// and loops become sums (for what they accumulate) or families of writes (for
/// what they visit). What comes out is the final state: the writes to each
/// array behind a pointer parameter.
///
/// The interpreter never guesses. What it does not understand becomes an
/// Unknown that carries the reason and the place; it matters only if it
/// reaches something that matters. What could change memory or control in a
/// way that it does not understand is a Failure, and ends the run.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_INTERPRETER_H
#define WARPWRIGHT_LIB_LIFT_INTERPRETER_H

#include "State.h"
#include "warpwright/Contraction/Contraction.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtCXX.h"
#include <optional>
#include <set>

namespace warpwright::symbolic {

/// The first fact that failed.
struct Failure {
  DiagID ID;
  clang::SourceLocation Loc;
  std::string Message;
};

/// A pointer parameter, or pointer field of a struct parameter.
struct PointerParam {
  std::string Name; ///< path: `A`, `p.a`
  ScalarType Elem;
  bool Restrict = false;
  bool Vectors = false; ///< points to float4 and the like
};

class Interpreter {
public:
  Interpreter(clang::ASTContext &Context, const clang::FunctionDecl &Kernel);

  /// Executes the body. False: see failure().
  bool run();
  const std::optional<Failure> &failure() const { return Failed; }
  State &finalState() { return S; }
  const std::vector<PointerParam> &pointerParams() const { return Pointers; }
  /// What had to be assumed about parameters and launch on the way.
  const std::vector<Requirement> &requirements() const { return Requires; }
  /// Statement of the loop that each counter belongs to.
  const std::map<unsigned, const clang::Stmt *> &loopOfCounter() const {
    return CounterLoop;
  }
  /// Some element offset was computed in 32 bits (unsigned: all of those).
  bool anyNarrowOffset() const { return NarrowOffset; }
  bool narrowOffsetsUnsigned() const { return !NarrowSigned; }
  /// Whether an array is loaded from after another one was stored to.
  bool loadsAfterStores() const { return LoadAfterStore; }
  /// Translates a condition over the kernel's parameters (assume clause);
  /// nothing if it is not one over integers and pointers.
  std::optional<BoolExpr> translateCondition(const clang::Expr &E);

private:
  //===--- Statements (Interpreter.cpp) -----------------------------------===//
  struct Frame {
    std::map<const clang::VarDecl *, LValue> Vars;
    std::optional<LValue> This;
    const clang::FunctionDecl *Function = nullptr;
    bool ReturnsReference = false;
    clang::SourceLocation CallLoc; ///< where the caller stands
    std::vector<std::pair<BoolExpr, SymValue>> Returns;
    std::vector<std::pair<BoolExpr, LValue>> ReferenceReturns;
    unsigned LoopDepth = 0; ///< loops of this frame that are being executed
  };
  bool exec(const clang::Stmt *St);
  bool execDecl(const clang::VarDecl &V);
  bool execIf(const clang::IfStmt &If);
  bool execReturn(const clang::ReturnStmt &R);
  bool execSwitch(const clang::SwitchStmt &Sw);
  /// The state after a branch on \p C: \p Then where it holds, \p Else
  /// elsewhere.
  State merge(const BoolExpr &C, State Then, State Else, const State &Before);

  //===--- Loops (Loops.cpp) ----------------------------------------------===//
  struct LoopShape {
    const clang::Stmt *Loop;
    const clang::Expr *Condition;
    const clang::Stmt *Body;
    const clang::Expr *Increment;
    bool TestsFirst; ///< for and while; do tests last
  };
  /// A variable, or the array elements of one store, that an iteration hands
  /// to the next. Phi names its value at the head of an iteration.
  struct Carried {
    enum class Kind { Induction, Sum, Reset } K = Kind::Reset;
    std::string Phi;
    SymValue Initial;
    IntExpr Step; ///< Induction: what an iteration adds
    bool AsScalar = false;
  };
  struct CarriedWrite {
    std::string Array;
    Write Head; ///< index and bound loops
    std::string Phi;
  };
  struct LoopState {
    const LoopShape &Shape;
    State Entry;
    std::map<unsigned, Carried> Cells;
    std::vector<CarriedWrite> Writes;
    std::set<std::string> Phis;
    unsigned Counter = 0;
    IntExpr Trip;
    BoolExpr Condition;
    bool ConditionWrites = false;
  };
  bool execLoop(const LoopShape &L);
  /// One iteration from a head in which carried values are phis.
  State headState(LoopState &L, bool Closed);
  bool iterate(LoopState &L, const State &Head);
  bool findCarried(LoopState &L, State &Head);
  bool classifyCells(LoopState &L);
  bool leaveLoop(LoopState &L, const State &Head);
  SymValue finalScalar(LoopState &L, const SymValue &Initial,
                       const std::string &Phi, const ValueRef &Next,
                       clang::SourceLocation Loc, llvm::StringRef What);
  std::optional<IntExpr> tripCount(const BoolExpr &Condition, unsigned Counter,
                                   clang::SourceLocation Loc);
  bool mentions(const LoopState &L, const SymValue &V) const;

  //===--- Expressions (Expressions.cpp) ----------------------------------===//
  SymValue eval(const clang::Expr *E);
  LValue evalLValue(const clang::Expr *E);
  SymValue evalCast(const clang::CastExpr &E);
  SymValue convert(const SymValue &V, clang::QualType To,
                   clang::SourceLocation Loc);
  SymValue evalUnary(const clang::UnaryOperator &E);
  SymValue evalBinary(const clang::BinaryOperator &E);
  SymValue evalConditional(const clang::Expr *Cond, const clang::Expr *A,
                           const clang::Expr *B);
  SymValue evalInitList(const clang::InitListExpr &E);
  SymValue arithmetic(clang::BinaryOperatorKind Op, const SymValue &L,
                      const SymValue &R, clang::QualType ResultType,
                      clang::SourceLocation Loc);
  SymValue compare(clang::BinaryOperatorKind Op, const SymValue &L,
                   const SymValue &R, clang::SourceLocation Loc);
  SymValue incDec(const clang::Expr *Operand, int Delta, bool Prefix);
  BoolExpr toBool(const SymValue &V, clang::SourceLocation Loc);
  SymValue zero(clang::QualType T, clang::SourceLocation Loc);
  SymValue foldConstant(const clang::Expr *E);
  SymValue specialRegister(const clang::Expr *Base, llvm::StringRef Member);
  /// threadIdx and the like as a whole.
  SymValue specialTriple(const clang::Expr *Base);
  /// -1: not one of threadIdx, blockIdx, blockDim, gridDim.
  static int specialKind(const clang::Expr *Base);

  //===--- Calls (Calls.cpp) ----------------------------------------------===//
  SymValue evalCall(const clang::CallExpr &E);
  SymValue evalOperatorCall(const clang::CXXOperatorCallExpr &E);
  SymValue evalConstruct(const clang::CXXConstructExpr &E);
  /// Intrinsics known by name; nothing if \p Name is not one.
  std::optional<SymValue> evalIntrinsic(llvm::StringRef Name,
                                        const clang::CallExpr &E,
                                        const clang::FunctionDecl &F);
  SymValue inlineCall(const clang::FunctionDecl &F,
                      llvm::ArrayRef<const clang::Expr *> Args,
                      std::optional<LValue> This, clang::SourceLocation Loc,
                      LValue *ReferenceResult,
                      const std::shared_ptr<const Closure> &Lambda = nullptr);
  bool isPure(const clang::FunctionDecl &F, unsigned Depth = 0) const;
  std::string callee(const clang::FunctionDecl &F) const;

  //===--- Memory (Memory.cpp) --------------------------------------------===//
  SymValue load(const LValue &L, clang::SourceLocation Loc);
  /// The same where the object is of type \p T, which may be a vector.
  SymValue load(const LValue &L, clang::SourceLocation Loc, clang::QualType T);
  bool store(const LValue &L, SymValue V, clang::SourceLocation Loc);
  SymValue loadElement(const SymValue &Pointer, clang::SourceLocation Loc);
  bool storeElement(const SymValue &Pointer, SymValue V,
                    clang::SourceLocation Loc);
  SymValue parameter(clang::QualType T, const std::string &Path, bool Restrict,
                     clang::SourceLocation Loc);
  /// The values of \p W's counters at which it stores to \p Index; nothing
  /// when it never does (No) or when that is not known (Maybe).
  enum class Alias { Yes, No, Maybe };
  Alias matches(const Write &W, const IntExpr &Index,
                std::map<unsigned, IntExpr> &At) const;
  void noteOffset(const SymValue &Pointer);
  BoolExpr totalActive() const;
  LValue newCell(SymValue V);
  LValue *findVariable(const clang::VarDecl *V);

  //===--- Shared ---------------------------------------------------------===//
  bool fail(DiagID ID, clang::SourceLocation Loc, llvm::Twine Message);
  SymValue failValue(DiagID ID, clang::SourceLocation Loc,
                     llvm::Twine Message) {
    fail(ID, Loc, Message);
    return {};
  }
  void require(BoolExpr C, llvm::Twine Reason);
  /// True when \p E >= 0 follows from its form: thread and block numbers,
  /// counters and dimensions are not negative. Records a requirement when it
  /// is a matter of parameters alone.
  bool nonNegative(const IntExpr &E);
  bool positive(const IntExpr &E);
  /// True when \p E is the same number as an unsigned one: it is not negative
  /// wherever a thread compares it. May record a requirement.
  bool sameUnsigned(const IntExpr &E);
  std::optional<ScalarType> scalarType(clang::QualType T) const;
  bool isHalfClass(clang::QualType T) const;
  /// __half2 or __nv_bfloat162.
  bool isHalf2Class(clang::QualType T) const;
  /// A struct of nothing but numbers of one floating type, like float4: an
  /// array of that type in memory.
  struct Vector {
    ScalarType Elem;
    unsigned Lanes;
  };
  std::optional<Vector> vectorType(clang::QualType T) const;
  /// The type of what memory at a \p T is made of: a scalar's or a vector's.
  std::optional<ScalarType> elementType(clang::QualType T) const;

  clang::ASTContext &Context;
  const clang::FunctionDecl &Kernel;
  State S;
  std::vector<Frame> Frames;
  std::vector<PointerParam> Pointers;
  std::vector<Requirement> Requires;
  std::map<unsigned, const clang::Stmt *> CounterLoop;
  std::optional<Failure> Failed;
  unsigned NextCell = 0, NextCounter = 0, NextObject = 0, NextPhi = 0,
           NextWrite = 1;
  bool NarrowOffset = false, NarrowSigned = false;
  bool LoadAfterStore = false;
  /// S.Active of the points that the loops being executed were entered at.
  std::vector<BoolExpr> OuterActive;
  /// Trip counts of the loops being executed, by counter.
  std::map<unsigned, IntExpr> LiveTrips;
  /// States that `continue` left the body with, innermost loop last.
  std::vector<std::vector<State>> Continues;
  unsigned Steps = 0;
};

/// The names of phis begin with this; a user's name cannot.
constexpr llvm::StringLiteral PhiPrefix = "phi#";

/// Writes \p Update as phi + summand: the summand, or null when it is not of
/// that form. \p Guard is the condition under which there is a summand.
ValueRef stripPhi(const ValueRef &Update, llvm::StringRef Phi, BoolExpr &Guard);
/// Any phi at all.
bool mentionsPhi(const IntExpr &E);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_INTERPRETER_H
