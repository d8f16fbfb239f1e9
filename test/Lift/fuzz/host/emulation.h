// CUDA's language and the functions that generated kernels use, on the host:
// one thread after the other. A kernel without barriers, votes and atomics
// computes here what it computes on a device.
#pragma once
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x = 1, y = 1, z = 1;
};
static dim3 gridDim, blockDim;
static uint3 blockIdx, threadIdx;

struct __half {
  _Float16 value;
  __half() = default;
  __half(float x) : value(static_cast<_Float16>(x)) {}
  __half(double x) : value(static_cast<_Float16>(x)) {}
  __half(int x) : value(static_cast<_Float16>(static_cast<float>(x))) {}
  operator float() const { return value; }
};
typedef __half half;
static inline float __half2float(__half x) { return x.value; }
static inline __half __float2half(float x) { return __half(x); }
static inline __half __float2half_rn(float x) { return __half(x); }
static inline __half __double2half(double x) { return __half(x); }
static inline __half __hadd(__half x, __half y) {
  return __half(float(x) + float(y));
}
static inline __half __hsub(__half x, __half y) {
  return __half(float(x) - float(y));
}
static inline __half __hmul(__half x, __half y) {
  return __half(float(x) * float(y));
}
static inline __half __hneg(__half x) { return __half(-float(x)); }
static inline __half __hfma(__half x, __half y, __half z) {
  return __half(static_cast<double>(float(x)) * float(y) + float(z));
}

struct __nv_bfloat16 {
  uint16_t bits;
  __nv_bfloat16() = default;
  __nv_bfloat16(float x) {
    uint32_t u;
    memcpy(&u, &x, 4);
    bits = x != x ? 0x7fff : (u + 0x7fff + (u >> 16 & 1)) >> 16;
  }
  operator float() const {
    uint32_t u = static_cast<uint32_t>(bits) << 16;
    float x;
    memcpy(&x, &u, 4);
    return x;
  }
};
static inline float __bfloat162float(__nv_bfloat16 x) { return x; }
static inline __nv_bfloat16 __float2bfloat16(float x) {
  return __nv_bfloat16(x);
}
static inline __nv_bfloat16 __float2bfloat16_rn(float x) {
  return __nv_bfloat16(x);
}

template <class T> static inline T __ldg(const T *p) { return *p; }
static inline int min(int x, int y) { return y < x ? y : x; }
static inline int max(int x, int y) { return x < y ? y : x; }
static inline unsigned min(unsigned x, unsigned y) { return y < x ? y : x; }
static inline unsigned max(unsigned x, unsigned y) { return x < y ? y : x; }
static inline long long min(long long x, long long y) { return y < x ? y : x; }
static inline long long max(long long x, long long y) { return x < y ? y : x; }
static inline int __float_as_int(float x) {
  int i;
  memcpy(&i, &x, 4);
  return i;
}
static inline float __int_as_float(int i) {
  float x;
  memcpy(&x, &i, 4);
  return x;
}
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __clz(int x) {
  return x ? __builtin_clz(static_cast<unsigned>(x)) : 32;
}
static inline int __mul24(int x, int y) { return x * y; }
static inline float __saturatef(float x) { return x > 0 ? x < 1 ? x : 1 : 0; }
static inline float __fdividef(float x, float y) { return x / y; }
static inline float __fmul_rn(float x, float y) { return x * y; }
static inline float __fadd_rn(float x, float y) { return x + y; }
static inline float __fmaf_rn(float x, float y, float z) {
  return fmaf(x, y, z);
}
static inline float __int2float_rn(int x) { return static_cast<float>(x); }
static inline int __float2int_rz(float x) { return static_cast<int>(x); }
static inline float atomicAdd(float *p, float x) {
  const float old = *p;
  *p += x;
  return old;
}
