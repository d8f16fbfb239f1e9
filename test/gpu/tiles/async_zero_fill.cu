// FORM: shared-memory tiles: cp.async that fills with zeros by its source size
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing is read where the source size is 0.

#include "check.h"

#include <cstdint>

constexpr int T = 16;

__device__ inline void copy(float *to, const float *from, bool inside) {
  const uint32_t address = static_cast<uint32_t>(__cvta_generic_to_shared(to));
  const int bytes = inside ? 4 : 0;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;\n" ::"r"(address),
               "l"(from), "r"(bytes)
               : "memory");
}

#pragma warpwright matmul
__global__ void async_zero_fill(const float *A, const float *B, float *C, int M,
                                int N, int K) {
  __shared__ float As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    const bool inA = row < M && k0 + tx < K, inB = k0 + ty < K && col < N;
    copy(&As[ty][tx], inA ? A + row * K + k0 + tx : A, inA);
    copy(&Bs[ty][tx], inB ? B + (k0 + ty) * N + col : B, inB);
    asm volatile("cp.async.wait_all;\n" ::: "memory");
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{3, 5, 7}}) {
    check::Matrix<float> A(s.m, s.k);
    check::Matrix<float> B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    async_zero_fill<<<dim3(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T)),
                      dim3(T, T)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                    s.k);
    test.expect("async_zero_fill", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
