//===- RuntimeApiGraph.cpp - Graphs of the CUDA runtime API ---------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeApi.h"

#include <set>
#include <string.h>

using namespace warpwright::sim;
using Node = CUgraphNode_st;

/// Adds a node with the given dependencies. A cudaError_t.
static int add(cudaGraphNode_t *out, cudaGraph_t graph,
               const cudaGraphNode_t *needs, size_t count,
               std::unique_ptr<Node> node) {
  if (!out || !graph || (count && !needs))
    return cudaErrorInvalidValue;
  std::vector<Node *> list(needs, needs + count);
  for (const Node *need : list)
    if (!graph->contains(need))
      return cudaErrorInvalidValue;
  *out = graph->add(std::move(node), std::move(list));
  return cudaSuccess;
}

/// The kernel of such parameters, with the values that they have now.
static int bind(const cudaKernelNodeParams &parameters, Node &node) {
  if (parameters.extra)
    return cudaErrorNotSupported;
  node.kernel = bind_by_address(parameters.func, parameters.kernelParams);
  if (!node.kernel)
    return cudaErrorInvalidDeviceFunction;
  node.function = parameters.func;
  node.config.grid = index_of(parameters.gridDim);
  node.config.block = index_of(parameters.blockDim);
  node.config.shared_bytes = parameters.sharedMemBytes;
  const KernelSite &site = *node.kernel->site;
  if (site.cluster[0])
    node.config.cluster = {site.cluster[0], site.cluster[1], site.cluster[2]};
  return check_launch(kernel_state(site), node.config);
}

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t *pGraph, unsigned int flags) {
  if (!pGraph || flags)
    return result(cudaErrorInvalidValue);
  *pGraph = new CUgraph_st;
  return result(cudaSuccess);
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  if (!graph)
    return result(cudaErrorInvalidValue);
  delete graph;
  return result(cudaSuccess);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *pGraphNode,
                                   cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies,
                                   size_t numDependencies,
                                   const cudaKernelNodeParams *pNodeParams) {
  if (!pNodeParams)
    return result(cudaErrorInvalidValue);
  auto node = std::make_unique<Node>(Node::Type::kernel);
  if (const int error = bind(*pNodeParams, *node))
    return result(error);
  return result(
      add(pGraphNode, graph, pDependencies, numDependencies, std::move(node)));
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *pGraphNode,
                                     cudaGraph_t graph,
                                     const cudaGraphNode_t *pDependencies,
                                     size_t numDependencies, void *dst,
                                     const void *src, size_t count,
                                     cudaMemcpyKind kind) {
  auto node = std::make_unique<Node>(Node::Type::copy);
  node->act = [=] { return copy_rows(dst, count, src, count, count, 1, kind); };
  return result(
      add(pGraphNode, graph, pDependencies, numDependencies, std::move(node)));
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *pGraphNode,
                                   cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies,
                                   size_t numDependencies,
                                   const cudaMemsetParams *pMemsetParams) {
  if (!pMemsetParams ||
      (pMemsetParams->elementSize != 1 && pMemsetParams->elementSize != 2 &&
       pMemsetParams->elementSize != 4))
    return result(cudaErrorInvalidValue);
  auto node = std::make_unique<Node>(Node::Type::set);
  node->act = [p = *pMemsetParams] {
    return set_rows(p.dst, p.pitch, p.value, p.elementSize, p.width, p.height);
  };
  return result(
      add(pGraphNode, graph, pDependencies, numDependencies, std::move(node)));
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                 const cudaGraphNode_t *pDependencies,
                                 size_t numDependencies,
                                 const cudaHostNodeParams *pNodeParams) {
  if (!pNodeParams || !pNodeParams->fn)
    return result(cudaErrorInvalidValue);
  auto node = std::make_unique<Node>(Node::Type::host);
  node->act = [p = *pNodeParams] {
    p.fn(p.userData);
    return static_cast<int>(cudaSuccess);
  };
  return result(
      add(pGraphNode, graph, pDependencies, numDependencies, std::move(node)));
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *pGraphNode,
                                  cudaGraph_t graph,
                                  const cudaGraphNode_t *pDependencies,
                                  size_t numDependencies) {
  return result(add(pGraphNode, graph, pDependencies, numDependencies,
                    std::make_unique<Node>(Node::Type::empty)));
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph,
                                     const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to,
                                     const cudaGraphEdgeData *,
                                     size_t numDependencies) {
  if (!graph || (numDependencies && (!from || !to)))
    return result(cudaErrorInvalidValue);
  for (size_t i = 0; i != numDependencies; ++i) {
    if (!graph->contains(from[i]) || !graph->contains(to[i]))
      return result(cudaErrorInvalidValue);
    to[i]->needs.push_back(from[i]);
  }
  return result(cudaSuccess);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                              size_t *numNodes) {
  if (!graph || !numNodes)
    return result(cudaErrorInvalidValue);
  const size_t count = graph->nodes.size();
  if (nodes)
    for (size_t i = 0; i != *numNodes; ++i)
      nodes[i] = i < count ? graph->nodes[i].get() : nullptr;
  *numNodes = count;
  return result(cudaSuccess);
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node,
                                 cudaGraphNodeType *pType) {
  if (!node || !pType)
    return result(cudaErrorInvalidValue);
  *pType = static_cast<cudaGraphNodeType>(node->type);
  return result(cudaSuccess);
}
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                         cudaKernelNodeParams *pNodeParams) {
  if (!node || !pNodeParams || !node->kernel)
    return result(cudaErrorInvalidValue);
  *pNodeParams = cudaKernelNodeParams();
  const LaunchConfig &config = node->config;
  // A captured launch does not know the address; nor are its parameters kept
  // one by one.
  pNodeParams->func = const_cast<void *>(node->function);
  pNodeParams->gridDim = dim3(config.grid.x, config.grid.y, config.grid.z);
  pNodeParams->blockDim = dim3(config.block.x, config.block.y, config.block.z);
  pNodeParams->sharedMemBytes = static_cast<unsigned>(config.shared_bytes);
  return result(cudaSuccess);
}

