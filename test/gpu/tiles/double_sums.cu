// FORM: sums in double of products of floats, in all four storage orders
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The consumers convert floats to double as they load them, so that products
// are exact and the results have the errors of sums in double. Each kernel has
// another tile. Rows of an odd number of floats are copied first.

#include "check.h"

#define KERNEL(NAME, T, PRODUCT, A_INDEX, B_INDEX, C_INDEX)                    \
  __global__ void NAME(const float *A, const float *B, T *C, int M, int N,     \
                       int K, double scale) {                                  \
    const int row = blockIdx.y * blockDim.y + threadIdx.y;                     \
    const int col = blockIdx.x * blockDim.x + threadIdx.x;                     \
    if (row >= M || col >= N)                                                  \
      return;                                                                  \
    double acc = 0;                                                            \
    for (int k = 0; k < K; ++k)                                                \
      acc += PRODUCT(A[A_INDEX], B[B_INDEX]);                                  \
    C[C_INDEX] = static_cast<T>(scale * acc);                                  \
  }
#define EXACT(x, y) static_cast<double>(x) * y
#define ROUNDED(x, y) x * y

#pragma warpwright matmul tile(128, 128, 32)
KERNEL(exact_nn, double, EXACT, row *K + k, k *N + col, row *N + col)
#pragma warpwright matmul tile(64, 64, 32)
KERNEL(exact_nt, double, EXACT, row *K + k, col *K + k, row *N + col)
#pragma warpwright matmul tile(32, 128, 32)
KERNEL(exact_tn, float, EXACT, k *M + row, k *N + col, col *M + row)
#pragma warpwright matmul tile(256, 64, 32)
KERNEL(exact_tt, double, EXACT, k *M + row, col *K + k, row *N + col)

// A tile of floats, and a sum in double that is stored as a float; the products
// of the original are rounded to float.
#pragma warpwright matmul tile(64, 32, 32)
__global__ void through_tiles(const float *A, const float *B, float *C, int M,
                              int N, int K) {
  __shared__ float As[16][16], Bs[16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
  double acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[y][x] = row < M && k0 + x < K ? A[row * K + k0 + x] : 0.0f;
    Bs[y][x] = k0 + y < K && col < N ? B[(k0 + y) * N + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += ROUNDED(As[y][k], Bs[k][x]);
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  const double scale = 1.0 / 3;
  for (check::Shape s : {check::Shape{136, 72, 104}, check::Shape{67, 45, 83},
                         check::Shape{20, 140, 33}, check::Shape{1, 1, 1},
                         check::Shape{6, 4, 0}}) {
    check::Matrix<float> A(s.m, s.k), At(s.k, s.m), B(s.k, s.n), Bt(s.n, s.k);
    A.random(1), At.random(2), B.random(3), Bt.random(4);
    check::Matrix<double> C(s.m, s.n), D(s.m, s.n), E(s.m, s.n);
    check::Matrix<float> F(s.n, s.m), G(s.m, s.n);
    const dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    const dim3 block(16, 16);
    exact_nn<<<grid, block>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k,
                              scale);
    exact_nt<<<grid, block>>>(A.data(), Bt.data(), D.data(), s.m, s.n, s.k,
                              scale);
    exact_tn<<<grid, block>>>(At.data(), B.data(), F.data(), s.m, s.n, s.k,
                              scale);
    exact_tt<<<grid, block>>>(At.data(), Bt.data(), E.data(), s.m, s.n, s.k,
                              scale);
    through_tiles<<<grid, block>>>(A.data(), B.data(), G.data(), s.m, s.n, s.k);
    const auto plain = [](const auto &matrix) {
      return [&](int r, int c) { return matrix(r, c); };
    };
    const auto turned = [](const auto &matrix) {
      return [&](int r, int c) { return matrix(c, r); };
    };
    const check::Table nn = check::product(s, plain(A), plain(B)),
                       nt = check::product(s, plain(A), turned(Bt)),
                       tn = check::product(s, turned(At), plain(B)),
                       tt = check::product(s, turned(At), turned(Bt));
    test.expect(
        "exact_nn", s, C, [&](int m, int n) { return scale * nn(m, n); }, A, B);
    test.expect(
        "exact_nt", s, D, [&](int m, int n) { return scale * nt(m, n); }, A,
        Bt);
    test.expect(
        "exact_tt", s, E, [&](int m, int n) { return scale * tt(m, n); }, At,
        Bt);
    test.setBound(6e-8); // half of a float's last bit, of sums that are exact
    test.expect(
        "exact_tn", s, F, [&](int n, int m) { return scale * tn(m, n); }, At,
        B);
    test.expect("through_tiles", s, G, [&](int m, int n) { return nn(m, n); },
                A, B);
    test.setBound(0);
  }
  return test.finish();
}
