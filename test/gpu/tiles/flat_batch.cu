// FORM: loop nests: batch, row and column from one flattened thread id
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One index for everything: the batch is its outermost part.

#include "check.h"

#pragma warpwright matmul
__global__ void flat_batch(const half *A, const half *B, float *C, int batch,
                           int M, int N, int K) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= batch * M * N)
    return;
  const int b = i / (M * N);
  const int row = i / N % M;
  const int col = i % N;
  const half *a = A + b * M * K + row * K;
  const half *w = B + b * K * N + col;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += __half2float(a[k]) * __half2float(w[k * N]);
  C[i] = sum;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  const int batch = 3;
  for (check::Shape s : {check::Shape{48, 64, 64}, check::Shape{40, 72, 88},
                         check::Shape{37, 21, 83}, check::Shape{3, 5, 7},
                         check::Shape{1, 1, 1}}) {
    check::Matrix<half> A(s.m, s.k, 0, batch), B(s.k, s.n, 0, batch);
    check::Matrix<float> C(s.m, s.n, 0, batch);
    A.random(1);
    B.random(2);
    flat_batch<<<check::ceilDiv(batch * s.m * s.n, 128), 128>>>(
        A.data(), B.data(), C.data(), batch, s.m, s.n, s.k);
    std::vector<check::Table> sums;
    for (int b = 0; b < batch; ++b)
      sums.push_back(check::product(
          s, [&](int m, int k) { return A(m, k, b); },
          [&](int k, int n) { return B(k, n, b); }));
    test.expect(
        "flat_batch", s, C, [&](int m, int n, int b) { return sums[b](m, n); },
        A, B);
  }
  return test.finish();
}
