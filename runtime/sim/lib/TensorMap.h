//===- TensorMap.h - Tensor maps of the simulator ---------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What cuTensorMapEncodeTiled leaves in the 128 opaque bytes of a CUtensorMap.
// The hardware's own encoding is not public; this one can tell a tensor map
// from bytes that are none.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_LIB_TENSORMAP_H
#define WARPWRIGHT_SIM_LIB_TENSORMAP_H

#include <stdint.h>
#include <string>

namespace warpwright {
namespace sim {

/// The values of the driver's enumerations (cuda.h), under shorter names.
enum class MapType : uint8_t {
  u8,
  u16,
  u32,
  s32,
  u64,
  s64,
  f16,
  f32,
  f64,
  bf16,
  f32_ftz,
  tf32,
  tf32_ftz
};
enum class MapInterleave : uint8_t { none, b16, b32 };
enum class MapSwizzle : uint8_t { none, b32, b64, b128 };

struct TensorMap {
  static constexpr uint64_t expected_magic = 0x70616d726f736e74u;

  uint64_t magic;
  uint64_t base;       ///< generic address
  uint64_t extents[5]; ///< elements
  uint64_t strides[4]; ///< bytes, of dimensions 1 to 4
  uint16_t box[5];
  uint8_t steps[5]; ///< element strides
  MapType type;
  uint8_t rank;
  MapInterleave interleave;
  MapSwizzle swizzle;
  uint8_t fills_nan;
  uint64_t checksum; ///< of all before

  bool is_valid() const;
  uint64_t compute_checksum() const;
  unsigned element_bytes() const;
  /// Bytes of a swizzled row: 16 (none), 32, 64 or 128.
  unsigned swizzle_bytes() const {
    return 16u << static_cast<unsigned>(swizzle);
  }
  /// Elements that a box has along dimension `d`, and all of its bytes.
  unsigned count(unsigned d) const {
    return d == 0 ? box[0] : (box[d] + steps[d] - 1u) / steps[d];
  }
  uint32_t row_bytes() const { return box[0] * element_bytes(); }
  uint32_t rows() const;
  uint32_t box_bytes() const { return rows() * row_bytes(); }
  std::string describe() const;
};
static_assert(sizeof(TensorMap) <= 128, "a CUtensorMap has 128 bytes");

unsigned bytes_of(MapType type);

/// Why the driver would refuse a map of these properties, or null. All
/// arguments as for cuTensorMapEncodeTiled.
const char *encode_tiled(void *map, unsigned type, uint32_t rank, void *base,
                         const uint64_t *extents, const uint64_t *strides,
                         const uint32_t *box, const uint32_t *steps,
                         unsigned interleave, unsigned swizzle,
                         unsigned promotion, unsigned fill);

} // namespace sim
} // namespace warpwright

#endif // WARPWRIGHT_SIM_LIB_TENSORMAP_H
