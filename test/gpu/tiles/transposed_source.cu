// FORM: shared-memory tiles: transposed on the way in, from a column-major A
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A is stored with its columns contiguous: threads along x read along m and
// turn the tile.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void transposed_source(const half *A, const half *B, float *C, int M,
                                  int N, int K) {
  __shared__ half As[T][T + 2], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  const int source = blockIdx.y * T + tx;
  float acc = 0.0f;
  for (int t = 0; t * T < K; ++t) {
    const int k = t * T + ty;
    As[tx][ty] = source < M && k < K ? A[k * M + source] : half(0.0f);
    Bs[ty][tx] = col < N && k < K ? B[k * N + col] : half(0.0f);
    __syncthreads();
    for (int i = 0; i < T; ++i)
      acc += float(As[ty][i]) * float(Bs[i][tx]);
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
    check::Matrix<half> A(s.k, s.m), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    transposed_source<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                        dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                        s.k);
    test.expect(
        "transposed_source", s, C,
        check::product(s, [&](int m, int k) { return A(k, m); }, B), A, B);
  }
  return test.finish();
}
