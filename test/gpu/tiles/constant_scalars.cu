// FORM: surface: __constant__ scalars
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Alpha and beta lie in constant memory; the host sets them before each launch.

#include "check.h"

__constant__ float alpha, beta;

#define T 16

#pragma warpwright matmul
__global__ void constant_scalars(const half *A, const half *B, float *C, int M,
                                 int N, int K) {
  __shared__ half As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : half(0);
    Bs[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : half(0);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = alpha * acc + beta * C[row * N + col];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  float a = 1.5f, b = 0.5f;
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n), before(s.m, s.n);
    A.random(1);
    B.random(2);
    C.random(3);
    before.random(3);
    a = -a - 0.25f;
    b = 1.0f - b;
    CUDA_CHECK(cudaMemcpyToSymbol(alpha, &a, sizeof a));
    CUDA_CHECK(cudaMemcpyToSymbol(beta, &b, sizeof b));
    constant_scalars<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                       dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                       s.k);
    check::Table sum = check::product(s, A, B);
    test.expect(
        "constant_scalars", s, C,
        [&](int m, int n) { return a * sum(m, n) + b * before(m, n); }, A, B);
  }
  return test.finish();
}
