// Blocks numbered along x in groups of rows: the smaller of two numbers,
// however it is written. Kernels that are almost like these have other rows in
// the last group, or compare other numbers than those of which they take one.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t.yes 2>%t.no
// RUN: FileCheck %s --implicit-check-not="is not rewritten" <%t.no
// RUN: FileCheck %s --check-prefix=LIFTED <%t.yes

#include <algorithm>

#define T 16
#define GROUP 8
#define ARGS const float *A, const float *B, float *C, int M, int N, int K

#define KERNEL(Int, Height)                                                    \
  const Int pid = blockIdx.x;                                                  \
  const Int rows = (M + T - 1) / T, columns = (N + T - 1) / T;                 \
  const Int in_group = GROUP * columns;                                        \
  const Int first = pid / in_group * GROUP;                                    \
  Height;                                                                      \
  const Int block_row = first + pid % in_group % height;                       \
  const Int block_column = pid % in_group / height;                            \
  const int row = block_row * T + threadIdx.y;                                 \
  const int col = block_column * T + threadIdx.x;                              \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  float sum = 0.0f;                                                            \
  for (int k = 0; k < K; ++k)                                                  \
    sum += A[row * K + k] * B[k * N + col];                                    \
  C[row * N + col] = sum;

// LIFTED-LABEL: contraction "less" {
// LIFTED: index %m < M
// LIFTED: index %n < N
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: require gridDim.x == floordiv(M + 15, 16) * floordiv(N + 15, 16)
#pragma warpwright matmul
__global__ void less(ARGS){
    KERNEL(int, const int height = rows - first < GROUP ? rows - first : GROUP)}

// LIFTED-LABEL: contraction "less_or_equal" {
// LIFTED: index %m < M
#pragma warpwright matmul
__global__ void less_or_equal(ARGS){
    KERNEL(int,
           const int height = rows - first <= GROUP ? rows - first : GROUP)}

// LIFTED-LABEL: contraction "greater" {
// LIFTED: index %m < M
#pragma warpwright matmul
__global__ void greater(ARGS){
    KERNEL(int, const int height = rows - first > GROUP ? GROUP : rows - first)}

// LIFTED-LABEL: contraction "greater_or_equal" {
// LIFTED: index %m < M
#pragma warpwright matmul
__global__ void greater_or_equal(ARGS){
    KERNEL(int,
           const int height = rows - first >= GROUP ? GROUP : rows - first)}

// LIFTED-LABEL: contraction "sides_exchanged" {
// LIFTED: index %m < M
#pragma warpwright matmul
__global__ void sides_exchanged(ARGS){
    KERNEL(int, const int height = GROUP < rows - first ? GROUP : rows - first)}

// LIFTED-LABEL: contraction "end_of_group" {
// LIFTED: index %m < M
#pragma warpwright matmul
__global__ void end_of_group(ARGS){
    KERNEL(int,
           const int height = first + GROUP <= rows ? GROUP : rows - first)}

// LIFTED-LABEL: contraction "assigned" {
// LIFTED: index %m < M
#pragma warpwright matmul
__global__ void assigned(ARGS) {
  KERNEL(int, int height = GROUP;
         if (rows - first < GROUP) height = rows - first)
}

// LIFTED-LABEL: contraction "if_and_else" {
// LIFTED: index %m < M
#pragma warpwright matmul
__global__ void if_and_else(ARGS) {
  KERNEL(int, int height; if (first + GROUP < rows) height = GROUP;
         else height = rows - first)
}

// LIFTED-LABEL: contraction "by_reference" {
// LIFTED: index %m < M
#pragma warpwright matmul
__global__ void by_reference(ARGS){
    KERNEL(int, const int height = std::min(rows - first, GROUP))}

// Where 8 rows are left, both are 8.
//
// LIFTED-LABEL: contraction "tie" {
// LIFTED: index %m < M
#pragma warpwright matmul
__global__ void tie(ARGS){
    KERNEL(int,
           const int height = rows - first < GROUP + 1 ? rows - first : GROUP)}

// A group of nine rows, if nine are left.
//
// CHECK: 'nine' is not rewritten: {{.*}} [WW204]
#pragma warpwright matmul
__global__ void nine(ARGS){
    KERNEL(int,
           const int height = rows - first < GROUP + 2 ? rows - first : GROUP)}

