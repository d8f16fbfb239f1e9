// Shared arrays that threads do not share: the sum of each thread is kept in an
// element, or a part, of its own.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t.yes 2>%t.no
// RUN: FileCheck %s --implicit-check-not="is not rewritten" <%t.no
// RUN: FileCheck %s --check-prefix=LIFTED <%t.yes

#define T 16
#define KERNEL(NAME, ARRAY, SET, ADD, GET)                                     \
  __global__ void NAME(const float *A, const float *B, float *C, int M, int N, \
                       int K) {                                                \
    __shared__ float As[T][T], Bs[T][T];                                       \
    __shared__ float ARRAY;                                                    \
    const int x = threadIdx.x, y = threadIdx.y, t = y * T + x;                 \
    const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;              \
    SET;                                                                       \
    for (int k0 = 0; k0 < K; k0 += T) {                                        \
      As[y][x] = row < M && k0 + x < K ? A[row * K + k0 + x] : 0.0f;           \
      Bs[y][x] = k0 + y < K && col < N ? B[(k0 + y) * N + col] : 0.0f;         \
      __syncthreads();                                                         \
      for (int k = 0; k < T; ++k)                                              \
        ADD As[y][k] * Bs[k][x];                                               \
      __syncthreads();                                                         \
    }                                                                          \
    if (row < M && col < N)                                                    \
      C[row * N + col] = GET;                                                  \
  }

// LIFTED-LABEL: contraction "plane" {
// LIFTED: index %m < min(16 * gridDim.y, M)
// LIFTED: index %n < min(16 * gridDim.x, N)
// LIFTED: index %k < K
// LIFTED: output C[%m * N + %n]:f32 = acc
// LIFTED: require blockDim.x == 16
// LIFTED: require blockDim.y == 16
#pragma warpwright matmul
KERNEL(plane, Cs[T][T], Cs[y][x] = 0.0f, Cs[y][x] +=, Cs[y][x])

// LIFTED-LABEL: contraction "transposed" {
// LIFTED: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
KERNEL(transposed, Cs[T][T + 1], Cs[x][y] = 0.0f, Cs[x][y] +=, Cs[x][y])

// LIFTED-LABEL: contraction "flat" {
// LIFTED: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
KERNEL(flat, Cs[T * T], Cs[t] = 0.0f, Cs[t] +=, Cs[t])

// A part of two elements, of which the second one is the sum.
//
// LIFTED-LABEL: contraction "of_two" {
// LIFTED: output C[%m * N + %n]:f32 = (acc + 0.0f:f32)
#pragma warpwright matmul
KERNEL(of_two, Cs[T * T][2], Cs[t][1] = Cs[t][0] = 0.0f, Cs[t][1] +=,
       Cs[t][1] + Cs[t][0])

// The number of a thread by the width of the block.
//
// LIFTED-LABEL: contraction "by_width" {
// LIFTED: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
KERNEL(by_width, Cs[T * T], Cs[y * blockDim.x + x] = 0.0f,
       Cs[y * blockDim.x + x] +=, Cs[y * blockDim.x + x])

// All threads of a row have one element.
//
// CHECK: 'for_a_row' is not rewritten: 'Cs' is {{.*}} [WW22
#pragma warpwright matmul
KERNEL(for_a_row, Cs[T], Cs[y] = 0.0f, Cs[y] +=, Cs[y])

// What is stored is another thread's sum.
//
// CHECK: 'of_a_neighbour' is not rewritten: 'Cs' is {{.*}} [WW22
#pragma warpwright matmul
KERNEL(of_a_neighbour, Cs[T][T + 1], Cs[y][x] = 0.0f, Cs[y][x] +=, Cs[y][x + 1])

// CHECK: 'exchanged' is not rewritten: 'Cs' is {{.*}} [WW22
#pragma warpwright matmul
KERNEL(exchanged, Cs[T][T], Cs[y][x] = 0.0f, Cs[y][x] +=, Cs[x][y])

// Parts of two elements begin at every element.
//
// CHECK: 'overlapping' is not rewritten: 'Cs' is {{.*}} [WW22
#pragma warpwright matmul
KERNEL(overlapping, Cs[T * T + 1], Cs[t] = Cs[t + 1] = 0.0f, Cs[t] +=,
       Cs[t] + Cs[t + 1])

// The array is smaller than the block that fills the tiles.
//
// CHECK: 'too_small' is not rewritten: 'Cs' is {{.*}} [WW22
#pragma warpwright matmul
KERNEL(too_small, Cs[T * T / 2], Cs[t] = 0.0f, Cs[t] +=, Cs[t])

// The sum is not set before it is added to.
//
// CHECK: 'not_set' is not rewritten: {{.*}} [WW
#pragma warpwright matmul
KERNEL(not_set, Cs[T][T], , Cs[y][x] +=, Cs[y][x])
