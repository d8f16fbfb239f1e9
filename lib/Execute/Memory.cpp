//===-- Memory.cpp - Bytes that one launch can reach ----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include <algorithm>
#include <cstring>

namespace warpwright {
namespace execute {

bool Object::isDefined(uint64_t Offset, uint64_t Size) const {
  return Defined.empty() ||
         !std::memchr(Defined.data() + Offset, 0, static_cast<size_t>(Size));
}

void Object::trackDefined(bool Initially) {
  Defined.assign(Bytes.size(), Initially);
}

/// Halves the units until one ends wherever \p Ends does.
void Object::splitUnits(uint64_t Ends) {
  uint64_t Parts = 1;
  for (; Ends & lowBits(UnitBits); --UnitBits)
    Parts *= 2;
  std::vector<UnitHistory> Split;
  Split.reserve(History.size() * Parts);
  for (const UnitHistory &H : History)
    Split.insert(Split.end(), Parts, H);
  History = std::move(Split);
}

/// The first address of an object. Not at the same place in each window:
/// differences of addresses are then no powers of two, and a huge offset does
/// not lead into another object.
static uint64_t baseAddress(uint64_t Index) {
  return ((Index + 1) << Memory::WindowBits) +
         (uint64_t(1) << (Memory::WindowBits - 1)) +
         ((Index + 1) * 0x9e3779b1 % 0xffffff) * 256;
}

static std::unique_ptr<Object> makeObject(llvm::StringRef Name, Space Kind,
                                          uint64_t Size, uint64_t Base) {
  auto O = std::make_unique<Object>();
  O->Name = Name.str();
  O->Kind = Kind;
  O->Base = Base;
  O->Bytes.resize(Size);
  return O;
}

Object &Memory::add(llvm::StringRef Name, Space Kind, uint64_t Size) {
  Objects.push_back(makeObject(Name, Kind, Size, baseAddress(Objects.size())));
  return *Objects.back();
}

uint64_t Memory::variableAddress(uint64_t Index) {
  return baseAddress(Index) | VariableBit;
}

Object &Memory::addVariable(llvm::StringRef Name, Space Kind, uint64_t Size) {
  Variables.push_back(
      makeObject(Name, Kind, Size, variableAddress(Variables.size())));
  return *Variables.back();
}

Race Memory::recordWrite(Object &O, uint64_t Offset, uint64_t Size,
                         const Accessor &Who, bool SameValue) {
  Race Found = Race::None;
  for (UnitHistory &H : O.historyOf(Offset, Size)) {
    if (!SameValue)
      Found = std::max(Found,
                       raceWith(H.Writer, H.AtomicWriter, H.MixedWriters, Who));
    for (const Stamp &Reader : {H.Reader, H.OtherReader})
      Found = std::max(Found,
                       raceWith(Reader, /*Atomic=*/false, H.MixedReaders, Who));
    if (H.ManyReadingBlocks && !Who.Atomic)
      Found = Race::Blocks;
    if (H.UnderWay)
      Found = Race::Copy;
    H.MixedWriters = std::max(H.MixedWriters, mixed(H.Writer, Who.Now));
    H.Writer = Who.Now;
    H.AtomicWriter = Who.Atomic;
  }
  return Found;
}

} // namespace execute
} // namespace warpwright
