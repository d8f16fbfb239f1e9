// Several batch indices that do not make one: sequences and heads, where the
// heads of a token lie beside each other.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse > %t.txt 2> %t.err
// RUN: FileCheck %s < %t.txt
// RUN: FileCheck --check-prefix=WHY %s < %t.err

// The launcher has a launch for each sequence, and the epilogue is told which
// is the first batch of a launch.
// RUN: not %warpwright rewrite --no-check %s -o %t.cu -- %parse
// RUN: FileCheck --check-prefix=CODE %s < %t.cu

#include <cuda_fp16.h>

#define QUERY                                                                  \
  const int query = blockIdx.y * blockDim.y + threadIdx.y,                     \
            key = blockIdx.x * blockDim.x + threadIdx.x;                       \
  if (query >= tokens || key >= tokens)                                        \
    return;
#define DOT(first, second)                                                     \
  float dot = 0.0f;                                                            \
  for (int d = 0; d < depth; ++d)                                              \
    dot += __half2float(first) * __half2float(second);

// CHECK-LABEL: contraction "scores"
// CHECK: index %b < heads * sequences of heads, sequences
// CHECK-NEXT: index %m < min(blockDim.y * gridDim.y, tokens)
//
// CHECK: operand A = Q[depth * floordiv(%b, heads) * heads * tokens + %m * depth * heads + depth * mod(%b, heads) + %k]:f16
// CHECK: operand B = K[depth * floordiv(%b, heads) * heads * tokens + %n * depth * heads + depth * mod(%b, heads) + %k]:f16
// CHECK: output S[floordiv(%b, heads) * heads * tokens * tokens + mod(%b, heads) * tokens * tokens + %m * tokens + %n]:f32 = (acc * slope[mod(%b, heads)]:f32)
// CHECK: require gridDim.z >= heads * sequences : "the grid does not cover the output"
// CODE: int first_batch;
// CODE: int batch_of_launch) const {
// CODE-NEXT: const int b = first_batch + batch_of_launch;
// CODE: slope[::warpwright::rt::floor_mod(b, heads)]
// CODE: const rt::PerAxis extent = {
// CODE-NEXT: heads,
// CODE: {depth, rt::Integer(depth) * heads, 0, 1},
// CODE-NEXT: {rt::Integer(depth) * heads * tokens, 0}},
// CODE: problem.outer = {sequences, 1};
// CODE: scores_epilogue_{{[0-9a-f]+}}{slope, heads, 0}
#pragma warpwright matmul
__global__ void scores(const half *Q, const half *K, const float *slope,
                       float *S, int sequences, int heads, int tokens,
                       int depth) {
  const int z = blockIdx.z, b = z / heads, h = z % heads;
  QUERY
  if (z >= sequences * heads)
    return;
  DOT(Q[((b * tokens + query) * heads + h) * depth + d],
      K[((b * tokens + key) * heads + h) * depth + d])
  S[((b * heads + h) * tokens + query) * tokens + key] = dot * slope[h];
}

// All four numbers of an element from one, by remainders of remainders.
// CHECK-LABEL: contraction "flat"
// CHECK: index %b < heads * sequences of heads, sequences
// CHECK-NEXT: index %m < tokens
// CHECK-NEXT: index %n < depth
// CHECK-NEXT: index %k < tokens
// CHECK: require blockDim.x * gridDim.x >= depth * heads * sequences * tokens
#pragma warpwright matmul
__global__ void flat(const half *P, const half *V, float *O, int sequences,
                     int heads, int tokens, int depth) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= sequences * tokens * heads * depth)
    return;
  const int b = i / (tokens * heads * depth);
  const int t = (i % (tokens * heads * depth)) / (heads * depth);
  const int h = (i % (heads * depth)) / depth, d = i % depth;
  float sum = 0.0f;
  for (int s = 0; s < tokens; ++s)
    sum += __half2float(P[((b * heads + h) * tokens + t) * tokens + s]) *
           __half2float(V[((b * tokens + s) * heads + h) * depth + d]);
  O[i] = sum;
}

// The number of elements is an argument: the launcher asks for whole rows and
// matrices.
// CHECK-LABEL: contraction "counted"
// CHECK: index %b < floordiv(floordiv(count, depth), tokens)
// CHECK-NEXT: index %m < tokens
// CHECK-NEXT: index %n < depth
// CHECK: require mod(count, depth) == 0 : "count is not a multiple of depth"
// CHECK: require blockDim.x * gridDim.x >= count
// CHECK: require mod(floordiv(count, depth), tokens) == 0
#pragma warpwright matmul
__global__ void counted(const float *P, const half *V, half *O, int tokens,
                        int depth, long long count) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const int d = i % depth, t = i / depth % tokens;
  const long long matrix = i / depth / tokens;
  float sum = 0.0f;
  for (int s = 0; s < tokens; ++s)
    sum += P[(matrix * tokens + t) * tokens + s] *
           __half2float(V[(matrix * tokens + s) * depth + d]);
  O[i] = __float2half(sum);
}

