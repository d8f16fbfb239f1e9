// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A batch of products, one per blockIdx.z, with the pointers moved to the
// batch's matrices first.
//
// EXPECT-LOG: hopper if k > 0

#include "check.h"

#pragma warpwright matmul
__global__ void bmm(const __nv_bfloat16 *A, const __nv_bfloat16 *B,
                    __nv_bfloat16 *C, int M, int N, int K) {
  const int batch = blockIdx.z;
  const __nv_bfloat16 *a = A + (size_t)batch * M * K;
  const __nv_bfloat16 *b = B + (size_t)batch * K * N;
  __nv_bfloat16 *c = C + (size_t)batch * M * N;

  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
      sum +=
          __bfloat162float(a[row * K + k]) * __bfloat162float(b[k * N + col]);
    c[row * N + col] = __float2bfloat16(sum);
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  std::vector<check::Shape> shapes = test.shapes();
  shapes.push_back({128, 128, 128});
  for (check::Shape s : shapes) {
    const int batch = s.m == 128 && !test.quick() ? 64 : 3;
    check::Matrix<__nv_bfloat16> A(s.m, s.k, s.k, batch),
        B(s.k, s.n, s.n, batch), C(s.m, s.n, s.n, batch);
    A.random(51);
    B.random(52);
    dim3 block(16, 16);
    dim3 grid((s.n + 15) / 16, (s.m + 15) / 16, batch);
    bmm<<<grid, block>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);

    std::vector<check::Table> sums;
    for (int i = 0; i < batch; ++i)
      sums.push_back(check::product(
          s, [&](int m, int k) { return A(m, k, i); },
          [&](int k, int n) { return B(k, n, i); }));
    test.expect(
        "bmm", s, C, [&](int m, int n, int i) { return sums[i](m, n); }, A, B);
  }
  return test.finish();
}
