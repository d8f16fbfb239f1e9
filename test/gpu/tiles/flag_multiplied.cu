// FORM: shared-memory tiles: zero fill by multiplying with a flag, the index
// clamped
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lies outside is read elsewhere and multiplied by zero.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void flag_multiplied(const float *A, const float *B, float *C, int M,
                                int N, int K) {
  __shared__ float As[T][T];
  __shared__ float Bs[T][T];
  const int row = blockIdx.y * T + threadIdx.y;
  const int col = blockIdx.x * T + threadIdx.x;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    const int ka = k0 + threadIdx.x, kb = k0 + threadIdx.y;
    const bool in_a = row < M && ka < K, in_b = kb < K && col < N;
    As[threadIdx.y][threadIdx.x] = A[in_a ? row * K + ka : 0] * (float)in_a;
    Bs[threadIdx.y][threadIdx.x] = B[in_b ? kb * N + col : 0] * (float)in_b;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
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
    flag_multiplied<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                      dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                      s.k);
    test.expect("flag_multiplied", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
