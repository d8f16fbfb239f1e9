// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sum of nine products, each of which has a weight of its own.
//
// EXPECT: WW309

#include "near_miss.h"

struct Weights {
  const half *a, *b, *c, *d, *e, *f, *g, *h, *i;
};

#pragma warpwright matmul
__global__ void nine_products(const half *A, Weights w, float *C, int M, int N,
                              int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    const float x = __half2float(A[row * K + k]);
    const int at = k * N + col;
    sum += x * __half2float(w.a[at]) + x * __half2float(w.b[at]) +
           x * __half2float(w.c[at]) + x * __half2float(w.d[at]) +
           x * __half2float(w.e[at]) + x * __half2float(w.f[at]) +
           x * __half2float(w.g[at]) + x * __half2float(w.h[at]) +
           x * __half2float(w.i[at]);
  }
  C[row * N + col] = sum;
}

int main() {
  const int M = 80, N = 48, K = 32;
  check::Matrix<half> A(M, K), B(9 * K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  const half *at[9];
  for (int i = 0; i < 9; ++i)
    at[i] = B.data() + i * K * N;
  const Weights w = {at[0], at[1], at[2], at[3], at[4],
                     at[5], at[6], at[7], at[8]};
  nine_products<<<dim3(3, 5), dim3(16, 16)>>>(A.data(), w, C.data(), M, N, K);
  near_miss::report("nine_products", C);
  return 0;
}
