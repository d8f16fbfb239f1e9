// FORM: outputs: fill steps that are a fraction of the block's width
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the steps are follows from the launch, of which a block of 16 x 16
// threads is asked.

#include "check.h"

constexpr int BM = 64, BN = 64, BK = 8, TM = 4, TN = 4;

#pragma warpwright matmul
__global__ void fraction_steps(const float *A, const float *B, float *C, int M,
                               int N, int K) {
  __shared__ float As[BM][BK], Bs[BK][BN];
  const int threads = blockDim.x * blockDim.y;
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * BM, col = blockIdx.x * BN;
  float sums[TM][TN] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = t / BK; i < BM; i += threads / BK)
      As[i][t % BK] = row + i < M && k0 + t % BK < K
                          ? A[(row + i) * K + k0 + t % BK]
                          : 0.0f;
    for (int i = t / BN; i < BK; i += threads / BN)
      Bs[i][t % BN] = k0 + i < K && col + t % BN < N
                          ? B[(k0 + i) * N + col + t % BN]
                          : 0.0f;
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
          sums[i][j] +=
              As[threadIdx.y * TM + i][k] * Bs[k][threadIdx.x * TN + j];
    __syncthreads();
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j) {
      const int m = row + threadIdx.y * TM + i, n = col + threadIdx.x * TN + j;
      if (m < M && n < N)
        C[m * N + n] = sums[i][j];
    }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    fraction_steps<<<dim3(check::ceilDiv(s.n, BN), check::ceilDiv(s.m, BM)),
                     dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                     s.k);
    test.expect("fraction_steps", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
