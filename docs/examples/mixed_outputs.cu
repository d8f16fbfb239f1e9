// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The output need not have the operands' type: float logits from bf16, and
// half from bf16.
//
// EXPECT-LOG: hopper if k > 0

#include "check.h"

#pragma warpwright matmul
__global__ void logits_f32(const __nv_bfloat16 *hidden,
                           const __nv_bfloat16 *vocab, float *logits,
                           int tokens, int words, int width) {
  int w = blockIdx.x * blockDim.x + threadIdx.x;
  int t = blockIdx.y * blockDim.y + threadIdx.y;
  if (t >= tokens || w >= words)
    return;
  float dot = 0.0f;
  for (int i = 0; i < width; ++i)
    dot += __bfloat162float(hidden[t * width + i]) *
           __bfloat162float(vocab[w * width + i]);
  logits[t * words + w] = dot;
}

#pragma warpwright matmul
__global__ void logits_f16(const __nv_bfloat16 *hidden,
                           const __nv_bfloat16 *vocab, half *logits, int tokens,
                           int words, int width, float temperature) {
  int w = blockIdx.x * blockDim.x + threadIdx.x;
  int t = blockIdx.y * blockDim.y + threadIdx.y;
  if (t >= tokens || w >= words)
    return;
  float dot = 0.0f;
  for (int i = 0; i < width; ++i)
    dot += __bfloat162float(hidden[t * width + i]) *
           __bfloat162float(vocab[w * width + i]);
  logits[t * words + w] = __float2half(dot / temperature);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : test.shapes()) {
    check::Matrix<__nv_bfloat16> hidden(s.m, s.k), vocab(s.n, s.k);
    hidden.random(67);
    vocab.random(68);
    check::Table dot =
        check::product(s, hidden, [&](int k, int n) { return vocab(n, k); });
    dim3 block(32, 8);
    dim3 grid(check::ceilDiv(s.n, 32), check::ceilDiv(s.m, 8));

    check::Matrix<float> wide(s.m, s.n);
    logits_f32<<<grid, block>>>(hidden.data(), vocab.data(), wide.data(), s.m,
                                s.n, s.k);
    test.expect("logits_f32", s, wide, dot, hidden, vocab);

    check::Matrix<half> narrow(s.m, s.n);
    logits_f16<<<grid, block>>>(hidden.data(), vocab.data(), narrow.data(), s.m,
                                s.n, s.k, 0.75f);
    test.expect(
        "logits_f16", s, narrow, [&](int m, int n) { return dot(m, n) / 0.75; },
        hidden, vocab);
  }
  return test.finish();
}
