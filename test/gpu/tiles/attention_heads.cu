// FORM: loop nests: heads beside each other in a row, in sequences
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scores and values of attention where the heads of a token lie side by side:
// sequences and heads are two batch indices, which no single stride has. The
// scores ask for both in their epilogue.

#include "check.h"

#pragma warpwright matmul
__global__ void masked_scores(const half *Q, const half *K, const float *slope,
                              const float *shift, float *S, int heads,
                              int tokens, int depth, float scale) {
  const int b = blockIdx.z / heads, h = blockIdx.z % heads;
  const int key = blockIdx.x * blockDim.x + threadIdx.x,
            query = blockIdx.y * blockDim.y + threadIdx.y;
  if (query >= tokens || key >= tokens)
    return;
  const half *q = Q + ((b * tokens + query) * heads + h) * depth;
  const half *k = K + ((b * tokens + key) * heads + h) * depth;
  float dot = 0.0f;
  for (int d = 0; d < depth; ++d)
    dot += __half2float(q[d]) * __half2float(k[d]);
  dot = dot * scale + slope[h] * (key - query) + shift[b];
  S[((b * heads + h) * tokens + query) * tokens + key] =
      key > query ? -1.0f : dot;
}

#pragma warpwright matmul
__global__ void weighted_values(const half *P, const half *V, float *O,
                                int batch, int heads, int tokens, int depth) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= batch * tokens * heads * depth)
    return;
  const int b = i / (tokens * heads * depth);
  const int t = (i % (tokens * heads * depth)) / (heads * depth);
  const int h = (i % (heads * depth)) / depth;
  const int d = i % depth;
  float sum = 0.0f;
  for (int s = 0; s < tokens; ++s)
    sum += __half2float(P[((b * heads + h) * tokens + t) * tokens + s]) *
           __half2float(V[((b * tokens + s) * heads + h) * depth + d]);
  O[i] = sum;
}

// Groups of query heads share a key head: a third batch index, which does not
// move the keys.
#pragma warpwright matmul
__global__ void grouped_scores(const half *Q, const half *K, float *S,
                               int heads, int group, int tokens, int depth) {
  const int b = blockIdx.z / heads, h = blockIdx.z % heads;
  const int key = blockIdx.x * blockDim.x + threadIdx.x,
            query = blockIdx.y * blockDim.y + threadIdx.y;
  if (query >= tokens || key >= tokens)
    return;
  float dot = 0.0f;
  for (int d = 0; d < depth; ++d)
    dot +=
        __half2float(Q[((b * tokens + query) * heads + h) * depth + d]) *
        __half2float(
            K[((b * tokens + key) * (heads / group) + h / group) * depth + d]);
  S[((b * heads + h) * tokens + query) * tokens + key] = dot;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  const int batch = 2, heads = 4, group = 2;
  for (check::Shape s : {check::Shape{64, 64, 32}, check::Shape{83, 83, 40},
                         check::Shape{5, 5, 7}}) {
    const int tokens = s.m, depth = s.k;
    check::Matrix<half> Q(tokens * heads, depth, 0, batch),
        K(tokens * heads, depth, 0, batch),
        G(tokens * heads / group, depth, 0, batch),
        P(tokens, tokens, 0, batch * heads);
    check::Matrix<float> slope(1, heads), shift(1, batch),
        S(tokens, tokens, 0, batch * heads),
        T(tokens, tokens, 0, batch * heads), O(tokens * heads, depth, 0, batch);
    Q.random(1);
    K.random(2);
    G.random(3);
    P.random(4);
    slope.random(5);
    shift.random(6);
    const dim3 grid(check::ceilDiv(tokens, 16), check::ceilDiv(tokens, 16),
                    batch * heads),
        block(16, 16);
    masked_scores<<<grid, block>>>(Q.data(), K.data(), slope.data(),
                                   shift.data(), S.data(), heads, tokens, depth,
                                   0.25f);
    weighted_values<<<check::ceilDiv(batch * tokens * heads * depth, 256),
                      256>>>(P.data(), K.data(), O.data(), batch, heads, tokens,
                             depth);
    grouped_scores<<<grid, block>>>(Q.data(), G.data(), T.data(), heads, group,
                                    tokens, depth);
    std::vector<check::Table> dots, values, grouped;
    for (int i = 0; i < batch * heads; ++i) {
      const int b = i / heads, h = i % heads;
      auto query = [&](int t, int d) { return Q(t * heads + h, d, b); };
      dots.push_back(check::product(
          s, query, [&](int d, int t) { return K(t * heads + h, d, b); }));
      grouped.push_back(check::product(s, query, [&](int d, int t) {
        return G(t * (heads / group) + h / group, d, b);
      }));
      values.push_back(check::product(
          check::Shape{tokens, depth, tokens},
          [&](int t, int u) { return P(t, u, i); },
          [&](int u, int d) { return K(u * heads + h, d, b); }));
    }
    test.expect(
        "masked_scores", s, S,
        [&](int m, int n, int i) {
          return n > m ? -1.0
                       : dots[i](m, n) * 0.25 + slope(0, i % heads) * (n - m) +
                             shift(0, i / heads);
        },
        Q, K, slope, shift);
    test.expect(
        "weighted_values", {tokens, depth, tokens}, O,
        [&](int row, int d, int b) {
          return values[b * heads + row % heads](row / heads, d);
        },
        P, K);
    test.expect(
        "grouped_scores", s, T,
        [&](int m, int n, int i) { return grouped[i](m, n); }, Q, G);
  }
  return test.finish();
}
