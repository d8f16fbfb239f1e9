// FORM: launches: through a function pointer, passed to a host function
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A host function launches whichever kernel it is given.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void launch_pointer(const half *A, const half *B, float *C, int M,
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

using Kernel = void (*)(const half *, const half *, float *, int, int, int);

static void run(Kernel kernel, check::Shape s, const half *A, const half *B,
                float *C) {
  kernel<<<dim3(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T)), dim3(T, T)>>>(
      A, B, C, s.m, s.n, s.k);
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
    run(launch_pointer, s, A.data(), B.data(), C.data());
    test.expect("launch_pointer", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
