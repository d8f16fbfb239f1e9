// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A A^T: both operands are one matrix.
//
// EXPECT-LOG: hopper if k > 0

#include "check.h"

#pragma warpwright matmul
__global__ void gram(const half *__restrict__ A, float *__restrict__ C, int n,
                     int d) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && j < n) {
    float dot = 0.0f;
    for (int l = 0; l < d; ++l)
      dot += __half2float(A[i * d + l]) * __half2float(A[j * d + l]);
    C[i * n + j] = dot;
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  // The diagonal's terms have one sign, so that what the tensor cores truncate
  // of each adds up.
  test.setBound(1e-4);
  for (check::Shape s : test.shapes()) {
    s.n = s.m;
    check::Matrix<half> A(s.m, s.k);
    check::Matrix<float> C(s.m, s.m);
    A.random(81);
    dim3 block(16, 16);
    dim3 grid(check::ceilDiv(s.m, 16), check::ceilDiv(s.m, 16));
    gram<<<grid, block>>>(A.data(), C.data(), s.m, s.k);
    test.expect("gram", s, C,
                check::product(s, A, [&](int k, int n) { return A(n, k); }), A);
  }
  return test.finish();
}
