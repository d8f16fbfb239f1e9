// A graph captured from a stream, launched again and again.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"

__global__ void step(int *p, int n, int factor, int offset) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = p[i] * factor + offset;
}

int main() {
  const int n = 100;
  int host[n];
  for (int i = 0; i < n; ++i)
    host[i] = i;
  Device<int> p(host, n), copy(n);
  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));

  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  cudaStreamCaptureStatus status;
  CUDA(cudaStreamIsCapturing(stream, &status));
  EXPECT(status == cudaStreamCaptureStatusActive);
  int factor = 2;
  step<<<2, 64, 0, stream>>>(p, n, factor, 1);
  factor = 100; // the graph keeps the arguments of the capture
  step<<<2, 64, 0, stream>>>(p, n, 1, -3);
  CUDA(cudaMemcpyAsync(copy, p, n * sizeof(int), cudaMemcpyDeviceToDevice,
                       stream));
  CUDA(cudaStreamEndCapture(stream, &graph));
  size_t nodes = 0;
  CUDA(cudaGraphGetNodes(graph, nullptr, &nodes));
  EXPECT(nodes == 3);
  p.get(host);
  EXPECT(host[5] == 5); // nothing has run yet
  CUDA(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  for (int i = 0; i < 3; ++i)
    CUDA(cudaGraphLaunch(exec, stream));
  CUDA(cudaStreamSynchronize(stream));
  copy.get(host);
  for (int i = 0; i < n; ++i) {
    int expected = i;
    for (int r = 0; r < 3; ++r)
      expected = expected * 2 - 2;
    EXPECT(host[i] == expected);
  }
  CUDA(cudaGraphExecDestroy(exec));
  CUDA(cudaGraphDestroy(graph));
  CUDA(cudaStreamDestroy(stream));
  return verdict();
}
