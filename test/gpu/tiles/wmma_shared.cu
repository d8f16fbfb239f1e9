// FORM: WMMA: operands from shared memory, filled by strided loops; two warps
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of half in shared memory, fragments from there.

#include "check.h"

#include <mma.h>

using namespace nvcuda;

constexpr int BM = 32, BN = 16, BK = 32;

#pragma warpwright matmul
__global__ void wmma_shared(const half *A, const half *B, float *C, int M,
                            int N, int K) {
  __shared__ half As[BM][BK + 8];
  __shared__ half Bs[BK][BN + 8];
  const int warp = threadIdx.x / 32;
  const int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(c, 0.0f);
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = threadIdx.x; i < BM * BK; i += 64) {
      const int r = i / BK, k = k0 + i % BK;
      As[r][i % BK] = k < K ? A[(m0 + r) * K + k] : __float2half(0.0f);
    }
    for (int i = threadIdx.x; i < BK * BN; i += 64) {
      const int k = k0 + i / BN;
      Bs[i / BN][i % BN] = k < K ? B[k * N + n0 + i % BN] : __float2half(0.0f);
    }
    __syncthreads();
    for (int k = 0; k < BK; k += 16) {
      wmma::load_matrix_sync(a, &As[warp * 16][k], BK + 8);
      wmma::load_matrix_sync(b, &Bs[k][0], BN + 8);
      wmma::mma_sync(c, a, b, c);
    }
    __syncthreads();
  }
  wmma::store_matrix_sync(&C[(m0 + warp * 16) * N + n0], c, N,
                          wmma::mem_row_major);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 64, 96},
                         check::Shape{32, 32, 160}, check::Shape{32, 16, 20},
                         check::Shape{64, 48, 83}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    wmma_shared<<<dim3(s.n / BN, s.m / BM), 64>>>(A.data(), B.data(), C.data(),
                                                  s.m, s.n, s.k);
    test.expect("wmma_shared", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
