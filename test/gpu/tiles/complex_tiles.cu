// FORM: complex tiles: tiles of float2, tf32, half in planes, several sums of
// several products that are not complex
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TMA rounds the copies of both parts to TF32 where precision(tf32) asks for
// that. Products of halves that are subtracted are negated between two stretches
// of the pipeline's stages, by consumers that share a tile or take turns.

#include "check.h"

constexpr int T = 16;

// C = A B, through tiles
#pragma warpwright matmul precision(tf32) tile(128, 64, 32)
__global__ void tiles_of_pairs(const float2 *A, const float2 *B, float2 *C,
                               int M, int N, int K) {
  __shared__ float2 As[T][T], Bs[T][T];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  float real = 0, imaginary = 0;
  for (int t = 0; t < (K + T - 1) / T; ++t) {
    As[y][x] = row < M && t * T + x < K ? A[row * K + t * T + x]
                                        : make_float2(0, 0);
    Bs[y][x] = col < N && t * T + y < K ? B[(t * T + y) * N + col]
                                        : make_float2(0, 0);
    __syncthreads();
    for (int k = 0; k < T; ++k) {
      const float2 a = As[y][k], b = Bs[k][x];
      real += a.x * b.x - a.y * b.y;
      imaginary += a.x * b.y + a.y * b.x;
    }
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = make_float2(real, imaginary);
}

#define PLANES(NAME, K_OF_A, K_OF_B)                                           \
  __global__ void NAME(const half *Ar, const half *Ai, const half *Br,         \
                       const half *Bi, half *Cr, half *Ci, int M, int N,       \
                       int K) {                                                \
    const int row = blockIdx.y * blockDim.y + threadIdx.y;                     \
    const int col = blockIdx.x * blockDim.x + threadIdx.x;                     \
    if (row >= M || col >= N)                                                  \
      return;                                                                  \
    float rr = 0, ii = 0, ri = 0, ir = 0;                                      \
    for (int k = 0; k < K; ++k) {                                              \
      const float ar = __half2float(Ar[K_OF_A]);                               \
      const float ai = __half2float(Ai[K_OF_A]);                               \
      const float br = __half2float(Br[K_OF_B]);                               \
      const float bi = __half2float(Bi[K_OF_B]);                               \
      rr += ar * br, ii += ai * bi, ri += ar * bi, ir += ai * br;              \
    }                                                                          \
    Cr[row * N + col] = __float2half(rr - ii);                                 \
    Ci[row * N + col] = __float2half(ri + ir);                                 \
  }

#pragma warpwright matmul tile(128, 64, 64) schedule(pingpong)
PLANES(planes_nt, row *K + k, col *K + k)
#pragma warpwright matmul tile(128, 128, 64)
PLANES(planes_tn, k *M + row, k *N + col)

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{136, 72, 72}, check::Shape{67, 45, 83},
                         check::Shape{3, 5, 7}, check::Shape{300, 136, 160}}) {
    const dim3 grid(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T)),
        block(T, T);
    check::Matrix<float> A(s.m, 2 * s.k), B(s.k, 2 * s.n), C(s.m, 2 * s.n);
    check::Matrix<half> Ar(s.m, s.k), Ai(s.m, s.k), Br(s.n, s.k), Bi(s.n, s.k);
    check::Matrix<half> At(s.k, s.m), Au(s.k, s.m), Bt(s.k, s.n), Bu(s.k, s.n);
    check::Matrix<half> Cr(s.m, s.n), Ci(s.m, s.n), Dr(s.m, s.n), Di(s.m, s.n);
    A.random(1), B.random(2);
    int seed = 2;
    for (check::Matrix<half> *X : {&Ar, &Ai, &Br, &Bi, &At, &Au, &Bt, &Bu})
      X->random(++seed);
    const auto as = [](check::Matrix<float> &X) {
      return reinterpret_cast<float2 *>(X.data());
    };
    tiles_of_pairs<<<grid, block>>>(as(A), as(B), as(C), s.m, s.n, s.k);
    planes_nt<<<grid, block>>>(Ar.data(), Ai.data(), Br.data(), Bi.data(),
                               Cr.data(), Ci.data(), s.m, s.n, s.k);
    planes_tn<<<grid, block>>>(At.data(), Au.data(), Bt.data(), Bu.data(),
                               Dr.data(), Di.data(), s.m, s.n, s.k);
    /// Part 0 or 1 of the product.
    const auto part = [&](int which, const auto &ar, const auto &ai,
                          const auto &br, const auto &bi) {
      check::Table x = which ? check::product(s, ar, bi)
                             : check::product(s, ar, br);
      const check::Table y = which ? check::product(s, ai, br)
                                   : check::product(s, ai, bi);
      for (int m = 0; m < s.m; ++m)
        for (int n = 0; n < s.n; ++n)
          x.row(m)[n] += which ? y(m, n) : -y(m, n);
      return x;
    };
    const check::Table none(0, 0);
    check::Table of[3][2] = {{none, none}, {none, none}, {none, none}};
    for (int which : {0, 1}) {
      of[0][which] = part(
          which, [&](int m, int k) { return A(m, 2 * k); },
          [&](int m, int k) { return A(m, 2 * k + 1); },
          [&](int k, int n) { return B(k, 2 * n); },
          [&](int k, int n) { return B(k, 2 * n + 1); });
      of[1][which] = part(
          which, Ar, Ai, [&](int k, int n) { return Br(n, k); },
          [&](int k, int n) { return Bi(n, k); });
      of[2][which] = part(
          which, [&](int m, int k) { return At(k, m); },
          [&](int m, int k) { return Au(k, m); }, Bt, Bu);
    }
    test.setBound(1e-3);
    test.expect(
        "tiles_of_pairs", s, C,
        [&](int m, int n) { return of[0][n % 2](m, n / 2); }, A, B);
    for (int which : {0, 1}) {
      test.expect("planes_nt", s, which ? Ci : Cr, of[1][which], Ar, Ai, Br,
                  Bi);
      test.expect("planes_tn", s, which ? Di : Dr, of[2][which], At, Au, Bt,
                  Bu);
    }
  }
  return test.finish();
}
