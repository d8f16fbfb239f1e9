// FORM: accumulate(promoted): sums that leave the tensor cores every 128 of k,
// with a bias, residual and batches
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tensor cores truncate their sums. The bound is one that sums which stay
// in them exceed from K = 1000 on. Consumers that share tiles and slices of k
// are among the plans.

#include "check.h"

#pragma warpwright matmul accumulate(promoted)
__global__ void promoted_sums(const half *A, const half *B, float *C,
                              const float *bias, int M, int N, int K) {
  const int batch = blockIdx.z;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += __half2float(A[(batch * M + row) * K + k]) *
           __half2float(B[k * N + col]);
  const int at = (batch * M + row) * N + col;
  C[at] += sum + bias[col];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.setBound(9e-7);
  for (check::Shape s : {check::Shape{130, 144, 64}, check::Shape{96, 72, 128},
                         check::Shape{67, 45, 129}, check::Shape{64, 48, 1000},
                         check::Shape{200, 264, 320}, check::Shape{9, 40, 2056},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}})
    for (int batches : {1, 2}) {
      const check::Shape all = {batches * s.m, s.n, s.k};
      check::Matrix<half> A(all.m, s.k), B(s.k, s.n);
      check::Matrix<float> C(all.m, s.n), bias(1, s.n);
      A.random(1);
      B.random(2);
      C.random(3);
      bias.random(4);
      check::Table sum = check::product(all, A, B);
      for (int m = 0; m < all.m; ++m)
        for (int n = 0; n < s.n; ++n)
          sum.row(m)[n] += bias(0, n) + C(m, n);
      promoted_sums<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16),
                           batches),
                      dim3(16, 16)>>>(A.data(), B.data(), C.data(), bias.data(),
                                      s.m, s.n, s.k);
      test.expect("promoted_sums", all, C, sum, A, B, bias);
    }
  return test.finish();
}
