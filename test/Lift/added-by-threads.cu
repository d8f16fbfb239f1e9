// Outputs whose sum over k several threads compute together: the lanes of a
// warp by shuffles, or the threads of a block in shared memory. Each thread and
// each element must be counted once.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t.yes 2>%t.no
// RUN: FileCheck %s --implicit-check-not="is not rewritten" <%t.no
// RUN: FileCheck %s --check-prefix=LIFTED <%t.yes

#define ARGS const float *A, const float *B, float *C, int M, int N, int K
#define ALL 0xffffffffu

// What each thread sums on its own.
#define SUM(From, Step)                                                        \
  float sum = 0.0f;                                                            \
  for (int k = From; k < K; k += Step)                                         \
    sum += A[row * K + k] * B[k * N + col];

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

template <class T> __device__ T warpSum(T v) {
  for (int offset = 16; offset > 0; offset /= 2)
    v += __shfl_down_sync(ALL, v, offset);
  return v;
}

// LIFTED-LABEL: contraction "warp_for_each_output" {
// LIFTED: index %m < min(M, gridDim.y)
// LIFTED: index %n < min(N, floordiv(blockDim.x, 32) * gridDim.x)
// LIFTED: index %k < K
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
// LIFTED: output C[%m * N + %n]:f32 = acc
// LIFTED: require mod(blockDim.x, 32) == 0
#pragma warpwright matmul
__global__ void warp_for_each_output(ARGS) {
  const int lane = threadIdx.x % 32;
  const int row = blockIdx.y;
  const int col = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= M || col >= N)
    return;
  SUM(lane, 32)
  sum = warpSum(sum);
  if (lane == 0)
    C[row * N + col] = sum;
}

// LIFTED-LABEL: contraction "inverted_bits" {
// LIFTED: index %m < min(M, blockDim.y * gridDim.y)
// LIFTED: index %k < K
// LIFTED: output C[%m * N + %n]:f32 = ((2.0f:f32 * acc) + bias[%n]:f32)
#pragma warpwright matmul
__global__ void inverted_bits(ARGS, const float *bias) {
  const int lane = threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x;
  if (row < M) {
    SUM(lane, 32)
    sum += __shfl_xor_sync(ALL, sum, 1);
    sum = __shfl_xor_sync(ALL, sum, 2) + sum;
    sum += __shfl_xor_sync(ALL, sum, 4);
    sum += __shfl_xor_sync(ALL, sum, 16);
    sum += __shfl_xor_sync(ALL, sum, 8);
    if (!lane)
      C[row * N + col] = 2.0f * sum + bias[col];
  }
}

// The first lane tells the others.
//
// LIFTED-LABEL: contraction "broadcast" {
// LIFTED: index %k < K
#pragma warpwright matmul
__global__ void broadcast(ARGS) {
  const int lane = threadIdx.x & 31, row = blockIdx.y, col = blockIdx.x;
  SUM(lane, 32)
  sum = warpSum(sum);
  const float total = __shfl_sync(ALL, sum, 0);
  if (lane == 0)
    C[row * N + col] = total;
}

// LIFTED-LABEL: contraction "half_a_warp" {
// LIFTED: index %m < gridDim.y
// LIFTED: index %k < K
// LIFTED: require mod(blockDim.x, 32) == 0
#pragma warpwright matmul
__global__ void half_a_warp(ARGS) {
  const int lane = threadIdx.x % 16, row = blockIdx.y;
  const int col = blockIdx.x * (blockDim.x / 16) + threadIdx.x / 16;
  SUM(lane, 16)
  for (int offset = 8; offset > 0; offset >>= 1)
    sum += __shfl_down_sync(ALL, sum, offset, 16);
  if (lane == 0)
    C[row * N + col] = sum;
}

// The lanes begin one element later: another product.
//
// LIFTED-LABEL: contraction "from_the_second" {
// LIFTED: index %k < K - 1
// LIFTED: operand A = A[%m * K + %k + 1]:f32
#pragma warpwright matmul
__global__ void from_the_second(ARGS) {
  const int lane = threadIdx.x % 32, row = blockIdx.y, col = blockIdx.x;
  SUM(lane + 1, 32)
  sum = warpSum(sum);
  if (lane == 0)
    C[row * N + col] = sum;
}

