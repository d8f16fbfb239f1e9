//===- fp8_type.h - A type of 8-bit numbers, as text ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included for each of the two formats. The includer defines
//   WARPWRIGHT_T, WARPWRIGHT_T2, WARPWRIGHT_T4   __nv_fp8_e4m3, __nv_fp8x2_e4m3
//   WARPWRIGHT_KIND                              __NV_E4M3
//
//===----------------------------------------------------------------------===//

#pragma clang force_cuda_host_device begin

struct WARPWRIGHT_T {
  __nv_fp8_storage_t __x;

  WARPWRIGHT_T() = default;
  __forceinline__ explicit WARPWRIGHT_T(const __half f)
      : __x(__nv_cvt_halfraw_to_fp8(f, __NV_SATFINITE, WARPWRIGHT_KIND)) {}
  __forceinline__ explicit WARPWRIGHT_T(const __nv_bfloat16 f)
      : __x(__nv_cvt_bfloat16raw_to_fp8(f, __NV_SATFINITE, WARPWRIGHT_KIND)) {}
  __forceinline__ explicit WARPWRIGHT_T(const float f)
      : __x(__nv_cvt_float_to_fp8(f, __NV_SATFINITE, WARPWRIGHT_KIND)) {}
  __forceinline__ explicit WARPWRIGHT_T(const double f)
      : __x(__nv_cvt_double_to_fp8(f, __NV_SATFINITE, WARPWRIGHT_KIND)) {}
  __forceinline__ explicit operator __half() const {
    return __half(__nv_cvt_fp8_to_halfraw(__x, WARPWRIGHT_KIND));
  }
  __forceinline__ explicit operator float() const {
    return __half2float(static_cast<__half>(*this));
  }
  __forceinline__ explicit operator __nv_bfloat16() const {
    return __float2bfloat16_rz(static_cast<float>(*this));
  }
  __forceinline__ explicit operator double() const {
    return static_cast<double>(static_cast<float>(*this));
  }
  __forceinline__ explicit operator bool() const { return (__x & 0x7f) != 0; }
#define WARPWRIGHT_INTEGER(Type)                                               \
  __forceinline__ explicit WARPWRIGHT_T(const Type val)                        \
      : __x(__nv_cvt_float_to_fp8(static_cast<float>(val), __NV_SATFINITE,     \
                                  WARPWRIGHT_KIND)) {}                         \
  __forceinline__ explicit operator Type() const {                             \
    return ::warpwright::sim::to_integer<Type>(                                \
        __builtin_truncf(static_cast<float>(*this)));                          \
  }
  WARPWRIGHT_INTEGER(unsigned short int)
  WARPWRIGHT_INTEGER(unsigned int)
  WARPWRIGHT_INTEGER(unsigned long int)
  WARPWRIGHT_INTEGER(unsigned long long int)
  WARPWRIGHT_INTEGER(short int)
  WARPWRIGHT_INTEGER(int)
  WARPWRIGHT_INTEGER(long int)
  WARPWRIGHT_INTEGER(long long int)
#undef WARPWRIGHT_INTEGER
  __forceinline__ explicit operator unsigned char() const {
    return ::warpwright::sim::to_integer<unsigned char>(
        __builtin_truncf(static_cast<float>(*this)));
  }
  __forceinline__ explicit operator signed char() const {
    return ::warpwright::sim::to_integer<signed char>(
        __builtin_truncf(static_cast<float>(*this)));
  }
  __forceinline__ explicit operator char() const {
    return static_cast<char>(static_cast<signed char>(*this));
  }
};

struct __attribute__((aligned(2))) WARPWRIGHT_T2 {
  __nv_fp8x2_storage_t __x;

  WARPWRIGHT_T2() = default;
  __forceinline__ explicit WARPWRIGHT_T2(const __half2 f)
      : __x(__nv_cvt_halfraw2_to_fp8x2(f, __NV_SATFINITE, WARPWRIGHT_KIND)) {}
  __forceinline__ explicit WARPWRIGHT_T2(const __nv_bfloat162 f)
      : __x(__nv_cvt_bfloat16raw2_to_fp8x2(f, __NV_SATFINITE,
                                           WARPWRIGHT_KIND)) {}
  __forceinline__ explicit WARPWRIGHT_T2(const float2 f)
      : __x(__nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, WARPWRIGHT_KIND)) {}
  __forceinline__ explicit WARPWRIGHT_T2(const double2 f)
      : __x(__nv_cvt_double2_to_fp8x2(f, __NV_SATFINITE, WARPWRIGHT_KIND)) {}
  __forceinline__ explicit operator __half2() const {
    return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, WARPWRIGHT_KIND));
  }
  __forceinline__ explicit operator float2() const {
    return __half22float2(static_cast<__half2>(*this));
  }
};

struct __attribute__((aligned(4))) WARPWRIGHT_T4 {
  __nv_fp8x4_storage_t __x;

  WARPWRIGHT_T4() = default;
  __forceinline__ explicit WARPWRIGHT_T4(const __half2 flo, const __half2 fhi)
      : WARPWRIGHT_T4(WARPWRIGHT_T2(flo), WARPWRIGHT_T2(fhi)) {}
  __forceinline__ explicit WARPWRIGHT_T4(const __nv_bfloat162 flo,
                                         const __nv_bfloat162 fhi)
      : WARPWRIGHT_T4(WARPWRIGHT_T2(flo), WARPWRIGHT_T2(fhi)) {}
  __forceinline__ explicit WARPWRIGHT_T4(const float4 f)
      : WARPWRIGHT_T4(WARPWRIGHT_T2(float2{f.x, f.y}),
                      WARPWRIGHT_T2(float2{f.z, f.w})) {}
  __forceinline__ explicit WARPWRIGHT_T4(const double4 f)
      : WARPWRIGHT_T4(WARPWRIGHT_T2(double2{f.x, f.y}),
                      WARPWRIGHT_T2(double2{f.z, f.w})) {}
  __forceinline__ explicit operator float4() const {
    WARPWRIGHT_T2 low, high;
    low.__x = static_cast<__nv_fp8x2_storage_t>(__x);
    high.__x = static_cast<__nv_fp8x2_storage_t>(__x >> 16);
    const float2 lo = static_cast<float2>(low);
    const float2 hi = static_cast<float2>(high);
    return {lo.x, lo.y, hi.x, hi.y};
  }

private:
  __forceinline__ WARPWRIGHT_T4(WARPWRIGHT_T2 low, WARPWRIGHT_T2 high)
      : __x(static_cast<__nv_fp8x4_storage_t>(high.__x) << 16 | low.__x) {}
};

#pragma clang force_cuda_host_device end
