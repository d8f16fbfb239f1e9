// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two products are stored to one array, as far apart as an argument says: at the
// same elements, where the second one is left; and the second one before the
// first, where none is lost, but which the launcher does not ask for.
//
// EXPECT-RUNTIME: original

#include "../near_miss/near_miss.h"

#pragma warpwright matmul
__global__ void parts_meet(const half *A, const half *B, const half *W,
                           float *C, int offset, int M, int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float first = 0.0f, second = 0.0f;
  for (int k = 0; k < K; ++k) {
    first += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    second += __half2float(A[row * K + k]) * __half2float(W[k * N + col]);
  }
  C[row * N + col] = first;
  C[row * N + col + offset] = second;
}

int main() {
  const int M = 64, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N), W(K, N);
  check::Matrix<float> C(2 * M, N);
  A.integers(1);
  B.integers(2);
  W.integers(3);
  CUDA_CHECK(cudaMemset(C.data(), 0, 2 * sizeof(float) * M * N));
  const dim3 grid(N / 16, M / 16), block(16, 16);
  parts_meet<<<grid, block>>>(A.data(), B.data(), W.data(), C.data(), 0, M, N,
                              K);
  near_miss::report("parts_meet", C);
  parts_meet<<<grid, block>>>(A.data(), B.data(), W.data(), C.data() + M * N,
                              -M * N, M, N, K);
  near_miss::report("parts_meet", C);
  return 0;
}
