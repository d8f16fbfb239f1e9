// mma.sync and ldmatrix by inline assembly: what a lane has in its registers is
// specified, so a product of matrices in registers is a sum over what other
// lanes hold.
//
// RUN: not %warpwright rewrite --emit=contraction %s -- %parse 2>%t | FileCheck %s
// RUN: FileCheck --check-prefix=WHY %s <%t

#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define PAIR(X) (*reinterpret_cast<const uint32_t *>(&(X)))
#define MULTIPLY(form, C, A0, A1, A2, A3, B0, B1)                              \
  asm volatile("mma.sync.aligned." form                                        \
               " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "               \
               "{%0, %1, %2, %3};"                                             \
               : "+f"(C[0]), "+f"(C[1]), "+f"(C[2]), "+f"(C[3])                \
               : "r"(A0), "r"(A1), "r"(A2), "r"(A3), "r"(B0), "r"(B1))
#define HALF "m16n8k16.row.col.f32.f16.f16.f32"
#define ARGS(T) const T *A, const T *B, float *C, int M, int N, int K
#define STORE(row, col)                                                        \
  C[(row) * N + col] = c[0], C[(row) * N + col + 1] = c[1];                    \
  C[((row) + 8) * N + col] = c[2], C[((row) + 8) * N + col + 1] = c[3]

// Lane and warp of one number; the block is as many warps as the rows want.
//
// CHECK-LABEL: contraction "warps_along_rows"
// CHECK: index %m < 64 * gridDim.y
// CHECK: index %n < 8 * gridDim.x
// CHECK: index %k < 16 * floordiv(K + 15, 16)
// CHECK: operand A = A[%m * K + %k]:f16
// CHECK: operand B = B[%n * K + %k]:f16
// CHECK: accumulate f32
// CHECK: output C[%m * N + %n]:f32 = acc
// CHECK: require blockDim.x == 128
#pragma warpwright matmul
__global__ void warps_along_rows(ARGS(half)) {
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const int row = blockIdx.y * 64 + warp * 16 + (lane >> 2);
  const int n = blockIdx.x * 8, pair = (lane & 3) << 1;
  float c[4] = {};
  for (int k = 0; k < K; k += 16)
    MULTIPLY(HALF, c, PAIR(A[row * K + k + pair]),
             PAIR(A[(row + 8) * K + k + pair]), PAIR(A[row * K + k + pair + 8]),
             PAIR(A[(row + 8) * K + k + pair + 8]),
             PAIR(B[(n + lane / 4) * K + k + pair]),
             PAIR(B[(n + lane / 4) * K + k + pair + 8]));
  STORE(row, n + pair);
}

// A block is one warp wide where nothing says which warp a thread is of, and has
// others along y.
//
// CHECK-LABEL: contraction "warps_along_y"
// CHECK: index %m < 16 * gridDim.y
// CHECK: index %n < 16 * gridDim.x
// CHECK: operand A = A[%m * K + %k]:bf16
// CHECK: operand B = B[%k * N + %n]:bf16
// CHECK: require blockDim.x == 32
#pragma warpwright matmul
__global__ void warps_along_y(ARGS(__nv_bfloat16)) {
  const int group = threadIdx.x / 4, pair = threadIdx.x % 4 * 2;
  const int row = blockIdx.y * 16 + group;
  const int n = (blockIdx.x * 2 + threadIdx.y) * 8;
  float c[4] = {};
  for (int k = 0; k < K; k += 8) {
    // Two numbers put together from two rows.
    __nv_bfloat162 b = __halves2bfloat162(B[(k + pair) * N + n + group],
                                          B[(k + pair + 1) * N + n + group]);
    asm("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 "
        "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
        : "=f"(c[0]), "=f"(c[1]), "=f"(c[2]), "=f"(c[3])
        : "r"(PAIR(A[row * K + k + pair])),
          "r"(PAIR(A[(row + 8) * K + k + pair])),
          "r"(*reinterpret_cast<uint32_t *>(&b)), "f"(c[0]), "f"(c[1]),
          "f"(c[2]), "f"(c[3]));
  }
  STORE(row, n + pair);
}

