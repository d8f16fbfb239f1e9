// Casts through floating point, NaN, minimum and maximum.

#include "attack.h"

// A large integer through float and back.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void int_through_float(ARGS) {
  PLACE
  SUM
  int x = 16777217 + col;
  C[row * N + col] = acc + (float)((int)(float)x - x);
}

// A value through double and half.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void double_rounding(ARGS) {
  PLACE
  SUM
  double d = (double)acc + 1e-5;
  C[row * N + col] = __half2float(__double2half(d)) - acc;
}

// Negative sums cut to int, floored and rounded.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void cut_towards_zero(ARGS) {
  PLACE
  SUM
  float h = acc * 0.25f;
  C[row * N + col] = (int)h + 16.0f * floorf(h) + 256.0f * rintf(h);
}

// A sum cut to unsigned char by way of int.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void cut_to_unsigned_char(ARGS) {
  PLACE
  SUM
  C[row * N + col] = (unsigned char)(int)acc;
}

// !(x < y) is not x >= y for a NaN.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void nan_compare(ARGS, const float *nan) {
  PLACE
  SUM
  float x = nan[col % 4];
  C[row * N + col] = !(acc < x) ? acc : -1000.0f;
}

// if (x < y) else if (x >= y) else.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void nan_else(ARGS, const float *nan) {
  PLACE
  SUM
  float x = nan[col % 4];
  if (acc < x)
    acc = 1.0f;
  else if (acc >= x)
    acc = 2.0f;
  else
    acc = 3.0f;
  STORE
}

// fminf and fmaxf drop a NaN, ?: does not.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void nan_min_max(ARGS, const float *nan) {
  PLACE
  SUM
  float x = nan[col % 4];
  C[row * N + col] = fminf(x, acc) + fmaxf(acc, x) + (x < acc ? x : acc);
}

// x == x is false for a NaN.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void nan_self_compare(ARGS, const float *nan) {
  PLACE
  SUM
  float x = nan[col % 4];
  if (x == x)
    acc += 1.0f;
  if (x != x)
    acc += 2.0f;
  STORE
}

// A NaN is true.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void nan_as_bool(ARGS, const float *nan) {
  PLACE
  SUM
  float x = nan[col % 4];
  C[row * N + col] = acc + (x ? 1.0f : 2.0f) + (!x ? 4.0f : 8.0f);
}

// Infinity times a flag that is 0.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void infinity_times_zero(ARGS) {
  PLACE
  SUM
  float x = col == 3 ? INFINITY : 1.0f;
  C[row * N + col] = acc + x * (row % 2);
}

// The sum is rounded to half in every step.
// DECLINES: WW2
#pragma warpwright matmul tile(64, 64, 64)
__global__ void rounded_in_the_loop(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc = __half2float(__float2half(acc + 40.3f * TERM));
  STORE
}

// The sum is an int.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void integer_sum(ARGS) {
  PLACE
  int acc = 0;
  for (int k = 0; k < K; ++k)
    acc += (int)TERM;
  C[row * N + col] = acc;
}

// The sum is a signed char that wraps.
// DECLINES: WW2
#pragma warpwright matmul tile(64, 64, 64)
__global__ void narrow_sum(ARGS) {
  PLACE
  signed char acc = 0;
  for (int k = 0; k < K; ++k)
    acc += (int)(TERM * 9.0f);
  C[row * N + col] = acc;
}

// The product is rounded to half.
// DECLINES: WW
#pragma warpwright matmul tile(64, 64, 64)
__global__ void half_product(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(__hmul(__hmul(A[row * K + k], __float2half(40.3f)), B[k * N + col]));
  STORE
}

// Integer division before the conversion, and after.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void int_division(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc + col / 4 + (float)row / 4;
}

// A float counts to K.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void float_counter(ARGS) {
  PLACE
  float acc = 0.0f;
  for (float f = 0.0f; f < K; f += 1.0f) {
    int k = (int)f;
    acc += TERM;
  }
  STORE
}

// The sign bit by __float_as_int.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void reinterpreted_bits(ARGS) {
  PLACE
  SUM
  C[row * N + col] = __float_as_int(acc) < 0 ? -acc : acc + 1.0f;
}

// A scale of 1e-30 in the loop over operands of 1e30.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void alpha_inside(ARGS, float alpha) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += alpha * __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  STORE
}

// Products that may not become one operation with the addition behind them.
// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void rounded_by_itself(ARGS) {
  PLACE
  SUM
  float high = __fmul_rn(acc, 0.1f);
  C[row * N + col] = fmaf(acc, 0.1f, -high) + __fadd_rn(high, 1.0f) - 1.0f;
}

// The same in half and in double, and a quotient.
// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void rounded_in_other_types(ARGS) {
  PLACE
  SUM
  __half2 both = __hmul2_rn(__floats2half2_rn(acc, acc - 1.0f),
                            __float2half2_rn(0.1f));
  __half one = __hadd_rn(__low2half(both), __high2half(both));
  double two = __dsub_rn(__dmul_rn(acc, 0.1), 1.0) + 1.0 - acc * 0.1;
  C[row * N + col] = __half2float(one) + float(two) + __fdiv_rn(acc, 3.0f);
}

int main() {
  Product p;
  int_through_float<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("int_through_float");
  double_rounding<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("double_rounding");
  cut_towards_zero<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("cut_towards_zero");
  cut_to_unsigned_char<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("cut_to_unsigned_char");
  nan_compare<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K,
      p.upload(std::vector<float>{0.0f, NAN, 5.0f, -NAN}));
  p.show("nan_compare");
  nan_else<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K,
      p.upload(std::vector<float>{0.0f, NAN, 5.0f, -NAN}));
  p.show("nan_else");
  nan_min_max<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K,
      p.upload(std::vector<float>{0.0f, NAN, 5.0f, -NAN}));
  p.show("nan_min_max");
  nan_self_compare<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K,
      p.upload(std::vector<float>{0.0f, NAN, 5.0f, -NAN}));
  p.show("nan_self_compare");
  nan_as_bool<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K,
      p.upload(std::vector<float>{0.0f, NAN, 5.0f, -NAN}));
  p.show("nan_as_bool");
  infinity_times_zero<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("infinity_times_zero");
  rounded_in_the_loop<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("rounded_in_the_loop");
  integer_sum<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("integer_sum");
  narrow_sum<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("narrow_sum");
  half_product<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("half_product");
  int_division<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("int_division");
  float_counter<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("float_counter");
  reinterpreted_bits<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("reinterpreted_bits");
  alpha_inside<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 0.25f);
  p.show("alpha_inside");
  rounded_by_itself<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("rounded_by_itself");
  rounded_in_other_types<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("rounded_in_other_types");
}
