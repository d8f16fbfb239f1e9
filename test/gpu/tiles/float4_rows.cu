// FORM: register tiles: an array of float4 accumulators, no shared memory,
// vector stores
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four rows of one float4 each.

#include "check.h"

#pragma warpwright matmul
__global__ void float4_rows(const float *A, const float *B, float *C, int M,
                            int N, int K) {
  const int row = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
  const int col = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (row >= M || col >= N)
    return;
  float4 acc[4];
  for (int i = 0; i < 4; ++i)
    acc[i] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int k = 0; k < K; ++k) {
    const float4 b = *(const float4 *)&B[k * N + col];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float a = A[(row + i) * K + k];
      acc[i].x += a * b.x;
      acc[i].y += a * b.y;
      acc[i].z += a * b.z;
      acc[i].w += a * b.w;
    }
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
    *(float4 *)&C[(row + i) * N + col] = acc[i];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 64, 64}, check::Shape{68, 44, 83},
                         check::Shape{4, 4, 1}, check::Shape{132, 36, 101}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    float4_rows<<<dim3(check::ceilDiv(s.n, 16 * 4), check::ceilDiv(s.m, 8 * 4)),
                  dim3(16, 8)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("float4_rows", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
