// Two products that are stored to one array: the places are a distance apart that
// is the same for all threads, and what keeps them apart is proven or required.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse 2>&1 | FileCheck %s --implicit-check-not="parts of the output"

#define ARGS                                                                   \
  const float *A, const float *B, const float *D, float *C, int offset, int M, \
      int N, int K
#define SUMS                                                                   \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  float x = 0, y = 0;                                                          \
  for (int k = 0; k < K; ++k) {                                                \
    x += A[row * K + k] * B[k * N + col];                                      \
    y += A[row * K + k] * D[k * N + col];                                      \
  }

#pragma warpwright matmul
__global__ void halves(ARGS) {
  SUMS
  C[row * 2 * N + col] = x;
  C[row * 2 * N + N + col] = y;
}

// The second half first.
#pragma warpwright matmul
__global__ void exchanged(ARGS) {
  SUMS
  C[row * 2 * N + N + col] = x;
  C[row * 2 * N + col] = y;
}

// N is not zero where there is a column.
#pragma warpwright matmul
__global__ void added_halves(ARGS) {
  SUMS
  C[row * 2 * N + col] += x;
  C[row * 2 * N + N + col] += y;
}

#pragma warpwright matmul
__global__ void planes(ARGS) {
  SUMS
  C[row * N + col] = x;
  C[(M + row) * N + col] = y;
}

#pragma warpwright matmul
__global__ void as_far_as_an_argument_says(ARGS) {
  SUMS
  C[row * N + col] = x;
  C[row * N + col + offset] = y;
}

// One row further: these meet unless there is one row.
#pragma warpwright matmul
__global__ void next_row(ARGS) {
  SUMS
  C[row * N + col] = x;
  C[(row + 1) * N + col] = y;
}

// CHECK-DAG: 'column_further' is not rewritten: 'C' is stored to in several places; one thread must compute one element at a time [WW201]
#pragma warpwright matmul
__global__ void column_further(ARGS) {
  SUMS
  C[row * N + col] = x;
  C[row * N + col + 1] = y;
}

// The distance is another one for each row.
// CHECK-DAG: 'other_pitch' is not rewritten: 'C' is stored to in several places; one thread must compute one element at a time [WW201]
#pragma warpwright matmul
__global__ void other_pitch(ARGS) {
  SUMS
  C[row * 2 * N + col] = x;
  C[row * 3 * N + N + col] = y;
}

// What is read would have been stored by the line before it if offset were 0.
#pragma warpwright matmul
__global__ void added(ARGS) {
  SUMS
  C[row * N + col] += x;
  C[row * N + col + offset] += y;
}

// A thread's rows in two groups that are written out, each of them read before it
// is stored.
#define ROWS(NAME, APART, ACROSS)                                              \
  __global__ void NAME(const float *A, const float *B, float *C, int offset,   \
                       int N, int K, float beta) {                             \
    const int row = blockIdx.y * 128 + threadIdx.y * 4,                        \
              col = blockIdx.x * blockDim.x + threadIdx.x;                     \
    float s[8] = {};                                                           \
    for (int k = 0; k < K; ++k)                                                \
      for (int i = 0; i < 8; ++i)                                              \
        s[i] += A[(row + i % 4 + (APART) * (i / 4)) * K + k] *                 \
                B[k * N + col + (ACROSS) * (i / 4)];                           \
    for (int i = 0; i < 4; ++i)                                                \
      C[(row + i) * N + col] = s[i] + beta * C[(row + i) * N + col];           \
    for (int i = 0; i < 4; ++i)                                                \
      C[(row + i + (APART)) * N + col + (ACROSS)] =                            \
          s[4 + i] + beta * C[(row + i + (APART)) * N + col + (ACROSS)];       \
  }

#pragma warpwright matmul
ROWS(rows_apart, 64, 0)

// CHECK-DAG: 'rows_meet' is not rewritten: 'C' is read here at an element that an earlier store may have changed [WW208]
#pragma warpwright matmul
ROWS(rows_meet, 3, 0)

// CHECK-DAG: 'rows_as_far_as_an_argument' is not rewritten: 'C' is read here at an element that an earlier store may have changed [WW208]
#pragma warpwright matmul
ROWS(rows_as_far_as_an_argument, offset, 0)

// The second group begins in the row behind the first one, two columns to the
// left, which is behind it where a row has more than two columns.
#pragma warpwright matmul
ROWS(rows_less_columns, 4, -2)

// CHECK: contraction "halves" {
// CHECK: output C[2 * %m * N + %n]:f32 = acc
// CHECK-NEXT: output C[2 * %m * N + %n + N]:f32 = acc1
// CHECK: contraction "exchanged" {
// CHECK: output C[2 * %m * N + %n + N]:f32 = acc
// CHECK-NEXT: output C[2 * %m * N + %n]:f32 = acc1
// CHECK: contraction "added_halves" {
// CHECK: output C[2 * %m * N + %n]:f32 = (C[2 * %m * N + %n]:f32 + acc)
// CHECK-NEXT: output C[2 * %m * N + %n + N]:f32 = (C[2 * %m * N + %n + N]:f32 + acc1)
// CHECK: contraction "planes" {
// CHECK: output C[%m * N + M * N + %n]:f32 = acc1
// CHECK: contraction "as_far_as_an_argument_says" {
// CHECK: output C[%m * N + %n + offset]:f32 = acc1
// CHECK: require offset >= N * min(M, blockDim.y * gridDim.y) - N + min(N, blockDim.x * gridDim.x) || (offset >= min(N, blockDim.x * gridDim.x) && N >= min(N, blockDim.x * gridDim.x) + offset) : "parts of the output overlap"
// CHECK: contraction "next_row" {
// CHECK: require {{.*}} : "parts of the output overlap"
// CHECK: contraction "added" {
// CHECK: require {{.*}} : "parts of the output overlap"
// CHECK: require offset - 1 >= 0 : "elements of 'C' that are stored and read one after the other would be the same"
// CHECK: contraction "rows_apart" {
// CHECK: output C[%m * N + %n]:f32 = (acc + (beta:f32 * C[%m * N + %n]:f32))
// CHECK: require N - 1 >= 0 : "elements of 'C' that are stored and read one after the other would be the same"
// CHECK: contraction "rows_less_columns" {
// CHECK: require N - 3 >= 0 : "elements of 'C' that are stored and read one after the other would be the same"
