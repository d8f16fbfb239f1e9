// FORM: complex float: a struct of two floats, interleaved and planar arrays,
// cuComplex; conjugated operands, complex alpha and beta, batches
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The real and the imaginary part are two sums of two products each. With one
// part of an operand the products of both share a factor, so that they stand
// side by side, and the two parts follow one another along k; between them, sums
// of which a product is subtracted are negated. Parts that lie side by side in
// memory are copied apart first, each element once. Each kernel has another
// tile, and the last one leaves the choice.

#include "check.h"

#include <cuComplex.h>

struct Complex {
  float re, im;
};
__device__ Complex operator*(Complex x, Complex y) {
  return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
__device__ Complex operator+(Complex x, Complex y) {
  return {x.re + y.re, x.im + y.im};
}

// C = alpha A B + beta C
#pragma warpwright matmul tile(128, 64, 32)
__global__ void of_structs(const Complex *A, const Complex *B, Complex *C,
                           int M, int N, int K, Complex alpha, Complex beta) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  Complex sum = {0, 0};
  for (int k = 0; k < K; ++k)
    sum = sum + A[row * K + k] * B[k * N + col];
  C[row * N + col] = alpha * sum + beta * C[row * N + col];
}

// C = A conj(B)^T, by pairs of floats, of each of a batch
#pragma warpwright matmul tile(64, 32, 32)
__global__ void interleaved(const float *A, const float *B, float *C, int M,
                            int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  A += 2 * size_t(blockIdx.z) * M * K;
  C += 2 * size_t(blockIdx.z) * M * N;
  float real = 0, imaginary = 0;
  for (int k = 0; k < K; ++k) {
    const float ar = A[2 * (row * K + k)], ai = A[2 * (row * K + k) + 1];
    const float br = B[2 * (col * K + k)], bi = -B[2 * (col * K + k) + 1];
    real += ar * br - ai * bi;
    imaginary += ar * bi + ai * br;
  }
  C[2 * (row * N + col)] = real;
  C[2 * (row * N + col) + 1] = imaginary;
}

// C = conj(A)^T B, of which each part has an array of its own
#pragma warpwright matmul tile(64, 64, 32)
__global__ void planar(const float *Ar, const float *Ai, const float *Br,
                       const float *Bi, float *Cr, float *Ci, int M, int N,
                       int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float real = 0, imaginary = 0;
  for (int k = 0; k < K; ++k) {
    const float ar = Ar[k * M + row], ai = Ai[k * M + row];
    const float br = Br[k * N + col], bi = Bi[k * N + col];
    real = fmaf(ai, bi, fmaf(ar, br, real));
    imaginary = fmaf(-ai, br, fmaf(ar, bi, imaginary));
  }
  Cr[row * N + col] = real;
  Ci[row * N + col] = imaginary;
}

// By columns, as BLAS has them: C = alpha A^T B + beta C
#pragma warpwright matmul
__global__ void by_columns(const cuComplex *A, const cuComplex *B, cuComplex *C,
                           int M, int N, int K, cuComplex alpha,
                           cuComplex beta) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= M || col >= N)
    return;
  cuComplex sum = make_cuComplex(0, 0);
  for (int k = 0; k < K; ++k)
    sum = cuCfmaf(A[row * K + k], B[col * K + k], sum);
  C[col * M + row] =
      cuCaddf(cuCmulf(alpha, sum), cuCmulf(beta, C[col * M + row]));
}

/// Both parts of a product, of elements in double.
struct Product {
  check::Table real, imaginary;

