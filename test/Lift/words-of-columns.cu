// Numbers of four bits whose words lie across k: two, four or eight columns, or rows,
// share a byte or a word. Their words are elements, of which the column says the bits.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse > %t.txt 2> %t.log
// RUN: FileCheck %s < %t.txt
// RUN: FileCheck --check-prefix=NO --implicit-check-not="not rewritten" %s < %t.log
#include <cuda_fp16.h>
#include <stdint.h>
#define PLACE                                                                  \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  float acc = 0;
#define SUM(...)                                                               \
  PLACE                                                                        \
  for (int k = 0; k < K; ++k)                                                  \
    acc += __half2float(A[row * K + k]) * (float)(__VA_ARGS__);                \
  C[row * N + col] = acc;
#define ARGS(U) const half *A, const U *B, float *C, int M, int N, int K, int P

// CHECK-LABEL: contraction "chosen" {
// CHECK: index %n < min(N, blockDim.x * gridDim.x)
// CHECK: index %k < K
// CHECK: operand B = B[%k * P + floordiv(%n, 2)]:u8 as f32((i32(((u32(B[%k * P + floordiv(%n, 2)]:u8) >> int.i32(4 * mod(%n, 2))) & int.u32(15))) - int.i32(8)))
#pragma warpwright matmul
__global__ void chosen(ARGS(uint8_t)) {
  SUM((col & 1 ? B[k * P + col / 2] >> 4 : B[k * P + col / 2] & 15) - 8)
}

// Rows of N numbers are whole words only where N is a multiple of 8.
// CHECK-LABEL: contraction "pitch" {
// CHECK: operand B = B[floordiv(%k * N + %n, 8)]:u32 as f32(((B[floordiv(%k * N + %n, 8)]:u32 >> int.i32(4 * mod(%k * N + %n, 8))) & int.u32(15)))
// CHECK: require mod(N, 8) == 0 : "N is not a multiple of 8"
#pragma warpwright matmul
__global__ void pitch(ARGS(uint32_t)) {
  SUM(B[k * (N / 8) + col / 8] >> 4 * (col % 8) & 15)
}

// Words of int, whose highest bits are those of their sign, in an order that a table
// says; and the highest column first.
// CHECK-LABEL: contraction "table" {
// CHECK: operand B = B[%k * P + floordiv(%n, 8)]:i32 as f32(((u32(B[%k * P + floordiv(%n, 8)]:i32) >> int.i32(4 * floordiv(mod(%n, 8), 2) + 16 * mod(mod(%n, 8), 2))) & int.u32(15)))
#pragma warpwright matmul
__global__ void table(ARGS(int)) {
  const int order[8] = {0, 4, 1, 5, 2, 6, 3, 7};
  SUM(B[k * P + col / 8] >> 4 * order[col % 8] & 15)
}
// CHECK-LABEL: contraction "backwards" {
// CHECK: operand B = B[%k * P + floordiv(%n, 4)]:u16 {{.*}} >> int.i32(-4 * mod(%n, 4) + 12)) & int.u32(15))
#pragma warpwright matmul
__global__ void backwards(ARGS(uint16_t)) {
  SUM(B[k * P + col / 4] >> (12 - col % 4 * 4) & 15)
}

// Four bits with a sign, by two shifts, are 8 less than with the highest bit turned.
// CHECK-LABEL: contraction "signs" {
// CHECK: operand B = B[%k * P + floordiv(%n, 8)]:u32 as f32(((i32(((B[%k * P + floordiv(%n, 8)]:u32 >> int.i32(4 * mod(%n, 8))) & int.u32(15))) ^ int.i32(8)) - int.i32(8)))
#pragma warpwright matmul
__global__ void signs(ARGS(uint32_t)) {
  SUM((int)(B[k * P + col / 8] << (28 - col % 8 * 4)) >> 28)
}

