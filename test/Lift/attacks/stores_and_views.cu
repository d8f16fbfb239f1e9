// Stores over one another, arrays seen as other types, parameters that change.
#include "attack.h"

// DECLINES: nothing, it is lifted
#undef TERM
#define TERM (A[row * K + k] * __half2float(B[k * N + col]))
#pragma warpwright matmul tile(64, 64, 32)
__global__ void in_place_a(const float *A, const __half *B, float *C, int M, int N, int K) {
  PLACE
  SUM
  C[row * N + col] = acc;
}

// DECLINES: nothing, it is lifted
#undef TERM
#define TERM (A[row * 128 + k] * __half2float(B[k * N + col]))
#pragma warpwright matmul tile(64, 64, 32)
__global__ void interleaved_c(const float *A, const __half *B, float *C, int M, int N, int K) {
  PLACE
  SUM
  C[row * 128 + col] = acc;
}

// DECLINES: nothing, it is lifted
#undef TERM
#define TERM (__half2float(A[row * K + k]) * __half2float(B[k * N + col]))
#pragma warpwright matmul tile(64, 64, 64)
__global__ void store_twice(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc; C[row * N + col] = acc + 1;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void store_then_if(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc; if (acc < 0) C[row * N + col] = 0;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void store_read_store(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc; C[row * N + col] += 2 * C[row * N + col];
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void plus_equal_in_loop(ARGS) {
  PLACE
  C[row * N + col] = 0; for (int k = 0; k < K; ++k) C[row * N + col] += TERM;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void plus_equal_in_loop_noinit(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k) C[row * N + col] += TERM;
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void two_loops_cond(ARGS) {
  PLACE
  float acc = 0; int k = 0;
  if (row & 1) { for (; k < K; ++k) acc += TERM; } else { for (; k < K; ++k) acc -= TERM; }
  STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void cond_k_half(ARGS, int flag) {
  PLACE
  float acc = 0; int e = flag ? K / 2 : K;
  for (int k = 0; k < e; ++k) acc += TERM;
  STORE
}

// The launcher asks for the flag with which there is one array.
#pragma warpwright matmul tile(64, 64, 64)
__global__ void ptr_select(ARGS, const __half *D, int flag) {
  PLACE
  const __half *X = flag ? D : B;
  float acc = 0;
  for (int k = 0; k < K; ++k) acc += __half2float(A[row * K + k]) * __half2float(X[k * N + col]);
  STORE
}

// DECLINES: WW217
#pragma warpwright matmul tile(64, 64, 64)
__global__ void ptr_select_col(ARGS, const __half *D) {
  PLACE
  const __half *X = col < 16 ? D : B;
  float acc = 0;
  for (int k = 0; k < K; ++k) acc += __half2float(A[row * K + k]) * __half2float(X[k * N + col]);
  STORE
}

// DECLINES: WW217
#pragma warpwright matmul tile(64, 64, 64)
__global__ void ptr_select_k(ARGS, const __half *D) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k) { const __half *X = k < 20 ? D : B; acc += __half2float(A[row * K + k]) * __half2float(X[k * N + col]); }
  STORE
}

// DECLINES: WW207
#pragma warpwright matmul tile(64, 64, 64)
__global__ void c_through_int(ARGS) {
  PLACE
  SUM
  ((int *)C)[row * N + col] = __float_as_int(acc);
}

// DECLINES: WW207
#pragma warpwright matmul tile(64, 64, 64)
__global__ void c_as_half_bits(ARGS) {
  PLACE
  SUM
  ((__half *)C)[row * N + col] = __float2half(acc);
}

// DECLINES: WW207
#pragma warpwright matmul tile(64, 64, 64)
__global__ void c_as_double(ARGS) {
  PLACE
  SUM
  ((double *)C)[row * N / 2 + col / 2] = acc;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void a_as_bytes(ARGS) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k) { __half h; memcpy(&h, (const char *)A + 2 * (row * K + k), 2); acc += __half2float(h) * __half2float(B[k * N + col]); }
  STORE
}

// DECLINES: WW207
#pragma warpwright matmul tile(64, 64, 64)
__global__ void a_odd_bytes(ARGS) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k) { acc += (float)((const signed char *)A)[row * K + k] * (float)((const signed char *)B)[k * N + col]; }
  STORE
}

// DECLINES: WW215
#pragma warpwright matmul tile(64, 64, 64)
__global__ void a_two_views(ARGS) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k) { acc += (float)((const unsigned short *)A)[row * K + k] * __half2float(B[k * N + col]); }
  STORE
}

// DECLINES: WW215
#pragma warpwright matmul tile(64, 64, 64)
__global__ void a_bits_swap(ARGS) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k) { unsigned short u = ((const unsigned short *)A)[row * K + k] ^ 0x8000; acc += __half2float(__ushort_as_half(u)) * __half2float(B[k * N + col]); }
  STORE
}

