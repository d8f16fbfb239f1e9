// FORM: mma.sync: m16n8k32 of bytes through ldmatrix, and m8n8k4 of doubles
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A register has four bytes along k, so that ldmatrix takes two of them for one
// element. Doubles have registers of their own, and a warp multiplies eight
// rows by eight columns.

#include "check.h"

#include <cstdint>

#pragma warpwright matmul
__global__ void mma_sync_bytes(const int8_t *A, const int8_t *B, int *C, int M,
                               int N, int K) {
  __shared__ int8_t As[32][48], Bs[8][48];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int m = blockIdx.y * 32, n = blockIdx.x * 8;
  const int r = threadIdx.x / 2, half = threadIdx.x % 2 * 16;
  int c[4] = {};
  for (int k = 0; k < K; k += 32) {
    *(int4 *)&As[r][half] = *(const int4 *)&A[(m + r) * K + k + half];
    if (threadIdx.x < 16)
      *(int4 *)&Bs[r][half] = *(const int4 *)&B[(n + r) * K + k + half];
    __syncthreads();
    uint32_t a[4], b[2];
    asm volatile(
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
        : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
        : "r"((unsigned)__cvta_generic_to_shared(
            &As[warp * 16 + lane % 16][lane / 16 * 16])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(b[0]), "=r"(b[1])
                 : "r"((unsigned)__cvta_generic_to_shared(
                     &Bs[lane % 8][lane / 8 % 2 * 16])));
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    __syncthreads();
  }
  int *out = C + (m + warp * 16 + lane / 4) * N + n + lane % 4 * 2;
  *(int2 *)out = make_int2(c[0], c[1]);
  *(int2 *)(out + 8 * N) = make_int2(c[2], c[3]);
}

#pragma warpwright matmul
__global__ void mma_sync_doubles(const double *A, const double *B, double *C,
                                 int M, int N, int K) {
  const int group = threadIdx.x / 4, at = threadIdx.x % 4;
  const int row = (blockIdx.y * blockDim.y + threadIdx.y) * 8 + group;
  const int col = blockIdx.x * 8;
  double c0 = 0, c1 = 0;
  for (int k = 0; k < K; k += 4)
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 "
                 "{%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(c0), "+d"(c1)
                 : "d"(A[row * K + k + at]),
                   "d"(B[(k + at) * N + col + group]));
  C[row * N + col + at * 2] = c0;
  C[row * N + col + at * 2 + 1] = c1;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{64, 40, 96}, check::Shape{32, 8, 32}}) {
    check::Matrix<signed char> A(s.m, s.k), B(s.n, s.k);
    check::Matrix<int> C(s.m, s.n);
    check::Matrix<double> D(s.m, s.k), E(s.k, s.n), F(s.m, s.n);
    A.integers(1, 127), B.integers(2, 127);
    D.random(3), E.random(4);
    mma_sync_bytes<<<dim3(s.n / 8, s.m / 32), 64>>>(A.data(), B.data(),
                                                    C.data(), s.m, s.n, s.k);
    mma_sync_doubles<<<dim3(s.n / 8, s.m / 16), dim3(32, 2)>>>(
        D.data(), E.data(), F.data(), s.m, s.n, s.k);
    test.expect("mma_sync_bytes", s, C,
                check::product(
                    s, [&](int m, int k) { return A(m, k); },
                    [&](int k, int n) { return B(n, k); }),
                A, B);
    test.expect("mma_sync_doubles", s, F, check::product(s, D, E), D, E);
  }
  return test.finish();
}