// A bound of a quotient is one of the number itself, where the number is not
// taken apart.
// CHECK-LABEL: contraction "whole_heads"
// CHECK: index %n < min(depth * heads, min(blockDim.x * gridDim.x, width))
// CHECK: output O[%m * depth * heads + %n]:f32
// CHECK: require depth >= 1 : "depth is not positive"
#pragma warpwright matmul
__global__ void whole_heads(const half *X, const half *W, float *O, int rows,
                            int width, int heads, int depth) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x,
            row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || col >= width)
    return;
  float sum = 0.0f;
  for (int k = 0; k < width; ++k)
    sum += __half2float(X[row * width + k]) * __half2float(W[k * width + col]);
  const int head = col / depth;
  if (head < heads)
    O[row * heads * depth + head * depth + col % depth] = sum;
}

// Heads that share their keys. Those of a group do not move the keys: they are
// the batch of a launch, though tokens have the larger stride in Q.
// CHECK-LABEL: contraction "groups"
//
// CHECK: index %b < floordiv(gridDim.z, heads) * floordiv(heads, group) * group of group, floordiv(heads, group), floordiv(gridDim.z, heads)
// CHECK-NEXT: index %m < min(blockDim.y * gridDim.y, tokens)
// CHECK: require mod(heads, group) == 0
#pragma warpwright matmul
__global__ void groups(const half *Q, const half *K, float *S, int heads,
                       int group, int tokens, int depth) {
  const int b = blockIdx.z / heads, h = blockIdx.z % heads;
  QUERY
  DOT(Q[((b * tokens + query) * heads + h) * depth + d],
      K[((b * tokens + key) * (heads / group) + h / group) * depth + d])
  S[((b * heads + h) * tokens + query) * tokens + key] = dot;
}

// Rows of the product become heads of sequences, and columns elements of heads.
// CHECK-LABEL: contraction "split_heads"
// CHECK: index %b < floordiv(width, depth) * sequences of floordiv(width, depth), sequences
// CHECK-NEXT: index %m < tokens
// CHECK-NEXT: index %n < depth
// CHECK: operand A = X[floordiv(%b, floordiv(width, depth)) * tokens * width + %m * width + %k]:f16
// CHECK: operand B = W[depth * mod(%b, floordiv(width, depth)) * width + %n * width + %k]:f16
// CHECK: require mod(width, depth) == 0 : "width is not a multiple of depth"
#pragma warpwright matmul
__global__ void split_heads(const half *X, const half *W, float *O,
                            int sequences, int tokens, int width, int depth) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x,
            row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= sequences * tokens || col >= width)
    return;
  float sum = 0.0f;
  for (int k = 0; k < width; ++k)
    sum += __half2float(X[row * width + k]) * __half2float(W[col * width + k]);
  const int heads = width / depth, h = col / depth, d = col % depth;
  const int b = row / tokens, t = row % tokens;
  O[((b * heads + h) * tokens + t) * depth + d] = sum;
}

// The same for queries, keys and values by one product: a third batch index.
// CHECK-LABEL: contraction "three_ways"
// CHECK: index %b < 3 * heads * sequences of heads, sequences, 3
// CHECK-NEXT: index %m < tokens
// CHECK-NEXT: index %n < depth
#pragma warpwright matmul
__global__ void three_ways(const half *X, const half *W, float *O,
                           int sequences, int tokens, int heads, int depth) {
  const int width = heads * depth;
  const int col = blockIdx.x * blockDim.x + threadIdx.x,
            row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= sequences * tokens || col >= 3 * width)
    return;
  float sum = 0.0f;
  for (int k = 0; k < width; ++k)
    sum += __half2float(X[row * width + k]) * __half2float(W[col * width + k]);
  const int which = col / width, h = col % width / depth, d = col % depth;
  const int b = row / tokens, t = row % tokens;
  O[(((which * sequences + b) * heads + h) * tokens + t) * depth + d] = sum;
}

