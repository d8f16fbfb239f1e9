//===-- Graph.cpp - Values and conditions as one graph --------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graph.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <unordered_map>

namespace warpwright {

GraphNodes children(const Value &V, bool Bodies) {
  GraphNodes Result;
  if (V.Condition.getKind() != BoolExpr::Kind::Constant)
    Result.push_back(V.Condition);
  for (const ValueRef &Op : V.Ops)
    Result.push_back(Op);
  if (Bodies && V.Body)
    Result.push_back(V.Body);
  return Result;
}

GraphNodes children(GraphNode N, bool Bodies) {
  if (N.V)
    return children(**N.V, Bodies);
  GraphNodes Result;
  if (N.B->getKind() == BoolExpr::Kind::FloatCmp) {
    Result.push_back(N.B->getValueLHS());
    Result.push_back(N.B->getValueRHS());
  }
  for (const BoolExpr &Op : N.B->operands())
    Result.push_back(Op);
  return Result;
}

void visitPostOrder(GraphNode Root, bool Bodies,
                    llvm::function_ref<bool(GraphNode)> Done,
                    llvm::function_ref<void(GraphNode)> Visit) {
  struct Pending {
    GraphNode N;
    bool ChildrenDone;
  };
  std::vector<Pending> Stack = {{Root, false}};
  while (!Stack.empty()) {
    auto [N, ChildrenDone] = Stack.back();
    Stack.pop_back();
    if (Done(N))
      continue;
    if (ChildrenDone) {
      Visit(N);
      continue;
    }
    Stack.push_back({N, true});
    const GraphNodes Below = children(N, Bodies);
    for (GraphNode Child : llvm::reverse(Below))
      if (!Done(Child))
        Stack.push_back({Child, false});
  }
}

namespace {

/// Gives nodes numbers, equal ones to nodes that are equal.
class Numbering {
public:
  unsigned number(GraphNode Root) {
    visitPostOrder(
        Root, /*Bodies=*/false,
        [&](GraphNode N) { return Numbers.contains(N.identity()); },
        [&](GraphNode N) { Numbers[N.identity()] = classOf(N); });
    return Numbers.lookup(Root.identity());
  }

private:
  llvm::DenseMap<const void *, unsigned> Numbers;
  std::unordered_multimap<uint64_t, GraphNode> Classes; ///< by hash

  static uint64_t hash(GraphNode N) {
    return N.V ? (*N.V)->measure().Hash : N.B->measure().Hash;
  }

  unsigned classOf(GraphNode N) {
    auto [Begin, End] = Classes.equal_range(hash(N));
    for (auto It = Begin; It != End; ++It)
      if (equal(It->second, N))
        return Numbers.lookup(It->second.identity());
    Classes.emplace(hash(N), N);
    return Classes.size();
  }

  /// The nodes' children already have numbers.
  bool equal(GraphNode X, GraphNode Y) const {
    if (!X.V != !Y.V || !(X.V ? equal(**X.V, **Y.V) : equal(*X.B, *Y.B)))
      return false;
    return llvm::equal(children(X), children(Y), [&](GraphNode A, GraphNode B) {
      return Numbers.lookup(A.identity()) == Numbers.lookup(B.identity());
    });
  }

  static bool equal(const Value &X, const Value &Y) {
    return X.K == Y.K && X.Type == Y.Type && X.Name == Y.Name &&
           X.Text == Y.Text && X.Counter == Y.Counter && X.Alone == Y.Alone &&
           X.Condition.isTrue() == Y.Condition.isTrue() &&
           X.Condition.isFalse() == Y.Condition.isFalse() && X.Index == Y.Index;
  }

  static bool equal(const BoolExpr &X, const BoolExpr &Y) {
    return X.getKind() == Y.getKind() && X.getOp() == Y.getOp() &&
           X.isTrue() == Y.isTrue() && X.getName() == Y.getName() &&
           X.getLHS() == Y.getLHS() && X.getRHS() == Y.getRHS();
  }
};

} // namespace

bool sameGraph(GraphNode A, GraphNode B) {
  if (A.identity() == B.identity())
    return true;
  const ExprMeasure &X = A.V ? (*A.V)->measure() : A.B->measure();
  const ExprMeasure &Y = B.V ? (*B.V)->measure() : B.B->measure();
  if (X.Hash != Y.Hash || X.Size != Y.Size || X.Depth != Y.Depth)
    return false;
  Numbering N;
  return N.number(A) == N.number(B);
}

/// Nodes that the outermost release() of this thread still has to drop.
static thread_local std::vector<std::shared_ptr<const void>> *Waiting = nullptr;

void release(std::shared_ptr<const void> Node) {
  if (!Node || Node.use_count() > 1)
    return;
  if (Waiting) {
    Waiting->push_back(std::move(Node));
    return;
  }
  std::vector<std::shared_ptr<const void>> Here = {std::move(Node)};
  Waiting = &Here;
  while (!Here.empty()) {
    std::shared_ptr<const void> Last = std::move(Here.back());
    Here.pop_back();
    Last.reset();
  }
  Waiting = nullptr;
}

} // namespace warpwright
