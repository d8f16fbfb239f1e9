// FORM: shared-memory tiles: guarded flat fill of constant tiles, rows and
// columns from blockDim, size_t extents and pitches
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fill goes by the tile's width, the output by the block's: the launch has
// to make both equal. The tiles are deeper than wide.

#include "check.h"

#include <cstddef>

namespace square {
template <typename T, size_t X, size_t Y, size_t D, size_t THREADS>
__device__ void fill(T const *A, size_t lda, T const *B, size_t ldb,
                     T left[Y][D], T right[D][X], size_t tile, size_t tid,
                     size_t m, size_t n, size_t k) {
#pragma unroll
  for (size_t i{0U}; i < (Y * D + THREADS - 1U) / THREADS; ++i) {
    size_t const r{(tid + i * THREADS) / D};
    size_t const c{(tid + i * THREADS) % D};
    T element{static_cast<T>(0)};
    if (blockIdx.y * Y + r < m && tile * D + c < k)
      element = A[(blockIdx.y * Y + r) * lda + tile * D + c];
    left[r][c] = element;
  }
#pragma unroll
  for (size_t i{0U}; i < (D * X + THREADS - 1U) / THREADS; ++i) {
    size_t const r{(tid + i * THREADS) / X};
    size_t const c{(tid + i * THREADS) % X};
    T element{static_cast<T>(0)};
    if (tile * D + r < k && blockIdx.x * X + c < n)
      element = B[(tile * D + r) * ldb + blockIdx.x * X + c];
    right[r][c] = element;
  }
}
} // namespace square

#pragma warpwright matmul
template <typename T, size_t X, size_t Y, size_t D>
__global__ void flat_fill_square(size_t m, size_t n, size_t k, T alpha,
                                 T const *A, size_t lda, T const *B, size_t ldb,
                                 T beta, T *C, size_t ldc) {
  size_t const tid{threadIdx.y * blockDim.x + threadIdx.x};
  size_t const col{blockIdx.x * blockDim.x + threadIdx.x};
  size_t const row{blockIdx.y * blockDim.y + threadIdx.y};
  __shared__ T As[Y][D];
  __shared__ T Bs[D][X];
  size_t const tiles{(k + D - 1) / D};
  T sum{static_cast<T>(0)};
  for (size_t t{0U}; t < tiles; ++t) {
    square::fill<T, X, Y, D, X * Y>(A, lda, B, ldb, As, Bs, t, tid, m, n, k);
    __syncthreads();
#pragma unroll
    for (size_t i{0U}; i < D; ++i)
      sum += As[threadIdx.y][i] * Bs[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n)
    C[row * ldc + col] = alpha * sum + beta * C[row * ldc + col];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{3, 5, 7},
                         check::Shape{1, 1, 1}}) {
    check::Matrix<float> A(s.m, s.k, check::roundUp(s.k, 4) + 4);
    check::Matrix<float> B(s.k, s.n, check::roundUp(s.n, 4));
    check::Matrix<float> C(s.m, s.n, s.n + 3), before(s.m, s.n);
    A.random(1);
    B.random(2);
    C.random(3);
    before.random(3);
    const dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    flat_fill_square<float, 16U, 16U, 32U><<<grid, dim3(16, 16)>>>(
        s.m, s.n, s.k, 0.5f, A.data(), A.pitch(), B.data(), B.pitch(), 2.0f,
        C.data(), C.pitch());
    check::Table sum = check::product(s, A, B);
    test.expect(
        "flat_fill_square", s, C,
        [&](int m, int n) { return 0.5 * sum(m, n) + 2.0 * before(m, n); }, A,
        B);
  }
  return test.finish();
}
