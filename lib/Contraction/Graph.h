//===-- Graph.h - Values and conditions as one graph -----------*- C++ -*--===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_CONTRACTION_GRAPH_H
#define WARPWRIGHT_LIB_CONTRACTION_GRAPH_H

#include "warpwright/Contraction/Value.h"

namespace warpwright {

/// A node of the graph that values and conditions form together. It is one of
/// the two, and points to the place where a parent or the caller keeps the
/// node.
struct GraphNode {
  const ValueRef *V = nullptr;
  const BoolExpr *B = nullptr;

  GraphNode(const ValueRef &V) : V(&V) {}
  GraphNode(const BoolExpr &B) : B(&B) {}
  /// An identity that is the same for all occurrences of a shared node.
  const void *identity() const { return V ? V->get() : B->identity(); }
};

using GraphNodes = llvm::SmallVector<GraphNode, 4>;

/// The children of \p N, in the order of the printed form. The bodies of calls,
/// which are not printed, come last if they are requested.
GraphNodes children(GraphNode N, bool Bodies = false);
GraphNodes children(const Value &V, bool Bodies = false);

/// Calls \p Visit for every distinct node below and including \p Root, children
/// before parents, except for nodes for which \p Done holds at that time.
void visitPostOrder(GraphNode Root, bool Bodies,
                    llvm::function_ref<bool(GraphNode)> Done,
                    llvm::function_ref<void(GraphNode)> Visit);

/// Structural equality (see sameValue).
bool sameGraph(GraphNode A, GraphNode B);

/// Drops the children of a node that is destroyed. Chains of nodes are
/// destroyed one by one, not each inside the destructor of the previous one.
void release(std::shared_ptr<const void> Node);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_CONTRACTION_GRAPH_H
