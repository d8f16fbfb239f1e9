// FORM: register tiles: float4 accumulators
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four columns of a row are the members of one float4.

#include "check.h"

#define T 16

__device__ void add(float4 &sum, float a, float4 b) {
  sum.x += a * b.x;
  sum.y += a * b.y;
  sum.z += a * b.z;
  sum.w += a * b.w;
}

#pragma warpwright matmul
__global__ void float4_accumulators(const float *A, const float *B, float *C,
                                    int N, int K) {
  __shared__ float As[T][T];
  __shared__ float4 Bs[T][T / 4];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + 4 * tx;
  float4 acc = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int c = tx; c < T; c += T / 4)
      As[ty][c] = A[row * K + k0 + c];
    Bs[ty][tx] = *reinterpret_cast<const float4 *>(B + (k0 + ty) * N + col);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      add(acc, As[ty][k], Bs[k][tx]);
    __syncthreads();
  }
  *reinterpret_cast<float4 *>(C + row * N + col) = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 64, 96},
                         check::Shape{32, 32, 160}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    float4_accumulators<<<dim3(s.n / T, s.m / T), dim3(T / 4, T)>>>(
        A.data(), B.data(), C.data(), s.n, s.k);
    test.expect("float4_accumulators", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
