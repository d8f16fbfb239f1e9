// FORM: a warp for each output, 16 bytes of a row at a time, and the rest of it
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eight bfloat16 of a row are one vector, whose products four sums share; a
// loop over what is left follows, and then the lanes add up all of it.

#include "check.h"

using bf16 = __nv_bfloat16;

#define ALL_LANES 0xffffffffu

#pragma warpwright matmul tile(64, 64, 32)
__global__ void four_sums(float *__restrict__ C, const float *__restrict__ A,
                          const bf16 *__restrict__ B, int M, int N, int K) {
  const int n = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
  const int m = blockIdx.y;
  if (m >= M || n >= N)
    return;
  const int lane = threadIdx.x & 31;
  const float *a = A + static_cast<size_t>(m) * K;
  const bf16 *b = B + static_cast<size_t>(n) * K;
  const float4 *a4 = reinterpret_cast<const float4 *>(a);
  const float4 *b8 = reinterpret_cast<const float4 *>(b);
  float s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;
  for (int i = lane; i < K >> 3; i += 32) {
    const float4 eight = b8[i], low = a4[2 * i], high = a4[2 * i + 1];
    const __nv_bfloat162 *two =
        reinterpret_cast<const __nv_bfloat162 *>(&eight);
    s0 += low.x * __low2float(two[0]) + low.y * __high2float(two[0]);
    s1 += low.z * __low2float(two[1]) + low.w * __high2float(two[1]);
    s2 += high.x * __low2float(two[2]) + high.y * __high2float(two[2]);
    s3 += high.z * __low2float(two[3]) + high.w * __high2float(two[3]);
  }
  float sum = (s0 + s1) + (s2 + s3);
  for (int k = (K >> 3 << 3) + lane; k < K; k += 32)
    sum += a[k] * __bfloat162float(b[k]);
  for (int step = 16; step; step >>= 1)
    sum += __shfl_down_sync(ALL_LANES, sum, step);
  if (lane == 0)
    C[static_cast<size_t>(m) * N + n] = sum;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{20, 24, 320},
                         {7, 8, 64},
                         {16, 72, 40},
                         // One row: no vector behind it has to be aligned.
                         {1, 1, 29},
                         {1, 1, 5}}) {
    check::Matrix<float> A(s.m, s.k), C(s.m, s.n);
    check::Matrix<bf16> B(s.n, s.k);
    A.random(1), B.random(2);
    four_sums<<<dim3(check::ceilDiv(s.n, 4), s.m), 128>>>(
        C.data(), A.data(), B.data(), s.m, s.n, s.k);
    test.expect("four_sums", s, C,
                check::product(
                    s, [&](int m, int k) { return A(m, k); },
                    [&](int k, int n) { return B(n, k); }),
                A, B);
  }
  return test.finish();
}
