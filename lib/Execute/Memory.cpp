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

/// Whether nothing orders the earlier access before the later one.
static bool concurrent(const Accessor &Earlier, const Accessor &Later) {
  if (Earlier.Block == 0 || (Earlier.Atomic && Later.Atomic))
    return false;
  if (Earlier.Block != Later.Block)
    return true;
  return Earlier.Phase == Later.Phase && Earlier.Thread != Later.Thread;
}

static Race raceWith(const Accessor &Earlier, const Accessor &Later) {
  if (!concurrent(Earlier, Later))
    return Race::None;
  return Earlier.Block == Later.Block ? Race::Threads : Race::Blocks;
}

Race Memory::recordRead(Object &O, uint64_t Offset, uint64_t Size,
                        const Accessor &Who) {
  Race Found = Race::None;
  for (uint64_t I = Offset; I < Offset + Size; ++I) {
    ByteHistory &H = O.History[I];
    Found = std::max(Found, raceWith(H.Writer, Who));
    if (H.UnderWay)
      Found = Race::Copy;
    if (H.Reader.Block != 0 && H.Reader.Block != Who.Block)
      H.ManyReadingBlocks = true;
    if (H.Reader.Block == Who.Block && H.Reader.Phase == Who.Phase)
      H.ManyReaders |= H.Reader.Thread != Who.Thread;
    else
      H.ManyReaders = false;
    H.Reader = Who;
  }
  return Found;
}

Race Memory::recordWrite(Object &O, uint64_t Offset, uint64_t Size,
                         const Accessor &Who, bool SameValue) {
  Race Found = Race::None;
  for (uint64_t I = Offset; I < Offset + Size; ++I) {
    ByteHistory &H = O.History[I];
    if (!SameValue)
      Found = std::max(Found, raceWith(H.Writer, Who));
    Found = std::max(Found, raceWith(H.Reader, Who));
    if (H.ManyReadingBlocks && !Who.Atomic)
      Found = Race::Blocks;
    if (H.UnderWay)
      Found = Race::Copy;
    // The last reader may be the writer itself, and not the only one.
    if (H.ManyReaders && H.Reader.Block == Who.Block &&
        H.Reader.Phase == Who.Phase)
      Found = std::max(Found, Race::Threads);
    H.Writer = Who;
  }
  return Found;
}

} // namespace execute
} // namespace warpwright
