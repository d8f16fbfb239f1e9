// Integers that wrap or are cut.

#include "attack.h"

// An unsigned char index that wraps at 256.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void char_index(ARGS) {
  PLACE
  float acc = 0.0f;
  unsigned char c = 250;
  for (int k = 0; k < 16; ++k) {
    acc += __half2float(A[row * K + k]) * __half2float(B[(c % 16) * N + col]) * 1.0f;
    c += 3;
  }
  STORE
}

// An unsigned char counter beside k that wraps.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void char_counter_wraps(ARGS) {
  PLACE
  float acc = 0.0f;
  unsigned char c = 0;
  for (int k = 0; k < 512; ++k) {
    acc += __half2float(A[k % 64]) * __half2float(B[c % 32 + col]);
    ++c;
  }
  STORE
}

// 300 in an unsigned char.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void char_constant(ARGS) {
  PLACE
  SUM
  unsigned char c = (unsigned char)300;
  C[row * N + col] = acc * c;
}

// 70000 in an unsigned short.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void short_constant(ARGS) {
  PLACE
  SUM
  unsigned short s = (unsigned short)70000;
  C[row * N + col] = acc * s;
}

// A constant product beyond 32 bits.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void folded_hash(ARGS) {
  PLACE
  SUM
  unsigned h = 2166136261u * 16777619u;
  C[row * N + col] = acc + (float)(h >> 8);
}

// The negation of an unsigned.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void negated_unsigned(ARGS, unsigned n) {
  PLACE
  SUM
  unsigned u = -n;
  C[row * N + col] = acc + (float)(u >> 8);
}

// A 64-bit parameter cut to 32 bits.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void cut_to_int(ARGS, long long n) {
  PLACE
  SUM
  C[row * N + col] = acc + (float)(int)n;
}

// Three bits of the column number.
// DECLINES: WW2|WW30[24567]|WW4
struct Bits {
  unsigned v : 3;
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void bit_field(ARGS) {
  PLACE
  SUM
  Bits b;
  b.v = col;
  C[row * N + col] = acc * b.v;
}

// Three signed bits.
// DECLINES: WW2|WW30[24567]|WW4
struct SignedBits {
  int low : 3;
  int high : 5;
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void signed_bit_field(ARGS) {
  PLACE
  SUM
  SignedBits b;
  b.low = col;
  b.high = row;
  C[row * N + col] = acc + b.low * 16 + b.high;
}

// An enumeration over unsigned char.
// DECLINES: WW2|WW30[24567]|WW4
enum class Level : unsigned char { low, high };
#pragma warpwright matmul tile(64, 64, 64)
__global__ void enum_of_char(ARGS) {
  PLACE
  SUM
  Level l = (Level)(col + 250);
  C[row * N + col] = acc + (int)l;
}

// A column number cut to signed char.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void column_in_char(ARGS) {
  PLACE
  SUM
  signed char c = (signed char)(col * 5);
  C[row * N + col] = acc + c;
}

// col < -1 in unsigned arithmetic.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void unsigned_sentinel(ARGS, int limit) {
  unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  SUM
  if (col < limit)
    acc += 1.0f;
  STORE
}

// limit - 1u < 5u with limit 0.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void unsigned_window(ARGS, unsigned limit) {
  PLACE
  if (limit - 1u < 5u) {
    SUM
    STORE
  }
}

// A pitch that is negative in 32 bits, used in 64.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void widened_after_wrap(ARGS, unsigned ld) {
  size_t row = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
  size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (size_t k = 0; k < K; ++k)
    acc += __half2float(A[(long long)(int)((unsigned)row * ld) + k]) *
           __half2float(B[k * N + col]);
  STORE
}

// L * 1024 / 1024 with L beyond 22 bits.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void bound_that_wraps(ARGS, unsigned L) {
  PLACE
  float acc = 0.0f;
  for (unsigned k = 0; k < L * 1024u / 1024u; ++k)
    acc += __half2float(A[row * 64 + k]) * __half2float(B[k * N + col]);
  STORE
}

// k counts down in unsigned and stops below zero.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void reversed_unsigned(ARGS) {
  PLACE
  float acc = 0.0f;
  for (unsigned k = K - 1; k < (unsigned)K; --k)
    acc += TERM;
  STORE
}

// (col - 3u) / 2 for columns below 3.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void difference_in_unsigned(ARGS) {
  PLACE
  SUM
  unsigned d = (col - 3u) / 2;
  C[row * N + col] = acc + (float)(d >> 20);
}

// Remainders of negative numbers.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void modulus_of_negative(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc + (col - 7) % 4 * 16 + (row - 5) / 3;
}

// The same in unsigned.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void unsigned_modulus(ARGS) {
  PLACE
  SUM
  unsigned m = (unsigned)(col - 7) % 5u;
  C[row * N + col] = acc + m;
}

// A right shift of a negative number, and a mask.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void shift_of_negative(ARGS) {
  PLACE
  SUM
  int s = (col - 20) >> 2, t = (col - 20) & 7;
  C[row * N + col] = acc + 16 * s + t;
}

// Bits that are shifted out on the left.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void shift_out(ARGS) {
  PLACE
  SUM
  unsigned s = (unsigned)(col + 1) << 28;
  C[row * N + col] = acc + (float)(s >> 28);
}

