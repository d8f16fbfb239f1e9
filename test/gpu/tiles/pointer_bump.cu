// FORM: shared-memory tiles: K loop by pointer bump, A += T and B += T * N
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operand pointers walk along k.

#include "check.h"

#pragma warpwright matmul
template <int T>
__global__ void pointer_bump(int M, int N, int K, float alpha, const half *A,
                             const half *B, float beta, float *C) {
  __shared__ half As[T * T], Bs[T * T];
  const int c = threadIdx.x % T, r = threadIdx.x / T;
  A += blockIdx.x * T * K;
  B += blockIdx.y * T;
  C += blockIdx.x * T * N + blockIdx.y * T;
  float acc = 0.0f;
  for (int done = 0; done < K; done += T) {
    As[r * T + c] = A[r * K + c];
    Bs[r * T + c] = B[r * N + c];
    __syncthreads();
    A += T;
    B += T * N;
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[r * T + k]) * __half2float(Bs[k * T + c]);
    __syncthreads();
  }
  C[r * N + c] = alpha * acc + beta * C[r * N + c];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 64, 96},
                         check::Shape{32, 32, 160}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n), before(s.m, s.n);
    A.random(1);
    B.random(2);
    C.random(3);
    before.random(3);
    pointer_bump<16><<<dim3(s.m / 16, s.n / 16), 256>>>(
        s.m, s.n, s.k, 1.5f, A.data(), B.data(), 0.5f, C.data());
    check::Table sum = check::product(s, A, B);
    test.expect(
        "pointer_bump", s, C,
        [&](int m, int n) { return 1.5 * sum(m, n) + 0.5 * before(m, n); }, A,
        B);
  }
  return test.finish();
}
