// FORM: cp.async, ldmatrix and mma.sync: two buffers, x4 and x4.trans, a
// fragment of B in half of the registers; guarded stores
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tiles take turns; the addresses in them are numbers of 32 bits.

#include "check.h"

#include <cstdint>

constexpr int BM = 64, BN = 64, BK = 16;

#pragma warpwright matmul
__global__ void mma_sync_async(const half *A, const half *B, float *C, int M,
                               int N, int K) {
  __shared__ alignas(16) half As[2][BM][BK + 8];
  __shared__ alignas(16) half Bs[2][BK][BN + 8];
  const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
  const int wm = (warp >> 1) * 32, wn = (warp & 1) * 32;
  const int m = blockIdx.y * BM, n = blockIdx.x * BN;
  auto fetch = [&](int tile, int side) {
    const uint32_t to_a = static_cast<uint32_t>(
        __cvta_generic_to_shared(&As[side][tid / 2][tid % 2 * 8]));
    const uint32_t to_b = static_cast<uint32_t>(
        __cvta_generic_to_shared(&Bs[side][tid / 8][tid % 8 * 8]));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(to_a),
                 "l"(&A[(m + tid / 2) * K + tile * BK + tid % 2 * 8]));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(to_b),
                 "l"(&B[(tile * BK + tid / 8) * N + n + tid % 8 * 8]));
    asm volatile("cp.async.commit_group;\n" ::);
  };
  float acc[2][4][4] = {};
  const int tiles = K / BK;
  fetch(0, 0);
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) {
      fetch(t + 1, (t + 1) & 1);
      asm volatile("cp.async.wait_group 1;\n" ::);
    } else {
      asm volatile("cp.async.wait_group 0;\n" ::);
    }
    __syncthreads();
    const int side = t & 1;
    uint32_t a[2][4], b[4][2];
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const uint32_t from = static_cast<uint32_t>(__cvta_generic_to_shared(
          &As[side][wm + i * 16 + (lane & 15)][(lane >> 4) * 8]));
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
                   "{%0, %1, %2, %3}, [%4];\n"
                   : "=r"(a[i][0]), "=r"(a[i][1]), "=r"(a[i][2]), "=r"(a[i][3])
                   : "r"(from));
    }
#pragma unroll
    for (int j = 0; j < 4; j += 2) {
      const uint32_t from = static_cast<uint32_t>(__cvta_generic_to_shared(
          &Bs[side][lane & 15][wn + j * 8 + (lane >> 4) * 8]));
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 "
                   "{%0, %1, %2, %3}, [%4];\n"
                   : "=r"(b[j][0]), "=r"(b[j][1]), "=r"(b[j + 1][0]),
                     "=r"(b[j + 1][1])
                   : "r"(from));
    }
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
      for (int j = 0; j < 4; ++j)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                     "{%0, %1, %2, %3};\n"
                     : "+f"(acc[i][j][0]), "+f"(acc[i][j][1]),
                       "+f"(acc[i][j][2]), "+f"(acc[i][j][3])
                     : "r"(a[i][0]), "r"(a[i][1]), "r"(a[i][2]), "r"(a[i][3]),
                       "r"(b[j][0]), "r"(b[j][1]));
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 2; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int row = m + wm + i * 16 + lane / 4;
      const int col = n + wn + j * 8 + lane % 4 * 2;
      if (row < M && col < N) {
        C[row * N + col] = acc[i][j][0];
        C[row * N + col + 1] = acc[i][j][1];
      }
      if (row + 8 < M && col < N) {
        C[(row + 8) * N + col] = acc[i][j][2];
        C[(row + 8) * N + col + 1] = acc[i][j][3];
      }
    }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{64, 128, 64}, check::Shape{128, 64, 96},
                         check::Shape{64, 64, 160}, check::Shape{64, 64, 16}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    mma_sync_async<<<dim3(s.n / BN, s.m / BM), 128>>>(A.data(), B.data(),
                                                      C.data(), s.m, s.n, s.k);
    test.expect("mma_sync_async", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
