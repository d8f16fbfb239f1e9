// Managed and mapped memory, used from both sides.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"

struct Node {
  int value;
  Node *next;
};

__managed__ int hits = 5;

__global__ void walk(Node *head, int *sum) {
  for (Node *n = head; n; n = n->next) {
    *sum += n->value;
    n->value = -n->value;
  }
  ++hits;
}

int main() {
  Node *nodes;
  int *sum, *mapped, *seen;
  CUDA(cudaMallocManaged(&nodes, 10 * sizeof(Node)));
  CUDA(cudaMallocManaged(&sum, sizeof(int)));
  CUDA(cudaHostAlloc(&mapped, sizeof(int), cudaHostAllocMapped));
  CUDA(cudaHostGetDevicePointer(&seen, mapped, 0));
  *sum = 0;
  *mapped = 100;
  for (int i = 0; i < 10; ++i) {
    nodes[i].value = i + 1;
    nodes[i].next = i < 9 ? nodes + i + 1 : nullptr;
  }
  walk<<<1, 1>>>(nodes, sum);
  walk<<<1, 1>>>(nodes + 5, seen);
  CUDA(cudaDeviceSynchronize());
  EXPECT(*sum == 55);
  EXPECT(*mapped == 100 - (6 + 7 + 8 + 9 + 10));
  EXPECT(nodes[0].value == -1 && nodes[9].value == 10);
  EXPECT(hits == 7);
  cudaPointerAttributes attributes;
  CUDA(cudaPointerGetAttributes(&attributes, nodes));
  EXPECT(attributes.type == cudaMemoryTypeManaged);
  CUDA(cudaFree(nodes));
  CUDA(cudaFree(sum));
  CUDA(cudaFreeHost(mapped));
  return verdict();
}
