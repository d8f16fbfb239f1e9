// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One template for the element type, the block's edge, the storage of B and
// the activation; three of its instantiations are launched.
//
// EXPECT-LOG matmul: hopper if k > 0
// EXPECT-LOG matmul_transposed: hopper if k > 0

#include "check.h"

#pragma warpwright matmul
template <typename T, int BLOCK, bool TransposedB, bool Relu>
__global__ void matmul(const T *A, const T *B, T *C, int M, int N, int K) {
  const int row = blockIdx.y * BLOCK + threadIdx.y;
  const int col = blockIdx.x * BLOCK + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) {
      const T b = TransposedB ? B[col * K + k] : B[k * N + col];
      sum += float(A[row * K + k]) * float(b);
    }
    if (Relu)
      sum = sum > 0.0f ? sum : 0.0f;
    C[row * N + col] = T(sum);
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : test.shapes()) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    A.random(55);
    B.random(56);
    check::Table sum = check::product(s, A, B);
    dim3 grid16(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));

    check::Matrix<half> C(s.m, s.n);
    matmul<half, 16, false, false>
        <<<grid16, dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("matmul", s, C, sum, A, B);

    check::Matrix<half> D(s.m, s.n);
    matmul<half, 16, false, true>
        <<<grid16, dim3(16, 16)>>>(A.data(), B.data(), D.data(), s.m, s.n, s.k);
    test.expect(
        "matmul", s, D, [&](int m, int n) { return std::fmax(sum(m, n), 0.0); },
        A, B);

    check::Matrix<__nv_bfloat16> X(s.m, s.k), W(s.n, s.k), Y(s.m, s.n);
    X.random(57);
    W.random(58);
    dim3 grid32(check::ceilDiv(s.n, 32), check::ceilDiv(s.m, 32));
    matmul<__nv_bfloat16, 32, true, false>
        <<<grid32, dim3(32, 32)>>>(X.data(), W.data(), Y.data(), s.m, s.n, s.k);
    test.expect("matmul_transposed", s, Y,
                check::product(s, X, [&](int k, int n) { return W(n, k); }), X,
                W);
  }
  return test.finish();
}
