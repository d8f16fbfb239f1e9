// FORM: shared-memory tiles: filled by strided loops, 1-D thread id, step
// blockDim product
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All threads of the block fill 32 by 8 and 8 by 32 tiles together, whatever
// the block's shape.

#include "check.h"

#pragma warpwright matmul
template <int BM, int BN, int BK>
__global__ void strided_fill(const float *A, const float *B, float *C, int M,
                             int N, int K) {
  __shared__ float As[BM][BK];
  __shared__ float Bs[BK][BN];
  const int tid = threadIdx.y * blockDim.x + threadIdx.x;
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = tid; i < BM * BK; i += blockDim.x * blockDim.y) {
      const int r = i / BK, c = i % BK;
      As[r][c] = row0 + r < M && k0 + c < K ? A[(row0 + r) * K + k0 + c] : 0.0f;
    }
    for (int i = tid; i < BK * BN; i += blockDim.x * blockDim.y) {
      const int r = i / BN, c = i % BN;
      Bs[r][c] = k0 + r < K && col0 + c < N ? B[(k0 + r) * N + col0 + c] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  const int row = row0 + threadIdx.y, col = col0 + threadIdx.x;
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
    strided_fill<8, 32, 24>
        <<<dim3(check::ceilDiv(s.n, 32), check::ceilDiv(s.m, 8)),
           dim3(32, 8)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("strided_fill", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
