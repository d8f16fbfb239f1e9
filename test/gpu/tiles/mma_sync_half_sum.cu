// FORM: mma.sync: sums of half in two registers, stored through a tile by 16 of the threads
// float2 stores
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Half accumulators are two numbers of a 32-bit register each.

#include "check.h"

#include <cstdint>

#pragma warpwright matmul
__global__ void mma_sync_half_sum(const half *A, const half *B, half *C, int M,
                                  int N, int K) {
  __shared__ alignas(16) half As[16][16];
  __shared__ alignas(16) half Bs[16][8];
  __shared__ alignas(16) half Cs[16][8];
  const int lane = threadIdx.x % 32;
  const int m = blockIdx.y * 16, n = blockIdx.x * 8;
  if (m >= M || n >= N)
    return;
  uint32_t c[2] = {0, 0};
  const int tiles = (K + 15) / 16;
#pragma unroll
  for (int t = 0; t < tiles; ++t) {
    *reinterpret_cast<float4 *>(&As[lane / 2][lane % 2 * 8]) =
        *reinterpret_cast<const float4 *>(
            &A[(m + lane / 2) * K + t * 16 + lane % 2 * 8]);
    if (lane < 16)
      *reinterpret_cast<float4 *>(&Bs[lane][0]) =
          *reinterpret_cast<const float4 *>(&B[(t * 16 + lane) * N + n]);
    __syncthreads();
    uint32_t a[4], b[2];
    const uint32_t from_a =
        __cvta_generic_to_shared(&As[lane % 16][lane / 16 * 8]);
    asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 "
                 "{%0, %1, %2, %3}, [%4];\n"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"(from_a));
    const uint32_t from_b = __cvta_generic_to_shared(&Bs[lane % 16][0]);
    asm volatile("ldmatrix.sync.aligned.x2.trans.m8n8.shared.b16 {%0, %1}, "
                 "[%2];\n"
                 : "=r"(b[0]), "=r"(b[1])
                 : "r"(from_b));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 "
                 "{%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};\n"
                 : "=r"(c[0]), "=r"(c[1])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
                   "r"(b[1]), "r"(c[0]), "r"(c[1]));
    __syncthreads();
  }
  reinterpret_cast<uint32_t *>(&Cs[lane / 4][0])[lane % 4] = c[0];
  reinterpret_cast<uint32_t *>(&Cs[lane / 4 + 8][0])[lane % 4] = c[1];
  __syncthreads();
  if (lane < 16)
    *reinterpret_cast<float4 *>(&C[(m + lane) * N + n]) =
        *reinterpret_cast<const float4 *>(&Cs[lane][0]);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.setBound(1e-2);
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 64, 96},
                         check::Shape{32, 32, 160}, check::Shape{16, 16, 16}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<half> C(s.m, s.n);
    A.random(1);
    B.random(2);
    mma_sync_half_sum<<<dim3(s.n / 8, s.m / 16), 32>>>(A.data(), B.data(),
                                                       C.data(), s.m, s.n, s.k);
    test.expect("mma_sync_half_sum", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
