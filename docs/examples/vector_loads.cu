// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four elements along k with one load, from both operands. Rows are padded to
// multiples of four with zeros, as such kernels want them.
//
// EXPECT-LOG: hopper if k > 0
// EXPECT-BOUND: 1e-6

#include "check.h"

__device__ float dot(float4 a, float4 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

#pragma warpwright matmul
__global__ void matmul_float4(const float *A, const float *B, float *C, int M,
                              int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  const float4 *a = reinterpret_cast<const float4 *>(A + row * K);
  const float4 *b = reinterpret_cast<const float4 *>(B + col * K);
  float sum = 0.0f;
  for (int k = 0; k < K / 4; ++k)
    sum += dot(a[k], __ldg(b + k));
  C[row * N + col] = sum;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : test.shapes()) {
    s.k = check::roundUp(s.k, 4);
    check::Matrix<float> A(s.m, s.k), B(s.n, s.k), C(s.m, s.n);
    A.random(112);
    B.random(113);
    dim3 block(16, 16);
    dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    matmul_float4<<<grid, block>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("matmul_float4", s, C,
                check::product(s, A, [&](int k, int n) { return B(n, k); }), A,
                B);
  }
  return test.finish();
}
