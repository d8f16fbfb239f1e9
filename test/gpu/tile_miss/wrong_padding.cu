// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The flat tile is filled with a stride of 17 and read with one of 16.
//
// EXPECT: WW223

#include "../near_miss/near_miss.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void wrong_padding(const half *A, const half *B, float *C, int M,
                              int N, int K) {
  __shared__ half As[T * (T + 1)], Bs[T * T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {

    As[ty * (T + 1) + tx] = A[row * K + k0 + tx];
    Bs[ty * T + tx] = B[(k0 + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[ty * T + k]) * __half2float(Bs[k * T + tx]);
    __syncthreads();
  }
  C[row * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  wrong_padding<<<dim3(N / 16, M / 16), dim3(16, 16)>>>(A.data(), B.data(),
                                                        C.data(), M, N, K);
  near_miss::report("wrong_padding", C);
  return 0;
}
