// FORM: WMMA: a part of shared memory for each warp, with __syncwarp()
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each warp stores its accumulators to a part of shared memory that no other
// warp uses, and its lanes read them from there, convert them and store them
// in pairs, or one by one at the end of a row. Between the two is a barrier of
// the warp.

#include "check.h"

#include <mma.h>

using namespace nvcuda;

#pragma warpwright matmul
__global__ void warp_scratch(const half *A, const half *B, const float *bias,
                             half *C, int M, int N, int K) {
  __shared__ __align__(16) half a[64][40], b[32][72];
  __shared__ float scratch[4][16][20];
  const int t = threadIdx.x, warp = t >> 5, lane = t & 31;
  const int m0 = blockIdx.y * 64, n0 = blockIdx.x * 64;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][2];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      wmma::fill_fragment(sums[i][j], 0.0f);
  for (int k0 = 0; k0 < K; k0 += 32) {
    for (int i = t; i < 256; i += 128) {
      const int r = i / 4, k = i % 4 * 8;
      float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
      if (m0 + r < M)
        v = *reinterpret_cast<const float4 *>(&A[(m0 + r) * K + k0 + k]);
      *reinterpret_cast<float4 *>(&a[r][k]) = v;
    }
    for (int i = t; i < 256; i += 128) {
      const int k = i / 8, c = i % 8 * 8;
      *reinterpret_cast<float4 *>(&b[k][c]) =
          k0 + k < K && n0 + c < N
              ? *reinterpret_cast<const float4 *>(&B[(k0 + k) * N + n0 + c])
              : make_float4(0, 0, 0, 0);
    }
    __syncthreads();
    for (int k = 0; k < 32; k += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb[2];
      for (int i = 0; i < 2; i++) {
        wmma::load_matrix_sync(fa[i], &a[warp / 2 * 32 + i * 16][k], 40);
        wmma::load_matrix_sync(fb[i], &b[k][warp % 2 * 32 + i * 16], 72);
      }
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
          wmma::mma_sync(sums[i][j], fa[i], fb[j], sums[i][j]);
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      wmma::store_matrix_sync(&scratch[warp][0][0], sums[i][j], 20,
                              wmma::mem_row_major);
      __syncwarp();
      for (int e = lane; e < 128; e += 32) {
        const int r = e >> 3, c = (e & 7) << 1;
        const int row = m0 + warp / 2 * 32 + i * 16 + r;
        const int col = n0 + warp % 2 * 32 + j * 16 + c;
        if (row < M && col + 1 < N)
          *reinterpret_cast<half2 *>(&C[row * N + col]) =
              __floats2half2_rn(scratch[warp][r][c] + bias[col],
                                scratch[warp][r][c + 1] + bias[col + 1]);
        else if (row < M && col < N)
          C[row * N + col] = __float2half(scratch[warp][r][c] + bias[col]);
      }
      __syncwarp();
    }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{128, 128, 64}, check::Shape{133, 72, 96},
                         check::Shape{67, 40, 160}, check::Shape{3, 8, 32}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<half> C(s.m, s.n);
    check::Matrix<float> bias(1, s.n);
    A.random(1);
    B.random(2);
    bias.random(3);
    warp_scratch<<<dim3(check::ceilDiv(s.n, 64), check::ceilDiv(s.m, 64)),
                   128>>>(A.data(), B.data(), bias.data(), C.data(), s.m, s.n,
                          s.k);
    check::Table sum = check::product(s, A, B);
    test.expect(
        "warp_scratch", s, C,
        [&](int m, int n) { return sum(m, n) + bias(0, n); }, A, B, bias);
  }
  return test.finish();
}
