// FORM: batches of odd matrices over one matrix that they share
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check.h"

#pragma warpwright matmul
__global__ void unaligned_batches(const half *A, const half *B, half *C, int M,
                                  int N, int K) {
  const int batch = blockIdx.z;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += __half2float(A[(batch * M + row) * K + k]) *
           __half2float(B[k * N + col]);
  C[(batch * M + row) * N + col] = __float2half(sum);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{67, 45, 23}, check::Shape{131, 63, 129},
                         check::Shape{1, 33, 77}})
    for (int batches : {1, 3}) {
      // Batches of rows are rows, too.
      const check::Shape all = {batches * s.m, s.n, s.k};
      check::Matrix<half> A(all.m, s.k), B(s.k, s.n), C(all.m, s.n);
      A.random(1);
      B.random(2);
      unaligned_batches<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16),
                               batches),
                          dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m,
                                          s.n, s.k);
      test.expect("unaligned_batches", all, C, check::product(all, A, B), A, B);
    }
  return test.finish();
}
