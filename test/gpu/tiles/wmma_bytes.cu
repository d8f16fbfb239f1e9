// FORM: WMMA: bytes with and without a sign, three shapes, accumulators that begin with the output
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp computes one fragment; sums are exact.

#include "check.h"

#include <mma.h>

using namespace nvcuda;

#pragma warpwright matmul
__global__ void wmma_signed(const signed char *A, const signed char *B, int *C,
                            int M, int N, int K) {
  const int m = blockIdx.y * 16, n = blockIdx.x * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> c;
  wmma::fill_fragment(c, 0);
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(a, A + m * K + k, K);
    wmma::load_matrix_sync(b, B + n * K + k, K);
    wmma::mma_sync(c, a, b, c);
  }
  wmma::store_matrix_sync(C + m * N + n, c, N, wmma::mem_row_major);
}

#pragma warpwright matmul
__global__ void wmma_added(const unsigned char *A, const unsigned char *B,
                           int *C, int M, int N, int K) {
  const int m = blockIdx.y * 32, n = blockIdx.x * 8;
  wmma::fragment<wmma::matrix_a, 32, 8, 16, unsigned char, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 32, 8, 16, unsigned char, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 32, 8, 16, int> c;
  wmma::load_matrix_sync(c, C + m * N + n, N, wmma::mem_row_major);
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(a, A + m * K + k, K);
    wmma::load_matrix_sync(b, B + k * N + n, N);
    wmma::mma_sync(c, a, b, c);
  }
  wmma::store_matrix_sync(C + m * N + n, c, N, wmma::mem_row_major);
}

#pragma warpwright matmul
__global__ void wmma_clamped(const signed char *A, const signed char *B, int *C,
                             int M, int N, int K) {
  const int m = blockIdx.y * 8, n = blockIdx.x * 32;
  wmma::fragment<wmma::matrix_a, 8, 32, 16, signed char, wmma::col_major> a;
  wmma::fragment<wmma::matrix_b, 8, 32, 16, signed char, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 8, 32, 16, int> c;
  wmma::fill_fragment(c, 0);
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(a, A + k * M + m, M);
    wmma::load_matrix_sync(b, B + n * K + k, K);
    wmma::mma_sync(c, a, b, c);
  }
  for (int i = 0; i < c.num_elements; ++i)
    c.x[i] = max(c.x[i], 0);
  wmma::store_matrix_sync(C + n * M + m, c, M, wmma::mem_col_major);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 64, 96},
                         check::Shape{32, 32, 160}, check::Shape{32, 32, 16}}) {
    check::Matrix<signed char> A(s.m, s.k), B(s.n, s.k), At(s.k, s.m);
    check::Matrix<unsigned char> UA(s.m, s.k), UB(s.k, s.n);
    check::Matrix<int> C(s.m, s.n), D(s.m, s.n), before(s.m, s.n), E(s.n, s.m);
    A.integers(1, 127), B.integers(2, 127), At.integers(3, 127);
    UA.integers(4, 127), UB.integers(5, 127);
    D.integers(6, 1000), before.integers(6, 1000);
    wmma_signed<<<dim3(s.n / 16, s.m / 16), 32>>>(A.data(), B.data(), C.data(),
                                                  s.m, s.n, s.k);
    wmma_added<<<dim3(s.n / 8, s.m / 32), 32>>>(UA.data(), UB.data(), D.data(),
                                                s.m, s.n, s.k);
    wmma_clamped<<<dim3(s.n / 32, s.m / 8), 32>>>(At.data(), B.data(), E.data(),
                                                  s.m, s.n, s.k);
    const auto turned = [](const auto &matrix) {
      return [&](int r, int c) { return matrix(c, r); };
    };
    const check::Table sum =
        check::product(s, [&](int m, int k) { return A(m, k); }, turned(B));
    const check::Table added = check::product(s, UA, UB);
    const check::Table clamped = check::product(s, turned(At), turned(B));
    test.expect("wmma_signed", s, C, sum, A, B);
    test.expect(
        "wmma_added", s, D,
        [&](int m, int n) { return added(m, n) + before(m, n); }, UA, UB);
    test.expect(
        "wmma_clamped", {s.n, s.m, s.k}, E,
        [&](int n, int m) { return std::fmax(clamped(m, n), 0.0); }, At, B);
  }
  return test.finish();
}
