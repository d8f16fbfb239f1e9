// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multiply-adds, loads and conversions through intrinsics, casts and
// constructors.
//
// EXPECT-LOG: hopper if k > 0

#include "check.h"

#pragma warpwright matmul
__global__ void matmul_fmaf(const __nv_bfloat16 *__restrict__ A,
                            const __nv_bfloat16 *__restrict__ B,
                            __nv_bfloat16 *__restrict__ C, int M, int N,
                            int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float acc = 0.f;
    for (int k = 0; k < K; ++k) {
      const __nv_bfloat16 a = __ldg(A + row * K + k);
      const __nv_bfloat16 b = __ldg(&B[k * N + col]);
      acc = fmaf(__bfloat162float(a), __bfloat162float(b), acc);
    }
    C[row * N + col] = __float2bfloat16_rn(acc);
  }
}

#pragma warpwright matmul
__global__ void matmul_fma_rn(const __nv_bfloat16 *A, const __nv_bfloat16 *B,
                              __nv_bfloat16 *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float acc{};
    for (int k = 0; k < K; ++k)
      acc = __fmaf_rn(static_cast<float>(A[row * K + k]), float(B[k * N + col]),
                      acc);
    C[row * N + col] = __nv_bfloat16(acc);
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : test.shapes()) {
    check::Matrix<__nv_bfloat16> A(s.m, s.k), B(s.k, s.n);
    A.random(19);
    B.random(20);
    check::Table sum = check::product(s, A, B);
    dim3 block(32, 8);
    dim3 grid(check::ceilDiv(s.n, 32), check::ceilDiv(s.m, 8));

    check::Matrix<__nv_bfloat16> C(s.m, s.n);
    matmul_fmaf<<<grid, block>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("matmul_fmaf", s, C, sum, A, B);

    check::Matrix<__nv_bfloat16> D(s.m, s.n);
    matmul_fma_rn<<<grid, block>>>(A.data(), B.data(), D.data(), s.m, s.n, s.k);
    test.expect("matmul_fma_rn", s, D, sum, A, B);
  }
  return test.finish();
}
