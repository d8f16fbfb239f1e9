// Divisions of the index in what is stored, and functions of integers.

#include "attack.h"

// A remainder of an unsigned number that wraps below 5.
// DECLINES: a number leaves its unsigned 32 bits
#pragma warpwright matmul tile(64, 64, 64)
__global__ void wrapped_remainder(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc * ((unsigned)(col - 5) % 3);
}

// A remainder of what 16 bits cut.
// DECLINES: it computes the same
#pragma warpwright matmul tile(64, 64, 64)
__global__ void narrow_remainder(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc * ((short)(col * 1000) % 7);
}

// A quotient of a negative number, which is rounded toward zero.
// DECLINES: a division whose operands may be negative
#pragma warpwright matmul tile(64, 64, 64)
__global__ void truncating(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc * (float)((row - col) / 2);
}

// A remainder of a negative number, which is negative.
// DECLINES: a division whose operands may be negative
#pragma warpwright matmul tile(64, 64, 64)
__global__ void negative_remainder(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc * ((row - col) % 3);
}

// A shift of a negative number, which is rounded down.
// DECLINES: it computes the same
#pragma warpwright matmul tile(64, 64, 64)
__global__ void shifted(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc * ((row - col) >> 1);
}

// An element of the operand, chosen by a remainder.
// DECLINES: it computes the same
#pragma warpwright matmul tile(64, 64, 64)
__global__ void grouped_scale(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc * (float)A[(row * K) % 5];
}

// The low bits of a negative number.
// DECLINES: it computes the same
#pragma warpwright matmul tile(64, 64, 64)
__global__ void masked_difference(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc * ((row - col) & 3);
}

// The sum as an integer, clamped.
// DECLINES: it computes the same
#pragma warpwright matmul tile(64, 64, 64)
__global__ void clamped_sum(ARGS) {
  PLACE
  SUM
  C[row * N + col] = max(-3, min(3, (int)acc)) * 2;
}

// The sum as an unsigned integer: a negative one is large.
// DECLINES: it computes the same
#pragma warpwright matmul tile(64, 64, 64)
__global__ void unsigned_clamp(ARGS) {
  PLACE
  SUM
  C[row * N + col] = min(5u, (unsigned)(int)acc);
}

// A byte, and a condition on quotients.
// DECLINES: it computes the same
#pragma warpwright matmul tile(64, 64, 64)
__global__ void saturated_byte(ARGS) {
  PLACE
  SUM
  C[row * N + col] = (float)(signed char)max(-100, min(100, (int)acc)) + (col / 3 == row / 3 ? 1 : 0);
}

// Half of a sum of integers, rounded down and up.
// DECLINES: it computes the same
#pragma warpwright matmul tile(64, 64, 64)
__global__ void half_sum(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc + __hadd(row, col) + __rhadd(row, -col);
}

// A product of 24 bits with a negative number.
// DECLINES: it computes the same
#pragma warpwright matmul tile(64, 64, 64)
__global__ void mul24(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc * (float)__mul24(row - 3, col);
}

// A condition on a quotient that was multiplied again.
// DECLINES: it computes the same
#pragma warpwright matmul tile(64, 64, 64)
__global__ void quotient_guard(ARGS) {
  PLACE
  SUM
  C[row * N + col] = (col / 4) * 4 == col ? acc : acc * 2;
}
int main() {
  Product p;
  wrapped_remainder<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("wrapped_remainder");
  narrow_remainder<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("narrow_remainder");
  truncating<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("truncating");
  negative_remainder<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("negative_remainder");
  shifted<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("shifted");
  grouped_scale<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("grouped_scale");
  masked_difference<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("masked_difference");
  clamped_sum<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("clamped_sum");
  unsigned_clamp<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("unsigned_clamp");
  saturated_byte<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("saturated_byte");
  half_sum<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("half_sum");
  mul24<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("mul24");
  quotient_guard<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("quotient_guard");
}
