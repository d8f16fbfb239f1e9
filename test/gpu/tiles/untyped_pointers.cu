// FORM: pointers to void, whose elements the kernel's casts tell
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries choose a kernel by the type of a tensor's elements, and pass the
// address alone.

#include "check.h"

struct Tensors {
  const void *a, *b;
  void *c;
  int m, n, k;
};

#pragma warpwright matmul
__global__ void untyped_members(Tensors t) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= t.m || col >= t.n)
    return;
  const float *a = static_cast<const float *>(t.a);
  const float *b = static_cast<const float *>(t.b);
  float acc = 0.0f;
  for (int k = 0; k < t.k; ++k)
    acc += a[row * t.k + k] * b[k * t.n + col];
  static_cast<float *>(t.c)[row * t.n + col] = acc;
}

template <class T, int Tile>
#pragma warpwright matmul
__global__ void untyped_tiles(void *out, const void *left, const void *right,
                              const void *shift, int M, int N, int K) {
  __shared__ T As[Tile][Tile], Bs[Tile][Tile];
  const T *A = static_cast<const T *>(left), *B = static_cast<const T *>(right);
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * Tile + y, col = blockIdx.x * Tile + x;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += Tile) {
    As[y][x] = row < M && k0 + x < K ? A[row * K + k0 + x] : T(0.0f);
    Bs[y][x] = k0 + y < K && col < N ? B[(k0 + y) * N + col] : T(0.0f);
    __syncthreads();
    for (int k = 0; k < Tile; ++k)
      acc += static_cast<float>(As[y][k]) * static_cast<float>(Bs[k][x]);
    __syncthreads();
  }
  if (row < M && col < N) {
    if (shift)
      acc += static_cast<const float *>(shift)[col];
    static_cast<T *>(out)[row * N + col] = T(acc);
  }
}

template <class T>
static void runTiles(check::Suite &test, check::Shape s, const char *name) {
  check::Matrix<T> A(s.m, s.k), B(s.k, s.n), C(s.m, s.n);
  A.random(3);
  B.random(4);
  untyped_tiles<T, 16>
      <<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
         dim3(16, 16)>>>(C.data(), A.data(), B.data(), nullptr, s.m, s.n, s.k);
  test.expect(name, s, C, check::product(s, A, B), A, B);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{64, 48, 64}, check::Shape{37, 50, 70},
                         check::Shape{5, 3, 1}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n), C(s.m, s.n);
    A.random(1);
    B.random(2);
    untyped_members<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                      dim3(16, 16)>>>(
        Tensors{A.data(), B.data(), C.data(), s.m, s.n, s.k});
    test.expect("untyped_members", s, C, check::product(s, A, B), A, B);
    runTiles<half>(test, s, "untyped_tiles<half>");
    runTiles<__nv_bfloat16>(test, s, "untyped_tiles<bfloat16>");
  }
  return test.finish();
}
