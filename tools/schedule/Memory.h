//===- Memory.h - What lies where in a kernel's shared memory ---*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_TOOLS_SCHEDULE_MEMORY_H
#define WARPWRIGHT_TOOLS_SCHEDULE_MEMORY_H

#include "Plan/ProtocolBuilder.h"

#include <string>

namespace warpwright {

/// The barriers and buffers of a protocol by their addresses in a CTA's dynamic
/// shared memory.
class SharedMemory {
public:
  SharedMemory(const KernelPlan &P, const Protocol &Of);

  /// The number of the mbarrier at an address, or -1.
  int32_t barrierAt(int64_t CTA, int64_t Address) const;
  /// The number of the buffer that has the byte at an address, or -1.
  int32_t bufferAt(int64_t CTA, int64_t Address) const;
  /// The names that the protocol gives them, or what there is instead.
  std::string barrier(int64_t CTA, int64_t Address) const;
  std::string buffer(int64_t CTA, int64_t Address) const;

private:
  struct Piece {
    int64_t CTA, Begin, End;
    int32_t Number;
  };
  const Protocol &Of;
  std::vector<Piece> Barriers, Buffers;
};

} // namespace warpwright

#endif // WARPWRIGHT_TOOLS_SCHEDULE_MEMORY_H
