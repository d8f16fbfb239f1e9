// FORM: several contractions: two sums over one A, in halves of rows and in two planes
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys and values are added side by side to one array, and two products are
// stored one behind the other, as far apart as an argument says.

#include "check.h"

#pragma warpwright matmul
__global__ void keys_values(const half *X, const half *Wk, const half *Wv,
                            half *KV, int M, int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float key = 0.0f, value = 0.0f;
    for (int k = 0; k < K; ++k) {
      const float x = __half2float(X[row * K + k]);
      key += x * __half2float(Wk[k * N + col]);
      value += x * __half2float(Wv[k * N + col]);
    }
    half *const place = KV + row * 2 * N + col;
    place[0] = __float2half(key + __half2float(place[0]));
    place[N] = __float2half(value + __half2float(place[N]));
  }
}

#pragma warpwright matmul
__global__ void planes(const float *X, const float *V, const float *W, float *C,
                       int offset, int M, int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float v = 0.0f, w = 0.0f;
    for (int k = 0; k < K; ++k) {
      v += X[row * K + k] * V[k * N + col];
      w += X[row * K + k] * W[k * N + col];
    }
    C[row * N + col] = v;
    C[row * N + col + offset] = -w;
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{67, 45, 83},
                         check::Shape{130, 34, 101}, check::Shape{4, 6, 9}}) {
    const dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    const dim3 block(16, 16);
    {
      check::Matrix<half> A(s.m, s.k), B(s.k, s.n), W(s.k, s.n);
      check::Matrix<half> C(s.m, 2 * s.n);
      A.random(1);
      B.random(2);
      W.random(3);
      C.random(4);
      check::Matrix<half> before(s.m, 2 * s.n);
      before.random(4);
      keys_values<<<grid, block>>>(A.data(), B.data(), W.data(), C.data(), s.m,
                                   s.n, s.k);
      const check::Table key = check::product(s, A, B);
      const check::Table value = check::product(s, A, W);
      test.expect(
          "keys_values", s, C,
          [&](int m, int n) {
            return before(m, n) + (n < s.n ? key(m, n) : value(m, n - s.n));
          },
          A, B, W);
    }
    // The planes one behind the other, and with rows between them.
    for (int between : {0, 3}) {
      check::Matrix<float> A(s.m, s.k), B(s.k, s.n), W(s.k, s.n);
      check::Matrix<float> C(2 * s.m + between, s.n);
      A.random(4);
      B.random(5);
      W.random(6);
      C.random(7);
      planes<<<grid, block>>>(A.data(), B.data(), W.data(), C.data(),
                              (s.m + between) * s.n, s.m, s.n, s.k);
      const check::Table first = check::product(s, A, B);
      const check::Table second = check::product(s, A, W);
      // What lies between the planes stays as it was.
      check::Matrix<float> before(2 * s.m + between, s.n);
      before.random(7);
      test.expect(
          "planes", s, C,
          [&](int m, int n) {
            const int last = m - s.m - between;
            return m < s.m     ? first(m, n)
                   : last >= 0 ? -second(last, n)
                               : before(m, n);
          },
          A, B, W);
    }
  }
  return test.finish();
}
