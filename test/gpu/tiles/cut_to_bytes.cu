// FORM: operand prologues: a tile of signed bytes, to which elements are cut
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tile holds signed bytes, to which the operand is cut.

#include "check.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void cut_to_bytes(const half *A, const half *B, float *C, int M,
                             int N, int K) {
  __shared__ signed char As[T][T];
  __shared__ half Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = (signed char)(3.7f * __half2float(A[row * K + k0 + tx]));
    Bs[ty][tx] =
        k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : __float2half(0.0f);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += (float)As[ty][k] * __half2float(Bs[k][tx]);
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  // Rows and columns of whole tiles: A is read without a guard.
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{144, 80, 112},
                         check::Shape{16, 16, 16}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.integers(1);
    B.random(2);
    cut_to_bytes<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                   dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("cut_to_bytes", s, C,
                check::product(
                    s,
                    [&](int m, int k) {
                      return std::trunc(double(3.7f * float(A(m, k))));
                    },
                    B),
                A, B);
  }
  return test.finish();
}
