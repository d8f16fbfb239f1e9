// FORM: register tiles: guarded flat fill in a helper, size_t template and
// pitch arguments, fragments and outputs by int4
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element `tid + step * THREADS` of a tile is one thread's; a vector of C is
// read, combined element by element and stored.

#include "check.h"

#include <cstddef>

namespace flat {
template <typename T, size_t X, size_t Y, size_t D, size_t THREADS>
__device__ void fill(T const *A, size_t lda, T const *B, size_t ldb,
                     T left[Y][D], T right[D][X], size_t tile, size_t tid,
                     size_t m, size_t n, size_t k) {
#pragma unroll
  for (size_t step{0U}; step < (Y * D + THREADS - 1U) / THREADS; ++step) {
    size_t const r{(tid + step * THREADS) / D}, c{(tid + step * THREADS) % D};
    size_t const row{blockIdx.y * Y + r}, col{tile * D + c};
    T element{static_cast<T>(0)};
    if (row < m && col < k)
      element = A[row * lda + col];
    static_assert(Y * D % THREADS == 0U, "no thread is idle");
    left[r][c] = element;
  }
#pragma unroll
  for (size_t step{0U}; step < (D * X + THREADS - 1U) / THREADS; ++step) {
    size_t const r{(tid + step * THREADS) / X}, c{(tid + step * THREADS) % X};
    size_t const row{tile * D + r}, col{blockIdx.x * X + c};
    T element{static_cast<T>(0)};
    if (row < k && col < n)
      element = B[row * ldb + col];
    static_assert(D * X % THREADS == 0U, "no thread is idle");
    right[r][c] = element;
  }
}
} // namespace flat

#pragma warpwright matmul
template <typename T, size_t X, size_t Y, size_t D, size_t TX, size_t TY>
__global__ void flat_fill_vectors(size_t m, size_t n, size_t k, T alpha,
                                  T const *A, size_t lda, T const *B,
                                  size_t ldb, T beta, T *C, size_t ldc) {
  constexpr size_t THREADS{X * Y / (TX * TY)};
  constexpr size_t WIDTH{sizeof(int4) / sizeof(T)};
  static_assert(TX % WIDTH == 0U, "a thread has whole vectors");
  size_t const tid{threadIdx.y * blockDim.x + threadIdx.x};
  size_t const down{tid / (X / TX) * TY}, right{tid % (X / TX) * TX};
  __shared__ T As[Y][D];
  __shared__ T Bs[D][X];
  T acc[TY][TX] = {static_cast<T>(0)};
  T a[TY] = {static_cast<T>(0)};
  T b[TX] = {static_cast<T>(0)};
  size_t const tiles{(k + D - 1) / D};
  for (size_t t{0U}; t < tiles; ++t) {
    flat::fill<T, X, Y, D, THREADS>(A, lda, B, ldb, As, Bs, t, tid, m, n, k);
    __syncthreads();
#pragma unroll
    for (size_t i{0U}; i < D; ++i) {
#pragma unroll
      for (size_t r{0U}; r < TY; ++r)
        a[r] = As[down + r][i];
#pragma unroll
      for (size_t v{0U}; v < TX / WIDTH; ++v)
        *reinterpret_cast<int4 *>(&b[v * WIDTH]) =
            *reinterpret_cast<int4 const *>(&Bs[i][right + v * WIDTH]);
      for (size_t r{0U}; r < TY; ++r)
        for (size_t c{0U}; c < TX; ++c)
          acc[r][c] += a[r] * b[c];
    }
    __syncthreads();
  }
  for (size_t r{0U}; r < TY; ++r)
    for (size_t v{0U}; v < TX / WIDTH; ++v) {
      size_t const row{blockIdx.y * Y + down + r};
      size_t const col{blockIdx.x * X + right + v * WIDTH};
      if (row < m && col < n) {
        int4 out{*reinterpret_cast<int4 const *>(&C[row * ldc + col])};
        int4 const sum{*reinterpret_cast<int4 const *>(&acc[r][v * WIDTH])};
        for (size_t i{0U}; i < WIDTH; ++i)
          reinterpret_cast<T *>(&out)[i] =
              alpha * reinterpret_cast<T const *>(&sum)[i] +
              beta * reinterpret_cast<T const *>(&out)[i];
        *reinterpret_cast<int4 *>(&C[row * ldc + col]) = out;
      }
    }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 128, 64}, check::Shape{70, 68, 101},
                         check::Shape{3, 4, 7}, check::Shape{1, 4, 1}}) {
    const int pitchA = check::roundUp(s.k, 4) + 4;
    check::Matrix<float> A(s.m, s.k, pitchA), B(s.k, s.n, s.n + 4);
    check::Matrix<float> C(s.m, s.n, s.n + 8), before(s.m, s.n);
    A.random(1);
    B.random(2);
    C.random(3);
    before.random(3);
    const dim3 grid(check::ceilDiv(s.n, 64), check::ceilDiv(s.m, 64));
    flat_fill_vectors<float, 64U, 64U, 16U, 8U, 8U>
        <<<grid, 64>>>(s.m, s.n, s.k, 0.5f, A.data(), A.pitch(), B.data(),
                       B.pitch(), 2.0f, C.data(), C.pitch());
    check::Table sum = check::product(s, A, B);
    test.expect(
        "flat_fill_vectors", s, C,
        [&](int m, int n) { return 0.5 * sum(m, n) + 2.0 * before(m, n); }, A,
        B);
  }
  return test.finish();
}
