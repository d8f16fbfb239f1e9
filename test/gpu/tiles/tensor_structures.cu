// FORM: surface: sizes, strides and pointers in arrays inside of a parameter
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tensor library passes descriptors by value.

#include "check.h"

struct Tensors {
  float *data[3];
  int shape[2][2], stride[3][2];
  float factor[2];
};

#pragma warpwright matmul
__global__ void tensor_structures(Tensors t) {
  __shared__ float a[16][16], b[16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
  const int M = t.shape[0][0], K = t.shape[0][1], N = t.shape[1][1];
  float sum = 0.0f;
  for (int k = 0; k < K; k += 16) {
    a[y][x] = row < M && k + x < K
                  ? t.data[0][row * t.stride[0][0] + (k + x) * t.stride[0][1]]
                  : 0.0f;
    b[y][x] = k + y < K && col < N
                  ? t.data[1][(k + y) * t.stride[1][0] + col * t.stride[1][1]]
                  : 0.0f;
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += a[y][i] * b[i][x];
    __syncthreads();
  }
  if (row < M && col < N)
    t.data[2][row * t.stride[2][0] + col * t.stride[2][1]] =
        t.factor[0] * sum + t.factor[1];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 48, 32}, check::Shape{37, 21, 43},
                         check::Shape{1, 1, 1}}) {
    check::Matrix<float> A(s.m, s.k, s.k + 3), B(s.n, s.k), C(s.m, s.n);
    A.random(1);
    B.random(2);
    const Tensors t = {{A.data(), B.data(), C.data()},
                       {{s.m, s.k}, {s.k, s.n}},
                       {{A.pitch(), 1}, {1, B.pitch()}, {C.pitch(), 1}},
                       {0.5f, 2.0f}};
    tensor_structures<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                        dim3(16, 16)>>>(t);
    const check::Table sums = check::product(
        s, [&](int m, int k) { return A(m, k); },
        [&](int k, int n) { return B(n, k); });
    test.expect(
        "tensor_structures", s, C,
        [&](int m, int n) { return 0.5 * sums(m, n) + 2; }, A, B);
  }
  return test.finish();
}
