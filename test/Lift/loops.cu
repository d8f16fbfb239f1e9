// How the products are summed: every loop gives the same range of k.

// RUN: %warpwright rewrite --emit=contraction %s -- %parse | FileCheck %s

#include <cuda_fp16.h>

#define PROLOG                                                                 \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  float acc = 0.0f;
#define TERM(k) __half2float(A[row * K + (k)]) * __half2float(B[(k)*N + col])
#define EPILOG C[row * N + col] = __float2half(acc);
#define SIGNATURE                                                              \
  (const half *A, const half *B, half *C, int M, int N, int K)

// CHECK-LABEL: contraction "while_up"
// CHECK: index %k < K{{$}}
// CHECK: operand A = A[%m * K + %k]:f16
#pragma warpwright matmul
__global__ void while_up SIGNATURE {
  PROLOG
  int k = 0;
  while (k < K) {
    acc += TERM(k);
    k++;
  }
  EPILOG
}

// CHECK-LABEL: contraction "do_while"
// CHECK: index %k < K{{$}}
// CHECK: require K >= 1 : "a do loop would run no iteration"
#pragma warpwright matmul
__global__ void do_while SIGNATURE {
  PROLOG
  int k = 0;
  do {
    acc += TERM(k);
  } while (++k < K);
  EPILOG
}

// CHECK-LABEL: contraction "count_down"
// CHECK: index %k < K{{$}}
// CHECK: operand A = A[%m * K + %k]:f16
// CHECK: operand B = B[%k * N + %n]:f16
#pragma warpwright matmul
__global__ void count_down SIGNATURE {
  PROLOG
  for (int k = K - 1; k >= 0; k--)
    acc += TERM(k);
  EPILOG
}

// CHECK-LABEL: contraction "count_down_unsigned"
// CHECK: index %k < K{{$}}
// CHECK: operand A = A[%m * K + %k]:f16
#pragma warpwright matmul
__global__ void count_down_unsigned(const half *A, const half *B, half *C,
                                    unsigned M, unsigned N, unsigned K) {
  PROLOG
  for (unsigned k = K; k-- > 0;)
    acc += TERM(k);
  EPILOG
}

// CHECK-LABEL: contraction "not_equal"
// CHECK: index %k < K{{$}}
#pragma warpwright matmul
__global__ void not_equal SIGNATURE {
  PROLOG
  for (int k = 0; k != K; ++k)
    acc = acc + TERM(k);
  EPILOG
}

// CHECK-LABEL: contraction "every_second"
// CHECK: index %k < floordiv(K + 1, 2)
// CHECK: operand A = A[%m * K + 2 * %k]:f16
#pragma warpwright matmul
__global__ void every_second SIGNATURE {
  PROLOG
  for (int k = 0; k < K; k += 2)
    acc += TERM(k);
  EPILOG
}

// CHECK-LABEL: contraction "starts_later"
// CHECK: index %k < K - 3
// CHECK: operand A = A[%m * K + %k + 3]:f16
#pragma warpwright matmul
__global__ void starts_later SIGNATURE {
  PROLOG
  for (int k = 3; k < K; ++k)
    acc += TERM(k);
  EPILOG
}

// CHECK-LABEL: contraction "moving_pointers"
// CHECK: index %k < K{{$}}
// CHECK: operand A = A[%m * K + %k]:f16
// CHECK: operand B = B[%k * N + %n]:f16
#pragma warpwright matmul
__global__ void moving_pointers SIGNATURE {
  PROLOG
  const half *a = A + row * K, *b = &B[col];
  for (int k = 0; k < K; ++k, b += N)
    acc += __half2float(*a++) * __half2float(*b);
  EPILOG
}

// CHECK-LABEL: contraction "pointer_end"
// CHECK: index %k < K{{$}}
#pragma warpwright matmul
__global__ void pointer_end SIGNATURE {
  PROLOG
  const half *b = B + col;
  for (const half *a = A + row * K, *end = a + K; a < end; ++a) {
    acc += __half2float(*a) * __half2float(*b);
    b += N;
  }
  EPILOG
}

// CHECK-LABEL: contraction "two_levels"
// CHECK: index %k < 16 * floordiv(K, 16)
// CHECK: operand A = A[%m * K + %k]:f16
#pragma warpwright matmul
__global__ void two_levels SIGNATURE {
  PROLOG
  for (int k0 = 0; k0 < K / 16; ++k0)
    for (int kk = 0; kk < 16; ++kk)
      acc += TERM(k0 * 16 + kk);
  EPILOG
}

// CHECK-LABEL: contraction "two_levels_guarded"
// CHECK: index %k < K
#pragma warpwright matmul
__global__ void two_levels_guarded SIGNATURE {
  PROLOG
  for (int k0 = 0; k0 < K; k0 += 16)
    for (int kk = 0; kk < 16; ++kk)
      if (k0 + kk < K)
        acc += TERM(k0 + kk);
  EPILOG
}

// CHECK-LABEL: contraction "two_levels_clamped"
// CHECK: index %k < K{{$}}
#pragma warpwright matmul
__global__ void two_levels_clamped SIGNATURE {
  PROLOG
  for (int k0 = 0; k0 < K; k0 += 32)
    for (int k = k0; k < min(k0 + 32, K); ++k)
      acc += TERM(k);
  EPILOG
}