// The address of a tile in one statement with ldmatrix, from a number of 64
// bits; single matrices, and zeros beyond the matrix.
//
// CHECK-LABEL: contraction "single_matrices"
// CHECK: index %m < min(16 * gridDim.y, M)
// CHECK: index %n < 8 * gridDim.x
// CHECK: index %k < 8 * floordiv(K + 7, 8)
// CHECK: operand A = A[%m * K + %k]:f16
// CHECK: operand B = B[%k * N + %n]:f16
// CHECK: require blockDim.x == 32
#pragma warpwright matmul
__global__ void single_matrices(ARGS(half)) {
  __shared__ half As[16][8], Bs[8][8];
  const int lane = threadIdx.x, m = blockIdx.y * 16, n = blockIdx.x * 8;
  float c[4] = {};
  for (int k = 0; k < K; k += 8) {
    for (int i = lane; i < 128; i += 32)
      As[i / 8][i % 8] = m + i / 8 < M ? A[(m + i / 8) * K + k + i % 8]
                                       : __float2half(0.0f);
    for (int i = lane; i < 64; i += 32)
      Bs[i / 8][i % 8] = B[(k + i / 8) * N + n + i % 8];
    __syncthreads();
    uint32_t a[2], b;
    for (int i = 0; i < 2; ++i)
      asm volatile("{\n.reg .u64 at;\n cvta.to.shared.u64 at, %1;\n"
                   "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [at];\n}"
                   : "=r"(a[i])
                   : "l"(&As[i * 8 + lane % 8][0]));
    asm volatile("ldmatrix.sync.aligned.x1.trans.m8n8.shared::cta.b16 {%0}, "
                 "[%1];"
                 : "=r"(b)
                 : "r"((uint32_t)__cvta_generic_to_shared(&Bs[0][0]) +
                       lane % 8 * 16));
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(b));
    __syncthreads();
  }
  const int row = m + lane / 4, col = n + lane % 4 * 2;
  if (row < M)
    C[row * N + col] = c[0], C[row * N + col + 1] = c[1];
  if (row + 8 < M)
    C[(row + 8) * N + col] = c[2], C[(row + 8) * N + col + 1] = c[3];
}

// Bytes, four of them in a register, through ldmatrix, to which two bytes are
// one element.
//
// CHECK-LABEL: contraction "bytes_by_ldmatrix"
// CHECK: index %m < 16 * gridDim.y
// CHECK: index %n < 8 * gridDim.x
// CHECK: index %k < 32 * floordiv(K + 31, 32)
// CHECK: operand A = A[%m * K + %k]:i8
// CHECK: operand B = B[%n * K + %k]:i8
// CHECK: accumulate i32
// CHECK: output C[%m * N + %n]:i32 = acc
#define BYTES(L, R) const L *A, const R *B, int *C, int M, int N, int K
#define WORD(X) (*reinterpret_cast<const uint32_t *>(&(X)))
#pragma warpwright matmul
__global__ void bytes_by_ldmatrix(BYTES(int8_t, int8_t)) {
  __shared__ int8_t As[16][48], Bs[8][48];
  const int lane = threadIdx.x, m = blockIdx.y * 16, n = blockIdx.x * 8;
  int c[4] = {};
  for (int k = 0; k < K; k += 32) {
    *(int4 *)&As[lane / 2][lane % 2 * 16] =
        *(const int4 *)&A[(m + lane / 2) * K + k + lane % 2 * 16];
    if (lane < 16)
      *(int4 *)&Bs[lane / 2][lane % 2 * 16] =
          *(const int4 *)&B[(n + lane / 2) * K + k + lane % 2 * 16];
    __syncthreads();
    uint32_t a[4], b[2];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"((unsigned)__cvta_generic_to_shared(&As[lane % 16][lane / 16 * 16])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(b[0]), "=r"(b[1])
                 : "r"((unsigned)__cvta_generic_to_shared(&Bs[lane % 8][lane / 8 % 2 * 16])));
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    __syncthreads();
  }
  STORE(m + lane / 4, n + lane % 4 * 2);
}

// Bytes of two types, and a result of eight rows.
//
// CHECK-LABEL: contraction "eight_rows_of_bytes"
// CHECK: index %m < 8 * gridDim.y
// CHECK: index %k < 16 * floordiv(K + 15, 16)
// CHECK: operand A = A[%m * K + %k]:u8
// CHECK: operand B = B[%n * K + %k]:i8
// CHECK: accumulate i32
#define EIGHT_ROWS                                                             \
  const int lane = threadIdx.x, row = blockIdx.y * 8 + lane / 4;               \
  const int col = blockIdx.x * 8 + lane / 4, at = lane % 4;
#define STORE_EIGHT                                                            \
  C[row * N + blockIdx.x * 8 + at * 2] = c[0];                                 \
  C[row * N + blockIdx.x * 8 + at * 2 + 1] = c[1];
