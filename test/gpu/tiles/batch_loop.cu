// FORM: loop nests: batches in a loop inside the kernel
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread computes its element of every product of the batch.

#include "check.h"

#pragma warpwright matmul
__global__ void batch_loop(const float *A, const float *B, float *C, int batch,
                           int M, int N, int K) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < M && col < N)
    for (int b = 0; b < batch; ++b) {
      float sum = 0.0f;
      for (int k = 0; k < K; ++k)
        sum += A[b * M * K + row * K + k] * B[b * K * N + k * N + col];
      C[b * M * N + row * N + col] = sum;
    }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  const int batch = 3;
  for (check::Shape s : {check::Shape{48, 64, 64}, check::Shape{40, 72, 88},
                         check::Shape{37, 21, 83}, check::Shape{3, 5, 7},
                         check::Shape{1, 1, 1}}) {
    check::Matrix<float> A(s.m, s.k, 0, batch), B(s.k, s.n, 0, batch);
    check::Matrix<float> C(s.m, s.n, 0, batch);
    A.random(1);
    B.random(2);
    batch_loop<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                 dim3(16, 16)>>>(A.data(), B.data(), C.data(), batch, s.m, s.n,
                                 s.k);
    std::vector<check::Table> sums;
    for (int b = 0; b < batch; ++b)
      sums.push_back(check::product(
          s, [&](int m, int k) { return A(m, k, b); },
          [&](int k, int n) { return B(k, n, b); }));
    test.expect(
        "batch_loop", s, C, [&](int m, int n, int b) { return sums[b](m, n); },
        A, B);
  }
  return test.finish();
}