// DECLINES: WW207
#pragma warpwright matmul tile(64, 64, 64)
__global__ void pp_batched(ARGS, const __half *const *T) {
  PLACE
  float acc = 0; const __half *X = T[0];
  for (int k = 0; k < K; ++k) acc += __half2float(X[row * K + k]) * __half2float(B[k * N + col]);
  STORE
}

// DECLINES: WW207
struct S { const __half *a, *b; int k; float w[2]; };
#pragma warpwright matmul tile(64, 64, 64)
__global__ void struct_param(ARGS, S s) {
  PLACE
  float acc = 0;
  for (int k = 0; k < s.k; ++k) acc += __half2float(s.a[row * s.k + k]) * __half2float(s.b[k * N + col]);
  C[row * N + col] = acc * s.w[1] + s.w[0];
}

// DECLINES: WW204
struct S2 { float w[4]; };
#pragma warpwright matmul tile(64, 64, 64)
__global__ void struct_array_index(ARGS, S2 s) {
  PLACE
  SUM
  C[row * N + col] = acc * s.w[col & 3];
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void param_changed(ARGS) {
  A += 64; K -= 1; N = N + 0;
  PLACE
  float acc = 0; for (int k = 0; k < K; ++k) acc += __half2float(A[row * (K + 1) + k]) * __half2float(B[k * N + col]); STORE
}

// DECLINES: WW204
#pragma warpwright matmul tile(64, 64, 64)
__global__ void param_changed_in_loop(ARGS) {
  PLACE
  float acc = 0; for (int k = 0; k < K; ++k) { acc += TERM; K -= 1; } STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void param_address(ARGS) {
  int *p = &K; *p = 32;
  PLACE
  SUM STORE
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void bound_changed_by_thread(ARGS) {
  PLACE
  if (threadIdx.x == 3) K = 16;
  SUM STORE
}

// DECLINES: WW205
#pragma warpwright matmul tile(64, 64, 64)
__global__ void z_blocks(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc + blockIdx.z;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void z_threads(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc;
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void z_blocks_batch0(ARGS) {
 PLACE
  C += blockIdx.z * M * N; SUM STORE
}

int main() {
  Product p;
  {float *q = p.floats(64*64+4096,-2,2); in_place_a<<<dim3(4,4),p.block>>>(q,p.B,q+64*64,64,16,64); cudaMemcpy(p.C,q+64*64,64*16*4,cudaMemcpyDeviceToDevice); p.show("in_place_a");}
  {float *q = p.floats(64*128+4096,-2,2); interleaved_c<<<dim3(4,4),p.block>>>(q,p.B,q+64,40,64,64); cudaMemcpy(p.C,q,64*128*4,cudaMemcpyDeviceToDevice); p.show("interleaved_c");}
  {  store_twice<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("store_twice"); }
  {  store_then_if<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("store_then_if"); }
  {  store_read_store<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("store_read_store"); }
  {  plus_equal_in_loop<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("plus_equal_in_loop"); }
  {  plus_equal_in_loop_noinit<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("plus_equal_in_loop_noinit"); }
  {  two_loops_cond<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("two_loops_cond"); }
  {  cond_k_half<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 1); p.show("cond_k_half"); }
  {  ptr_select<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, p.A, 1); p.show("ptr_select"); }
  {  ptr_select_col<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, p.A); p.show("ptr_select_col"); }
  {  ptr_select_k<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, p.A); p.show("ptr_select_k"); }
  {  c_through_int<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("c_through_int"); }
  {  c_as_half_bits<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("c_as_half_bits"); }
  {  c_as_double<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, 32, p.K); p.show("c_as_double"); }
  {  a_as_bytes<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("a_as_bytes"); }
  {  a_odd_bytes<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("a_odd_bytes"); }
  {  a_two_views<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("a_two_views"); }
  {  a_bits_swap<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("a_bits_swap"); }
  { const __half *h[1] = {p.A}; const __half **tab; cudaMalloc(&tab, 8); cudaMemcpy(tab, h, 8, cudaMemcpyHostToDevice); pp_batched<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, tab); p.show("pp_batched"); }
  {  struct_param<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, S{p.A, p.B, 64, {1.0f, 2.0f}}); p.show("struct_param"); }
  {  struct_array_index<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, S2{{1.0f, 2.0f, 3.0f, 4.0f}}); p.show("struct_array_index"); }
  {  param_changed<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M-1,p.N,p.K); p.show("param_changed"); }
  {  param_changed_in_loop<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("param_changed_in_loop"); }
  {  param_address<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("param_address"); }
  {  bound_changed_by_thread<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("bound_changed_by_thread"); }
  {  z_blocks<<<dim3(3,3,1),p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("z_blocks"); }
  {  z_threads<<<p.grid,dim3(16,16,2)>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("z_threads"); }
  {  z_blocks_batch0<<<dim3(3,3,2),p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("z_blocks_batch0"); }
}
