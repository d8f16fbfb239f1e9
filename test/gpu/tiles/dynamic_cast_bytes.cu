// FORM: shared-memory tiles: extern __shared__ bytes with offsets and casts
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dynamic array is of bytes; half and float tiles are cut from it.

#include "check.h"

#define EDGE 16

#pragma warpwright matmul
__global__ void dynamic_cast_bytes(const half *A, const float *B, float *C,
                                   int M, int N, int K) {
  extern __shared__ __align__(16) unsigned char raw[];
  half *As = reinterpret_cast<half *>(raw);
  float *Bs = reinterpret_cast<float *>(raw + EDGE * EDGE * sizeof(half));
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * EDGE + ty, col = blockIdx.x * EDGE + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += EDGE) {
    As[ty * EDGE + tx] =
        row < M && k0 + tx < K ? A[row * K + k0 + tx] : __float2half(0.0f);
    Bs[ty * EDGE + tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < EDGE; ++k)
      acc += __half2float(As[ty * EDGE + k]) * Bs[k * EDGE + tx];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<half> A(s.m, s.k);
    check::Matrix<float> B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    dynamic_cast_bytes<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                         dim3(16, 16),
                         EDGE * EDGE * (sizeof(half) + sizeof(float))>>>(
        A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("dynamic_cast_bytes", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
