// FORM: blocks: tiles that are counted from an argument on
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch computes some of the tiles, as where several GPUs or streams share a
// product. Those that begin with a row of tiles run the Hopper kernel.

#include "check.h"

constexpr int T = 16;

#pragma warpwright matmul tile(64, 64, 64)
__global__ void first_tile(const half *A, const half *B, float *C, int M, int N,
                           int K, int first) {
  __shared__ half As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int across = (N + T - 1) / T, tile = first + blockIdx.x;
  const int row = tile / across * T + ty, col = tile % across * T + tx;
  float acc = 0;
  for (int k = 0; k < K; k += T) {
    As[ty][tx] =
        row < M && k + tx < K ? A[row * K + k + tx] : __float2half(0.0f);
    Bs[ty][tx] =
        col < N && k + ty < K ? B[(k + ty) * N + col] : __float2half(0.0f);
    __syncthreads();
    for (int i = 0; i < T; ++i)
      acc += __half2float(As[ty][i]) * __half2float(Bs[i][tx]);
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s :
       {check::Shape{96, 48, 64}, {70, 40, 24}, {33, 16, 40}}) {
    const int across = check::ceilDiv(s.n, T);
    const int tiles = across * check::ceilDiv(s.m, T);
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    A.random(1), B.random(2);
    // One launch, two of whole rows of tiles, two that share a row.
    for (int begin : {0, across, across + 1}) {
      check::Matrix<float> C(s.m, s.n);
      for (int end : {begin, tiles}) {
        const int from = end == begin ? 0 : begin;
        if (end > from)
          first_tile<<<end - from, dim3(T, T)>>>(A.data(), B.data(), C.data(),
                                                 s.m, s.n, s.k, from);
      }
      test.expect("first_tile", s, C, check::product(s, A, B), A, B);
    }
  }
  return test.finish();
}
