// FORM: register tiles: vector stores, float4 of four results, in a
// column-split block
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four results from an array of outputs go out with one store, scaled and
// with a bias.

#include "check.h"

constexpr int BM = 16, BN = 64, BK = 16;

#pragma warpwright matmul
__global__ void float4_store(const float *A, const float *B, const float *bias,
                             float *C, int N, int K) {
  __shared__ float As[BM][BK], Bs[BK][BN];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * BM + ty, col = blockIdx.x * BN + 4 * tx;
  float acc[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int k0 = 0; k0 < K; k0 += BK) {
    As[ty][tx] = A[row * K + k0 + tx];
    reinterpret_cast<float4 *>(Bs[ty])[tx] = reinterpret_cast<const float4 *>(
        B + (k0 + ty) * N + blockIdx.x * BN)[tx];
    __syncthreads();
    for (int k = 0; k < BK; ++k) {
      const float a = As[ty][k];
      acc[0] += a * Bs[k][4 * tx];
      acc[1] += a * Bs[k][4 * tx + 1];
      acc[2] += a * Bs[k][4 * tx + 2];
      acc[3] += a * Bs[k][4 * tx + 3];
    }
    __syncthreads();
  }
  const float4 add = *reinterpret_cast<const float4 *>(bias + col);
  float4 out;
  out.x = fmaxf(acc[0] + add.x, 0.0f);
  out.y = fmaxf(acc[1] + add.y, 0.0f);
  out.z = fmaxf(acc[2] + add.z, 0.0f);
  out.w = fmaxf(acc[3] + add.w, 0.0f);
  *reinterpret_cast<float4 *>(&C[row * N + col]) = out;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 128, 64}, check::Shape{16, 64, 16},
                         check::Shape{48, 192, 80}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    check::Matrix<float> bias(1, s.n);
    bias.random(4);
    float4_store<<<dim3(s.n / BN, s.m / BM), dim3(16, 16)>>>(
        A.data(), B.data(), bias.data(), C.data(), s.n, s.k);
    check::Table sum = check::product(s, A, B);
    test.expect(
        "float4_store", s, C,
        [&](int m, int n) { return std::fmax(sum(m, n) + bias(0, n), 0.0); }, A,
        B, bias);
  }
  return test.finish();
}
