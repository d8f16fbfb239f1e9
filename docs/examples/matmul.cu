// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bf16 matrix product that most CUDA code starts from: x runs along the
// columns, y along the rows, one `if` encloses the work.
//
// EXPECT-LOG: hopper if k > 0

#include "check.h"

#pragma warpwright matmul
__global__ void matmul(const __nv_bfloat16 *A, const __nv_bfloat16 *B,
                       __nv_bfloat16 *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
      sum +=
          __bfloat162float(A[row * K + k]) * __bfloat162float(B[k * N + col]);
    C[row * N + col] = __float2bfloat16(sum);
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : test.shapes()) {
    check::Matrix<__nv_bfloat16> A(s.m, s.k), B(s.k, s.n), C(s.m, s.n);
    A.random(1);
    B.random(2);
    dim3 block(16, 16);
    dim3 grid((s.n + 15) / 16, (s.m + 15) / 16);
    matmul<<<grid, block>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("matmul", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