// The rows of the product have the words.
// CHECK-LABEL: contraction "rows" {
// CHECK: operand A = B[%k * P + floordiv(%m, 8)]:u32 as f32(((B[%k * P + floordiv(%m, 8)]:u32 >> int.i32(4 * mod(%m, 8))) & int.u32(15)))
// CHECK: operand B = A[%k * N + %n]:f16
#pragma warpwright matmul
__global__ void rows(ARGS(uint32_t)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += (B[k * P + row / 8] >> row % 8 * 4 & 15) *
           __half2float(A[k * N + col]);
  C[row * N + col] = acc;
}

// Columns are unsigned numbers here, so that an int need not hold the index of a scale.
// It does where it holds the largest one: that of the last k, or with groups that are
// counted down of the first one.
// CHECK-LABEL: contraction "scales_of_groups" {
// CHECK: operand B = B[floordiv(%k * N + %n, 8)]:u32 {{.*}} * s[N * floordiv(%k, group) + %n]:f32
// CHECK: require group > 0 : "group is not positive"
// CHECK: require N * floordiv(K - 1, group) + min(16 * gridDim.x, N) - 1 <= 2147483647 : "a number leaves its 32 bits"
#pragma warpwright matmul
__global__ void scales_of_groups(ARGS(uint32_t), const float *s, int group) {
  const int row = blockIdx.y * 16 + threadIdx.y;
  const int col = blockIdx.x * 16 + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) *
           ((float)(B[k * (N / 8) + col / 8] >> 4 * (col % 8) & 15) *
            s[k / group * N + col]);
  C[row * N + col] = acc;
}
// CHECK-LABEL: contraction "groups_backwards" {
// CHECK: s[-N * floordiv(%k, 64) + N * floordiv(K - 1, 64) + %n]:f32
// CHECK: require N * floordiv(K - 1, 64) + min(16 * gridDim.x, N) - 1 <= 2147483647 : "a number leaves its 32 bits"
#pragma warpwright matmul
__global__ void groups_backwards(ARGS(uint32_t), const float *s) {
  const int row = blockIdx.y * 16 + threadIdx.y;
  const int col = blockIdx.x * 16 + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) *
           ((float)(B[k * P + col / 8] >> 4 * (col % 8) & 15) *
            s[((K - 1) / 64 - k / 64) * N + col]);
  C[row * N + col] = acc;
}

// Other bits than four, and than those of the column's remainder.
// NO: warning: 'three_bits' is not rewritten: {{.*}} [WW216]
#pragma warpwright matmul
__global__ void three_bits(ARGS(uint8_t)) {
  SUM(B[k * P + col / 2] >> 4 * (col % 2) & 7)
}
// NO: warning: 'odd_shift' is not rewritten: {{.*}} [WW216]
#pragma warpwright matmul
__global__ void odd_shift(ARGS(uint32_t)) {
  SUM(B[k * P + col / 8] >> (4 * (col % 8) + 1) & 15)
}
// NO: warning: 'half_of_them' is not rewritten: {{.*}} [WW216]
#pragma warpwright matmul
__global__ void half_of_them(ARGS(uint32_t)) {
  SUM(B[k * P + col / 4] >> 4 * (col % 4) & 15)
}
// NO: warning: 'every_other_word' is not rewritten: {{.*}} [WW216]
#pragma warpwright matmul
__global__ void every_other_word(ARGS(uint8_t)) {
  SUM(B[k * P + 2 * (col / 2)] >> 4 * (col % 2) & 15)
}
// The sign of a byte is not one of its high number.
// NO: warning: 'high_of_signed' is not rewritten: {{.*}} [WW217]
#pragma warpwright matmul
__global__ void high_of_signed(ARGS(signed char)) {
  SUM(col % 2 ? B[k * P + col / 2] >> 4 : B[k * P + col / 2] & 15)
}
// Two products have no plan.
// NO: warning: 'two' is not rewritten: 'B': a word has several numbers of four bits that lie across k, which a plan takes in one sum of one product, of one of its operands [WW302]
#pragma warpwright matmul
__global__ void two(ARGS(uint8_t), const uint8_t *D) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) *
               (float)(B[k * P + col / 2] >> 4 * (col % 2) & 15) +
           __half2float(A[row * K + k]) *
               (float)(D[k * P + col / 2] >> 4 * (col % 2) & 15);
  C[row * N + col] = acc;
}