#pragma warpwright matmul
__global__ void eight_rows_of_bytes(BYTES(uint8_t, int8_t)) {
  EIGHT_ROWS
  int c[2] = {};
  for (int k = 0; k < K; k += 16)
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.u8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+r"(c[0]), "+r"(c[1])
                 : "r"(WORD(A[row * K + k + at * 4])), "r"(WORD(B[col * K + k + at * 4])));
  STORE_EIGHT
}

// Doubles have registers of their own.
//
// CHECK-LABEL: contraction "eight_rows_of_doubles"
// CHECK: index %m < 8 * gridDim.y
// CHECK: index %k < 4 * floordiv(K + 3, 4)
// CHECK: operand A = A[%m * K + %k]:f64
// CHECK: operand B = B[%k * N + %n]:f64
// CHECK: accumulate f64
#pragma warpwright matmul
__global__ void eight_rows_of_doubles(const double *A, const double *B, double *C, int M, int N, int K) {
  EIGHT_ROWS
  double c[2] = {};
  for (int k = 0; k < K; k += 4)
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(c[0]), "+d"(c[1])
                 : "d"(A[row * K + k + at]), "d"(B[(k + at) * N + col]));
  STORE_EIGHT
}

// The address is generic: a pointer to the tile, in two cases by its number.
//
// CHECK-LABEL: contraction "generic_rows"
// CHECK: operand A = A[%m * K + %k]:f16
// CHECK: operand B = B[%k * N + %n]:f16
// CHECK: output C[%m * N + %n]:f32 = acc
// CHECK-LABEL: contraction "generic_numbers"
// CHECK: operand A = A[%m * K + %k]:f16
// CHECK: operand B = B[%k * N + %n]:f16
//
// An offset in shared memory is no generic address, even as a pointer; nor is a
// pointer to global memory understood.
//
// WHY: 'offset_as_pointer' is not rewritten: inline assembly cannot be analysed
// WHY: 'offset_as_number' is not rewritten: inline assembly cannot be analysed
// WHY: 'rows_of_global' is not rewritten: inline assembly cannot be analysed
#define GENERIC(name, TYPE, A_AT, B_AT)                                        \
  __global__ void name(ARGS(half)) {                                           \
    __shared__ alignas(16) half As[16][8], Bs[8][8];                           \
    const int lane = threadIdx.x, m = blockIdx.y * 16, n = blockIdx.x * 8;     \
    float c[4] = {};                                                           \
    for (int k = 0; k < K; k += 8) {                                           \
      for (int i = lane; i < 128; i += 32)                                     \
        As[i / 8][i % 8] = A[(m + i / 8) * K + k + i % 8];                     \
      for (int i = lane; i < 64; i += 32)                                      \
        Bs[i / 8][i % 8] = B[(k + i / 8) * N + n + i % 8];                     \
      __syncthreads();                                                         \
      uint32_t a[2], b;                                                        \
      asm volatile("ldmatrix.sync.aligned.m8n8.x2.b16 {%0, %1}, [%2];"         \
                   : "=r"(a[0]), "=r"(a[1])                                    \
                   : "l"((TYPE)(A_AT)));                                       \
      asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.b16 {%0}, [%1];"       \
                   : "=r"(b)                                                   \
                   : "l"((TYPE)(B_AT)));                                       \
      asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "         \
                   "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"       \
                   : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])            \
                   : "r"(a[0]), "r"(a[1]), "r"(b));                            \
      __syncthreads();                                                         \
    }                                                                          \
    const int row = m + lane / 4, col = n + lane % 4 * 2;                      \
    STORE(row, col);                                                           \
  }
#pragma warpwright matmul
GENERIC(generic_rows, const void *, &As[lane % 16][0], &Bs[lane % 8][0])
#pragma warpwright matmul
GENERIC(generic_numbers, uint64_t, &As[lane % 16][0], &Bs[lane % 8][0])
#pragma warpwright matmul
GENERIC(offset_as_pointer, const void *, &As[lane % 16][0],
        __cvta_generic_to_shared(&Bs[lane % 8][0]))
#pragma warpwright matmul
GENERIC(offset_as_number, uint64_t, &As[lane % 16][0],
        __cvta_generic_to_shared(&Bs[lane % 8][0]))
#pragma warpwright matmul
GENERIC(rows_of_global, const void *, &As[lane % 16][0],
        &B[(k + lane % 8) * N + n])

