// What is summed and what is made of the sum: zeros and NaN skipped, rounding modes, other types.
#include "attack.h"
#include <cmath>
// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void skip_zero(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) { float a = __half2float(A[row * K + k]); if (a != 0.0f) acc += a * __half2float(B[k * N + col]); }
  STORE
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void skip_zero_select(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) { float a = __half2float(A[row * K + k]); acc += a ? a * __half2float(B[k * N + col]) : 0.0f; }
  STORE
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void skip_nan(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) { float b = __half2float(B[k * N + col]); if (b == b) acc += __half2float(A[row * K + k]) * b; }
  STORE
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void skip_nan2(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) { float t = __half2float(B[k * N + col]) * __half2float(A[row * K + k]); if (!isnan(t)) acc += t; }
  STORE
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void finite_only(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) { float b = __half2float(B[k * N + col]); acc += isfinite(b) ? __half2float(A[row * K + k]) * b : 0.0f; }
  STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 32)
__global__ void times_zero_bool(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) { float b = __half2float(B[k * N + col]); acc += (b > 0) * __half2float(A[row * K + k]) * b; }
  STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 32)
__global__ void relu_operand(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) { acc += fmaxf(__half2float(B[k * N + col]), 0.0f) * __half2float(A[row * K + k]); }
  STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void alpha_zero(ARGS, float alpha, float beta) {
  PLACE
  SUM
  C[row * N + col] = alpha * acc + beta * C[row * N + col];
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void alpha_zero_skip(ARGS, float alpha, float beta) {
  PLACE
  float v = beta * C[row * N + col];
  if (alpha != 0.0f) { float acc = 0; for (int k = 0; k < K; ++k) acc += TERM; v += alpha * acc; }
  C[row * N + col] = v;
}

// DECLINES: nothing, it is lifted
#include <cmath>
#pragma warpwright matmul tile(64, 64, 64)
__global__ void beta_zero_nan(ARGS, float alpha, float beta) {
  PLACE
  SUM
  C[row * N + col] = beta == 0.0f ? alpha * acc : alpha * acc + beta * C[row * N + col];
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void beta_zero_nan_kept(ARGS, float alpha, float beta) {
  PLACE
  SUM
  C[row * N + col] = alpha * acc + beta * C[row * N + col];
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void beta_is_nan(ARGS, float alpha, float beta) {
  PLACE
  SUM
  C[row * N + col] = beta == beta ? alpha * acc : alpha * acc + 1;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void init_from_c(ARGS) {
  PLACE
  float acc = C[row * N + col];
  for (int k = 0; k < K; ++k) acc += TERM;
  STORE
}

// DECLINES: WW202
#pragma warpwright matmul tile(64, 64, 64)
__global__ void init_minus_zero(ARGS) {
  PLACE
  float acc = -0.0f;
  for (int k = 0; k < K; ++k) acc += TERM;
  C[row * N + col] = copysignf(3.0f, acc);
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void init_plus_zero_k0(ARGS) {
  PLACE
  SUM
  C[row * N + col] = 1.0f / acc;
}

// DECLINES: WW202
#pragma warpwright matmul tile(64, 64, 64)
__global__ void horner(ARGS, float x) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) { acc = acc * x + __half2float(A[row * K + k]) * __half2float(B[k * N + col]); }
  STORE
}

// DECLINES: WW202
#pragma warpwright matmul tile(64, 64, 64)
__global__ void horner_one(ARGS, float x) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) { acc = acc * x + __half2float(A[row * K + k]) * __half2float(B[k * N + col]); }
  STORE
}

// DECLINES: WW202
#pragma warpwright matmul tile(64, 64, 64)
__global__ void clip_each(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) { acc = fminf(acc + __half2float(A[row * K + k]) * __half2float(B[k * N + col]), 3.0f); }
  STORE
}

// DECLINES: WW202
#pragma warpwright matmul tile(64, 64, 64)
__global__ void kahan(ARGS) {
  PLACE
  float acc = 0, c = 0;
  for (int k = 0; k < K; ++k) { float y = TERM - c, t = acc + y; c = (t - acc) - y; acc = t; }
  STORE
}

