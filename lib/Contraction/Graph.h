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

/// A node of the graph that values and conditions make together: one of the
/// two. Points to where a parent, or whoever asks, keeps it.
struct GraphNode {
  const ValueRef *V = nullptr;
  const BoolExpr *B = nullptr;

  GraphNode(const ValueRef &V) : V(&V) {}
  GraphNode(const BoolExpr &B) : B(&B) {}
  /// The same for all occurrences of a shared node.
  const void *identity() const { return V ? V->get() : B->identity(); }
};

using GraphNodes = llvm::SmallVector<GraphNode, 4>;

/// What is right below \p N, in the order of the printed form. The bodies of
/// calls, which are not printed, come last if they are asked for.
GraphNodes children(GraphNode N, bool Bodies = false);
GraphNodes children(const Value &V, bool Bodies = false);

/// Calls \p Visit for every distinct node from \p Root down for which \p Done
/// does not hold by then, children before their parents.
void visitPostOrder(GraphNode Root, bool Bodies,
                    llvm::function_ref<bool(GraphNode)> Done,
                    llvm::function_ref<void(GraphNode)> Visit);

/// Structural equality (see sameValue).
bool sameGraph(GraphNode A, GraphNode B);

/// Drops what a node that goes away has held. Chains of nodes go away one by
/// one and not each inside the destructor of the one before.
void release(std::shared_ptr<const void> Node);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_CONTRACTION_GRAPH_H
