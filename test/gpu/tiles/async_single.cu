// FORM: shared-memory tiles: __pipeline_memcpy_async, one element per thread,
// zero fill
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The copy is asynchronous where there is something to copy.

#include "check.h"

#include <cuda_pipeline.h>

#define T 16

#pragma warpwright matmul
__global__ void async_single(const float *A, const float *B, float *C, int M,
                             int N, int K) {
  __shared__ float As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    if (row < M && k0 + tx < K)
      __pipeline_memcpy_async(&As[ty][tx], A + row * K + k0 + tx,
                              sizeof(float));
    else
      As[ty][tx] = 0.0f;
    if (k0 + ty < K && col < N)
      __pipeline_memcpy_async(&Bs[ty][tx], B + (k0 + ty) * N + col,
                              sizeof(float));
    else
      Bs[ty][tx] = 0.0f;
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += As[ty][k] * Bs[k][tx];
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
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    async_single<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                   dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("async_single", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
