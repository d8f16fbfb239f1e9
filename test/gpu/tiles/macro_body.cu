// FORM: surface: macro bodies, the indices and the inner product are macros
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel does is in macros.

#include "check.h"

#define T 16
#define ROW (blockIdx.y * T + threadIdx.y)
#define COL (blockIdx.x * T + threadIdx.x)
#define AT(p, r, c, w) p[(r) * (w) + (c)]
#define STAGE(k0)                                                              \
  As[threadIdx.y][threadIdx.x] = AT(A, ROW, (k0) + threadIdx.x, K);            \
  Bs[threadIdx.y][threadIdx.x] = AT(B, (k0) + threadIdx.y, COL, N);            \
  __syncthreads()
#define MULTIPLY                                                               \
  for (int k = 0; k < T; ++k)                                                  \
    acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];                            \
  __syncthreads()

#pragma warpwright matmul
__global__ void macro_body(const float *A, const float *B, float *C, int N,
                           int K) {
  __shared__ float As[T][T], Bs[T][T];
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    STAGE(k0);
    MULTIPLY;
  }
  AT(C, ROW, COL, N) = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 64, 96},
                         check::Shape{32, 32, 160}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    macro_body<<<dim3(s.n / T, s.m / T), dim3(T, T)>>>(A.data(), B.data(),
                                                       C.data(), s.n, s.k);
    test.expect("macro_body", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
