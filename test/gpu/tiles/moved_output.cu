// FORM: outputs: the output's pointer moves by a row in the last loop
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Column-major, 64 rows of a block of 64 threads, 16 columns of a thread.

#include "check.h"

#pragma warpwright matmul
__global__ void moved_output(const float *A, int lda, const float *B, int ldb,
                             float *C, int ldc, int k, float alpha,
                             float beta) {
  const int x = threadIdx.x, y = threadIdx.y, id = x + y * 16;
  A += blockIdx.x * 64 + id;
  B += blockIdx.y * 16 + x + y * ldb;
  C += blockIdx.x * 64 + id + blockIdx.y * 16 * ldc;
  const float *last = B + k * ldb;
  float c[16] = {0};
  do {
    __shared__ float tile[4][16];
    const float a[4] = {A[0], A[lda], A[2 * lda], A[3 * lda]};
    tile[y][x] = B[0];
    __syncthreads();
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 16; ++j)
        c[j] += a[i] * tile[i][j];
    A += 4 * lda;
    B += 4 * ldb;
    __syncthreads();
  } while (B < last);
  for (int j = 0; j < 16; ++j, C += ldc)
    C[0] = alpha * c[j] + beta * C[0];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  // As it lies in memory, C is N x M, and the product of B by A.
  for (check::Shape s : {check::Shape{64, 64, 64}, check::Shape{16, 128, 32},
                         check::Shape{48, 64, 4}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> At(s.k, s.m), C(s.m, s.n), before(s.m, s.n);
    A.random(1);
    B.random(2);
    C.random(3);
    before.random(3);
    for (int m = 0; m < s.m; ++m)
      for (int k = 0; k < s.k; ++k)
        At.set(k, m, A(m, k));
    At.upload();
    moved_output<<<dim3(s.n / 64, s.m / 16), dim3(16, 4)>>>(
        B.data(), s.n, At.data(), s.m, C.data(), s.n, s.k, 1.5f, 0.5f);
    check::Table sum = check::product(s, A, B);
    test.expect(
        "moved_output", s, C,
        [&](int m, int n) { return 1.5f * sum(m, n) + 0.5f * before(m, n); }, A,
        B);
  }
  return test.finish();
}
