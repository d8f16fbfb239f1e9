// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The outputs are stored as if eight lanes, not four, had a row.
//
// EXPECT: WW216

#include "../near_miss/near_miss.h"

#include <cstdint>

#pragma warpwright matmul
__global__ void mma_sync_wrong_lane(const half *A, const half *B, float *C,
                                    int M, int N, int K) {
  const int lane = threadIdx.x % 32;
  const int row = blockIdx.y * 16 + lane / 4, pair = lane % 4 * 2;
  const int column = blockIdx.x * 8 + lane / 4;
  float c[4] = {};
  for (int k = 0; k < K; k += 16) {
    uint32_t a[4], b[2];
    a[0] = *reinterpret_cast<const uint32_t *>(&A[row * K + k + pair]);
    a[1] = *reinterpret_cast<const uint32_t *>(&A[(row + 8) * K + k + pair]);
    a[2] = *reinterpret_cast<const uint32_t *>(&A[row * K + k + pair + 8]);
    a[3] =
        *reinterpret_cast<const uint32_t *>(&A[(row + 8) * K + k + pair + 8]);
    b[0] = *reinterpret_cast<const uint32_t *>(&B[column * K + k + pair]);
    b[1] = *reinterpret_cast<const uint32_t *>(&B[column * K + k + pair + 8]);
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};\n"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
                   "r"(b[1]));
  }
  const int at = blockIdx.y * 16 + lane / 8, n = blockIdx.x * 8 + lane % 8;
  C[at * N + n] = c[0];
  C[(at + 4) * N + n] = c[1];
  C[(at + 8) * N + n] = c[2];
  C[(at + 12) * N + n] = c[3];
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K);
  check::Matrix<half> B(N, K);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  mma_sync_wrong_lane<<<dim3(N / 8, M / 16), 32>>>(A.data(), B.data(), C.data(),
                                                   M, N, K);
  near_miss::report("mma_sync_wrong_lane", C);
  return 0;
}
