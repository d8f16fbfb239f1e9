// FORM: operands of which no index has stride 1, rows from the last to the
// first
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A is every second element of its rows, which are read from the last one on;
// of B both strides are arguments.

#include "check.h"

#pragma warpwright matmul
__global__ void spread_elements(const half *A, const half *B, int stride_k,
                                int stride_n, float *C, int M, int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += __half2float(A[(M - 1 - row) * (2 * K) + 2 * k]) *
           __half2float(B[k * stride_k + col * stride_n]);
  C[row * N + col] = sum;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{133, 75, 91}, check::Shape{64, 96, 64},
                         check::Shape{130, 257, 200}, check::Shape{2, 3, 1}})
    for (int apart : {1, 3})
      for (bool columns : {false, true}) {
        // Elements of B are `apart` elements apart along n, or along k.
        const int rows = columns ? s.n : s.k, cols = columns ? s.k : s.n;
        check::Matrix<half> A(s.m, 2 * s.k), B(rows, apart * cols);
        check::Matrix<float> C(s.m, s.n);
        A.random(1);
        B.random(2);
        const int pitch = apart * cols;
        spread_elements<<<dim3(check::ceilDiv(s.n, 16),
                               check::ceilDiv(s.m, 16)),
                          dim3(16, 16)>>>(
            A.data(), B.data(), columns ? apart : pitch,
            columns ? pitch : apart, C.data(), s.m, s.n, s.k);
        test.expect("spread_elements", s, C,
                    check::product(
                        s, [&](int m, int k) { return A(s.m - 1 - m, 2 * k); },
                        [&](int k, int n) {
                          return columns ? B(n, apart * k) : B(k, apart * n);
                        }),
                    A, B);
      }
  return test.finish();
}