// DECLINES: WW308
#pragma warpwright matmul tile(64, 64, 64)
__global__ void pairwise_two(ARGS) {
  PLACE
  float a0 = 0, a1 = 0; int k = 0;
  for (; k + 1 < K; k += 2) { a0 += __half2float(A[row*K+k])*__half2float(B[k*N+col]); a1 += __half2float(A[row*K+k+1])*__half2float(B[(k+1)*N+col]); }
  if (k < K) a0 += TERM;
  C[row * N + col] = a0 + a1;
}

// DECLINES: WW308
#pragma warpwright matmul tile(64, 64, 64)
__global__ void pairwise_product(ARGS) {
  PLACE
  float a0 = 0, a1 = 0;
  for (int k = 0; k + 1 < K; k += 2) { a0 += __half2float(A[row*K+k])*__half2float(B[k*N+col]); a1 += __half2float(A[row*K+k+1])*__half2float(B[(k+1)*N+col]); }
  C[row * N + col] = a0 * a1;
}

// DECLINES: WW202
#pragma warpwright matmul tile(64, 64, 64)
__global__ void rz_add(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) { acc = __fadd_rz(acc, __fmul_rn(__half2float(A[row * K + k]) * 0.1f, __half2float(B[k * N + col]))); }
  STORE
}

// DECLINES: WW217
#pragma warpwright matmul tile(64, 64, 64)
__global__ void ru_mul(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) { acc += __fmul_ru(__half2float(A[row * K + k]), __half2float(B[k * N + col])); }
  STORE
}

// DECLINES: WW202
#pragma warpwright matmul tile(64, 64, 64)
__global__ void fmaf_rd(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) { acc = __fmaf_rd(__half2float(A[row * K + k]), __half2float(B[k * N + col]), acc); }
  STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void fmaf_rn(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) { acc = __fmaf_rn(__half2float(A[row * K + k]), __half2float(B[k * N + col]), acc); }
  STORE
}

// DECLINES: WW202
#pragma warpwright matmul tile(64, 64, 64)
__global__ void int_acc_float_terms(ARGS) {
  PLACE
  int acc = 0;
  for (int k = 0; k < K; ++k) acc += TERM * 0.5f;
  STORE
}

// DECLINES: WW217
#pragma warpwright matmul tile(64, 64, 64)
__global__ void int_of_product(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) { acc += (int)(__half2float(A[row * K + k]) * __half2float(B[k * N + col]) * 0.5f); }
  STORE
}

// DECLINES: WW302
#pragma warpwright matmul tile(64, 64, 64)
__global__ void double_acc(ARGS) {
  PLACE
  double acc = 0;
  for (int k = 0; k < K; ++k) acc += TERM;
  STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void double_product_float_acc(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) { acc += (double)__half2float(A[row * K + k]) * __half2float(B[k * N + col]); }
  STORE
}

// DECLINES: WW202
#pragma warpwright matmul tile(64, 64, 64)
__global__ void half_acc_sat(ARGS) {
  PLACE
  __half acc = __float2half(0.f);
  for (int k = 0; k < K; ++k) acc = __hadd_sat(acc, __hmul(A[row*K+k], B[k*N+col]));
  C[row * N + col] = __half2float(acc);
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void half_product_each(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) { acc += __half2float(__hmul(A[row * K + k], B[k * N + col])); }
  STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 32)
__global__ void three_factors(ARGS, const __half *D) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) { acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]) * __half2float(D[k]); }
  STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void three_factors_mn(ARGS, const __half *D) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) { acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]) * __half2float(D[row * N + col]); }
  STORE
}

// DECLINES: WW217
#pragma warpwright matmul tile(64, 64, 64)
__global__ void a_plus_b(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) { acc += __half2float(A[row * K + k]) + __half2float(B[k * N + col]); }
  STORE
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void a_squared(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) { acc += __half2float(A[row * K + k]) * __half2float(A[row * K + k]); }
  STORE
}

// DECLINES: WW217
#pragma warpwright matmul tile(64, 64, 64)
__global__ void distance(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) { float d = __half2float(A[row * K + k]) - __half2float(B[k * N + col]); acc += d * d; }
  STORE
}

