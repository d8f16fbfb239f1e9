// FORM: shared-memory tiles: filled by strided loops with a constant step;
// flat block
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block of 128 threads; the fill loops step by that number.

#include "check.h"

constexpr int THREADS = 128, BM = 16, BN = 32, BK = 16;

#pragma warpwright matmul
__global__ void constant_step(const half *A, const half *B, float *C, int M,
                              int N, int K) {
  __shared__ half As[BM * BK];
  __shared__ half Bs[BK * BN];
  const int tid = threadIdx.x;
  const int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
  const int r = tid / 8, c = tid % 8 * 4;
  float acc[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = tid; i < BM * BK; i += THREADS)
      As[i] = m0 + i / BK < M && k0 + i % BK < K
                  ? A[(m0 + i / BK) * K + k0 + i % BK]
                  : __float2half(0.0f);
    for (int i = tid; i < BK * BN; i += THREADS)
      Bs[i] = k0 + i / BN < K && n0 + i % BN < N
                  ? B[(k0 + i / BN) * N + n0 + i % BN]
                  : __float2half(0.0f);
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      for (int j = 0; j < 4; ++j)
        acc[j] +=
            __half2float(As[r * BK + k]) * __half2float(Bs[k * BN + c + j]);
    __syncthreads();
  }
  for (int j = 0; j < 4; ++j)
    if (m0 + r < M && n0 + c + j < N)
      C[(m0 + r) * N + n0 + c + j] = acc[j];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    constant_step<<<dim3(check::ceilDiv(s.n, BN), check::ceilDiv(s.m, BM)),
                    THREADS>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("constant_step", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
