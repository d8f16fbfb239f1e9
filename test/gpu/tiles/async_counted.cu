// FORM: cp.async: tiles counted as they are fetched, four stages whose number
// starts again at the end
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The counter and the pointers step only where there is a tile left, before the
// loop and in it. Empty groups are committed at the end.

#include "check.h"

constexpr int BM = 64, BN = 64, BK = 16, Stages = 4;

__device__ inline void copy16(float *to, const float *from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(
                   (unsigned)__cvta_generic_to_shared(to)),
               "l"(from));
}

#pragma warpwright matmul
__global__ void async_counted(const float *__restrict__ A,
                              const float *__restrict__ B,
                              float *__restrict__ C, int M, int N, int K) {
  __shared__ __align__(16) float As[Stages][BM][BK], Bs[Stages][BK][BN];
  const int t = threadIdx.x, tx = t % 16, ty = t / 16, quad = t % 4 * 4;
  const float *a = A + (blockIdx.y * BM + t / 4) * (size_t)K + quad;
  const float *b = B + ty * (size_t)N + blockIdx.x * BN + tx * 4;
  const int tiles = K / BK;
  int write = 0, read = 0, fetched = 0;
#pragma unroll
  for (int s = 0; s < Stages - 1; ++s) {
    if (fetched < tiles) {
      copy16(&As[write][t / 4][quad], a);
      copy16(&Bs[write][ty][tx * 4], b);
      a += BK, b += BK * N;
      ++fetched;
    }
    asm volatile("cp.async.commit_group;");
    write = write + 1 == Stages ? 0 : write + 1;
  }
  float acc[4][4] = {};
  for (int i = 0; i < tiles; ++i) {
    asm volatile("cp.async.wait_group 2;");
    __syncthreads();
    if (fetched < tiles) {
      copy16(&As[write][t / 4][quad], a);
      copy16(&Bs[write][ty][tx * 4], b);
      a += BK, b += BK * N;
      ++fetched;
    }
    asm volatile("cp.async.commit_group;");
    write = write + 1 == Stages ? 0 : write + 1;
#pragma unroll
    for (int k = 0; k < BK; ++k)
#pragma unroll
      for (int r = 0; r < 4; ++r)
#pragma unroll
        for (int c = 0; c < 4; ++c)
          acc[r][c] += As[read][ty * 4 + r][k] * Bs[read][k][tx * 4 + c];
    read = read + 1 == Stages ? 0 : read + 1;
  }
  for (int r = 0; r < 4; ++r)
    *(float4 *)&C[(blockIdx.y * BM + ty * 4 + r) * (size_t)N + blockIdx.x * BN +
                  tx * 4] =
        make_float4(acc[r][0], acc[r][1], acc[r][2], acc[r][3]);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s :
       {check::Shape{64, 128, 96}, check::Shape{128, 64, 32}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n), C(s.m, s.n);
    A.random(1), B.random(2);
    async_counted<<<dim3(s.n / BN, s.m / BM), 256>>>(A.data(), B.data(),
                                                     C.data(), s.m, s.n, s.k);
    test.expect("async_counted", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