// The same where an element is one of `width / heads`.
// CHECK-LABEL: contraction "quotients"
// CHECK: index %m < tokens
// CHECK-NEXT: index %n < floordiv(width, heads)
// CHECK-DAG: require mod(width, floordiv(width, heads)) == 0
// CHECK-DAG: require mod(3 * width, floordiv(width, heads)) == 0
#pragma warpwright matmul
__global__ void quotients(const half *X, const half *W, float *O, int sequences,
                          int tokens, int heads, int width) {
  const int depth = width / heads;
  const int col = blockIdx.x * blockDim.x + threadIdx.x,
            row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= sequences * tokens || col >= 3 * width)
    return;
  float sum = 0.0f;
  for (int k = 0; k < width; ++k)
    sum += __half2float(X[row * width + k]) * __half2float(W[col * width + k]);
  const int which = col / width, h = col % width / depth, d = col % depth;
  const int b = row / tokens, t = row % tokens;
  O[(((which * sequences + b) * heads + h) * tokens + t) * depth + d] = sum;
}

// Which keys a head takes is often written as a fraction of all heads.
// CHECK-LABEL: contraction "fraction"
// CHECK: index %b < floordiv(gridDim.z, floordiv(heads, key_heads)) * floordiv(heads, key_heads) of floordiv(heads, key_heads), floordiv(gridDim.z, floordiv(heads, key_heads))
// CHECK: require mod(heads, key_heads) == 0 : "heads is not a multiple of key_heads"
#define FRACTION(group)                                                        \
  const int h = blockIdx.z, g = group;                                         \
  QUERY                                                                        \
  DOT(Q[(h * tokens + query) * depth + d], K[(g * tokens + key) * depth + d])  \
  S[(h * tokens + query) * tokens + key] = dot;
#pragma warpwright matmul
__global__ void fraction(const half *Q, const half *K, float *S, int heads,
                         int key_heads, int tokens, int depth) {
  FRACTION(h * key_heads / heads)
}

// WHY: 'rounded_fraction' is not rewritten: an index is divided by heads in a way that does not make rows and columns [WW204]
#pragma warpwright matmul
__global__ void rounded_fraction(const half *Q, const half *K, float *S,
                                 int heads, int key_heads, int tokens,
                                 int depth) {
  FRACTION((h * key_heads + 1) / heads)
}

// Where a launch fails after others, the original could not compute this again.
// WHY: 'added' is not rewritten: more than one batch index, and 'S' is read before it is stored to [WW216]
#pragma warpwright matmul
__global__ void added(const half *Q, const half *K, float *S, int heads,
                      int tokens, int depth) {
  const int b = blockIdx.z / heads, h = blockIdx.z % heads;
  QUERY
  DOT(Q[((b * tokens + query) * heads + h) * depth + d],
      K[((b * tokens + key) * heads + h) * depth + d])
  S[((b * heads + h) * tokens + query) * tokens + key] += dot;
}

// WHY: 'scaled' is not rewritten: more than one batch index, and an operand that is computed from its elements [WW216]
#pragma warpwright matmul
__global__ void scaled(const half *Q, const half *K, const float *scale,
                       float *S, int heads, int tokens, int depth) {
  const int b = blockIdx.z / heads, h = blockIdx.z % heads;
  QUERY
  float dot = 0.0f;
  for (int d = 0; d < depth; ++d)
    dot += __half2float(Q[((b * tokens + query) * heads + h) * depth + d]) *
           scale[d] *
           __half2float(K[((b * tokens + key) * heads + h) * depth + d]);
  S[((b * heads + h) * tokens + query) * tokens + key] = dot;
}

// All heads store to the same element.
// WHY: 'without_head' is not rewritten: several threads or iterations store to the same element [WW205]
#pragma warpwright matmul
__global__ void without_head(const half *Q, const half *K, float *S, int heads,
                             int tokens, int depth) {
  const int b = blockIdx.z / heads, h = blockIdx.z % heads;
  QUERY
  DOT(Q[((b * tokens + query) * heads + h) * depth + d],
      K[((b * tokens + key) * heads + h) * depth + d])
  S[(b * tokens + query) * tokens + key] = dot;
}

// WHY: 'other_divisor' is not rewritten: an index is divided by heads and by tokens in a way that does not make rows and columns [WW204]
#pragma warpwright matmul
__global__ void other_divisor(const half *Q, const half *K, float *S, int heads,
                              int tokens, int depth) {
  const int b = blockIdx.z / heads, h = blockIdx.z % tokens;
  QUERY
  DOT(Q[((b * tokens + query) * heads + h) * depth + d],
      K[((b * tokens + key) * heads + h) * depth + d])
  S[((b * heads + h) * tokens + query) * tokens + key] = dot;
}