// DECLINES: WW217
#pragma warpwright matmul tile(64, 64, 64)
__global__ void cosine(ARGS) {
  PLACE
  float d = 0, x = 0, y = 0;
  for (int k = 0; k < K; ++k) { float a = __half2float(A[row*K+k]), b = __half2float(B[k*N+col]); d += a*b; x += a*a; y += b*b; }
  C[row * N + col] = d * rsqrtf(x * y + 1.0f);
}

// DECLINES: WW217
#pragma warpwright matmul tile(64, 64, 64)
__global__ void divide_by_b(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) { acc += __half2float(A[row * K + k]) / (__half2float(B[k * N + col]) + 8.0f); }
  STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 32)
__global__ void pow_k(ARGS, float r) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) { acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]) * powf(r, k); }
  STORE
}

// DECLINES: WW202
#pragma warpwright matmul tile(64, 64, 64)
__global__ void running_scale(ARGS, float r) {
  PLACE
  float acc = 0, s = 1; for (int k = 0; k < K; ++k) { acc += s * TERM; s *= r; }
  STORE
}

// DECLINES: WW204
#pragma warpwright matmul tile(64, 64, 64)
__global__ void alternating_sign(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) { acc += (k & 1 ? -1.0f : 1.0f) * __half2float(A[row * K + k]) * __half2float(B[k * N + col]); }
  STORE
}

// DECLINES: WW202
#pragma warpwright matmul tile(64, 64, 64)
__global__ void alternating_sign2(ARGS) {
  PLACE
  float acc = 0, s = 1; for (int k = 0; k < K; ++k) { acc += s * TERM; s = -s; }
  STORE
}

// DECLINES: WW204
#pragma warpwright matmul tile(64, 64, 64)
__global__ void parity_mn(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) { acc += ((row ^ col) & 1 ? -1.0f : 1.0f) * __half2float(A[row * K + k]) * __half2float(B[k * N + col]); }
  STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void mean_zero_k(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc / K;
}