// LIFTED-LABEL: contraction "four_for_each_lane" {
// LIFTED: index %k < 4 * floordiv(K + 3, 4)
// LIFTED: operand B = B[%n * K + %k]:f32
#pragma warpwright matmul
__global__ void four_for_each_lane(ARGS) {
  const int lane = threadIdx.x % 32, row = blockIdx.y, col = blockIdx.x;
  float sum = 0.0f;
  for (int k = 4 * lane; k < K; k += 128) {
    const float4 a = *reinterpret_cast<const float4 *>(&A[row * K + k]);
    const float4 b = *reinterpret_cast<const float4 *>(&B[col * K + k]);
    sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  }
  sum = warpSum(sum);
  if (lane == 0)
    C[row * N + col] = sum;
}

// LIFTED-LABEL: contraction "four_outputs_of_warp" {
// LIFTED: index %m < 8 * gridDim.x
// LIFTED: index %n < 4 * gridDim.y
// LIFTED: index %k < K
#pragma warpwright matmul
__global__ void four_outputs_of_warp(ARGS) {
  const int lane = threadIdx.x, row = blockIdx.x * 8 + threadIdx.y;
  const int col = blockIdx.y * 4;
  float sums[4] = {};
  for (int k = lane; k < K; k += 32)
    for (int i = 0; i < 4; ++i)
      sums[i] += A[row * K + k] * B[(col + i) * K + k];
  for (int i = 0; i < 4; ++i)
    for (int offset = 16; offset > 0; offset /= 2)
      sums[i] += __shfl_down_sync(ALL, sums[i], offset);
  if (lane == 0)
    for (int i = 0; i < 4; ++i)
      C[row * N + col + i] = sums[i];
}

// LIFTED-LABEL: contraction "of_integers" {
// LIFTED: index %k < K
// LIFTED: accumulate i32
#pragma warpwright matmul
__global__ void of_integers(const signed char *A, const signed char *B, int *C,
                            int M, int N, int K) {
  const int lane = threadIdx.x % 32, row = blockIdx.y, col = blockIdx.x;
  int sum = 0;
  for (int k = lane; k < K; k += 32)
    sum += A[row * K + k] * B[col * K + k];
  sum = warpSum(sum);
  if (lane == 0)
    C[row * N + col] = sum;
}

// Lanes 2, 3, 6, 7 and so on are not counted.
//
// CHECK: 'offset_left_out' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void offset_left_out(ARGS) {
  const int lane = threadIdx.x % 32, row = blockIdx.y, col = blockIdx.x;
  SUM(lane, 32)
  for (int offset : {16, 8, 4, 1})
    sum += __shfl_down_sync(ALL, sum, offset);
  if (lane == 0)
    C[row * N + col] = sum;
}

// CHECK: 'lanes_counted_twice' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void lanes_counted_twice(ARGS) {
  const int lane = threadIdx.x % 32, row = blockIdx.y, col = blockIdx.x;
  SUM(lane, 32)
  sum += __shfl_xor_sync(ALL, sum, 16);
  sum += __shfl_xor_sync(ALL, sum, 16);
  sum += __shfl_xor_sync(ALL, sum, 8);
  sum += __shfl_xor_sync(ALL, sum, 4);
  sum += __shfl_xor_sync(ALL, sum, 2);
  if (lane == 0)
    C[row * N + col] = sum;
}

// CHECK: 'half_of_k' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void half_of_k(ARGS) {
  const int lane = threadIdx.x % 32, row = blockIdx.y, col = blockIdx.x;
  SUM(lane, 64)
  sum = warpSum(sum);
  if (lane == 0)
    C[row * N + col] = sum;
}

// CHECK: 'terms_twice' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void terms_twice(ARGS) {
  const int lane = threadIdx.x % 32, row = blockIdx.y, col = blockIdx.x;
  SUM(lane, 16)
  sum = warpSum(sum);
  if (lane == 0)
    C[row * N + col] = sum;
}

// CHECK: 'other_lane' is not rewritten: {{.*}} not have the sum {{.*}}
#pragma warpwright matmul
__global__ void other_lane(ARGS) {
  const int lane = threadIdx.x % 32, row = blockIdx.y, col = blockIdx.x;
  SUM(lane, 32)
  sum = warpSum(sum);
  if (lane == 1)
    C[row * N + col] = sum;
}

// CHECK: 'every_16th_lane' is not rewritten: {{.*}} not have the sum {{.*}}
#pragma warpwright matmul
__global__ void every_16th_lane(ARGS) {
  const int lane = threadIdx.x % 32, row = blockIdx.y, col = blockIdx.x;
  SUM(lane, 32)
  sum = warpSum(sum);
  if (lane % 16 == 0)
    C[row * N + col] = sum;
}

