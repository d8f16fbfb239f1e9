// FORM: few outputs and long sums, bias, activation and a residual, batches
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sums are computed in slices of k, which a second kernel adds; it does
// what the epilogue does, and writes both outputs.

#include "check.h"

#pragma warpwright matmul
__global__ void deep_sums(const half *A, const half *B, half *C, float *D,
                          const float *bias, int M, int N, int K, float alpha) {
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
  D[at] = alpha * sum;
  C[at] =
      __float2half(fmaxf(alpha * sum + bias[col], 0.0f) + __half2float(C[at]));
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{64, 48, 2000}, check::Shape{33, 75, 4097},
                         check::Shape{1, 9, 8192}, check::Shape{5, 130, 64}})
    for (int batches : {1, 2}) {
      const check::Shape all = {batches * s.m, s.n, s.k};
      check::Matrix<half> A(all.m, s.k), B(s.k, s.n), C(all.m, s.n);
      check::Matrix<float> D(all.m, s.n), bias(1, s.n);
      A.random(1);
      B.random(2);
      C.random(3);
      bias.random(4);
      const float alpha = 0.5f;
      check::Table plain = check::product(all, A, B), sum = plain;
      for (int m = 0; m < all.m; ++m)
        for (int n = 0; n < s.n; ++n) {
          plain.row(m)[n] = alpha * sum.row(m)[n];
          sum.row(m)[n] =
              std::fmax(plain.row(m)[n] + bias(0, n), 0.0) + C(m, n);
        }
      deep_sums<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16),
                       batches),
                  dim3(16, 16)>>>(A.data(), B.data(), C.data(), D.data(),
                                  bias.data(), s.m, s.n, s.k, alpha);
      test.expect("deep_sums", all, C, sum, A, B, bias);
      test.expect("deep_sums, plain", all, D, plain, A, B, bias);
    }
  return test.finish();
}
