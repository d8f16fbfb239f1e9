// Products of integers: 8 bits with and without a sign, one by one and four in
// a word, with sums of int.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse 2>%t.err | FileCheck %s --implicit-check-not=contraction
// RUN: FileCheck %s --check-prefix=ERR < %t.err

// Each is lifted; some have no plan, which is said once for each kernel.
// ERR-NOT: not rewritten
// ERR: 'to64' is not rewritten: its products of integers are added in u64; the tensor cores add them in i32, which wraps around [WW302]
// ERR: 'in16' is not rewritten: 'A': operands of type i16 have no plan; half, bfloat16, float, int8, uint8, e4m3, e5m2 and double do [WW302]
// ERR: 'narrowed' is not rewritten: 'A': operands of type i32 have no plan; {{.*}} [WW302]
// ERR: 'int_via_half' is not rewritten: 'A': operands of type i32 have no plan; {{.*}} [WW302]
// ERR: 'scaled_parts' is not rewritten: {{.*}} [WW302]
// ERR-NOT: not rewritten

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdint.h>
#define PLACE                                                                  \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  int acc = 0;
#define ARGS(T, U, V) const T *A, const U *B, V *C, int M, int N, int K

// Numbers of 8 bits are multiplied as int, and an int sums them.
// CHECK-LABEL: contraction "plain"
// CHECK: operand A = A[%m * K + %k]:i8
// CHECK: operand B = B[%k * N + %n]:i8
// CHECK: accumulate i32{{$}}
// CHECK: output C[%m * N + %n]:i32 = acc
#pragma warpwright matmul
__global__ void plain(ARGS(int8_t, int8_t, int)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * B[k * N + col];
  C[row * N + col] = acc;
}

// CHECK-LABEL: contraction "casts"
// CHECK: operand A = A[%m * K + %k]:i8
// CHECK: operand B = B[%k * N + %n]:u8
// CHECK: accumulate i32{{$}}
// CHECK: output C[%m * N + %n]:i32 = acc
#pragma warpwright matmul
__global__ void casts(ARGS(signed char, unsigned char, int)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += (int)A[row * K + k] * (int)B[k * N + col];
  C[row * N + col] = acc;
}

// One operand with a sign and one without.
// CHECK-LABEL: contraction "toint32"
// CHECK: operand A = A[%m * K + %k]:u8
// CHECK: operand B = B[%k * N + %n]:i8
// CHECK: accumulate i32{{$}}
// CHECK: output C[%m * N + %n]:i32 = acc
#pragma warpwright matmul
__global__ void toint32(ARGS(uint8_t, int8_t, int32_t)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += static_cast<int32_t>(A[row * K + k]) *
           static_cast<int32_t>(B[k * N + col]);
  C[row * N + col] = acc;
}

// Four of them with one load.
// CHECK-LABEL: contraction "vec4"
// CHECK: index %k < 4 * floordiv(K + 3, 4)
// CHECK: operand A = A[%m * K + %k]:i8
// CHECK: operand B = B[%n * K + %k]:i8
// CHECK: accumulate i32{{$}}
// CHECK: output C[%m * N + %n]:i32 = acc
#pragma warpwright matmul
__global__ void vec4(ARGS(int8_t, int8_t, int)) {
  PLACE
  for (int k = 0; k < K; k += 4) {
    char4 a = *reinterpret_cast<const char4 *>(&A[row * K + k]);
    char4 b = *reinterpret_cast<const char4 *>(&B[col * K + k]);
    acc += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  }
  C[row * N + col] = acc;
}

// Words of four bytes, read through a cast pointer.
// CHECK-LABEL: contraction "dp4a"
// CHECK: index %k < 4 * floordiv(K + 3, 4)
// CHECK: operand A = A[%m * K + %k]:i8
// CHECK: operand B = B[%n * K + %k]:i8
// CHECK: accumulate i32{{$}}
// CHECK: output C[%m * N + %n]:i32 = acc
#pragma warpwright matmul
__global__ void dp4a(ARGS(int8_t, int8_t, int)) {
  PLACE
  for (int k = 0; k < K; k += 4) {
    int a = *reinterpret_cast<const int *>(&A[row * K + k]);
    int b = *reinterpret_cast<const int *>(&B[col * K + k]);
    acc = __dp4a(a, b, acc);
  }
  C[row * N + col] = acc;
}

