// Products of numbers of 8 bits, fp8: loads one by one and several at once,
// conversions, scales, and what is stored.

// RUN: %warpwright rewrite --emit=contraction %s -- %parse 2>%t.err | FileCheck %s --implicit-check-not=contraction
// RUN: FileCheck %s --check-prefix=ERR < %t.err

// Each is lifted, and has a plan.
// ERR-NOT: {{WW2|WW507|not rewritten}}

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <stdint.h>
typedef __nv_fp8_e4m3 e4m3;
typedef __nv_fp8_e5m2 e5m2;
#define PLACE                                                                  \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  float acc = 0;
#define ARGS(T, U, V) const T *A, const U *B, V *C, int M, int N, int K

// CHECK-LABEL: contraction "plain"
// CHECK: operand A = A[%m * K + %k]:e4m3
// CHECK: operand B = B[%k * N + %n]:e4m3
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void plain(ARGS(e4m3, e4m3, float)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += float(A[row * K + k]) * float(B[k * N + col]);
  C[row * N + col] = acc;
}

// CHECK-LABEL: contraction "mixed"
// CHECK: operand A = A[%m * K + %k]:e4m3
// CHECK: operand B = B[%n * K + %k]:e5m2
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:bf16 = bf16(acc)
#pragma warpwright matmul
__global__ void mixed(ARGS(e4m3, e5m2, __nv_bfloat16)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += static_cast<float>(A[row * K + k]) *
           static_cast<float>(B[col * K + k]);
  C[row * N + col] = __float2bfloat16(acc);
}

// CHECK-LABEL: contraction "mixed2"
// CHECK: operand A = A[%m * K + %k]:e5m2
// CHECK: operand B = B[%n * K + %k]:e4m3
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:f16 = f16(acc)
#pragma warpwright matmul
__global__ void mixed2(ARGS(e5m2, e4m3, __half)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += __half2float(__half(A[row * K + k])) *
           __half2float(static_cast<__half>(B[col * K + k]));
  C[row * N + col] = __float2half(acc);
}

// Through bfloat16 and double, which hold all of them.
// CHECK-LABEL: contraction "through_bf16"
// CHECK: operand A = A[%m * K + %k]:e5m2
// CHECK: operand B = B[%n * K + %k]:e5m2
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void through_bf16(ARGS(e5m2, e5m2, float)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += __bfloat162float(__nv_bfloat16(A[row * K + k])) *
           (float)double(B[col * K + k]);
  C[row * N + col] = acc;
}

// The bits, of which an argument says what they are.
// CHECK-LABEL: contraction "bits"
// CHECK: operand A = A[%m * K + %k]:e4m3
// CHECK: operand B = B[%n * K + %k]:e5m2
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void bits(ARGS(__nv_fp8_storage_t, uint8_t, float)) {
  PLACE
  for (int k = 0; k < K; ++k) {
    __half a = __nv_cvt_fp8_to_halfraw(A[row * K + k], __NV_E4M3);
    __half b = __nv_cvt_fp8_to_halfraw(B[col * K + k], __NV_E5M2);
    acc += __half2float(a) * __half2float(b);
  }
  C[row * N + col] = acc;
}

// CHECK-LABEL: contraction "members"
// CHECK: operand A = A[%m * K + %k]:e4m3
// CHECK: operand B = B[%n * K + %k]:e4m3
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void members(ARGS(e4m3, e4m3, float)) {
  PLACE
  for (int k = 0; k < K; ++k) {
    __half a = __nv_cvt_fp8_to_halfraw(A[row * K + k].__x, __NV_E4M3);
    acc += __half2float(a) * float(B[col * K + k]);
  }
  C[row * N + col] = acc;
}

// Four and two with one load.
// CHECK-LABEL: contraction "four"
// CHECK: index %k < 4 * floordiv(K + 3, 4)
// CHECK: operand A = A[%m * K + %k]:e4m3
// CHECK: operand B = B[%n * K + %k]:e5m2
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void four(ARGS(e4m3, e5m2, float)) {
  PLACE
  for (int k = 0; k < K; k += 4) {
    float4 a = float4(
        *reinterpret_cast<const __nv_fp8x4_e4m3 *>(&A[row * K + k]));
    float4 b = static_cast<float4>(
        *reinterpret_cast<const __nv_fp8x4_e5m2 *>(&B[col * K + k]));
    acc += a.x * b.x;
    acc += a.y * b.y;
    acc += a.z * b.z;
    acc += a.w * b.w;
  }
  C[row * N + col] = acc;
}

