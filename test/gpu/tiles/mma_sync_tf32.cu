// FORM: mma.sync: tf32 by m16n8k8, rounded by cvt.rna.tf32.f32, a warp along y
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float operands; every element is rounded in its register.

#include "check.h"

#include <cstdint>

__device__ __forceinline__ uint32_t rounded(float x) {
  uint32_t r;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(x));
  return r;
}

#pragma warpwright matmul
__global__ void mma_sync_tf32(const float *A, const float *B, float *C, int M,
                              int N, int K) {
  const int group = threadIdx.x / 4, quad = threadIdx.x % 4;
  const int row = (blockIdx.y * 2 + threadIdx.y) * 16 + group;
  const int n = blockIdx.x * 8;
  float c[4] = {};
  for (int k = 0; k < K; k += 8) {
    uint32_t a[4], b[2];
    a[0] = rounded(A[row * K + k + quad]);
    a[1] = rounded(A[(row + 8) * K + k + quad]);
    a[2] = rounded(A[row * K + k + quad + 4]);
    a[3] = rounded(A[(row + 8) * K + k + quad + 4]);
    b[0] = rounded(B[(k + quad) * N + n + group]);
    b[1] = rounded(B[(k + quad + 4) * N + n + group]);
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

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.setBound(1e-3);
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 64, 96},
                         check::Shape{32, 32, 160}, check::Shape{32, 16, 8}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    mma_sync_tf32<<<dim3(s.n / 8, s.m / 32), dim3(32, 2)>>>(
        A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("mma_sync_tf32", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