// The parameters point to words themselves: their bytes are the elements.
// CHECK-LABEL: contraction "dp4a_packed"
// CHECK: index %k < 4 * K4
// CHECK: operand A = A[4 * %m * K4 + %k]:i8
// CHECK: operand B = B[4 * %n * K4 + %k]:i8
// CHECK: accumulate i32{{$}}
// CHECK: output C[%m * N + %n]:i32 = acc
#pragma warpwright matmul
__global__ void dp4a_packed(const int *A, const int *B, int *C, int M, int N,
                            int K4) {
  PLACE
  for (int k = 0; k < K4; k += 1)
    acc = __dp4a(A[row * K4 + k], B[col * K4 + k], acc);
  C[row * N + col] = acc;
}

// CHECK-LABEL: contraction "dp4a_char4"
// CHECK: index %k < 4 * K4
// CHECK: operand A = A[4 * %m * K4 + %k]:i8
// CHECK: operand B = B[4 * %n * K4 + %k]:i8
// CHECK: accumulate i32{{$}}
// CHECK: output C[%m * N + %n]:i32 = acc
#pragma warpwright matmul
__global__ void dp4a_char4(const char4 *A, const char4 *B, int *C, int M, int N,
                           int K4) {
  PLACE
  for (int k = 0; k < K4; k += 1)
    acc = __dp4a(A[row * K4 + k], B[col * K4 + k], acc);
  C[row * N + col] = acc;
}

// CHECK-LABEL: contraction "int4loads"
// CHECK: index %k < 16 * floordiv(K + 15, 16)
// CHECK: operand A = A[%m * K + %k]:i8
// CHECK: operand B = B[%n * K + %k]:i8
// CHECK: accumulate i32{{$}}
// CHECK: output C[%m * N + %n]:i32 = acc
#pragma warpwright matmul
__global__ void int4loads(ARGS(int8_t, int8_t, int)) {
  PLACE
  for (int k = 0; k < K; k += 16) {
    int4 a = *reinterpret_cast<const int4 *>(&A[row * K + k]);
    int4 b = *reinterpret_cast<const int4 *>(&B[col * K + k]);
    acc = __dp4a(a.x, b.x, acc);
    acc = __dp4a(a.y, b.y, acc);
    acc = __dp4a(a.z, b.z, acc);
    acc = __dp4a(a.w, b.w, acc);
  }
  C[row * N + col] = acc;
}

// Scaled by row and column.
// CHECK-LABEL: contraction "scaled"
// CHECK: operand A = A[%m * K + %k]:i8
// CHECK: operand B = B[%k * N + %n]:i8
// CHECK: accumulate i32{{$}}
// CHECK: output C[%m * N + %n]:f32 = ((f32(acc) * sa[%m]:f32) * sb[%n]:f32)
#pragma warpwright matmul
__global__ void scaled(ARGS(int8_t, int8_t, float), const float *sa,
                       const float *sb) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * B[k * N + col];
  C[row * N + col] = (float)acc * sa[row] * sb[col];
}

// Rounded, shifted by a zero point, clamped and stored as 8 bits.
// CHECK-LABEL: contraction "requant"
// CHECK: operand A = A[%m * K + %k]:i8
// CHECK: operand B = B[%k * N + %n]:i8
// CHECK: accumulate i32{{$}}
// CHECK: output C[%m * N + %n]:i8 = i8(call.i32 "max"(int.i32(-128), call.i32 "min"(int.i32(127), (call.i32 "__float2int_rn"((f32((acc + bias[%n]:i32)) * scale:f32)) + int.i32(zp)))))
#pragma warpwright matmul
__global__ void requant(ARGS(int8_t, int8_t, int8_t), float scale, int zp,
                        const int *bias) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * B[k * N + col];
  acc += bias[col];
  int q = __float2int_rn((float)acc * scale) + zp;
  q = max(-128, min(127, q));
  C[row * N + col] = (int8_t)q;
}

