//===- Validation.h - One plan on its way to a certificate -----*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to the sources of the validator: Validator.cpp, and what each role
/// adds to it.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_PLAN_VALIDATION_H
#define WARPWRIGHT_LIB_PLAN_VALIDATION_H

#include "warpwright/Plan/Roles.h"
#include "warpwright/Plan/Validator.h"

#include "llvm/ADT/Twine.h"
#include <optional>

namespace warpwright {

/// How TMA fills an operand's part of a stage.
struct StageFill {
  const TileOffsets &Offsets;
  SwizzleMode Swizzle;
  int64_t Elements;     ///< that the part has room for
  int64_t BoxStepBytes; ///< from box to box; 0: they follow each other
};

/// What lies one behind the other in shared memory, before the barriers.
struct MemoryMap {
  struct Buffer {
    const char *Name;
    int64_t Begin, Bytes, Align;
  };
  std::vector<Buffer> Buffers;
  std::string Notes; ///< ` + scales 1536`
};

/// Named barriers that are used for one purpose.
struct NamedBarrierUse {
  const char *Name;
  int64_t First, Count;
};

/// What is checked of every plan, and what roles check with.
class Validator {
public:
  Validator(const KernelPlan &P, const Machine &M) : P(P), M(M) {}

  std::variant<Certificate, Diagnosis> run();

  const KernelPlan &P;
  const Machine &M;
  /// Of each k of a stage, the slot among those of its instruction and of the
  /// ones before, if the feed has an order of its own.
  std::vector<int64_t> KSlots;
  std::vector<NamedBarrierUse> NamedBarriers;

  /// Notes what is wrong; returns false.
  bool fail(Property Violated, const llvm::Twine &Message) {
    Bad = {Violated, Message.str(), {}};
    return false;
  }
  void prove(std::string Line) { Lines.push_back(std::move(Line)); }

  std::optional<SmemLayout> readLayout(llvm::StringRef Text, unsigned Bits,
                                       SwizzleMode Mode, Property Kind);
  /// The documented addressing against the layout. \p Order and \p Bits as
  /// wgmma sees the operand.
  bool checkDescriptor(const OperandPlan &O, Major Order, unsigned Bits,
                       const TileOffsets &Offsets, const char *Name);

private:
  std::vector<std::string> Lines;
  Diagnosis Bad;

  int64_t warpgroups() const {
    return 1 + P.Split.Warpgroups + P.ConsumerWarpgroups;
  }

  bool checkShape();
  bool checkFragment();
  bool checkOperands();
  bool checkStore();
  bool checkMemoryMap();
  bool checkRegisters();
  bool checkNamedBarriers();
  bool checkProtocol();
};

} // namespace warpwright

#endif // WARPWRIGHT_LIB_PLAN_VALIDATION_H
