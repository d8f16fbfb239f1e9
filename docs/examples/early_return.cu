// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x runs along the rows here, and threads outside the matrix leave early.
//
// EXPECT-LOG: hopper if k > 0

#include "check.h"

#pragma warpwright matmul
__global__ void hgemm(int M, int N, int K, const half *A, const half *B,
                      half *C) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= M || col >= N)
    return;

  float acc = 0.f;
  for (int i = 0; i < K; i++) {
    float a = __half2float(A[row * K + i]);
    float b = __half2float(B[i * N + col]);
    acc = acc + a * b;
  }
  C[row * N + col] = __float2half(acc);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : test.shapes()) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n), C(s.m, s.n);
    A.random(3);
    B.random(4);
    dim3 block(32, 8);
    dim3 grid(check::ceilDiv(s.m, block.x), check::ceilDiv(s.n, block.y));
    hgemm<<<grid, block>>>(s.m, s.n, s.k, A.data(), B.data(), C.data());
    test.expect("hgemm", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