// CHECK-LABEL: contraction "requant2"
// CHECK: operand A = A[%m * K + %k]:i8
// CHECK: operand B = B[%k * N + %n]:i8
// CHECK: accumulate i32{{$}}
// CHECK: output C[%m * N + %n]:i8 = call.i8 "static_cast<signed char>"(call.f32 "fminf"(call.f32 "fmaxf"((call.f32 "rintf"((f32(acc) * scale:f32)) + int.f32(zp)), -(128.0f:f32)), 127.0f:f32))
#pragma warpwright matmul
__global__ void requant2(ARGS(int8_t, int8_t, int8_t), float scale, int zp,
                         const int *bias) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * B[k * N + col];
  float f = rintf(acc * scale) + zp;
  f = fminf(fmaxf(f, -128.f), 127.f);
  C[row * N + col] = static_cast<int8_t>(f);
}

// CHECK-LABEL: contraction "requant3"
// CHECK: operand A = A[%m * K + %k]:i8
// CHECK: operand B = B[%k * N + %n]:i8
// CHECK: accumulate i32{{$}}
// CHECK: output C[%m * N + %n]:f16 = f16(call.f32 "roundf"((f32(acc) * scale:f32)))
#pragma warpwright matmul
__global__ void requant3(ARGS(int8_t, int8_t, half), float scale, int zp) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * B[k * N + col];
  C[row * N + col] = __float2half(roundf(acc * scale));
}

// A zero point that is subtracted before the multiplication is a prologue.
// CHECK-LABEL: contraction "zero_points"
// CHECK: operand A = A[%m * K + %k]:u8 as (i32(A[%m * K + %k]:u8) - int.i32(za))
// CHECK: operand B = B[%k * N + %n]:i8 as (i32(B[%k * N + %n]:i8) - int.i32(zb))
// CHECK: accumulate i32{{$}}
// CHECK: output C[%m * N + %n]:i32 = acc
#pragma warpwright matmul
__global__ void zero_points(ARGS(uint8_t, int8_t, int), int za, int zb) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += (A[row * K + k] - za) * (B[k * N + col] - zb);
  C[row * N + col] = acc;
}

// CHECK-LABEL: contraction "zero_point_row"
// CHECK: operand A = A[%m * K + %k]:u8
// CHECK: operand B = B[%k * N + %n]:i8 as (i32(B[%k * N + %n]:i8) - zb[%n]:i32)
// CHECK: accumulate i32{{$}}
// CHECK: output C[%m * N + %n]:i32 = acc
#pragma warpwright matmul
__global__ void zero_point_row(ARGS(uint8_t, int8_t, int), const int *zb) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * (B[k * N + col] - zb[col]);
  C[row * N + col] = acc;
}

