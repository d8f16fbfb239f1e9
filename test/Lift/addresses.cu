// Arrays that become zero piece by piece, pointers that a loop moves, pitches in
// bytes. What is not whole elements is declined.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse > %t 2> %t.messages
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --input-file=%t.messages --check-prefix=DECLINED

#include <cuda_fp16.h>

#define T 16

// An array whose first element is set to the zero that it has.
// CHECK: contraction "zero_first" {
// CHECK: index %k < 16 * floordiv(K + 15, 16)
// CHECK: accumulate f32 for f16
#pragma warpwright matmul
__global__ void zero_first(const half *A, const half *B, half *C, int N, int K) {
  __shared__ half As[T][T], Bs[T][T];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * T + y * 4, col = blockIdx.x * T + x * 4;
  half sums[4][4] = {__float2half(0.0f)};
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        As[y * 4 + i][x * 4 + j] = A[(row + i) * K + k0 + x * 4 + j];
        Bs[y * 4 + i][x * 4 + j] = B[(k0 + y * 4 + i) * N + col + j];
      }
    __syncthreads();
    for (int k = 0; k < T; ++k)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          sums[i][j] = __hfma(As[y * 4 + i][k], Bs[k][x * 4 + j], sums[i][j]);
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      C[(row + i) * N + col + j] = sums[i][j];
}

// What is zero for all threads stays so for those that pass the sum.
// CHECK: contraction "zeros_before_condition" {
// CHECK: select(flag != 0, f16(acc), int.f16(0))
// CHECK: require flag != 0
#pragma warpwright matmul
__global__ void zeros_before_condition(const half *A, const half *B, half *C,
                                       int N, int K, int flag) {
  const int row = blockIdx.y * T + threadIdx.y * 4,
            col = blockIdx.x * blockDim.x + threadIdx.x;
  half sums[4] = {__float2half(0.0f)};
  if (flag)
    for (int k = 0; k < K; ++k)
      for (int i = 0; i < 4; ++i)
        sums[i] = __hfma(A[(row + i) * K + k], B[k * N + col], sums[i]);
  for (int i = 0; i < 4; ++i)
    C[(row + i) * N + col] = sums[i];
}

// DECLINED: 'one_first' is not rewritten: 'sums' is read here at an element that an earlier store may have changed
#pragma warpwright matmul
__global__ void one_first(const half *A, const half *B, half *C, int N, int K) {
  const int row = blockIdx.y * T + threadIdx.y * 4,
            col = blockIdx.x * blockDim.x + threadIdx.x;
  half sums[4] = {__float2half(1.0f)};
  for (int k = 0; k < K; ++k)
    for (int i = 0; i < 4; ++i)
      sums[i] = __hfma(A[(row + i) * K + k], B[k * N + col], sums[i]);
  for (int i = 0; i < 4; ++i)
    C[(row + i) * N + col] = sums[i];
}

// A pointer that a loop moves by rows.
// CHECK: contraction "moved_output" {
// CHECK: output C[%m * ldc + %n]:f32 = acc
#pragma warpwright matmul
__global__ void moved_output(const float *A, const float *B, float *C, int ldc,
                             int K) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j0 = blockIdx.y * 16;
  C += i + j0 * ldc;
  float c[16] = {0};
  for (int k = 0; k < K; ++k)
    for (int j = 0; j < 16; ++j)
      c[j] += A[i * K + k] * B[k * ldc + j0 + j];
  for (int j = 0; j < 16; ++j, C += ldc)
    C[0] = c[j];
}

// Rows whose pitch is in bytes.
// CHECK: contraction "pitches" {
// CHECK: operand A = A[%m * floordiv(pa, 4) + %k]:f32
// CHECK: output C[%m * floordiv(pc, 4) + %n]:f32 = acc
// CHECK: require mod(pa, 4) == 0 : "pa is not a multiple of 4"
// CHECK: require mod(pc, 4) == 0 : "pc is not a multiple of 4"
#pragma warpwright matmul
__global__ void pitches(const float *A, size_t pa, const float *B, float *C,
                        size_t pc, int K) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x,
            j = blockIdx.y * blockDim.y + threadIdx.y;
  const float *row = (const float *)((const char *)A + i * pa);
  float c = 0;
  for (int k = 0; k < K; ++k)
    c += row[k] * B[k * K + j];
  *((float *)((char *)C + i * pc) + j) = c;
}

// DECLINED: 'two_bytes_off' is not rewritten: 'C' is written as another type [WW207]
#pragma warpwright matmul
__global__ void two_bytes_off(const float *A, const float *B, float *C,
                              size_t pc, int K) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x,
            j = blockIdx.y * blockDim.y + threadIdx.y;
  float c = 0;
  for (int k = 0; k < K; ++k)
    c += A[i * K + k] * B[k * K + j];
  *((float *)((char *)C + i * pc + 2) + j) = c;
}

// The same through tiles, whose rows are those of blocks and of threads: the launcher
// asks for whole elements of each pitch.
#define AT(P, ROW, PITCH, COL)                                                 \
  (*((const float *)((const char *)P + (ROW) * PITCH) + (COL)))
#define PITCHED(A_AT, B_AT)                                                    \
  __shared__ float As[T][T], Bs[T][T];                                         \
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty,     \
            col = blockIdx.x * T + tx;                                         \
  float sum = 0.0f;                                                            \
  for (int t = 0; t < K; t += T) {                                             \
    As[ty][tx] = row < M && t + tx < K ? A_AT : 0.0f;                          \
    Bs[ty][tx] = t + ty < K && col < N ? B_AT : 0.0f;                          \
    __syncthreads();                                                           \
    for (int k = 0; k < T; k++)                                                \
      sum += As[ty][k] * Bs[k][tx];                                            \
    __syncthreads();                                                           \
  }                                                                            \
  if (row < M && col < N)                                                      \
    C[row * N + col] = sum;
#define PITCHED_ARGS                                                           \
  const float *A, size_t pa, const float *B, size_t pb, float *C, int M,       \
      int N, int K

// CHECK: contraction "pitched_tiles" {
// CHECK: index %m < min(16 * gridDim.y, M)
// CHECK: index %k < K
// CHECK: operand A = A[%m * floordiv(pa, 4) + %k]:f32
// CHECK: operand B = B[%k * floordiv(pb, 4) + %n]:f32
// CHECK: require mod(pa, 4) == 0 : "pa is not a multiple of 4"
// CHECK: require mod(pb, 4) == 0 : "pb is not a multiple of 4"
#pragma warpwright matmul
__global__ void pitched_tiles(PITCHED_ARGS) {
  PITCHED(AT(A, row, pa, t + tx), AT(B, t + ty, pb, col))
}

// DECLINED: 'between_elements' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void between_elements(PITCHED_ARGS) {
  PITCHED(AT(A, row, pa + 2, t + tx), AT(B, t + ty, pb, col))
}

// Columns in bytes as well, of which three in four are in the middle of an element.
// DECLINED: 'columns_in_bytes' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void columns_in_bytes(PITCHED_ARGS) {
  PITCHED(*(const float *)((const char *)A + row * pa + t + tx),
          AT(B, t + ty, pb, col))
}