// CHECK-LABEL: contraction "two"
// CHECK: index %k < 2 * floordiv(K, 2)
// CHECK: operand A = A[%m * K + %k]:e4m3
// CHECK: operand B = B[%n * K + %k]:e4m3
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void two(ARGS(__nv_fp8x2_e4m3, __nv_fp8x2_e4m3, float)) {
  PLACE
  for (int k = 0; k < K / 2; ++k) {
    float2 a = float2(A[row * (K / 2) + k]);
    float2 b = __half22float2(__half2(B[col * (K / 2) + k]));
    acc += a.x * b.x + a.y * b.y;
  }
  C[row * N + col] = acc;
}

// CHECK-LABEL: contraction "two_bits"
// CHECK: index %k < 2 * floordiv(K, 2)
// CHECK: operand A = A[%m * K + %k]:e5m2
// CHECK: operand B = B[%n * K + %k]:e5m2
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void two_bits(ARGS(__nv_fp8x2_storage_t, __nv_fp8x2_storage_t,
                              float)) {
  PLACE
  for (int k = 0; k < K / 2; ++k) {
    __half2 a = __nv_cvt_fp8x2_to_halfraw2(A[row * (K / 2) + k], __NV_E5M2);
    __half2 b = __nv_cvt_fp8x2_to_halfraw2(B[col * (K / 2) + k], __NV_E5M2);
    acc += __low2float(a) * __low2float(b) + __high2float(a) * __high2float(b);
  }
  C[row * N + col] = acc;
}

// CHECK-LABEL: contraction "sixteen"
// CHECK: index %k < 16 * floordiv(K + 15, 16)
// CHECK: operand A = A[%m * K + %k]:e4m3
// CHECK: operand B = B[%n * K + %k]:e4m3
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void sixteen(ARGS(e4m3, e4m3, float)) {
  PLACE
  for (int k = 0; k < K; k += 16) {
    uint4 a = *reinterpret_cast<const uint4 *>(&A[row * K + k]);
    uint4 b = *reinterpret_cast<const uint4 *>(&B[col * K + k]);
    const e4m3 *x = reinterpret_cast<const e4m3 *>(&a);
    const e4m3 *y = reinterpret_cast<const e4m3 *>(&b);
#pragma unroll
    for (int j = 0; j < 16; ++j)
      acc += float(x[j]) * float(y[j]);
  }
  C[row * N + col] = acc;
}

// Bytes taken out of a word by shifts.
// CHECK-LABEL: contraction "shifted"
// CHECK: index %k < 4 * floordiv(K + 3, 4)
// CHECK: operand A = A[%m * K + %k]:e4m3
// CHECK: operand B = B[%n * K + %k]:e4m3
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void shifted(ARGS(e4m3, e4m3, float)) {
  PLACE
  for (int k = 0; k < K; k += 4) {
    unsigned a = *reinterpret_cast<const unsigned *>(&A[row * K + k]);
    unsigned b = *reinterpret_cast<const unsigned *>(&B[col * K + k]);
#define FLOAT(BITS) __half2float(__nv_cvt_fp8_to_halfraw(BITS, __NV_E4M3))
    acc += FLOAT(a & 0xff) * FLOAT((unsigned char)b);
    acc += FLOAT(a >> 8 & 0xff) * FLOAT((unsigned char)(b >> 8));
    acc += FLOAT(a >> 16 & 0xff) * FLOAT((unsigned char)(b >> 16));
    acc += FLOAT(a >> 24) * FLOAT((unsigned char)(b >> 24));
  }
  C[row * N + col] = acc;
}

