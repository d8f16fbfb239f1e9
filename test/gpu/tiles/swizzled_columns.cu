// FORM: shared-memory tiles: columns swizzled by hand, `c ^ r`
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instead of a column of padding: each row has its columns in another order, so
// that a column is spread over all banks. Zeros beyond the edges.

#include "check.h"

#define T 32

#pragma warpwright matmul
__global__ void __launch_bounds__(T *T)
    swizzled_columns(const float *A, const float *B, float *C, int M, int N,
                     int K) {
  __shared__ float As[T][T];
  __shared__ float Bs[T][T];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  float acc = 0.0f;
  for (int t = 0; t < (K + T - 1) / T; ++t) {
    const int ka = t * T + x, kb = t * T + y;
    As[y][x ^ y] = row < M && ka < K ? A[row * K + ka] : 0.0f;
    Bs[x][y ^ x] = kb < K && col < N ? B[kb * N + col] : 0.0f;
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < T; ++k)
      acc += As[y][k ^ y] * Bs[x][k ^ x];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{67, 45, 83},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    swizzled_columns<<<dim3(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T)),
                       dim3(T, T)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                     s.k);
    test.expect("swizzled_columns", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
