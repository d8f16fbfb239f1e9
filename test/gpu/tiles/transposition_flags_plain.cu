// FORM: surface: transposition flags that are run-time int arguments, one
// output per thread
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strides are chosen by the flags.

#include "check.h"

#pragma warpwright matmul
__global__ void transposition_flags_plain(int ta, int tb, int M, int N, int K,
                                          const half *A, const half *B,
                                          float *C) {
  const int i = blockIdx.y * blockDim.y + threadIdx.y,
            j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= M || j >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    const half a = ta ? A[k * M + i] : A[i * K + k];
    const half b = tb ? B[j * K + k] : B[k * N + j];
    sum += __half2float(a) * __half2float(b);
  }
  C[i * N + j] = sum;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}})
    for (int flags = 0; flags < 4; ++flags) {
      const bool ta = flags & 1, tb = flags & 2;
      check::Matrix<half> A(ta ? s.k : s.m, ta ? s.m : s.k);
      check::Matrix<half> B(tb ? s.n : s.k, tb ? s.k : s.n);
      check::Matrix<float> C(s.m, s.n);
      A.random(1);
      B.random(2);
      transposition_flags_plain<<<dim3(check::ceilDiv(s.n, 16),
                                       check::ceilDiv(s.m, 16)),
                                  dim3(16, 16)>>>(ta, tb, s.m, s.n, s.k,
                                                  A.data(), B.data(), C.data());
      check::Table sum = check::product(
          s, [&](int m, int k) { return ta ? A(k, m) : A(m, k); },
          [&](int k, int n) { return tb ? B(n, k) : B(k, n); });
      test.expect("transposition_flags_plain", s, C, sum, A, B);
    }
  return test.finish();
}
