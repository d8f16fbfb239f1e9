// FORM: shared-memory tiles: panels of blocks, every other one from the last
// row to the first
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// blockIdx.z counts panels of columns. Blocks beyond the matrix return before
// the first barrier.

#include "check.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void panels_to_and_fro(const half *A, const half *B, float *C, int M,
                                  int N, int K) {
  __shared__ half As[T][T], Bs[T][T];
  const int by = blockIdx.z % 2 ? gridDim.y - blockIdx.y - 1 : blockIdx.y;
  const int bx = blockIdx.z * gridDim.x + blockIdx.x;
  if (by >= M / T || bx >= N / T)
    return;
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = by * T + y, col = bx * T + x;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[y][x] = A[row * K + k0 + x];
    Bs[y][x] = B[(k0 + y) * N + col];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[y][k]) * __half2float(Bs[k][x]);
    __syncthreads();
  }
  C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{96, 80, 64}, check::Shape{16, 48, 32}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    const int panels = 3;
    panels_to_and_fro<<<dim3(check::ceilDiv(s.n / T, panels), s.m / T, panels),
                        dim3(T, T)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                      s.k);
    test.expect("panels_to_and_fro", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
