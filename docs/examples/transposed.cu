// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stored the other way round: A by columns, B by columns, both.
//
// EXPECT-LOG matmul_tn: hopper if k > 0
// EXPECT-LOG matmul_nt: hopper if k > 0
// EXPECT-LOG matmul_tt: hopper if k > 0

#include "check.h"

// C = A^T B with A stored k by m.
#pragma warpwright matmul
__global__ void matmul_tn(const half *A, const half *B, half *C, int M, int N,
                          int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
      sum += __half2float(A[k * M + row]) * __half2float(B[k * N + col]);
    C[row * N + col] = __float2half(sum);
  }
}

// C = A B^T with B stored n by k.
#pragma warpwright matmul
__global__ void matmul_nt(const half *A, const half *B, half *C, int M, int N,
                          int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
      sum += __half2float(A[row * K + k]) * __half2float(B[col * K + k]);
    C[row * N + col] = __float2half(sum);
  }
}

// C = A^T B^T.
#pragma warpwright matmul
__global__ void matmul_tt(const half *A, const half *B, half *C, int M, int N,
                          int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
      sum += __half2float(A[k * M + row]) * __half2float(B[col * K + k]);
    C[row * N + col] = __float2half(sum);
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : test.shapes()) {
    check::Matrix<half> A(s.m, s.k), At(s.k, s.m), B(s.k, s.n), Bt(s.n, s.k);
    A.random(43);
    At.random(44);
    B.random(45);
    Bt.random(46);
    auto a = [&](int m, int k) { return At(k, m); };
    auto b = [&](int k, int n) { return Bt(n, k); };
    dim3 block(16, 16);
    dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));

    check::Matrix<half> C(s.m, s.n);
    matmul_tn<<<grid, block>>>(At.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("matmul_tn", s, C, check::product(s, a, B), At, B);

    check::Matrix<half> D(s.m, s.n);
    matmul_nt<<<grid, block>>>(A.data(), Bt.data(), D.data(), s.m, s.n, s.k);
    test.expect("matmul_nt", s, D, check::product(s, A, b), A, Bt);

    check::Matrix<half> E(s.m, s.n);
    matmul_tt<<<grid, block>>>(At.data(), Bt.data(), E.data(), s.m, s.n, s.k);
    test.expect("matmul_tt", s, E, check::product(s, a, b), At, Bt);
  }
  return test.finish();
}