// A 64-bit product cut to 32 and widened again.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void widened_and_back(ARGS, int n) {
  PLACE
  SUM
  long long x = (long long)n * n;
  long long y = (long long)(int)x;
  C[row * N + col] = acc + (float)(y >> 16);
}

// abs of a difference, and of a negated parameter.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void abs_of_difference(ARGS, int n) {
  PLACE
  SUM
  C[row * N + col] = acc + abs(row - col) + abs(-n);
}

// bool holds one bit.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void bool_arithmetic(ARGS) {
  PLACE
  SUM
  bool b = col;
  b += 2;
  C[row * N + col] = acc * b + (bool)(row & 2);
}

// A signed comparison and an unsigned one of the same numbers.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void compare_mixed(ARGS) {
  PLACE
  SUM
  int a = col - 5;
  unsigned u = 3;
  C[row * N + col] = acc + (a < (int)u) + 2 * (a < u);
}

// A product of two shorts, stored in a short.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void short_product(ARGS, short n) {
  PLACE
  SUM
  short s = (short)(n * (row + 1));
  C[row * N + col] = acc + s;
}

// A char parameter that is negative, widened both ways.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void char_parameter(ARGS, signed char c) {
  PLACE
  SUM
  C[row * N + col] = acc + (int)c + (float)(unsigned char)c;
}

// ?: of int and unsigned is unsigned.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void ternary_promotion(ARGS, int mode) {
  PLACE
  SUM
  long long v = mode ? -1 : 0u;
  C[row * N + col] = acc + (float)(v >> 24);
}

// A short counts to an int bound.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void counter_of_short(ARGS) {
  PLACE
  float acc = 0.0f;
  for (short k = 0; k < K; ++k)
    acc += TERM;
  STORE
}

// A flat index split in unsigned arithmetic that starts below zero.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void flat_index_division(ARGS, int offset) {
  unsigned flat = blockIdx.x * blockDim.x + threadIdx.x + offset;
  if (flat >= (unsigned)(M * N))
    return;
  int row = flat / N, col = flat % N;
  SUM
  STORE
}

// x & -x, x & (x - 1), ~x.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void bit_tricks(ARGS) {
  PLACE
  SUM
  int x = col + 1;
  C[row * N + col] = acc + (x & -x) + 64 * (x & (x - 1)) + (~x);
}

// A rotation by a funnel of shifts.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void rotated(ARGS) {
  PLACE
  SUM
  unsigned x = 0x80000001u + col;
  x = (x << 3) | (x >> 29);
  C[row * N + col] = acc + (float)(x & 0xffff);
}

// An unsigned char counts the rows of B, and there are more than 256.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void char_row_index(ARGS) {
  PLACE
  float acc = 0.0f;
  unsigned char c = 0;
  for (int k = 0; k < K; ++k) {
    acc += __half2float(A[row * K + k]) * __half2float(B[c * N + col]);
    ++c;
  }
  STORE
}

int main() {
  Product p;
  char_index<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("char_index");
  char_counter_wraps<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("char_counter_wraps");
  char_constant<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("char_constant");
  short_constant<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("short_constant");
  folded_hash<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("folded_hash");
  negated_unsigned<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 3u);
  p.show("negated_unsigned");
  cut_to_int<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, (1ll << 32) +
      7);
  p.show("cut_to_int");
  bit_field<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("bit_field");
  signed_bit_field<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("signed_bit_field");
  enum_of_char<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("enum_of_char");
  column_in_char<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("column_in_char");
  unsigned_sentinel<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, -1);
  p.show("unsigned_sentinel");
  unsigned_window<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 0u);
  p.show("unsigned_window");
  widened_after_wrap<<<p.grid, p.block>>>(p.A + (p.M - 1) * p.K, p.B, p.C,
                                          p.M, p.N, p.K, (unsigned)-p.K);
  p.show("widened_after_wrap");
  bound_that_wraps<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, (1u <<
      22) + 64);
  p.show("bound_that_wraps");
  reversed_unsigned<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("reversed_unsigned");
  difference_in_unsigned<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("difference_in_unsigned");
  modulus_of_negative<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("modulus_of_negative");
  unsigned_modulus<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("unsigned_modulus");
  shift_of_negative<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("shift_of_negative");
  shift_out<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("shift_out");
  widened_and_back<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 70001);
  p.show("widened_and_back");
  abs_of_difference<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 5);
  p.show("abs_of_difference");
  bool_arithmetic<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("bool_arithmetic");
  compare_mixed<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("compare_mixed");
  short_product<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 9000);
  p.show("short_product");
  char_parameter<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, -3);
  p.show("char_parameter");
  ternary_promotion<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 1);
  p.show("ternary_promotion");
  counter_of_short<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("counter_of_short");
  flat_index_division<<<dim3(140), dim3(16)>>>(p.A, p.B, p.C, p.M, p.N, p.K,
      -16);
  p.show("flat_index_division");
  bit_tricks<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("bit_tricks");
  rotated<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("rotated");
  char_row_index<<<p.grid, p.block>>>(p.A, p.B, p.C, 8, 16, 512);
  p.show("char_row_index");
}
