// FORM: operand prologues: bits of an operand cut off
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operand is cut to the 10 bits of TF32 by hand, by a mask over its bits.

#include "check.h"

#include <cstdint>
#include <cstring>

#pragma warpwright matmul
__global__ void masked_bits(const float *A, const float *B, float *C, int M,
                            int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
      sum += __uint_as_float(__float_as_uint(A[row * K + k]) & 0xffffe000u) *
             B[k * N + col];
    C[row * N + col] = sum;
  }
}

namespace {

/// \p x without the 13 lowest bits of its fraction.
double cut(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof(bits));
  bits &= 0xffffe000u;
  std::memcpy(&x, &bits, sizeof(bits));
  return x;
}

} // namespace

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    masked_bits<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                  dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect(
        "masked_bits", s, C,
        check::product(s, [&](int m, int k) { return cut(A(m, k)); }, B), A, B);
  }
  return test.finish();
}
