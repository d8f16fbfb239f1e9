// FORM: operand prologues: a function of the user on an operand that lies along
// m
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both operands lie along their other index, and one passes through a function
// of the user, with a bias for each k.

#include "check.h"

__device__ float swish(float x) { return x / (1.0f + expf(-x)); }

#pragma warpwright matmul
__global__ void activated_columns(const float *A, const half *B, half *C, int M,
                                  int N, int K, const float *bias,
                                  float steepness) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += swish(A[k * M + row] * steepness + bias[k]) *
           __half2float(B[col * K + k]);
  C[row * N + col] = __float2half(sum);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.setBound(2e-3);
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<float> A(s.k, s.m), bias(1, s.k);
    check::Matrix<half> B(s.n, s.k), C(s.m, s.n);
    A.random(1);
    B.random(2);
    bias.random(3);
    activated_columns<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                        dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                        s.k, bias.data(), 1.5f);
    test.expect("activated_columns", s, C,
                check::product(
                    s,
                    [&](int m, int k) {
                      const double x = A(k, m) * 1.5 + bias(0, k);
                      return x / (1.0 + std::exp(-x));
                    },
                    [&](int k, int n) { return B(n, k); }),
                A, B, bias);
  }
  return test.finish();
}
