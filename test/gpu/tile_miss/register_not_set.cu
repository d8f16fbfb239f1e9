// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A register that the predicated load leaves alone has no value.
//
// EXPECT: WW215

#include "../near_miss/near_miss.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void register_not_set(const float *A, const half *B, float *C, int M,
                                 int N, int K) {
  __shared__ float As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    float a;
    asm volatile("{.reg .pred p;\n"
                 " setp.ne.b32 p, %2, 0;\n"
                 " @p ld.global.f32 %0, [%1];}\n"
                 : "=f"(a)
                 : "l"(A + row * K + k0 + tx),
                   "r"(static_cast<int>(row < M && k0 + tx < K)));
    As[ty][tx] = a;
    Bs[ty][tx] = k0 + ty < K && col < N ? float(B[(k0 + ty) * N + col]) : 0.0f;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> B(K, N);
  check::Matrix<float> A(M, K), C(M, N);
  A.integers(1);
  B.integers(2);
  register_not_set<<<dim3(N / 16, M / 16), dim3(16, 16)>>>(A.data(), B.data(),
                                                           C.data(), M, N, K);
  near_miss::report("register_not_set", C);
  return 0;
}
