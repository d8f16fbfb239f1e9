//===- half_type.h - A type of 16-bit numbers, as text ----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included once for half precision and once for bfloat16, which have the same
// functions under names of the same pattern. The includer defines
//   WARPWRIGHT_T, WARPWRIGHT_T2         __half, __half2
//   WARPWRIGHT_RAW, WARPWRIGHT_RAW2     __half_raw, __half2_raw
//   WARPWRIGHT_OTHER                    the other type
//   WARPWRIGHT_FORMAT                   HalfFormat
//   WARPWRIGHT_NAME(a, b)               a##half##b
//   WARPWRIGHT_NAME2(a, b)              a##half2##b
//   WARPWRIGHT_CONVERSIONS, WARPWRIGHT_OPERATORS, WARPWRIGHT_OPERATORS2
//                                       1, or 0 where the program forbids them
//
//===----------------------------------------------------------------------===//

#pragma clang force_cuda_host_device begin

struct __attribute__((aligned(2))) WARPWRIGHT_RAW {
  unsigned short x;
};
struct __attribute__((aligned(4))) WARPWRIGHT_RAW2 {
  unsigned short x;
  unsigned short y;
};

struct __attribute__((aligned(2))) WARPWRIGHT_T {
protected:
  unsigned short __x;

  typedef ::warpwright::sim::WARPWRIGHT_FORMAT Format;
  template <class Integer>
  static __forceinline__ unsigned short from_integer(Integer value) {
    // Wider integers than a float's mantissa must not be rounded twice.
    return sizeof(Integer) <= 2 ? Format::narrow(static_cast<float>(value))
                                : ::warpwright::sim::narrow<Format::mantissa>(
                                      ::warpwright::sim::to_odd(value));
  }
  template <class Integer> __forceinline__ Integer to_integer() const {
    return ::warpwright::sim::to_integer<Integer>(
        __builtin_truncf(Format::widen(__x)));
  }

public:
  WARPWRIGHT_T() = default;
  constexpr WARPWRIGHT_T(const WARPWRIGHT_RAW &hr) : __x(hr.x) {}
  __forceinline__ WARPWRIGHT_T &operator=(const WARPWRIGHT_RAW &hr) {
    __x = hr.x;
    return *this;
  }
  __forceinline__ volatile WARPWRIGHT_T &
  operator=(const WARPWRIGHT_RAW &hr) volatile {
    __x = hr.x;
    return *this;
  }
  __forceinline__ volatile WARPWRIGHT_T &
  operator=(const volatile WARPWRIGHT_RAW &hr) volatile {
    __x = hr.x;
    return *this;
  }
  __forceinline__ operator WARPWRIGHT_RAW() const { return {__x}; }
  __forceinline__ operator WARPWRIGHT_RAW() const volatile { return {__x}; }
#if WARPWRIGHT_CONVERSIONS
  explicit WARPWRIGHT_T(const WARPWRIGHT_OTHER f);
  __forceinline__ WARPWRIGHT_T(const float f) : __x(Format::narrow(f)) {}
  __forceinline__ WARPWRIGHT_T(const double f)
      : __x(::warpwright::sim::narrow<Format::mantissa>(f)) {}
  __forceinline__ operator float() const { return Format::widen(__x); }
  __forceinline__ WARPWRIGHT_T &operator=(const float f) {
    __x = Format::narrow(f);
    return *this;
  }
  __forceinline__ WARPWRIGHT_T &operator=(const double f) {
    __x = ::warpwright::sim::narrow<Format::mantissa>(f);
    return *this;
  }
#define WARPWRIGHT_INTEGER(Type)                                               \
  __forceinline__ WARPWRIGHT_T(const Type val) : __x(from_integer(val)) {}     \
  __forceinline__ operator Type() const { return to_integer<Type>(); }
#define WARPWRIGHT_ASSIGN(Type)                                                \
  __forceinline__ WARPWRIGHT_T &operator=(const Type val) {                    \
    __x = from_integer(val);                                                   \
    return *this;                                                              \
  }
  WARPWRIGHT_INTEGER(short)
  WARPWRIGHT_INTEGER(unsigned short)
  WARPWRIGHT_INTEGER(int)
  WARPWRIGHT_INTEGER(unsigned int)
  WARPWRIGHT_INTEGER(long)
  WARPWRIGHT_INTEGER(unsigned long)
  WARPWRIGHT_INTEGER(long long)
  WARPWRIGHT_INTEGER(unsigned long long)
  WARPWRIGHT_ASSIGN(short)
  WARPWRIGHT_ASSIGN(unsigned short)
  WARPWRIGHT_ASSIGN(int)
  WARPWRIGHT_ASSIGN(unsigned int)
  WARPWRIGHT_ASSIGN(long long)
  WARPWRIGHT_ASSIGN(unsigned long long)
#undef WARPWRIGHT_ASSIGN
#undef WARPWRIGHT_INTEGER
  __forceinline__ operator signed char() const {
    return to_integer<signed char>();
  }
  __forceinline__ operator unsigned char() const {
    return to_integer<unsigned char>();
  }
  __forceinline__ operator char() const { return to_integer<char>(); }
  constexpr operator bool() const { return (__x & 0x7fff) != 0; }
#endif
};

