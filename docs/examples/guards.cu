// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guards in other clothes: a named bool, and one return for each reason.
//
// EXPECT-LOG: hopper if k > 0

#include "check.h"

#pragma warpwright matmul
__global__ void matmul_bool(const __nv_bfloat16 *a, const __nv_bfloat16 *b,
                            __nv_bfloat16 *c, int M, int N, int K) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const bool inside = x < N && y < M;

  float acc = 0.0f;
  if (inside) {
    for (int k = 0; k < K; ++k)
      acc += __bfloat162float(a[y * K + k]) * __bfloat162float(b[k * N + x]);
  }
  if (inside)
    c[y * N + x] = __float2bfloat16(acc);
}

#pragma warpwright matmul
__global__ void matmul_returns(const __nv_bfloat16 *a, const __nv_bfloat16 *b,
                               __nv_bfloat16 *c, int M, int N, int K) {
  if (c == nullptr)
    return;
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= N)
    return;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!(y < M))
    return;
  float acc = 0.0f;
  for (int k = 0; k != K; k++)
    acc += __bfloat162float(a[y * K + k]) * __bfloat162float(b[k * N + x]);
  c[y * N + x] = __float2bfloat16(acc);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : test.shapes()) {
    check::Matrix<__nv_bfloat16> A(s.m, s.k), B(s.k, s.n);
    A.random(15);
    B.random(16);
    check::Table sum = check::product(s, A, B);
    const dim3 block(32, 4);
    const dim3 grid(check::ceilDiv(s.n, 32), check::ceilDiv(s.m, 4));

    check::Matrix<__nv_bfloat16> C(s.m, s.n);
    matmul_bool<<<grid, block>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("matmul_bool", s, C, sum, A, B);

    check::Matrix<__nv_bfloat16> D(s.m, s.n);
    matmul_returns<<<grid, block>>>(A.data(), B.data(), D.data(), s.m, s.n,
                                    s.k);
    test.expect("matmul_returns", s, D, sum, A, B);
  }
  return test.finish();
}
