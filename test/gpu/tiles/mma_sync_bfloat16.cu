// FORM: mma.sync: bfloat16 fragments by hand from padded shared tiles, four
// warps, B along k
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pairs of bfloat16 are read from the tiles as 32-bit numbers.

#include "check.h"

#include <cstdint>

#pragma warpwright matmul
__global__ void mma_sync_bfloat16(const __nv_bfloat16 *A,
                                  const __nv_bfloat16 *B, float *C, int M,
                                  int N, int K) {
  __shared__ __nv_bfloat16 As[64][24];
  __shared__ __nv_bfloat16 Bs[32][24];
  const int tid = threadIdx.x, warp = tid / 32, lane = tid & 31;
  const int group = lane >> 2, pair = (lane & 3) * 2;
  const int m = blockIdx.y * 64, n = blockIdx.x * 32;
  float c[4][4] = {};
  for (int k = 0; k < K; k += 16) {
    for (int i = tid; i < 64 * 16; i += 128)
      As[i / 16][i % 16] = A[(m + i / 16) * K + k + i % 16];
    for (int i = tid; i < 32 * 16; i += 128)
      Bs[i / 16][i % 16] = B[(n + i / 16) * K + k + i % 16];
    __syncthreads();
    const int row = warp * 16 + group;
    uint32_t a[4], b[2];
    a[0] = *reinterpret_cast<const uint32_t *>(&As[row][pair]);
    a[1] = *reinterpret_cast<const uint32_t *>(&As[row + 8][pair]);
    a[2] = *reinterpret_cast<const uint32_t *>(&As[row][pair + 8]);
    a[3] = *reinterpret_cast<const uint32_t *>(&As[row + 8][pair + 8]);
    for (int j = 0; j < 4; ++j) {
      b[0] = *reinterpret_cast<const uint32_t *>(&Bs[j * 8 + group][pair]);
      b[1] = *reinterpret_cast<const uint32_t *>(&Bs[j * 8 + group][pair + 8]);
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                   "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                   "{%0, %1, %2, %3};\n"
                   : "+f"(c[j][0]), "+f"(c[j][1]), "+f"(c[j][2]), "+f"(c[j][3])
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
                     "r"(b[1]));
    }
    __syncthreads();
  }
  for (int j = 0; j < 4; ++j) {
    const int row = m + warp * 16 + group, col = n + j * 8 + pair;
    *reinterpret_cast<float2 *>(&C[row * N + col]) =
        make_float2(c[j][0], c[j][1]);
    *reinterpret_cast<float2 *>(&C[(row + 8) * N + col]) =
        make_float2(c[j][2], c[j][3]);
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 64, 96},
                         check::Shape{192, 32, 160}}) {
    check::Matrix<__nv_bfloat16> A(s.m, s.k), B(s.n, s.k);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    mma_sync_bfloat16<<<dim3(s.n / 32, s.m / 64), 128>>>(
        A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("mma_sync_bfloat16", s, C,
                check::product(s, A, [&](int k, int n) { return B(n, k); }), A,
                B);
  }
  return test.finish();
}
