// FORM: shared-memory tiles: cooperative_groups::memcpy_async by the block,
// one row at a time
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The block copies row after row of both tiles asynchronously and waits for
// all of them.

#include "check.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

constexpr int T = 16;

#pragma warpwright matmul
__global__ void group_copy(const float *A, const float *B, float *C, int N,
                           int K) {
  __shared__ float As[T][T], Bs[T][T];
  cg::thread_block block = cg::this_thread_block();
  const int row = blockIdx.y * T + threadIdx.y,
            col = blockIdx.x * T + threadIdx.x;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int r = 0; r < T; ++r) {
      cg::memcpy_async(block, &As[r][0], A + (blockIdx.y * T + r) * K + k0,
                       sizeof(float) * T);
      cg::memcpy_async(block, &Bs[r][0], B + (k0 + r) * N + blockIdx.x * T,
                       sizeof(float) * T);
    }
    cg::wait(block);
    for (int k = 0; k < T; ++k)
      acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    block.sync();
  }
  C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 64, 96},
                         check::Shape{32, 32, 160}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    group_copy<<<dim3(s.n / T, s.m / T), dim3(T, T)>>>(A.data(), B.data(),
                                                       C.data(), s.n, s.k);
    test.expect("group_copy", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
