// FORM: tiles: rows of A for the rows of threads, which are warps
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check.h"

#pragma warpwright matmul
__global__ void warp_rows(const float *A, const float *B, float *C, int M,
                          int N, int K) {
  __shared__ float a[8][32];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 8 + y, col = blockIdx.x * 32 + x;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 32) {
    a[y][x] = row < M && k0 + x < K ? A[row * K + k0 + x] : 0.0f;
    __syncwarp();
    for (int k = 0; k < 32; ++k)
      sum += a[y][k] * (k0 + k < K && col < N ? B[(k0 + k) * N + col] : 0.0f);
    __syncwarp();
  }
  if (row < M && col < N)
    C[row * N + col] = sum;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 64, 64}, check::Shape{67, 45, 83},
                         check::Shape{3, 5, 7}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(4);
    B.random(5);
    warp_rows<<<dim3(check::ceilDiv(s.n, 32), check::ceilDiv(s.m, 8)),
                dim3(32, 8)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    check::Table sum = check::product(s, A, B);
    test.expect(
        "warp_rows", s, C, [&](int m, int n) { return sum(m, n); }, A, B);
  }
  return test.finish();
}
