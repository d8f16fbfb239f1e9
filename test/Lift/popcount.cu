// Bits of two words that are counted: a sum of counts of words is a sum of products
// of bits, along which k runs.
// RUN: not %warpwright rewrite --emit=contraction %s -- %parse 2>%t.err | FileCheck %s --implicit-check-not=contraction
// RUN: FileCheck %s --check-prefix=ERR < %t.err

#define PLACE                                                                  \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  int acc = 0;
#define ARGS(T, V) const T *A, const T *B, V *C, int M, int N, int K

// A bit counts where both words have it: one product.
// CHECK-LABEL: contraction "common"
// CHECK: index %k < 32 * K
// CHECK-NEXT: operand A = A[%m * K + floordiv(%k, 32)]:u32 as i32(((A[%m * K + floordiv(%k, 32)]:u32 >> int.i32(mod(%k, 32))) & int.u32(1)))
// CHECK-NEXT: operand B = B[%n * K + floordiv(%k, 32)]:u32 as i32((({{.*}} >> int.i32(mod(%k, 32))) & int.u32(1)))
// CHECK-NEXT: accumulate i32{{$}}
// CHECK: output C[%m * N + %n]:i32 = acc
#pragma warpwright matmul
__global__ void common(ARGS(unsigned, int)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += __popc(A[row * K + k] & B[col * K + k]);
  C[row * N + col] = acc;
}

// Or where one of them has it: two.
// CHECK-LABEL: contraction "different"
// CHECK: index %k < 32 * K
// CHECK-NEXT: operand A = A[{{.*}}]:i32 as (int.i32(1) - ((
// CHECK-NEXT: operand B = B[N * floordiv(%k, 32) + %n]:i32 as (({{.*}}:i32 >> int.i32(mod(%k, 32))) & int.i32(1))
// CHECK-NEXT: plus
// CHECK-NEXT: operand A = A[{{.*}}]:i32 as ((
// CHECK-NEXT: operand B = B[{{.*}}]:i32 as (int.i32(1) - ((
// CHECK-NEXT: accumulate i32{{$}}
// CHECK: output C[%m * N + %n]:i32 = (int.i32(32 * K) - (int.i32(2) * acc))
#pragma warpwright matmul
__global__ void different(ARGS(int, int)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += __popc(A[row * K + k] ^ B[k * N + col]);
  C[row * N + col] = 32 * K - 2 * acc;
}

// Both or none.
// CHECK-LABEL: contraction "alike"
// CHECK: operand A = {{.*}} as i32(
// CHECK-NEXT: operand B = {{.*}} as i32(
// CHECK-NEXT: plus
// CHECK-NEXT: operand A = {{.*}} as (int.i32(1) - i32(
// CHECK-NEXT: operand B = {{.*}} as (int.i32(1) - i32(
#pragma warpwright matmul
__global__ void alike(ARGS(unsigned, int)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += __popc(~(A[row * K + k] ^ B[col * K + k]));
  C[row * N + col] = acc;
}

// Words of 64 bits, and several that are read as one.
// CHECK-LABEL: contraction "wide"
// CHECK: index %k < 64 * K
// CHECK: operand A = A[%m * K + floordiv(%k, 64)]:u64 as i32((({{.*}} >> int.i32(mod(%k, 64))) & int.u64(1)))
// CHECK-NEXT: operand B = B[%n * K + floordiv(%k, 64)]:u64 as (int.i32(1) - i32(
// CHECK-NEXT: accumulate
#pragma warpwright matmul
__global__ void wide(ARGS(unsigned long long, int)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += __popcll(A[row * K + k] & ~B[col * K + k]);
  C[row * N + col] = acc;
}

// CHECK-LABEL: contraction "quads"
// CHECK: index %k < 128 * K
// CHECK-NEXT: operand A = A[4 * %m * K + floordiv(%k, 32)]:u32 as
#pragma warpwright matmul
__global__ void quads(ARGS(uint4, int)) {
  PLACE
  for (int k = 0; k < K; ++k) {
    uint4 a = A[row * K + k], b = B[col * K + k];
    acc += __popc(a.x ^ b.x) + __popc(a.y ^ b.y) + __popc(a.z ^ b.z) +
           __popc(a.w ^ b.w);
  }
  C[row * N + col] = acc;
}

constexpr int T = 16;
#define TILES(COUNT)                                                           \
  __shared__ unsigned As[T][T + 1], Bs[T][T + 1];                              \
  const int tx = threadIdx.x, ty = threadIdx.y;                                \
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;              \
  const int first = blockIdx.x * T;                                            \
  int acc = 0;                                                                 \
  for (int k0 = 0; k0 < K; k0 += T) {                                          \
    As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0;            \
    Bs[ty][tx] =                                                               \
        first + ty < N && k0 + tx < K ? B[(first + ty) * K + k0 + tx] : 0;     \
    __syncthreads();                                                           \
    for (int k = 0; k < T; ++k)                                                \
      acc += COUNT;                                                            \
    __syncthreads();                                                           \
  }                                                                            \
  if (row < M && col < N)                                                      \
    C[row * N + col] = acc;

// Zeros behind the last word count nothing.
// CHECK-LABEL: contraction "tiles"
// CHECK: index %k < 32 * K
#pragma warpwright matmul
__global__ void tiles(ARGS(unsigned, int)) {
  TILES(__popc(As[ty][k] ^ Bs[tx][k]))
}

// But they do here.
// ERR: warning: 'tiles_alike' is not rewritten: bits are counted where both words have none, and a word may be 0 beyond the range of the loop [WW217]
#pragma warpwright matmul
__global__ void tiles_alike(ARGS(unsigned, int)) {
  TILES(__popc(~(As[ty][k] ^ Bs[tx][k])))
}

// ERR: warning: 'of_one' is not rewritten: '__popc' is applied to what is summed [WW217]
#pragma warpwright matmul
__global__ void of_one(ARGS(unsigned, int)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += __popc(A[row * K + k]);
  C[row * N + col] = acc;
}

// ERR: warning: 'masked' is not rewritten: '__popc' is applied to what is summed [WW217]
#pragma warpwright matmul
__global__ void masked(ARGS(unsigned, int)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += __popc(A[row * K + k] & B[col * K + k] & 0xffff);
  C[row * N + col] = acc;
}

// ERR: warning: 'weighted' is not rewritten: a count of bits is multiplied by what differs between the terms of the sum [WW217]
#pragma warpwright matmul
__global__ void weighted(ARGS(unsigned, int), const int *w) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += __popc(A[row * K + k] & B[col * K + k]) * w[k];
  C[row * N + col] = acc;
}

// ERR: warning: 'computed' is not rewritten: {{.*}} [WW21{{[57]}}]
#pragma warpwright matmul
__global__ void computed(ARGS(unsigned, int)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += __popc((A[row * K + k] + 1) & B[col * K + k]);
  C[row * N + col] = acc;
}

// Four words of B lie side by side in a column, and the next four a row on.
//
// ERR: warning: 'across_k' is not rewritten: the products that one iteration adds do not continue in the next one: from one to the next the operands move otherwise than from iteration to iteration [WW216]
#pragma warpwright matmul
__global__ void across_k(ARGS(uint4, int)) {
  PLACE
  for (int k = 0; k < K; ++k) {
    const uint4 a = A[row * K + k], b = B[k * N + col];
    acc += __popc(a.x ^ b.x) + __popc(a.y ^ b.y) + __popc(a.z ^ b.z) +
           __popc(a.w ^ b.w);
  }
  C[row * N + col] = acc;
}