// An epilogue, and sums that do not begin at zero.
//
// CHECK-LABEL: contraction "with_bias"
// CHECK: operand A = A[%m * K + %k]:f32 as call.f32 "nvcuda::wmma::__float_to_tf32"
// CHECK: operand B = B[%n * K + %k]:f32 as call.f32 "nvcuda::wmma::__float_to_tf32"
// CHECK: output C[%m * N + %n]:f32 = {{.*}}bias[%n]:f32
#pragma warpwright matmul precision(tf32)
__global__ void with_bias(ARGS(float), const float *bias) {
  const int group = threadIdx.x / 4, quad = threadIdx.x % 4;
  const int row = blockIdx.y * 16 + group, n = blockIdx.x * 8;
  float c[4] = {bias[n + quad * 2], bias[n + quad * 2 + 1],
                bias[n + quad * 2], bias[n + quad * 2 + 1]};
  for (int k = 0; k < K; k += 4) {
    uint32_t a[2], b;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(a[0]) : "f"(A[row * K + k + quad]));
    asm("cvt.rna.tf32.f32 %0, %1;"
        : "=r"(a[1])
        : "f"(A[(row + 8) * K + k + quad]));
    asm("cvt.rna.tf32.f32 %0, %1;"
        : "=r"(b)
        : "f"(B[(n + group) * K + k + quad]));
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 "
                 "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(b));
  }
  STORE(row, n + quad * 2);
}

// Sums of half in an array of registers, two of them in each.
//
// CHECK-LABEL: contraction "half_arrays"
// CHECK: index %m < 32 * gridDim.y
// CHECK: index %n < 8 * gridDim.x
// CHECK: operand A = A[%m * K + %k]:f16
// CHECK: operand B = B[%n * K + %k]:f16
// CHECK: accumulate f32 for f16
// CHECK: output C[%m * N + %n]:f16 = f16(acc)
#pragma warpwright matmul
__global__ void half_arrays(const half *A, const half *B, half *C, int M, int N,
                            int K) {
  const int lane = threadIdx.x % 32, group = lane / 4, pair = lane % 4 * 2;
  const int m = blockIdx.y * 32 + group, n = blockIdx.x * 8;
  uint32_t c[2][2];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      c[i][j] = 0;
  for (int k = 0; k < K; k += 8)
    for (int i = 0; i < 2; ++i) {
      const half *a = &A[(m + i * 16) * K + k + pair];
      asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 "
                   "{%0, %1}, {%2, %3}, {%4}, {%0, %1};"
                   : "+r"(c[i][0]), "+r"(c[i][1])
                   : "r"(PAIR(a[0])), "r"(PAIR(a[8 * K])),
                     "r"(PAIR(B[(n + group) * K + k + pair])));
    }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      *reinterpret_cast<uint32_t *>(
          &C[(m + i * 16 + j * 8) * N + n + pair]) = c[i][j];
}

// What is declined, and why.
//
// CHECK-NOT: contraction
#define PLACE                                                                  \
  const int group = threadIdx.x / 4, pair = threadIdx.x % 4 * 2;               \
  const int row = blockIdx.y * 16 + group, col = blockIdx.x * 8 + group;       \
  float c[4] = {};
#define FACTORS                                                                \
  PAIR(A[row * K + k + pair]), PAIR(A[(row + 8) * K + k + pair]),              \
      PAIR(A[row * K + k + pair + 8]), PAIR(A[(row + 8) * K + k + pair + 8]),  \
      PAIR(B[col * K + k + pair]), PAIR(B[col * K + k + pair + 8])

// WHY: [[@LINE+7]]:{{.*}}'some_lanes' is not rewritten: only some threads of a warp may reach this mma.sync [WW222]
#pragma warpwright matmul
__global__ void some_lanes(ARGS(half)) {
  PLACE
  for (int k = 0; k < K; k += 16) {
    const uint32_t F[] = {FACTORS};
    if (threadIdx.x < 31)
      MULTIPLY(HALF, c, F[0], F[1], F[2], F[3], F[4], F[5]);
  }
  STORE(row, blockIdx.x * 8 + pair);
}

// WHY: [[@LINE+6]]:{{.*}}'another_shape' is not rewritten: inline assembly cannot be analysed [WW201]
#pragma warpwright matmul
__global__ void another_shape(ARGS(half)) {
  PLACE
  for (int k = 0; k < K; k += 16) {
    const uint32_t F[] = {FACTORS};
    MULTIPLY("m8n8k4.row.col.f32.f16.f16.f32", c, F[0], F[1], F[2], F[3], F[4], F[5]);
  }
  STORE(row, blockIdx.x * 8 + pair);
}

