// FORM: operand prologues: a vector of each batch is subtracted
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each batch has its own mean, which is subtracted from the columns of A, if
// there are any means.

#include "check.h"

#pragma warpwright matmul
__global__ void shifted_batches(const float *A, const float *B, float *C, int M,
                                int N, int K, const float *mean) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int batch = blockIdx.z;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    float a = A[(batch * M + row) * K + k];
    if (mean)
      a -= mean[batch * K + k];
    sum += a * B[k * N + col];
  }
  C[(batch * M + row) * N + col] = sum;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    const int batches = 3;
    for (const bool shifted : {true, false}) {
      check::Matrix<float> A(batches * s.m, s.k), B(s.k, s.n),
          C(batches * s.m, s.n), mean(batches, s.k);
      A.random(1);
      B.random(2);
      mean.random(3);
      shifted_batches<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16),
                             batches),
                        dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                        s.k, shifted ? mean.data() : nullptr);
      const check::Shape all{batches * s.m, s.n, s.k};
      test.expect("shifted_batches", all, C,
                  check::product(
                      all,
                      [&](int m, int k) {
                        return A(m, k) - (shifted ? mean(m / s.m, k) : 0.0);
                      },
                      B),
                  A, B, mean);
    }
  }
  return test.finish();
}
