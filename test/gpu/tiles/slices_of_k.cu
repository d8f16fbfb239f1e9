// FORM: loop nests: slices of k, each stored to a part of a workspace
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The slices are matrices of a batch if all of them have the same length, which
// the launcher finds out.

#include "check.h"

#pragma warpwright matmul
__global__ void slices_of_k(const float *A, const float *B, float *P, int M,
                            int N, int K, int slices) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x, s = blockIdx.z;
  const int slice = (K + slices - 1) / slices;
  const int begin = s * slice, end = min(begin + slice, K);
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = begin; k < end; ++k)
      sum += A[row * K + k] * B[k * N + col];
    P[s * (M * N) + row * N + col] = sum;
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  const int slices = 4;
  for (check::Shape s : {check::Shape{64, 64, 256}, check::Shape{35, 44, 128},
                         check::Shape{3, 5, 32}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n), P(slices * s.m, s.n);
    A.random(1);
    B.random(2);
    slices_of_k<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16),
                       slices),
                  dim3(16, 16)>>>(A.data(), B.data(), P.data(), s.m, s.n, s.k,
                                  slices);
    const int slice = s.k / slices;
    test.expect(
        "slices_of_k", check::Shape{slices * s.m, s.n, slice}, P,
        [&](int row, int n) {
          double sum = 0.0;
          for (int k = row / s.m * slice; k < (row / s.m + 1) * slice; ++k)
            sum += double(A(row % s.m, k)) * double(B(k, n));
          return sum;
        },
        P);
  }
  return test.finish();
}
