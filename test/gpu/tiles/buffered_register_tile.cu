// FORM: register tiles with double-buffered tiles and a float4 register
// prefetch
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The next tiles travel through registers into the other buffer while this
// one is multiplied.

#include "check.h"

constexpr int BM = 32, BN = 32, BK = 8;

#pragma warpwright matmul
__global__ void buffered_register_tile(const float *__restrict__ A,
                                       const float *__restrict__ B,
                                       float *__restrict__ C, int N, int K) {
  __shared__ float As[2][BK][BM];
  __shared__ float Bs[2][BK][BN];
  const int tid = threadIdx.x, tr = tid / 8 * 4, tc = tid % 8 * 4;
  const int ar = tid / 2, ac = tid % 2 * 4, br = tid / 8, bc = tid % 8 * 4;
  const float *a = A + (blockIdx.y * BM + ar) * K + ac;
  const float *b = B + br * N + blockIdx.x * BN + bc;
  float4 nextA = *(const float4 *)a, nextB = *(const float4 *)b;
  float acc[4][4] = {};
  int stage = 0;
  As[0][ac][ar] = nextA.x;
  As[0][ac + 1][ar] = nextA.y;
  As[0][ac + 2][ar] = nextA.z;
  As[0][ac + 3][ar] = nextA.w;
  *(float4 *)&Bs[0][br][bc] = nextB;
  __syncthreads();
  for (int k0 = BK; k0 <= K; k0 += BK) {
    const bool more = k0 < K;
    if (more) {
      nextA = *(const float4 *)(a + k0);
      nextB = *(const float4 *)(b + k0 * N);
    }
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          acc[i][j] += As[stage][k][tr + i] * Bs[stage][k][tc + j];
    if (more) {
      stage ^= 1;
      As[stage][ac][ar] = nextA.x;
      As[stage][ac + 1][ar] = nextA.y;
      As[stage][ac + 2][ar] = nextA.z;
      As[stage][ac + 3][ar] = nextA.w;
      *(float4 *)&Bs[stage][br][bc] = nextB;
      __syncthreads();
    }
  }
  for (int i = 0; i < 4; ++i)
    *(float4 *)&C[(blockIdx.y * BM + tr + i) * N + blockIdx.x * BN + tc] =
        make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 64, 96},
                         check::Shape{32, 32, 160}, check::Shape{32, 32, 8}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    buffered_register_tile<<<dim3(s.n / BN, s.m / BM), 64>>>(
        A.data(), B.data(), C.data(), s.n, s.k);
    test.expect("buffered_register_tile", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
