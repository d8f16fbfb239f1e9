// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands of two types: float activations with weights that are stored in
// half or bfloat16. A 16-bit number needs no second part, so that these take
// two products of the tensor cores where two floats take three.
//
// EXPECT-LOG dequantized: hopper if k > 0
// EXPECT-LOG dequantized_bf16: hopper if k > 0

#include "check.h"

#pragma warpwright matmul
__global__ void dequantized(const float *X, const half *W, float *Y, int M,
                            int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
      sum += X[row * K + k] * __half2float(W[k * N + col]);
    Y[row * N + col] = sum;
  }
}

// The weights are stored the other way round, the result is bfloat16 too.
#pragma warpwright matmul
__global__ void dequantized_bf16(const float *X, const __nv_bfloat16 *W,
                                 __nv_bfloat16 *Y, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
      sum += X[row * K + k] * (float)W[col * K + k];
    Y[row * N + col] = __float2bfloat16(sum);
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : test.shapes()) {
    check::Matrix<float> X(s.m, s.k), Y(s.m, s.n);
    check::Matrix<half> W(s.k, s.n);
    X.random(107);
    W.random(108);
    dim3 block(32, 8);
    dim3 grid(check::ceilDiv(s.n, 32), check::ceilDiv(s.m, 8));
    dequantized<<<grid, block>>>(X.data(), W.data(), Y.data(), s.m, s.n, s.k);
    test.expect("dequantized", s, Y, check::product(s, X, W), X, W);

    check::Matrix<__nv_bfloat16> V(s.n, s.k), Z(s.m, s.n);
    V.random(109);
    dequantized_bf16<<<grid, block>>>(X.data(), V.data(), Z.data(), s.m, s.n,
                                      s.k);
    test.expect("dequantized_bf16", s, Z,
                check::product(s, X, [&](int k, int n) { return V(n, k); }), X,
                V);
  }
  return test.finish();
}
