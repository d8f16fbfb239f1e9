// FORM: surface: lambdas for the loads and the store
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lambdas that capture by reference load with a guard and store.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void lambda_fill(const float *A, const float *B, float *C, int M,
                            int N, int K) {
  __shared__ float As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  auto loadA = [&](int k) { return row < M && k < K ? A[row * K + k] : 0.0f; };
  auto loadB = [&](int k) { return col < N && k < K ? B[k * N + col] : 0.0f; };
  float acc = 0.0f;
  auto multiply = [&] {
    for (int k = 0; k < T; ++k)
      acc += As[ty][k] * Bs[k][tx];
  };
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = loadA(k0 + tx);
    Bs[ty][tx] = loadB(k0 + ty);
    __syncthreads();
    multiply();
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    lambda_fill<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                  dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("lambda_fill", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