  template <class Ar, class Ai, class Br, class Bi>
  Product(check::Shape s, Ar ar, Ai ai, Br br, Bi bi)
      : real(check::product(s, ar, br)), imaginary(check::product(s, ar, bi)) {
    const check::Table rest = check::product(s, ai, bi);
    const check::Table other = check::product(s, ai, br);
    for (int m = 0; m < s.m; ++m)
      for (int n = 0; n < s.n; ++n) {
        real.row(m)[n] -= rest(m, n);
        imaginary.row(m)[n] += other(m, n);
      }
  }
  /// Part 0 or 1 of alpha times this plus beta times (re, im).
  double at(int m, int n, int part, const float *alpha, const float *beta,
            double re, double im) const {
    const double x = real(m, n), y = imaginary(m, n);
    return part == 0 ? alpha[0] * x - alpha[1] * y + beta[0] * re - beta[1] * im
                     : alpha[0] * y + alpha[1] * x + beta[0] * im +
                           beta[1] * re;
  }
};

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  const int batch = 2;
  const float alpha[] = {0.5f, -2}, beta[] = {-1, 0.25f}, one[] = {1, 0},
              none[] = {0, 0};
  for (check::Shape s :
       {check::Shape{136, 72, 40}, check::Shape{67, 45, 83},
        check::Shape{3, 5, 7}, check::Shape{1, 1, 1}, check::Shape{6, 4, 0}}) {
    const dim3 block(16, 16);
    const dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    check::Matrix<float> A(s.m, 2 * s.k, 0, batch), B(s.k, 2 * s.n),
        Bt(s.n, 2 * s.k);
    A.random(1), B.random(2), Bt.random(3);
    const auto ar = [&](int m, int k) { return A(m, 2 * k); };
    const auto ai = [&](int m, int k) { return A(m, 2 * k + 1); };
    {
      check::Matrix<float> C(s.m, 2 * s.n), before(s.m, 2 * s.n);
      C.random(4), before.random(4);
      const auto as = [](check::Matrix<float> &X) {
        return reinterpret_cast<Complex *>(X.data());
      };
      of_structs<<<grid, block>>>(as(A), as(B), as(C), s.m, s.n, s.k,
                                  {alpha[0], alpha[1]}, {beta[0], beta[1]});
      const Product of(
          s, ar, ai, [&](int k, int n) { return B(k, 2 * n); },
          [&](int k, int n) { return B(k, 2 * n + 1); });
      test.expect(
          "of_structs", s, C,
          [&](int m, int n) {
            return of.at(m, n / 2, n % 2, alpha, beta,
                         before(m, n / 2 * 2), before(m, n / 2 * 2 + 1));
          },
          A, B);
    }
    {
      check::Matrix<float> C(s.m, 2 * s.n, 0, batch);
      interleaved<<<dim3(grid.x, grid.y, batch), block>>>(
          A.data(), Bt.data(), C.data(), s.m, s.n, s.k);
      std::vector<Product> of;
      for (int b = 0; b < batch; ++b)
        of.emplace_back(
            s, [&](int m, int k) { return A(m, 2 * k, b); },
            [&](int m, int k) { return A(m, 2 * k + 1, b); },
            [&](int k, int n) { return Bt(n, 2 * k); },
            [&](int k, int n) { return -Bt(n, 2 * k + 1); });
      test.expect(
          "interleaved", s, C,
          [&](int m, int n, int b) {
            return of[b].at(m, n / 2, n % 2, one, none, 0, 0);
          },
          A, Bt);
    }
    {
      check::Matrix<float> Ar(s.k, s.m), Ai(s.k, s.m), Br(s.k, s.n),
          Bi(s.k, s.n), Cr(s.m, s.n), Ci(s.m, s.n);
      Ar.random(5), Ai.random(6), Br.random(7), Bi.random(8);
      planar<<<grid, block>>>(Ar.data(), Ai.data(), Br.data(), Bi.data(),
                              Cr.data(), Ci.data(), s.m, s.n, s.k);
      const Product of(
          s, [&](int m, int k) { return Ar(k, m); },
          [&](int m, int k) { return -Ai(k, m); },
          [&](int k, int n) { return Br(k, n); },
          [&](int k, int n) { return Bi(k, n); });
      for (int part : {0, 1})
        test.expect(
            "planar", s, part ? Ci : Cr,
            [&](int m, int n) { return of.at(m, n, part, one, none, 0, 0); },
            Ar, Ai, Br, Bi);
    }
    {
      check::Matrix<float> C(s.n, 2 * s.m), before(s.n, 2 * s.m);
      C.random(9), before.random(9);
      const auto as = [](check::Matrix<float> &X) {
        return reinterpret_cast<cuComplex *>(X.data());
      };
      by_columns<<<dim3(grid.y, grid.x), block>>>(
          as(A), as(Bt), as(C), s.m, s.n, s.k,
          make_cuComplex(alpha[0], alpha[1]), make_cuComplex(beta[0], beta[1]));
      const Product of(
          s, ar, ai, [&](int k, int n) { return Bt(n, 2 * k); },
          [&](int k, int n) { return Bt(n, 2 * k + 1); });
      test.expect(
          "by_columns", s, C,
          [&](int n, int m) {
            return of.at(m / 2, n, m % 2, alpha, beta, before(n, m / 2 * 2),
                         before(n, m / 2 * 2 + 1));
          },
          A, Bt);
    }
  }
  return test.finish();
}