// Tiles that do not cover rows and columns are none either.
// WHY: 'tiles_apart' is not rewritten: more than one batch index [WW216]
#pragma warpwright matmul
__global__ void tiles_apart(const half *Q, const half *K, float *S, int tokens,
                            int step, int depth) {
  const int query = blockIdx.y * step + 2 * threadIdx.y,
            key = blockIdx.x * step + 2 * threadIdx.x;
  DOT(Q[query * depth + d], K[key * depth + d])
  S[query * tokens + key] = dot;
}

// The rows that a block computes are no batch.
// WHY: 'parts_of_rows' is not rewritten: more than one batch index [WW216]
#pragma warpwright matmul
__global__ void parts_of_rows(const half *Q, const half *K, float *S,
                              int tokens, int depth) {
  const int key = blockIdx.x * blockDim.x + threadIdx.x;
  const half *q = Q + blockIdx.z * tokens * depth;
  const half *k = K + blockIdx.z * tokens * depth;
  if (key >= tokens)
    return;
  for (int part = 0; part < 16; ++part) {
    const int query = blockIdx.y * 24 + part;
    DOT(q[query * depth + d], k[key * depth + d])
    S[(blockIdx.z * tokens + query) * tokens + key] = dot;
  }
}

// Strides of three batch indices, which only a launch knows.
//
// CHECK-LABEL: contraction "strided_by_arguments"
// CHECK: index %b < a * b * floordiv(floordiv(gridDim.z, a), b) of a, b, floordiv(floordiv(gridDim.z, a), b)
// CHECK: operand A = A[%m * sm + floordiv(%b, a * b) * s2 + mod(%b, a) * s0 + mod(floordiv(%b, a), b) * s1 + %k]:f32
#pragma warpwright matmul
__global__ void strided_by_arguments(const float *A, const float *B, float *C,
                                     int a, int b, int M, int N, int K,
                                     long long s0, long long s1, long long s2,
                                     long long sm, long long sn) {
  const int z = blockIdx.z, i = z % a, j = z / a % b, o = z / a / b;
  const int row = blockIdx.y * blockDim.y + threadIdx.y,
            col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  const long long at = i * s0 + j * s1 + o * s2;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += A[at + row * sm + k] * B[at + col * sm + k];
  C[at + row * sm + col * sn] = sum;
}

// The launcher could only ever run the original.
//
// WHY: 'last_head_first' is not rewritten: the output is walked backwards [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void last_head_first(const half *q, const half *k, float *S,
                                int heads, int tokens, int depth) {
  const int head = heads - 1 - int(blockIdx.z) % heads,
            sequence = blockIdx.z / heads;
  QUERY
  DOT(q[((sequence * tokens + query) * heads + head) * depth + d],
      k[((sequence * tokens + key) * heads + head) * depth + d])
  S[((sequence * heads + head) * tokens + query) * tokens + key] = dot;
}

// The index of the output is computed in 32 bits, with the batch taken apart
// and put together again.
//
// CHECK-LABEL: contraction "put_together"
// CHECK: index %b < min(batch * heads, gridDim.z)
// CHECK: output S[%b * tokens * tokens + %m * tokens + %n]:f32 = acc
// CHECK: require min(batch * heads, gridDim.z) * tokens * tokens {{.*}} <= 2147483647 : "a number leaves its 32 bits"
#pragma warpwright matmul
__global__ void put_together(const half *Q, const half *K, float *S, int batch,
                             int heads, int tokens, int depth) {
  __shared__ float q[16][16], k[16][16];
  const int b = blockIdx.z / heads, h = blockIdx.z % heads;
  const int x = threadIdx.x, y = threadIdx.y;
  if (b >= batch)
    return;
  Q += (b * heads + h) * tokens * depth;
  K += (b * heads + h) * tokens * depth;
  const int query = blockIdx.y * 16 + y, key = blockIdx.x * 16;
  float dot = 0.0f;
  for (int t = 0; t < depth; t += 16) {
    q[y][x] = query < tokens && t + x < depth
                  ? __half2float(Q[query * depth + t + x])
                  : 0.0f;
    k[y][x] = key + y < tokens && t + x < depth
                  ? __half2float(K[(key + y) * depth + t + x])
                  : 0.0f;
    __syncthreads();
    for (int d = 0; d < 16; ++d)
      dot += q[y][d] * k[x][d];
    __syncthreads();
  }
  if (query < tokens && key + x < tokens)
    S[((b * heads + h) * tokens + query) * tokens + key + x] = dot;
}

