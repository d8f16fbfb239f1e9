// FORM: register tiles: float4 fill whose column is chosen by the parity of
// the thread, vector stores of the outputs
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two threads bring a row of A, one each half of it: `tid % 2 == 0 ? 0 : 4`.

#include "check.h"

#define VECTOR(element) (*reinterpret_cast<float4 *>(&(element)))

#pragma warpwright matmul
template <const int BM = 64, const int BN = 64, const int BK = 8,
          const int TM = 8, const int TN = 4>
__global__ void half_row_choice(float *A, float *B, float *C, int M, int N,
                                int K) {
  __shared__ float As[BM][BK], Bs[BK][BN];
  int tx = threadIdx.x, ty = threadIdx.y;
  int tid = threadIdx.y * blockDim.x + tx;
  int aRow = tid / 2, aCol = (tid % 2 == 0) ? 0 : 4;
  int bRow = tid / (BN / 4), bCol = tid % (BN / 4) * 4;
  float acc[TM][TN] = {0.0f};
  for (int t = 0; t < (K + BK - 1) / BK; ++t) {
    int aFrom = (blockIdx.y * BM + aRow) * K + t * BK + aCol;
    int bFrom = (t * BK + bRow) * N + blockIdx.x * BN + bCol;
    VECTOR(As[aRow][aCol]) = VECTOR(A[aFrom]);
    VECTOR(Bs[bRow][bCol]) = VECTOR(B[bFrom]);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; ++k)
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j)
          acc[i][j] += As[ty * TM + i][k] * Bs[k][tx * TN + j];
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; j += 4) {
      int row = blockIdx.y * BM + ty * TM + i;
      VECTOR(C[row * N + blockIdx.x * BN + tx * TN + j]) = VECTOR(acc[i][j]);
    }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 128, 64}, check::Shape{128, 64, 104},
                         check::Shape{64, 64, 8}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    half_row_choice<><<<dim3(s.n / 64, s.m / 64), dim3(16, 8)>>>(
        A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("half_row_choice", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
