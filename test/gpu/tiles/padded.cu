// FORM: shared-memory tiles: padded [T][T+1]
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A column of padding keeps the banks apart; B is transposed in memory and
// read along k.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void padded(const float *A, const float *B, float *C, int M, int N,
                       int K) {
  __shared__ float As[T][T + 1];
  __shared__ float Bs[T][T + 1];
  int row = blockIdx.y * T + threadIdx.y;
  int col = blockIdx.x * T + threadIdx.x;
  int other = blockIdx.x * T + threadIdx.y;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    int k = k0 + threadIdx.x;
    As[threadIdx.y][threadIdx.x] = (row < M && k < K) ? A[row * K + k] : 0.0f;
    Bs[threadIdx.y][threadIdx.x] =
        (other < N && k < K) ? B[other * K + k] : 0.0f;
    __syncthreads();
    for (int i = 0; i < T; ++i)
      acc += As[threadIdx.y][i] * Bs[threadIdx.x][i];
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
    check::Matrix<float> A(s.m, s.k), B(s.n, s.k);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    padded<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
             dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("padded", s, C,
                check::product(s, A, [&](int k, int n) { return B(n, k); }), A,
                B);
  }
  return test.finish();
}
