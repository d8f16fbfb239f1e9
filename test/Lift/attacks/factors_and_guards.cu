// Factors and guards that depend on k or on data.

#include "attack.h"

// A factor 1 - (k > row).
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void causal_coefficient(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += TERM * (1.0f - (k > row ? 1.0f : 0.0f));
  STORE
}

// fabsf of a choice by k.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void abs_of_choice(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += TERM * fabsf(k < 4 ? -2.0f : 1.0f);
  STORE
}

// Elements of a local array that are set only below n.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void guarded_elements(ARGS, int n) {
  PLACE
  SUM
  float t[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  for (int i = 0; i < 8; ++i)
    if (i < n)
      t[i] = 1.0f;
  C[row * N + col] = acc + t[3];
}

// A weight loaded for each k.
// DECLINES: WW310
#pragma warpwright matmul tile(64, 64, 32)
__global__ void weights_along_k(ARGS, const float *w) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += TERM * w[k];
  STORE
}

// A weight loaded for each row, in the loop.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void weight_of_row(ARGS, const float *w) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += w[row] * TERM;
  STORE
}

// k itself as a factor.
// DECLINES: WW310
#pragma warpwright matmul tile(64, 64, 32)
__global__ void k_as_factor(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += TERM * k;
  STORE
}

// Terms whose A element is positive.
// DECLINES: WW2
#pragma warpwright matmul tile(64, 64, 64)
__global__ void masked_by_data(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    if (__half2float(A[row * K + k]) > 0.0f)
      acc += TERM;
  STORE
}

// A band of k around the row.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void guard_on_both(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    if (k >= row && k < row + 8)
      acc += TERM;
  STORE
}

// All terms or none.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void guard_on_parameter(ARGS, int mode) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    if (mode > 3)
      acc += TERM;
  STORE
}

// Every third k.
// DECLINES: WW2
#pragma warpwright matmul tile(64, 64, 64)
__global__ void guard_on_modulus(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    if (k % 3 == 0)
      acc += TERM;
  STORE
}

// A factor that depends on the column's parity.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void factor_by_column(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += TERM * (col % 2 ? 2.0f : -1.0f);
  STORE
}

// The first term counts twice.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void different_for_first(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += (k == 0 ? 2.0f : 1.0f) * TERM;
  STORE
}

// The operand changes in the middle.
// DECLINES: WW2
#pragma warpwright matmul tile(64, 64, 64)
__global__ void operand_by_k(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(k < 32 ? B[k * N + col] : A[k]);
  STORE
}

// An index that is clamped to the last k but one.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void clamped_index(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + min(k, K - 2)]) * __half2float(B[k * N + col]);
  STORE
}

// Rows beyond the middle take the mirrored k.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void mirrored(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + (row < 20 ? k : K - 1 - k)]) *
           __half2float(B[k * N + col]);
  STORE
}

// The square of each product.
// DECLINES: WW310
#pragma warpwright matmul tile(64, 64, 32)
__global__ void squared_term(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) {
    float t = TERM;
    acc += t * t;
  }
  STORE
}

// (a + 1) * b.
// DECLINES: WW310
#pragma warpwright matmul tile(64, 64, 32)
__global__ void shifted_operand(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += (__half2float(A[row * K + k]) + 1.0f) * __half2float(B[k * N + col]);
  STORE
}

// relu(a) * b.
// DECLINES: WW310
#pragma warpwright matmul tile(64, 64, 32)
__global__ void clamped_operand(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += fmaxf(__half2float(A[row * K + k]), 0.0f) * __half2float(B[k * N + col]);
  STORE
}

// The lowest bit of an operand that was cut to an integer.
// DECLINES: WW310
#pragma warpwright matmul tile(64, 64, 32)
__global__ void cut_operand(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += (float)((int)__half2float(A[row * K + k]) & 1) * __half2float(B[k * N + col]);
  STORE
}

int main() {
  Product p;
  causal_coefficient<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("causal_coefficient");
  abs_of_choice<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("abs_of_choice");
  guarded_elements<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 2);
  p.show("guarded_elements");
  weights_along_k<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K,
      p.floats(p.K, 0, 3));
  p.show("weights_along_k");
  weight_of_row<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K,
      p.floats(p.M, 0, 3));
  p.show("weight_of_row");
  k_as_factor<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("k_as_factor");
  masked_by_data<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("masked_by_data");
  guard_on_both<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("guard_on_both");
  guard_on_parameter<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 2);
  p.show("guard_on_parameter");
  guard_on_modulus<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("guard_on_modulus");
  factor_by_column<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("factor_by_column");
  different_for_first<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("different_for_first");
  operand_by_k<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("operand_by_k");
  clamped_index<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("clamped_index");
  mirrored<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("mirrored");
  squared_term<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("squared_term");
  shifted_operand<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("shifted_operand");
  clamped_operand<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("clamped_operand");
  cut_operand<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("cut_operand");
}