// CHECK-LABEL: contraction "skips"
// CHECK: index %k < min(K, limit)
#pragma warpwright matmul
__global__ void skips(const half *A, const half *B, half *C, int M, int N,
                      int K, int limit) {
  PROLOG
#pragma unroll 4
  for (int k = 0; k < K; ++k) {
    if (k >= limit)
      continue;
    acc += TERM(k);
  }
  EPILOG
}

// The innermost loop runs over outputs, the sum lives in memory.
// CHECK-LABEL: contraction "k_outside"
// CHECK: index %m < min(M, blockDim.x * gridDim.x)
// CHECK: index %n < N
// CHECK: index %k < K
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void k_outside(const half *A, const half *B, float *C, int M, int N,
                          int K) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M)
    return;
  for (int col = 0; col < N; ++col)
    C[row * N + col] = 0.0f;
  for (int k = 0; k < K; ++k)
    for (int col = 0; col < N; ++col)
      C[row * N + col] += TERM(k);
}

// The running sum is stored in every iteration; the last store counts.
// CHECK-LABEL: contraction "stored_each_time"
// CHECK: output C[%m * N + %n]:f16 = f16(acc)
#pragma warpwright matmul
__global__ void stored_each_time SIGNATURE {
  PROLOG
  for (int k = 0; k < K; ++k) {
    acc += TERM(k);
    EPILOG
  }
}

// The pragma may stand before the loop, on either side of an unroll.
// CHECK-LABEL: contraction "on_the_loop"
// CHECK: index %k < K
__global__ void on_the_loop SIGNATURE {
  PROLOG
#pragma warpwright matmul
#pragma unroll
  for (int k = 0; k < K; ++k)
    acc += TERM(k);
  EPILOG
}

// CHECK-LABEL: contraction "unrolled_by_hand"
// CHECK: index %k < 4 * floordiv(K + 3, 4)
// CHECK: operand A = A[%m * K + %k]:f16
// CHECK: operand B = B[%k * N + %n]:f16
#pragma warpwright matmul
__global__ void unrolled_by_hand SIGNATURE {
  PROLOG
  for (int k = 0; k < K; k += 4) {
    acc += TERM(k) + TERM(k + 1);
    acc += TERM(k + 2);
    acc += TERM(k + 3);
  }
  EPILOG
}

// Offsets are computed with the first of four numbers and with the last.
// CHECK-LABEL: contraction "unrolled_with_pitches"
// CHECK: operand A = A[%m * lda + %k]:f16
// CHECK: operand B = B[%k * ldb + %n]:f16
// CHECK: require 2 * ldb >= 0 : "2 * ldb is negative"
#pragma warpwright matmul
__global__ void unrolled_with_pitches(const half *A, const half *B, half *C,
                                      int M, int N, int K, int lda, int ldb) {
  int row = blockIdx.y * 8 + threadIdx.x / 32;
  int col = blockIdx.x * 32 + threadIdx.x % 32;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; k += 2) {
    acc += __half2float(A[row * lda + k]) * __half2float(B[k * ldb + col]);
    acc += __half2float(A[row * lda + k + 1]) *
           __half2float(B[(k + 1) * ldb + col]);
  }
  EPILOG
}

// The way out of a body with variables of its own has a number, which is a
// selection where nothing else happens on the ways.
//
// CHECK-LABEL: contraction "break_at_end"
// CHECK: index %k < K{{$}}
// CHECK: operand A = A[%m * K + %k]:f16
// CHECK: require K >= 1 : "a do loop would run no iteration"
#pragma warpwright matmul
__global__ void break_at_end SIGNATURE {
  PROLOG
  for (int k = 0;;) {
    float product = TERM(k);
    acc += product;
    k += 1;
    if (k >= K)
      break;
  }
  EPILOG
}

// The way out has a number although the sum, which the code behind it uses, is
// selected beside the number.
//
// CHECK-LABEL: contraction "left_before_its_end"
// CHECK: index %k < K{{$}}
// CHECK: operand A = A[%m * K + %k]:f16
#pragma warpwright matmul
__global__ void left_before_its_end SIGNATURE {
  PROLOG
  int k = 0;
  while (true) {
    const int at = k;
    if (at >= K)
      break;
    const float product = TERM(at);
    acc += product;
    k = at + 1;
  }
  EPILOG
}

// The condition on a thread's first element says nothing about the elements
// that it comes to later, which exist only where the first one does.
//
// CHECK-LABEL: contraction "first_element_first"
// CHECK: index %m < M{{$}}
// CHECK: index %n < N{{$}}
#pragma warpwright matmul
__global__ void first_element_first SIGNATURE {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= M * N)
    return;
  do {
    int row = at / N, col = at % N;
    float acc = 0.0f;
    for (int k = 0; k < K; ++k)
      acc += TERM(k);
    EPILOG
    at += gridDim.x * blockDim.x;
  } while (at < M * N);
}

