// Side effects in conditions and in operators that stop early.

#include "attack.h"

// The sum grows in the condition of the loop.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void in_a_while(ARGS) {
  PLACE
  float acc = 0.0f;
  int k = 0;
  while (acc += TERM, ++k < K)
    ;
  STORE
}

// An else-if whose second condition covers what the first excluded.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void else_if_chain(ARGS) {
  PLACE
  float a[1] = {0};
  for (int k = 0; k < K; ++k) {
    float p = TERM;
    if (k >= 32)
      a[0] += p;
    else if (k < 40)
      a[0] += p;
  }
  C[row * N + col] = a[0];
}

// The store is the last operand of &&.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void store_behind_and(ARGS) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  float acc = 0.0f;
  if (row < M && col < N)
    for (int k = 0; k < K; ++k)
      acc += TERM;
  row < M && col < N && (C[row * N + col] = acc);
}

// The store is the last operand of ||.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void store_behind_or(ARGS) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  float acc = 0.0f;
  if (row < M && col < N)
    for (int k = 0; k < K; ++k)
      acc += TERM;
  row >= M || col >= N || (C[row * N + col] = acc);
}

// A counter that is incremented in a condition that fails.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void increment_in_condition(ARGS) {
  PLACE
  SUM
  int n = 0;
  if (n++ > 0 || ++n > 5)
    acc = 0.0f;
  C[row * N + col] = acc * n;
}

// The second operand of && that is not evaluated.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void skipped_operand(ARGS, int mode) {
  PLACE
  SUM
  int n = 1;
  if (mode && ++n)
    acc += 1.0f;
  C[row * N + col] = acc * n;
}

// An assignment in one arm of ?:.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void conditional_assignment(ARGS, int mode) {
  PLACE
  SUM
  float x = 1.0f;
  float y = mode ? (x = 5.0f) : 2.0f;
  C[row * N + col] = acc * x + y;
}

// A comma operator that moves k twice.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void comma_in_index(ARGS) {
  PLACE
  float acc = 0.0f;
  int j = 0;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + (j++, k)]) * __half2float(B[j * N - N + col]);
  C[row * N + col] = acc + j;
}

// The value of an assignment is used, and the variable too.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void assignment_as_value(ARGS) {
  PLACE
  SUM
  float y;
  float z = (y = acc * 2.0f) + 1.0f;
  C[row * N + col] = y * 4.0f + z;
}

// Compound assignments nested in one another.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void compound_chain(ARGS) {
  PLACE
  SUM
  float y = 2.0f;
  acc += y *= 3.0f;
  acc -= y -= 1.0f;
  C[row * N + col] = acc * y;
}

// The bound of a loop changes in its own condition.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void loop_in_condition(ARGS) {
  PLACE
  float acc = 0.0f;
  int limit = K;
  for (int k = 0; k < limit--; ++k)
    acc += TERM;
  STORE
}

// while (n--) and n after the loop.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void decrement_while(ARGS) {
  PLACE
  SUM
  int n = 4, turns = 0;
  while (n--)
    ++turns;
  C[row * N + col] = acc * turns + n;
}

// A switch whose condition increments.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void switch_on_side_effect(ARGS, int mode) {
  PLACE
  SUM
  int n = mode;
  switch (n++) {
  case 0:
    acc += n;
    break;
  case 1:
    acc -= n;
    break;
  }
  C[row * N + col] = acc + 8 * n;
}

// A do-while whose condition adds the term.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void do_while_side(ARGS) {
  PLACE
  float acc = 0.0f;
  int k = 0;
  do {
  } while (acc += TERM, k++ < K - 1);
  STORE
}

// A helper in a condition that changes the sum.
// DECLINES: WW2|WW30[24567]|WW4
__device__ float bump(float &x) {
  x += 1.0f;
  return x - 2.0f;
}
#pragma warpwright matmul tile(64, 64, 64)
__global__ void helper_in_condition(ARGS) {
  PLACE
  SUM
  if (bump(acc) > 0.0f)
    acc *= 2.0f;
  STORE
}

// An else-if chain with a side effect in the second condition.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void two_of_three(ARGS, int mode) {
  PLACE
  SUM
  int n = 0;
  if (mode == 5)
    acc += 1.0f;
  else if ((n = mode) == 2)
    acc += 2.0f;
  else
    acc += 3.0f;
  C[row * N + col] = acc + 16 * n;
}

// A guard that is the negation of a conjunction.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void guard_by_negation(ARGS) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (!(row < M && !(col >= N)) || (row == 3 && col != 4))
    return;
  SUM
  STORE
}

// The product stands in the else of an impossible place.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void else_guard(ARGS) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M)
    ;
  else if (col >= N)
    ;
  else if (row > col) {
    SUM
    STORE
  } else {
    SUM
    acc = -acc;
    STORE
  }
}

int main() {
  Product p;
  in_a_while<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("in_a_while");
  else_if_chain<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("else_if_chain");
  store_behind_and<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("store_behind_and");
  store_behind_or<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("store_behind_or");
  increment_in_condition<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("increment_in_condition");
  skipped_operand<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 0);
  p.show("skipped_operand");
  conditional_assignment<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 0);
  p.show("conditional_assignment");
  comma_in_index<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("comma_in_index");
  assignment_as_value<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("assignment_as_value");
  compound_chain<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("compound_chain");
  loop_in_condition<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("loop_in_condition");
  decrement_while<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("decrement_while");
  switch_on_side_effect<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 1);
  p.show("switch_on_side_effect");
  do_while_side<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("do_while_side");
  helper_in_condition<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("helper_in_condition");
  two_of_three<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 3);
  p.show("two_of_three");
  guard_by_negation<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("guard_by_negation");
  else_guard<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("else_guard");
}
