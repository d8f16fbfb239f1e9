// FORM: shared-memory tiles: cp.async by inline assembly, several chunks of a
// thread in loops, two buffers in one dynamic array
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The next tile is copied while this one is multiplied; the last one waits for
// everything.

#include "check.h"

#include <cstdint>
#include <cuda_fp16.h>

constexpr int BM = 64, BN = 64, BK = 32, PAD = 8, THREADS = 128;
constexpr int A_TILE = BM * (BK + PAD), B_TILE = BK * (BN + PAD);

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
__global__ void async_chunks_double(const half *A, const half *B, float *C,
                                    int N, int K) {
  extern __shared__ __align__(16) half tiles[];
  half *As = tiles, *Bs = tiles + 2 * A_TILE;
  const int tid = threadIdx.x, ty = tid / 16, tx = tid % 16;
  const half *Ag = A + blockIdx.y * BM * K, *Bg = B + blockIdx.x * BN;
  auto fetch = [&](int side, int t) {
#pragma unroll
    for (int i = 0; i < BM * BK / 8 / THREADS; ++i) {
      const int chunk = tid + i * THREADS, r = chunk / 4, c = chunk % 4 * 8;
      copy(at(&As[side * A_TILE + r * (BK + PAD) + c]),
           Ag + r * K + t * BK + c);
    }
#pragma unroll
    for (int i = 0; i < BK * BN / 8 / THREADS; ++i) {
      const int chunk = tid + i * THREADS, r = chunk / 8, c = chunk % 8 * 8;
      copy(at(&Bs[side * B_TILE + r * (BN + PAD) + c]),
           Bg + (t * BK + r) * N + c);
    }
    commit();
  };
  float acc[8][4] = {};
  const int count = K / BK;
  fetch(0, 0);
  for (int t = 0; t < count; ++t) {
    if (t + 1 < count) {
      fetch((t + 1) & 1, t + 1);
      wait<1>();
    } else {
      wait<0>();
    }
    __syncthreads();
    const half *a = As + (t & 1) * A_TILE, *b = Bs + (t & 1) * B_TILE;
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 4; ++j)
          acc[i][j] += __half2float(a[(ty * 8 + i) * (BK + PAD) + k]) *
                       __half2float(b[k * (BN + PAD) + tx * 4 + j]);
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 4; ++j)
      C[(blockIdx.y * BM + ty * 8 + i) * N + blockIdx.x * BN + tx * 4 + j] =
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
    async_chunks_double<<<dim3(s.n / BN, s.m / BM), THREADS,
                          2 * (A_TILE + B_TILE) * sizeof(half)>>>(
        A.data(), B.data(), C.data(), s.n, s.k);
    test.expect("async_chunks_double", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
