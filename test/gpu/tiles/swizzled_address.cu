// FORM: shared-memory tiles: the whole address swizzled, `o ^ (o >> 5 & 7) <<
// 2`
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a layout library does: a function of the offset in the tile that moves
// bits of the row into those of the column. float4 in, a 4 by 4 tile of outputs
// a thread.

#include "check.h"

constexpr int BM = 64, BN = 64, BK = 32;

__device__ inline int swizzle(int offset) {
  return offset ^ ((offset >> 5 & 7) << 2);
}

#pragma warpwright matmul
__global__ void swizzled_address(const float *A, const float *B, float *C,
                                 int M, int N, int K) {
  __shared__ float As[BM * BK];
  __shared__ float Bs[BN * BK];
  const int tid = threadIdx.x;
  const int tr = tid / 16, tc = tid % 16;
  float acc[4][4] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = tid; i < BM * BK / 4; i += 256) {
      const int r = i / (BK / 4), c = i % (BK / 4) * 4;
      *(float4 *)&As[swizzle(r * BK + c)] =
          *(const float4 *)&A[(blockIdx.y * BM + r) * K + k0 + c];
      *(float4 *)&Bs[swizzle(r * BK + c)] =
          *(const float4 *)&B[(blockIdx.x * BN + r) * K + k0 + c];
    }
    __syncthreads();
    for (int k = 0; k < BK; ++k) {
      float a[4], b[4];
      for (int i = 0; i < 4; ++i) {
        a[i] = As[swizzle((tr * 4 + i) * BK + k)];
        b[i] = Bs[swizzle((tc * 4 + i) * BK + k)];
      }
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          acc[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      C[(blockIdx.y * BM + tr * 4 + i) * N + blockIdx.x * BN + tc * 4 + j] =
          acc[i][j];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s :
       {check::Shape{128, 64, 96}, check::Shape{64, 192, 64}}) {
    check::Matrix<float> A(s.m, s.k), B(s.n, s.k);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    swizzled_address<<<dim3(s.n / BN, s.m / BM), 256>>>(
        A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("swizzled_address", s, C,
                check::product(s, A, [&](int k, int n) { return B(n, k); }), A,
                B);
  }
  return test.finish();
}
