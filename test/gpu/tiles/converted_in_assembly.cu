// FORM: numbers of 16 bits that inline assembly converts
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that are compiled at run time do without cuda_fp16.h: their halves
// are integers, which one instruction of PTX converts.

#include "check.h"

using s8 = signed char;
using u16 = unsigned short;

__device__ float widened(u16 bits) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}
__device__ u16 narrowed(float value) {
  u16 bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}

#define OUTPUT_OF_THREAD                                                       \
  const int row = blockIdx.y * blockDim.y + threadIdx.y;                       \
  const int col = blockIdx.x * blockDim.x + threadIdx.x;                       \
  if (row >= M || col >= N)                                                    \
    return;

// 32 of k have a scale, which is such a number.
#pragma warpwright matmul tile(64, 64, 32)
__global__ void scales(const float *A, const s8 *B, const u16 *scale, float *C,
                       int M, int N, int K) {
  OUTPUT_OF_THREAD
  float acc = 0;
  for (int block = 0; block < K / 32; ++block) {
    const float s = widened(scale[col * (K / 32) + block]);
    for (int k = 32 * block; k < 32 * block + 32; ++k)
      acc += A[row * K + k] * (B[col * K + k] * s);
  }
  C[row * N + col] = acc;
}

#pragma warpwright matmul tile(64, 64, 64)
__global__ void operands(const u16 *A, const u16 *B, u16 *C, int M, int N,
                         int K) {
  OUTPUT_OF_THREAD
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += widened(A[row * K + k]) * widened(B[k * N + col]);
  C[row * N + col] = narrowed(acc);
}

// The first operand of the instruction becomes the upper half of a word.
#pragma warpwright matmul tile(64, 64, 64)
__global__ void pairs(const half *A, const half *B, half *C, int M, int N,
                      int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= M || col >= N)
    return;
  float low = 0, high = 0;
  for (int k = 0; k < K; ++k) {
    low += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    high += __half2float(A[row * K + k]) * __half2float(B[k * N + col + 1]);
  }
  unsigned both;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
  *reinterpret_cast<unsigned *>(&C[row * N + col]) = both;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{40, 48, 96}, check::Shape{17, 34, 64}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n), scale(s.n, s.k / 32);
    check::Matrix<float> X(s.m, s.k), C(s.m, s.n);
    check::Matrix<s8> W(s.n, s.k);
    check::Matrix<half> D(s.m, s.n), E(s.m, s.n);
    A.random(1), B.random(2), scale.random(3), X.random(4);
    for (int n = 0; n < s.n; ++n)
      for (int k = 0; k < s.k; ++k)
        W.set(n, k, (n * 31 + k * 7) % 255 - 127);
    W.upload();
    const dim3 block(16, 16);
    const dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    const auto bits = [](check::Matrix<half> &matrix) {
      return reinterpret_cast<u16 *>(matrix.data());
    };
    scales<<<grid, block>>>(X.data(), W.data(), bits(scale), C.data(), s.m, s.n,
                            s.k);
    operands<<<grid, block>>>(bits(A), bits(B), bits(D), s.m, s.n, s.k);
    pairs<<<dim3(check::ceilDiv(s.n, 32), grid.y), block>>>(
        A.data(), B.data(), E.data(), s.m, s.n, s.k);
    test.expect("scales", s, C,
                check::product(
                    s, [&](int m, int k) { return X(m, k); },
                    [&](int k, int n) { return W(n, k) * scale(n, k / 32); }),
                X, W);
    test.expect("operands", s, D, check::product(s, A, B), A, B);
    test.expect("pairs", s, E, check::product(s, A, B), A, B);
  }
  return test.finish();
}
