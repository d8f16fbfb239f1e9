// FORM: surface: conditions on arguments that choose between computations
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each kernel has a contraction for either side of its condition: BLAS's
// letters for the order of an operand, tiles that are filled along the rows
// that there are, heads that share keys where there are fewer of these, and
// vectors where the rows allow them.

#include "check.h"

#define T 16

// Column-major, as in BLAS. A letter of either case means the same.
#pragma warpwright matmul
__global__ void blas_letters(char ta, char tb, int M, int N, int K, float alpha,
                             const float *A, int lda, const float *B, int ldb,
                             float beta, float *C, int ldc) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x,
            j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= M || j >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) {
    const int a = ta == 'N' || ta == 'n' ? i + k * lda : k + i * lda;
    const int b = tb == 'N' || tb == 'n' ? k + j * ldb : j + k * ldb;
    acc += A[a] * B[b];
  }
  C[i + j * ldc] = alpha * acc + beta * C[i + j * ldc];
}

#pragma warpwright matmul
__global__ void turned_tiles(const float *A, const float *B, float *C, int M,
                             int N, int K, bool ta, bool tb) {
  __shared__ float As[T][T + 1], Bs[T][T + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int m0 = blockIdx.y * T, n0 = blockIdx.x * T;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    if (ta)
      As[tx][ty] = k0 + ty < K && m0 + tx < M ? A[(k0 + ty) * M + m0 + tx] : 0;
    else
      As[ty][tx] = m0 + ty < M && k0 + tx < K ? A[(m0 + ty) * K + k0 + tx] : 0;
    if (tb)
      Bs[tx][ty] = n0 + ty < N && k0 + tx < K ? B[(n0 + ty) * K + k0 + tx] : 0;
    else
      Bs[ty][tx] = k0 + ty < K && n0 + tx < N ? B[(k0 + ty) * N + n0 + tx] : 0;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (m0 + ty < M && n0 + tx < N)
    C[(m0 + ty) * N + n0 + tx] = acc;
}

#pragma warpwright matmul
__global__ void shared_keys(const float *Q, const float *K, float *S, int heads,
                            int of_keys, int group, int tokens, int depth) {
  const int query = blockIdx.y * blockDim.y + threadIdx.y,
            key = blockIdx.x * blockDim.x + threadIdx.x;
  if (query >= tokens || key >= tokens)
    return;
  const int h = blockIdx.z, of = heads == of_keys ? h : h / group;
  float dot = 0.0f;
  for (int d = 0; d < depth; ++d)
    dot += Q[(h * tokens + query) * depth + d] *
           K[(of * tokens + key) * depth + d];
  S[(h * tokens + query) * tokens + key] = dot;
}

#pragma warpwright matmul
__global__ void vectors_or_not(const float *A, const float *B, float *C, int M,
                               int N, int K) {
  __shared__ float As[T][T], Bs[T][T + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  const bool whole = K % 4 == 0;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    if (whole) {
      if (tx < T / 4) {
        float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        if (row < M && k0 + 4 * tx < K)
          v = *reinterpret_cast<const float4 *>(&A[row * K + k0 + 4 * tx]);
        As[ty][4 * tx] = v.x;
        As[ty][4 * tx + 1] = v.y;
        As[ty][4 * tx + 2] = v.z;
        As[ty][4 * tx + 3] = v.w;
      }
    } else {
      As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
    }
    Bs[ty][tx] = col < N && k0 + ty < K ? B[(k0 + ty) * N + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  const int heads = 4;
  for (check::Shape s : {check::Shape{72, 40, 64}, check::Shape{3, 5, 7}}) {
    const dim3 block(T, T),
        grid(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T)),
        turned(grid.y, grid.x);
    for (int flags = 0; flags < 4; ++flags) {
      const bool ta = flags & 1, tb = flags & 2;
      check::Matrix<float> A(ta ? s.k : s.m, ta ? s.m : s.k),
          B(tb ? s.n : s.k, tb ? s.k : s.n), C(s.m, s.n), D(s.n, s.m);
      A.random(1);
      B.random(2);
      D.random(3);
      check::Table sum = check::product(
          s, [&](int m, int k) { return ta ? A(k, m) : A(m, k); },
          [&](int k, int n) { return tb ? B(n, k) : B(k, n); });
      turned_tiles<<<grid, block>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k,
                                    ta, tb);
      test.expect("turned_tiles", s, C, sum, A, B);
      // The rows of ours are the columns of BLAS.
      check::Table want(s.n, s.m);
      for (int n = 0; n < s.n; ++n)
        for (int m = 0; m < s.m; ++m)
          want.row(n)[m] = 1.5 * sum.row(m)[n] - 0.5 * D(n, m);
      blas_letters<<<turned, block>>>(
          ta ? 'n' : 'T', tb ? 'N' : 'c', s.m, s.n, s.k, 1.5f, A.data(),
          ta ? s.m : s.k, B.data(), tb ? s.k : s.n, -0.5f, D.data(), s.m);
      test.expect("blas_letters", s, D, want, A, B);
    }
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n), C(s.m, s.n);
    A.random(4);
    B.random(5);
    vectors_or_not<<<grid, block>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                    s.k);
    test.expect("vectors_or_not", s, C, check::product(s, A, B), A, B);
    for (int group : {1, 2}) {
      const check::Shape each = {s.m, s.m, s.k};
      check::Matrix<float> Q(s.m, s.k, 0, heads), K(s.m, s.k, 0, heads / group);
      check::Matrix<float> S(s.m, s.m, 0, heads);
      Q.random(6);
      K.random(7);
      shared_keys<<<dim3(grid.y, grid.y, heads), block>>>(
          Q.data(), K.data(), S.data(), heads, heads / group, group, s.m, s.k);
      std::vector<check::Table> of_heads;
      for (int h = 0; h < heads; ++h)
        of_heads.push_back(check::product(
            each, [&](int m, int k) { return Q(m, k, h); },
            [&](int k, int n) { return K(n, k, h / group); }));
      test.expect(
          "shared_keys", each, S,
          [&](int m, int n, int h) { return of_heads[h](m, n); }, Q, K);
    }
  }
  return test.finish();
}
