//===- Graph.h - Operations that can be run again ---------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_LIB_GRAPH_H
#define WARPWRIGHT_SIM_LIB_GRAPH_H

#include "Launch.h"

#include <functional>
#include <memory>
#include <thread>
#include <vector>

struct CUgraph_st;

/// A node of a graph: an operation and those that must have run before it.
struct CUgraphNode_st {
  /// cudaGraphNodeType.
  enum class Type {
    kernel = 0,
    copy = 1,
    set = 2,
    host = 3,
    graph = 4,
    empty = 5,
    wait_event = 6,
    record_event = 7,
    allocate = 10,
    free = 11
  };

  explicit CUgraphNode_st(Type type) : type(type) {}
  CUgraphNode_st(const CUgraphNode_st &other);
  CUgraphNode_st &operator=(const CUgraphNode_st &) = delete;

  Type type;
  CUgraph_st *graph = nullptr;
  std::vector<CUgraphNode_st *> needs;
  /// In an instance: the node of the graph that it was made of.
  const CUgraphNode_st *origin = nullptr;

  // Of a kernel.
  std::unique_ptr<warpwright::sim::BoundKernel> kernel;
  warpwright::sim::LaunchConfig config;
  const void *function = nullptr; ///< as it was given, if it was
  // Of any other: what it does, and a cudaError_t.
  std::function<int()> act;
  // Of a graph.
  std::shared_ptr<CUgraph_st> child;

  /// Runs it now. A cudaError_t.
  int run() const;
};

struct CUgraph_st {
  CUgraph_st() = default;
  /// With `origin` of the copies set.
  CUgraph_st(const CUgraph_st &other);
  CUgraph_st &operator=(const CUgraph_st &) = delete;

  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;

  CUgraphNode_st *add(std::unique_ptr<CUgraphNode_st> node,
                      std::vector<CUgraphNode_st *> needs);
  bool contains(const CUgraphNode_st *node) const;
  /// The nodes in an order in which they may run; empty if they form a circle.
  std::vector<const CUgraphNode_st *> order() const;
  /// Runs every node. The first cudaError_t.
  int run() const;
};

/// What cudaGraphInstantiate makes.
struct CUgraphExec_st {
  explicit CUgraphExec_st(const CUgraph_st &graph)
      : graph(std::make_shared<CUgraph_st>(graph)) {}
  std::shared_ptr<CUgraph_st> graph;
};

#endif // WARPWRIGHT_SIM_LIB_GRAPH_H