// A loop is executed a few times, and so is each loop in it every time, but
// those are understood once: without that, ten of them would take more
// executions than the lift makes.
//
// CHECK-LABEL: contraction "ten_deep"
// CHECK: index %k < 1024{{$}}
// CHECK: operand A = A[%k + 1024 * %m]:f16
// CHECK: operand B = B[%k * N + %n]:f16
#pragma warpwright matmul
__global__ void ten_deep(const half *A, const half *B, half *C, int M, int N) {
  PROLOG
  const int K = 1024;
#define LOOP(x) for (int x = 0; x < 2; ++x)
  LOOP(a) LOOP(b) LOOP(c) LOOP(d) LOOP(e) LOOP(f) LOOP(g) LOOP(h) LOOP(i)
  LOOP(j) {
    int k = 512 * a + 256 * b + 128 * c + 64 * d + 32 * e + 16 * f + 8 * g +
            4 * h + 2 * i + j;
    acc += TERM(k);
  }
  EPILOG
}

// The terms of each tile are added to C, and the variable for them starts at
// zero again, also in the iterations that store nothing.
//
// CHECK-LABEL: contraction "added_by_tiles"
// CHECK: index %m < min(16 * gridDim.y, M)
// CHECK: index %n < min(16 * gridDim.x, N)
// CHECK: index %k < K{{$}}
// CHECK: output C[%m * N + %n]:f32 = (C[%m * N + %n]:f32 + acc)
#pragma warpwright matmul
__global__ void added_by_tiles(const half *A, const half *B, float *C, int M,
                               int N, int K) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float part = 0.0f;
  for (int t = 0; t < K; t += 16) {
    __shared__ float As[16][16], Bs[16][16];
    As[threadIdx.y][threadIdx.x] =
        row < M && t + threadIdx.x < K
            ? __half2float(A[row * K + t + threadIdx.x])
            : 0.0f;
    Bs[threadIdx.y][threadIdx.x] =
        col < N && t + threadIdx.y < K
            ? __half2float(B[(t + threadIdx.y) * N + col])
            : 0.0f;
    __syncthreads();
    if (row < M && col < N) {
      for (int k = 0; k < 16; ++k)
        part += As[threadIdx.y][k] * Bs[k][threadIdx.x];
      C[row * N + col] += part;
      part = 0.0f;
    }
    __syncthreads();
  }
}

// Inside of the loop, what is the same for all k says which elements are
// stored, and the rest which terms are added.
//
// CHECK-LABEL: contraction "guarded_inside"
// CHECK: index %m < min(M, blockDim.y * gridDim.y)
// CHECK: index %n < min(N, blockDim.x * gridDim.x)
// CHECK: index %k < min(K, depth)
// CHECK: output C[%m * N + %n]:f32 = (C[%m * N + %n]:f32 + acc)
#pragma warpwright matmul
__global__ void guarded_inside(const half *A, const half *B, float *C, int M,
                               int N, int K, int depth) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < K; ++k)
    if (row < M && k < depth && col < N)
      C[row * N + col] += TERM(k);
}

// A store counts in the iterations that make it, and an earlier one of the same
// element in the others.
//
// CHECK-LABEL: contraction "added_in_two_ranges"
// CHECK: index %k < min(K, depth + 5)
// CHECK: output C[%m * N + %n]:f32 = (C[%m * N + %n]:f32 + acc)
#pragma warpwright matmul
__global__ void added_in_two_ranges(const half *A, const half *B, float *C,
                                    int M, int N, int K, int depth) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  for (int k = 0; k < K; ++k)
    if (k < depth)
      C[row * N + col] += TERM(k);
    else if (k < depth + 5)
      C[row * N + col] += TERM(k);
}

// CHECK-LABEL: contraction "adds_one_more_term"
// CHECK: index %k < K{{$}}
// CHECK: plus over %k < min(K, depth)
// CHECK: output C[%m * N + %n]:f32 = (C[%m * N + %n]:f32 + acc)
#pragma warpwright matmul
__global__ void adds_one_more_term(const half *A, const half *B, const half *D,
                                   float *C, int M, int N, int K, int depth) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  for (int k = 0; k < K; ++k) {
    C[row * N + col] += TERM(k);
    if (k < depth)
      C[row * N + col] +=
          __half2float(A[row * K + k]) * __half2float(D[k * N + col]);
  }
}

// CHECK-LABEL: contraction "adds_one_more_in_array"
// CHECK: index %k < K{{$}}
// CHECK: plus over %k < min(K, depth)
#pragma warpwright matmul
__global__ void adds_one_more_in_array(const float *A, const float *B,
                                       const float *D, float *C, int M, int N,
                                       int K, int depth) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
  if (row >= M || col >= N)
    return;
  float acc[2] = {};
  for (int k = 0; k < K; ++k) {
    for (int j = 0; j < 2; ++j)
      acc[j] += A[row * K + k] * B[k * N + col + j];
    if (k < depth)
      for (int j = 0; j < 2; ++j)
        acc[j] += A[row * K + k] * D[k * N + col + j];
  }
  for (int j = 0; j < 2; ++j)
    if (col + j < N)
      C[row * N + col + j] = acc[j];
}
