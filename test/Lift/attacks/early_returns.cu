// Helpers that return early, after or before they changed what they were
// given.

#include "attack.h"

// The helper leaves before it changes its argument.
// DECLINES: WW2|WW30[24567]|WW4
__device__ void keep_or_relu(float &x, int relu) {
  if (!relu)
    return;
  x = fmaxf(x, 0.0f);
}
#pragma warpwright matmul tile(64, 64, 64)
__global__ void through_reference(ARGS, int relu) {
  PLACE
  SUM
  keep_or_relu(acc, relu);
  STORE
}

// The same in a member function.
// DECLINES: WW2|WW30[24567]|WW4
struct Acc {
  float v;
  __device__ void act(int relu) {
    if (!relu)
      return;
    v = fmaxf(v, 0.0f);
  }
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void through_this(ARGS, int relu) {
  PLACE
  SUM
  Acc a{acc};
  a.act(relu);
  C[row * N + col] = a.v;
}

// Which way is taken depends on the sum.
// DECLINES: WW2|WW30[24567]|WW4
__device__ void halve_negative(float &x) {
  if (x > 0.0f)
    return;
  x = x * 0.5f;
}
#pragma warpwright matmul tile(64, 64, 64)
__global__ void on_data(ARGS) {
  PLACE
  SUM
  halve_negative(acc);
  STORE
}

// The loop itself stands behind the early return.
// DECLINES: WW2|WW30[24567]|WW4
__device__ void add_up(float &acc, const __half *a, const __half *b, int K,
                       int N, bool skip) {
  if (skip)
    return;
  for (int k = 0; k < K; ++k)
    acc += __half2float(a[k]) * __half2float(b[k * N]);
}
#pragma warpwright matmul tile(64, 64, 64)
__global__ void around_the_loop(ARGS, bool skip) {
  PLACE
  float acc = 0.0f;
  add_up(acc, A + row * K, B + col, K, N, skip);
  STORE
}

// The leading dimension is replaced only where the helper goes on.
// DECLINES: WW2|WW30[24567]|WW4
__device__ void replace(int &ld, int n) {
  if (n == 0)
    return;
  ld = n;
}
#pragma warpwright matmul tile(64, 64, 64)
__global__ void before_the_pitch(ARGS, int n) {
  PLACE
  int ld = K;
  replace(ld, n);
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * ld + k]) * __half2float(B[k * N + col]);
  STORE
}

// The reference is written first, then the helper leaves.
// DECLINES: WW2|WW30[24567]|WW4
__device__ void add_then_scale(float &x, int mode) {
  x += 3.0f;
  if (mode == 1)
    return;
  x *= 2.0f;
  if (mode == 2)
    return;
  x -= 1.0f;
}
#pragma warpwright matmul tile(64, 64, 64)
__global__ void after_the_write(ARGS, int mode) {
  PLACE
  SUM
  add_then_scale(acc, mode);
  STORE
}

// The same, leaving at the second return.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void second_of_three(ARGS, int mode) {
  PLACE
  SUM
  add_then_scale(acc, mode);
  STORE
}

// A value is returned early beside a reference that was written.
// DECLINES: WW2|WW30[24567]|WW4
__device__ float split(float x, float &rest) {
  rest = 1.0f;
  if (x < 0.0f)
    return -x;
  rest = 2.0f;
  return x;
}
#pragma warpwright matmul tile(64, 64, 64)
__global__ void value_and_reference(ARGS) {
  PLACE
  SUM
  float rest = 7.0f;
  acc = split(acc, rest);
  C[row * N + col] = acc + 16.0f * rest;
}

// The helper that adds a term leaves for odd k.
// DECLINES: WW2|WW30[24567]|WW4
__device__ void add_even(float &acc, float term, int k) {
  if (k & 1)
    return;
  acc += term;
}
#pragma warpwright matmul tile(64, 64, 64)
__global__ void inside_the_loop(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    add_even(acc, TERM, k);
  STORE
}

// A return inside two loops of a helper.
// DECLINES: WW2|WW30[24567]|WW4
__device__ int first_multiple(int x, int n, int of) {
  for (int i = 1; i < n; ++i)
    for (int j = 1; j < n; ++j)
      if ((x + i * j) % of == 0)
        return i * 8 + j;
  return 0;
}
#pragma warpwright matmul tile(64, 64, 64)
__global__ void from_a_nested_loop(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc + first_multiple(row, 5, 7);
}

// The helper that stores leaves for some columns.
// DECLINES: WW2|WW30[24567]|WW4
__device__ void store_right(float *at, int col, float x, int from) {
  if (col < from)
    return;
  at[col] = x;
}
#pragma warpwright matmul tile(64, 64, 64)
__global__ void before_the_store(ARGS, int from) {
  PLACE
  SUM
  store_right(C + row * N, col, acc, from);
}

// An early return that only the last k reaches.
// DECLINES: WW2|WW30[24567]|WW4
__device__ bool step(float &acc, float term, bool last) {
  if (last)
    return false;
  acc += term;
  return true;
}
#pragma warpwright matmul tile(64, 64, 64)
__global__ void last_iteration(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    if (!step(acc, TERM, k == K - 1))
      break;
  STORE
}

int main() {
  Product p;
  through_reference<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 0);
  p.show("through_reference");
  through_this<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 0);
  p.show("through_this");
  on_data<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("on_data");
  around_the_loop<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, true);
  p.show("around_the_loop");
  before_the_pitch<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 0);
  p.show("before_the_pitch");
  after_the_write<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 1);
  p.show("after_the_write");
  second_of_three<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 2);
  p.show("second_of_three");
  value_and_reference<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("value_and_reference");
  inside_the_loop<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("inside_the_loop");
  from_a_nested_loop<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("from_a_nested_loop");
  before_the_store<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 5);
  p.show("before_the_store");
  last_iteration<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("last_iteration");
}
