// Arrays that are one another, or overlap.

#include "attack.h"

// The bias is C itself.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void c_is_bias(ARGS, const float *bias) {
  PLACE
  SUM
  C[row * N + col] = acc + bias[row * N + col];
}

// The bias is C, read one element to the left before the barrier.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void c_is_bias_shifted(ARGS, const float *bias) {
  PLACE
  SUM
  float left = bias[row * N + col];
  C[row * N + col] = acc + left;
}

// The bias is the operand's memory.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void bias_is_operand(ARGS, const __half *bias) {
  PLACE
  SUM
  C[row * N + col] = acc + __half2float(bias[col]);
}

// Two outputs in one array.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void two_outputs_overlap(ARGS, float *D) {
  PLACE
  SUM
  C[row * N + col] = acc;
  D[row * N + col] = -acc;
}

// The second output is the first.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void two_outputs_same(ARGS, float *D) {
  PLACE
  SUM
  C[row * N + col] = acc;
  D[row * N + col] = acc + 1.0f;
}

// D is read after C was stored, and is C.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void read_after_store(ARGS, float *D) {
  PLACE
  SUM
  C[row * N + col] = acc;
  D[row * N + col] = D[row * N + col] + 1.0f;
}

// A times its transpose.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void a_is_b(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(A[col * K + k]);
  STORE
}

// Both operands are one array.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void same_pointer_twice(ARGS) {
  PLACE
  SUM
  STORE
}

// __restrict__ parameters.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void restrict_promise(const __half *__restrict__ A, const __half
    *__restrict__ B, float *__restrict__ C, int M, int N, int K) {
  PLACE
  SUM
  STORE
}

// Rows of C that overlap: a pitch one too small.
// DECLINES: WW|.*
#pragma warpwright matmul tile(64, 64, 64)
__global__ void wrong_pitch_rows(ARGS) {
  PLACE
  SUM
  if (col > 0 || row == 0)
    C[row * (N - 1) + col] = acc;
}

// No guard on the columns: threads beyond N write into the next row.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void missing_guard(ARGS) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M)
    return;
  SUM
  STORE
}

// C is stored transposed.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void transposed_output(ARGS) {
  PLACE
  SUM
  C[col * M + row] = acc;
}

// C is stored upside down.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void reversed_rows(ARGS) {
  PLACE
  SUM
  C[(M - 1 - row) * N + col] = acc;
}

// A is read with a pitch that is negative.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void negative_pitch(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[(M - 1) * K - row * K + k]) * __half2float(B[k * N + col]);
  STORE
}

int main() {
  Product p;
  c_is_bias<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, p.C);
  p.show("c_is_bias");
  c_is_bias_shifted<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, p.C +
      0);
  p.show("c_is_bias_shifted");
  bias_is_operand<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, p.A);
  p.show("bias_is_operand");
  two_outputs_overlap<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, p.C +
      40 * 48);
  p.show("two_outputs_overlap");
  two_outputs_same<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, p.C);
  p.show("two_outputs_same");
  read_after_store<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, p.C);
  p.show("read_after_store");
  a_is_b<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("a_is_b");
  same_pointer_twice<<<p.grid, p.block>>>(p.A, p.A, p.C, p.M, p.N, 48);
  p.show("same_pointer_twice");
  restrict_promise<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("restrict_promise");
  wrong_pitch_rows<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("wrong_pitch_rows");
  missing_guard<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("missing_guard");
  transposed_output<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("transposed_output");
  reversed_rows<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("reversed_rows");
  negative_pitch<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("negative_pitch");
}
