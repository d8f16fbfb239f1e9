//===- device_functions.h - Integers and bits -------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_DEVICE_FUNCTIONS_H
#define WARPWRIGHT_SIM_DEVICE_FUNCTIONS_H

#include "vector_types.h"
#include "warpwright/sim/minimum_maximum.h"
#include "warpwright/sim/program.h"

#pragma clang force_cuda_host_device begin

#define WARPWRIGHT_SIM_FUNCTION static __forceinline__

WARPWRIGHT_SIM_FUNCTION int __popc(unsigned int x) {
  return __builtin_popcount(x);
}
WARPWRIGHT_SIM_FUNCTION int __popcll(unsigned long long x) {
  return __builtin_popcountll(x);
}
WARPWRIGHT_SIM_FUNCTION int __clz(int x) {
  return x ? __builtin_clz(static_cast<unsigned int>(x)) : 32;
}
WARPWRIGHT_SIM_FUNCTION int __clzll(long long x) {
  return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64;
}
WARPWRIGHT_SIM_FUNCTION int __ffs(int x) { return __builtin_ffs(x); }
WARPWRIGHT_SIM_FUNCTION int __ffsll(long long x) { return __builtin_ffsll(x); }
WARPWRIGHT_SIM_FUNCTION unsigned int __brev(unsigned int x) {
  return __builtin_bitreverse32(x);
}
WARPWRIGHT_SIM_FUNCTION unsigned long long __brevll(unsigned long long x) {
  return __builtin_bitreverse64(x);
}
/// Position of the n-th set bit at or above (n > 0), or below (n < 0) `base`.
WARPWRIGHT_SIM_FUNCTION unsigned int __fns(unsigned int mask, unsigned int base,
                                           int offset) {
  if (offset == 0)
    return base < 32 && (mask >> base & 1) ? base : 0xffffffffu;
  const int step = offset > 0 ? 1 : -1;
  int left = offset > 0 ? offset : -offset;
  for (int i = static_cast<int>(base); i >= 0 && i < 32; i += step)
    if ((mask >> i & 1) && --left == 0)
      return static_cast<unsigned int>(i);
  return 0xffffffffu;
}
/// Each of four bytes picked by a digit of `s` from the eight of y:x.
WARPWRIGHT_SIM_FUNCTION unsigned int __byte_perm(unsigned int x, unsigned int y,
                                                 unsigned int s) {
  const unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
  unsigned int result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned int digit = s >> (4 * i);
    unsigned int byte =
        static_cast<unsigned int>(bytes >> (8 * (digit & 7))) & 0xff;
    if (digit & 8) // its sign, as in prmt
      byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}
WARPWRIGHT_SIM_FUNCTION unsigned int
__funnelshift_l(unsigned int lo, unsigned int hi, unsigned int shift) {
  const unsigned long long x = static_cast<unsigned long long>(hi) << 32 | lo;
  return static_cast<unsigned int>(x << (shift & 31) >> 32);
}
WARPWRIGHT_SIM_FUNCTION unsigned int
__funnelshift_lc(unsigned int lo, unsigned int hi, unsigned int shift) {
  return shift >= 32 ? lo : __funnelshift_l(lo, hi, shift);
}
WARPWRIGHT_SIM_FUNCTION unsigned int
__funnelshift_r(unsigned int lo, unsigned int hi, unsigned int shift) {
  const unsigned long long x = static_cast<unsigned long long>(hi) << 32 | lo;
  return static_cast<unsigned int>(x >> (shift & 31));
}
WARPWRIGHT_SIM_FUNCTION unsigned int
__funnelshift_rc(unsigned int lo, unsigned int hi, unsigned int shift) {
  return shift >= 32 ? hi : __funnelshift_r(lo, hi, shift);
}
WARPWRIGHT_SIM_FUNCTION int __mul24(int x, int y) {
  // The low 24 bits of each, as signed numbers.
  const long long a = static_cast<int>(static_cast<unsigned int>(x) << 8) >> 8;
  const long long b = static_cast<int>(static_cast<unsigned int>(y) << 8) >> 8;
  return static_cast<int>(a * b);
}
WARPWRIGHT_SIM_FUNCTION unsigned int __umul24(unsigned int x, unsigned int y) {
  return (x & 0xffffffu) * (y & 0xffffffu);
}
WARPWRIGHT_SIM_FUNCTION int __mulhi(int x, int y) {
  return static_cast<int>(static_cast<long long>(x) * y >> 32);
}
WARPWRIGHT_SIM_FUNCTION unsigned int __umulhi(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>(static_cast<unsigned long long>(x) * y >>
                                   32);
}
WARPWRIGHT_SIM_FUNCTION long long __mul64hi(long long x, long long y) {
  return static_cast<long long>(static_cast<__int128>(x) * y >> 64);
}
WARPWRIGHT_SIM_FUNCTION unsigned long long __umul64hi(unsigned long long x,
                                                      unsigned long long y) {
  return static_cast<unsigned long long>(
      static_cast<unsigned __int128>(x) * y >> 64);
}
WARPWRIGHT_SIM_FUNCTION unsigned int __sad(int x, int y, unsigned int z) {
  return (x > y ? static_cast<unsigned int>(x) - static_cast<unsigned int>(y)
                : static_cast<unsigned int>(y) - static_cast<unsigned int>(x)) +
         z;
}
WARPWRIGHT_SIM_FUNCTION unsigned int __usad(unsigned int x, unsigned int y,
                                            unsigned int z) {
  return (x > y ? x - y : y - x) + z;
}
WARPWRIGHT_SIM_FUNCTION int __hadd(int x, int y) {
  return static_cast<int>((static_cast<long long>(x) + y) >> 1);
}
WARPWRIGHT_SIM_FUNCTION int __rhadd(int x, int y) {
  return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1);
}
WARPWRIGHT_SIM_FUNCTION unsigned int __uhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y) >>
                                   1);
}
WARPWRIGHT_SIM_FUNCTION unsigned int __urhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>(
      (static_cast<unsigned long long>(x) + y + 1) >> 1);
}

