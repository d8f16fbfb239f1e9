// Loops of which each iteration stores to another element of a local array: what
// an iteration reads must not be what an earlier one has stored.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t 2>%t.no
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --input-file=%t.no --check-prefix=DECLINED --implicit-check-not=WW220

#define KERNEL(NAME, ...)                                                      \
  __global__ void NAME(const float *A, const float *B, const float *D,         \
                       float *C, int M, int N, int K) {                        \
    const int row = blockIdx.y * blockDim.y + threadIdx.y,                     \
              col = blockIdx.x * blockDim.x + threadIdx.x;                     \
    if (row >= M || col >= N)                                                  \
      return;                                                                  \
    float s = 0;                                                               \
    __VA_ARGS__                                                                \
    C[row * N + col] = s;                                                      \
  }

// Outputs of a thread that take turns in one array, the parts of the inner loops
// between each other.
#define PARTS(NAME, ROW, PART)                                                 \
  __global__ void NAME(const float *A, const float *B, float *C, int M, int N, \
                       int K) {                                                \
    const int row = (blockIdx.y * blockDim.y + threadIdx.y) * 32,              \
              col = (blockIdx.x * blockDim.x + threadIdx.x) * 32;              \
    if (row + 32 > M || col + 32 > N)                                          \
      return;                                                                  \
    float acc[32 * (ROW) + 32] = {};                                           \
    for (int k = 0; k < K; ++k)                                                \
      for (int part = 0; part < 4; ++part)                                     \
        for (int i = 0; i < 32; ++i)                                           \
          for (int j = 0; j < 8; ++j)                                          \
            acc[(ROW) * i + (PART) * part + j] +=                              \
                A[(row + i) * K + k] * B[k * N + col + 8 * part + j];          \
    for (int part = 0; part < 4; ++part)                                       \
      for (int i = 0; i < 32; ++i)                                             \
        for (int j = 0; j < 8; ++j)                                            \
          C[(row + i) * N + col + 8 * part + j] =                              \
              acc[(ROW) * i + (PART) * part + j];                              \
  }

// CHECK: contraction "parts" {
// CHECK: index %k < K
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
PARTS(parts, 32, 8)

// The last element of a part is the first one of the next.
// DECLINED: [[#@LINE+2]]:1: warning: 'parts_meet' is not rewritten: 'acc' is read here at an element that an earlier iteration of the loop may have stored [WW208]
#pragma warpwright matmul
PARTS(parts_meet, 32, 7)

// The last part of a row is the first one of the next.
// DECLINED: [[#@LINE+2]]:1: warning: 'rows_meet' is not rewritten: 'acc' is read here at an element that an earlier iteration of the loop may have stored [WW208]
#pragma warpwright matmul
PARTS(rows_meet, 31, 8)

// CHECK: contraction "half_of_array" {
// CHECK: index %k < K
#pragma warpwright matmul
KERNEL(half_of_array, float f[8]; f[0] = 1; for (int k = 0; k < K; ++k) {
  s += f[0] * (A[row * K + k] * B[k * N + col]);
  f[4 + k % 4] = D[k];
})

// DECLINED: [[#@LINE+3]]:8: warning: 'first_in_turn' is not rewritten: 'f' is read here at an element that an earlier iteration of the loop may have stored [WW208]
#pragma warpwright matmul
KERNEL(first_in_turn, float f[4]; f[0] = 1; for (int k = 0; k < K; ++k) {
  s += f[0] * (A[row * K + k] * B[k * N + col]);
  f[k % 4] = D[k];
})

// DECLINED: [[#@LINE+3]]:8: warning: 'of_previous' is not rewritten: 'f' is read here at an element that an earlier iteration of the loop may have stored [WW208]
#pragma warpwright matmul
KERNEL(of_previous, float f[1000] = {1}; for (int k = 0; k < K; ++k) {
  s += f[k] * (A[row * K + k] * B[k * N + col]);
  f[k + 1] = D[k];
})

// The first of the four elements that an iteration stores is the second one of
// those that the next one reads.
// DECLINED: [[#@LINE+3]]:8: warning: 'inner_loops' is not rewritten: 'f' is read here at an element that an earlier iteration of the loop may have stored [WW208]
#pragma warpwright matmul
KERNEL(inner_loops, float f[1000] = {1}; for (int k = 0; k < K; ++k) {
  s += f[4 * k + 1] * (A[row * K + k] * B[k * N + col]);
  for (int i = 0; i < 64; ++i)
    f[4 * k + 5 + i] = D[i];
})

// Registers of which every other iteration has a part: what is read of it is what
// the same iteration has stored there.
#define TURNS(NAME, LAST, FLIP, READ)                                          \
  KERNEL(NAME, float f[2][4] = {}; int w = 0; for (int k = 0; k < K; k += 8) { \
    for (int j = 0; j < 8; j += 4) {                                           \
      f[w][0] = A[row * K + k + j];                                            \
      f[w][1] = A[row * K + k + j + 1];                                        \
      f[w][2] = A[row * K + k + j + 2];                                        \
      LAST f[w][3] = A[row * K + k + j + 3];                                   \
      FLIP;                                                                    \
      for (int i = 0; i < 4; ++i)                                              \
        s += f[READ][i] * B[(k + j + i) * N + col];                            \
    }                                                                          \
    w ^= 1;                                                                    \
  })

// CHECK: contraction "in_turn" {
// CHECK: index %k < 8 * floordiv(K + 7, 8)
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
TURNS(in_turn, , , w)

// DECLINED: 'other_part' is not rewritten: 'f' is read here at an element that an earlier store may have changed [WW208]
#pragma warpwright matmul
TURNS(other_part, , , 1 - w)

// DECLINED: 'number_changed' is not rewritten: 'f' is read here at an element that an earlier store may have changed [WW208]
#pragma warpwright matmul
TURNS(number_changed, , w ^= 1, w)

// DECLINED: 'not_by_all' is not rewritten: 'f' is read here at an element that an earlier iteration of the loop may have stored [WW208]
#pragma warpwright matmul
TURNS(not_by_all, if (k % 16 == 0), , w)

// DECLINED: 'in_first_only' is not rewritten: 'f' is read here at an element that an earlier store may have changed [WW208]
#pragma warpwright matmul
TURNS(in_first_only, if (j == 0), , w)

// DECLINED: 'over_it' is not rewritten: 'f' is read here at an element that an earlier store may have changed [WW208]
#pragma warpwright matmul
TURNS(over_it, , f[k / 8 % 4 / 2][2] = D[k], w)
