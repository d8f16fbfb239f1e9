// FORM: shared-memory tiles: vectors of a row shifted by the row
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of A begin at another bank each; those of B too, one vector further each.

#include "check.h"

#define BM 64
#define BN 64
#define BK 32

#pragma warpwright matmul
__global__ void shifted_vectors(const float *A, const float *B, float *C, int M,
                                int N, int K) {
  __shared__ float As[BM * BK], Bs[BK * BN];
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  float acc[4][4] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = threadIdx.x; i < BM * BK / 4; i += blockDim.x) {
      const int r = i / (BK / 4), v = i % (BK / 4);
      *reinterpret_cast<float4 *>(&As[r * BK + (v + r) % (BK / 4) * 4]) =
          *reinterpret_cast<const float4 *>(
              &A[(blockIdx.y * BM + r) * K + k0 + v * 4]);
    }
    for (int i = threadIdx.x; i < BK * BN / 4; i += blockDim.x) {
      const int r = i / (BN / 4), v = i % (BN / 4);
      *reinterpret_cast<float4 *>(&Bs[r * BN + (v + r) % (BN / 4) * 4]) =
          *reinterpret_cast<const float4 *>(
              &B[(k0 + r) * N + blockIdx.x * BN + v * 4]);
    }
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
          const int r = ty * 4 + i;
          acc[i][j] += As[r * BK + (k / 4 + r) % (BK / 4) * 4 + k % 4] *
                       Bs[k * BN + (tx + k) % (BN / 4) * 4 + j];
        }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      C[(blockIdx.y * BM + ty * 4 + i) * N + blockIdx.x * BN + tx * 4 + j] =
          acc[i][j];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 64, 64}, check::Shape{128, 192, 96},
                         check::Shape{192, 64, 32}, check::Shape{64, 128, 256}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    shifted_vectors<<<dim3(s.n / BN, s.m / BM), 256>>>(A.data(), B.data(),
                                                       C.data(), s.m, s.n, s.k);
    test.expect("shifted_vectors", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
