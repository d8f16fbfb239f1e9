// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = alpha A B + beta C with C updated in place: the output is also an input
// of the epilogue, element for element.
//
// EXPECT-LOG: hopper if k > 0

#include "check.h"

typedef __nv_bfloat16 bf16;

#pragma warpwright matmul
__global__ void gemm(int M, int N, int K, float alpha, const bf16 *A,
                     const bf16 *B, float beta, bf16 *C) {
  const int m = blockIdx.y * blockDim.y + threadIdx.y;
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m < M && n < N) {
    float acc = 0.0f;
    for (int k = 0; k < K; ++k)
      acc += __bfloat162float(A[m * K + k]) * __bfloat162float(B[k * N + n]);
    const float old = __bfloat162float(C[m * N + n]);
    C[m * N + n] = __float2bfloat16(alpha * acc + beta * old);
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  const float alpha = 0.125f, beta = 1.0f;
  for (check::Shape s : test.shapes()) {
    check::Matrix<bf16> A(s.m, s.k), B(s.k, s.n), C(s.m, s.n), old(s.m, s.n);
    A.random(25);
    B.random(26);
    C.random(27);
    old.random(27);
    dim3 block(16, 16);
    dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    gemm<<<grid, block>>>(s.m, s.n, s.k, alpha, A.data(), B.data(), beta,
                          C.data());
    check::Table sum = check::product(s, A, B);
    test.expect(
        "gemm", s, C,
        [&](int m, int n) { return alpha * sum(m, n) + beta * old(m, n); }, A,
        B);
  }
  return test.finish();
}
