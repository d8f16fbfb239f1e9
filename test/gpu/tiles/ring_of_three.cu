// FORM: shared-memory tiles: multi-buffered, a ring of three stages
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two tiles are in flight ahead of the one that is multiplied; the stage is
// the tile's number modulo three.

#include "check.h"

constexpr int T = 16, STAGES = 3;

__device__ void fetch(half (*as)[T], half (*bs)[T], const half *A,
                      const half *B, int row, int col, int k0, int N, int K) {
  as[threadIdx.y][threadIdx.x] = A[row * K + k0 + threadIdx.x];
  bs[threadIdx.y][threadIdx.x] = B[(k0 + threadIdx.y) * N + col];
}

#pragma warpwright matmul
__global__ void ring_of_three(const half *A, const half *B, float *C, int N,
                              int K) {
  __shared__ half As[STAGES][T][T], Bs[STAGES][T][T];
  const int row = blockIdx.y * T + threadIdx.y,
            col = blockIdx.x * T + threadIdx.x;
  const int tiles = K / T;
  for (int t = 0; t < STAGES - 1 && t < tiles; ++t)
    fetch(As[t], Bs[t], A, B, row, col, t * T, N, K);
  float acc = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    __syncthreads();
    const int ahead = t + STAGES - 1;
    if (ahead < tiles)
      fetch(As[ahead % STAGES], Bs[ahead % STAGES], A, B, row, col, ahead * T,
            N, K);
    const int stage = t % STAGES;
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[stage][threadIdx.y][k]) *
             __half2float(Bs[stage][k][threadIdx.x]);
  }
  C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 64, 96},
                         check::Shape{32, 32, 160}, check::Shape{16, 16, 16}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    ring_of_three<<<dim3(s.n / T, s.m / T), dim3(T, T)>>>(A.data(), B.data(),
                                                          C.data(), s.n, s.k);
    test.expect("ring_of_three", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
