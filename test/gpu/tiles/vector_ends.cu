// FORM: registers: vectors that are stored one by one at the end of a row
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check.h"

#pragma warpwright matmul
__global__ void vector_ends(const float *A, const float *B, float *C, int M,
                            int N, int K) {
  const int c = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r >= M)
    return;
  float x[4] = {};
  for (int k = 0; k < K; ++k)
    for (int j = 0; j < 4; ++j)
      x[j] += A[r * K + k] * (c + j < N ? B[k * N + c + j] : 0.0f);
  if (c + 3 < N && N % 4 == 0) {
    *reinterpret_cast<float4 *>(&C[r * N + c]) =
        make_float4(x[0], x[1], x[2], x[3]);
  } else {
    for (int j = 0; j < 4; ++j)
      if (c + j < N)
        C[r * N + c + j] = x[j];
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 64, 64}, check::Shape{67, 44, 83},
                         check::Shape{35, 43, 31}, check::Shape{3, 5, 7}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    vector_ends<<<dim3(check::ceilDiv(s.n, 64), check::ceilDiv(s.m, 16)),
                  dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    check::Table sum = check::product(s, A, B);
    test.expect(
        "vector_ends", s, C, [&](int m, int n) { return sum(m, n); }, A, B);
  }
  return test.finish();
}
