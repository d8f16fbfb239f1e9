// FORM: shared-memory tiles: 1-D indexed, static; block of one dimension
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles and block are flat; rows and columns come from / and %.

#include "check.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void flat_tiles(const __nv_bfloat16 *A, const __nv_bfloat16 *B,
                           __nv_bfloat16 *C, int M, int N, int K) {
  __shared__ __nv_bfloat16 As[T * T];
  __shared__ __nv_bfloat16 Bs[T * T];
  const int r = threadIdx.x / T, c = threadIdx.x % T;
  const int row = blockIdx.y * T + r, col = blockIdx.x * T + c;
  const __nv_bfloat16 zero = __float2bfloat16(0.0f);
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[threadIdx.x] = row < M && k0 + c < K ? A[row * K + k0 + c] : zero;
    Bs[threadIdx.x] = k0 + r < K && col < N ? B[(k0 + r) * N + col] : zero;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += __bfloat162float(As[r * T + k]) * __bfloat162float(Bs[k * T + c]);
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = __float2bfloat16(acc);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<__nv_bfloat16> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<__nv_bfloat16> C(s.m, s.n);
    A.random(1);
    B.random(2);
    flat_tiles<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                 T * T>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("flat_tiles", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
