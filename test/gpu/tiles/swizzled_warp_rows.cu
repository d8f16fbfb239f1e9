// FORM: shared-memory tiles: groups of four columns moved by the row's bits
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `c ^ (k & 3) << 3` for the tile of B, which is read along n: k decides where
// a row's groups of eight are. Outputs 16 columns apart.

#include "check.h"

constexpr int BM = 16, BN = 32, BK = 16;

#pragma warpwright matmul
__global__ void swizzled_warp_rows(const float *A, const float *B, float *C,
                                   int M, int N, int K) {
  __shared__ float As[BM][BK + 1];
  __shared__ float Bs[BK][BN];
  const int x = threadIdx.x, y = threadIdx.y;
  float acc0 = 0.0f, acc1 = 0.0f;
  const int row = blockIdx.y * BM + y, col = blockIdx.x * BN + x;
  for (int k0 = 0; k0 < K; k0 += BK) {
    As[y][x] = row < M && k0 + x < K ? A[row * K + k0 + x] : 0.0f;
    for (int c = x; c < BN; c += 16)
      Bs[y][c ^ ((y & 3) << 3)] = k0 + y < K && blockIdx.x * BN + c < N
                                      ? B[(k0 + y) * N + blockIdx.x * BN + c]
                                      : 0.0f;
    __syncthreads();
    for (int k = 0; k < BK; ++k) {
      acc0 += As[y][k] * Bs[k][x ^ ((k & 3) << 3)];
      acc1 += As[y][k] * Bs[k][(x + 16) ^ ((k & 3) << 3)];
    }
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc0;
  if (row < M && col + 16 < N)
    C[row * N + col + 16] = acc1;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{67, 45, 83},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    swizzled_warp_rows<<<dim3(check::ceilDiv(s.n, BN), check::ceilDiv(s.m, BM)),
                         dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                         s.k);
    test.expect("swizzled_warp_rows", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
