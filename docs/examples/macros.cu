// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Macros for the indices and the conversions, typedefs for the types.
//
// EXPECT-LOG: hopper if k > 0

#include "check.h"

typedef __nv_bfloat16 elem_t;
using acc_t = float;

#define THREADS 16
#define ROW (blockIdx.y * THREADS + threadIdx.y)
#define COL (blockIdx.x * THREADS + threadIdx.x)
#define IDX(i, j, ld) ((i) * (ld) + (j))
#define TO_ACC(x) __bfloat162float(x)
#define FROM_ACC(x) __float2bfloat16(x)
#define MAC(acc, a, b) (acc) += TO_ACC(a) * TO_ACC(b)
#define IN_RANGE(i, j, rows, cols) ((i) < (rows) && (j) < (cols))

#pragma warpwright matmul
__global__ void matmul_macros(const elem_t *A, const elem_t *B, elem_t *C,
                              int m, int n, int k) {
  const int i = ROW, j = COL;
  if (IN_RANGE(i, j, m, n)) {
    acc_t acc = 0;
    for (int l = 0; l < k; l++)
      MAC(acc, A[IDX(i, l, k)], B[IDX(l, j, n)]);
    C[IDX(i, j, n)] = FROM_ACC(acc);
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : test.shapes()) {
    check::Matrix<elem_t> A(s.m, s.k), B(s.k, s.n), C(s.m, s.n);
    A.random(63);
    B.random(64);
    dim3 block(THREADS, THREADS);
    dim3 grid(check::ceilDiv(s.n, THREADS), check::ceilDiv(s.m, THREADS));
    matmul_macros<<<grid, block>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("matmul_macros", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
