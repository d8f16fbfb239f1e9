// FORM: SGEMM tutorial, step 3: shared-memory tiles, flat, pointer bump
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The third step: one tile each in shared memory.

#include "check.h"

#pragma warpwright matmul
template <const int SIDE>
__global__ void sgemm_3_shared(int M, int N, int K, float alpha, const float *A,
                               const float *B, float beta, float *C) {
  __shared__ float tileA[SIDE * SIDE];
  __shared__ float tileB[SIDE * SIDE];
  const unsigned blockRow = blockIdx.x, blockCol = blockIdx.y;
  const unsigned col = threadIdx.x % SIDE, row = threadIdx.x / SIDE;
  A += blockRow * SIDE * K;
  B += blockCol * SIDE;
  C += blockRow * SIDE * N + blockCol * SIDE;
  float dot = 0.0f;
  for (int tile = 0; tile < K; tile += SIDE) {
    tileA[row * SIDE + col] = A[row * K + col];
    tileB[row * SIDE + col] = B[row * N + col];
    __syncthreads();
    A += SIDE;
    B += SIDE * N;
    for (int k = 0; k < SIDE; ++k)
      dot += tileA[row * SIDE + k] * tileB[k * SIDE + col];
    __syncthreads();
  }
  C[row * N + col] = alpha * dot + beta * C[row * N + col];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 64, 96},
                         check::Shape{32, 32, 160}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n), before(s.m, s.n);
    A.random(1);
    B.random(2);
    C.random(3);
    before.random(3);
    sgemm_3_shared<16><<<dim3(s.m / 16, s.n / 16), 256>>>(
        s.m, s.n, s.k, 2.0f, A.data(), B.data(), -1.0f, C.data());
    check::Table sum = check::product(s, A, B);
    test.expect(
        "sgemm_3_shared", s, C,
        [&](int m, int n) { return 2.0 * sum(m, n) - before(m, n); }, A, B);
  }
  return test.finish();
}