// Tiles of bytes, and of words.
// CHECK-LABEL: contraction "tiles"
// CHECK: operand A = A[%m * K + %k]:i8
// CHECK: operand B = B[%k * N + %n]:i8
// CHECK: accumulate i32{{$}}
// CHECK: output C[%m * N + %n]:i32 = acc
#pragma warpwright matmul
__global__ void tiles(ARGS(int8_t, int8_t, int)) {
  __shared__ int8_t As[16][16], Bs[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  int acc = 0;
  for (int t = 0; t < K; t += 16) {
    As[threadIdx.y][threadIdx.x] =
        row < M && t + threadIdx.x < K ? A[row * K + t + threadIdx.x] : 0;
    Bs[threadIdx.y][threadIdx.x] =
        col < N && t + threadIdx.y < K ? B[(t + threadIdx.y) * N + col] : 0;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

// Products of 8 bits are exact in int and in float.
// CHECK-LABEL: contraction "in_float"
// CHECK: operand A = A[%m * K + %k]:i8
// CHECK: operand B = B[%k * N + %n]:i8
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void in_float(ARGS(int8_t, int8_t, float)) {
  PLACE
  float s = 0;
  for (int k = 0; k < K; ++k)
    s += (float)A[row * K + k] * (float)B[k * N + col];
  C[row * N + col] = s;
}

// CHECK-LABEL: contraction "in_float2"
// CHECK: operand A = A[%m * K + %k]:i8
// CHECK: operand B = B[%k * N + %n]:i8
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void in_float2(ARGS(int8_t, int8_t, float)) {
  PLACE
  float s = 0;
  for (int k = 0; k < K; ++k)
    s += A[row * K + k] * B[k * N + col];
  C[row * N + col] = s;
}

// Sums without a sign, and wider ones.
// CHECK-LABEL: contraction "unsigned_sum"
// CHECK: operand A = A[%m * K + %k]:u8
// CHECK: operand B = B[%k * N + %n]:u8
// CHECK: accumulate u32{{$}}
// CHECK: output C[%m * N + %n]:u32 = acc
#pragma warpwright matmul
__global__ void unsigned_sum(ARGS(uint8_t, uint8_t, unsigned)) {
  PLACE
  unsigned s = acc;
  for (int k = 0; k < K; ++k)
    s += A[row * K + k] * B[k * N + col];
  C[row * N + col] = s;
}

// CHECK-LABEL: contraction "udp4a"
// CHECK: index %k < 4 * floordiv(K + 3, 4)
// CHECK: operand A = A[%m * K + %k]:u8
// CHECK: operand B = B[%n * K + %k]:u8
// CHECK: accumulate u32{{$}}
// CHECK: output C[%m * N + %n]:u32 = acc
#pragma warpwright matmul
__global__ void udp4a(ARGS(uint8_t, uint8_t, unsigned)) {
  PLACE
  unsigned s = acc;
  for (int k = 0; k < K; k += 4)
    s = __dp4a(*(const unsigned *)(A + row * K + k),
               *(const unsigned *)(B + col * K + k), s);
  C[row * N + col] = s;
}

// CHECK-LABEL: contraction "to64"
// CHECK: operand A = A[%m * K + %k]:u8
// CHECK: operand B = B[%k * N + %n]:u8
// CHECK: accumulate u64{{$}}
// CHECK: output C[%m * N + %n]:u64 = acc
#pragma warpwright matmul
__global__ void to64(ARGS(uint8_t, uint8_t, unsigned long long)) {
  PLACE
  unsigned long long s = acc;
  for (int k = 0; k < K; ++k)
    s += A[row * K + k] * B[k * N + col];
  C[row * N + col] = s;
}

// A product of 16 bits fits in an int as well.
// CHECK-LABEL: contraction "in16"
// CHECK: operand A = A[%m * K + %k]:i16
// CHECK: operand B = B[%k * N + %n]:i16
// CHECK: accumulate i32{{$}}
// CHECK: output C[%m * N + %n]:i32 = acc
#pragma warpwright matmul
__global__ void in16(ARGS(short, short, int)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * B[k * N + col];
  C[row * N + col] = acc;
}

// What a narrower type cuts off is cut off by a prologue.
// CHECK-LABEL: contraction "narrowed"
// CHECK: operand A = A[%m * K + %k]:i32 as i32(i8(A[%m * K + %k]:i32))
// CHECK: operand B = B[%k * N + %n]:i8
// CHECK: accumulate i32{{$}}
// CHECK: output C[%m * N + %n]:i32 = acc
#pragma warpwright matmul
__global__ void narrowed(ARGS(int, int8_t, int)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += (int8_t)A[row * K + k] * B[k * N + col];
  C[row * N + col] = acc;
}

// Without a sign times with a sign, for which there is no intrinsic.
// CHECK-LABEL: contraction "mixed_dp4a"
// CHECK: index %k < 4 * floordiv(K + 3, 4)
// CHECK: operand A = A[%m * K + %k]:u8
// CHECK: operand B = B[%n * K + %k]:i8
// CHECK: accumulate i32{{$}}
// CHECK: output C[%m * N + %n]:i32 = acc
#pragma warpwright matmul
__global__ void mixed_dp4a(ARGS(uint8_t, int8_t, int)) {
  PLACE
  for (int k = 0; k < K; k += 4)
    asm("dp4a.u32.s32 %0, %1, %2, %0;"
        : "+r"(acc)
        : "r"(*(const int *)(A + row * K + k)),
          "r"(*(const int *)(B + col * K + k)));
  C[row * N + col] = acc;
}

// So is what a narrower type rounds.
// CHECK-LABEL: contraction "int_via_half"
// CHECK: operand A = A[%m * K + %k]:i32 as f32(f16(A[%m * K + %k]:i32))
// CHECK: operand B = B[%k * N + %n]:i8
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void int_via_half(ARGS(int, int8_t, float)) {
  PLACE
  float s = acc;
  for (int k = 0; k < K; ++k)
    s += __half2float(__int2half_rn(A[row * K + k])) * B[k * N + col];
  C[row * N + col] = s;
}

// Bytes that are taken out of a word by shifts and masks.
// CHECK-LABEL: contraction "unpacked"
// CHECK: index %k < 4 * floordiv(K + 3, 4)
// CHECK: operand A = A[%m * K + %k]:i8
// CHECK: operand B = B[%n * K + %k]:i8
// CHECK: accumulate i32{{$}}
// CHECK: output C[%m * N + %n]:i32 = acc
#pragma warpwright matmul
__global__ void unpacked(ARGS(int8_t, int8_t, int)) {
  PLACE
  for (int k = 0; k < K; k += 4) {
    int a = *(const int *)(A + row * K + k);
    int b = *(const int *)(B + col * K + k);
    acc += (int8_t)a * (int8_t)b;
    acc += (int8_t)(a >> 8) * (int8_t)(b >> 8);
    acc += ((a << 8) >> 24) * ((b << 8) >> 24);
    acc += (a >> 24) * (b >> 24);
  }
  C[row * N + col] = acc;
}

// CHECK-LABEL: contraction "unpacked_u"
// CHECK: index %k < 4 * floordiv(K + 3, 4)
// CHECK: operand A = A[%m * K + %k]:u8
// CHECK: operand B = B[%n * K + %k]:i8
// CHECK: accumulate i32{{$}}
// CHECK: output C[%m * N + %n]:i32 = acc
#pragma warpwright matmul
__global__ void unpacked_u(ARGS(uint8_t, int8_t, int)) {
  PLACE
  for (int k = 0; k < K; k += 4) {
    unsigned a = *(const unsigned *)(A + row * K + k);
    int b = *(const int *)(B + col * K + k);
    acc += (int)(a & 0xff) * (int8_t)b;
    acc += (int)((a >> 8) & 0xff) * (int8_t)(b >> 8);
    acc += (int)((a >> 16) & 0xff) * (int8_t)(b >> 16);
    acc += (int)(a >> 24) * (int8_t)(b >> 24);
  }
  C[row * N + col] = acc;
}

// In a loop over the bytes of a word.
// CHECK-LABEL: contraction "unpacked_in_turn"
// CHECK: index %k < 4 * floordiv(K + 3, 4)
// CHECK: operand A = A[%m * K + %k]:i8{{$}}
// CHECK: operand B = B[%n * K + %k]:u8{{$}}
// CHECK: accumulate i32{{$}}
#pragma warpwright matmul
__global__ void unpacked_in_turn(ARGS(int8_t, uint8_t, int)) {
  PLACE
  for (int k = 0; k < K; k += 4) {
    int a = *(const int *)(A + row * K + k);
    unsigned b = *(const unsigned *)(B + col * K + k);
    for (int i = 0; i < 4; ++i)
      acc += (int8_t)(a >> 8 * i) * (int)(b >> 8 * i & 0xff);
  }
  C[row * N + col] = acc;
}

// CHECK-LABEL: contraction "tiles_dp4a"
// CHECK: index %k < 4 * floordiv(K + 3, 4)
// CHECK: operand A = A[%m * K + %k]:i8
// CHECK: operand B = B[%n * K + %k]:i8
// CHECK: accumulate i32{{$}}
// CHECK: output C[%m * N + %n]:i32 = acc
#pragma warpwright matmul
__global__ void tiles_dp4a(ARGS(int8_t, int8_t, int)) {
  __shared__ int As[16][16], Bs[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  int acc = 0;
  for (int t = 0; t < K; t += 64) {
    As[threadIdx.y][threadIdx.x] =
        row < M && t + 4 * threadIdx.x < K
            ? *(const int *)&A[row * K + t + 4 * threadIdx.x]
            : 0;
    Bs[threadIdx.y][threadIdx.x] =
        blockIdx.x * 16 + threadIdx.y < N && t + 4 * threadIdx.x < K
            ? *(const int *)&B[(blockIdx.x * 16 + threadIdx.y) * K + t +
                               4 * threadIdx.x]
            : 0;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc = __dp4a(As[threadIdx.y][k], Bs[threadIdx.x][k], acc);
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

// The end of the matrix is compared in words.
// CHECK-LABEL: contraction "tiles_packed"
// CHECK: index %k < 4 * K4
// CHECK: operand A = A[4 * %m * K4 + %k]:i8
// CHECK: operand B = B[4 * %n * K4 + %k]:i8
// CHECK: accumulate i32{{$}}
// CHECK: output C[%m * N + %n]:i32 = acc
#pragma warpwright matmul
__global__ void tiles_packed(const int *A, const int *B, int *C, int M, int N,
                             int K4) {
  __shared__ int As[16][16], Bs[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  int acc = 0;
  for (int t = 0; t < K4; t += 16) {
    As[threadIdx.y][threadIdx.x] =
        row < M && t + threadIdx.x < K4 ? A[row * K4 + t + threadIdx.x] : 0;
    Bs[threadIdx.y][threadIdx.x] =
        blockIdx.x * 16 + threadIdx.y < N && t + threadIdx.x < K4
            ? B[(blockIdx.x * 16 + threadIdx.y) * K4 + t + threadIdx.x]
            : 0;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc = __dp4a(As[threadIdx.y][k], Bs[threadIdx.x][k], acc);
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

// CHECK-LABEL: contraction "int4_param"
// CHECK: index %k < 16 * K16
// CHECK: operand A = A[16 * %m * K16 + %k]:i8
// CHECK: operand B = B[16 * %n * K16 + %k]:i8
// CHECK: accumulate i32{{$}}
// CHECK: output C[%m * N + %n]:i32 = acc
#pragma warpwright matmul
__global__ void int4_param(const int4 *A, const int4 *B, int *C, int M, int N,
                           int K16) {
  PLACE
  for (int k = 0; k < K16; k++) {
    int4 a = A[row * K16 + k], b = __ldg(&B[col * K16 + k]);
    acc = __dp4a(a.x, b.x, acc);
    acc = __dp4a(a.y, b.y, acc);
    acc = __dp4a(a.z, b.z, acc);
    acc = __dp4a(a.w, b.w, acc);
  }
  C[row * N + col] = acc;
}

// The products are computed without a sign, the sum is an int: it is shifted as one.
// CHECK-LABEL: contraction "with_sign"
// CHECK: accumulate u32{{$}}
// CHECK: output C[%m * N + %n]:i32 = (i32(acc) >> int.i32(3))
#pragma warpwright matmul
__global__ void with_sign(ARGS(uint8_t, uint8_t, int)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * ((unsigned)B[col * K + k] - 300);
  C[row * N + col] = acc >> 3;
}

// Four bytes, or an object that holds four zeros.
// CHECK-LABEL: contraction "zeros_in_an_object"
// CHECK: index %k < 4 * floordiv(K + 3, 4)
// CHECK: operand A = A[%m * K + %k]:i8
// CHECK: operand B = B[%n * K + %k]:i8
#pragma warpwright matmul
__global__ void zeros_in_an_object(ARGS(int8_t, int8_t, int)) {
  __shared__ char4 as[16][16], bs[16][17];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 16 + y, column = blockIdx.x * 16;
  int acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    const char4 zero = make_char4(0, 0, 0, 0);
    const int k = k0 + x * 4;
    as[y][x] = row < M && k < K
                   ? *reinterpret_cast<const char4 *>(A + row * K + k)
                   : zero;
    bs[y][x] = column + y < N && k < K
                   ? *reinterpret_cast<const char4 *>(B + (column + y) * K + k)
                   : zero;
    __syncthreads();
    for (int i = 0; i < 16; ++i) {
      const char4 a = as[y][i], b = bs[x][i];
      acc += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    }
    __syncthreads();
  }
  if (row < M && column + x < N)
    C[row * N + column + x] = acc;
}

// Groups that are summed in int and added as floats, as long as an int holds
// the sum of one: 2^31 - 1 is 131071 times 2^14 and some more.
// CHECK-LABEL: contraction "groups"
// CHECK: index %k < floordiv(K, size) * size
// CHECK: operand A = A[%m * K + %k]:i8 as (f32(i32(A[%m * K + %k]:i8)) * s[floordiv(%k, size)]:f32)
// CHECK: operand B = B[%n * K + %k]:i8{{$}}
// CHECK: accumulate f32
// CHECK: require size <= 131071 : "a sum of integers may exceed its type"
#pragma warpwright matmul
__global__ void groups(ARGS(int8_t, int8_t, float), const float *s, int size) {
  PLACE
  float all = acc;
  for (int g = 0; g < K / size; ++g) {
    int sum = 0;
    for (int k = 0; k < size; ++k)
      sum += A[row * K + g * size + k] * B[col * K + g * size + k];
    all += sum * s[g];
  }
  C[row * N + col] = all;
}

// Sums of four products, in parts that have a scale of six bits: 256 times 255,
// 255 and 63 is below 2^31.
// CHECK-LABEL: contraction "scaled_parts"
// CHECK: index %k < 256 * floordiv(K, 256)
// CHECK: operand A = A[%m * K + %k]:u8 as
// CHECK-SAME: p[floordiv(%k, 32)]
// CHECK-SAME: s[floordiv(%k, 256)]
// CHECK: operand B = B[%n * K + %k]:u8{{$}}
// CHECK: accumulate f64
// CHECK-NOT: may exceed
// CHECK: offsets
#pragma warpwright matmul
__global__ void scaled_parts(ARGS(uint8_t, uint8_t, double), const double *s,
                             const uint8_t *p) {
  PLACE
  double all = acc;
  for (int g = 0; g < K / 256; ++g) {
    int sum = 0;
    for (int part = 0; part < 8; ++part) {
      unsigned of_part = 0;
      for (int i = 0; i < 8; ++i) {
        const int at = g * 256 + part * 32 + i * 4;
        of_part = __dp4a(*(const unsigned *)(A + row * K + at),
                         *(const unsigned *)(B + col * K + at), of_part);
      }
      sum += of_part * (p[g * 8 + part] & 63);
    }
    all += sum * s[g];
  }
  C[row * N + col] = all;
}

// A zero point that is taken from the sum of the other factor in a group. The
// range of the integers is that of their difference.
// CHECK-LABEL: contraction "zeros_of_sums"
// CHECK: index %k < floordiv(K, size) * size
// CHECK: operand A = A[%m * K + %k]:i8 as (f32(A[%m * K + %k]:i8) * s[floordiv(%k, size)]:f32)
// CHECK: operand B = B[%n * K + %k]:u8 as (f32(i32(B[%n * K + %k]:u8)) - f32(i32(z[N * floordiv(%k, size) + %n]:u8)))
// CHECK: require size <= 33025 : "a sum of integers may exceed its type"
#pragma warpwright matmul
__global__ void zeros_of_sums(ARGS(int8_t, uint8_t, float), const float *s,
                              const uint8_t *z, int size) {
  PLACE
  float all = acc;
  for (int g = 0; g < K / size; ++g) {
    int sum = 0, of_a = 0;
    for (int k = g * size; k < g * size + size; ++k) {
      sum += A[row * K + k] * B[col * K + k];
      of_a += A[row * K + k];
    }
    all += s[g] * (sum - z[g * N + col] * of_a);
  }
  C[row * N + col] = all;
}

// The same in float, added, with a scale of its own.
// CHECK-LABEL: contraction "offsets_of_sums"
// CHECK: operand A = A[%m * K + %k]:i8{{$}}
// CHECK: operand B = B[%n * K + %k]:f16 as ((s[floordiv(%k, 64)]:f32 * f32(B[%n * K + %k]:f16)) + z[N * floordiv(%k, 64) + %n]:f32)
#pragma warpwright matmul
__global__ void offsets_of_sums(ARGS(int8_t, half, float), const float *s,
                                const float *z) {
  PLACE
  float all = acc;
  for (int g = 0; g < K / 64; ++g) {
    float sum = 0, of_a = 0;
    for (int k = g * 64; k < g * 64 + 64; ++k) {
      sum += A[row * K + k] * __half2float(B[col * K + k]);
      of_a += A[row * K + k];
    }
    all += s[g] * sum + z[g * N + col] * of_a;
  }
  C[row * N + col] = all;
}
