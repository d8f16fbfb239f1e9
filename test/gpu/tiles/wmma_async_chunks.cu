// FORM: WMMA with tiles that are copied by cp.async, four chunks of a thread,
// two buffers
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of half, which are stored as they are.

#include "check.h"

#include <cstdint>
#include <mma.h>

using namespace nvcuda;

constexpr int BM = 128, BN = 128, BK = 32, PAD = 8;

__device__ __forceinline__ uint32_t at(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ __forceinline__ void copy(uint32_t to, const void *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(to),
               "l"(from));
}
__device__ __forceinline__ void commit() {
  asm volatile("cp.async.commit_group;\n" ::);
}
template <int Left> __device__ __forceinline__ void wait() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(Left));
}

#pragma warpwright matmul
__global__ void wmma_async_chunks(const half *A, const half *B, half *C, int N,
                                  int K) {
  __shared__ __align__(32) half As[2][BM][BK + PAD];
  __shared__ __align__(32) half Bs[2][BK][BN + PAD];
  const int tid = threadIdx.x, warp = tid / 32;
  const int wm = warp & 1, wn = warp >> 1;
  const int m = blockIdx.y * BM, n = blockIdx.x * BN;
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> c[4][4];
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      wmma::fill_fragment(c[i][j], __float2half(0.0f));
  auto fetch = [&](int side, int t) {
    for (int i = 0; i < 4; ++i) {
      const int x = tid + i * 128;
      copy(at(&As[side][x >> 2][(x & 3) << 3]),
           &A[(m + (x >> 2)) * K + t * BK + ((x & 3) << 3)]);
    }
    for (int i = 0; i < 4; ++i) {
      const int x = tid + i * 128;
      copy(at(&Bs[side][x >> 4][(x & 15) << 3]),
           &B[(t * BK + (x >> 4)) * N + n + ((x & 15) << 3)]);
    }
    commit();
  };
  auto product = [&](int side) {
    for (int k = 0; k < BK; k += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a[4];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b[4];
      for (int i = 0; i < 4; ++i)
        wmma::load_matrix_sync(a[i], &As[side][wm * 64 + i * 16][k], BK + PAD);
      for (int j = 0; j < 4; ++j)
        wmma::load_matrix_sync(b[j], &Bs[side][k][wn * 64 + j * 16], BN + PAD);
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          wmma::mma_sync(c[i][j], a[i], b[j], c[i][j]);
    }
  };
  const int tiles = K / BK;
  fetch(0, 0);
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) {
      fetch((t + 1) & 1, t + 1);
      wait<1>();
    } else {
      wait<0>();
    }
    __syncthreads();
    product(t & 1);
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      wmma::store_matrix_sync(
          &C[(m + wm * 64 + i * 16) * N + n + wn * 64 + j * 16], c[i][j], N,
          wmma::mem_row_major);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.setBound(1e-2);
  for (check::Shape s :
       {check::Shape{128, 256, 64}, check::Shape{256, 128, 96},
        check::Shape{128, 128, 160}, check::Shape{128, 128, 32}}) {
    check::Matrix<half> A(s.m, s.k);
    check::Matrix<half> B(s.k, s.n);
    check::Matrix<half> C(s.m, s.n);
    A.random(1);
    B.random(2);
    wmma_async_chunks<<<dim3(s.n / BN, s.m / BM), 128>>>(A.data(), B.data(),
                                                         C.data(), s.n, s.k);
    test.expect("wmma_async_chunks", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
