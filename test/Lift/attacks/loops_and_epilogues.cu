// Loops that repeat, reset or overlap, classes and lambdas, and epilogues of indices.
#include "attack.h"
#include <cmath>
// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void lambda_in_device(ARGS) {
  PLACE
  auto f = [=](int k) { return TERM; };
  float acc = 0; for (int k = 0; k < K; ++k) acc += f(k); STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void lambda_captures_row(ARGS) {
  PLACE
  auto f = [row, A, K](int k) mutable { row += 0; return __half2float(A[row++ * K + k]); };
  float acc = 0; for (int k = 0; k < K; ++k) { auto g = f; acc += g(k) * __half2float(B[k * N + col]); } STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void lambda_state(ARGS) {
  PLACE
  int c = 0; auto f = [&](int k) { return __half2float(A[row * K + c++]); };
  float acc = 0; for (int k = 0; k < K; ++k) acc += f(k) * __half2float(B[k * N + col]); STORE
}

// DECLINES: nothing, it is lifted
struct It { const __half *p; int s; __device__ float operator*() const { return __half2float(*p); } __device__ It &operator++() { p += s; return *this; } __device__ bool operator!=(const It &o) const { return p != o.p; } };
#pragma warpwright matmul tile(64, 64, 64)
__global__ void iterator_class(ARGS) {
  PLACE
  float acc = 0; for (It i{A + row * K, 1}, j{B + col, N}, e{A + row * K + K, 1}; i != e; ++i, ++j) acc += *i * *j; STORE
}

// DECLINES: WW303
template <class D> struct Base { __device__ float at(int i) const { return static_cast<const D *>(this)->get(i) + D::bias; } };
struct V1 : Base<V1> { static constexpr int bias = 0; const __half *p; __device__ V1(const __half *q) : p(q) {} __device__ float get(int i) const { return __half2float(p[i]); } };
struct V2 : Base<V2> { static constexpr int bias = 0; const __half *p; __device__ V2(const __half *q) : p(q) {} __device__ float get(int i) const { return -__half2float(p[i]); } };
#pragma warpwright matmul tile(64, 64, 64)
__global__ void crtp(ARGS) {
  PLACE
  float acc = 0; for (int k = 0; k < K; ++k) acc += V1{A}.at(row * K + k) * V2{B}.at(k * N + col); STORE
}

// DECLINES: nothing, it is lifted
struct W { float v; }; __device__ float operator,(W a, W b) { return a.v * b.v; }
#pragma warpwright matmul tile(64, 64, 64)
__global__ void comma_operator_overload(ARGS) {
  PLACE
  float acc = 0; for (int k = 0; k < K; ++k) acc += (W{__half2float(A[row * K + k])}, W{__half2float(B[k * N + col])}); STORE
}

// DECLINES: nothing, it is lifted
struct X { float v; }; __device__ float operator&&(X a, X b) { return a.v * b.v; }
#pragma warpwright matmul tile(64, 64, 64)
__global__ void and_operator_overload(ARGS) {
  PLACE
  float acc = 0; for (int k = 0; k < K; ++k) acc += (X{__half2float(A[row * K + k])} && X{__half2float(B[k * N + col])}); STORE
}

// DECLINES: nothing, it is lifted
struct Row { const __half *p; __device__ float operator[](int i) const { return __half2float(p[i]); } }; struct View { const __half *p; int ld; __device__ Row operator[](int i) const { return {p + i * ld}; } };
#pragma warpwright matmul tile(64, 64, 64)
__global__ void index_operator_overload(ARGS) {
  PLACE
  float acc = 0; View a{A, K}, b{B, N}; for (int k = 0; k < K; ++k) acc += a[row][k] * b[k][col]; STORE
}

// DECLINES: nothing, it is lifted
__device__ float mul(float a, float b) { return a * b; }
#pragma warpwright matmul tile(64, 64, 64)
__global__ void eval_order_args(ARGS) {
  PLACE
  float acc = 0; int i = 0; for (int k = 0; k < K; ++k) { int j = i; acc += mul(__half2float(A[row * K + j]), __half2float(B[j * N + col])); i = j + 1; } STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void static_array_const(ARGS) {
  PLACE
  SUM
  static const float t[4] = {1, 2, 3, 4}; C[row * N + col] = acc * t[1];
}

// DECLINES: WW208
#pragma warpwright matmul tile(64, 64, 64)
__global__ void static_array_index(ARGS) {
  PLACE
  SUM
  static const float t[4] = {1, 2, 3, 4}; C[row * N + col] = acc * t[row & 3];
}

// DECLINES: WW204
#pragma warpwright matmul tile(64, 64, 64)
__global__ void constexpr_array_k(ARGS) {
  PLACE
  constexpr int perm[4] = {2, 0, 3, 1}; float acc = 0; for (int k = 0; k < 4; ++k) acc += __half2float(A[row * K + perm[k]]) * __half2float(B[perm[k] * N + col]); STORE
}

// DECLINES: WW204
#pragma warpwright matmul tile(64, 64, 64)
__global__ void perm_a_only(ARGS) {
  PLACE
  constexpr int perm[4] = {2, 0, 3, 1}; float acc = 0; for (int k = 0; k < 4; ++k) acc += __half2float(A[row * K + perm[k]]) * __half2float(B[k * N + col]); STORE
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void unrolled_missing_one(ARGS) {
  PLACE
  float acc = 0; for (int k = 0; k < K; k += 4) { for (int u = 0; u < 4; ++u) if (u != 2) acc += __half2float(A[row * K + k + u]) * __half2float(B[(k + u) * N + col]); } STORE
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void unrolled_twice_one(ARGS) {
  PLACE
  float acc = 0; for (int k = 0; k < K; k += 4) { for (int u = 0; u < 4; ++u) { int v = u == 3 ? 2 : u; acc += __half2float(A[row * K + k + v]) * __half2float(B[(k + v) * N + col]); } } STORE
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void overlap_steps(ARGS) {
  PLACE
  float acc = 0; for (int k = 0; k < K; k += 2) { for (int u = 0; u < 3 && k + u < K; ++u) acc += __half2float(A[row * K + k + u]) * __half2float(B[(k + u) * N + col]); } STORE
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void hand_unroll_wrong(ARGS) {
  PLACE
  float acc = 0; for (int k = 0; k < K; k += 4) { acc += __half2float(A[row*K+k])*__half2float(B[k*N+col]); acc += __half2float(A[row*K+k+1])*__half2float(B[(k+1)*N+col]); acc += __half2float(A[row*K+k+2])*__half2float(B[(k+2)*N+col]); acc += __half2float(A[row*K+k+3])*__half2float(B[(k+2)*N+col]); } STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void hand_unroll_minus(ARGS) {
  PLACE
  float acc = 0; for (int k = 0; k < K; k += 2) { acc += __half2float(A[row*K+k])*__half2float(B[k*N+col]); acc -= __half2float(A[row*K+k+1])*__half2float(B[(k+1)*N+col]); } STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void half2_dot(ARGS) {
  PLACE
  float acc = 0; for (int k = 0; k < K / 2; ++k) { half2 a = ((const half2 *)A)[row * (K / 2) + k]; acc += __low2float(a) * __half2float(B[2 * k * N + col]) + __high2float(a) * __half2float(B[(2 * k + 1) * N + col]); } STORE
}

// DECLINES: WW208
#pragma warpwright matmul tile(64, 64, 64)
__global__ void half2_swapped(ARGS) {
  PLACE
  float acc = 0; for (int k = 0; k < K / 2; ++k) { half2 a = __lowhigh2highlow(((const half2 *)A)[row * (K / 2) + k]); acc += __low2float(a) * __half2float(B[2 * k * N + col]) + __high2float(a) * __half2float(B[(2 * k + 1) * N + col]); } STORE
}

// DECLINES: WW308
#pragma warpwright matmul tile(64, 64, 64)
__global__ void half2_hfma2(ARGS) {
  PLACE
  half2 s = __float2half2_rn(0.f); for (int k = 0; k < K / 2; ++k) { half2 a = ((const half2 *)A)[row * (K / 2) + k]; half2 b = __halves2half2(B[2 * k * N + col], B[(2 * k + 1) * N + col]); s = __hfma2(a, b, s); } C[row * N + col] = __low2float(s) + __high2float(s);
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void half2_odd_row(ARGS) {
  PLACE
  float acc = 0; for (int k = 0; k < K / 2; ++k) { half2 a = *(const half2 *)(A + row * K + 2 * k); acc += __low2float(a) * __half2float(B[2 * k * N + col]) + __high2float(a) * __half2float(B[(2 * k + 1) * N + col]); } STORE
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void sum_over_n_too(ARGS) {
  PLACE
  float acc = 0; for (int k = 0; k < K; ++k) for (int j = 0; j < 3; ++j) acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col + j]); STORE
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void sum_twice(ARGS) {
  PLACE
  float acc = 0; for (int j = 0; j < 2; ++j) for (int k = 0; k < K; ++k) acc += TERM; STORE
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void sum_n_times(ARGS, int reps) {
  PLACE
  float acc = 0; for (int j = 0; j < reps; ++j) for (int k = 0; k < K; ++k) acc += TERM; STORE
}

// DECLINES: WW202
#pragma warpwright matmul tile(64, 64, 64)
__global__ void reset_each_tile(ARGS) {
  PLACE
  float acc = 0; for (int t = 0; t < K; t += 16) { acc = 0; for (int k = t; k < t + 16; ++k) acc += TERM; } STORE
}

// DECLINES: WW202
#pragma warpwright matmul tile(64, 64, 64)
__global__ void scaled_each_tile(ARGS) {
  PLACE
  float acc = 0; for (int t = 0; t < K; t += 16) { float s = 0; for (int k = t; k < t + 16; ++k) s += TERM; acc = acc * 0.5f + s; } STORE
}

// DECLINES: WW217
#pragma warpwright matmul tile(64, 64, 64)
__global__ void max_each_tile(ARGS) {
  PLACE
  float acc = 0; for (int t = 0; t < K; t += 16) { float s = 0; for (int k = t; k < t + 16; ++k) s += TERM; acc += fmaxf(s, 0.0f); } STORE
}

// DECLINES: WW217
#pragma warpwright matmul tile(64, 64, 64)
__global__ void half_each_tile(ARGS) {
  PLACE
  float acc = 0; for (int t = 0; t < K; t += 16) { float s = 0; for (int k = t; k < t + 16; ++k) s += TERM; acc += __half2float(__float2half(s)); } STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void store_each_tile(ARGS) {
  PLACE
  float acc = 0; for (int t = 0; t < K; t += 16) { for (int k = t; k < t + 16; ++k) acc += TERM; C[row * N + col] = acc; }
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void store_each_tile_k0(ARGS) {
  PLACE
  float acc = 0; for (int t = 0; t < K; t += 16) { for (int k = t; k < t + 16; ++k) acc += TERM; C[row * N + col] = acc; }
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void add_each_tile_to_c(ARGS) {
  PLACE
  for (int t = 0; t < K; t += 16) { float acc = 0; for (int k = t; k < t + 16; ++k) acc += TERM; C[row * N + col] += acc; }
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void store_if_k(ARGS) {
  PLACE
  SUM
  if (K > 10) C[row * N + col] = acc; else C[row * N + col] = -1;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void store_if_param(ARGS, int f) {
  PLACE
  SUM
  if (f) C[row * N + col] = acc;
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void store_if_acc(ARGS) {
  PLACE
  SUM
  if (acc > 0) C[row * N + col] = acc;
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void store_if_bias(ARGS, const float *bias) {
  PLACE
  SUM
  if (bias[col] != 0) C[row * N + col] = acc;
}

// DECLINES: nothing, it is lifted
#include <cmath>
#pragma warpwright matmul tile(64, 64, 64)
__global__ void inf_mask(ARGS, const float *mask) {
  PLACE
  SUM
  C[row * N + col] = mask[row * N + col] > 0 ? acc : -INFINITY;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void causal(ARGS) {
  PLACE
  SUM
  C[row * N + col] = col <= row ? acc : -INFINITY;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void softcap(ARGS) {
  PLACE
  SUM
  C[row * N + col] = 30.0f * tanhf(acc / 30.0f);
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void row_col_in_epi(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc + row * 1000 + col * 0.5f;
}

// DECLINES: WW204
#pragma warpwright matmul tile(64, 64, 64)
__global__ void rowcol_int_overflow(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc + (float)((row * 123456789) ^ (col * 987654321));
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void unsigned_row_minus(ARGS) {
  PLACE
  SUM
  unsigned u = row; C[row * N + col] = acc + (float)(u - 1u > 100u ? 1 : 0);
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void k_after_loop(ARGS) {
  PLACE
  float acc = 0; int k; for (k = 0; k < K; ++k) acc += TERM; C[row * N + col] = acc + k;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void k_after_loop_step(ARGS) {
  PLACE
  float acc = 0; int k; for (k = 0; k < K; k += 5) acc += TERM; C[row * N + col] = acc + k;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void div_by_row(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc / (row - 3);
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void int_div_by_col(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc + 100 / (col + 1);
}

// DECLINES: WW204
#pragma warpwright matmul tile(64, 64, 64)
__global__ void int_mod_neg(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc + (row - 20) % 7;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void shift_by_col(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc + (float)(1 << (col & 7));
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void popc_col(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc + __popc(col);
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void clz_row(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc + __clz(row);
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void bias_mod(ARGS, const float *bias) {
  PLACE
  SUM
  C[row * N + col] = acc + bias[col % 8];
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void bias_div(ARGS, const float *bias) {
  PLACE
  SUM
  C[row * N + col] = acc + bias[col / 8];
}

// DECLINES: WW204
#pragma warpwright matmul tile(64, 64, 64)
__global__ void bias_gather(ARGS, const float *bias, const int *idx) {
  PLACE
  SUM
  C[row * N + col] = acc + bias[idx[col]];
}

// DECLINES: WW204
#pragma warpwright matmul tile(64, 64, 64)
__global__ void scatter_out(ARGS, const int *idx) {
  PLACE
  SUM
  C[idx[row] * N + col] = acc;
}

// DECLINES: WW204
#pragma warpwright matmul tile(64, 64, 64)
__global__ void gather_a(ARGS, const int *idx) {
  PLACE
  float acc = 0; for (int k = 0; k < K; ++k) acc += __half2float(A[idx[row] * K + k]) * __half2float(B[k * N + col]); STORE
}

// DECLINES: WW204
#pragma warpwright matmul tile(64, 64, 64)
__global__ void gather_k(ARGS, const int *idx) {
  PLACE
  float acc = 0; for (int k = 0; k < K; ++k) acc += __half2float(A[row * K + idx[k]]) * __half2float(B[k * N + col]); STORE
}

int main() {
  Product p;
  {  lambda_in_device<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("lambda_in_device"); }
  {  lambda_captures_row<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("lambda_captures_row"); }
  {  lambda_state<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("lambda_state"); }
  {  iterator_class<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("iterator_class"); }
  {  crtp<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("crtp"); }
  {  comma_operator_overload<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("comma_operator_overload"); }
  {  and_operator_overload<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("and_operator_overload"); }
  {  index_operator_overload<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("index_operator_overload"); }
  {  eval_order_args<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("eval_order_args"); }
  {  static_array_const<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("static_array_const"); }
  {  static_array_index<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("static_array_index"); }
  {  constexpr_array_k<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("constexpr_array_k"); }
  {  perm_a_only<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("perm_a_only"); }
  {  unrolled_missing_one<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("unrolled_missing_one"); }
  {  unrolled_twice_one<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("unrolled_twice_one"); }
  {  overlap_steps<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("overlap_steps"); }
  {  hand_unroll_wrong<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("hand_unroll_wrong"); }
  {  hand_unroll_minus<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("hand_unroll_minus"); }
  {  half2_dot<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("half2_dot"); }
  {  half2_swapped<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("half2_swapped"); }
  {  half2_hfma2<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("half2_hfma2"); }
  {  half2_odd_row<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M,p.N,62); p.show("half2_odd_row"); }
  {  sum_over_n_too<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("sum_over_n_too"); }
  {  sum_twice<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("sum_twice"); }
  {  sum_n_times<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 3); p.show("sum_n_times"); }
  {  reset_each_tile<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("reset_each_tile"); }
  {  scaled_each_tile<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("scaled_each_tile"); }
  {  max_each_tile<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("max_each_tile"); }
  {  half_each_tile<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("half_each_tile"); }
  {  store_each_tile<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("store_each_tile"); }
  {  store_each_tile_k0<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M,p.N,0); p.show("store_each_tile_k0"); }
  {  add_each_tile_to_c<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("add_each_tile_to_c"); }
  {  store_if_k<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M,p.N,8); p.show("store_if_k"); }
  {  store_if_param<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 0); p.show("store_if_param"); }
  {  store_if_acc<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("store_if_acc"); }
  {  store_if_bias<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, (float *)p.A); p.show("store_if_bias"); }
  {  inf_mask<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, (float *)p.A); p.show("inf_mask"); }
  {  causal<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("causal"); }
  {  softcap<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("softcap"); }
  {  row_col_in_epi<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("row_col_in_epi"); }
  {  rowcol_int_overflow<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("rowcol_int_overflow"); }
  {  unsigned_row_minus<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("unsigned_row_minus"); }
  {  k_after_loop<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M,p.N,-3); p.show("k_after_loop"); }
  {  k_after_loop_step<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("k_after_loop_step"); }
  {  div_by_row<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("div_by_row"); }
  {  int_div_by_col<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("int_div_by_col"); }
  {  int_mod_neg<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("int_mod_neg"); }
  {  shift_by_col<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("shift_by_col"); }
  {  popc_col<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("popc_col"); }
  {  clz_row<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("clz_row"); }
  {  bias_mod<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, (float *)p.A); p.show("bias_mod"); }
  {  bias_div<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, (float*)p.A); p.show("bias_div"); }
  { int *g_idx = p.ints(64, 0, 50); bias_gather<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, (float*)p.A, g_idx); p.show("bias_gather"); }
  { int *g_idx = p.ints(64, 0, 0);  scatter_out<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, g_idx); p.show("scatter_out"); }
  { int *g_idx = p.ints(64, 0, 30); gather_a<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, g_idx); p.show("gather_a"); }
  { int *g_idx = p.ints(64, 0, 30); gather_k<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, g_idx); p.show("gather_k"); }
}
