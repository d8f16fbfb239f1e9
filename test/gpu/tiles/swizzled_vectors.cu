// FORM: shared-memory tiles: vectors swizzled by hand, `(c ^ (r >> 1 & 3)) * 8`
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sixteen bytes at a time, the vectors of a row in the order that keeps the
// banks apart; each thread has eight outputs.

#include "check.h"

constexpr int BM = 32, BN = 32, BK = 32;

__device__ inline int at(int row, int column) {
  return row * BK + (((column >> 3) ^ ((row >> 1) & 3)) << 3) + (column & 7);
}

#pragma warpwright matmul
__global__ void swizzled_vectors(const half *__restrict__ A,
                                 const half *__restrict__ B,
                                 half *__restrict__ C, int N, int K) {
  __shared__ __align__(16) half As[BM * BK];
  __shared__ __align__(16) half Bs[BK * BN];
  const int tid = threadIdx.x;
  const int r = tid >> 2, c = (tid & 3) << 3;
  float acc[8] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    *(int4 *)&As[at(r, c)] =
        *(const int4 *)&A[(blockIdx.y * BM + r) * K + k0 + c];
    *(int4 *)&Bs[at(r, c)] =
        *(const int4 *)&B[(k0 + r) * N + blockIdx.x * BN + c];
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      for (int j = 0; j < 8; ++j)
        acc[j] += __half2float(As[at(r, k)]) * __half2float(Bs[at(k, c + j)]);
    __syncthreads();
  }
  for (int j = 0; j < 8; ++j)
    C[(blockIdx.y * BM + r) * N + blockIdx.x * BN + c + j] =
        __float2half(acc[j]);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 64, 96},
                         check::Shape{32, 32, 160}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<half> C(s.m, s.n);
    A.random(1);
    B.random(2);
    swizzled_vectors<<<dim3(s.n / BN, s.m / BM), 128>>>(A.data(), B.data(),
                                                        C.data(), s.n, s.k);
    test.expect("swizzled_vectors", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
