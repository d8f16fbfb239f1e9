// Pitches of 0 and below, sizes of 0 and below, and launches of other shapes.
#include "attack.h"

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void ldc_zero(ARGS, int ldc) {
  PLACE
  SUM
  C[row * ldc + col] = acc;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void ldc_negative(ARGS, int ldc) {
  PLACE
  SUM
  C[row * ldc + col] = acc;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void lda_small(ARGS, int lda) {
  PLACE
  float acc = 0; for (int k = 0; k < K; ++k) acc += __half2float(A[row * lda + k]) * __half2float(B[k * N + col]); STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void lda_zero(ARGS, int lda) {
  PLACE
  float acc = 0; for (int k = 0; k < K; ++k) acc += __half2float(A[row * lda + k]) * __half2float(B[k * N + col]); STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void lda_negative(ARGS, int lda) {
  PLACE
  float acc = 0; for (int k = 0; k < K; ++k) acc += __half2float(A[row * lda + k]) * __half2float(B[k * N + col]); STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void ldb_zero(ARGS, int ldb) {
  PLACE
  float acc = 0; for (int k = 0; k < K; ++k) acc += __half2float(A[row * K + k]) * __half2float(B[k * ldb + col]); STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void cs_stride(ARGS, int rs, int cs) {
  PLACE
  SUM
  C[row * rs + col * cs] = acc;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void cs_stride_overlap(ARGS, int rs, int cs) {
  PLACE
  SUM
  C[row * rs + col * cs] = 5.0f + 0.0f * acc;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void bias_null(ARGS, const float *bias) {
  PLACE
  SUM
  C[row * N + col] = bias ? acc + bias[col] : acc;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void a_null_k0(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void m_zero(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void n_negative(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void k_negative(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void misaligned_a(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void small_grid(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void flat_block(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void odd_block(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void bad_block(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void zero_grid(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void too_much_smem(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void some_smem(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc;
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void blockdim_index(ARGS) {
  int row = blockIdx.y * 16 + threadIdx.y;
  int col = blockIdx.x * 16 + threadIdx.x;
  if (row >= M || col >= N) return;
  SUM STORE
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void griddim_pitch(ARGS) {
  PLACE
  SUM
  C[row * gridDim.x * blockDim.x + col] = acc;
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void thread_in_epilogue(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc + threadIdx.x;
}

// DECLINES: WW216
#pragma warpwright matmul tile(64, 64, 64)
__global__ void block_in_epilogue(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc * (blockIdx.x + 1);
}

// DECLINES: nothing, it is lifted
#pragma warpwright matmul tile(64, 64, 64)
__global__ void swapped_xy(ARGS) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  int col = blockIdx.y * blockDim.x + threadIdx.x;
  if (row >= M || col >= N) return;
  SUM STORE
}

// DECLINES: WW205
#pragma warpwright matmul tile(64, 64, 64)
__global__ void bit_interleaved(ARGS) {
  int t = threadIdx.x;
  int row = blockIdx.y * 16 + ((t >> 1 & 1) | (t >> 2 & 2) | (t >> 3 & 4) | (t >> 4 & 8));
  int col = blockIdx.x * 16 + ((t & 1) | (t >> 1 & 2) | (t >> 2 & 4) | (t >> 3 & 8));
  if (row >= M || col >= N) return;
  SUM STORE
}

// DECLINES: WW204
#pragma warpwright matmul tile(64, 64, 64)
__global__ void reversed_bits(ARGS) {
  int t = threadIdx.x;
  int row = blockIdx.y * 16 + threadIdx.y;
  int col = blockIdx.x * 16 + (__brev(t) >> 28);
  if (row >= M || col >= N) return;
  SUM STORE
}

// DECLINES: WW205
#pragma warpwright matmul tile(64, 64, 64)
__global__ void n_not_used(ARGS) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M) return;
  float acc = 0; for (int k = 0; k < K; ++k) acc += __half2float(A[row * K + k]) * __half2float(B[k * 48 + col % 48]);
  C[row * 48 + col % 48] = acc;
}

// DECLINES: WW205
#pragma warpwright matmul tile(64, 64, 64)
__global__ void wrap_row(ARGS) {
  int row = (blockIdx.y * blockDim.y + threadIdx.y) % M;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= N) return;
  SUM STORE
}

int main() {
  Product p;
  {  ldc_zero<<<p.grid, p.block>>>(p.A, p.B, p.C, 1,p.N,p.K, 0); p.show("ldc_zero"); }
  {ldc_negative<<<p.grid,p.block>>>(p.A,p.B,p.C+48*39,40,48,64,-48); p.show("ldc_negative");}
  {  lda_small<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 10); p.show("lda_small"); }
  {  lda_zero<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 0); p.show("lda_zero"); }
  {lda_negative<<<p.grid,p.block>>>(p.A+64*39,p.B,p.C,40,48,64,-64); p.show("lda_negative");}
  {  ldb_zero<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 0); p.show("ldb_zero"); }
  {  cs_stride<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 1, 40); p.show("cs_stride"); }
  {  cs_stride_overlap<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 1, 1); p.show("cs_stride_overlap"); }
  {  bias_null<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, nullptr); p.show("bias_null"); }
  {a_null_k0<<<p.grid,p.block>>>(nullptr,nullptr,p.C,p.M,p.N,0); p.show("a_null_k0");}
  {  m_zero<<<p.grid, p.block>>>(p.A, p.B, p.C, 0,p.N,p.K); p.show("m_zero"); }
  {  n_negative<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M,-5,p.K); p.show("n_negative"); }
  {  k_negative<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M,p.N,-5); p.show("k_negative"); }
  {misaligned_a<<<p.grid,p.block>>>(p.A+1,p.B+3,p.C+1,p.M,p.N,p.K); p.show("misaligned_a");}
  {  small_grid<<<dim3(2,1),p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("small_grid"); }
  {  flat_block<<<dim3(1,40),dim3(64,1)>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("flat_block"); }
  {  odd_block<<<dim3(10,10),dim3(7,5)>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("odd_block"); }
  {  bad_block<<<dim3(10,10),dim3(64,64)>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("bad_block"); }
  {  zero_grid<<<dim3(0,10),dim3(16,16)>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("zero_grid"); }
  {  too_much_smem<<<p.grid,p.block,300000>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("too_much_smem"); }
  {  some_smem<<<p.grid,p.block,10000>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("some_smem"); }
  {  blockdim_index<<<p.grid,dim3(32,8)>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("blockdim_index"); }
  {  griddim_pitch<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("griddim_pitch"); }
  {  thread_in_epilogue<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("thread_in_epilogue"); }
  {  block_in_epilogue<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("block_in_epilogue"); }
  {  swapped_xy<<<p.grid,dim3(16,8)>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("swapped_xy"); }
  {  bit_interleaved<<<p.grid,256>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("bit_interleaved"); }
  {  reversed_bits<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("reversed_bits"); }
  {  n_not_used<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("n_not_used"); }
  {  wrap_row<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K); p.show("wrap_row"); }
}
