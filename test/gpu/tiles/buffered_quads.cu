// FORM: register tiles: two buffers by parity, the last tile after the loop,
// four 4 by 4 parts of a thread
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop begins with the second tile: it fetches that one and multiplies
// the one before.

#include "check.h"

#define VECTOR(element) (*reinterpret_cast<float4 *>(&(element)))

#pragma warpwright matmul
__global__ void buffered_quads(float *__restrict__ A, float *__restrict__ B,
                               float *__restrict__ C, const int N,
                               const int K) {
  const int BM = 128, BN = 128, BK = 8, TM = 8, TN = 8;
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int tid = ty * blockDim.x + tx;
  __shared__ float As[2][BK][BM];
  __shared__ float Bs[2][BK][BN];
  float fromA[4], fromB[4], a[TM], b[TN];
  float acc[TM][TN] = {0.0f};
  const int am = tid >> 1, ak = (tid & 1) << 2;
  const int bk = tid >> 5, bn = (tid & 31) << 2;
  const int row = blockIdx.y * BM + am, col = blockIdx.x * BN + bn;
  VECTOR(fromA[0]) = VECTOR(A[row * K + ak]);
  VECTOR(fromB[0]) = VECTOR(B[bk * N + col]);
  As[0][ak][am] = fromA[0];
  As[0][ak + 1][am] = fromA[1];
  As[0][ak + 2][am] = fromA[2];
  As[0][ak + 3][am] = fromA[3];
  VECTOR(Bs[0][bk][bn]) = VECTOR(fromB[0]);
  __syncthreads();
  int now, next = 0;
  for (int t = 1; t < (K + BK - 1) / BK; t++) {
    now = (t - 1) & 1;
    next = t & 1;
    VECTOR(fromA[0]) = VECTOR(A[row * K + t * BK + ak]);
    VECTOR(fromB[0]) = VECTOR(B[(t * BK + bk) * N + col]);
#pragma unroll
    for (int k = 0; k < BK; k++) {
      VECTOR(a[0]) = VECTOR(As[now][k][ty * TM / 2]);
      VECTOR(a[4]) = VECTOR(As[now][k][ty * TM / 2 + BM / 2]);
      VECTOR(b[0]) = VECTOR(Bs[now][k][tx * TN / 2]);
      VECTOR(b[4]) = VECTOR(Bs[now][k][tx * TN / 2 + BN / 2]);
#pragma unroll
      for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j++)
          acc[i][j] += a[i] * b[j];
    }
    As[next][ak][am] = fromA[0];
    As[next][ak + 1][am] = fromA[1];
    As[next][ak + 2][am] = fromA[2];
    As[next][ak + 3][am] = fromA[3];
    VECTOR(Bs[next][bk][bn]) = VECTOR(fromB[0]);
    __syncthreads();
  }
#pragma unroll
  for (int k = 0; k < BK; k++) {
    VECTOR(a[0]) = VECTOR(As[next][k][ty * TM / 2]);
    VECTOR(a[4]) = VECTOR(As[next][k][ty * TM / 2 + BM / 2]);
    VECTOR(b[0]) = VECTOR(Bs[next][k][tx * TN / 2]);
    VECTOR(b[4]) = VECTOR(Bs[next][k][tx * TN / 2 + BN / 2]);
#pragma unroll
    for (int i = 0; i < TM; i++)
#pragma unroll
      for (int j = 0; j < TN; j++)
        acc[i][j] += a[i] * b[j];
  }
  const int left = blockIdx.x * BN + tx * TN / 2;
#pragma unroll
  for (int half = 0; half < 2; half++)
#pragma unroll
    for (int i = 0; i < TM / 2; i++) {
      const int out =
          (blockIdx.y * BM + half * (BM / 2) + ty * TM / 2 + i) * N + left;
      VECTOR(C[out]) = VECTOR(acc[half * 4 + i][0]);
      VECTOR(C[out + BN / 2]) = VECTOR(acc[half * 4 + i][4]);
    }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{128, 128, 64}, check::Shape{256, 128, 40},
                         check::Shape{128, 128, 8}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    buffered_quads<<<dim3(s.n / 128, s.m / 128), dim3(16, 16)>>>(
        A.data(), B.data(), C.data(), s.n, s.k);
    test.expect("buffered_quads", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