struct __attribute__((aligned(4))) WARPWRIGHT_T2 {
  WARPWRIGHT_T x;
  WARPWRIGHT_T y;
  WARPWRIGHT_T2() = default;
  constexpr WARPWRIGHT_T2(const WARPWRIGHT_T &a, const WARPWRIGHT_T &b)
      : x(a), y(b) {}
  __forceinline__ WARPWRIGHT_T2(const WARPWRIGHT_RAW2 &h2r)
      : x(WARPWRIGHT_RAW{h2r.x}), y(WARPWRIGHT_RAW{h2r.y}) {}
  __forceinline__ WARPWRIGHT_T2 &operator=(const WARPWRIGHT_RAW2 &h2r) {
    x = WARPWRIGHT_RAW{h2r.x};
    y = WARPWRIGHT_RAW{h2r.y};
    return *this;
  }
  __forceinline__ operator WARPWRIGHT_RAW2() const {
    return {static_cast<WARPWRIGHT_RAW>(x).x, static_cast<WARPWRIGHT_RAW>(y).x};
  }
};

#define WARPWRIGHT_FUNCTION static __forceinline__

namespace warpwright {
namespace sim {
WARPWRIGHT_FUNCTION float widen(const WARPWRIGHT_T a) {
  return WARPWRIGHT_FORMAT::widen(__builtin_bit_cast(unsigned short, a));
}
WARPWRIGHT_FUNCTION WARPWRIGHT_T WARPWRIGHT_NAME(as_, )(unsigned short bits) {
  return WARPWRIGHT_RAW{bits};
}
WARPWRIGHT_FUNCTION WARPWRIGHT_T WARPWRIGHT_NAME(to_, )(float x) {
  return WARPWRIGHT_RAW{WARPWRIGHT_FORMAT::narrow(x)};
}
WARPWRIGHT_FUNCTION WARPWRIGHT_T WARPWRIGHT_NAME(to_, )(double x, Round mode) {
  return WARPWRIGHT_RAW{narrow<WARPWRIGHT_FORMAT::mantissa>(x, mode)};
}
} // namespace sim
} // namespace warpwright

// Bit patterns.
WARPWRIGHT_FUNCTION short WARPWRIGHT_NAME(__, _as_short)(const WARPWRIGHT_T h) {
  return __builtin_bit_cast(short, h);
}
WARPWRIGHT_FUNCTION unsigned short
WARPWRIGHT_NAME(__, _as_ushort)(const WARPWRIGHT_T h) {
  return __builtin_bit_cast(unsigned short, h);
}
WARPWRIGHT_FUNCTION WARPWRIGHT_T WARPWRIGHT_NAME(__short_as_, )(const short i) {
  return WARPWRIGHT_RAW{static_cast<unsigned short>(i)};
}
WARPWRIGHT_FUNCTION WARPWRIGHT_T
WARPWRIGHT_NAME(__ushort_as_, )(const unsigned short i) {
  return WARPWRIGHT_RAW{i};
}

