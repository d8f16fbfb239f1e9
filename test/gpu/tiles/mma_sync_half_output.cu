// FORM: mma.sync: pairs of B put together from two rows, half2 stores, a warp
// of the block for each 8 columns
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fragments from global memory; the sums are rounded to half as they are
// stored.

#include "check.h"

#include <cstdint>

#pragma warpwright matmul
__global__ void mma_sync_half_output(const half *A, const half *B, half *C,
                                     int M, int N, int K) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int group = lane >> 2, pair = lane % 4 * 2;
  const int m = blockIdx.y * 16, n = (blockIdx.x * 4 + warp) * 8;
  float c[4] = {};
  for (int k = 0; k < K; k += 16) {
    half2 low = __halves2half2(B[(k + pair) * N + n + group],
                               B[(k + pair + 1) * N + n + group]);
    half2 high = __halves2half2(B[(k + pair + 8) * N + n + group],
                                B[(k + pair + 9) * N + n + group]);
    const uint32_t *upper =
        reinterpret_cast<const uint32_t *>(&A[(m + group) * K + k + pair]);
    const uint32_t *lower =
        reinterpret_cast<const uint32_t *>(&A[(m + group + 8) * K + k + pair]);
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};\n"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(upper[0]), "r"(lower[0]), "r"(upper[4]), "r"(lower[4]),
                   "r"(*reinterpret_cast<uint32_t *>(&low)),
                   "r"(*reinterpret_cast<uint32_t *>(&high)));
  }
  *reinterpret_cast<half2 *>(&C[(m + group) * N + n + pair]) =
      __floats2half2_rn(c[0], c[1]);
  *reinterpret_cast<half2 *>(&C[(m + group + 8) * N + n + pair]) =
      __floats2half2_rn(c[2], c[3]);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 64, 96},
                         check::Shape{32, 32, 160}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<half> C(s.m, s.n);
    A.random(1);
    B.random(2);
    mma_sync_half_output<<<dim3(s.n / 32, s.m / 16), 128>>>(
        A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("mma_sync_half_output", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
