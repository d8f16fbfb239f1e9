// FORM: shared-memory tiles: XOR-swizzled by hand
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each row of a tile is stored with its columns exchanged: column c of row r
// lies at c xor r.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void swizzled(const float *A, const float *B, float *C, int M, int N,
                         int K) {
  __shared__ float As[T * T];
  __shared__ float Bs[T * T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int t = 0; t < (K + T - 1) / T; ++t) {
    const int ka = t * T + tx, kb = t * T + ty;
    As[ty * T + (tx ^ ty)] = row < M && ka < K ? A[row * K + ka] : 0.0f;
    Bs[ty * T + (tx ^ ty)] = kb < K && col < N ? B[kb * N + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += As[ty * T + (k ^ ty)] * Bs[k * T + (tx ^ k)];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    swizzled<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
               dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("swizzled", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
