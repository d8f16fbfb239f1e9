//===- Graph.cpp - Operations that can be run again -----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graph.h"

#include <algorithm>
#include <map>

using namespace warpwright::sim;

CUgraphNode_st::CUgraphNode_st(const CUgraphNode_st &other)
    : type(other.type), config(other.config), function(other.function),
      act(other.act), child(other.child) {
  if (other.kernel)
    kernel = std::make_unique<BoundKernel>(*other.kernel);
}

int CUgraphNode_st::run() const {
  if (kernel)
    return run_launch(*kernel, config);
  if (child)
    return child->run();
  return act ? act() : 0;
}

CUgraph_st::CUgraph_st(const CUgraph_st &other) {
  std::map<const CUgraphNode_st *, CUgraphNode_st *> copies;
  for (const std::unique_ptr<CUgraphNode_st> &node : other.nodes) {
    nodes.push_back(std::make_unique<CUgraphNode_st>(*node));
    nodes.back()->graph = this;
    nodes.back()->origin = node.get();
    copies[node.get()] = nodes.back().get();
  }
  for (size_t i = 0; i != nodes.size(); ++i)
    for (const CUgraphNode_st *need : other.nodes[i]->needs)
      nodes[i]->needs.push_back(copies[need]);
}

CUgraphNode_st *CUgraph_st::add(std::unique_ptr<CUgraphNode_st> node,
                                std::vector<CUgraphNode_st *> needs) {
  node->graph = this;
  node->needs = std::move(needs);
  nodes.push_back(std::move(node));
  return nodes.back().get();
}

bool CUgraph_st::contains(const CUgraphNode_st *node) const {
  return std::any_of(nodes.begin(), nodes.end(),
                     [node](const std::unique_ptr<CUgraphNode_st> &n) {
                       return n.get() == node;
                     });
}

std::vector<const CUgraphNode_st *> CUgraph_st::order() const {
  std::map<const CUgraphNode_st *, size_t> missing;
  std::map<const CUgraphNode_st *, std::vector<const CUgraphNode_st *>> users;
  std::vector<const CUgraphNode_st *> sorted;
  for (const std::unique_ptr<CUgraphNode_st> &node : nodes) {
    missing[node.get()] = node->needs.size();
    for (const CUgraphNode_st *need : node->needs)
      users[need].push_back(node.get());
    if (node->needs.empty())
      sorted.push_back(node.get());
  }
  for (size_t i = 0; i != sorted.size(); ++i)
    for (const CUgraphNode_st *user : users[sorted[i]])
      if (--missing[user] == 0)
        sorted.push_back(user);
  if (sorted.size() != nodes.size())
    sorted.clear();
  return sorted;
}

int CUgraph_st::run() const {
  for (const CUgraphNode_st *node : order())
    if (const int error = node->run())
      return error;
  return 0;
}
