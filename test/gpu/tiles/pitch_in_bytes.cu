// FORM: surface: rows whose pitch is in bytes
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As cudaMallocPitch says it. The launcher asks for pitches of whole elements.

#include "check.h"

template <typename T> __device__ T *row_of(T *base, size_t pitch, int row) {
  return (T *)((char *)base + row * pitch);
}

#pragma warpwright matmul
__global__ void pitch_in_bytes(const float *A, size_t pitch_a, const float *B,
                               size_t pitch_b, float *C, size_t pitch_c, int M,
                               int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y,
            col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += row_of(A, pitch_a, row)[k] * row_of(B, pitch_b, k)[col];
  row_of(C, pitch_c, row)[col] = acc;
}

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
    pitch_in_bytes<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                     dim3(16, 16)>>>(A.data(), s.k * 4, B.data(), s.n * 4,
                                     C.data(), s.n * 4, s.m, s.n, s.k);
    test.expect("pitch_in_bytes", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