// The gradient of weights that all batches share: a sum over batches and the
// rows of each, in tiles of rows, with zeros for both operands beyond the last
// row of a batch. Batches are one after the other.
//
// CHECK-LABEL: contraction "gradient"
// CHECK: index %k < batches * rows
// CHECK: operand A = X[%k * in + %m]:f32
// CHECK: operand B = dY[%k * out + %n]:f32
// CHECK: output dW[%m * out + %n]:f32 = (dW[%m * out + %n]:f32 + acc)
// CHECK: require rows >= 0
#define GRADIENT(NAME, APART, IN_X, IN_DY)                                     \
  __global__ void NAME(const float *X, const float *dY, float *dW,             \
                       int batches, int rows, int in, int out, int apart) {    \
    __shared__ float Xs[16][16], Ys[16][16];                                   \
    const int x = threadIdx.x, y = threadIdx.y;                                \
    const int i = blockIdx.y * 16 + y, o = blockIdx.x * 16 + x;                \
    float sum = 0.0f;                                                          \
    for (int b = 0; b < batches; ++b)                                          \
      for (int t = 0; t < rows; t += 16) {                                     \
        const int across = t + x, down = t + y;                                \
        Xs[y][x] = i < in && IN_X ? X[(b * APART + across) * in + i] : 0.0f;   \
        Ys[y][x] = o < out && IN_DY ? dY[(b * rows + down) * out + o] : 0.0f;  \
        __syncthreads();                                                       \
        for (int r = 0; r < 16; ++r)                                           \
          sum += Xs[y][r] * Ys[r][x];                                          \
        __syncthreads();                                                       \
      }                                                                        \
    if (i < in && o < out)                                                     \
      dW[i * out + o] += sum;                                                  \
  }
#pragma warpwright matmul
GRADIENT(gradient, rows, across < rows, down < rows)

// Batches at any distance, zeros for one operand alone, where the other one has
// the rows of the next batch, and zeros before the last row.
//
// WHY: 'gradient_apart' is not rewritten: the nested loops of the sum do not make one range [WW216]
// WHY: 'gradient_one_side' is not rewritten: the nested loops of the sum do not make one range [WW216]
// WHY: 'gradient_short' is not rewritten: the nested loops of the sum do not make one range [WW216]
#pragma warpwright matmul
GRADIENT(gradient_apart, apart, across < rows, down < rows)
#pragma warpwright matmul
GRADIENT(gradient_one_side, rows, across < rows, down >= 0)
#pragma warpwright matmul
GRADIENT(gradient_short, rows, across < rows - 1, down < rows - 1)

// Two batch indices from one block number and rows of a constant length, all of
// one operand. Where rows are few, they may be parts of a number that the
// blocks count in another order.
//
// CHECK-LABEL: contraction "constant_rows"
// CHECK: index %b < 2 * floordiv(gridDim.z, 2) of 2, floordiv(gridDim.z, 2)
// CHECK: index %m < min(256, blockDim.y * gridDim.y)
// WHY: 'few_constant_rows' is not rewritten: more than one batch index [WW216]
#define CONSTANT_ROWS(NAME, ROWS)                                              \
  __global__ void NAME(const float *A, const float *B, float *C) {             \
    const int col = blockIdx.x * blockDim.x + threadIdx.x;                     \
    const int row = blockIdx.y * blockDim.y + threadIdx.y;                     \
    const int i = blockIdx.z / 2, b = blockIdx.z % 2;                          \
    if (col >= 256 || row >= ROWS)                                             \
      return;                                                                  \
    const int at = (b * 4 + i) * ROWS + row;                                   \
    float sum = 0.0f;                                                          \
    for (int k = 0; k < 4; ++k)                                                \
      sum += A[at * 4 + k] * B[k * 256 + col];                                 \
    C[at * 8 + col] = sum;                                                     \
  }
#pragma warpwright matmul
CONSTANT_ROWS(constant_rows, 256)
#pragma warpwright matmul
CONSTANT_ROWS(few_constant_rows, 40)

// Two products in one kernel, each with rows of its own.
//
// WHY: :[[#@LINE+9]]:12: warning: 'two_products' is not rewritten: 'dX' and 'dW' are two products, with rows of 'in' and of 'out' elements; write a kernel for each of them [WW204]
#pragma warpwright matmul
__global__ void two_products(const float *X, const float *W, const float *dY,
                             float *dX, float *dW, int rows, int in, int out) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < rows * in) {
    float sum = 0.0f;
    for (int o = 0; o < out; ++o)
      sum += dY[at / in * out + o] * W[at % in * out + o];
    dX[at] = sum;
  }
  if (at < in * out) {
    float sum = 0.0f;
    for (int r = 0; r < rows; ++r)
      sum += X[r * in + at / out] * dY[r * out + at % out];
    dW[at] = sum;
  }
}
