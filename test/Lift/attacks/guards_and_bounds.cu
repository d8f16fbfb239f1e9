// Guards and bounds in odd forms: flat, of bits, of differences, of pointers, narrow types.
#include "attack.h"

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void flat_guard(ARGS) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row * N + col >= M * N) return;
  SUM
  STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void bitor_guard(ARGS) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if ((row >= M) | (col >= N)) return;
  SUM
  STORE
}

// DECLINES: WW204
#pragma warpwright matmul tile(64, 64, 64)
__global__ void xor_guard(ARGS) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if ((row < M) ^ (col < N)) return;
  if (row >= M) return;
  SUM
  STORE
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void sum_guard(ARGS) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if ((row < M) + (col < N) != 2) return;
  SUM
  STORE
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void product_guard(ARGS) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (!((row < M) * (col < N))) return;
  SUM
  STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void diff_guard(ARGS) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (M - row <= 0 || N - col < 1) return;
  SUM
  STORE
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void udiff_guard(ARGS) {
  unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
  if (M - row == 0 || M - row > 1000u || N - col - 1 >= (unsigned)N) return;
  SUM
  STORE
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void div_guard(ARGS) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row / M || col / N) return;
  SUM
  STORE
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void mod_guard(ARGS) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row % M != row || col % N != col) return;
  SUM
  STORE
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void min_guard(ARGS) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (min(row, M) == M || max(col, N) == col) return;
  SUM
  STORE
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void triangle_guard(ARGS) {
  PLACE
  if (col > row) return;
  SUM
  STORE
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void band_guard(ARGS) {
  PLACE
  if (abs(col - row) > 5) return;
  SUM
  STORE
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void lower_bound_guard(ARGS, int r0, int c0) {
  PLACE
  if (row < r0 || col < c0) return;
  SUM
  STORE
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void neg_lower_guard(ARGS, int r0, int c0) {
  PLACE
  if (row < r0 || col < c0) return;
  SUM
  STORE
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void offset_row(ARGS, int r0, int c0) {
  int row = blockIdx.y * blockDim.y + threadIdx.y + r0;
  int col = blockIdx.x * blockDim.x + threadIdx.x + c0;
  if (row < 0 || row >= M || col < 0 || col >= N) return;
  SUM
  STORE
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void hole(ARGS, int r0) {
  PLACE
  if (row == r0) return;
  SUM
  STORE
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void even_rows(ARGS) {
  PLACE
  if (row % 2) return;
  SUM
  STORE
}

// DECLINES: WW205
#pragma warpwright matmul tile(64, 64, 64)
__global__ void two_to_one(ARGS) {
  PLACE
  SUM
  C[(row / 2) * N + col] = acc;
}

// DECLINES: WW204
#pragma warpwright matmul tile(64, 64, 64)
__global__ void clamped_store(ARGS) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  row = min(row, M - 1); col = min(col, N - 1);
  SUM
  STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void short_n(const __half *A, const __half *B, float *C, int M, short N, int K) {
  PLACE
  SUM
  STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void uchar_all(const __half *A, const __half *B, float *C, unsigned char M, unsigned char N, unsigned char K) {
  PLACE
  SUM
  STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void uchar_cut(const __half *A, const __half *B, float *C, unsigned char M, unsigned char N, unsigned char K) {
  PLACE
  SUM
  STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void bool_k(const __half *A, const __half *B, float *C, int M, int N, bool K) {
  PLACE
  SUM
  STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void signed_char_k(const __half *A, const __half *B, float *C, int M, int N, signed char K) {
  PLACE
  SUM
  STORE
}

// DECLINES: WW203
#undef TERM
#define TERM (__half2float(A[row * 64 + k]) * __half2float(B[k * N + col]))
#pragma warpwright matmul tile(64, 64, 64)
__global__ void float_k(const __half *A, const __half *B, float *C, int M, int N, float K) {
  PLACE
  float acc = 0; for (int k = 0; k < K; ++k) acc += TERM; STORE
}

// DECLINES: nothing, it is lifted
enum Deep : unsigned short { shallow, deep = 64 };
#pragma warpwright matmul tile(64, 64, 64)
__global__ void enum_param(const __half *A, const __half *B, float *C, int M, int N, Deep K) {
  PLACE
  float acc = 0; for (int k = 0; k < (int)K; ++k) acc += TERM; STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void int128_index(ARGS) {
  PLACE
  float acc = 0; for (int k = 0; k < K; ++k) acc += __half2float(A[(__int128)row * K + k]) * __half2float(B[(__int128)k * N + col]); STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void down_unsigned(ARGS) {
  PLACE
  float acc = 0; for (unsigned k = K; k-- > 0;) acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]); STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void step2_odd(ARGS) {
  PLACE
  float acc = 0; for (int k = 0; k < K; k += 2) acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]); STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void from_both_ends(ARGS) {
  PLACE
  float acc = 0; for (int i = 0, j = K - 1; i < j; ++i, --j) acc += __half2float(A[row * K + i]) * __half2float(B[j * N + col]); STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void k_reversed_b(ARGS) {
  PLACE
  float acc = 0; for (int k = 0; k < K; ++k) acc += __half2float(A[row * K + k]) * __half2float(B[(K - 1 - k) * N + col]); STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void k_reversed_b_unsigned(ARGS) {
  PLACE
  float acc = 0; for (unsigned k = 0; k < K; ++k) acc += __half2float(A[row * K + k]) * __half2float(B[(K + ~k) * N + col]); STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void diagonal_b(ARGS) {
  PLACE
  float acc = 0; for (int k = 0; k < K; ++k) acc += __half2float(A[row * K + k]) * __half2float(B[k * N + k + col]); STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void convolution(ARGS) {
  PLACE
  float acc = 0; for (int k = 0; k < 16; ++k) acc += __half2float(A[row + k]) * __half2float(B[k * N + col]); STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void toeplitz(ARGS) {
  PLACE
  float acc = 0; for (int k = 0; k < K; ++k) acc += __half2float(A[row * K + k]) * __half2float(B[col - k + K]); STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void step_is_n(ARGS) {
  PLACE
  float acc = 0; for (int k = 0, j = col; k < K; ++k, j += N) acc += __half2float(A[row * K + k]) * __half2float(B[j]); STORE
}

// DECLINES: WW204
#pragma warpwright matmul tile(64, 64, 64)
__global__ void until_end_of_b(ARGS) {
  PLACE
  float acc = 0; int k = 0; for (int j = col; j < K * N; j += N) { acc += __half2float(A[row * K + k]) * __half2float(B[j]); ++k; } STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void until_pointer(ARGS) {
  PLACE
  float acc = 0; const __half *a = A + row * K, *e = a + K, *b = B + col; for (; a < e; ++a, b += N) acc += __half2float(*a) * __half2float(*b); STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void until_pointer_ne(ARGS) {
  PLACE
  float acc = 0; const __half *a = A + row * K, *e = a + K, *b = B + col; while (a != e) { acc += __half2float(*a++) * __half2float(*b); b += N; } STORE
}

// DECLINES: WW204
#pragma warpwright matmul tile(64, 64, 64)
__global__ void until_pointer_b(ARGS) {
  PLACE
  float acc = 0; const __half *a = A + row * K, *b = B + col, *e = B + K * N; for (; b < e; b += N) acc += __half2float(*a++) * __half2float(*b); STORE
}

int main() {
  Product p;
  {  flat_guard<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("flat_guard"); }
  {  bitor_guard<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("bitor_guard"); }
  {  xor_guard<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("xor_guard"); }
  {  sum_guard<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("sum_guard"); }
  {  product_guard<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("product_guard"); }
  {  diff_guard<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("diff_guard"); }
  {  udiff_guard<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("udiff_guard"); }
  {  div_guard<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("div_guard"); }
  {  mod_guard<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("mod_guard"); }
  {  min_guard<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("min_guard"); }
  {  triangle_guard<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("triangle_guard"); }
  {  band_guard<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("band_guard"); }
  {  lower_bound_guard<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 5, 7); p.show("lower_bound_guard"); }
  {  neg_lower_guard<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, -5, -7); p.show("neg_lower_guard"); }
  {  offset_row<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, -3, 7); p.show("offset_row"); }
  {  hole<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 5); p.show("hole"); }
  {  even_rows<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("even_rows"); }
  {  two_to_one<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("two_to_one"); }
  {  clamped_store<<<dim3(p.grid.x+1,p.grid.y+2),p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("clamped_store"); }
  {  short_n<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("short_n"); }
  {  uchar_all<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("uchar_all"); }
  {  uchar_cut<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M+256,p.N,p.K+512); p.show("uchar_cut"); }
  {  bool_k<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("bool_k"); }
  {  signed_char_k<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M,p.N,200); p.show("signed_char_k"); }
  {  float_k<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M,p.N,63.5f); p.show("float_k"); }
  {  enum_param<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M,p.N,deep); p.show("enum_param"); }
  {  int128_index<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("int128_index"); }
  {  down_unsigned<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("down_unsigned"); }
  {  step2_odd<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M,p.N,33); p.show("step2_odd"); }
  {  from_both_ends<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("from_both_ends"); }
  {  k_reversed_b<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("k_reversed_b"); }
  {  k_reversed_b_unsigned<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("k_reversed_b_unsigned"); }
  {  diagonal_b<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("diagonal_b"); }
  {  convolution<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("convolution"); }
  {  toeplitz<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("toeplitz"); }
  {  step_is_n<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("step_is_n"); }
  {  until_end_of_b<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("until_end_of_b"); }
  {  until_pointer<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("until_pointer"); }
  {  until_pointer_ne<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("until_pointer_ne"); }
  {  until_pointer_b<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("until_pointer_b"); }
}
