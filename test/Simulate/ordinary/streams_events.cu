// Streams, events, callbacks and asynchronous copies.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"

__global__ void fill(int *p, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = value + i;
}
__global__ void combine(const int *a, const int *b, int *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] * 1000 + b[i];
}

static void called(void *flag) { *static_cast<int *>(flag) += 1; }

int main() {
  const int n = 256;
  cudaStream_t first, second;
  CUDA(cudaStreamCreate(&first));
  CUDA(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  cudaEvent_t start, ready, end;
  CUDA(cudaEventCreate(&start));
  CUDA(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
  CUDA(cudaEventCreate(&end));

  Device<int> a(n), b(n), c(n);
  int *host;
  CUDA(cudaMallocHost(&host, n * sizeof(int)));
  int flag = 0;

  CUDA(cudaEventRecord(start, first));
  fill<<<n / 64, 64, 0, first>>>(a, n, 1);
  fill<<<n / 64, 64, 0, second>>>(b, n, 500);
  CUDA(cudaEventRecord(ready, second));
  CUDA(cudaStreamWaitEvent(first, ready, 0));
  combine<<<n / 64, 64, 0, first>>>(a, b, c, n);
  CUDA(cudaMemcpyAsync(host, c, n * sizeof(int), cudaMemcpyDeviceToHost, first));
  CUDA(cudaLaunchHostFunc(first, called, &flag));
  CUDA(cudaEventRecord(end, first));
  CUDA(cudaStreamSynchronize(first));
  CUDA(cudaEventSynchronize(end));
  EXPECT(cudaStreamQuery(second) == cudaSuccess);
  EXPECT(cudaEventQuery(end) == cudaSuccess);
  float ms = -1;
  CUDA(cudaEventElapsedTime(&ms, start, end));
  EXPECT(ms >= 0);
  EXPECT(flag == 1);
  for (int i = 0; i < n; ++i)
    EXPECT(host[i] == (1 + i) * 1000 + 500 + i);

  int *pooled;
  CUDA(cudaMallocAsync(&pooled, n * sizeof(int), first));
  CUDA(cudaMemsetAsync(pooled, 0x11, n * sizeof(int), first));
  CUDA(cudaMemcpyAsync(host, pooled, n * sizeof(int), cudaMemcpyDefault, first));
  CUDA(cudaFreeAsync(pooled, first));
  CUDA(cudaStreamSynchronize(first));
  EXPECT(host[0] == 0x11111111 && host[n - 1] == 0x11111111);

  CUDA(cudaFreeHost(host));
  CUDA(cudaEventDestroy(start));
  CUDA(cudaEventDestroy(ready));
  CUDA(cudaEventDestroy(end));
  CUDA(cudaStreamDestroy(first));
  CUDA(cudaStreamDestroy(second));
  return verdict();
}
