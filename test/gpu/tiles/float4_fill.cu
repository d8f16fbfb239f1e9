// FORM: shared-memory tiles: filled by float4 through reinterpret_cast
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four floats with each load and with each store to a tile; extents are
// multiples of the tiles.

#include "check.h"

constexpr int BM = 32, BN = 32, BK = 16;

#pragma warpwright matmul
__global__ void float4_fill(const float *A, const float *B, float *C, int N,
                            int K) {
  __shared__ float As[BM][BK];
  __shared__ float Bs[BK][BN];
  const int tid = threadIdx.x;
  const int ar = tid / 4, ac = tid % 4 * 4;
  const int br = tid / 8, bc = tid % 8 * 4;
  const float *a = A + (blockIdx.y * BM + ar) * K + ac;
  const float *b = B + br * N + blockIdx.x * BN + bc;
  const int r = tid / 16 * 4, c = tid % 16 * 2;
  float acc[4][2] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    *reinterpret_cast<float4 *>(&As[ar][ac]) =
        *reinterpret_cast<const float4 *>(a + k0);
    *reinterpret_cast<float4 *>(&Bs[br][bc]) =
        *reinterpret_cast<const float4 *>(b + k0 * N);
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 2; ++j)
          acc[i][j] += As[r + i][k] * Bs[k][c + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 2; ++j)
      C[(blockIdx.y * BM + r + i) * N + blockIdx.x * BN + c + j] = acc[i][j];
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
    float4_fill<<<dim3(s.n / BN, s.m / BM), 128>>>(A.data(), B.data(), C.data(),
                                                   s.n, s.k);
    test.expect("float4_fill", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
