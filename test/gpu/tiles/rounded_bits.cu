// FORM: epilogues: bits of the sum
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bfloat16 as integers of 16 bits: operands are widened and the sum is rounded
// to the nearest, and to even between two, by its bits.

#include "check.h"

#include <cstdint>

__device__ float widened(unsigned short bits) {
  return __uint_as_float(static_cast<unsigned>(bits) << 16);
}

__device__ unsigned short rounded(float x) {
  const unsigned bits = __float_as_uint(x);
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

#pragma warpwright matmul
__global__ void rounded_bits(const unsigned short *A, const unsigned short *B,
                             unsigned short *C, int M, int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
      sum += widened(A[row * K + k]) * widened(B[k * N + col]);
    C[row * N + col] = rounded(sum);
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{3, 5, 7}}) {
    check::Matrix<__nv_bfloat16> A(s.m, s.k), B(s.k, s.n), C(s.m, s.n);
    A.random(1);
    B.random(2);
    auto Bits = [](__nv_bfloat16 *x) {
      return reinterpret_cast<unsigned short *>(x);
    };
    rounded_bits<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                   dim3(16, 16)>>>(Bits(A.data()), Bits(B.data()),
                                   Bits(C.data()), s.m, s.n, s.k);
    test.expect("rounded_bits", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