//===----------------------------------------------------------------------===//
// Instances
//===----------------------------------------------------------------------===//

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                 unsigned long long) {
  if (!pGraphExec || !graph)
    return result(cudaErrorInvalidValue);
  if (!graph->nodes.empty() && graph->order().empty())
    return result(cudaErrorInvalidValue); // a circle
  *pGraphExec = new CUgraphExec_st(*graph);
  return result(cudaSuccess);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *pGraphExec,
                                          cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(pGraphExec, graph, flags);
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graphExec) {
  if (!graphExec)
    return result(cudaErrorInvalidValue);
  delete graphExec;
  return result(cudaSuccess);
}
cudaError_t cudaGraphUpload(cudaGraphExec_t graphExec, cudaStream_t stream) {
  if (!graphExec)
    return result(cudaErrorInvalidValue);
  return result(find_stream(stream) ? cudaSuccess
                                    : cudaErrorInvalidResourceHandle);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t stream) {
  if (!graphExec)
    return result(cudaErrorInvalidValue);
  auto node = std::make_unique<Node>(Node::Type::graph);
  node->child = graphExec->graph;
  return result(submit(stream, std::move(node)));
}

cudaError_t
cudaGraphExecKernelNodeSetParams(cudaGraphExec_t hGraphExec,
                                 cudaGraphNode_t node,
                                 const cudaKernelNodeParams *pNodeParams) {
  if (!hGraphExec || !node || !pNodeParams)
    return result(cudaErrorInvalidValue);
  for (const std::unique_ptr<Node> &own : hGraphExec->graph->nodes) {
    if (own->origin != node || !own->kernel)
      continue;
    Node changed(Node::Type::kernel);
    if (const int error = bind(*pNodeParams, changed))
      return result(error);
    changed.config.cluster = own->config.cluster;
    own->kernel = std::move(changed.kernel);
    own->config = changed.config;
    own->function = changed.function;
    return result(cudaSuccess);
  }
  return result(cudaErrorInvalidValue);
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                                cudaGraphExecUpdateResultInfo *resultInfo) {
  if (!hGraphExec || !hGraph || !resultInfo)
    return result(cudaErrorInvalidValue);
  memset(resultInfo, 0, sizeof(*resultInfo));
  const auto refuse = [resultInfo](cudaGraphExecUpdateResult why, Node *node) {
    resultInfo->result = why;
    resultInfo->errorNode = node;
    return result(cudaErrorGraphExecUpdateFailure);
  };
  const auto &now = hGraphExec->graph->nodes;
  if (now.size() != hGraph->nodes.size())
    return refuse(cudaGraphExecUpdateErrorTopologyChanged, nullptr);
  for (size_t i = 0; i != now.size(); ++i) {
    Node *next = hGraph->nodes[i].get();
    if (next->type != now[i]->type)
      return refuse(cudaGraphExecUpdateErrorNodeTypeChanged, next);
    if (next->needs.size() != now[i]->needs.size())
      return refuse(cudaGraphExecUpdateErrorTopologyChanged, next);
  }
  hGraphExec->graph = std::make_shared<CUgraph_st>(*hGraph);
  return result(cudaSuccess);
}

} // extern "C"
