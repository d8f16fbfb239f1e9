// FORM: shared-memory tiles: two arrays for each operand, whose pointers are
// exchanged
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs are fetched into registers while there is a next tile. The block waits
// by bar.sync with a number of its own and the number of threads.

#include "check.h"

constexpr int T = 16;

template <class Type> __device__ void exchange(Type &a, Type &b) {
  Type c = a;
  a = b;
  b = c;
}

__device__ void wait_for(int number, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

#pragma warpwright matmul
__global__ void exchanged_buffers(const half *A, const half *B, float *C, int M,
                                  int N, int K) {
  __shared__ float A0[T][T], A1[T][T], B0[T][T], B1[T][T];
  float (*a)[T] = A0, (*b)[T] = B0, (*aNext)[T] = A1, (*bNext)[T] = B1;
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  const int tiles = (K + T - 1) / T;
  float acc = 0.0f, nextA, nextB;
  a[y][x] = row < M && x < K ? __half2float(A[row * K + x]) : 0.0f;
  b[y][x] = y < K && col < N ? __half2float(B[y * N + col]) : 0.0f;
  wait_for(1, T * T);
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) {
      const int ka = (t + 1) * T + x, kb = (t + 1) * T + y;
      nextA = row < M && ka < K ? __half2float(A[row * K + ka]) : 0.0f;
      nextB = kb < K && col < N ? __half2float(B[kb * N + col]) : 0.0f;
    }
    for (int k = 0; k < T; ++k)
      acc += a[y][k] * b[k][x];
    if (t + 1 < tiles) {
      aNext[y][x] = nextA;
      bNext[y][x] = nextB;
      exchange(a, aNext);
      exchange(b, bNext);
    }
    wait_for(2, T * T);
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{67, 45, 83},
                         check::Shape{3, 5, 7}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    exchanged_buffers<<<dim3(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T)),
                        dim3(T, T)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                      s.k);
    test.expect("exchanged_buffers", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
