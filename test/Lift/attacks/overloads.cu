// Overloads, functions of references, and numbers of several types.

#include "attack.h"

__device__ float doubled(const float &x) { return x * 2; }
__device__ float scaled(const float &x, int r) { return x * 2 + r; }
template <class T> __device__ T larger(const T &a, const T &b) {
  return a < b ? b : a;
}
__device__ float kind(int x) { return x * 2 + 0.25f; }
__device__ float kind(long x) { return x * 5; }
__device__ float kind(long long x) { return x * 7; }
__device__ float kind(float x) { return x + 9; }

// A number by reference to const.
// DECLINES: it computes the same
#pragma warpwright matmul tile(64, 64, 64)
__global__ void const_reference(ARGS) {
  PLACE
  SUM
  C[row * N + col] = doubled(acc);
}

// The same beside a number.
// DECLINES: it computes the same
#pragma warpwright matmul tile(64, 64, 64)
__global__ void reference_beside(ARGS) {
  PLACE
  SUM
  C[row * N + col] = scaled(acc, row);
}

// A template of references.
// DECLINES: it computes the same
#pragma warpwright matmul tile(64, 64, 64)
__global__ void own_template(ARGS) {
  PLACE
  SUM
  C[row * N + col] = larger(acc, 0.0f);
}

// float and double: the larger one as a double.
// DECLINES: it computes the same
#pragma warpwright matmul tile(64, 64, 64)
__global__ void mixed_max(ARGS) {
  PLACE
  SUM
  C[row * N + col] = max(acc, 0.0);
}

// The same.
// DECLINES: it computes the same
#pragma warpwright matmul tile(64, 64, 64)
__global__ void mixed_min(ARGS) {
  PLACE
  SUM
  C[row * N + col] = min(acc, 1.0);
}

// The same.
// DECLINES: it computes the same
#pragma warpwright matmul tile(64, 64, 64)
__global__ void mixed_fmax(ARGS) {
  PLACE
  SUM
  C[row * N + col] = fmax(acc, 0.0);
}

// The same.
// DECLINES: it computes the same
#pragma warpwright matmul tile(64, 64, 64)
__global__ void mixed_pow(ARGS) {
  PLACE
  SUM
  C[row * N + col] = pow(acc, 2.0);
}

// float and int: CUDA has a float, <cmath> a double.
// DECLINES: it computes the same
#pragma warpwright matmul tile(64, 64, 64)
__global__ void int_pow(ARGS) {
  PLACE
  SUM
  C[row * N + col] = pow(acc, 2);
}

// float and int, in double.
// DECLINES: it computes the same
#pragma warpwright matmul tile(64, 64, 64)
__global__ void mixed_fma(ARGS) {
  PLACE
  SUM
  C[row * N + col] = fma(acc, 2.0f, 1);
}

// long is neither int nor long long.
// DECLINES: it computes the same
#pragma warpwright matmul tile(64, 64, 64)
__global__ void of_long(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc + kind(1L);
}

// long long is not long.
// DECLINES: it computes the same
#pragma warpwright matmul tile(64, 64, 64)
__global__ void of_long_long(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc + kind(1LL);
}

// Among overloads, the one of int.
// DECLINES: it computes the same
#pragma warpwright matmul tile(64, 64, 64)
__global__ void of_int(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc + kind(row);
}

// And that of float.
// DECLINES: it computes the same
#pragma warpwright matmul tile(64, 64, 64)
__global__ void of_float(ARGS) {
  PLACE
  SUM
  C[row * N + col] = kind(acc);
}

int main() {
  Product p;
  const_reference<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("const_reference");
  reference_beside<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("reference_beside");
  own_template<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("own_template");
  mixed_max<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("mixed_max");
  mixed_min<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("mixed_min");
  mixed_fmax<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("mixed_fmax");
  mixed_pow<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("mixed_pow");
  int_pow<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("int_pow");
  mixed_fma<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("mixed_fma");
  of_long<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("of_long");
  of_long_long<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("of_long_long");
  of_int<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("of_int");
  of_float<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("of_float");
}
