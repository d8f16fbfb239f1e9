// Loops that run zero or a negative number of times, and their counters
// afterwards.

#include "attack.h"

// A closed form that must not go below zero.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void negative_count(ARGS, int P) {
  PLACE
  SUM
  int n = 0;
  for (int i = 0; i < P; ++i)
    n += 1;
  C[row * N + col] = acc * n;
}

// The counter after a loop with a negative bound is its start.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void counter_after_loop(ARGS, int P) {
  PLACE
  SUM
  int i;
  for (i = 2; i < P; ++i)
    ;
  C[row * N + col] = acc * i;
}

// A step of 3 that overshoots the bound.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void counter_past_the_end(ARGS, int P) {
  PLACE
  SUM
  int i;
  for (i = 0; i < P; i += 3)
    ;
  C[row * N + col] = acc + i;
}

// A counter that runs down to -1.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void downwards(ARGS) {
  PLACE
  float acc = 0.0f;
  int k;
  for (k = K - 1; k >= 0; --k)
    acc += TERM;
  C[row * N + col] = acc + k;
}

// A do-while whose bound is negative runs once.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void do_while_once(ARGS, int P) {
  PLACE
  SUM
  int n = 0;
  do
    ++n;
  while (n < P);
  C[row * N + col] = acc * n;
}

// A loop with != that stops exactly.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void unequal_condition(ARGS) {
  PLACE
  float acc = 0.0f;
  int k = 0;
  for (; k != K; k += 2)
    acc += TERM;
  C[row * N + col] = acc + k;
}

// A loop with <=, one more.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void inclusive_bound(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k <= K - 2; ++k)
    acc += TERM;
  STORE
}

// A loop that starts behind its end.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void start_past_end(ARGS, int from) {
  PLACE
  float acc = 1.0f;
  for (int k = from; k < K; ++k)
    acc += TERM;
  STORE
}

// The inner loop is empty for most outer iterations.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void nested_empty(ARGS, int P) {
  PLACE
  SUM
  int n = 0;
  for (int i = 0; i < 6; ++i)
    for (int j = P; j < i; ++j)
      n += j;
  C[row * N + col] = acc + n;
}

// The inner bound is the outer counter.
// DECLINES: WW2
#pragma warpwright matmul tile(64, 64, 64)
__global__ void triangular(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    for (int j = 0; j < k % 2; ++j)
      acc += TERM;
  STORE
}

// As many terms as the row number.
// DECLINES: WW2
#pragma warpwright matmul tile(64, 64, 64)
__global__ void bound_is_row(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < row; ++k)
    acc += TERM;
  STORE
}

// A counter that is halved.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void while_halving(ARGS, int P) {
  PLACE
  SUM
  int n = 0;
  for (int i = P; i > 0; i /= 2)
    ++n;
  C[row * N + col] = acc * n;
}

// The step is a parameter that is negative.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void negative_step_parameter(ARGS, int step) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K && k >= 0; k += step)
    acc += TERM;
  STORE
}

// A break at a k that is a parameter.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void break_in_the_middle(ARGS, int stop) {
  PLACE
  float acc = 0.0f;
  int k = 0;
  for (; k < K; ++k) {
    if (k == stop)
      break;
    acc += TERM;
  }
  C[row * N + col] = acc + k;
}

// A continue that skips the increment of a second counter.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void continue_skips(ARGS, int skip) {
  PLACE
  float acc = 0.0f;
  int n = 0;
  for (int k = 0; k < K; ++k) {
    if (k < skip)
      continue;
    acc += TERM;
    ++n;
  }
  C[row * N + col] = acc + n;
}

// i += i until it is beyond P.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void step_beyond_int(ARGS, int P) {
  PLACE
  SUM
  int i = 1;
  while (i < P)
    i += i;
  C[row * N + col] = acc + i;
}

// A signed char counts to a bound that it can hold.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void char_counter(ARGS) {
  PLACE
  float acc = 0.0f;
  for (signed char k = 0; k < 64; ++k)
    acc += TERM;
  STORE
}

int main() {
  Product p;
  negative_count<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, -5);
  p.show("negative_count");
  counter_after_loop<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, -5);
  p.show("counter_after_loop");
  counter_past_the_end<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 10);
  p.show("counter_past_the_end");
  downwards<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("downwards");
  do_while_once<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, -3);
  p.show("do_while_once");
  unequal_condition<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("unequal_condition");
  inclusive_bound<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("inclusive_bound");
  start_past_end<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 70);
  p.show("start_past_end");
  nested_empty<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 3);
  p.show("nested_empty");
  triangular<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("triangular");
  bound_is_row<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("bound_is_row");
  while_halving<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 37);
  p.show("while_halving");
  negative_step_parameter<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K,
      -1);
  p.show("negative_step_parameter");
  break_in_the_middle<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 9);
  p.show("break_in_the_middle");
  continue_skips<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 7);
  p.show("continue_skips");
  step_beyond_int<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 33);
  p.show("step_beyond_int");
  char_counter<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("char_counter");
}