// A tile in shared memory, with zeros beyond the edges.
// CHECK-LABEL: contraction "tiled"
// CHECK: operand A = A[%m * K + %k]:e4m3
// CHECK: operand B = B[%k * N + %n]:e5m2
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:bf16 = bf16(acc)
#pragma warpwright matmul
__global__ void tiled(ARGS(e4m3, e5m2, __nv_bfloat16)) {
  __shared__ e4m3 a[16][32];
  __shared__ e5m2 b[32][16];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float acc = 0;
  for (int k = 0; k < K; k += 32) {
    for (int j = threadIdx.x; j < 32; j += 16)
      a[threadIdx.y][j] = row < M && k + j < K ? A[row * K + k + j] : e4m3(0.0f);
    for (int j = threadIdx.y; j < 32; j += 16)
      b[j][threadIdx.x] =
          k + j < K && col < N ? B[(k + j) * N + col] : e5m2(0.0f);
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      acc += float(a[threadIdx.y][j]) * float(b[j][threadIdx.x]);
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = __nv_bfloat16(acc);
}
void launch(const e4m3 *A, const e5m2 *B, __nv_bfloat16 *C, int M, int N,
            int K) {
  tiled<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
}

// Scales of tensors, rows and columns are factors of the sum.
// CHECK-LABEL: contraction "scaled"
// CHECK: operand A = A[%m * K + %k]:e4m3
// CHECK: operand B = B[%n * K + %k]:e4m3
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:bf16 = bf16(((((acc * ta[0]:f32) * tb:f32) * sa[%m]:f32) * sb[%n]:f32))
#pragma warpwright matmul
__global__ void scaled(ARGS(e4m3, e4m3, __nv_bfloat16), const float *ta,
                       float tb, const float *sa, const float *sb) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += float(A[row * K + k]) * float(B[col * K + k]);
  C[row * N + col] = __float2bfloat16(acc * *ta * tb * sa[row] * sb[col]);
}

// Scales of 1 x 128 elements of A and of 128 x 128 of B.
// CHECK-LABEL: contraction "blocks"
// CHECK: operand A = A[%m * K + %k]:e4m3 as (f32(A[%m * K + %k]:e4m3) * sa[%m * KB + floordiv(%k, 128)]:f32)
// CHECK: operand B = B[%n * K + %k]:e4m3 as (f32(B[%n * K + %k]:e4m3) * sb[KB * floordiv(%n, 128) + floordiv(%k, 128)]:f32)
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:bf16 = bf16(acc)
#pragma warpwright matmul
__global__ void blocks(ARGS(e4m3, e4m3, __nv_bfloat16), const float *sa,
                       const float *sb, int KB) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += float(A[row * K + k]) * sa[row * KB + k / 128] *
           (float(B[col * K + k]) * sb[col / 128 * KB + k / 128]);
  C[row * N + col] = __float2bfloat16(acc);
}

// The same, a partial sum for each block.
// CHECK-LABEL: contraction "partial"
// CHECK: index %k < 128 * floordiv(K, 128)
// CHECK: operand A = A[%m * K + %k]:e4m3 as (f32(A[%m * K + %k]:e4m3) * sa[%m * floordiv(K, 128) + floordiv(%k, 128)]:f32)
// CHECK: operand B = B[%n * K + %k]:e4m3 as (f32(B[%n * K + %k]:e4m3) * sb[floordiv(%n, 128) * floordiv(K, 128) + floordiv(%k, 128)]:f32)
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:bf16 = bf16(acc)
#pragma warpwright matmul
__global__ void partial(ARGS(e4m3, e4m3, __nv_bfloat16), const float *sa,
                        const float *sb) {
  PLACE
  int KB = K / 128;
  for (int b = 0; b < KB; ++b) {
    float part = 0;
    for (int k = b * 128; k < b * 128 + 128; ++k)
      part += float(A[row * K + k]) * float(B[col * K + k]);
    acc += part * sa[row * KB + b] * sb[col / 128 * KB + b];
  }
  C[row * N + col] = __float2bfloat16(acc);
}

// What is stored saturates.
// CHECK-LABEL: contraction "to_fp8"
// CHECK: operand A = A[%m * K + %k]:e4m3
// CHECK: operand B = B[%n * K + %k]:e4m3
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:e4m3 = e4m3((acc * scale:f32))
#pragma warpwright matmul
__global__ void to_fp8(ARGS(e4m3, e4m3, e4m3), float scale) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += float(A[row * K + k]) * float(B[col * K + k]);
  C[row * N + col] = e4m3(acc * scale);
}

// CHECK-LABEL: contraction "to_bits"
// CHECK: operand A = A[%m * K + %k]:e4m3
// CHECK: operand B = B[%n * K + %k]:e4m3
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:e5m2 = e5m2(acc)
#pragma warpwright matmul
__global__ void to_bits(ARGS(e4m3, e4m3, __nv_fp8_storage_t)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += float(A[row * K + k]) * float(B[col * K + k]);
  C[row * N + col] = __nv_cvt_float_to_fp8(acc, __NV_SATFINITE, __NV_E5M2);
}

