// FORM: register tiles: a thread's 8 by 8 outputs as four parts of 4 by 4, A
// transposed on the way in
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts are half a tile apart in both dimensions, so that neighbouring
// threads read neighbouring vectors.

#include "check.h"

#define VECTOR(element) (*reinterpret_cast<float4 *>(&(element)))

#pragma warpwright matmul
__global__ void quads_transposed(float *__restrict__ A, float *__restrict__ B,
                                 float *__restrict__ C, const int M,
                                 const int N, const int K) {
  const int BM = 64, BN = 64, BK = 8, TM = 8, TN = 8;
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int tid = ty * blockDim.x + tx;
  __shared__ float As[BK][BM];
  __shared__ float Bs[BK][BN];
  float upper[4], lower[4], fromB[8], a[TM], b[TN];
  float acc[TM][TN] = {0.0};
  const int am = tid >> 1, ak = (tid & 1) << 2;
  const int bk = tid >> 4, bn = (tid & 15) << 2;
  const int row = blockIdx.y * BM + am, col = blockIdx.x * BN + bn;
  for (int t = 0; t < (K + BK - 1) / BK; t++) {
    const int from = row * K + t * BK + ak;
    VECTOR(upper[0]) = VECTOR(A[from]);
    VECTOR(lower[0]) = VECTOR(A[from + BM / 2 * K]);
    As[ak][am] = upper[0];
    As[ak + 1][am] = upper[1];
    As[ak + 2][am] = upper[2];
    As[ak + 3][am] = upper[3];
    As[ak][am + BM / 2] = lower[0];
    As[ak + 1][am + BM / 2] = lower[1];
    As[ak + 2][am + BM / 2] = lower[2];
    As[ak + 3][am + BM / 2] = lower[3];
    VECTOR(fromB[0]) = VECTOR(B[(t * BK + bk) * N + col]);
    VECTOR(fromB[4]) = VECTOR(B[(t * BK + bk + BK / 2) * N + col]);
    VECTOR(Bs[bk][bn]) = VECTOR(fromB[0]);
    VECTOR(Bs[bk + BK / 2][bn]) = VECTOR(fromB[4]);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; k++) {
      VECTOR(a[0]) = VECTOR(As[k][ty * TM / 2]);
      VECTOR(a[4]) = VECTOR(As[k][ty * TM / 2 + BM / 2]);
      VECTOR(b[0]) = VECTOR(Bs[k][tx * TN / 2]);
      VECTOR(b[4]) = VECTOR(Bs[k][tx * TN / 2 + BN / 2]);
#pragma unroll
      for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j++)
          acc[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < TM / 2; i++) {
    const int out =
        (blockIdx.y * BM + ty * TM / 2 + i) * N + blockIdx.x * BN + tx * TN / 2;
    VECTOR(C[out]) = VECTOR(acc[i][0]);
    VECTOR(C[out + BN / 2]) = VECTOR(acc[i][4]);
  }
#pragma unroll
  for (int i = 0; i < TM / 2; i++) {
    const int out = (blockIdx.y * BM + BM / 2 + ty * TM / 2 + i) * N +
                    blockIdx.x * BN + tx * TN / 2;
    VECTOR(C[out]) = VECTOR(acc[i + TM / 2][0]);
    VECTOR(C[out + BN / 2]) = VECTOR(acc[i + TM / 2][4]);
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 128, 64}, check::Shape{128, 64, 104},
                         check::Shape{64, 64, 8}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    quads_transposed<<<dim3(s.n / 64, s.m / 64), dim3(8, 8)>>>(
        A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("quads_transposed", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
