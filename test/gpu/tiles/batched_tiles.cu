// FORM: shared-memory tiles: batch in blockIdx.z, tiles of half
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tiles of one product of the batch.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void batched_tiles(const half *A, const half *B, float *C, int M,
                              int N, int K) {
  __shared__ half As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y, z = blockIdx.z;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  const half *a = A + z * M * K, *b = B + z * K * N;
  float acc = 0.0f;
  for (int t = 0; t < (K + T - 1) / T; ++t) {
    As[ty][tx] = row < M && t * T + tx < K ? a[row * K + t * T + tx]
                                           : __float2half(0.0f);
    Bs[ty][tx] = t * T + ty < K && col < N ? b[(t * T + ty) * N + col]
                                           : __float2half(0.0f);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
    __syncthreads();
  }
  if (row < M && col < N)
    C[z * M * N + row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  const int batch = 3;
  for (check::Shape s : {check::Shape{48, 64, 64}, check::Shape{40, 72, 88},
                         check::Shape{37, 21, 83}, check::Shape{3, 5, 7},
                         check::Shape{1, 1, 1}}) {
    check::Matrix<half> A(s.m, s.k, 0, batch), B(s.k, s.n, 0, batch);
    check::Matrix<float> C(s.m, s.n, 0, batch);
    A.random(1);
    B.random(2);
    batched_tiles<<<dim3(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T), batch),
                    dim3(T, T)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    std::vector<check::Table> sums;
    for (int b = 0; b < batch; ++b)
      sums.push_back(check::product(
          s, [&](int m, int k) { return A(m, k, b); },
          [&](int k, int n) { return B(k, n, b); }));
    test.expect(
        "batched_tiles", s, C,
        [&](int m, int n, int b) { return sums[b](m, n); }, A, B);
  }
  return test.finish();
}
