// FORM: shared-memory tiles: two padded buffers, the side toggled before the
// fill, zeros by else
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The side that was written last is read, and the other one becomes the one to
// write, whether or not there is a next tile.

#include "check.h"

#pragma warpwright matmul
template <int T>
__global__ void toggled_guarded(const float *__restrict__ A,
                                const float *__restrict__ B,
                                float *__restrict__ C, int M, int K, int N) {
  __shared__ float As[2][T][T + 1];
  __shared__ float Bs[2][T][T + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  const int tiles = (K + T - 1) / T;
  float sum = 0.0f;
  int writes = 0, reads = 0;
  if (row < M && tx < K)
    As[0][ty][tx] = A[row * K + tx];
  else
    As[0][ty][tx] = 0.0f;
  if (ty < K && col < N)
    Bs[0][ty][tx] = B[ty * N + col];
  else
    Bs[0][ty][tx] = 0.0f;
  __syncthreads();
  for (int t = 0; t < tiles; ++t) {
    reads = writes;
    writes = 1 - writes;
    if (t + 1 < tiles) {
      const int ka = (t + 1) * T + tx, kb = (t + 1) * T + ty;
      if (row < M && ka < K)
        As[writes][ty][tx] = A[row * K + ka];
      else
        As[writes][ty][tx] = 0.0f;
      if (kb < K && col < N)
        Bs[writes][ty][tx] = B[kb * N + col];
      else
        Bs[writes][ty][tx] = 0.0f;
    }
#pragma unroll
    for (int k = 0; k < T; ++k)
      sum += As[reads][ty][k] * Bs[reads][k][tx];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = sum;
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
    const dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    toggled_guarded<16>
        <<<grid, dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.k, s.n);
    test.expect("toggled_guarded", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
