// Values and array elements handed from one iteration to the next that are not
// sums.

#include "attack.h"

// Each element is copied from the one before it.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void array_shifted(ARGS) {
  PLACE
  float t[9];
  for (int i = 0; i < 8; ++i)
    t[i] = __half2float(A[row * 8 + i]);
  for (int c = 0; c < 8; ++c)
    t[c + 1] = t[c];
  float acc = 0.0f;
  for (int c = 0; c < 8; ++c)
    acc += t[c + 1] * __half2float(B[c * N + col]);
  STORE
}

// An unsigned hash that wraps, compared.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void random_threshold(ARGS) {
  PLACE
  SUM
  unsigned h = row * 1664525u + col * 1013904223u;
  C[row * N + col] = (h < 0x80000000u) ? acc : 0.0f;
}

// A linear congruential generator in the loop.
// DECLINES: WW2
#pragma warpwright matmul tile(64, 64, 64)
__global__ void random_generator(ARGS) {
  PLACE
  float acc = 0.0f;
  unsigned s = 1;
  for (int k = 0; k < K; ++k) {
    s = s * 1664525u + 1013904223u;
    acc += (s >> 31) ? TERM : 0.0f;
  }
  STORE
}

// Two integers that feed each other.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void fibonacci(ARGS, int n) {
  PLACE
  SUM
  int a = 0, b = 1;
  for (int i = 0; i < n; ++i) {
    int c = a + b;
    a = b;
    b = c;
  }
  C[row * N + col] = acc + a;
}

// The term of the iteration before is added.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void previous_term(ARGS) {
  PLACE
  float acc = 0.0f, last = 0.0f;
  for (int k = 0; k < K; ++k) {
    acc += last;
    last = TERM;
  }
  STORE
}

// Only the last term survives.
// DECLINES: WW2
#pragma warpwright matmul tile(64, 64, 64)
__global__ void last_term(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc = TERM;
  STORE
}

// A maximum in place of a sum.
// DECLINES: WW2
#pragma warpwright matmul tile(64, 64, 64)
__global__ void running_maximum(ARGS) {
  PLACE
  float acc = -1000.0f;
  for (int k = 0; k < K; ++k)
    acc = TERM > acc ? TERM : acc;
  STORE
}

// The sum is clamped in every step.
// DECLINES: WW2
#pragma warpwright matmul tile(64, 64, 64)
__global__ void saturated(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc = fminf(acc + TERM, 20.0f);
  STORE
}

// Two accumulators change places in every iteration.
// DECLINES: WW2
#pragma warpwright matmul tile(64, 64, 64)
__global__ void alternating_sums(ARGS) {
  PLACE
  float even = 0.0f, odd = 0.0f;
  for (int k = 0; k < K; ++k) {
    odd += TERM;
    float t = even;
    even = odd;
    odd = t;
  }
  C[row * N + col] = even + 3.0f * odd;
}

// The sum is doubled before each addition of zero.
// DECLINES: WW2
#pragma warpwright matmul tile(64, 64, 64)
__global__ void doubling(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += k < 3 ? acc + TERM : TERM;
  STORE
}

// A pointer that moves one element more in every iteration.
// DECLINES: WW2
#pragma warpwright matmul tile(64, 64, 64)
__global__ void moving_pitch(ARGS) {
  PLACE
  float acc = 0.0f;
  const __half *b = B + col;
  for (int k = 0; k < 8; ++k) {
    acc += __half2float(A[row * K + k]) * __half2float(*b);
    b += k;
  }
  STORE
}

// A flag that turns on at a k and stays.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void toggled_flag(ARGS, int from) {
  PLACE
  float acc = 0.0f;
  bool on = false;
  for (int k = 0; k < K; ++k) {
    if (k == from)
      on = true;
    if (on)
      acc += TERM;
  }
  STORE
}

// How many terms were positive.
// DECLINES: WW2
#pragma warpwright matmul tile(64, 64, 64)
__global__ void counted_terms(ARGS) {
  PLACE
  float acc = 0.0f;
  int n = 0;
  for (int k = 0; k < K; ++k) {
    acc += TERM;
    n += TERM > 0.0f;
  }
  C[row * N + col] = acc + n;
}

// The sum starts again at a k.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void reset_in_the_middle(ARGS, int from) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) {
    if (k == from)
      acc = 0.0f;
    acc += TERM;
  }
  STORE
}

// Every prefix of the sum is stored over the last.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void prefix_in_memory(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) {
    acc += TERM;
    C[row * N + col] = acc + k;
  }
}

// The element of C is read in the loop as a factor.
// DECLINES: WW2
#pragma warpwright matmul tile(64, 64, 64)
__global__ void sum_in_memory_read(ARGS) {
  PLACE
  C[row * N + col] = 1.0f;
  for (int k = 0; k < 4; ++k)
    C[row * N + col] += C[row * N + col] * TERM;
}

int main() {
  Product p;
  array_shifted<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("array_shifted");
  random_threshold<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("random_threshold");
  random_generator<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("random_generator");
  fibonacci<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 9);
  p.show("fibonacci");
  previous_term<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("previous_term");
  last_term<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("last_term");
  running_maximum<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("running_maximum");
  saturated<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("saturated");
  alternating_sums<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("alternating_sums");
  doubling<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("doubling");
  moving_pitch<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("moving_pitch");
  toggled_flag<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 11);
  p.show("toggled_flag");
  counted_terms<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("counted_terms");
  reset_in_the_middle<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 20);
  p.show("reset_in_the_middle");
  prefix_in_memory<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("prefix_in_memory");
  sum_in_memory_read<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("sum_in_memory_read");
}
