// Barriers, however they are written; and those that wait for a part of the
// block.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t.lifted 2>%t.declined
// RUN: FileCheck %s <%t.declined --implicit-check-not="is not rewritten"
// RUN: FileCheck %s --check-prefix=LIFTED <%t.lifted

#define T 16
#define ARGS const float *A, const float *B, float *C, int M, int N, int K
#define KERNEL(First, Second)                                                  \
  __shared__ float As[T][T], Bs[T][T];                                         \
  const int tx = threadIdx.x, ty = threadIdx.y;                                \
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;              \
  float sum = 0.0f;                                                            \
  for (int t = 0; t < K / T; ++t) {                                            \
    As[ty][tx] = A[row * K + t * T + tx];                                      \
    Bs[ty][tx] = B[(t * T + ty) * N + col];                                    \
    First;                                                                     \
    for (int k = 0; k < T; ++k)                                                \
      sum += As[ty][k] * Bs[k][tx];                                            \
    Second;                                                                    \
  }                                                                            \
  C[row * N + col] = sum;

// LIFTED-LABEL: contraction "assembly" {
// LIFTED-LABEL: contraction "numbered" {
// LIFTED: require blockDim.x == 16
// LIFTED: require blockDim.y == 16
#pragma warpwright matmul
__global__ void assembly(ARGS) {
  KERNEL(asm volatile("bar.sync 0;" ::: "memory"),
         asm volatile("barrier.cta.sync 0;\n" ::: "memory"))
}

__device__ void barrier(int number, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}
#pragma warpwright matmul
__global__ void numbered(ARGS) { KERNEL(barrier(1, 256), barrier(2, T *T)) }

// LIFTED-LABEL: contraction "votes" {
#pragma warpwright matmul
__global__ void votes(ARGS) {
  KERNEL(__syncthreads_count(tx), __syncthreads_or(__syncthreads_and(ty)))
}

// CHECK: 'half_of_the_block' is not rewritten: a barrier for a part of the block is not understood [WW201]
#pragma warpwright matmul
__global__ void half_of_the_block(ARGS) {
  KERNEL(barrier(1, 128 * (ty / 8) + 128), __syncthreads())
}

// The launcher asks for a block of 128 threads, and the tiles for one of 256.
//
// CHECK: 'too_few' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void too_few(ARGS) { KERNEL(barrier(1, 128), __syncthreads()) }

// CHECK: 'computed_number' is not rewritten: a barrier whose number is computed is not understood [WW201]
#pragma warpwright matmul
__global__ void computed_number(ARGS) {
  KERNEL(asm volatile("bar.sync %0;" ::"r"(ty / 8) : "memory"),
         __syncthreads())
}

// An arrival alone does not wait.
//
// CHECK: 'arrival' is not rewritten: inline assembly cannot be analysed [WW201]
#pragma warpwright matmul
__global__ void arrival(ARGS) {
  KERNEL(asm volatile("bar.arrive 0, 256;" ::: "memory"), __syncthreads())
}

// CHECK: 'vote_taken' is not rewritten: {{.*}}'__syncthreads_count' gives what other threads computed
#pragma warpwright matmul
__global__ void vote_taken(ARGS) {
  KERNEL(if (__syncthreads_count(tx < 3) > 40) sum += 1.0f, __syncthreads())
}

// CHECK: 'some_threads' is not rewritten: only some threads of a block may reach this barrier [WW222]
#pragma warpwright matmul
__global__ void some_threads(ARGS) {
  KERNEL(if (ty < 8) asm volatile("bar.sync 0;" ::: "memory"), __syncthreads())
}

// Accesses to memory of the block are ordered by barriers alone.
//
// LIFTED-LABEL: contraction "volatile_tiles" {
#pragma warpwright matmul
__global__ void volatile_tiles(ARGS) {
  __shared__ volatile float As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float sum = 0.0f;
  for (int t = 0; t < K / T; ++t) {
    As[ty][tx] = A[row * K + t * T + tx];
    Bs[ty][tx] = B[(t * T + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[row * N + col] = sum;
}

// CHECK: 'volatile_source' is not rewritten: a volatile or atomic load cannot be moved [WW201]
#pragma warpwright matmul
__global__ void volatile_source(const volatile float *A, const float *B,
                                float *C, int M, int N, int K) {
  KERNEL(__syncthreads(), __syncthreads())
}
