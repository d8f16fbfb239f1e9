// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declared and annotated in a header, defined in one file, launched in
// another: build with `nvcc main.cu gemm.cu`.
//
// EXPECT-LOG: hopper if k > 0

#include "../check.h"
#include "gemm.h"

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : test.shapes()) {
    check::Matrix<__nv_bfloat16> A(s.m, s.k), B(s.k, s.n), C(s.m, s.n);
    A.random(75);
    B.random(76);
    dim3 block(16, 16);
    dim3 grid((s.n + 15) / 16, (s.m + 15) / 16);
    gemm<<<grid, block>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("gemm", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
