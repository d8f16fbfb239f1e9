// Signs, and the order of subtraction.

#include "attack.h"

// A loop nest of two negative trip counts.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void product_of_negative_bounds(ARGS, int K1, int K2) {
  PLACE
  float acc = 0.0f;
  for (int i = 0; i < K1; ++i)
    for (int j = 0; j < K2; ++j)
      acc += __half2float(A[row * K1 * K2 + i * K2 + j]) *
             __half2float(B[(i * K2 + j) * N + col]);
  STORE
}

// - -x.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void minus_minus(ARGS) {
  PLACE
  SUM
  C[row * N + col] = - -acc;
}

// acc -= -a * b.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void difference_of_negated(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc -= -__half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  STORE
}

// acc += -a * -b.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void both_negated(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += -__half2float(A[row * K + k]) * -__half2float(B[k * N + col]);
  STORE
}

// acc = term - acc turns the sign every step.
// DECLINES: WW2
#pragma warpwright matmul tile(64, 64, 64)
__global__ void from_the_left(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc = TERM - acc;
  STORE
}

// 1 - acc, and acc - 1.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void one_minus_sum(ARGS) {
  PLACE
  SUM
  C[row * N + col] = (1.0f - acc) * 3.0f - (acc - 1.0f);
}

// A sum that is subtracted term by term from a bias.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void subtracted_sum(ARGS) {
  PLACE
  float acc = 100.0f;
  for (int k = 0; k < K; ++k)
    acc -= TERM;
  STORE
}

// Every second term is subtracted.
// DECLINES: WW2
#pragma warpwright matmul tile(64, 64, 64)
__global__ void alternating(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += k % 2 ? -TERM : TERM;
  STORE
}

// A sign that is negated in every iteration.
// DECLINES: WW2
#pragma warpwright matmul tile(64, 64, 64)
__global__ void sign_that_flips(ARGS) {
  PLACE
  float acc = 0.0f, sign = 1.0f;
  for (int k = 0; k < K; ++k, sign = -sign)
    acc += sign * TERM;
  STORE
}

// fmaf(-a, b, -c).
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void fma_of_negatives(ARGS) {
  PLACE
  SUM
  C[row * N + col] = fmaf(-acc, 2.0f, -(float)col);
}

// The accumulator is negated in the last iteration only.
// DECLINES: WW2
#pragma warpwright matmul tile(64, 64, 64)
__global__ void negated_at_the_end(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) {
    acc += TERM;
    if (k == K - 1)
      acc = -acc;
  }
  STORE
}

// copysignf with the sum as either operand.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void copysign_of_sum(ARGS) {
  PLACE
  SUM
  C[row * N + col] = copysignf(3.0f, acc) + copysignf(acc, -1.0f);
}

int main() {
  Product p;
  product_of_negative_bounds<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K,
      -8, -8);
  p.show("product_of_negative_bounds");
  minus_minus<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("minus_minus");
  difference_of_negated<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("difference_of_negated");
  both_negated<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("both_negated");
  from_the_left<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("from_the_left");
  one_minus_sum<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("one_minus_sum");
  subtracted_sum<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("subtracted_sum");
  alternating<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("alternating");
  sign_that_flips<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("sign_that_flips");
  fma_of_negatives<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("fma_of_negatives");
  negated_at_the_end<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("negated_at_the_end");
  copysign_of_sum<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("copysign_of_sum");
}
