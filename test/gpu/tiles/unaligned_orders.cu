// FORM: one output per thread, in all four memory orders, rows at any address
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pitches are odd and matrices begin one element behind the start of a row, so
// that TMA can read no operand and write no output.

#include "check.h"

template <bool TransA, bool TransB>
#pragma warpwright matmul
__global__ void
unaligned_orders(const __nv_bfloat16 *A, int lda, const __nv_bfloat16 *B,
                 int ldb, __nv_bfloat16 *C, int ldc, int M, int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    const __nv_bfloat16 a = TransA ? A[k * lda + row] : A[row * lda + k];
    const __nv_bfloat16 b = TransB ? B[col * ldb + k] : B[k * ldb + col];
    sum += __bfloat162float(a) * __bfloat162float(b);
  }
  C[row * ldc + col] = __float2bfloat16(sum);
}

template <bool TransA, bool TransB>
void run(check::Suite &test, const char *name, check::Shape s) {
  // The first column of each row is nobody's.
  const auto pitch = [](int cols) { return (cols + 1) | 1; };
  const int a_rows = TransA ? s.k : s.m, a_cols = TransA ? s.m : s.k;
  const int b_rows = TransB ? s.n : s.k, b_cols = TransB ? s.k : s.n;
  check::Matrix<__nv_bfloat16> A(a_rows, a_cols + 1, pitch(a_cols));
  check::Matrix<__nv_bfloat16> B(b_rows, b_cols + 1, pitch(b_cols));
  check::Matrix<__nv_bfloat16> C(s.m, s.n, pitch(s.n));
  A.random(1);
  B.random(2);
  unaligned_orders<TransA, TransB>
      <<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
         dim3(16, 16)>>>(A.data() + 1, A.pitch(), B.data() + 1, B.pitch(),
                         C.data(), C.pitch(), s.m, s.n, s.k);
  test.expect(
      name, s, C,
      check::product(
          s, [&](int m, int k) { return TransA ? A(k, m + 1) : A(m, k + 1); },
          [&](int k, int n) { return TransB ? B(n, k + 1) : B(k, n + 1); }),
      A, B);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{133, 75, 91}, check::Shape{64, 96, 64},
                         check::Shape{301, 127, 515}, check::Shape{1, 67, 130},
                         check::Shape{45, 1, 9}, check::Shape{2, 3, 1}}) {
    run<false, false>(test, "nn", s);
    run<false, true>(test, "nt", s);
    run<true, false>(test, "tn", s);
    run<true, true>(test, "tt", s);
  }
  return test.finish();
}
