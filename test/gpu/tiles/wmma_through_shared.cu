// FORM: WMMA: the result through shared memory, then converted and guarded
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accumulator is stored to shared memory and from there, element by
// element, to a ragged half output with a bias.

#include "check.h"

#include <mma.h>

using namespace nvcuda;

#pragma warpwright matmul
__global__ void wmma_through_shared(const half *A, const half *B,
                                    const half *bias, half *C, int M, int N,
                                    int K) {
  __shared__ half As[16][16], Bs[16][16];
  __shared__ float out[16][16];
  const int lane = threadIdx.x;
  const int m0 = blockIdx.y * 16, n0 = blockIdx.x * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(c, 0.0f);
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int i = lane; i < 256; i += 32) {
      const int r = i / 16, q = i % 16;
      As[r][q] = m0 + r < M && k0 + q < K ? A[(m0 + r) * K + k0 + q]
                                          : __float2half(0.0f);
      Bs[r][q] = k0 + r < K && n0 + q < N ? B[(k0 + r) * N + n0 + q]
                                          : __float2half(0.0f);
    }
    __syncthreads();
    wmma::load_matrix_sync(a, &As[0][0], 16);
    wmma::load_matrix_sync(b, &Bs[0][0], 16);
    wmma::mma_sync(c, a, b, c);
    __syncthreads();
  }
  wmma::store_matrix_sync(&out[0][0], c, 16, wmma::mem_row_major);
  __syncthreads();
  for (int i = lane; i < 256; i += 32) {
    const int row = m0 + i / 16, col = n0 + i % 16;
    if (row < M && col < N)
      C[row * N + col] =
          __float2half(out[i / 16][i % 16] + __half2float(bias[col]));
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<half> C(s.m, s.n);
    A.random(1);
    B.random(2);
    check::Matrix<half> bias(1, s.n);
    bias.random(4);
    wmma_through_shared<<<
        dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)), 32>>>(
        A.data(), B.data(), bias.data(), C.data(), s.m, s.n, s.k);
    check::Table sum = check::product(s, A, B);
    test.expect(
        "wmma_through_shared", s, C,
        [&](int m, int n) { return sum(m, n) + bias(0, n); }, A, B, bias);
  }
  return test.finish();
}
