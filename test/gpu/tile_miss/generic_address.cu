// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ld.shared takes an address in the shared window; this one is generic, of
// which the lower half is another number.
//
// EXPECT: WW201

#include "../near_miss/near_miss.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void generic_address(const half *A, const half *B, float *C, int M,
                                int N, int K) {
  __shared__ float As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = row < M && k0 + tx < K ? float(A[row * K + k0 + tx]) : 0.0f;
    Bs[ty][tx] = k0 + ty < K && col < N ? float(B[(k0 + ty) * N + col]) : 0.0f;
    __syncthreads();
    for (int k = 0; k < T; ++k) {
      float a;
      asm volatile(
          "ld.shared.f32 %0, [%1];\n"
          : "=f"(a)
          : "r"(static_cast<unsigned>(reinterpret_cast<size_t>(&As[ty][k]))));
      acc += a * Bs[k][tx];
    }
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  generic_address<<<dim3(N / 16, M / 16), dim3(16, 16)>>>(A.data(), B.data(),
                                                          C.data(), M, N, K);
  near_miss::report("generic_address", C);
  return 0;
}