// DECLINES: WW215
#pragma warpwright matmul tile(64, 64, 64)
__global__ void int_mean(ARGS) {
  PLACE
  SUM
  C[row * N + col] = (int)acc / (K - 60);
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void acc_twice(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc + acc;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void acc_square(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc * acc;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void acc_minus_acc(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc - acc;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void acc_times_zero(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc * 0.0f;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void acc_self_compare(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc == acc ? acc : 7.0f;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void acc_is_negative_zero(ARGS) {
  PLACE
  SUM
  C[row * N + col] = signbit(acc) ? -1.0f : 1.0f;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void as_ushort(ARGS) {
  PLACE
  SUM
  C[row * N + col] = (float)(unsigned short)acc;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void as_uchar_neg(ARGS) {
  PLACE
  SUM
  C[row * N + col] = (float)(unsigned char)(int)acc;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void long_cast(ARGS) {
  PLACE
  SUM
  C[row * N + col] = (float)(long long)(acc * 1e10f);
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void bits_hash(ARGS) {
  PLACE
  SUM
  C[row * N + col] = (float)(__float_as_uint(acc) * 2654435761u >> 12);
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void half_store_rz(ARGS) {
  PLACE
  SUM
  C[row * N + col] = __half2float(__float2half_rz(acc * 0.3f));
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void bf16_store_trunc(ARGS) {
  PLACE
  SUM
  C[row * N + col] = __uint_as_float(__float_as_uint(acc * 0.3f) & 0xffff0000u);
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void next_after(ARGS) {
  PLACE
  SUM
  C[row * N + col] = nextafterf(acc, 1e9f) - acc;
}

// DECLINES: WW211
#pragma warpwright matmul tile(64, 64, 64)
__global__ void frexp_out(ARGS) {
  PLACE
  SUM
  int e; float f = frexpf(acc, &e); C[row * N + col] = f + e;
}

// DECLINES: WW211
#pragma warpwright matmul tile(64, 64, 64)
__global__ void modf_out(ARGS) {
  PLACE
  SUM
  float i; float f = modff(acc * 0.3f, &i); C[row * N + col] = f + i * 2;
}

// DECLINES: WW211
#pragma warpwright matmul tile(64, 64, 64)
__global__ void remquo_out(ARGS) {
  PLACE
  SUM
  int q; float f = remquof(acc, 3.0f, &q); C[row * N + col] = f + q;
}

// DECLINES: WW211
#pragma warpwright matmul tile(64, 64, 64)
__global__ void sincos_out(ARGS) {
  PLACE
  SUM
  float s, c; sincosf(acc, &s, &c); C[row * N + col] = s + c;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void ldexp_out(ARGS) {
  PLACE
  SUM
  C[row * N + col] = ldexpf(acc, row);
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void ilogb_out(ARGS) {
  PLACE
  SUM
  C[row * N + col] = ilogbf(acc + 100.0f);
}

int main() {
  Product p;
  { const unsigned short nan = 0x7e00, inf = 0x7c00; (void)nan; (void)inf; cudaMemcpy(p.B + 5 * p.N + 3, &nan, 2, cudaMemcpyHostToDevice); cudaMemcpy(p.B + 9 * p.N + 11, &inf, 2, cudaMemcpyHostToDevice); skip_zero<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("skip_zero"); }
  { const unsigned short nan = 0x7e00, inf = 0x7c00; (void)nan; (void)inf; cudaMemcpy(p.B + 5 * p.N + 3, &nan, 2, cudaMemcpyHostToDevice); cudaMemcpy(p.B + 9 * p.N + 11, &inf, 2, cudaMemcpyHostToDevice); skip_zero_select<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("skip_zero_select"); }
  { const unsigned short nan = 0x7e00, inf = 0x7c00; (void)nan; (void)inf; cudaMemcpy(p.B + 5 * p.N + 3, &nan, 2, cudaMemcpyHostToDevice); cudaMemcpy(p.B + 9 * p.N + 11, &inf, 2, cudaMemcpyHostToDevice); skip_nan<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("skip_nan"); }
  { const unsigned short nan = 0x7e00, inf = 0x7c00; (void)nan; (void)inf; cudaMemcpy(p.B + 5 * p.N + 3, &nan, 2, cudaMemcpyHostToDevice); cudaMemcpy(p.B + 9 * p.N + 11, &inf, 2, cudaMemcpyHostToDevice); skip_nan2<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("skip_nan2"); }
  { const unsigned short nan = 0x7e00, inf = 0x7c00; (void)nan; (void)inf; cudaMemcpy(p.B + 5 * p.N + 3, &nan, 2, cudaMemcpyHostToDevice); cudaMemcpy(p.B + 9 * p.N + 11, &inf, 2, cudaMemcpyHostToDevice); finite_only<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("finite_only"); }
  { const unsigned short nan = 0x7e00, inf = 0x7c00; (void)nan; (void)inf; cudaMemcpy(p.B + 5 * p.N + 3, &nan, 2, cudaMemcpyHostToDevice); cudaMemcpy(p.B + 9 * p.N + 11, &inf, 2, cudaMemcpyHostToDevice); times_zero_bool<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("times_zero_bool"); }
  { const unsigned short nan = 0x7e00, inf = 0x7c00; (void)nan; (void)inf; cudaMemcpy(p.B + 5 * p.N + 3, &nan, 2, cudaMemcpyHostToDevice); cudaMemcpy(p.B + 9 * p.N + 11, &inf, 2, cudaMemcpyHostToDevice); relu_operand<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("relu_operand"); }
  { const unsigned short nan = 0x7e00, inf = 0x7c00; (void)nan; (void)inf; cudaMemcpy(p.B + 5 * p.N + 3, &nan, 2, cudaMemcpyHostToDevice); cudaMemcpy(p.B + 9 * p.N + 11, &inf, 2, cudaMemcpyHostToDevice); alpha_zero<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 0.0f, 2.0f); p.show("alpha_zero"); }
  { const unsigned short nan = 0x7e00, inf = 0x7c00; (void)nan; (void)inf; cudaMemcpy(p.B + 5 * p.N + 3, &nan, 2, cudaMemcpyHostToDevice); cudaMemcpy(p.B + 9 * p.N + 11, &inf, 2, cudaMemcpyHostToDevice); alpha_zero_skip<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 0.0f, 2.0f); p.show("alpha_zero_skip"); }
  { const unsigned short zero = 0; cudaMemcpy(p.B + 5 * p.N + 3, &zero, 2, cudaMemcpyHostToDevice); cudaMemcpy(p.B + 9 * p.N + 11, &zero, 2, cudaMemcpyHostToDevice);std::vector<float> n(p.M*p.N, NAN); cudaMemcpy(p.C,n.data(),n.size()*4,cudaMemcpyHostToDevice); beta_zero_nan<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 1.0f, 0.0f); p.show("beta_zero_nan"); }
  { std::vector<float> n(p.M*p.N, INFINITY); cudaMemcpy(p.C,n.data(),n.size()*4,cudaMemcpyHostToDevice); beta_zero_nan_kept<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 1.0f, 0.0f); p.show("beta_zero_nan_kept"); }
  {  beta_is_nan<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 1.0f, NAN); p.show("beta_is_nan"); }
  {  init_from_c<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("init_from_c"); }
  {  init_minus_zero<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M,p.N,0); p.show("init_minus_zero"); }
  {  init_plus_zero_k0<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M,p.N,0); p.show("init_plus_zero_k0"); }
  {  horner<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 0.5f); p.show("horner"); }
  {  horner_one<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 1.0f); p.show("horner_one"); }
  {  clip_each<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("clip_each"); }
  {  kahan<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("kahan"); }
  {  pairwise_two<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M,p.N,33); p.show("pairwise_two"); }
  {  pairwise_product<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("pairwise_product"); }
  {  rz_add<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("rz_add"); }
  {  ru_mul<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("ru_mul"); }
  {  fmaf_rd<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("fmaf_rd"); }
  {  fmaf_rn<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("fmaf_rn"); }
  {  int_acc_float_terms<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("int_acc_float_terms"); }
  {  int_of_product<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("int_of_product"); }
  {  double_acc<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("double_acc"); }
  {  double_product_float_acc<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("double_product_float_acc"); }
  {  half_acc_sat<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("half_acc_sat"); }
  {  half_product_each<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("half_product_each"); }
  {  three_factors<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, p.A); p.show("three_factors"); }
  {  three_factors_mn<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, p.A); p.show("three_factors_mn"); }
  {  a_plus_b<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("a_plus_b"); }
  {  a_squared<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("a_squared"); }
  {  distance<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("distance"); }
  {  cosine<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("cosine"); }
  {  divide_by_b<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("divide_by_b"); }
  {  pow_k<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 0.5f); p.show("pow_k"); }
  {  running_scale<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 0.5f); p.show("running_scale"); }
  {  alternating_sign<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("alternating_sign"); }
  {  alternating_sign2<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("alternating_sign2"); }
  {  parity_mn<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("parity_mn"); }
  {  mean_zero_k<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M,p.N,0); p.show("mean_zero_k"); }
  {  int_mean<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("int_mean"); }
  {  acc_twice<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("acc_twice"); }
  {  acc_square<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("acc_square"); }
  { const unsigned short nan = 0x7e00, inf = 0x7c00; (void)nan; (void)inf; cudaMemcpy(p.B + 5 * p.N + 3, &nan, 2, cudaMemcpyHostToDevice); cudaMemcpy(p.B + 9 * p.N + 11, &inf, 2, cudaMemcpyHostToDevice); acc_minus_acc<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("acc_minus_acc"); }
  {  acc_times_zero<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("acc_times_zero"); }
  {  acc_self_compare<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("acc_self_compare"); }
  { const unsigned short zero = 0; cudaMemcpy(p.B + 5 * p.N + 3, &zero, 2, cudaMemcpyHostToDevice); cudaMemcpy(p.B + 9 * p.N + 11, &zero, 2, cudaMemcpyHostToDevice); acc_is_negative_zero<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("acc_is_negative_zero"); }
  {  as_ushort<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("as_ushort"); }
  {  as_uchar_neg<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("as_uchar_neg"); }
  {  long_cast<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("long_cast"); }
  {  bits_hash<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("bits_hash"); }
  {  half_store_rz<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("half_store_rz"); }
  {  bf16_store_trunc<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("bf16_store_trunc"); }
  {  next_after<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("next_after"); }
  {  frexp_out<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("frexp_out"); }
  {  modf_out<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("modf_out"); }
  {  remquo_out<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("remquo_out"); }
  {  sincos_out<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("sincos_out"); }
  {  ldexp_out<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("ldexp_out"); }
  {  ilogb_out<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("ilogb_out"); }
}
