// FORM: shared-memory tiles: columns shifted by the row, (tx + ty) % T
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the place of padding, A transposed on the way in.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void shifted_columns(const half *A, const half *B, float *C, int M,
                                int N, int K) {
  __shared__ half As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int t = 0; t < (K + T - 1) / T; ++t) {
    As[tx][(ty + tx) % T] =
        row < M && t * T + tx < K ? A[row * K + t * T + tx] : half(0);
    Bs[ty][(tx - 2 * ty) & (T - 1)] =
        t * T + ty < K && col < N ? B[(t * T + ty) * N + col] : half(0);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[k][(ty + k) % T]) *
             __half2float(Bs[k][(tx - 2 * k) & (T - 1)]);
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 40, 96},
                         check::Shape{3, 8, 8}, check::Shape{1, 1, 1}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    shifted_columns<<<dim3(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T)),
                      dim3(T, T)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                    s.k);
    test.expect("shifted_columns", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