// From and to float.
WARPWRIGHT_FUNCTION float WARPWRIGHT_NAME(__, 2float)(const WARPWRIGHT_T a) {
  return ::warpwright::sim::widen(a);
}
WARPWRIGHT_FUNCTION WARPWRIGHT_T WARPWRIGHT_NAME(__float2, )(const float a) {
  return ::warpwright::sim::WARPWRIGHT_NAME(to_, )(a);
}
WARPWRIGHT_FUNCTION WARPWRIGHT_T WARPWRIGHT_NAME(__float2, _rn)(const float a) {
  return ::warpwright::sim::WARPWRIGHT_NAME(to_, )(a);
}
#define WARPWRIGHT_FROM_FLOAT(Suffix, Mode)                                    \
  static inline WARPWRIGHT_T WARPWRIGHT_NAME(__float2,                         \
                                             Suffix)(const float a) {          \
    return ::warpwright::sim::WARPWRIGHT_NAME(to_, )(                          \
        static_cast<double>(a), ::warpwright::sim::Round::Mode);               \
  }
WARPWRIGHT_FROM_FLOAT(_rz, zero)
WARPWRIGHT_FROM_FLOAT(_ru, up)
WARPWRIGHT_FROM_FLOAT(_rd, down)
#undef WARPWRIGHT_FROM_FLOAT
static inline WARPWRIGHT_T WARPWRIGHT_NAME(__double2, )(const double a) {
  return ::warpwright::sim::WARPWRIGHT_NAME(to_, )(
      a, ::warpwright::sim::Round::nearest);
}

// From and to integers.
#define WARPWRIGHT_FROM_INTEGER(Type, Short, Suffix, Mode)                     \
  static inline WARPWRIGHT_T WARPWRIGHT_NAME(__##Short##2, Suffix)(Type i) {   \
    return ::warpwright::sim::WARPWRIGHT_NAME(to_, )(                          \
        ::warpwright::sim::to_odd(i), ::warpwright::sim::Round::Mode);         \
  }
#define WARPWRIGHT_TO_INTEGER(Type, Short, Suffix, Function)                   \
  static inline Type WARPWRIGHT_NAME(__,                                       \
                                     2##Short##Suffix)(const WARPWRIGHT_T h) { \
    return ::warpwright::sim::to_integer<Type>(                                \
        Function(::warpwright::sim::widen(h)));                                \
  }
#define WARPWRIGHT_INTEGER(Type, Short)                                        \
  WARPWRIGHT_FROM_INTEGER(Type, Short, _rn, nearest)                           \
  WARPWRIGHT_FROM_INTEGER(Type, Short, _rz, zero)                              \
  WARPWRIGHT_FROM_INTEGER(Type, Short, _ru, up)                                \
  WARPWRIGHT_FROM_INTEGER(Type, Short, _rd, down)                              \
  WARPWRIGHT_TO_INTEGER(Type, Short, _rn, __builtin_rintf)                     \
  WARPWRIGHT_TO_INTEGER(Type, Short, _rz, __builtin_truncf)                    \
  WARPWRIGHT_TO_INTEGER(Type, Short, _ru, __builtin_ceilf)                     \
  WARPWRIGHT_TO_INTEGER(Type, Short, _rd, __builtin_floorf)
WARPWRIGHT_INTEGER(short, short)
WARPWRIGHT_INTEGER(unsigned short, ushort)
WARPWRIGHT_INTEGER(int, int)
WARPWRIGHT_INTEGER(unsigned int, uint)
WARPWRIGHT_INTEGER(long long, ll)
WARPWRIGHT_INTEGER(unsigned long long, ull)
WARPWRIGHT_TO_INTEGER(signed char, char, _rz, __builtin_truncf)
WARPWRIGHT_TO_INTEGER(unsigned char, uchar, _rz, __builtin_truncf)
#undef WARPWRIGHT_INTEGER
#undef WARPWRIGHT_TO_INTEGER
#undef WARPWRIGHT_FROM_INTEGER

