// FORM: register tiles: vector stores, half2 of two results; bfloat16 pairs
// on the way in
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two columns a thread, written as one bfloat16 pair.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void half2_store(const __nv_bfloat16 *A, const __nv_bfloat16 *B,
                            __nv_bfloat16 *C, int M, int N, int K) {
  __shared__ float As[T][T], Bs[T][2 * T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = (blockIdx.x * T + tx) * 2;
  float2 acc = make_float2(0.0f, 0.0f);
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] =
        row < M && k0 + tx < K ? __bfloat162float(A[row * K + k0 + tx]) : 0.0f;
    float2 b = make_float2(0.0f, 0.0f);
    if (k0 + ty < K && col < N)
      b = __bfloat1622float2(
          *reinterpret_cast<const __nv_bfloat162 *>(B + (k0 + ty) * N + col));
    Bs[ty][2 * tx] = b.x;
    Bs[ty][2 * tx + 1] = b.y;
    __syncthreads();
    for (int k = 0; k < T; ++k) {
      acc.x += As[ty][k] * Bs[k][2 * tx];
      acc.y += As[ty][k] * Bs[k][2 * tx + 1];
    }
    __syncthreads();
  }
  if (row < M && col < N)
    *reinterpret_cast<__nv_bfloat162 *>(C + row * N + col) =
        __float22bfloat162_rn(acc);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{67, 46, 83},
                         check::Shape{3, 6, 7}, check::Shape{1, 2, 1}}) {
    check::Matrix<__nv_bfloat16> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<__nv_bfloat16> C(s.m, s.n);
    A.random(1);
    B.random(2);
    half2_store<<<dim3(check::ceilDiv(s.n, 2 * T), check::ceilDiv(s.m, T)),
                  dim3(T, T)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("half2_store", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
