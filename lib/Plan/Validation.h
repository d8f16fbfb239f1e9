//===- Validation.h - One plan on its way to a certificate -----*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to the sources of the validator: Validator.cpp, and for what the
/// transform stage adds ValidatorSplit.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_PLAN_VALIDATION_H
#define WARPWRIGHT_LIB_PLAN_VALIDATION_H

#include "warpwright/Plan/Validator.h"

#include "llvm/ADT/Twine.h"
#include <optional>

namespace warpwright {

struct RowLoads;

/// How TMA fills an operand's part of a stage.
struct StageFill {
  const TileOffsets &Offsets;
  SwizzleMode Swizzle;
  int64_t Elements;     ///< that the part has room for
  int64_t BoxStepBytes; ///< from box to box; 0: they follow each other
};

class Validator {
public:
  Validator(const KernelPlan &P, const Machine &M) : P(P), M(M) {}

  std::variant<Certificate, Diagnosis> run();

private:
  const KernelPlan &P;
  const Machine &M;
  std::vector<std::string> Lines;
  Diagnosis Bad;
  /// Of each k of a stage, with a transform: SplitPlan::KSlots, and the same of
  /// the instructions behind the first.
  std::vector<int64_t> KSlots;

  bool fail(Property Violated, const llvm::Twine &Message) {
    Bad = {Violated, Message.str(), {}};
    return false;
  }
  void prove(std::string Line) { Lines.push_back(std::move(Line)); }
  int64_t groupsOfTile() const { return P.Pingpong ? 1 : P.ConsumerWarpgroups; }
  int64_t warpgroups() const {
    return 1 + P.Split.Warpgroups + P.ConsumerWarpgroups;
  }

  bool checkShape();
  bool checkFragment();
  std::optional<SmemLayout> readLayout(llvm::StringRef Text, unsigned Bits,
                                       SwizzleMode Mode, Property Kind);
  bool checkOperands();
  bool checkOperand(const OperandPlan &O, const char *Name);
  bool checkBox(const OperandPlan &O, const StageFill &Fill, int64_t I,
                int64_t Share, std::vector<bool> &Written, const char *Name);
  bool checkCopies(const OperandPlan &O, const StageFill &Fill,
                   const char *Name);
  bool checkMulticast(const OperandPlan &O, const char *Name);
  /// \p Order and \p Bits as wgmma sees the operand.
  bool checkDescriptor(const OperandPlan &O, Major Order, unsigned Bits,
                       const TileOffsets &Offsets, const char *Name);
  bool checkEpilogue();
  bool checkSlab(const SmemLayout &Slab);
  bool checkMemoryMap();
  bool checkRegisters();
  bool checkNamedBarriers();
  bool checkProtocol();

  // Of the transform stage.
  bool checkSplitShape();
  bool checkKSlots();
  bool checkSplitOperand(const OperandPlan &O, const char *Name);
  /// A rows operand that the consumers round in registers.
  bool checkRoundedRows();
  RowLoads loadMatrices(int64_t Group, int64_t Wave, int64_t Step) const;
  RowLoads loadWords(int64_t Group, int64_t Wave, int64_t Step) const;
  bool checkFragments(const TileOffsets &Raw, std::string &Costs);
  int64_t fragmentRegisters() const;
  bool checkComputed(const OperandPlan &O, const char *Name);
  bool checkTransform(const OperandPlan &O, const TileOffsets &Raw,
                      const TileOffsets &Parts, const char *Name);
  bool checkLowParts(const OperandPlan &O, const TileOffsets &Parts,
                     const char *Name);
  bool checkExponents();
  void proveTransform();
  int64_t blocksOf(const OperandPlan &O) const {
    return O.StoredExtent / P.Split.BlockRows;
  }
};

} // namespace warpwright

#endif // WARPWRIGHT_LIB_PLAN_VALIDATION_H