// A group of eight rows, if seven are left.
//
// CHECK: 'not_seven' is not rewritten: {{.*}} [WW204]
#pragma warpwright matmul
__global__ void not_seven(ARGS){
    KERNEL(int,
           const int height = rows - first < GROUP - 1 ? rows - first : GROUP)}

// CHECK: 'larger' is not rewritten: {{.*}} [WW204]
#pragma warpwright matmul
__global__ void larger(ARGS){
    KERNEL(int, const int height = rows - first < GROUP ? GROUP : rows - first)}

// CHECK: 'other_number' is not rewritten: {{.*}} [WW204]
#pragma warpwright matmul
__global__ void other_number(ARGS){
    KERNEL(int, const int height = rows - pid < GROUP ? rows - first : GROUP)}

// CHECK: 'other_group' is not rewritten: {{.*}} [WW204]
#pragma warpwright matmul
__global__ void other_group(ARGS){
    KERNEL(int, const int height = 2 * (rows - first) < GROUP ? rows - first
                                                              : GROUP)}

// An element that is kept in the matrix on both sides.
//
// LIFTED-LABEL: contraction "clamped_twice" {
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
__global__ void clamped_twice(ARGS) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  int from = row < M - 1 ? row : M - 1;
  if (from < 0)
    from = 0;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += A[from * K + k] * B[k * N + (col > N - 1 ? N - 1 : col)];
  if (row < M && col < N)
    C[row * N + col] = sum;
}

// The first row for all of them.
//
// CHECK: 'clamped_to_first' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void clamped_to_first(ARGS) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int from = row < 0 ? row : 0;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += A[from * K + k] * B[k * N + col];
  if (row < M && col < N)
    C[row * N + col] = sum;
}

// Numbers without a sign, and tiles: the load of B is at a row that is a
// thread's, and at a column that is a block's and a thread's.
#define TILED(Height)                                                          \
  __shared__ float As[T][T], Bs[T][T];                                         \
  const unsigned pid = blockIdx.x;                                             \
  const unsigned rows = (M + T - 1) / T, columns = (N + T - 1) / T;            \
  const unsigned in_group = GROUP * columns;                                   \
  const unsigned first = pid / in_group * GROUP;                               \
  const unsigned height = Height;                                              \
  const int tx = threadIdx.x, ty = threadIdx.y;                                \
  const int row = (first + pid % in_group % height) * T + ty;                  \
  const int col = pid % in_group / height * T + tx;                            \
  float sum = 0.0f;                                                            \
  for (int k = 0; k < K; k += T) {                                             \
    As[ty][tx] = row < M && k + tx < K ? A[row * K + k + tx] : 0.0f;           \
    Bs[ty][tx] = col < N && k + ty < K ? B[(k + ty) * N + col] : 0.0f;         \
    __syncthreads();                                                           \
    for (int i = 0; i < T; ++i)                                                \
      sum += As[ty][i] * Bs[i][tx];                                            \
    __syncthreads();                                                           \
  }                                                                            \
  if (row < M && col < N)                                                      \
    C[row * N + col] = sum;

// LIFTED-LABEL: contraction "unsigned_minimum" {
// LIFTED: index %m < M
// LIFTED: index %n < N
// LIFTED: operand B = B[%k * N + %n]:f32
// LIFTED: require gridDim.x == floordiv(M + 15, 16) * floordiv(N + 15, 16)
// LIFTED: require 16 * N * floordiv(K + 15, 16) - N + 16 * floordiv(N + 15, 16)
#pragma warpwright matmul
__global__ void unsigned_minimum(ARGS){TILED(min(rows - first, GROUP))}

// LIFTED-LABEL: contraction "unsigned_end_of_group" {
// LIFTED: index %m < M
#pragma warpwright matmul
__global__ void unsigned_end_of_group(ARGS){
    TILED(first + GROUP > rows ? rows - first : GROUP)}

// LIFTED-LABEL: contraction "unsigned_less" {
// LIFTED: index %m < M
#pragma warpwright matmul
__global__
    void unsigned_less(ARGS){TILED(rows - first < GROUP ? rows - first : GROUP)}

// The difference is a large number where it should be a small one.
//
// CHECK: 'unsigned_exchanged' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void unsigned_exchanged(ARGS){TILED(min(first - rows, GROUP))}

// CHECK: 'unsigned_maximum' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void unsigned_maximum(ARGS) {
  TILED(max(rows - first, GROUP))
}