// CHECK-LABEL: contraction "half_to_fp8"
// CHECK: operand A = A[%m * K + %k]:f16
// CHECK: operand B = B[%n * K + %k]:f16
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:e5m2 = e5m2(f16(call.f32 "fmaxf"(acc, 0.0f:f32)))
#pragma warpwright matmul
__global__ void half_to_fp8(ARGS(__half, __half, e5m2)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += float(A[row * K + k]) * float(B[col * K + k]);
  C[row * N + col] = e5m2(__float2half(fmaxf(acc, 0.0f)));
}

// Four outputs with one store.
// CHECK-LABEL: contraction "to_four"
// CHECK: operand A = A[%m * K + %k]:e4m3
// CHECK: operand B = B[%n * K + %k]:e4m3
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:e4m3 = e4m3(acc)
#pragma warpwright matmul
__global__ void to_four(ARGS(e4m3, e4m3, e4m3)) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= M || col >= N)
    return;
  float acc[4] = {};
  for (int k = 0; k < K; ++k)
    for (int j = 0; j < 4; ++j)
      acc[j] += float(A[row * K + k]) * float(B[(col + j) * K + k]);
  *reinterpret_cast<__nv_fp8x4_e4m3 *>(&C[row * N + col]) =
      __nv_fp8x4_e4m3(make_float4(acc[0], acc[1], acc[2], acc[3]));
}

// Elements of 8 bits times those of 16.
// CHECK-LABEL: contraction "weights"
// CHECK: operand A = A[%m * K + %k]:f16
// CHECK: operand B = B[%n * K + %k]:e4m3
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:f16 = f16((acc * sb[%n]:f32))
#pragma warpwright matmul
__global__ void weights(ARGS(__half, e4m3, __half), const float *sb) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * float(B[col * K + k]);
  C[row * N + col] = __float2half(acc * sb[col]);
}

// CHECK-LABEL: contraction "weights_rounded"
// CHECK: operand A = A[%m * K + %k]:bf16
// CHECK: operand B = B[%n * K + %k]:e5m2 as f32((bf16(B[%n * K + %k]:e5m2) * sb[%n * G + floordiv(%k, 64)]:bf16))
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:bf16 = bf16(acc)
#pragma warpwright matmul
__global__ void weights_rounded(ARGS(__nv_bfloat16, e5m2, __nv_bfloat16),
                                const __nv_bfloat16 *sb, int G) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += __bfloat162float(A[row * K + k]) *
           __bfloat162float(__nv_bfloat16(B[col * K + k]) *
                            sb[col * G + k / 64]);
  C[row * N + col] = __float2bfloat16(acc);
}

// An operand that is rounded to 8 bits by the kernel.
// CHECK-LABEL: contraction "quantised"
// CHECK: operand A = A[%m * K + %k]:f16 as f32(e4m3((f32(A[%m * K + %k]:f16) * scale:f32)))
// CHECK: operand B = B[%n * K + %k]:e4m3
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void quantised(ARGS(__half, e4m3, float), float scale) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += float(e4m3(__half2float(A[row * K + k]) * scale)) *
           float(B[col * K + k]);
  C[row * N + col] = acc;
}

// Products in half precision.
// CHECK-LABEL: contraction "half_products"
// CHECK: operand A = A[%m * K + %k]:e4m3
// CHECK: operand B = B[%n * K + %k]:e4m3
// CHECK: accumulate f32 for f16{{$}}
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void half_products(ARGS(e4m3, e4m3, float)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += __half2float(__hmul(__half(A[row * K + k]), __half(B[col * K + k])));
  C[row * N + col] = acc;
}

// The constructors of integers convert to float first.
// CHECK-LABEL: contraction "from_integer"
// CHECK: operand A = A[%m * K + %k]:e4m3
// CHECK: operand B = B[%n * K + %k]:e4m3 as f32(call.i32 "__half2int_rz"(f16(B[%n * K + %k]:e4m3)))
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:e4m3 = e4m3(f32((call.i32 "__float2int_rn"(acc) + int.i32(zero))))
#pragma warpwright matmul
__global__ void from_integer(ARGS(e4m3, e4m3, e4m3), int zero) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += float(A[row * K + k]) * int(B[col * K + k]);
  C[row * N + col] = e4m3(__float2int_rn(acc) + zero);
}
