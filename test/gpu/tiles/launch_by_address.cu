// FORM: launches: cudaLaunchKernel by address
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's C entry point gets the kernel's address.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void launch_by_address(const half *A, const half *B, float *C, int M,
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
    C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    const half *a = A.data(), *b = B.data();
    float *c = C.data();
    void *arguments[] = {&a, &b, &c, &s.m, &s.n, &s.k};
    CUDA_CHECK(
        cudaLaunchKernel((const void *)launch_by_address,
                         dim3(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T)),
                         dim3(T, T), arguments, 0, nullptr));
    test.expect("launch_by_address", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