// Four bytes or two halves of a word at once. `Lane` is the element's type.
namespace warpwright {
namespace sim {

template <class Lane, class Operation>
WARPWRIGHT_SIM_FUNCTION unsigned int by_lane(unsigned int a, unsigned int b,
                                             Operation operation) {
  constexpr int bits = sizeof(Lane) * 8;
  unsigned int result = 0;
  for (int at = 0; at < 32; at += bits)
    result |= (static_cast<unsigned int>(
                   operation(static_cast<int>(static_cast<Lane>(a >> at)),
                             static_cast<int>(static_cast<Lane>(b >> at)))) &
               ((1u << bits) - 1))
              << at;
  return result;
}
template <class A, class B, class Sum>
WARPWRIGHT_SIM_FUNCTION Sum dot4(unsigned int a, unsigned int b, Sum c) {
  for (int at = 0; at < 32; at += 8)
    c = static_cast<Sum>(
        static_cast<unsigned int>(c) +
        static_cast<unsigned int>(static_cast<int>(static_cast<A>(a >> at)) *
                                  static_cast<int>(static_cast<B>(b >> at))));
  return c;
}
/// dp2a: two halves of `a` with two bytes of `b`, from bit `from` on.
template <class A, class B, class Sum>
WARPWRIGHT_SIM_FUNCTION Sum dot2(unsigned int a, unsigned int b, Sum c,
                                 int from) {
  for (int i = 0; i < 2; ++i)
    c = static_cast<Sum>(
        static_cast<unsigned int>(c) +
        static_cast<unsigned int>(
            static_cast<int>(static_cast<A>(a >> (16 * i))) *
            static_cast<int>(static_cast<B>(b >> (from + 8 * i)))));
  return c;
}
WARPWRIGHT_SIM_FUNCTION int clamp(int x, int lowest, int highest) {
  return x < lowest ? lowest : x > highest ? highest : x;
}

} // namespace sim
} // namespace warpwright

#define WARPWRIGHT_SIM_BY_LANE(Name, Lane, ...)                                \
  WARPWRIGHT_SIM_FUNCTION unsigned int Name(unsigned int a, unsigned int b) {  \
    return ::warpwright::sim::by_lane<Lane>(                                   \
        a, b, [](int x, int y) -> int { return __VA_ARGS__; });                \
  }
