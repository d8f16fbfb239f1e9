// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices of every width: size_t, unsigned, and 64-bit row offsets.
//
// EXPECT-LOG: hopper if k > 0

#include "check.h"

#pragma warpwright matmul
__global__ void matmul_size_t(const half *A, const half *B, half *C, size_t M,
                              size_t N, size_t K) {
  size_t row = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
  size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (size_t k = 0; k < K; ++k)
      sum += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    C[row * N + col] = __float2half(sum);
  }
}

#pragma warpwright matmul
__global__ void matmul_unsigned(const half *A, const half *B, half *C,
                                unsigned M, unsigned N, unsigned K) {
  const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  for (unsigned k = 0u; k < K; ++k)
    sum += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = __float2half(sum);
}

#pragma warpwright matmul
__global__ void matmul_int64(const half *A, const half *B, half *C, int M,
                             int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  const int64_t a0 = static_cast<int64_t>(row) * K;
  float sum = 0.0f;
  for (int64_t k = 0; k < K; ++k)
    sum += __half2float(A[a0 + k]) * __half2float(B[k * N + col]);
  C[static_cast<int64_t>(row) * N + col] = __float2half(sum);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : test.shapes()) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    A.random(61);
    B.random(62);
    check::Table sum = check::product(s, A, B);
    dim3 block(16, 16);
    dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));

    check::Matrix<half> C(s.m, s.n);
    matmul_size_t<<<grid, block>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("matmul_size_t", s, C, sum, A, B);

    check::Matrix<half> D(s.m, s.n);
    matmul_unsigned<<<grid, block>>>(A.data(), B.data(), D.data(), s.m, s.n,
                                     s.k);
    test.expect("matmul_unsigned", s, D, sum, A, B);

    check::Matrix<half> E(s.m, s.n);
    matmul_int64<<<grid, block>>>(A.data(), B.data(), E.data(), s.m, s.n, s.k);
    test.expect("matmul_int64", s, E, sum, A, B);
  }
  return test.finish();
}