// Halves are not bfloat16.
//
// WHY: [[@LINE+6]]:{{.*}}'another_type' is not rewritten: the registers of a matrix do not hold numbers of the type that is multiplied [WW207]
#pragma warpwright matmul
__global__ void another_type(ARGS(half)) {
  PLACE
  for (int k = 0; k < K; k += 16) {
    const uint32_t F[] = {FACTORS};
    MULTIPLY("m16n8k16.row.col.f32.bf16.bf16.f32", c, F[0], F[1], F[2], F[3], F[4], F[5]);
  }
  STORE(row, blockIdx.x * 8 + pair);
}

// Of two rows of A, the lower one is of another array.
//
// WHY: [[@LINE+9]]:{{.*}}'another_array' is not rewritten: 'C' is stored to in several places
#pragma warpwright matmul
__global__ void another_array(ARGS(half)) {
  PLACE
  for (int k = 0; k < K; k += 16) {
    const uint32_t F[] = {FACTORS};
    MULTIPLY(HALF, c, F[0], PAIR(B[(row + 8) * K + k + pair]), F[2],
             PAIR(B[(row + 8) * K + k + pair + 8]), F[4], F[5]);
  }
  STORE(row, blockIdx.x * 8 + pair);
}

// The second half of k is somewhere else.
//
// WHY: [[@LINE+6]]:{{.*}}'unlike_halves' is not rewritten: the registers of a matrix hold elements that are not the same distance apart [WW215]
#pragma warpwright matmul
__global__ void unlike_halves(ARGS(half)) {
  PLACE
  for (int k = 0; k < K; k += 16) {
    const uint32_t F[] = {FACTORS};
    MULTIPLY(HALF, c, F[0], F[1], PAIR(B[row * K + k + pair + 8]), F[3], F[4], F[5]);
  }
  STORE(row, blockIdx.x * 8 + pair);
}

// The sums are multiplied again before the loop has ended.
//
// WHY: [[@LINE+9]]:{{.*}}'sums_multiplied' is not rewritten: what is multiplied depends on what other iterations have computed [WW202]
#pragma warpwright matmul
__global__ void sums_multiplied(ARGS(half)) {
  PLACE
  for (int k = 0; k < K; k += 16) {
    const uint32_t F[] = {FACTORS};
    __half2 sum;
    sum.x = __float2half(c[0]);
    sum.y = __float2half(c[1]);
    MULTIPLY(HALF, c, F[0], F[1], F[2], F[3], *reinterpret_cast<uint32_t *>(&sum), F[5]);
  }
  STORE(row, blockIdx.x * 8 + pair);
}

// The last two of four bytes are exchanged.
//
// WHY: [[@LINE+12]]:{{.*}}'bytes_exchanged' is not rewritten: the registers of a matrix hold elements that are not the same distance apart [WW215]
#pragma warpwright matmul
__global__ void bytes_exchanged(BYTES(int8_t, int8_t)) {
  EIGHT_ROWS
  __shared__ int8_t As[8][16];
  int c[2] = {};
  for (int k = 0; k < K; k += 16) {
    const int8_t *a = &A[row * K + k + at * 4];
    int8_t *to = &As[lane / 4][at * 4];
    __syncthreads();
    to[0] = a[0], to[1] = a[1], to[2] = a[3], to[3] = a[2];
    __syncthreads();
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+r"(c[0]), "+r"(c[1])
                 : "r"(WORD(As[lane / 4][at * 4])), "r"(WORD(B[col * K + k + at * 4])));
  }
  STORE_EIGHT
}

// Bytes with a sign are multiplied as if they had none.
//
// WHY: [[@LINE+6]]:{{.*}}'sign_ignored' is not rewritten: an operand is read with another sign than it is stored with [WW217]
#pragma warpwright matmul
__global__ void sign_ignored(BYTES(int8_t, int8_t)) {
  EIGHT_ROWS
  int c[2] = {};
  for (int k = 0; k < K; k += 16)
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.u8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+r"(c[0]), "+r"(c[1])
                 : "r"(WORD(A[row * K + k + at * 4])), "r"(WORD(B[col * K + k + at * 4])));
  STORE_EIGHT
}

// Sums that stop at the ends of the type.
//
// WHY: [[@LINE+6]]:{{.*}}'saturating' is not rewritten: inline assembly cannot be analysed [WW201]
#pragma warpwright matmul
__global__ void saturating(BYTES(int8_t, int8_t)) {
  EIGHT_ROWS
  int c[2] = {};
  for (int k = 0; k < K; k += 16)
    asm volatile("mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+r"(c[0]), "+r"(c[1])
                 : "r"(WORD(A[row * K + k + at * 4])), "r"(WORD(B[col * K + k + at * 4])));
  STORE_EIGHT
}
