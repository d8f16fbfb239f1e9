// Pointers to void, and to bytes: what the kernel casts them to says what their
// elements are, which have to be of one type.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t.yes 2>%t.no
// RUN: FileCheck %s --implicit-check-not="is not rewritten" <%t.no
// RUN: FileCheck %s --check-prefix=LIFTED <%t.yes

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define KERNEL(NAME, POINTER, BODY)                                            \
  __global__ void NAME(const POINTER A, const POINTER B, POINTER C, int M,     \
                       int N, int K, int offset) {                             \
    const int row = blockIdx.y * blockDim.y + threadIdx.y;                     \
    const int col = blockIdx.x * blockDim.x + threadIdx.x;                     \
    if (row >= M || col >= N)                                                  \
      return;                                                                  \
    float acc = 0.0f;                                                          \
    BODY                                                                       \
  }
#define OF(T, P) static_cast<const T *>(P)
#define SUM(T, U)                                                              \
  for (int k = 0; k < K; ++k)                                                  \
    acc += float(OF(T, A)[row * K + k]) * float(OF(U, B)[k * N + col]);

// LIFTED-LABEL: contraction "floats" {
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
// LIFTED: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
KERNEL(floats, void *,
       SUM(float, float) static_cast<float *>(C)[row * N + col] = acc;)

// LIFTED-LABEL: contraction "halves" {
// LIFTED: operand A = A[%m * K + %k]:f16
// LIFTED: operand B = B[%k * N + %n]:bf16
// LIFTED: output C[%m * N + %n]:f16 = f16(acc)
#pragma warpwright matmul
KERNEL(halves, void *,
       SUM(__half, __nv_bfloat16) static_cast<__half *>(C)[row * N + col] =
           __half(acc);)

// LIFTED-LABEL: contraction "doubles" {
// LIFTED: operand A = A[%m * K + %k]:f64
#pragma warpwright matmul
KERNEL(doubles, void *, double sum = 0;
       for (int k = 0; k < K; ++k) sum +=
       OF(double, A)[row * K + k] * OF(double, B)[k * N + col];
       static_cast<double *>(C)[row * N + col] = sum + acc;)

// Bytes from an offset on: the launcher asks for whole elements.
//
// LIFTED-LABEL: contraction "from_offset" {
// LIFTED: operand A = A[%m * K + %k + floordiv(offset, 4)]:f32
// LIFTED: require mod(offset, 4) == 0
#pragma warpwright matmul
KERNEL(from_offset, char *,
       const float *a = reinterpret_cast<const float *>(A + offset);
       const float *b = reinterpret_cast<const float *>(B);
       for (int k = 0; k < K; ++k) acc += a[row * K + k] * b[k * N + col];
       reinterpret_cast<float *>(C)[row * N + col] = acc;)

// A half number or zero.
//
// LIFTED-LABEL: contraction "or_zero" {
// LIFTED: operand A = A[%m * K + %k]:f16
#pragma warpwright matmul
KERNEL(
    or_zero, void *, for (int k = 0; k < K; ++k) {
      const __half a = k < K ? OF(__half, A)[row * K + k] : __half(0.0f);
      acc += __half2float(a) * OF(float, B)[k * N + col];
    } static_cast<float *>(C)[row * N + col] = acc;)

// The same memory is read as halves and as floats.
//
// CHECK: 'of_two_types' is not rewritten: {{.*}} [WW207]
#pragma warpwright matmul
KERNEL(of_two_types, void *,
       SUM(__half, float) static_cast<float *>(C)[row * N + col] = acc +
                                                                   OF(float,
                                                                      A)[col];)

// An element that begins between others.
//
// CHECK: 'between' is not rewritten: {{.*}} [WW207]
#pragma warpwright matmul
KERNEL(between, char *, const float *a = reinterpret_cast<const float *>(A + 2);
       const float *b = reinterpret_cast<const float *>(B);
       for (int k = 0; k < K; ++k) acc += a[row * K + k] * b[k * N + col];
       reinterpret_cast<float *>(C)[row * N + col] = acc;)

// Bits that no cast says what they are.
//
// CHECK: 'of_bits' is not rewritten: {{.*}} [WW2
#pragma warpwright matmul
KERNEL(of_bits, void *,
       for (int k = 0; k < K; ++k) acc +=
       float(OF(short, A)[row * K + k]) * OF(float, B)[k * N + col];
       static_cast<short *>(C)[row * N + col] = short(acc);)
