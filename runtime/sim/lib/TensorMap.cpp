//===- TensorMap.cpp - Tensor maps of the simulator -----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The conditions are those that the CUDA Driver API documents for
// cuTensorMapEncodeTiled.
//
//===----------------------------------------------------------------------===//

#include "TensorMap.h"
#include "Report.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

using namespace warpwright::sim;

unsigned warpwright::sim::bytes_of(MapType type) {
  const unsigned bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  return bytes[static_cast<unsigned>(type)];
}

unsigned TensorMap::element_bytes() const {
  return warpwright::sim::bytes_of(type);
}

uint64_t TensorMap::compute_checksum() const {
  // FNV-1a.
  uint64_t hash = 0xcbf29ce484222325u;
  const unsigned char *bytes = reinterpret_cast<const unsigned char *>(this);
  for (size_t i = 0; i < offsetof(TensorMap, checksum); ++i)
    hash = (hash ^ bytes[i]) * 0x100000001b3u;
  return hash;
}

bool TensorMap::is_valid() const {
  return magic == expected_magic && checksum == compute_checksum();
}

uint32_t TensorMap::rows() const {
  uint32_t result = 1;
  for (unsigned d = 1; d < rank; ++d)
    result *= count(d);
  return result;
}

std::string TensorMap::describe() const {
  const auto list = [this](auto value) {
    std::string text = "{";
    for (unsigned d = 0; d < rank; ++d)
      text += (d ? ", " : "") + std::to_string(value(d));
    return text + "}";
  };
  return "extents " + list([this](unsigned d) { return extents[d]; }) +
         ", box " + list([this](unsigned d) { return box[d]; }) + ", " +
         std::to_string(element_bytes()) + "-byte elements, " +
         (swizzle == MapSwizzle::none
              ? std::string("no swizzle")
              : std::to_string(swizzle_bytes()) + "-byte swizzle");
}

const char *warpwright::sim::encode_tiled(
    void *map, unsigned type, uint32_t rank, void *base,
    const uint64_t *extents, const uint64_t *strides, const uint32_t *box,
    const uint32_t *steps, unsigned interleave, unsigned swizzle,
    unsigned promotion, unsigned fill) {
  if (!map || reinterpret_cast<uintptr_t>(map) % 64 != 0)
    return "the CUtensorMap is not aligned to 64 bytes";
  if (type > static_cast<unsigned>(MapType::tf32_ftz))
    return "unknown data type";
  if (rank < 1 || rank > 5)
    return "the rank is not in 1..5";
  if (interleave > static_cast<unsigned>(MapInterleave::b32))
    return "unknown interleave";
  const MapInterleave layout = static_cast<MapInterleave>(interleave);
  if (layout != MapInterleave::none && rank < 3)
    return "interleaved layouts have at least 3 dimensions";
  if (swizzle > static_cast<unsigned>(MapSwizzle::b128))
    return "unknown swizzle";
  if (promotion > 3)
    return "unknown L2 promotion";
  if (fill > 1)
    return "unknown out-of-bounds fill";
  if (!base || !extents || !box || !steps || (rank > 1 && !strides))
    return "a pointer is null";
  const unsigned unit = layout == MapInterleave::b32 ? 32 : 16;
  if (reinterpret_cast<uintptr_t>(base) % unit != 0)
    return unit == 32 ? "the base is not aligned to 32 bytes"
                      : "the base is not aligned to 16 bytes";
  const MapType element = static_cast<MapType>(type);
  const bool real = element >= MapType::f16;
  if (fill == 1 && !real)
    return "NaN fill of integers";

  TensorMap result;
  memset(&result, 0, sizeof(result));
  result.magic = TensorMap::expected_magic;
  result.base = reinterpret_cast<uintptr_t>(base);
  result.type = element;
  result.rank = static_cast<uint8_t>(rank);
  result.interleave = layout;
  result.swizzle = static_cast<MapSwizzle>(swizzle);
  result.fills_nan = fill == 1;
  for (uint32_t d = 0; d < rank; ++d) {
    if (extents[d] < 1 || extents[d] > (uint64_t(1) << 32))
      return "an extent is not in 1..2^32";
    if (box[d] < 1 || box[d] > 256)
      return "a box dimension is not in 1..256";
    if (steps[d] < 1 || steps[d] > 8)
      return "an element stride is not in 1..8";
    result.extents[d] = extents[d];
    result.box[d] = static_cast<uint16_t>(box[d]);
    result.steps[d] = static_cast<uint8_t>(steps[d]);
    if (d + 1 == rank)
      break;
    if (strides[d] % unit != 0)
      return unit == 32 ? "a stride is not a multiple of 32 bytes"
                        : "a stride is not a multiple of 16 bytes";
    if (strides[d] >= uint64_t(1) << 40)
      return "a stride is not less than 2^40 bytes";
    result.strides[d] = strides[d];
  }
  const uint32_t inner = result.row_bytes();
  if (layout == MapInterleave::none) {
    if (inner % 16 != 0)
      return "the box's inner dimension is not a multiple of 16 bytes";
    if (result.swizzle != MapSwizzle::none && inner > result.swizzle_bytes())
      return "the box's inner dimension is wider than the swizzle";
  } else if (layout == MapInterleave::b32 &&
             result.swizzle != MapSwizzle::b32) {
    return "the 32-byte interleave needs the 32-byte swizzle";
  }
  result.checksum = result.compute_checksum();
  memset(map, 0, 128);
  memcpy(map, &result, sizeof(result));
  return nullptr;
}

namespace {
/// Of the driver's CUresult.
constexpr int success = 0, invalid_value = 1, not_supported = 801;
} // namespace

// As <cuda.h> declares them, with the enumerations as what they are passed as.
extern "C" int cuTensorMapEncodeTiled(void *map, unsigned type, uint32_t rank,
                                      void *base, const uint64_t *extents,
                                      const uint64_t *strides,
                                      const uint32_t *box,
                                      const uint32_t *steps,
                                      unsigned interleave, unsigned swizzle,
                                      unsigned promotion, unsigned fill) {
  const char *reason =
      encode_tiled(map, type, rank, base, extents, strides, box, steps,
                   interleave, swizzle, promotion, fill);
  const char *verbose = getenv("WARPWRIGHT_SIM_EXPLAIN_ERRORS");
  if (reason && verbose && *verbose == '1')
    warn(Finding::tensor_map,
         std::string("cuTensorMapEncodeTiled returns CUDA_ERROR_INVALID_VALUE "
                     "because ") +
             reason);
  return reason ? invalid_value : success;
}

extern "C" int cuTensorMapEncodeIm2col() {
  warn(Finding::unsupported,
       "cuTensorMapEncodeIm2col: the simulator has tiled tensor maps only");
  return not_supported;
}

extern "C" int cuTensorMapReplaceAddress(void *map, void *base) {
  TensorMap inside;
  if (!map || reinterpret_cast<uintptr_t>(map) % 64 != 0)
    return invalid_value;
  memcpy(&inside, map, sizeof(inside));
  const unsigned unit = inside.interleave == MapInterleave::b32 ? 32 : 16;
  if (!inside.is_valid() || reinterpret_cast<uintptr_t>(base) % unit != 0)
    return invalid_value;
  inside.base = reinterpret_cast<uintptr_t>(base);
  inside.checksum = inside.compute_checksum();
  memcpy(map, &inside, sizeof(inside));
  return success;
}
