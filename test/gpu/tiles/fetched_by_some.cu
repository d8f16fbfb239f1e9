// FORM: registers: vectors fetched ahead, some of them by half of the threads
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile of B has half as many vectors as the block has threads. The others
// have a register for one that is never set. The last tile is multiplied behind
// the loop.

#include "check.h"

constexpr int BM = 64, BN = 32, BK = 8, THREADS = 128;

#pragma warpwright matmul tile(64, 64, 32)
__global__ void fetched_by_some(const float *A, const float *B, float *C, int M,
                                int N, int K) {
  __shared__ float As[BK][BM + 4], Bs[BK][BN];
  const int t = threadIdx.x, row = t / 8 * 4, col = t % 8 * 4;
  const float *a = A + (blockIdx.y * BM + t / 2) * K + t % 2 * 4;
  const float *b = B + t / 8 * N + blockIdx.x * BN + t % 8 * 4;
  float sums[4][4] = {};
  float4 next_a = *reinterpret_cast<const float4 *>(a), next_b;
  if (t < 64)
    next_b = *reinterpret_cast<const float4 *>(b);
  for (int k0 = BK; k0 < K; k0 += BK) {
    As[t % 2 * 4][t / 2] = next_a.x;
    As[t % 2 * 4 + 1][t / 2] = next_a.y;
    As[t % 2 * 4 + 2][t / 2] = next_a.z;
    As[t % 2 * 4 + 3][t / 2] = next_a.w;
    if (t < 64)
      *reinterpret_cast<float4 *>(&Bs[t / 8][t % 8 * 4]) = next_b;
    __syncthreads();
    a += BK;
    b += BK * N;
    next_a = *reinterpret_cast<const float4 *>(a);
    if (t < 64)
      next_b = *reinterpret_cast<const float4 *>(b);
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          sums[i][j] += As[k][row + i] * Bs[k][col + j];
    __syncthreads();
  }
  As[t % 2 * 4][t / 2] = next_a.x;
  As[t % 2 * 4 + 1][t / 2] = next_a.y;
  As[t % 2 * 4 + 2][t / 2] = next_a.z;
  As[t % 2 * 4 + 3][t / 2] = next_a.w;
  if (t < 64)
    *reinterpret_cast<float4 *>(&Bs[t / 8][t % 8 * 4]) = next_b;
  __syncthreads();
  for (int k = 0; k < BK; ++k)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        sums[i][j] += As[k][row + i] * Bs[k][col + j];
  for (int i = 0; i < 4; ++i)
    *reinterpret_cast<float4 *>(
        &C[(blockIdx.y * BM + row + i) * N + blockIdx.x * BN + col]) =
        make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s :
       {check::Shape{64, 96, 64}, {128, 32, 24}, {64, 64, 8}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n), C(s.m, s.n);
    A.random(1), B.random(2);
    fetched_by_some<<<dim3(s.n / BN, s.m / BM), THREADS>>>(
        A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("fetched_by_some", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