// CHECK: 'lanes_left_out' is not rewritten: '__shfl_down_sync' {{.*}} [WW211]
#pragma warpwright matmul
__global__ void lanes_left_out(ARGS) {
  const int lane = threadIdx.x % 32, row = blockIdx.y, col = blockIdx.x;
  SUM(lane, 32)
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffff, sum, offset);
  if (lane == 0)
    C[row * N + col] = sum;
}

// CHECK: 'some_lanes' is not rewritten: only some threads {{.*}} [WW222]
#pragma warpwright matmul
__global__ void some_lanes(ARGS) {
  const int lane = threadIdx.x % 32, row = blockIdx.y, col = blockIdx.x;
  SUM(lane, 32)
  if (lane < 16)
    sum = warpSum(sum);
  if (lane == 0)
    C[row * N + col] = sum;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

#define TREE(First, Condition, Other, Barrier, Result)                         \
  __shared__ float part[128];                                                  \
  const int t = threadIdx.x, row = blockIdx.y, col = blockIdx.x;               \
  SUM(t, 128)                                                                  \
  part[t] = sum;                                                               \
  __syncthreads();                                                             \
  for (int s = First; s > 0; s >>= 1) {                                        \
    if (Condition)                                                             \
      part[t] += part[Other];                                                  \
    Barrier;                                                                   \
  }                                                                            \
  if (t == 0)                                                                  \
    C[row * N + col] = part[Result];

// LIFTED-LABEL: contraction "tree" {
// LIFTED: index %m < gridDim.y
// LIFTED: index %n < gridDim.x
// LIFTED: index %k < K
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: require blockDim.x == 128
#pragma warpwright matmul
__global__ void tree(ARGS){TREE(64, t < s, t + s, __syncthreads(), 0)}

// CHECK: 'tree_without_barrier' is not rewritten: {{.*}} [WW22{{[13]}}]
#pragma warpwright matmul
__global__ void tree_without_barrier(ARGS){TREE(64, t < s, t + s, , 0)}

// CHECK: 'tree_of_half' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void tree_of_half(ARGS){TREE(32, t < s, t + s, __syncthreads(), 0)}

// CHECK: 'neighbour_beside' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__
    void neighbour_beside(ARGS){TREE(64, t < s, t + s - 1, __syncthreads(), 0)}

// CHECK: 'one_thread_too_many' is not rewritten: {{.*}} [WW22{{[13]}}]
#pragma warpwright matmul
__global__
    void one_thread_too_many(ARGS){TREE(64, t <= s, t + s, __syncthreads(), 0)}

// The sum of every second thread: a product of every second element.
//
// LIFTED-LABEL: contraction "second_part" {
// LIFTED: index %k < floordiv(K, 2)
// LIFTED: operand A = A[%m * K + 2 * %k + 1]:f32
#pragma warpwright matmul
__global__ void second_part(ARGS){TREE(64, t < s, t + s, __syncthreads(), 1)}

// Steps that grow: neighbours first.
#define GROWING(Count, First, Condition, Place, Other, Barrier)                \
  __shared__ float part[128];                                                  \
  const int t = threadIdx.x, row = blockIdx.y, col = blockIdx.x;               \
  SUM(t, Count)                                                                \
  part[t] = sum;                                                               \
  __syncthreads();                                                             \
  for (int s = First; s < Count; s *= 2) {                                     \
    if (Condition)                                                             \
      part[Place] += part[Other];                                              \
    Barrier;                                                                   \
  }                                                                            \
  if (t == 0)                                                                  \
    C[row * N + col] = part[0];

// LIFTED-LABEL: contraction "every_second_thread" {
// LIFTED: index %m < gridDim.y
// LIFTED: index %n < gridDim.x
// LIFTED: index %k < K
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: require blockDim.x == 128
#pragma warpwright matmul
__global__ void every_second_thread(ARGS){
    GROWING(128, 1, t % (2 * s) == 0, t, t + s, __syncthreads())}

// LIFTED-LABEL: contraction "first_threads" {
// LIFTED: index %k < K
// LIFTED: operand B = B[%k * N + %n]:f32
// LIFTED: require blockDim.x == 128
#pragma warpwright matmul
__global__ void first_threads(ARGS){
    GROWING(128, 1, 2 * s * t < 128, 2 * s * t, 2 * s * t + s, __syncthreads())}

// LIFTED-LABEL: contraction "up_to_any_width" {
// LIFTED: index %k < K
// LIFTED: require blockDim.x == 128
#pragma warpwright matmul
__global__ void up_to_any_width(ARGS){
    GROWING(blockDim.x, 1, t % (2 * s) == 0, t, t + s, __syncthreads())}

// CHECK: 'every_thread' is not rewritten: {{.*}} [WW22{{[13]}}]
#pragma warpwright matmul
__global__ void every_thread(ARGS){
    GROWING(128, 1, t % s == 0 && t + s < 128, t, t + s, __syncthreads())}

// CHECK: 'growing_without_barrier' is not rewritten: {{.*}} [WW22{{[13]}}]
#pragma warpwright matmul
__global__ void growing_without_barrier(ARGS){
    GROWING(128, 1, t % (2 * s) == 0, t, t + s, )}

// A product of every second element.
//
// LIFTED-LABEL: contraction "first_step_left_out" {
// LIFTED: index %k < floordiv(K + 1, 2)
// LIFTED: operand A = A[%m * K + 2 * %k]:f32
#pragma warpwright matmul
__global__ void first_step_left_out(ARGS){
    GROWING(128, 2, t % (2 * s) == 0, t, t + s, __syncthreads())}

// CHECK: 'neighbour_too_near' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void neighbour_too_near(ARGS){
    GROWING(128, 1, t % (2 * s) == 0, t, t + (s + 1) / 2, __syncthreads())}

