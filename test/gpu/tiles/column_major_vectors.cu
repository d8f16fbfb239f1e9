// FORM: register tiles: column-major matrices, 8 by 8 outputs in float4
// accumulators, everything by macros
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accumulators are cleared with memset; a macro adds a vector of A times
// one element of B. All of C is read before any of it is stored.

#include "check.h"

#define A_AT(i, j) A[(i) + (j) * lda]
#define B_AT(i, j) B[(i) + (j) * ldb]
#define C_AT(i, j) C[(i) + (j) * ldc]
#define LEFT(i, j) left[((j) << 7) + (i)]
#define RIGHT(i, j) right[((j) << 7) + (i)]
#define LOAD(to, from) to = *((float4 *)(from));
#define STORE(to, from) *((float4 *)(to)) = from;
#define ADD(sum, v, s)                                                         \
  sum.x += v.x * s;                                                            \
  sum.y += v.y * s;                                                            \
  sum.z += v.z * s;                                                            \
  sum.w += v.w * s;
#define ADD_COLUMN(j, s)                                                       \
  ADD(acc[2 * (j)], a1, s)                                                     \
  ADD(acc[2 * (j) + 1], a2, s)
#define LOAD_COLUMN(j)                                                         \
  LOAD(old[2 * (j)], &C_AT(row, col + (j)))                                    \
  LOAD(old[2 * (j) + 1], &C_AT(row + 4, col + (j)))
#define SCALE_COLUMN(j)                                                        \
  SCALE(acc[2 * (j)], old[2 * (j)])                                            \
  SCALE(acc[2 * (j) + 1], old[2 * (j) + 1])
#define STORE_COLUMN(j)                                                        \
  STORE(&C_AT(row, col + (j)), acc[2 * (j)])                                   \
  STORE(&C_AT(row + 4, col + (j)), acc[2 * (j) + 1])
#define SCALE(sum, c)                                                          \
  sum.x = alpha * sum.x + beta * c.x;                                          \
  sum.y = alpha * sum.y + beta * c.y;                                          \
  sum.z = alpha * sum.z + beta * c.z;                                          \
  sum.w = alpha * sum.w + beta * c.w;

#pragma warpwright matmul
__global__ void __launch_bounds__(256)
    column_major_vectors(int M, int N, int K, float alpha, float *A, float *B,
                         float beta, float *C) {
  int lda = M, ldb = K, ldc = M;
  int t = threadIdx.x;
  int aRow = (t & 31) << 2, aCol = t >> 5;
  int bRow = (t & 1) << 2, bCol = t >> 1;
  int row = (t & 15) << 3, col = (t >> 4) << 3;
  int aStep = lda << 3;
  A = &A_AT(blockIdx.x << 7, 0);
  B = &B_AT(0, blockIdx.y << 7);
  C = &C_AT(blockIdx.x << 7, blockIdx.y << 7);
  __shared__ float left[1024];
  __shared__ float right[1024];
  float4 a1, a2, b1, b2, old[16], acc[16];
  memset(acc, 0, sizeof(acc));
  for (int k0 = 0; k0 < K; k0 += 8) {
    LOAD(a1, &A_AT(aRow, aCol))
    LOAD(b1, &B_AT(bRow, bCol))((float4 *)left)[t] = a1;
    RIGHT(bCol, bRow) = b1.x;
    RIGHT(bCol, bRow + 1) = b1.y;
    RIGHT(bCol, bRow + 2) = b1.z;
    RIGHT(bCol, bRow + 3) = b1.w;
    A += aStep;
    B += 8;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      LOAD(a1, &LEFT(row, k))
      LOAD(a2, &LEFT(row + 4, k))
      LOAD(b1, &RIGHT(col, k))
      LOAD(b2, &RIGHT(col + 4, k))
      ADD_COLUMN(0, b1.x)
      ADD_COLUMN(1, b1.y)
      ADD_COLUMN(2, b1.z)
      ADD_COLUMN(3, b1.w)
      ADD_COLUMN(4, b2.x)
      ADD_COLUMN(5, b2.y)
      ADD_COLUMN(6, b2.z)
      ADD_COLUMN(7, b2.w)
    }
    __syncthreads();
  }
  LOAD_COLUMN(0)
  LOAD_COLUMN(1)
  LOAD_COLUMN(2)
  LOAD_COLUMN(3)
  LOAD_COLUMN(4)
  LOAD_COLUMN(5)
  LOAD_COLUMN(6)
  LOAD_COLUMN(7)
  SCALE_COLUMN(0)
  SCALE_COLUMN(1)
  SCALE_COLUMN(2)
  SCALE_COLUMN(3)
  SCALE_COLUMN(4)
  SCALE_COLUMN(5)
  SCALE_COLUMN(6)
  SCALE_COLUMN(7)
  STORE_COLUMN(0)
  STORE_COLUMN(1)
  STORE_COLUMN(2)
  STORE_COLUMN(3)
  STORE_COLUMN(4)
  STORE_COLUMN(5)
  STORE_COLUMN(6)
  STORE_COLUMN(7)
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{128, 128, 64}, check::Shape{256, 128, 40},
                         check::Shape{128, 128, 8}}) {
    check::Matrix<float> A(s.k, s.m), B(s.n, s.k);
    check::Matrix<float> C(s.n, s.m), before(s.n, s.m);
    A.random(1);
    B.random(2);
    C.random(3);
    before.random(3);
    column_major_vectors<<<dim3(s.m / 128, s.n / 128), 256>>>(
        s.m, s.n, s.k, 0.5f, A.data(), B.data(), 2.0f, C.data());
    check::Table sum = check::product(
        s, [&](int m, int k) { return A(k, m); },
        [&](int k, int n) { return B(n, k); });
    test.expect(
        "column_major_vectors", s, C,
        [&](int n, int m) { return 0.5 * sum(m, n) + 2.0 * before(n, m); }, A,
        B);
  }
  return test.finish();
}
