// FORM: shared-memory tiles: pairs, and single elements at the end of a row
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread copies two neighbours if both are inside. Otherwise it copies the
// first one, if that is inside, and clears the other.

#include "check.h"

constexpr int T = 16;

__device__ void copy_pair(half *to, const half *from, bool both, bool first) {
  if (both) {
    to[0] = from[0];
    to[1] = from[1];
  } else {
    to[0] = first ? from[0] : __float2half(0.0f);
    to[1] = __float2half(0.0f);
  }
}

#pragma warpwright matmul
__global__ void pairs_at_ends(const half *A, const half *B, half *C, int M,
                              int N, int K) {
  __shared__ half As[T][T], Bs[T][T];
  const int x = threadIdx.x, y = threadIdx.y, tid = y * 8 + x;
  const int r = tid / 8, c = tid % 8 * 2;
  const int row = blockIdx.y * T + r, col = blockIdx.x * T + c;
  float acc[2] = {0.0f, 0.0f};
  for (int k0 = 0; k0 < K; k0 += T) {
    copy_pair(&As[r][c], &A[row * K + k0 + c], row < M && k0 + c + 1 < K,
              row < M && k0 + c < K);
    copy_pair(&Bs[r][c], &B[(k0 + r) * N + col], k0 + r < K && col + 1 < N,
              k0 + r < K && col < N);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      for (int j = 0; j < 2; ++j)
        acc[j] += __half2float(As[y][k]) * __half2float(Bs[k][x * 2 + j]);
    __syncthreads();
  }
  for (int j = 0; j < 2; ++j)
    if (blockIdx.y * T + y < M && blockIdx.x * T + x * 2 + j < N)
      C[(blockIdx.y * T + y) * N + blockIdx.x * T + x * 2 + j] =
          __float2half(acc[j]);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{64, 80, 48}, check::Shape{67, 45, 83},
                         check::Shape{3, 5, 7}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n), C(s.m, s.n);
    A.random(1);
    B.random(2);
    pairs_at_ends<<<dim3(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T)),
                    dim3(8, T)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("pairs_at_ends", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