#define WARPWRIGHT_SIM_VIDEO(Suffix, Signed, Unsigned, Low, High, UHigh)       \
  WARPWRIGHT_SIM_BY_LANE(__vadd##Suffix, Unsigned, x + y)                      \
  WARPWRIGHT_SIM_BY_LANE(__vsub##Suffix, Unsigned, x - y)                      \
  WARPWRIGHT_SIM_BY_LANE(__vaddss##Suffix, Signed,                             \
                         ::warpwright::sim::clamp(x + y, Low, High))           \
  WARPWRIGHT_SIM_BY_LANE(__vsubss##Suffix, Signed,                             \
                         ::warpwright::sim::clamp(x - y, Low, High))           \
  WARPWRIGHT_SIM_BY_LANE(__vaddus##Suffix, Unsigned,                           \
                         ::warpwright::sim::clamp(x + y, 0, UHigh))            \
  WARPWRIGHT_SIM_BY_LANE(__vsubus##Suffix, Unsigned,                           \
                         ::warpwright::sim::clamp(x - y, 0, UHigh))            \
  WARPWRIGHT_SIM_BY_LANE(__vmaxs##Suffix, Signed, x > y ? x : y)               \
  WARPWRIGHT_SIM_BY_LANE(__vmaxu##Suffix, Unsigned, x > y ? x : y)             \
  WARPWRIGHT_SIM_BY_LANE(__vmins##Suffix, Signed, x < y ? x : y)               \
  WARPWRIGHT_SIM_BY_LANE(__vminu##Suffix, Unsigned, x < y ? x : y)             \
  WARPWRIGHT_SIM_BY_LANE(__vavgs##Suffix, Signed,                              \
                         (x + y + (x + y >= 0 ? 1 : 0)) >> 1)                  \
  WARPWRIGHT_SIM_BY_LANE(__vavgu##Suffix, Unsigned, (x + y + 1) >> 1)          \
  WARPWRIGHT_SIM_BY_LANE(__vhaddu##Suffix, Unsigned, (x + y) >> 1)             \
  WARPWRIGHT_SIM_BY_LANE(__vabsdiffs##Suffix, Signed, x > y ? x - y : y - x)   \
  WARPWRIGHT_SIM_BY_LANE(__vabsdiffu##Suffix, Unsigned, x > y ? x - y : y - x) \
  WARPWRIGHT_SIM_BY_LANE(__vcmpeq##Suffix, Unsigned, x == y ? -1 : 0)          \
  WARPWRIGHT_SIM_BY_LANE(__vcmpne##Suffix, Unsigned, x != y ? -1 : 0)          \
  WARPWRIGHT_SIM_BY_LANE(__vcmpges##Suffix, Signed, x >= y ? -1 : 0)           \
  WARPWRIGHT_SIM_BY_LANE(__vcmpgeu##Suffix, Unsigned, x >= y ? -1 : 0)         \
  WARPWRIGHT_SIM_BY_LANE(__vcmpgts##Suffix, Signed, x > y ? -1 : 0)            \
  WARPWRIGHT_SIM_BY_LANE(__vcmpgtu##Suffix, Unsigned, x > y ? -1 : 0)          \
  WARPWRIGHT_SIM_BY_LANE(__vcmples##Suffix, Signed, x <= y ? -1 : 0)           \
  WARPWRIGHT_SIM_BY_LANE(__vcmpleu##Suffix, Unsigned, x <= y ? -1 : 0)         \
  WARPWRIGHT_SIM_BY_LANE(__vcmplts##Suffix, Signed, x < y ? -1 : 0)            \
  WARPWRIGHT_SIM_BY_LANE(__vcmpltu##Suffix, Unsigned, x < y ? -1 : 0)          \
  WARPWRIGHT_SIM_BY_LANE(__vseteq##Suffix, Unsigned, x == y)                   \
  WARPWRIGHT_SIM_BY_LANE(__vsetne##Suffix, Unsigned, x != y)                   \
  WARPWRIGHT_SIM_BY_LANE(__vsetgts##Suffix, Signed, x > y)                     \
  WARPWRIGHT_SIM_BY_LANE(__vsetgtu##Suffix, Unsigned, x > y)                   \
  WARPWRIGHT_SIM_BY_LANE(__vsetges##Suffix, Signed, x >= y)                    \
  WARPWRIGHT_SIM_BY_LANE(__vsetgeu##Suffix, Unsigned, x >= y)                  \
  WARPWRIGHT_SIM_BY_LANE(__vsetlts##Suffix, Signed, x < y)                     \
  WARPWRIGHT_SIM_BY_LANE(__vsetltu##Suffix, Unsigned, x < y)                   \
  WARPWRIGHT_SIM_BY_LANE(__vsetles##Suffix, Signed, x <= y)                    \
  WARPWRIGHT_SIM_BY_LANE(__vsetleu##Suffix, Unsigned, x <= y)                  \
  WARPWRIGHT_SIM_FUNCTION unsigned int __vneg##Suffix(unsigned int a) {        \
    return __vsub##Suffix(0, a);                                               \
  }                                                                            \
  WARPWRIGHT_SIM_FUNCTION unsigned int __vnegss##Suffix(unsigned int a) {      \
    return __vsubss##Suffix(0, a);                                             \
  }                                                                            \
  WARPWRIGHT_SIM_FUNCTION unsigned int __vabs##Suffix(unsigned int a) {        \
    return ::warpwright::sim::by_lane<Signed>(                                 \
        a, 0, [](int x, int) { return x < 0 ? -x : x; });                      \
  }                                                                            \
  WARPWRIGHT_SIM_FUNCTION unsigned int __vabsss##Suffix(unsigned int a) {      \
    return ::warpwright::sim::by_lane<Signed>(a, 0, [](int x, int) {           \
      return ::warpwright::sim::clamp(x < 0 ? -x : x, 0, High);                \
    });                                                                        \
  }                                                                            \
  WARPWRIGHT_SIM_FUNCTION unsigned int __vsads##Suffix(unsigned int a,         \
                                                       unsigned int b) {       \
    unsigned int sum = 0;                                                      \
    ::warpwright::sim::by_lane<Signed>(a, b, [&sum](int x, int y) {            \
      sum += static_cast<unsigned int>(x > y ? x - y : y - x);                 \
      return 0;                                                                \
    });                                                                        \
    return sum;                                                                \
  }                                                                            \
  WARPWRIGHT_SIM_FUNCTION unsigned int __vsadu##Suffix(unsigned int a,         \
                                                       unsigned int b) {       \
    unsigned int sum = 0;                                                      \
    ::warpwright::sim::by_lane<Unsigned>(a, b, [&sum](int x, int y) {          \
      sum += static_cast<unsigned int>(x > y ? x - y : y - x);                 \
      return 0;                                                                \
    });                                                                        \
    return sum;                                                                \
  }
WARPWRIGHT_SIM_VIDEO(4, signed char, unsigned char, -128, 127, 255)
WARPWRIGHT_SIM_VIDEO(2, short, unsigned short, -32768, 32767, 65535)
#undef WARPWRIGHT_SIM_VIDEO
#undef WARPWRIGHT_SIM_BY_LANE

WARPWRIGHT_SIM_FUNCTION int __dp4a(int a, int b, int c) {
  return ::warpwright::sim::dot4<signed char, signed char>(
      static_cast<unsigned int>(a), static_cast<unsigned int>(b), c);
}
WARPWRIGHT_SIM_FUNCTION unsigned int __dp4a(unsigned int a, unsigned int b,
                                            unsigned int c) {
  return ::warpwright::sim::dot4<unsigned char, unsigned char>(a, b, c);
}
WARPWRIGHT_SIM_FUNCTION int __dp4a(char4 a, char4 b, int c) {
  return __dp4a(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
WARPWRIGHT_SIM_FUNCTION unsigned int __dp4a(uchar4 a, uchar4 b,
                                            unsigned int c) {
  return __dp4a(__builtin_bit_cast(unsigned int, a),
                __builtin_bit_cast(unsigned int, b), c);
}
WARPWRIGHT_SIM_FUNCTION int __dp2a_lo(int a, int b, int c) {
  return ::warpwright::sim::dot2<short, signed char>(
      static_cast<unsigned int>(a), static_cast<unsigned int>(b), c, 0);
}
WARPWRIGHT_SIM_FUNCTION int __dp2a_hi(int a, int b, int c) {
  return ::warpwright::sim::dot2<short, signed char>(
      static_cast<unsigned int>(a), static_cast<unsigned int>(b), c, 16);
}
WARPWRIGHT_SIM_FUNCTION unsigned int __dp2a_lo(unsigned int a, unsigned int b,
                                               unsigned int c) {
  return ::warpwright::sim::dot2<unsigned short, unsigned char>(a, b, c, 0);
}
WARPWRIGHT_SIM_FUNCTION unsigned int __dp2a_hi(unsigned int a, unsigned int b,
                                               unsigned int c) {
  return ::warpwright::sim::dot2<unsigned short, unsigned char>(a, b, c, 16);
}
#define WARPWRIGHT_SIM_DP2A(Name, Result, A, B)                                \
  WARPWRIGHT_SIM_FUNCTION Result Name(A a, B b, Result c) {                    \
    return Name(__builtin_bit_cast(Result, a), __builtin_bit_cast(Result, b),  \
                c);                                                            \
  }
WARPWRIGHT_SIM_DP2A(__dp2a_lo, int, short2, char4)
WARPWRIGHT_SIM_DP2A(__dp2a_lo, unsigned int, ushort2, uchar4)
WARPWRIGHT_SIM_DP2A(__dp2a_hi, int, short2, char4)
WARPWRIGHT_SIM_DP2A(__dp2a_hi, unsigned int, ushort2, uchar4)
#undef WARPWRIGHT_SIM_DP2A

// Ways out, hints and time.
[[noreturn]] WARPWRIGHT_SIM_FUNCTION void __trap(void) {
  ::warpwright::sim::trap();
}
WARPWRIGHT_SIM_FUNCTION void __brkpt(void) {}
WARPWRIGHT_SIM_FUNCTION void __nanosleep(unsigned int ns) {
  ::warpwright::sim::nanosleep(ns);
}
WARPWRIGHT_SIM_FUNCTION long long clock64(void) {
  return ::warpwright::sim::clock64();
}
WARPWRIGHT_SIM_FUNCTION void __prof_trigger(int) {}
#define __assume(condition) __builtin_assume(condition)
#define __nv_assume(condition) __builtin_assume(condition)

#undef WARPWRIGHT_SIM_FUNCTION

#pragma clang force_cuda_host_device end

#endif // WARPWRIGHT_SIM_DEVICE_FUNCTIONS_H
