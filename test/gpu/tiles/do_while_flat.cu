// FORM: register tiles: one-dimensional buffers and fragments that take turns,
// in a do-while loop, alpha and beta
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first fragments of the next tile are read only where there is a next
// tile; the last ones of this tile lie in the half of BK - 1.

#include "check.h"

#define AT(row, col, pitch) ((row) * (pitch) + (col))
#define FOUR(element) (reinterpret_cast<float4 *>(&(element))[0])

#pragma warpwright matmul
template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void do_while_flat(int M, int N, int K, float alpha, float *A,
                              float *B, float beta, float *C) {
  const int across = BN / TN, threads = across * (BM / TM);
  const int col = threadIdx.x % across * TN, row = threadIdx.x / across * TM;
  __shared__ float sa[2][BK * BM];
  __shared__ float sb[2][BK * BN];
  const int aVectors = BK * BM / threads / 4, bVectors = BK * BN / threads / 4;
  const int ar = threadIdx.x / (BK / 4), ac = threadIdx.x % (BK / 4) * 4;
  const int br = threadIdx.x / (BN / 4), bc = threadIdx.x % (BN / 4) * 4;
  const int aStep = BM / aVectors, bStep = BK / bVectors;
  float acc[TM][TN] = {0.};
  float aNext[4 * aVectors] = {0.}, bNext[4 * bVectors] = {0.};
  float a[2][TM], b[2][TN];
  A = &A[blockIdx.y * BM * K];
  B = &B[blockIdx.x * BN];
  C = &C[blockIdx.y * BM * N + blockIdx.x * BN];
#pragma unroll
  for (int i = 0; i < BM; i += aStep) {
    int v = i / aStep * 4;
    FOUR(aNext[v]) = FOUR(A[AT(ar + i, ac, K)]);
    sa[0][AT(ac, i + ar, BM)] = aNext[v];
    sa[0][AT(ac + 1, i + ar, BM)] = aNext[v + 1];
    sa[0][AT(ac + 2, i + ar, BM)] = aNext[v + 2];
    sa[0][AT(ac + 3, i + ar, BM)] = aNext[v + 3];
  }
#pragma unroll
  for (int i = 0; i < BK; i += bStep)
    FOUR(sb[0][AT(br + i, bc, BN)]) = FOUR(B[AT(br + i, bc, N)]);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < TM; i += 4)
    FOUR(a[0][i]) = FOUR(sa[0][AT(0, row + i, BM)]);
#pragma unroll
  for (int j = 0; j < TN; j += 4)
    FOUR(b[0][j]) = FOUR(sb[0][AT(0, col + j, BN)]);
  int write = 1, read, k0 = 0;
  do {
    k0 += BK;
    if (k0 < K) {
#pragma unroll
      for (int i = 0; i < BM; i += aStep)
        FOUR(aNext[i / aStep * 4]) = FOUR(A[AT(ar + i, k0 + ac, K)]);
#pragma unroll
      for (int i = 0; i < BK; i += bStep)
        FOUR(bNext[i / bStep * 4]) = FOUR(B[AT(k0 + br + i, bc, N)]);
    }
    read = write ^ 1;
#pragma unroll
    for (int k = 0; k < BK - 1; k++) {
      for (int i = 0; i < TM; i += 4)
        FOUR(a[(k + 1) % 2][i]) = FOUR(sa[read][AT(k + 1, row + i, BM)]);
#pragma unroll
      for (int j = 0; j < TN; j += 4)
        FOUR(b[(k + 1) % 2][j]) = FOUR(sb[read][AT(k + 1, col + j, BN)]);
#pragma unroll
      for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++)
          acc[i][j] += a[k % 2][i] * b[k % 2][j];
    }
    if (k0 < K) {
#pragma unroll
      for (int i = 0; i < BM; i += aStep) {
        int v = i / aStep * 4;
        sa[write][AT(ac, i + ar, BM)] = aNext[v];
        sa[write][AT(ac + 1, i + ar, BM)] = aNext[v + 1];
        sa[write][AT(ac + 2, i + ar, BM)] = aNext[v + 2];
        sa[write][AT(ac + 3, i + ar, BM)] = aNext[v + 3];
      }
#pragma unroll
      for (int i = 0; i < BK; i += bStep)
        FOUR(sb[write][AT(br + i, bc, BN)]) = FOUR(bNext[i / bStep * 4]);
      __syncthreads();
#pragma unroll
      for (int i = 0; i < TM; i += 4)
        FOUR(a[0][i]) = FOUR(sa[write][AT(0, row + i, BM)]);
#pragma unroll
      for (int j = 0; j < TN; j += 4)
        FOUR(b[0][j]) = FOUR(sb[write][AT(0, col + j, BN)]);
      write ^= 1;
    }
#pragma unroll
    for (int i = 0; i < TM; i++)
#pragma unroll
      for (int j = 0; j < TN; j++)
        acc[i][j] += a[(BK - 1) % 2][i] * b[(BK - 1) % 2][j];
  } while (k0 < K);
#pragma unroll
  for (int i = 0; i < TM; i++)
#pragma unroll
    for (int j = 0; j < TN; j += 4) {
      float4 c = FOUR(C[AT(row + i, col + j, N)]);
      c.x = alpha * acc[i][j] + beta * c.x;
      c.y = alpha * acc[i][j + 1] + beta * c.y;
      c.z = alpha * acc[i][j + 2] + beta * c.z;
      c.w = alpha * acc[i][j + 3] + beta * c.w;
      FOUR(C[AT(row + i, col + j, N)]) = c;
    }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{96, 64, 104},
                         check::Shape{32, 32, 16}, check::Shape{32, 32, 8}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n), before(s.m, s.n);
    A.random(1);
    B.random(2);
    C.random(3);
    before.random(3);
    do_while_flat<32, 32, 8, 4, 4><<<dim3(s.n / 32, s.m / 32), 64>>>(
        s.m, s.n, s.k, 0.5f, A.data(), B.data(), 2.0f, C.data());
    check::Table sum = check::product(s, A, B);
    test.expect(
        "do_while_flat", s, C,
        [&](int m, int n) { return 0.5 * sum(m, n) + 2.0 * before(m, n); }, A,
        B);
  }
  return test.finish();
}
