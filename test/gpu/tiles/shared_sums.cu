// FORM: the sum of each thread in shared memory, beside the tiles
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The element of the block's tile of C that a thread computes is kept in shared
// memory, but no other thread accesses it.

#include "check.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void shared_sums(const float *A, const float *B, float *C, int M,
                            int N, int K) {
  __shared__ float As[T][T], Bs[T][T], Cs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  Cs[ty][tx] = 0.0f;
  for (int t = 0; t < (K + T - 1) / T; ++t) {
    As[ty][tx] = row < M && t * T + tx < K ? A[row * K + t * T + tx] : 0.0f;
    Bs[ty][tx] = t * T + ty < K && col < N ? B[(t * T + ty) * N + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      Cs[ty][tx] += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = Cs[ty][tx];
}

// Four sums of each thread, side by side.
#pragma warpwright matmul
__global__ void shared_sums_of_rows(const half *A, const half *B, float *C,
                                    int M, int N, int K) {
  __shared__ float sums[128][4];
  const int t = threadIdx.x, col = blockIdx.x * 128 + t;
  for (int i = 0; i < 4; ++i)
    sums[t][i] = 0.0f;
  if (col >= N)
    return;
  for (int k = 0; k < K; ++k)
    for (int i = 0; i < 4; ++i)
      if (blockIdx.y * 4 + i < M)
        sums[t][i] += __half2float(A[(blockIdx.y * 4 + i) * K + k]) *
                      __half2float(B[k * N + col]);
  for (int i = 0; i < 4; ++i)
    if (blockIdx.y * 4 + i < M)
      C[(blockIdx.y * 4 + i) * N + col] = sums[t][i];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{64, 48, 64}, check::Shape{37, 50, 70},
                         check::Shape{5, 3, 1}, check::Shape{130, 200, 33}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n), C(s.m, s.n), D(s.m, s.n);
    check::Matrix<half> Ah(s.m, s.k), Bh(s.k, s.n);
    A.random(1);
    B.random(2);
    Ah.random(3);
    Bh.random(4);
    shared_sums<<<dim3(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T)),
                  dim3(T, T)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("shared_sums", s, C, check::product(s, A, B), A, B);
    shared_sums_of_rows<<<
        dim3(check::ceilDiv(s.n, 128), check::ceilDiv(s.m, 4)), 128>>>(
        Ah.data(), Bh.data(), D.data(), s.m, s.n, s.k);
    test.expect("shared_sums_of_rows", s, D, check::product(s, Ah, Bh), Ah, Bh);
  }
  return test.finish();
}
