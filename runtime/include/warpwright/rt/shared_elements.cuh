//===-- shared_elements.cuh - Elements in shared memory ---------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ordinary loads and stores of shared memory, and elements that are loaded as
// floats of the same values: floats, 16-bit floats, integers and floats of a
// byte. load_elements<T, count>(x, address) loads 16 bytes of them, or 4
// elements; load_element<T>(address) one. as_element<T>(x) makes the element
// again.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_SHARED_ELEMENTS_CUH
#define WARPWRIGHT_RT_SHARED_ELEMENTS_CUH

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <string.h>
#include <type_traits>
#include <warpwright/rt/constants.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

#if WARPWRIGHT_HOPPER

// Shared memory, 1 to 16 bytes at a time.

WARPWRIGHT_DEVICE uint4 load_shared_16(uint32_t address) {
  uint4 v;
  asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "r"(address));
  return v;
}
WARPWRIGHT_DEVICE uint2 load_shared_8(uint32_t address) {
  uint2 v;
  asm volatile("ld.shared.v2.b32 {%0, %1}, [%2];"
               : "=r"(v.x), "=r"(v.y)
               : "r"(address));
  return v;
}
WARPWRIGHT_DEVICE uint32_t load_shared_4(uint32_t address) {
  uint32_t v;
  asm volatile("ld.shared.b32 %0, [%1];" : "=r"(v) : "r"(address));
  return v;
}
WARPWRIGHT_DEVICE uint32_t load_shared_2(uint32_t address) {
  uint32_t v;
  asm volatile("ld.shared.u16 %0, [%1];" : "=r"(v) : "r"(address));
  return v;
}
WARPWRIGHT_DEVICE uint32_t load_shared_1(uint32_t address) {
  uint32_t v;
  asm volatile("ld.shared.u8 %0, [%1];" : "=r"(v) : "r"(address));
  return v;
}
WARPWRIGHT_DEVICE void store_shared_16(uint32_t address, const uint32_t *v) {
  asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(address),
               "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3])
               : "memory");
}
WARPWRIGHT_DEVICE void store_shared_4(uint32_t address, uint32_t v) {
  asm volatile("st.shared.b32 [%0], %1;" ::"r"(address), "r"(v) : "memory");
}
WARPWRIGHT_DEVICE void store_shared_1(uint32_t address, uint32_t v) {
  asm volatile("st.shared.u8 [%0], %1;" ::"r"(address), "r"(v) : "memory");
}

/// The two elements in a 32-bit word, the first in its low half.
template <class T> WARPWRIGHT_DEVICE float2 unpack_pair(uint32_t word);
template <> WARPWRIGHT_DEVICE float2 unpack_pair<__half>(uint32_t word) {
  __half2 pair;
  memcpy(&pair, &word, sizeof(pair));
  return __half22float2(pair);
}
template <> WARPWRIGHT_DEVICE float2 unpack_pair<__nv_bfloat16>(uint32_t word) {
  return make_float2(__uint_as_float(word << 16),
                     __uint_as_float(word & 0xffff0000));
}

/// Both as fp16, rounded to nearest.
WARPWRIGHT_DEVICE uint32_t pack_halves(float low, float high) {
  const __half2 pair = __floats2half2_rn(low, high);
  uint32_t word;
  memcpy(&word, &pair, sizeof(word));
  return word;
}

// The machine converts a pair of floats of 8 bits, in the low half of `bytes`,
// to halves, infinities and NaN included.
WARPWRIGHT_DEVICE uint32_t halves_of(uint32_t bytes, __nv_fp8_e4m3 *) {
  uint32_t pair;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;"
      : "=r"(pair)
      : "h"(static_cast<unsigned short>(bytes)));
  return pair;
}
WARPWRIGHT_DEVICE uint32_t halves_of(uint32_t bytes, __nv_fp8_e5m2 *) {
  uint32_t pair;
  asm("cvt.rn.f16x2.e5m2x2 %0, %1;"
      : "=r"(pair)
      : "h"(static_cast<unsigned short>(bytes)));
  return pair;
}
/// The four elements of a byte in `word`, the first in its lowest bits. This is
/// for floats of 8 bits.
template <class T>
WARPWRIGHT_DEVICE void unpack_bytes(float *x, uint32_t word) {
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const float2 pair = unpack_pair<__half>(
        halves_of(word >> 16 * i, static_cast<T *>(nullptr)));
    x[2 * i] = pair.x;
    x[2 * i + 1] = pair.y;
  }
}
// With the bits of 2^23 above it, a byte x is 2^23 + x.
template <>
WARPWRIGHT_DEVICE void unpack_bytes<unsigned char>(float *x, uint32_t word) {
#pragma unroll
  for (int i = 0; i < 4; ++i)
    x[i] =
        __uint_as_float(__byte_perm(word, 0x4b000000u, 0x7540 | i)) - 8388608.f;
}
// With its sign bit flipped, a byte is x + 128.
template <>
WARPWRIGHT_DEVICE void unpack_bytes<signed char>(float *x, uint32_t word) {
  unpack_bytes<unsigned char>(x, word ^ 0x80808080u);
#pragma unroll
  for (int i = 0; i < 4; ++i)
    x[i] -= 128.f;
}

