// FORM: WMMA: doubles, eight by eight outputs; scaled and added to the output, and through shared memory
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only shape that there is for doubles, 8x8x4, with operands of two orders.

#include "check.h"

#include <mma.h>

using namespace nvcuda;

#pragma warpwright matmul
__global__ void wmma_double(const double *A, const double *B, double *C, int M,
                            int N, int K, double alpha, double beta) {
  const int m = (blockIdx.y * blockDim.y + threadIdx.y) * 8;
  const int n = blockIdx.x * 8;
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> c, old;
  wmma::fill_fragment(c, 0.0);
  for (int k = 0; k < K; k += 4) {
    wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> b;
    wmma::load_matrix_sync(a, A + m * K + k, K);
    wmma::load_matrix_sync(b, B + k * N + n, N);
    wmma::mma_sync(c, a, b, c);
  }
  wmma::load_matrix_sync(old, C + m * N + n, N, wmma::mem_row_major);
  for (int i = 0; i < c.num_elements; ++i)
    c.x[i] = alpha * c.x[i] + beta * old.x[i];
  wmma::store_matrix_sync(C + m * N + n, c, N, wmma::mem_row_major);
}

constexpr int T = 32;

// Four warps with two rows of fragments each.
#pragma warpwright matmul
__global__ void wmma_double_tiles(const double *A, const double *B, double *C,
                                  int M, int N, int K) {
  __shared__ double As[T][T], Bs[T][T];
  const int warp = threadIdx.x / 32;
  const int row = blockIdx.y * T, col = blockIdx.x * T;
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> c[4];
  for (int j = 0; j < 4; ++j)
    wmma::fill_fragment(c[j], 0.0);
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int i = threadIdx.x; i < T * T; i += blockDim.x) {
      As[i / T][i % T] = A[(row + i / T) * K + k0 + i % T];
      Bs[i / T][i % T] = B[(col + i / T) * K + k0 + i % T];
    }
    __syncthreads();
    for (int k = 0; k < T; k += 4) {
      wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> a;
      wmma::load_matrix_sync(a, &As[warp * 8][k], T);
      for (int j = 0; j < 4; ++j) {
        wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> b;
        wmma::load_matrix_sync(b, &Bs[j * 8][k], T);
        wmma::mma_sync(c[j], a, b, c[j]);
      }
    }
    __syncthreads();
  }
  for (int j = 0; j < 4; ++j)
    wmma::store_matrix_sync(C + (row + warp * 8) * N + col + j * 8, c[j], N,
                            wmma::mem_row_major);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  const double alpha = 1.0 / 3, beta = -0.7;
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{32, 64, 96},
                         check::Shape{96, 32, 32}}) {
    check::Matrix<double> A(s.m, s.k), B(s.k, s.n), Bt(s.n, s.k);
    check::Matrix<double> C(s.m, s.n), before(s.m, s.n), D(s.m, s.n);
    A.random(1), B.random(2), Bt.random(3);
    C.random(4), before.random(4);
    wmma_double<<<dim3(s.n / 8, s.m / 16), dim3(32, 2)>>>(
        A.data(), B.data(), C.data(), s.m, s.n, s.k, alpha, beta);
    wmma_double_tiles<<<dim3(s.n / T, s.m / T), 128>>>(A.data(), Bt.data(),
                                                       D.data(), s.m, s.n, s.k);
    const check::Table sum = check::product(s, A, B);
    const check::Table other = check::product(
        s, [&](int m, int k) { return A(m, k); },
        [&](int k, int n) { return Bt(n, k); });
    test.expect(
        "wmma_double", s, C,
        [&](int m, int n) { return alpha * sum(m, n) + beta * before(m, n); },
        A, B);
    test.expect("wmma_double_tiles", s, D, other, A, Bt);
  }
  return test.finish();
}
