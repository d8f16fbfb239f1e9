// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of floats that are not rounded to tf32 are left open.
//
// EXPECT: WW215

#include "../near_miss/near_miss.h"

#include <cstdint>

#pragma warpwright matmul
__global__ void mma_sync_unrounded(const float *A, const float *B, float *C,
                                   int M, int N, int K) {
  const int group = threadIdx.x / 4, quad = threadIdx.x % 4;
  const int row = blockIdx.y * 16 + group, n = blockIdx.x * 8;
  float c[4] = {};
  for (int k = 0; k < K; k += 8) {
    uint32_t a[4], b[2];
    a[0] = __float_as_uint(A[row * K + k + quad]);
    a[1] = __float_as_uint(A[(row + 8) * K + k + quad]);
    a[2] = __float_as_uint(A[row * K + k + quad + 4]);
    a[3] = __float_as_uint(A[(row + 8) * K + k + quad + 4]);
    b[0] = __float_as_uint(B[(n + group) * K + k + quad]);
    b[1] = __float_as_uint(B[(n + group) * K + k + quad + 4]);
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};\n"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
                   "r"(b[1]));
  }
  const int col = n + quad * 2;
  C[row * N + col] = c[0];
  C[row * N + col + 1] = c[1];
  C[(row + 8) * N + col] = c[2];
  C[(row + 8) * N + col + 1] = c[3];
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<float> A(M, K);
  check::Matrix<float> B(N, K);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  mma_sync_unrounded<<<dim3(N / 8, M / 16), 32>>>(A.data(), B.data(), C.data(),
                                                  M, N, K);
  near_miss::report("mma_sync_unrounded", C);
  return 0;
}
