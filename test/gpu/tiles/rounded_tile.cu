// FORM: operand prologues: tiles of half from operands of float
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float operands are rounded to half in the tile.

#include "check.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void rounded_tile(const float *A, const float *B, float *C, int M,
                             int N, int K) {
  __shared__ half As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = row < M && k0 + tx < K ? __float2half(A[row * K + k0 + tx])
                                        : __float2half(0.0f);
    Bs[ty][tx] = k0 + ty < K && col < N ? __float2half(B[(k0 + ty) * N + col])
                                        : __float2half(0.0f);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
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
    rounded_tile<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                   dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    const auto rounded = [](double x) {
      return double(__half2float(__float2half(float(x))));
    };
    test.expect("rounded_tile", s, C,
                check::product(
                    s, [&](int m, int k) { return rounded(A(m, k)); },
                    [&](int k, int n) { return rounded(B(k, n)); }),
                A, B);
  }
  return test.finish();
}
