// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scaled by a vector along the rows and another along the columns.
//
// EXPECT-LOG: hopper if k > 0

#include "check.h"

#pragma warpwright matmul
__global__ void scaled_mm(const __nv_bfloat16 *A, const __nv_bfloat16 *W,
                          const float *scale_a, const float *scale_w,
                          __nv_bfloat16 *C, int M, int N, int K) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < M && col < N) {
    float acc = 0.0f;
    for (int k = 0; k < K; ++k) {
      float a = __bfloat162float(A[row * K + k]);
      float w = __bfloat162float(W[col * K + k]);
      acc += a * w;
    }
    C[row * N + col] = __float2bfloat16(acc * scale_a[row] * scale_w[col]);
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : test.shapes()) {
    check::Matrix<__nv_bfloat16> A(s.m, s.k), W(s.n, s.k), C(s.m, s.n);
    check::Matrix<float> scaleA(1, s.m), scaleW(1, s.n);
    A.random(37);
    W.random(38);
    scaleA.random(39);
    scaleW.random(40, 0.1);
    dim3 block(32, 8);
    dim3 grid(check::ceilDiv(s.n, 32), check::ceilDiv(s.m, 8));
    scaled_mm<<<grid, block>>>(A.data(), W.data(), scaleA.data(), scaleW.data(),
                               C.data(), s.m, s.n, s.k);
    check::Table sum =
        check::product(s, A, [&](int k, int n) { return W(n, k); });
    test.expect(
        "scaled_mm", s, C,
        [&](int m, int n) { return sum(m, n) * scaleA(0, m) * scaleW(0, n); },
        A, W, scaleA, scaleW);
  }
  return test.finish();
}
