// FORM: register tiles: outputs strided by the number of threads
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Outputs of one thread lie 8 rows and 16 columns apart, so that neighbours
// stay neighbours.

#include "check.h"

constexpr int TX = 16, TY = 8, RM = 4, RN = 2, BK = 16;
constexpr int BM = TY * RM, BN = TX * RN;

#pragma warpwright matmul
__global__ void strided_by_thread(const float *A, const float *B, float *C,
                                  int M, int N, int K) {
  __shared__ float As[BM][BK + 1], Bs[BK][BN];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
  float acc[RM][RN] = {{0.0f}};
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = ty; i < BM; i += TY)
      As[i][tx] = m0 + i < M && k0 + tx < K ? A[(m0 + i) * K + k0 + tx] : 0.0f;
    for (int i = ty; i < BK; i += TY)
      for (int j = tx; j < BN; j += TX)
        Bs[i][j] = k0 + i < K && n0 + j < N ? B[(k0 + i) * N + n0 + j] : 0.0f;
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < RM; ++i)
        for (int j = 0; j < RN; ++j)
          acc[i][j] += As[ty + i * TY][k] * Bs[k][tx + j * TX];
    __syncthreads();
  }
  for (int i = 0; i < RM; ++i) {
    const int row = m0 + ty + i * TY;
    if (row >= M)
      break;
    for (int j = 0; j < RN; ++j) {
      const int col = n0 + tx + j * TX;
      if (col < N)
        C[row * N + col] = acc[i][j];
    }
  }
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
    strided_by_thread<<<dim3(check::ceilDiv(s.n, BN), check::ceilDiv(s.m, BM)),
                        dim3(TX, TY)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                        s.k);
    test.expect("strided_by_thread", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
