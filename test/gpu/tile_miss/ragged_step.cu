// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop ends with the tile that K ends in: its last columns are of the
// next row of A, its last rows are behind those of B that count.
//
// EXPECT-RUNTIME: any

#include "../near_miss/near_miss.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void ragged_step(float *C, const half *A, const half *B, int wA,
                            int wB) {
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;

  const int first = wA * T * blockIdx.y, last = first + wA - 1;
  for (int a = first, b = T * blockIdx.x; a <= last; a += T, b += T * wB) {
    __shared__ half As[T][T], Bs[T][T];
    As[ty][tx] = A[a + wA * ty + tx];
    Bs[ty][tx] = B[b + wB * ty + tx];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
    __syncthreads();
  }
  C[row * wB + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 56;
  check::Matrix<half> A(M + 1, K), B(64, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  ragged_step<<<dim3(N / 16, M / 16), dim3(16, 16)>>>(C.data(), A.data(),
                                                      B.data(), K, N);
  near_miss::report("ragged_step", C);
  return 0;
}
