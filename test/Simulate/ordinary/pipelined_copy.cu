// A double buffer filled by asynchronous copies, with the pipeline functions.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <cuda_pipeline.h>
#include <vector>

constexpr int chunk = 128, stages = 2;

__global__ void sums(const float4 *in, float *out, int chunks) {
  __shared__ float4 buffer[stages][chunk / 4];
  const int t = threadIdx.x;
  auto fetch = [&](int c) {
    if (c < chunks)
      __pipeline_memcpy_async(&buffer[c % stages][t], in + c * (chunk / 4) + t,
                              sizeof(float4));
    __pipeline_commit();
  };
  fetch(0);
  for (int c = 0; c < chunks; ++c) {
    fetch(c + 1);
    __pipeline_wait_prior(1);
    __syncthreads();
    // Someone else's elements, so that the barriers matter.
    const float4 v = buffer[c % stages][(t + 5) % (chunk / 4)];
    float sum = v.x + v.y + v.z + v.w;
    for (int offset = 16; offset; offset /= 2)
      sum += __shfl_xor_sync(~0u, sum, offset);
    if (t == 0)
      out[c] = sum;
    __syncthreads();
  }
}

int main() {
  const int chunks = 7;
  std::vector<float> in(chunk * chunks), out(chunks);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<float>(i % 50);
  Device<float> din(in.data(), in.size()), dout(chunks);
  sums<<<1, chunk / 4>>>(reinterpret_cast<const float4 *>(din.data), dout, chunks);
  CUDA(cudaDeviceSynchronize());
  dout.get(out.data());
  for (int c = 0; c < chunks; ++c) {
    float sum = 0;
    for (int i = 0; i < chunk; ++i)
      sum += in[c * chunk + i];
    EXPECT(out[c] == sum);
  }
  return verdict();
}
