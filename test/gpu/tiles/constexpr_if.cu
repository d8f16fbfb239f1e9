// FORM: surface: if constexpr
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guards and activation are compiled in or out.

#include "check.h"

#pragma warpwright matmul
template <int T, bool Guarded, bool Relu>
__global__ void constexpr_if(const float *A, const float *B, float *C, int M,
                             int N, int K) {
  __shared__ float As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    if constexpr (Guarded) {
      As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
      Bs[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
    } else {
      As[ty][tx] = A[row * K + k0 + tx];
      Bs[ty][tx] = B[(k0 + ty) * N + col];
    }
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if constexpr (Relu)
    acc = acc > 0.0f ? acc : 0.0f;
  if constexpr (Guarded) {
    if (row >= M || col >= N)
      return;
  }
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
    const dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
        block(16, 16);
    const bool relu = s.m % 16 == 0 && s.n % 16 == 0 && s.k % 16 == 0;
    if (relu)
      constexpr_if<16, false, true>
          <<<grid, block>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    else
      constexpr_if<16, true, false>
          <<<grid, block>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    check::Table sum = check::product(s, A, B);
    test.expect(
        "constexpr_if", s, C,
        [&](int m, int n) {
          return relu ? std::fmax(sum(m, n), 0.0) : sum(m, n);
        },
        A, B);
  }
  return test.finish();
}
