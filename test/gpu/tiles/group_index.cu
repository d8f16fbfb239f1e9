// FORM: shared-memory tiles: cooperative groups' sync(group) and
// thread_index()
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The indices too come from the group.

#include "check.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

#define T 16

#pragma warpwright matmul
__global__ void group_index(const float *A, const float *B, float *C, int M,
                            int N, int K) {
  auto group = cg::this_thread_block();
  __shared__ float As[T][T], Bs[T][T];
  const int tx = group.thread_index().x, ty = group.thread_index().y;
  const int row = group.group_index().y * T + ty,
            col = group.group_index().x * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
    Bs[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
    cg::sync(group);
    for (int k = 0; k < T; ++k)
      acc += As[ty][k] * Bs[k][tx];
    cg::sync(group);
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
    group_index<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                  dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("group_index", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
