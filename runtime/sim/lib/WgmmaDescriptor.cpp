//===- WgmmaDescriptor.cpp - Shared-memory matrix descriptors -------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WgmmaDescriptor.h"

using namespace warpwright::sim;

MatrixDescriptor warpwright::sim::decode_descriptor(uint64_t bits) {
  constexpr uint64_t field = 0x3fff;
  MatrixDescriptor descriptor;
  descriptor.start = static_cast<uint32_t>((bits & field) << 4);
  descriptor.leading = static_cast<uint32_t>((bits >> 16 & field) << 4);
  descriptor.stride = static_cast<uint32_t>((bits >> 32 & field) << 4);
  descriptor.base_offset = static_cast<unsigned>(bits >> 49 & 7);
  const unsigned widths[] = {16, 128, 64, 32};
  descriptor.width = widths[bits >> 62];
  return descriptor;
}

uint32_t MatrixDescriptor::address(bool k_major, uint32_t outer,
                                   uint32_t inner) const {
  uint32_t linear = start;
  if (width == 16) {
    // Core matrices of 8 rows of 16 bytes. The names of the two distances
    // change places with the major.
    linear += outer % 8 * 16 + inner % 16;
    linear += k_major ? outer / 8 * stride + inner / 16 * leading
                      : outer / 8 * leading + inner / 16 * stride;
    return linear & descriptor_address_bits;
  }
  if (k_major)
    linear += outer % 8 * width + outer / 8 * stride + inner;
  else
    linear += outer % 8 * width + outer / 8 * stride + inner % width +
              inner / width * leading;
  // Bits 4.. of the address change with bits 7.., counted from the start of
  // the pattern.
  const uint32_t row = (linear >> 7) - base_offset;
  linear ^= (row & (width / 16 - 1)) << 4;
  return linear & descriptor_address_bits;
}

bool MatrixDescriptor::is_aligned() const {
  if (width == 16)
    return true;
  return ((start - (base_offset << 7)) & (8 * width - 1)) < width;
}
