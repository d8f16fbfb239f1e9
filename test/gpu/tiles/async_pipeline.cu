// FORM: shared-memory tiles: cuda::memcpy_async by a pipeline of the thread,
// one stage
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Acquired, committed, waited for and released in every iteration.

#include "check.h"

#include <cuda/pipeline>

constexpr int T = 16;

#pragma warpwright matmul
__global__ void async_pipeline(const float *A, const float *B, float *C, int N,
                               int K) {
  __shared__ float As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    pipe.producer_acquire();
    cuda::memcpy_async(&As[ty][tx], &A[row * K + k0 + tx], sizeof(float), pipe);
    cuda::memcpy_async(&Bs[ty][tx], &B[(k0 + ty) * N + col],
                       cuda::aligned_size_t<4>(sizeof(float)), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += As[ty][k] * Bs[k][tx];
    pipe.consumer_release();
    __syncthreads();
  }
  C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 64, 96},
                         check::Shape{32, 32, 160}}) {
    check::Matrix<float> A(s.m, s.k);
    check::Matrix<float> B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    async_pipeline<<<dim3(s.n / T, s.m / T), dim3(T, T)>>>(A.data(), B.data(),
                                                           C.data(), s.n, s.k);
    test.expect("async_pipeline", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
