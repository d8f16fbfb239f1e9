// Tiles that are filled by vectors where these fit and are aligned, and
// otherwise by single elements.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t.lifted 2>%t.declined
// RUN: FileCheck %s <%t.declined --implicit-check-not="is not rewritten"
// RUN: FileCheck %s --check-prefix=LIFTED <%t.lifted

#include <cuda_pipeline.h>

#define T 16
// Each of 16 x 4 threads fills four elements of a row of either tile.
#define KERNEL(FitsA, InsideA, FitsB, InsideB, COPY)                           \
  __shared__ __align__(16) float As[T][T], Bs[T][T];                           \
  const int tid = threadIdx.y * 16 + threadIdx.x, r = tid / 4, c = tid % 4 * 4; \
  const int row = blockIdx.y * T + r, col = blockIdx.x * T + c;                \
  float sum[4] = {};                                                           \
  for (int k0 = 0; k0 < K; k0 += T) {                                          \
    if (FitsA) {                                                               \
      COPY(As[r][c], A[row * K + k0 + c])                                      \
    } else                                                                     \
      for (int j = 0; j < 4; ++j)                                              \
        As[r][c + j] = InsideA ? A[row * K + k0 + c + j] : 0.0f;               \
    if (FitsB) {                                                               \
      COPY(Bs[r][c], B[(k0 + r) * N + col])                                    \
    } else                                                                     \
      for (int j = 0; j < 4; ++j)                                              \
        Bs[r][c + j] = InsideB ? B[(k0 + r) * N + col + j] : 0.0f;             \
    __pipeline_commit();                                                       \
    __pipeline_wait_prior(0);                                                  \
    __syncthreads();                                                           \
    for (int k = 0; k < T; ++k)                                                \
      for (int i = 0; i < 4; ++i)                                              \
        sum[i] += As[threadIdx.y + 4 * i][k] * Bs[k][threadIdx.x];             \
    __syncthreads();                                                           \
  }                                                                            \
  const int to = blockIdx.x * T + threadIdx.x;                                 \
  for (int i = 0; i < 4; ++i)                                                  \
    if (blockIdx.y * T + threadIdx.y + 4 * i < M && to < N)                    \
      C[(blockIdx.y * T + threadIdx.y + 4 * i) * N + to] = sum[i];
#define VECTOR(To, From) *(float4 *)&To = *(const float4 *)&From;
#define ASYNC(To, From) __pipeline_memcpy_async(&To, &From, 16);
#define ARGS const float *A, const float *B, float *C, int M, int N, int K

// LIFTED-LABEL: contraction "fitting" {
// LIFTED: index %m < min(16 * gridDim.y, M)
// LIFTED: index %n < min(16 * gridDim.x, N)
// LIFTED: index %k < K
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
// LIFTED-NOT: 0 beyond
#pragma warpwright matmul
__global__ void fitting(ARGS) {
  KERNEL(row < M && k0 + c + 3 < K, (row < M && k0 + c + j < K),
         k0 + r < K && col + 3 < N, (k0 + r < K && col + j < N), VECTOR)
}

// A row begins at a whole vector only where K and N are multiples of four.
//
// LIFTED-LABEL: contraction "aligned" {
// LIFTED: index %k < K
// LIFTED: operand B = B[%k * N + %n]:f32
// LIFTED-NOT: 0 beyond
#pragma warpwright matmul
__global__ void aligned(ARGS) {
  KERNEL(row < M && k0 + c + 3 < K && ((row * K + k0 + c) & 3) == 0,
         (row < M && k0 + c + j < K),
         k0 + r < K && col + 3 < N && ((k0 + r) * N + col) % 4 == 0,
         (k0 + r < K && col + j < N), VECTOR)
}

// LIFTED-LABEL: contraction "aligned_copies" {
// LIFTED: index %k < K
// LIFTED: operand B = B[%k * N + %n]:f32
// LIFTED-NOT: 0 beyond
#pragma warpwright matmul
__global__ void aligned_copies(ARGS) {
  KERNEL(row < M && k0 + c + 3 < K && ((row * K + k0 + c) & 3) == 0,
         (row < M && k0 + c + j < K),
         k0 + r < K && col + 3 < N && (((k0 + r) * N + col) & 3) == 0,
         (k0 + r < K && col + j < N), ASYNC)
}

// Rows that are not aligned are cleared.
//
// CHECK: 'cleared' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void cleared(ARGS) {
  KERNEL(row < M && k0 + c + 3 < K && ((row * K + k0 + c) & 3) == 0, (false),
         k0 + r < K && col + 3 < N, (k0 + r < K && col + j < N), VECTOR)
}

// Single elements are copied beyond the end, so vectors are of elements that
// single ones would not be.
//
// LIFTED-LABEL: contraction "one_more" {
// LIFTED: index %k < {{.*}}K
// LIFTED: 0 beyond
#pragma warpwright matmul
__global__ void one_more(ARGS) {
  KERNEL(row < M && k0 + c + 3 < K, (row < M && k0 + c + j <= K),
         k0 + r < K && col + 3 < N, (k0 + r < K && col + j < N), VECTOR)
}

// The copy and the stores are not made by one condition and its opposite.
//
// CHECK: 'both' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void both(ARGS) {
  __shared__ __align__(16) float As[T][T], Bs[T][T];
  const int tid = threadIdx.y * 16 + threadIdx.x, r = tid / 4, c = tid % 4 * 4;
  const int row = blockIdx.y * T + r, col = blockIdx.x * T + c;
  float sum[4] = {};
  for (int k0 = 0; k0 < K; k0 += T) {
    if (row < M && k0 + c + 3 < K && ((row * K + k0 + c) & 3) == 0)
      __pipeline_memcpy_async(&As[r][c], &A[row * K + k0 + c], 16);
    if (!(row < M && k0 + c + 3 < K && ((row * K + k0 + c) & 1) == 0))
      for (int j = 0; j < 4; ++j)
        As[r][c + j] = row < M && k0 + c + j < K ? A[row * K + k0 + c + j] : 0;
    for (int j = 0; j < 4; ++j)
      Bs[r][c + j] =
          k0 + r < K && col + j < N ? B[(k0 + r) * N + col + j] : 0.0f;
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      for (int i = 0; i < 4; ++i)
        sum[i] += As[threadIdx.y + 4 * i][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  const int to = blockIdx.x * T + threadIdx.x;
  for (int i = 0; i < 4; ++i)
    if (blockIdx.y * T + threadIdx.y + 4 * i < M && to < N)
      C[(blockIdx.y * T + threadIdx.y + 4 * i) * N + to] = sum[i];
}
