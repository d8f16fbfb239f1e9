// FORM: loop nests: two batch indices (batch and head)
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heads within batches: blockIdx.z holds both.

#include "check.h"

#pragma warpwright matmul
__global__ void two_batch_indices(const half *Q, const half *V, float *O,
                                  int heads, int M, int N, int K) {
  const int b = blockIdx.z / heads, h = blockIdx.z % heads;
  const int row = blockIdx.y * blockDim.y + threadIdx.y,
            col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  const half *q = Q + (b * heads + h) * M * K;
  const half *v = V + (b * heads + h) * K * N;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += __half2float(q[row * K + k]) * __half2float(v[k * N + col]);
  O[((b * heads + h) * M + row) * N + col] = sum;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  const int batch = 6;
  for (check::Shape s : {check::Shape{48, 64, 64}, check::Shape{40, 72, 88},
                         check::Shape{37, 21, 83}, check::Shape{3, 5, 7},
                         check::Shape{1, 1, 1}}) {
    check::Matrix<half> A(s.m, s.k, 0, batch), B(s.k, s.n, 0, batch);
    check::Matrix<float> C(s.m, s.n, 0, batch);
    A.random(1);
    B.random(2);
    two_batch_indices<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16),
                             batch),
                        dim3(16, 16)>>>(A.data(), B.data(), C.data(), 3, s.m,
                                        s.n, s.k);
    std::vector<check::Table> sums;
    for (int b = 0; b < batch; ++b)
      sums.push_back(check::product(
          s, [&](int m, int k) { return A(m, k, b); },
          [&](int k, int n) { return B(k, n, b); }));
    test.expect(
        "two_batch_indices", s, C,
        [&](int m, int n, int b) { return sums[b](m, n); }, A, B);
  }
  return test.finish();
}