/// The elements of T in the words of memory.
template <class T, int words>
WARPWRIGHT_DEVICE void unpack_words(float *x, const uint32_t (&word)[words]) {
#pragma unroll
  for (int i = 0; i < words; ++i) {
    if constexpr (sizeof(T) == 4) {
      x[i] = __uint_as_float(word[i]);
    } else if constexpr (sizeof(T) == 2) {
      const float2 pair = unpack_pair<T>(word[i]);
      x[2 * i] = pair.x;
      x[2 * i + 1] = pair.y;
    } else {
      unpack_bytes<T>(x + 4 * i, word[i]);
    }
  }
}

/// `count` consecutive elements: 4, or what 16 bytes have.
template <class T, int count>
WARPWRIGHT_DEVICE void load_elements(float *x, uint32_t address) {
  constexpr int bytes = count * static_cast<int>(sizeof(T));
  static_assert(bytes == 4 || bytes == 8 || bytes == 16, "one load");
  if constexpr (bytes == 16) {
    const uint4 v = load_shared_16(address);
    const uint32_t words[4] = {v.x, v.y, v.z, v.w};
    unpack_words<T>(x, words);
  } else if constexpr (bytes == 8) {
    const uint2 v = load_shared_8(address);
    const uint32_t words[2] = {v.x, v.y};
    unpack_words<T>(x, words);
  } else {
    const uint32_t words[1] = {load_shared_4(address)};
    unpack_words<T>(x, words);
  }
}
template <class T> WARPWRIGHT_DEVICE float load_element(uint32_t address) {
  if constexpr (sizeof(T) == 4) {
    return __uint_as_float(load_shared_4(address));
  } else if constexpr (sizeof(T) == 2) {
    return unpack_pair<T>(load_shared_2(address)).x;
  } else {
    float x[4];
    unpack_bytes<T>(x, load_shared_1(address));
    return x[0];
  }
}

// The bits of the byte that has the value x: of an infinity of e5m2, too, which
// its constructor would make finite. It is the upper half of a half.
WARPWRIGHT_DEVICE uint32_t byte_of(float x, unsigned char *) {
  return static_cast<uint32_t>(x);
}
WARPWRIGHT_DEVICE uint32_t byte_of(float x, signed char *) {
  return static_cast<uint32_t>(static_cast<int>(x));
}
WARPWRIGHT_DEVICE uint32_t byte_of(float x, __nv_fp8_e4m3 *) {
  unsigned short pair;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;"
      : "=h"(pair)
      : "f"(0.f), "f"(x));
  return pair;
}
WARPWRIGHT_DEVICE uint32_t byte_of(float x, __nv_fp8_e5m2 *) {
  return pack_halves(x, 0.f) >> 8;
}

/// A float as an element of T, of which it has the value.
template <class T> WARPWRIGHT_DEVICE T as_element(float x) {
  static_assert(sizeof(T) == 1, "the others stand below");
  const auto bits =
      static_cast<unsigned char>(byte_of(x, static_cast<T *>(nullptr)));
  T element;
  memcpy(&element, &bits, 1);
  return element;
}
template <> WARPWRIGHT_DEVICE float as_element<float>(float x) { return x; }
template <> WARPWRIGHT_DEVICE __half as_element<__half>(float x) {
  return __float2half_rn(x);
}
template <> WARPWRIGHT_DEVICE __nv_bfloat16 as_element<__nv_bfloat16>(float x) {
  return __float2bfloat16_rn(x);
}

#endif // WARPWRIGHT_HOPPER

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_SHARED_ELEMENTS_CUH
