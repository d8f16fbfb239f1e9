//===-- Evaluate.h - A contraction with numbers in it -----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Expressions of a contraction, compiled once and evaluated for many launches
/// and elements. Names are replaced by numbers, and shared nodes are evaluated
/// once.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_EXECUTE_EVALUATE_H
#define WARPWRIGHT_LIB_EXECUTE_EVALUATE_H

#include "HeaderTable.h"
#include "warpwright/Contraction/Contraction.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include <functional>

namespace warpwright {
namespace execute {

/// The type for integer expressions: wide enough for every product of a few
/// parameters.
using Wide = __int128;

/// Numbers for the names of integers (`M`, `p.lda`, `%m`, `gridDim.x`).
class NameTable {
public:
  uint32_t id(llvm::StringRef Name) {
    auto [It, New] = Ids.try_emplace(Name, Names.size());
    if (New)
      Names.push_back(Name.str());
    return It->second;
  }
  std::optional<uint32_t> find(llvm::StringRef Name) const {
    auto It = Ids.find(Name);
    if (It == Ids.end())
      return std::nullopt;
    return It->second;
  }
  size_t size() const { return Names.size(); }
  llvm::StringRef name(uint32_t Id) const { return Names[Id]; }

private:
  llvm::StringMap<uint32_t> Ids;
  std::vector<std::string> Names;
};

/// The array that a launch passes for a parameter.
struct ArrayValue {
  bool Null = false;
  const std::vector<uint8_t> *Bytes = nullptr; ///< before the launch
  int64_t Start = 0; ///< of the parameter, in bytes from the array's first
  uint64_t Address = 0;
};

/// Names with their values.
struct Environment {
  std::vector<int64_t> Ints; ///< by NameTable id
  llvm::StringMap<Num> Scalars;
  llvm::StringMap<Num> Constants; ///< in constant memory
  llvm::StringMap<ArrayValue> Arrays;
};

/// A product and sum that saturate beyond 2^120.
Wide multiply(Wide L, Wide R);
Wide add(Wide L, Wide R);

class CompiledBool;

/// An integer expression. As in the runtime, division by 0 or less gives 0.
class CompiledInt {
public:
  CompiledInt() = default;
  CompiledInt(const IntExpr &E, NameTable &Names);
  Wide evaluate(const Environment &Env) const {
    // Nearly all numbers fit 64 bits, in which the same is much faster.
    int64_t Narrow;
    return evaluateNarrow(Env, Narrow) ? Wide(Narrow) : evaluateWide(Env);
  }
  /// The ids of all names in it.
  void names(std::vector<uint32_t> &Out) const;

private:
  /// False if a number on the way does not fit.
  bool evaluateNarrow(const Environment &Env, int64_t &Sum) const;
  Wide evaluateWide(const Environment &Env) const;

  struct Composite {
    AtomKind Kind;
    std::shared_ptr<CompiledInt> L, R;
    std::shared_ptr<CompiledBool> Condition;
  };
  struct Term {
    int64_t Coefficient;
    llvm::SmallVector<int32_t, 2> Factors; ///< below 0: ~index of a composite
  };
  std::vector<Term> Terms;
  std::vector<Composite> Composites;
};

/// The value of a node, with what is known about its rounding errors.
struct Evaluated {
  bool Valid = false; ///< no undefined operation, no read outside of an array
  Num Value;
  /// A bound for the change of the value if each operation has a relative error
  /// of 1. Multiplied by the precision, it bounds the effect of another order
  /// of operations.
  double Magnitude = 0;
};

/// A condition. FloatCmp takes its operands from the values of nodes.
class CompiledBool {
public:
  using NodeIds = llvm::DenseMap<const warpwright::Value *, uint32_t>;
  CompiledBool() = default;
  /// \p Nodes may be null for conditions over integers and pointers only.
  CompiledBool(const BoolExpr &E, NameTable &Names, const NodeIds *Nodes);
  /// Nothing if the result depends on an undefined value.
  std::optional<bool> evaluate(const Environment &Env,
                               llvm::ArrayRef<Evaluated> Values) const;
  void names(std::vector<uint32_t> &Out) const;

private:
  BoolExpr::Kind Kind = BoolExpr::Kind::Constant;
  bool Constant = true;
  CmpOp Compare = CmpOp::EQ;
  CompiledInt L, R;
  std::string Pointer;
  uint32_t ValueL = 0, ValueR = 0;
  std::vector<CompiledBool> Operands;
};

/// Calls the user's function of that name; nothing if it is not known. Sets the
/// flag if the call has undefined behaviour or cannot be executed.
using Caller = std::function<std::optional<Evaluated>(
    llvm::StringRef Name, ScalarType Type, llvm::ArrayRef<Num> Arguments)>;

/// A value as a list of nodes, operands first.
class CompiledValue {
public:
  CompiledValue() = default;
  CompiledValue(const ValueRef &V, NameTable &Names);
  /// \p Accs has the finished sums, each valid or not. \p Problem gets what
  /// cannot be evaluated at all.
  Evaluated evaluate(const Environment &Env, llvm::ArrayRef<Evaluated> Accs,
                     const Caller &Call, std::string &Problem);
  bool empty() const { return Nodes.empty(); }
  void names(std::vector<uint32_t> &Out) const;

private:
  struct Node {
    const warpwright::Value *V = nullptr;
    llvm::SmallVector<uint32_t, 3> Ops;
    CompiledInt Index;
    CompiledBool Condition;
    std::optional<uint32_t> Body;
    const HeaderFunction *Header = nullptr;
    std::optional<Num> Constant;
  };
  uint32_t compile(const ValueRef &V, NameTable &Names,
                   CompiledBool::NodeIds &Ids, unsigned Depth);
  ValueRef Root; ///< keeps the nodes alive
  std::vector<Node> Nodes;
  std::vector<Evaluated> Values;
};

/// Compares as in C++: a NaN is unequal to everything.
bool compareNumbers(CmpOp Op, const Num &L, const Num &R);

} // namespace execute
} // namespace warpwright

#endif // WARPWRIGHT_LIB_EXECUTE_EVALUATE_H
