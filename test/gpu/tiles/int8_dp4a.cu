// FORM: integers: four products of 8 bits at a time, by __dp4a, words of bytes
// and char4, also in tiles
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// K is given in words, or is a multiple of 4.

#include "check.h"

#define PLACE                                                                  \
  const int row = blockIdx.y * blockDim.y + threadIdx.y;                       \
  const int col = blockIdx.x * blockDim.x + threadIdx.x;                       \
  if (row >= M || col >= N)                                                    \
    return;

#pragma warpwright matmul
__global__ void dp4a_words(const int *A, const int *B, int *C, int M, int N,
                           int K4) {
  PLACE
  int acc = 0;
  for (int k = 0; k < K4; ++k)
    acc = __dp4a(A[row * K4 + k], B[col * K4 + k], acc);
  C[row * N + col] = acc;
}

#pragma warpwright matmul
__global__ void dp4a_unsigned(const unsigned *A, const unsigned *B, unsigned *C,
                              int M, int N, int K4) {
  PLACE
  unsigned acc = 0;
  for (int k = 0; k < K4; ++k)
    acc = __dp4a(A[row * K4 + k], B[col * K4 + k], acc);
  C[row * N + col] = acc;
}

#pragma warpwright matmul
__global__ void four_bytes(const char4 *A, const char4 *B, int *C, int M, int N,
                           int K4) {
  PLACE
  int acc = 0;
  for (int k = 0; k < K4; ++k) {
    const char4 a = A[row * K4 + k], b = B[col * K4 + k];
    acc += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  }
  C[row * N + col] = acc;
}

constexpr int T = 16;

#pragma warpwright matmul
__global__ void tiles_of_words(const int *A, const int *B, int *C, int M, int N,
                               int K4) {
  __shared__ int As[T][T + 1], Bs[T][T + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  const int first = blockIdx.x * T;
  int acc = 0;
  for (int k0 = 0; k0 < K4; k0 += T) {
    As[ty][tx] = row < M && k0 + tx < K4 ? A[row * K4 + k0 + tx] : 0;
    Bs[ty][tx] =
        first + ty < N && k0 + tx < K4 ? B[(first + ty) * K4 + k0 + tx] : 0;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc = __dp4a(As[ty][k], Bs[tx][k], acc);
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{144, 112, 272},
                         check::Shape{128, 64, 128}, check::Shape{67, 45, 84},
                         check::Shape{3, 5, 8}, check::Shape{1, 1, 4}}) {
    check::Matrix<signed char> A(s.m, s.k), B(s.n, s.k);
    check::Matrix<unsigned char> UA(s.m, s.k), UB(s.n, s.k);
    check::Matrix<int> C(s.m, s.n), D(s.m, s.n), E(s.m, s.n);
    check::Matrix<unsigned> U(s.m, s.n);
    A.integers(1, 127), B.integers(2, 127);
    UA.integers(3, 127), UB.integers(4, 127);
    const dim3 grid(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T));
    const dim3 block(T, T);
    const auto words = [](auto &matrix) {
      return reinterpret_cast<const int *>(matrix.data());
    };
    dp4a_words<<<grid, block>>>(words(A), words(B), C.data(), s.m, s.n,
                                s.k / 4);
    dp4a_unsigned<<<grid, block>>>(
        reinterpret_cast<const unsigned *>(UA.data()),
        reinterpret_cast<const unsigned *>(UB.data()), U.data(), s.m, s.n,
        s.k / 4);
    four_bytes<<<grid, block>>>(reinterpret_cast<const char4 *>(A.data()),
                                reinterpret_cast<const char4 *>(B.data()),
                                D.data(), s.m, s.n, s.k / 4);
    tiles_of_words<<<grid, block>>>(words(A), words(B), E.data(), s.m, s.n,
                                    s.k / 4);
    check::Table sum = check::product(
        s, [&](int m, int k) { return A(m, k); },
        [&](int k, int n) { return B(n, k); });
    check::Table of_unsigned = check::product(
        s, [&](int m, int k) { return UA(m, k); },
        [&](int k, int n) { return UB(n, k); });
    test.expect("dp4a_words", s, C, sum, A, B);
    test.expect("dp4a_unsigned", s, U, of_unsigned, UA, UB);
    test.expect("four_bytes", s, D, sum, A, B);
    test.expect("tiles_of_words", s, E, sum, A, B);
  }
  return test.finish();
}
