//===- WgmmaDescriptor.h - Shared-memory matrix descriptors -----*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the hardware finds the elements of a wgmma operand (PTX ISA, "Matrix
// Descriptor Format" and "Strides"). Rows here count along m or n, whichever
// the operand has.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_LIB_WGMMADESCRIPTOR_H
#define WARPWRIGHT_SIM_LIB_WGMMADESCRIPTOR_H

#include <stdint.h>

namespace warpwright {
namespace sim {

struct MatrixDescriptor {
  uint32_t start = 0;   ///< bytes, 18 bits
  uint32_t leading = 0; ///< leading dimension byte offset
  uint32_t stride = 0;  ///< stride dimension byte offset
  unsigned base_offset = 0;
  unsigned width = 16; ///< of a swizzled row in bytes: 16 (none), 32, 64, 128

  /// Shared-memory address of the byte `inner` of `outer`: for a K-major
  /// operand byte `inner` along k of row `outer`, otherwise byte `inner` along
  /// the rows of index `outer` in k.
  uint32_t address(bool k_major, uint32_t outer, uint32_t inner) const;
  /// Whether the start lies in the first row of a swizzle pattern, which is
  /// what the rows' addresses assume.
  bool is_aligned() const;
};

constexpr uint32_t descriptor_address_bits = 0x3ffff;

MatrixDescriptor decode_descriptor(uint64_t bits);

} // namespace sim
} // namespace warpwright

#endif // WARPWRIGHT_SIM_LIB_WGMMADESCRIPTOR_H
