// FORM: mma.sync by inline assembly: fragments of half loaded by hand from
// global memory
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp computes 16 by 8 outputs; B has its columns along k.

#include "check.h"

#include <cstdint>

#pragma warpwright matmul
__global__ void mma_sync_global(const half *A, const half *B, float *C, int M,
                                int N, int K) {
  const int lane = threadIdx.x;
  const int row = blockIdx.y * 16 + lane / 4, pair = lane % 4 * 2;
  const int column = blockIdx.x * 8 + lane / 4;
  float c[4] = {0.0f, 0.0f, 0.0f, 0.0f};
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
  const int n = blockIdx.x * 8 + pair;
  C[row * N + n] = c[0];
  C[row * N + n + 1] = c[1];
  C[(row + 8) * N + n] = c[2];
  C[(row + 8) * N + n + 1] = c[3];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 64, 96},
                         check::Shape{32, 32, 160}, check::Shape{16, 16, 16}}) {
    check::Matrix<half> A(s.m, s.k), B(s.n, s.k);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    mma_sync_global<<<dim3(s.n / 8, s.m / 16), 32>>>(A.data(), B.data(),
                                                     C.data(), s.m, s.n, s.k);
    test.expect("mma_sync_global", s, C,
                check::product(s, A, [&](int k, int n) { return B(n, k); }), A,
                B);
  }
  return test.finish();
}