// CHECK: 'half_of_first_threads' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void half_of_first_threads(ARGS){
    GROWING(128, 1, 2 * s * t < 64, 2 * s * t, 2 * s * t + s, __syncthreads())}

// Each thread multiplies two elements.
#define ONE_PRODUCT(Other)                                                     \
  __shared__ float part[128];                                                  \
  const int t = threadIdx.x, row = blockIdx.y, col = blockIdx.x;               \
  part[t] = A[row * 128 + t] * B[t * N + col];                                 \
  __syncthreads();                                                             \
  for (int s = 64; s > 0; s >>= 1) {                                           \
    if (t < s)                                                                 \
      part[t] += part[Other];                                                  \
    __syncthreads();                                                           \
  }                                                                            \
  if (t == 0)                                                                  \
    C[row * N + col] = part[0];

// LIFTED-LABEL: contraction "one_product" {
// LIFTED: index %k < 128
// LIFTED: operand A = A[%k + 128 * %m]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
// LIFTED: require blockDim.x == 128
#pragma warpwright matmul
__global__ void one_product(ARGS){ONE_PRODUCT(t + s)}

// CHECK: 'last_product_twice' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void last_product_twice(ARGS){ONE_PRODUCT(t + s - (s == 32))}

// A thread keeps its own sum in a register as well.
//
// LIFTED-LABEL: contraction "tree_in_registers" {
// LIFTED: index %k < K
// LIFTED: require blockDim.x == 128
#pragma warpwright matmul
__global__ void tree_in_registers(ARGS) {
  __shared__ float part[128];
  const int t = threadIdx.x, row = blockIdx.y, col = blockIdx.x;
  SUM(t, 128)
  part[t] = sum;
  __syncthreads();
  for (int s = 64; s > 0; s >>= 1) {
    if (t < s)
      part[t] = sum = sum + part[t + s];
    __syncthreads();
  }
  if (t == 0)
    C[row * N + col] = sum;
}

// LIFTED-LABEL: contraction "tree_and_warp" {
// LIFTED: index %k < K
// LIFTED: require blockDim.x == 128
#define TREE_AND_WARP(LastStep)                                                \
  __shared__ float part[128];                                                  \
  const int t = threadIdx.x, row = blockIdx.y, col = blockIdx.x;               \
  SUM(t, 128)                                                                  \
  part[t] = sum;                                                               \
  __syncthreads();                                                             \
  for (int s = 64; s >= LastStep; s >>= 1) {                                   \
    if (t < s)                                                                 \
      part[t] += part[t + s];                                                  \
    __syncthreads();                                                           \
  }                                                                            \
  if (t < 32) {                                                                \
    sum = warpSum(part[t]);                                                    \
    if (t == 0)                                                                \
      C[row * N + col] = sum;                                                  \
  }

#pragma warpwright matmul
__global__ void tree_and_warp(ARGS){TREE_AND_WARP(32)}

// CHECK: 'step_left_out' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void step_left_out(ARGS){TREE_AND_WARP(64)}

