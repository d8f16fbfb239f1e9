// FORM: ldmatrix and mma.sync: four warps, 2 by 4 fragments of a warp in
// arrays, two steps in a tile
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each warp computes 32 by 32 outputs of a block's 64 by 64.

#include "check.h"

#include <cstdint>

constexpr int BM = 64, BN = 64, BK = 32;

__device__ __forceinline__ uint32_t shared_address(const half *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ __forceinline__ void load_x4(uint32_t (&r)[4], const half *p) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
               "{%0, %1, %2, %3}, [%4];\n"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(shared_address(p)));
}
__device__ __forceinline__ void load_x2_trans(uint32_t (&r)[2], const half *p) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, "
               "[%2];\n"
               : "=r"(r[0]), "=r"(r[1])
               : "r"(shared_address(p)));
}
__device__ __forceinline__ void multiply(float (&c)[4], const uint32_t (&a)[4],
                                         const uint32_t (&b)[2]) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%10, %11, %12, %13};\n"
               : "=f"(c[0]), "=f"(c[1]), "=f"(c[2]), "=f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
                 "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
}

#pragma warpwright matmul
__global__ void mma_sync_warp_tiles(const half *A, const half *B, float *C,
                                    int M, int N, int K) {
  __shared__ half As[BM][BK + 8];
  __shared__ half Bs[BK][BN + 8];
  const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
  const int wm = warp / 2 * 32, wn = warp % 2 * 32;
  const int m = blockIdx.y * BM, n = blockIdx.x * BN;
  float acc[2][4][4];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      for (int r = 0; r < 4; ++r)
        acc[i][j][r] = 0.0f;
  for (int k = 0; k < K; k += BK) {
    for (int i = tid; i < BM * BK / 8; i += 128) {
      const int r = i / (BK / 8), c = i % (BK / 8) * 8;
      *reinterpret_cast<float4 *>(&As[r][c]) =
          *reinterpret_cast<const float4 *>(&A[(m + r) * K + k + c]);
    }
    for (int i = tid; i < BK * BN / 8; i += 128) {
      const int r = i / (BN / 8), c = i % (BN / 8) * 8;
      *reinterpret_cast<float4 *>(&Bs[r][c]) =
          *reinterpret_cast<const float4 *>(&B[(k + r) * N + n + c]);
    }
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < BK; kk += 16) {
      uint32_t a[2][4], b[4][2];
#pragma unroll
      for (int i = 0; i < 2; ++i)
        load_x4(a[i], &As[wm + i * 16 + lane % 16][kk + lane / 16 * 8]);
#pragma unroll
      for (int j = 0; j < 4; ++j)
        load_x2_trans(b[j], &Bs[kk + lane % 16][wn + j * 8]);
#pragma unroll
      for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
          multiply(acc[i][j], a[i], b[j]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 2; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int row = m + wm + i * 16 + lane / 4;
      const int col = n + wn + j * 8 + lane % 4 * 2;
      C[row * N + col] = acc[i][j][0];
      C[row * N + col + 1] = acc[i][j][1];
      C[(row + 8) * N + col] = acc[i][j][2];
      C[(row + 8) * N + col + 1] = acc[i][j][3];
    }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{64, 128, 64}, check::Shape{128, 64, 96},
                         check::Shape{64, 64, 160}, check::Shape{64, 64, 32}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    mma_sync_warp_tiles<<<dim3(s.n / BN, s.m / BM), 128>>>(
        A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("mma_sync_warp_tiles", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
