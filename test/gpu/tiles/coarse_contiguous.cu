// FORM: register tiles: coarsened threads, contiguous columns per thread
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four neighbouring columns per thread, from tiles.

#include "check.h"

#pragma warpwright matmul
template <int BM, int BN, int BK>
__global__ void coarse_contiguous(const float *A, const float *B, float *C,
                                  int M, int N, int K) {
  constexpr int TN = 4;
  __shared__ float As[BM][BK], Bs[BK][BN];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int tid = ty * (BN / TN) + tx;
  const int row = blockIdx.y * BM + ty, col = blockIdx.x * BN + tx * TN;
  float acc[TN] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = tid; i < BM * BK; i += BM * BN / TN) {
      const int r = blockIdx.y * BM + i / BK, c = k0 + i % BK;
      As[i / BK][i % BK] = r < M && c < K ? A[r * K + c] : 0.0f;
    }
    for (int i = tid; i < BK * BN; i += BM * BN / TN) {
      const int r = k0 + i / BN, c = blockIdx.x * BN + i % BN;
      Bs[i / BN][i % BN] = r < K && c < N ? B[r * N + c] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      for (int j = 0; j < TN; ++j)
        acc[j] += As[ty][k] * Bs[k][tx * TN + j];
    __syncthreads();
  }
  for (int j = 0; j < TN; ++j)
    if (row < M && col + j < N)
      C[row * N + col + j] = acc[j];
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
    coarse_contiguous<16, 32, 16>
        <<<dim3(check::ceilDiv(s.n, 32), check::ceilDiv(s.m, 16)),
           dim3(8, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("coarse_contiguous", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
