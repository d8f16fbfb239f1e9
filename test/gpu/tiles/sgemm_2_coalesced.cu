// FORM: SGEMM tutorial, step 2: flat block, / and % of the thread index
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second step: a flat block whose threads run along the columns.

#include "check.h"

#pragma warpwright matmul
template <const int SIDE>
__global__ void sgemm_2_coalesced(int M, int N, int K, float alpha,
                                  const float *A, const float *B, float beta,
                                  float *C) {
  const int i = blockIdx.x * SIDE + (threadIdx.x / SIDE);
  const int j = blockIdx.y * SIDE + (threadIdx.x % SIDE);
  if (i < M && j < N) {
    float dot = 0.0f;
    for (int k = 0; k < K; ++k)
      dot += A[i * K + k] * B[k * N + j];
    C[i * N + j] = alpha * dot + beta * C[i * N + j];
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n), before(s.m, s.n);
    A.random(1);
    B.random(2);
    C.random(3);
    before.random(3);
    sgemm_2_coalesced<16>
        <<<dim3(check::ceilDiv(s.m, 16), check::ceilDiv(s.n, 16)), 256>>>(
            s.m, s.n, s.k, 2.0f, A.data(), B.data(), -1.0f, C.data());
    check::Table sum = check::product(s, A, B);
    test.expect(
        "sgemm_2_coalesced", s, C,
        [&](int m, int n) { return 2.0 * sum(m, n) - before(m, n); }, A, B);
  }
  return test.finish();
}
