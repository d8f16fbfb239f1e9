// FORM: shared-memory tiles: cp.async by inline assembly, half, double-buffered
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eight halves a copy, by the 32-bit address of the tile and offsets from it.

#include "check.h"

#include <cstdint>
#include <cuda_fp16.h>

constexpr int BM = 64, BN = 64, BK = 32;

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
__global__ void async_assembly(const half *A, const half *B, float *C, int N,
                               int K) {
  __shared__ __align__(16) half As[2][BM][BK];
  __shared__ __align__(16) half Bs[2][BK][BN];
  const int tid = threadIdx.x, ty = tid / 16, tx = tid % 16;
  const int ar = tid / 4, ac = tid % 4 * 8, br = tid / 8, bc = tid % 8 * 8;
  const uint32_t as =
      static_cast<uint32_t>(__cvta_generic_to_shared(&As[0][ar][ac]));
  const uint32_t bs =
      static_cast<uint32_t>(__cvta_generic_to_shared(&Bs[0][br][bc]));
  const half *Ag = A + (blockIdx.y * BM + ar) * K + ac;
  const half *Bg = B + br * N + blockIdx.x * BN + bc;
  copy(as, Ag);
  copy(bs, Bg);
  commit();
  float acc[4][4] = {};
  const int tiles = K / BK;
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) {
      const int next = (t + 1) & 1;
      copy(as + next * BM * BK * sizeof(half), Ag + (t + 1) * BK);
      copy(bs + next * BK * BN * sizeof(half), Bg + (t + 1) * BK * N);
      commit();
      wait<1>();
    } else {
      wait<0>();
    }
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          acc[i][j] += __half2float(As[t & 1][ty * 4 + i][k]) *
                       __half2float(Bs[t & 1][k][tx * 4 + j]);
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      C[(blockIdx.y * BM + ty * 4 + i) * N + blockIdx.x * BN + tx * 4 + j] =
          acc[i][j];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);

  for (check::Shape s : {check::Shape{64, 128, 64}, check::Shape{128, 64, 96},
                         check::Shape{64, 64, 160}, check::Shape{64, 64, 32}}) {
    check::Matrix<half> A(s.m, s.k);
    check::Matrix<half> B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    async_assembly<<<dim3(s.n / BN, s.m / BM), 256>>>(A.data(), B.data(),
                                                      C.data(), s.n, s.k);
    test.expect("async_assembly", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
