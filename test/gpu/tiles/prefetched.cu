// FORM: shared-memory tiles: register prefetch before the second barrier
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The next tile waits in registers while this one is multiplied.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void prefetched(const float *A, const float *B, float *C, int M,
                           int N, int K) {
  __shared__ float As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float nextA = row < M && tx < K ? A[row * K + tx] : 0.0f;
  float nextB = ty < K && col < N ? B[ty * N + col] : 0.0f;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = nextA;
    Bs[ty][tx] = nextB;
    __syncthreads();
    const int ka = k0 + T + tx, kb = k0 + T + ty;
    nextA = row < M && ka < K ? A[row * K + ka] : 0.0f;
    nextB = kb < K && col < N ? B[kb * N + col] : 0.0f;
    for (int k = 0; k < T; ++k)
      acc += As[ty][k] * Bs[k][tx];
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
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    prefetched<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                 dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("prefetched", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
