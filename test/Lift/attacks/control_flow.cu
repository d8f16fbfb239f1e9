// goto, switch with ranges and fall through, break, continue, recursion.

#include "attack.h"

// A loop made of goto.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void goto_loop(ARGS) {
  PLACE
  float acc = 0.0f;
  int k = 0;
  again:
  if (k < K) {
    acc += TERM;
    ++k;
    goto again;
  }
  STORE
}

// goto out of a nest of loops.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void goto_out_of_two(ARGS, int P) {
  PLACE
  SUM
  int n = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      if (i + j == P)
        goto out;
      n += j;
    }
  out:
  C[row * N + col] = acc + n;
}

// A jump over an assignment.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void goto_over_initialiser(ARGS, int mode) {
  PLACE
  SUM
  float y;
  y = 1.0f;
  if (mode)
    goto end;
  y = 2.0f;
  end:
  C[row * N + col] = acc * y;
}

// A switch that falls through, default in the middle.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void switch_falls_through(ARGS, int mode) {
  PLACE
  SUM
  switch (mode) {
  case 1:
    acc += 1.0f;
  default:
    acc *= 2.0f;
  case 3:
    acc -= 3.0f;
    break;
  case 4:
    acc = 0.0f;
  }
  STORE
}

// A switch on the column number with shared cases.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void switch_on_column(ARGS) {
  PLACE
  SUM
  switch (col % 5) {
  case 0:
  case 3:
    acc = -acc;
    break;
  case 4:
    return;
  default:
    acc += 0.5f;
  }
  STORE
}

// continue inside a switch inside the loop.
// DECLINES: WW2
#pragma warpwright matmul tile(64, 64, 64)
__global__ void switch_in_loop(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) {
    switch (k & 3) {
    case 0:
      continue;
    case 1:
      break;
    }
    acc += TERM;
  }
  STORE
}

// A switch that jumps into a loop.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void switch_into_loop(ARGS) {
  PLACE
  float acc = 0.0f;
  int k = 0;
  switch (K % 4) {
    do {
    case 0:
      acc += TERM;
      ++k;
    case 3:
      acc += TERM;
      ++k;
    case 2:
      acc += TERM;
      ++k;
    case 1:
      acc += TERM;
      ++k;
    } while (k < K);
  }
  STORE
}

// A break when the sum is large.
// DECLINES: WW2
#pragma warpwright matmul tile(64, 64, 64)
__global__ void break_on_sum(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) {
    acc += TERM;
    if (acc > 25.0f)
      break;
  }
  STORE
}

// A return in the loop, so that nothing is stored.
// DECLINES: WW2
#pragma warpwright matmul tile(64, 64, 64)
__global__ void return_in_the_loop(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) {
    if (k > row + 30)
      return;
    acc += TERM;
  }
  STORE
}

// for (;;) with a break in the middle of the body.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void infinite_with_break(ARGS) {
  PLACE
  float acc = 0.0f;
  int k = 0;
  for (;;) {
    acc += TERM;
    if (++k == K)
      break;
    acc += 1.0f;
  }
  STORE
}

// A function that calls itself.
// DECLINES: WW2|WW30[24567]|WW4
__device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
#pragma warpwright matmul tile(64, 64, 64)
__global__ void recursion(ARGS, int P) {
  PLACE
  SUM
  C[row * N + col] = acc * factorial(P);
}

// Two functions that call each other over the row.
// DECLINES: WW2|WW30[24567]|WW4
__device__ int is_odd(int n);
__device__ int is_even(int n) { return n == 0 ? 1 : is_odd(n - 1); }
__device__ int is_odd(int n) { return n == 0 ? 0 : is_even(n - 1); }
#pragma warpwright matmul tile(64, 64, 64)
__global__ void mutual_recursion(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc + is_even(row);
}

// The sum itself is recursive.
// DECLINES: WW2
__device__ float dot(const __half *a, const __half *b, int N, int n) {
  return n == 0 ? 0.0f
                : __half2float(*a) * __half2float(*b) + dot(a + 1, b + N, N, n - 1);
}
#pragma warpwright matmul tile(64, 64, 64)
__global__ void recursive_sum(ARGS) {
  PLACE
  C[row * N + col] = dot(A + row * K, B + col, N, K);
}

// A recursion over a template argument.
// DECLINES: WW2|WW30[24567]|WW4
template <int B, int E> struct Power {
  static constexpr int value = B * Power<B, E - 1>::value;
};
template <int B> struct Power<B, 0> {
  static constexpr int value = 1;
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void template_recursion(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc + Power<3, 4>::value;
}

// if constexpr on the type of the output.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void constexpr_if(ARGS) {
  PLACE
  SUM
  if constexpr (sizeof(*C) == 2)
    acc *= 7.0f;
  else
    acc *= 0.5f;
  STORE
}

// A branch that both sides leave with other values of two variables.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void statement_expression(ARGS) {
  PLACE
  SUM
  int p = 1, q = 2;
  if (row % 2) {
    int t = p;
    p = q;
    q = t;
  } else {
    p = q;
  }
  C[row * N + col] = acc + p * 16 + q;
}

// Unrolled by four with a tail for the rest.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void unrolled_by_four(ARGS) {
  PLACE
  float acc = 0.0f;
  int k = 0;
  for (; k + 3 < K - 2; k += 4)
    for (int j = 0; j < 4; ++j)
      acc += __half2float(A[row * K + k + j]) * __half2float(B[(k + j) * N + col]);
  for (; k < K - 2; ++k)
    acc += TERM;
  STORE
}

// Each thread computes several rows.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void grid_stride_rows(ARGS) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= N)
    return;
  for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < M;
       row += blockDim.y * gridDim.y) {
    SUM
    STORE
  }
}

// A grid-stride loop that a return leaves too early.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void grid_stride_returns(ARGS) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= N)
    return;
  for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < M;
       row += blockDim.y * gridDim.y) {
    if (row == 20)
      return;
    SUM
    STORE
  }
}

int main() {
  Product p;
  goto_loop<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("goto_loop");
  goto_out_of_two<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 4);
  p.show("goto_out_of_two");
  goto_over_initialiser<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 1);
  p.show("goto_over_initialiser");
  switch_falls_through<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 7);
  p.show("switch_falls_through");
  switch_on_column<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("switch_on_column");
  switch_in_loop<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("switch_in_loop");
  switch_into_loop<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("switch_into_loop");
  break_on_sum<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("break_on_sum");
  return_in_the_loop<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("return_in_the_loop");
  infinite_with_break<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("infinite_with_break");
  recursion<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 5);
  p.show("recursion");
  mutual_recursion<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("mutual_recursion");
  recursive_sum<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("recursive_sum");
  template_recursion<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("template_recursion");
  constexpr_if<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("constexpr_if");
  statement_expression<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("statement_expression");
  unrolled_by_four<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("unrolled_by_four");
  grid_stride_rows<<<dim3(3, 1), p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("grid_stride_rows");
  grid_stride_returns<<<dim3(3, 1), p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("grid_stride_returns");
}
