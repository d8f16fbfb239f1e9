// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ldmatrix hands over the rows of B without .trans: what is multiplied is no
// matrix product.
//
// EXPECT: WW216

#include "../near_miss/near_miss.h"

#include <cstdint>

#pragma warpwright matmul
__global__ void mma_sync_not_turned(const half *A, const half *B, float *C,
                                    int M, int N, int K) {
  __shared__ alignas(16) half As[16][16];
  __shared__ alignas(16) half Bs[16][8];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int m = blockIdx.y * 16, n = blockIdx.x * 8;
  float c[4] = {};
  for (int k = 0; k < K; k += 16) {
    for (int i = threadIdx.x; i < 16 * 16; i += 32)
      As[i / 16][i % 16] = A[(m + i / 16) * K + k + i % 16];
    for (int i = threadIdx.x; i < 16 * 8; i += 32)
      Bs[i / 8][i % 8] = B[(k + i / 8) * N + n + i % 8];
    __syncthreads();
    uint32_t a[4], b[2];
    const uint32_t from_a = static_cast<uint32_t>(
        __cvta_generic_to_shared(&As[warp * 16 + lane % 16][lane / 16 * 8]));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
                 "{%0, %1, %2, %3}, [%4];\n"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"(from_a));
    const uint32_t from_b =
        static_cast<uint32_t>(__cvta_generic_to_shared(&Bs[lane % 16][0]));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, "
                 "[%2];\n"
                 : "=r"(b[0]), "=r"(b[1])
                 : "r"(from_b));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};\n"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
                   "r"(b[1]));
    __syncthreads();
  }
  const int row = m + warp * 16 + lane / 4, col = n + lane % 4 * 2;
  C[row * N + col] = c[0];
  C[row * N + col + 1] = c[1];
  C[(row + 8) * N + col] = c[2];
  C[(row + 8) * N + col + 1] = c[3];
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K);
  check::Matrix<half> B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  mma_sync_not_turned<<<dim3(N / 8, M / 16), 32>>>(A.data(), B.data(), C.data(),
                                                   M, N, K);
  near_miss::report("mma_sync_not_turned", C);
  return 0;
}