// The lanes of a warp do not wait for each other.
//
// CHECK: 'no_barriers_in_warp' is not rewritten: {{.*}} [WW221]
#pragma warpwright matmul
__global__ void no_barriers_in_warp(ARGS) {
  __shared__ float part[64];
  const int t = threadIdx.x, row = blockIdx.y, col = blockIdx.x;
  SUM(t, 64)
  part[t] = sum;
  __syncthreads();
  if (t < 32)
    for (int s = 32; s > 0; s >>= 1)
      part[t] += part[t + s];
  if (t == 0)
    C[row * N + col] = part[0];
}

// As many threads as the block has, in the usual blocks.
//
// LIFTED-LABEL: contraction "any_block" {
// LIFTED: index %k < K
// LIFTED: require blockDim.x == 256
#pragma warpwright matmul
__global__ void any_block(ARGS) {
  extern __shared__ float parts[];
  const int t = threadIdx.x, row = blockIdx.y, col = blockIdx.x;
  SUM(t, blockDim.x)
  parts[t] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (t < s)
      parts[t] += parts[t + s];
    __syncthreads();
  }
  if (t == 0)
    C[row * N + col] = parts[0];
}

// The warps first, then one warp for all of them.
//
// LIFTED-LABEL: contraction "warps_of_block" {
// LIFTED: index %m < gridDim.y
// LIFTED: index %k < K
// LIFTED: require mod(blockDim.x, 32) == 0
#define OF_WARPS(Warps)                                                        \
  __shared__ float parts[32];                                                  \
  const int t = threadIdx.x, row = blockIdx.y, col = blockIdx.x;               \
  SUM(t, 256)                                                                  \
  sum = warpSum(sum);                                                          \
  if (t % 32 == 0)                                                             \
    parts[t / 32] = sum;                                                       \
  __syncthreads();                                                             \
  if (t < 32) {                                                                \
    sum = warpSum(t < Warps ? parts[t] : 0.0f);                                \
    if (t == 0)                                                                \
      C[row * N + col] = sum;                                                  \
  }

#pragma warpwright matmul
__global__ void warps_of_block(ARGS){OF_WARPS(8)}

// CHECK: 'warps_left_out' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void warps_left_out(ARGS){OF_WARPS(7)}

// One thread adds up what the others have summed.
//
// LIFTED-LABEL: contraction "one_adds" {
// LIFTED: index %k < K
// LIFTED: require blockDim.x == 64
#define ONE_ADDS(Parts)                                                        \
  __shared__ float part[64];                                                   \
  const int t = threadIdx.x, row = blockIdx.y, col = blockIdx.x;               \
  SUM(t, 64)                                                                   \
  part[t] = sum;                                                               \
  __syncthreads();                                                             \
  if (t == 0) {                                                                \
    float all = 0.0f;                                                          \
    for (int i = 0; i < Parts; ++i)                                            \
      all += part[i];                                                          \
    C[row * N + col] = all;                                                    \
  }

#pragma warpwright matmul
__global__ void one_adds(ARGS){ONE_ADDS(64)}

// CHECK: 'one_leaves_out' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void one_leaves_out(ARGS){ONE_ADDS(63)}

// A few parts are added one by one.
#define ONE_BY_ONE(Sum)                                                        \
  __shared__ float part[4];                                                    \
  const int t = threadIdx.x, row = blockIdx.y, col = blockIdx.x;               \
  SUM(t, 128)                                                                  \
  sum = warpSum(sum);                                                          \
  if (t % 32 == 0)                                                             \
    part[t / 32] = sum;                                                        \
  __syncthreads();                                                             \
  if (t == 0)                                                                  \
    C[row * N + col] = Sum;

// LIFTED-LABEL: contraction "one_by_one" {
// LIFTED: index %k < K
// LIFTED: require blockDim.x - 128 >= 0
#pragma warpwright matmul
__global__
    void one_by_one(ARGS){ONE_BY_ONE(part[0] + part[1] + part[2] + part[3])}

// LIFTED-LABEL: contraction "two_by_two" {
// LIFTED: index %k < K
#pragma warpwright matmul
__global__
    void two_by_two(ARGS){ONE_BY_ONE((part[3] + part[2]) + (part[1] + part[0]))}

// CHECK: 'part_twice' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__
    void part_twice(ARGS){ONE_BY_ONE(part[0] + part[1] + part[2] + part[2])}

// CHECK: 'part_subtracted' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void part_subtracted(ARGS){
    ONE_BY_ONE(part[0] + part[1] + part[2] - part[3])}