// Pairs.
WARPWRIGHT_FUNCTION WARPWRIGHT_T2
WARPWRIGHT_NAME2(make_, )(const WARPWRIGHT_T x, const WARPWRIGHT_T y) {
  return WARPWRIGHT_T2(x, y);
}
WARPWRIGHT_FUNCTION WARPWRIGHT_T2
WARPWRIGHT_NAME2(__halves2, )(const WARPWRIGHT_T a, const WARPWRIGHT_T b) {
  return WARPWRIGHT_T2(a, b);
}
WARPWRIGHT_FUNCTION WARPWRIGHT_T2 WARPWRIGHT_NAME2(__floats2,
                                                   _rn)(const float a,
                                                        const float b) {
  return WARPWRIGHT_T2(WARPWRIGHT_NAME(__float2, )(a),
                       WARPWRIGHT_NAME(__float2, )(b));
}
WARPWRIGHT_FUNCTION WARPWRIGHT_T2 WARPWRIGHT_NAME2(__float2,
                                                   _rn)(const float a) {
  return WARPWRIGHT_NAME2(__floats2, _rn)(a, a);
}
WARPWRIGHT_FUNCTION WARPWRIGHT_T2 WARPWRIGHT_NAME2(__float22,
                                                   _rn)(const float2 a) {
  return WARPWRIGHT_NAME2(__floats2, _rn)(a.x, a.y);
}
WARPWRIGHT_FUNCTION float2 WARPWRIGHT_NAME2(__,
                                            2float2)(const WARPWRIGHT_T2 a) {
  return {::warpwright::sim::widen(a.x), ::warpwright::sim::widen(a.y)};
}
WARPWRIGHT_FUNCTION float __low2float(const WARPWRIGHT_T2 a) {
  return ::warpwright::sim::widen(a.x);
}
WARPWRIGHT_FUNCTION float __high2float(const WARPWRIGHT_T2 a) {
  return ::warpwright::sim::widen(a.y);
}
WARPWRIGHT_FUNCTION WARPWRIGHT_T
WARPWRIGHT_NAME(__low2, )(const WARPWRIGHT_T2 a) {
  return a.x;
}
WARPWRIGHT_FUNCTION WARPWRIGHT_T
WARPWRIGHT_NAME(__high2, )(const WARPWRIGHT_T2 a) {
  return a.y;
}
WARPWRIGHT_FUNCTION WARPWRIGHT_T2
WARPWRIGHT_NAME2(__low2, )(const WARPWRIGHT_T2 a) {
  return WARPWRIGHT_T2(a.x, a.x);
}
WARPWRIGHT_FUNCTION WARPWRIGHT_T2
WARPWRIGHT_NAME2(__high2, )(const WARPWRIGHT_T2 a) {
  return WARPWRIGHT_T2(a.y, a.y);
}
WARPWRIGHT_FUNCTION WARPWRIGHT_T2
WARPWRIGHT_NAME2(__lows2, )(const WARPWRIGHT_T2 a, const WARPWRIGHT_T2 b) {
  return WARPWRIGHT_T2(a.x, b.x);
}
WARPWRIGHT_FUNCTION WARPWRIGHT_T2
WARPWRIGHT_NAME2(__highs2, )(const WARPWRIGHT_T2 a, const WARPWRIGHT_T2 b) {
  return WARPWRIGHT_T2(a.y, b.y);
}
WARPWRIGHT_FUNCTION WARPWRIGHT_T2 __lowhigh2highlow(const WARPWRIGHT_T2 a) {
  return WARPWRIGHT_T2(a.y, a.x);
}

#pragma clang force_cuda_host_device end
