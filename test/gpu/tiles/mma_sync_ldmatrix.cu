// FORM: ldmatrix and mma.sync: one warp, tiles in shared memory, B by .trans,
// float2 stores
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ldmatrix hands rows of 8 halves to the lanes; those of B are turned.

#include "check.h"

#include <cstdint>

#pragma warpwright matmul
__global__ void mma_sync_ldmatrix(const half *A, const half *B, float *C, int M,
                                  int N, int K) {
  __shared__ alignas(16) half As[16][16];
  __shared__ alignas(16) half Bs[16][8];
  const int lane = threadIdx.x % 32;
  const int m = blockIdx.y * 16, n = blockIdx.x * 8;
  float c[4] = {};
  for (int k = 0; k < K; k += 16) {
    *reinterpret_cast<float4 *>(&As[lane / 2][lane % 2 * 8]) =
        *reinterpret_cast<const float4 *>(
            &A[(m + lane / 2) * K + k + lane % 2 * 8]);
    if (lane < 16)
      *reinterpret_cast<float4 *>(&Bs[lane][0]) =
          *reinterpret_cast<const float4 *>(&B[(k + lane) * N + n]);
    __syncthreads();
    uint32_t a[4], b[2];
    const uint32_t from_a = static_cast<uint32_t>(
        __cvta_generic_to_shared(&As[lane % 16][lane / 16 * 8]));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
                 "{%0, %1, %2, %3}, [%4];\n"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"(from_a));
    const uint32_t from_b =
        static_cast<uint32_t>(__cvta_generic_to_shared(&Bs[lane % 16][0]));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, "
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
  const int row = m + lane / 4, col = n + lane % 4 * 2;
  *reinterpret_cast<float2 *>(&C[row * N + col]) = make_float2(c[0], c[1]);
  *reinterpret_cast<float2 *>(&C[(row + 8) * N + col]) =
      make_float2(c[2], c[3]);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 64, 96},
                         check::Shape{32, 32, 160}, check::Shape{16, 16, 16}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    mma_sync_ldmatrix<<<dim3(s.n / 8, s.m / 16), 32>>>(A.data(), B.data(),
                                                       C.data(), s.m, s.n, s.k);
    test.expect("mma_sync_ldmatrix", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
