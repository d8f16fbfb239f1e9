// FORM: several contractions: three tiles, two sums, and an output for each
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is stored second is the difference of both sums.

#include "check.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void two_sums_two_outputs(const half *A, const half *B,
                                     const half *D, float *C, float *E, int M,
                                     int N, int K) {
  __shared__ half As[T][T], Bs[T][T], Ds[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  const half zero = __float2half(0.0f);
  float first = 0.0f, second = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : zero;
    const bool in = k0 + ty < K && col < N;
    Bs[ty][tx] = in ? B[(k0 + ty) * N + col] : zero;
    Ds[ty][tx] = in ? D[(k0 + ty) * N + col] : zero;
    __syncthreads();
    for (int k = 0; k < T; ++k) {
      first += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
      second += __half2float(As[ty][k]) * __half2float(Ds[k][tx]);
    }
    __syncthreads();
  }
  if (row < M && col < N) {
    C[row * N + col] = first;
    E[row * N + col] = second - first;
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{67, 88, 104},
                         check::Shape{130, 35, 61}, check::Shape{4, 6, 9}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n), D(s.k, s.n);
    check::Matrix<float> C(s.m, s.n), E(s.m, s.n);
    A.random(1);
    B.random(2);
    D.random(3);
    two_sums_two_outputs<<<dim3(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T)),
                           dim3(T, T)>>>(A.data(), B.data(), D.data(), C.data(),
                                         E.data(), s.m, s.n, s.k);
    check::Table first = check::product(s, A, B),
                 second = check::product(s, A, D);
    test.expect("first", s, C, first, A, B, D);
    test.expect(
        "second", s, E,
        [&](int m, int n) { return second(m, n) - first(m, n); }, A, B, D);
  }
  return test.finish();
}
