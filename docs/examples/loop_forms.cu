// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reduction as a while loop, counting down, and by pointers that walk.
// The pragma may stand before the kernel or before the loop itself.
//
// EXPECT-LOG: hopper if k > 0

#include "check.h"

#pragma warpwright matmul
__global__ void matmul_while(const half *A, const half *B, half *C, int M,
                             int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    int k = 0;
    while (k < K) {
      sum += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
      k++;
    }
    C[row * N + col] = __float2half(sum);
  }
}

__global__ void matmul_down(const half *A, const half *B, half *C, int M, int N,
                            int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
#pragma warpwright matmul
    for (int k = K - 1; k >= 0; --k)
      sum += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    C[row * N + col] = __float2half(sum);
  }
}

__global__ void matmul_pointers(const half *A, const half *B, half *C, int M,
                                int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  const half *a = A + row * K;
  const half *b = B + col;
  float sum = 0.0f;
#pragma unroll 4
#pragma warpwright matmul
  for (int k = 0; k < K; ++k) {
    sum += __half2float(*a++) * __half2float(*b);
    b += N;
  }
  *(C + row * N + col) = __float2half(sum);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : test.shapes()) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    A.random(17);
    B.random(18);
    check::Table sum = check::product(s, A, B);
    dim3 block(16, 16);
    dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));

    check::Matrix<half> C(s.m, s.n);
    matmul_while<<<grid, block>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("matmul_while", s, C, sum, A, B);

    check::Matrix<half> D(s.m, s.n);
    matmul_down<<<grid, block>>>(A.data(), B.data(), D.data(), s.m, s.n, s.k);
    test.expect("matmul_down", s, D, sum, A, B);

    check::Matrix<half> E(s.m, s.n);
    matmul_pointers<<<grid, block>>>(A.data(), B.data(), E.data(), s.m, s.n,
                                     s.k);
    test.expect("matmul_pointers", s, E, sum, A, B);
  }
  return test.finish();
}
