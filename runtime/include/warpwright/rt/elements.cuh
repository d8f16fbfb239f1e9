//===-- elements.cuh - Types of elements and sums ---------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the kernel knows of a type. The generator has a table of its own
// (lib/Plan/Elements.cpp); a test shows that both say the same. So this header
// has no CUDA in it. Whatever depends on a type, but for the instructions
// themselves (wgmma.cuh), follows from these numbers.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_ELEMENTS_CUH
#define WARPWRIGHT_RT_ELEMENTS_CUH

#include <warpwright/rt/version.cuh>

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#define WARPWRIGHT_CONSTEXPR __host__ __device__ constexpr
#else
#define WARPWRIGHT_CONSTEXPR constexpr
#endif

namespace warpwright {
namespace rt {
inline namespace v2 {

/// Types of elements and sums. The last six are pairs of numbers along k, which
/// counts pairs where elements have such a type: of four bits in a byte, the
/// low ones first or the high ones, and of 16 bits.
enum class Type {
  i8,
  u8,
  i16,
  u16,
  i32,
  u32,
  i64,
  u64,
  e4m3,
  e5m2,
  f16,
  bf16,
  f32,
  f64,
  u4x2,
  s4x2,
  u4x2_high,
  s4x2_high,
  f16x2,
  bf16x2
};

WARPWRIGHT_CONSTEXPR int size_of(Type type) {
  switch (type) {
  case Type::i8:
  case Type::u8:
  case Type::e4m3:
  case Type::e5m2:
  case Type::u4x2:
  case Type::s4x2:
  case Type::u4x2_high:
  case Type::s4x2_high:
    return 1;
  case Type::i16:
  case Type::u16:
  case Type::f16:
  case Type::bf16:
    return 2;
  case Type::i32:
  case Type::u32:
  case Type::f32:
  case Type::f16x2:
  case Type::bf16x2:
    return 4;
  default:
    return 8;
  }
}

/// What the tensor cores do with elements of a type.
struct element_numbers {
  /// wgmma multiplies them as they are, along k, and also where they are
  /// contiguous across it.
  bool multiplied, across_k;
  Type sum;              ///< in which their products are added
  int sums_per_register; ///< of that type
  /// So much of k may be added in the tensor cores before the sums are added to
  /// others in ordinary registers; 0: all of it.
  int promoted_k;
  /// TMA can round them on the way to numbers of the same size, which wgmma
  /// multiplies along k.
  bool rounded = false;
  /// mma.sync multiplies them as they are, from registers, where each lane puts
  /// its fragments of both operands (feed_fragments.cuh).
  bool from_fragments = false;
  /// Consumers can convert them in their registers to 16-bit floats of the same
  /// values (feed_converted.cuh).
  bool converted = false;
};

WARPWRIGHT_CONSTEXPR element_numbers numbers_of(Type type) {
  switch (type) {
  case Type::f16:
  case Type::bf16:
    return {true, true, Type::f32, 1, 0};
  case Type::f16x2: // one after the other along k
  case Type::bf16x2:
    return {true, false, Type::f32, 1, 0};
  case Type::u4x2:
  case Type::s4x2:
  case Type::u4x2_high:
  case Type::s4x2_high:
    return {false, false, Type::f32, 1, 0, false, false, true};
  case Type::i8: // times either of them
  case Type::u8:
    return {true, false, Type::i32, 1, 0, false, false, true};
  case Type::e4m3: // times either of them
  case Type::e5m2:
    return {true, false, Type::f32, 1, 128, false, false, true};
  case Type::f32: // its products are those of fp16 or tf32 numbers in its place
    return {false, false, Type::f32, 1, 0, true};
  case Type::f64:
    return {false, false, Type::f64, 1, 0, false, true};
  case Type::u32: // words of bits, of which those in common are counted
    return {false, false, Type::i32, 1, 0};
  default:
    return {false, false, Type::f32, 1, 0};
  }
}

/// Elements of k that an instruction multiplies: 32 bytes of them by wgmma, 16
/// by mma.sync.
WARPWRIGHT_CONSTEXPR int instruction_k(Type type) {
  return numbers_of(type).from_fragments ? 16 : 32 / size_of(type);
}

/// The value of CUtensorMapDataType for elements of a type, or if they are to
/// be rounded on the way. Integers and floats of 8 bits are only moved, so that
/// nothing but their size matters.
WARPWRIGHT_CONSTEXPR int tensor_map_type(Type type, bool rounded = false) {
  switch (type) {
  case Type::f16:
    return 6; // CU_TENSOR_MAP_DATA_TYPE_FLOAT16
  case Type::bf16:
    return 9; // CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
  case Type::f32:
    return rounded ? 11 // CU_TENSOR_MAP_DATA_TYPE_TFLOAT32
                   : 7; // CU_TENSOR_MAP_DATA_TYPE_FLOAT32
  case Type::f64:
    return 8; // CU_TENSOR_MAP_DATA_TYPE_FLOAT64
  default:
    return size_of(type) == 1   ? 0  // CU_TENSOR_MAP_DATA_TYPE_UINT8
           : size_of(type) == 2 ? 1  // CU_TENSOR_MAP_DATA_TYPE_UINT16
           : size_of(type) == 4 ? 2  // CU_TENSOR_MAP_DATA_TYPE_UINT32
                                : 4; // CU_TENSOR_MAP_DATA_TYPE_UINT64
  }
}

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_ELEMENTS_CUH
