// Integers that come from comparisons, sums or memory.

#include "attack.h"

// The sum times whether it is positive.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void integer_of_comparison(ARGS) {
  PLACE
  SUM
  int keep = acc > 0.0f;
  C[row * N + col] = keep * acc;
}

// A bias that the sign of the sum chooses.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void index_from_sum(ARGS, const float *bias) {
  PLACE
  SUM
  C[row * N + col] = acc + bias[acc > 0.0f ? 1 : 0];
}

// A factor that depends on the sum so far.
// DECLINES: WW2
#pragma warpwright matmul tile(64, 64, 64)
__global__ void keep_from_running_sum(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) {
    int keep = acc < 10.0f;
    acc += TERM * keep;
  }
  STORE
}

// A factor that is the comparison of an element.
// DECLINES: WW310
#pragma warpwright matmul tile(64, 64, 32)
__global__ void keep_from_data(ARGS, const float *m) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) {
    int keep = m[k] > 0.0f;
    acc += TERM * keep;
  }
  STORE
}

// The columns end where an element in memory says.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void guard_from_data(ARGS, const float *flag) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int end = flag[0] > 0.0f ? N : 8;
  if (row < M && col < end) {
    SUM
    STORE
  }
}

// The depth is in memory.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void depth_from_data(ARGS, const int *length) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int end = length[0] != 0 ? K : 8;
  if (row < M && col < N) {
    float acc = 0.0f;
    for (int k = 0; k < end; ++k)
      acc += TERM;
    STORE
  }
}

// The pitch is in memory.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void pitch_from_data(ARGS, const int *length) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int ld = length[0] != 0 ? K : 8;
  if (row < M && col < N) {
    float acc = 0.0f;
    for (int k = 0; k < K; ++k)
      acc += __half2float(A[row * ld + k]) * __half2float(B[k * N + col]);
    STORE
  }
}

// Which columns are stored depends on the sum.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void guard_from_sum(ARGS) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    SUM
    int end = acc > 0.0f ? N : 8;
    if (col < end)
      STORE
  }
}

// Where a row is stored is in memory.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void output_from_data(ARGS, const int *length) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float *at = C + (length[row] != 0 ? 0 : 4096);
    SUM
    at[row * N + col] = acc;
  }
}

// Every row has a length of its own.
// DECLINES: WW2
#pragma warpwright matmul tile(64, 64, 64)
__global__ void rows_per_block_from_data(ARGS, const int *length) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < length[row]; ++k)
    acc += TERM;
  STORE
}

// The rows are permuted by an index array.
// DECLINES: WW2
#pragma warpwright matmul tile(64, 64, 64)
__global__ void permuted_rows(ARGS, const int *at) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[at[row] * K + k]) * __half2float(B[k * N + col]);
  STORE
}

// __clz and __popc of the column.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void count_leading_zeros(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc + __clz(col) * 8 + __popc(row);
}

// The sum cut to an int and divided.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void float_to_int_of_sum(ARGS) {
  PLACE
  SUM
  int s = (int)acc;
  C[row * N + col] = s / 3 + s % 4;
}

// A guard that compares pointers.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void comparison_of_pointers(ARGS) {
  PLACE
  SUM
  if (C + row < C + col)
    acc += 1.0f;
  STORE
}

// A bias that is added where its pointer is not null.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void null_or_not(ARGS, const float *bias, const float *other) {
  PLACE
  SUM
  if (bias)
    acc += bias[col];
  if (!other)
    acc += 2.0f;
  STORE
}

// The alignment of a pointer as a number.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void pointer_as_integer(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc + (float)((uintptr_t)&A[row * K] % 128);
}

int main() {
  Product p;
  integer_of_comparison<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("integer_of_comparison");
  index_from_sum<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K,
      p.floats(p.N, -4, 4));
  p.show("index_from_sum");
  keep_from_running_sum<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("keep_from_running_sum");
  keep_from_data<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K,
      p.floats(p.K, -2, 2));
  p.show("keep_from_data");
  guard_from_data<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K,
      p.floats(4, -1, -1));
  p.show("guard_from_data");
  depth_from_data<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, p.ints(4,
      0, 0));
  p.show("depth_from_data");
  pitch_from_data<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, p.ints(4,
      0, 0));
  p.show("pitch_from_data");
  guard_from_sum<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("guard_from_sum");
  output_from_data<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K,
      p.ints(p.M, 0, 1));
  p.show("output_from_data");
  rows_per_block_from_data<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K,
      p.ints(p.M, 0, p.K));
  p.show("rows_per_block_from_data");
  permuted_rows<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, p.ints(p.M,
      0, p.M - 1));
  p.show("permuted_rows");
  count_leading_zeros<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("count_leading_zeros");
  float_to_int_of_sum<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("float_to_int_of_sum");
  comparison_of_pointers<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("comparison_of_pointers");
  null_or_not<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, p.floats(p.N,
      -4, 4), nullptr);
  p.show("null_or_not");
  pointer_as_integer<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("pointer_as_integer");
}