// CHECK: 'part_left_out' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void part_left_out(ARGS){ONE_BY_ONE(part[0] + part[1] + part[3])}

// For any block, known for the usual ones.
__device__ float blockSum(float v) {
  static __shared__ float parts[32];
  const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  v = warpSum(v);
  if (lane == 0)
    parts[warp] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / warpSize ? parts[lane] : 0.0f;
  return warp == 0 ? warpSum(v) : v;
}

// LIFTED-LABEL: contraction "block_sum" {
// LIFTED: index %k < K
// LIFTED: require blockDim.x == 256
#pragma warpwright matmul
__global__ void block_sum(ARGS) {
  const int row = blockIdx.y, col = blockIdx.x;
  SUM(threadIdx.x, blockDim.x)
  sum = blockSum(sum);
  if (threadIdx.x == 0)
    C[row * N + col] = sum;
}

// Eight lanes for each output, of which some are beyond the matrix.
//
// LIFTED-LABEL: contraction "eight_lanes" {
// LIFTED: index %n < N
// LIFTED: index %k < K
#pragma warpwright matmul
__global__ void eight_lanes(ARGS) {
  const int number = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
  const int lane = threadIdx.x % 8, row = number / N, col = number % N;
  float sum = 0.0f;
  if (row < M)
    for (int k = lane; k < K; k += 8)
      sum += A[row * K + k] * B[k * N + col];
  sum += __shfl_xor_sync(ALL, sum, 4);
  sum += __shfl_xor_sync(ALL, sum, 2);
  sum += __shfl_xor_sync(ALL, sum, 1);
  if (row < M && lane == 0)
    C[row * N + col] = sum;
}

// Layers of threads that each sum a part of k.
//
// LIFTED-LABEL: contraction "layers" {
// LIFTED: index %m < 16 * gridDim.y
// LIFTED: index %n < 16 * gridDim.x
// LIFTED: index %k < K
// LIFTED: require blockDim.z == 4
#pragma warpwright matmul
__global__ void layers(ARGS) {
  __shared__ float part[4][16][16];
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  const int row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
  SUM(z, 4)
  part[z][y][x] = sum;
  __syncthreads();
  if (z == 0) {
    float all = 0.0f;
    for (int i = 0; i < 4; ++i)
      all += part[i][y][x];
    C[row * N + col] = all;
  }
}

// Two neighbouring columns of each warp, which sums them by shuffles of their
// own, and each of which is guarded by itself.
#define COLUMNS(NAME, SECOND, AT)                                              \
  __global__ void NAME(ARGS) {                                                 \
    const int row = blockIdx.y * 8 + threadIdx.y, col = blockIdx.x * 2;        \
    float a = 0.0f, b = 0.0f;                                                  \
    for (int k = threadIdx.x; k < K; k += 32) {                                \
      const float x = row < M ? A[row * K + k] : 0.0f;                         \
      a += x * (col < N ? B[k * N + col] : 0.0f);                              \
      b += x * (col + 1 < N ? B[k * N + col + SECOND] : 0.0f);                 \
    }                                                                          \
    for (int offset = 16; offset > 0; offset /= 2) {                           \
      a += __shfl_down_sync(ALL, a, offset);                                   \
      b += __shfl_down_sync(ALL, b, offset);                                   \
    }                                                                          \
    if (threadIdx.x == 0) {                                                    \
      if (row < M && col < N)                                                  \
        C[row * N + col] = a;                                                  \
      if (row < M && col + 1 < N)                                              \
        C[row * N + col + AT] = b;                                             \
    }                                                                          \
  }

// LIFTED-LABEL: contraction "two_columns" {
// LIFTED: index %m < min(8 * gridDim.y, M)
// LIFTED: index %n < min(2 * gridDim.x, N)
// LIFTED: operand B = B[%k * N + %n]:f32
// LIFTED: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
COLUMNS(two_columns, 1, 1)

// Each column is stored twice, but the last one where there is no other.
// LIFTED-LABEL: contraction "first_column_twice" {
// LIFTED: operand B = B[%k * N + 2 * %n]:f32
// LIFTED: output C[%m * N + 2 * %n]:f32 = acc when %n < floordiv(N + 1, 2)
// LIFTED: output C[%m * N + 2 * %n + 1]:f32 = acc when %n < floordiv(N, 2)
#pragma warpwright matmul
COLUMNS(first_column_twice, 0, 1)

// CHECK: 'three_apart' is not rewritten: {{.*}} [WW216]
#pragma warpwright matmul
COLUMNS(three_apart, 1, 3)
