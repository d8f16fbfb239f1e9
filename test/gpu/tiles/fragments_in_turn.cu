// FORM: register tiles: fragments that take turns in registers, tiles in two
// buffers, a do loop
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fragments of the next row of a tile are fetched while this one is
// multiplied, those of the next tile at the end of the iteration.

#include "check.h"

constexpr int BM = 32, BN = 32, BK = 8, TM = 4, TN = 4;

#pragma warpwright matmul
__global__ void fragments_in_turn(const float *A, const float *B, float *C,
                                  int M, int N, int K) {
  __shared__ float As[2][BK][BM], Bs[2][BK][BN];
  const int tid = threadIdx.x, tr = tid / 8 * TM, tc = tid % 8 * TN;
  const int ar = tid / 2, ac = tid % 2 * 4, br = tid / 8, bc = tid % 8 * 4;
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;
  float acc[TM][TN] = {}, a[2][TM], b[2][TN];
  for (int i = 0; i < 4; ++i)
    As[0][ac + i][ar] = A[ar * K + ac + i];
  for (int i = 0; i < 4; ++i)
    Bs[0][br][bc + i] = B[br * N + bc + i];
  __syncthreads();
  for (int i = 0; i < TM; ++i)
    a[0][i] = As[0][0][tr + i];
  for (int j = 0; j < TN; ++j)
    b[0][j] = Bs[0][0][tc + j];
  int fill = 1, k0 = 0;
  do {
    k0 += BK;
    const int use = fill ^ 1;
    for (int k = 0; k < BK - 1; ++k) {
      for (int i = 0; i < TM; ++i)
        a[(k + 1) % 2][i] = As[use][k + 1][tr + i];
      for (int j = 0; j < TN; ++j)
        b[(k + 1) % 2][j] = Bs[use][k + 1][tc + j];
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
          acc[i][j] += a[k % 2][i] * b[k % 2][j];
    }
    if (k0 < K) {
      for (int i = 0; i < 4; ++i)
        As[fill][ac + i][ar] = A[ar * K + k0 + ac + i];
      for (int i = 0; i < 4; ++i)
        Bs[fill][br][bc + i] = B[(k0 + br) * N + bc + i];
      __syncthreads();
      fill ^= 1;
    }
    for (int i = 0; i < TM; ++i)
      a[0][i] = As[use ^ 1][0][tr + i];
    for (int j = 0; j < TN; ++j)
      b[0][j] = Bs[use ^ 1][0][tc + j];
    for (int i = 0; i < TM; ++i)
      for (int j = 0; j < TN; ++j)
        acc[i][j] += a[1][i] * b[1][j];
  } while (k0 < K);
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j)
      C[(tr + i) * N + tc + j] = acc[i][j];
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
    fragments_in_turn<<<dim3(s.n / BN, s.m / BM), 64>>>(
        A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("fragments_in_turn", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
