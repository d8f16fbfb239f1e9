// FORM: outputs: one product to several arrays, by ranges of rows or columns
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queries, keys and values of attention by one product: the weights lie behind
// one another, and which array an element is stored to depends on its column.
// Others take ranges of rows, or leave columns out.

#include "check.h"

#pragma warpwright matmul
__global__ void queries_keys_values(const half *X, const half *W, half *Q,
                                    half *K, half *V, int tokens, int width,
                                    int depth) {
  const int m = blockIdx.y * blockDim.y + threadIdx.y;
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= tokens || n >= 3 * width)
    return;
  float sum = 0.0f;
  for (int i = 0; i < depth; ++i)
    sum += __half2float(X[m * depth + i]) * __half2float(W[n * depth + i]);
  if (n < width)
    Q[m * width + n] = __float2half(sum);
  else if (n < 2 * width)
    K[m * width + n - width] = __float2half(sum);
  else
    V[m * width + n - 2 * width] = __float2half(sum);
}

// Fewer heads have keys and values; each array has a bias of its own.
#pragma warpwright matmul
__global__ void grouped_queries(const half *X, const half *W, const float *of_q,
                                const float *of_k, const float *of_v, half *Q,
                                half *K, half *V, int tokens, int queries,
                                int keys, int depth) {
  const int m = blockIdx.y * blockDim.y + threadIdx.y;
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  const int columns = queries + 2 * keys;
  if (m < tokens && n < columns) {
    float sum = 0.0f;
    for (int i = 0; i < depth; ++i)
      sum += __half2float(X[m * depth + i]) * __half2float(W[i * columns + n]);
    half *out = V;
    const float *bias = of_v;
    int column = n - queries - keys, pitch = keys;
    if (n < queries) {
      out = Q;
      bias = of_q;
      column = n;
      pitch = queries;
    } else if (n < queries + keys) {
      out = K;
      bias = of_k;
      column = n - queries;
    }
    out[m * pitch + column] = __float2half(sum + bias[column]);
  }
}

// The first rows are stored, and the others added to what is there.
#pragma warpwright matmul
__global__ void stored_and_added(const half *A, const half *B, float *first,
                                 float *rest, int M, int N, int K, int rows) {
  const int m = blockIdx.y * blockDim.y + threadIdx.y;
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += __half2float(A[m * K + k]) * __half2float(B[k * N + n]);
  if (m < rows)
    first[m * N + n] = sum;
  else
    rest[(m - rows) * N + n] += sum;
}

// Columns between two others are computed in vain, and nothing is stored.
#pragma warpwright matmul
__global__ void ends_of_rows(const half *A, const half *B, float *left,
                             half *right, int M, int N, int K, int end,
                             int begin) {
  const int m = blockIdx.y * blockDim.y + threadIdx.y;
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += __half2float(A[m * K + k]) * __half2float(B[k * N + n]);
  if (n < end)
    left[m * N + n] = 2.0f * sum;
  if (n >= begin)
    right[m * N + n] = __float2half(sum);
}

// The number of the array is an index of its own.
#pragma warpwright matmul
__global__ void by_quotient(const half *X, const half *W, half *Q, half *K,
                            half *V, unsigned tokens, unsigned width,
                            unsigned depth) {
  const unsigned m = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= tokens || n >= 3 * width)
    return;
  float sum = 0.0f;
  for (unsigned i = 0; i < depth; ++i)
    sum += __half2float(X[m * depth + i]) * __half2float(W[n * depth + i]);
  half *out = n / width == 0 ? Q : n / width == 1 ? K : V;
  out[m * width + n % width] = __float2half(sum);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  // n is the width of one array. Tiles are cut where one array begins.
  for (check::Shape s : {check::Shape{37, 40, 24}, check::Shape{130, 64, 40},
                         check::Shape{5, 13, 7}}) {
    const int keys = s.n / 4, columns = s.n + 2 * keys;
    check::Matrix<half> X(s.m, s.k), W(3 * s.n, s.k), U(s.k, columns),
        B(s.k, s.n), Q(s.m, s.n), K(s.m, s.n), V(s.m, s.n), P(s.m, s.n),
        L(s.m, keys), R(s.m, keys), right(s.m, s.n - s.n / 2, s.n);
    check::Matrix<float> of_q(1, s.n), of_k(1, keys), of_v(1, keys);
    X.random(1);
    W.random(2);
    U.random(3);
    B.random(4);
    of_q.random(5);
    of_k.random(6);
    of_v.random(7);
    const dim3 block(16, 16);
    auto grid = [&](int n) {
      return dim3(check::ceilDiv(n, 16), check::ceilDiv(s.m, 16));
    };
    check::Matrix<half> S(s.m, s.n), T(s.m, s.n), Y(s.m, s.n);
    queries_keys_values<<<grid(3 * s.n), block>>>(
        X.data(), W.data(), Q.data(), K.data(), V.data(), s.m, s.n, s.k);
    by_quotient<<<grid(3 * s.n), block>>>(X.data(), W.data(), S.data(),
                                          T.data(), Y.data(), s.m, s.n, s.k);
    check::Table sum = check::product({s.m, 3 * s.n, s.k}, X,
                                      [&](int k, int n) { return W(n, k); });
    check::Matrix<half> *const parts[] = {&Q, &K, &V, &S, &T, &Y};
    for (int part = 0; part < 6; ++part)
      test.expect(
          part < 3 ? "queries_keys_values" : "by_quotient", s, *parts[part],
          [&](int m, int n) { return sum(m, n + part % 3 * s.n); }, X, W);

    grouped_queries<<<grid(columns), block>>>(
        X.data(), U.data(), of_q.data(), of_k.data(), of_v.data(), P.data(),
        L.data(), R.data(), s.m, s.n, keys, s.k);
    sum = check::product({s.m, columns, s.k}, X, U);
    test.expect(
        "grouped_queries", s, P,
        [&](int m, int n) { return sum(m, n) + of_q(0, n); }, X, U);
    test.expect(
        "grouped_queries", s, L,
        [&](int m, int n) { return sum(m, n + s.n) + of_k(0, n); }, of_q, of_k);
    test.expect(
        "grouped_queries", s, R,
        [&](int m, int n) { return sum(m, n + s.n + keys) + of_v(0, n); },
        of_v);

    const int rows = s.m / 3;
    check::Matrix<float> first(rows, s.n), rest(s.m - rows, s.n),
        old(s.m - rows, s.n), left(s.m, s.n / 3, s.n);
    rest.random(8);
    old.random(8);
    stored_and_added<<<grid(s.n), block>>>(X.data(), B.data(), first.data(),
                                           rest.data(), s.m, s.n, s.k, rows);
    sum = check::product(s, X, B);
    test.expect("stored_and_added", s, first, sum, X, B);
    test.expect("stored_and_added", s, rest,
                [&](int m, int n) { return sum(m + rows, n) + old(m, n); });

    ends_of_rows<<<grid(s.n), block>>>(X.data(), B.data(), left.data(),
                                       right.data() - s.n / 2, s.m, s.n, s.k,
                                       s.n / 3, s.n / 2);
    test.expect(
        "ends_of_rows", s, left, [&](int m, int n) { return 2 * sum(m, n); }, X,
        B);
    test.expect("ends_of_rows", s, right,
                [&](int m, int n) { return sum(m, n + s.n / 2); });
  }
  return test.finish();
}
