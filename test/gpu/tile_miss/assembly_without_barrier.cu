// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An element that st.shared stores is read by another thread, with no barrier
// in between.
//
// EXPECT: WW221

#include "../near_miss/near_miss.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void assembly_without_barrier(const half *A, const half *B, float *C,
                                         int M, int N, int K) {
  __shared__ float As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    asm volatile(
        "st.shared.f32 [%0], %1;\n" ::"r"(
            static_cast<unsigned>(__cvta_generic_to_shared(&As[ty][tx]))),
        "f"(row < M && k0 + tx < K ? float(A[row * K + k0 + tx]) : 0.0f)
        : "memory");
    Bs[ty][tx] = k0 + ty < K && col < N ? float(B[(k0 + ty) * N + col]) : 0.0f;
    for (int k = 0; k < T; ++k)
      acc += As[ty][k] * Bs[k][tx];
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
  assembly_without_barrier<<<dim3(N / 16, M / 16), dim3(16, 16)>>>(
      A.data(), B.data(), C.data(), M, N, K);
  near_miss::report("assembly_without_barrier", C);
  return 0;
}
