//===-- Memory.h - Bytes that one launch can reach --------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Objects: arrays, shared arrays, variables of the module. Each has a window
/// of 2^40 addresses to itself, so an address says which object it belongs to,
/// and arithmetic that leaves an object does not land in another one. A byte
/// is defined or not. Objects that several threads may write remember who
/// touched each byte last, which shows races.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_EXECUTE_MEMORY_H
#define WARPWRIGHT_LIB_EXECUTE_MEMORY_H

#include "Numbers.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace warpwright {
namespace execute {

/// A thread of a block, in the time between two of its arrivals at barriers.
/// The phases of a launch are counted from 1, those of one block after those of
/// another.
struct Stamp {
  uint32_t Phase = 0;  ///< 0: nobody
  uint32_t Thread = 0; ///< within the block
  /// The last barrier of its warp that all its threads have passed together.
  /// Such barriers are counted through all warps.
  uint32_t Step = 0;

  uint32_t warp() const { return Thread / 32; }
  bool isBefore(const Stamp &O) const {
    return Phase != O.Phase ? Phase < O.Phase : Step < O.Step;
  }
};

/// Who accesses.
struct Accessor {
  Stamp Now;
  uint32_t After = 0; ///< what its block did in phases before this one is over
  uint32_t FirstPhase = 0; ///< of its block
  bool Atomic = false;
};

enum class Space { Array, Shared, Variable, Constant };

/// What happened to some bytes so far, which were always accessed together.
struct UnitHistory {
  Stamp Writer;
  /// Of two different threads of one block. No other thread has read later than
  /// any of the two, so that together they tell whether some thread other than
  /// a given one has read since a given phase.
  Stamp Reader, OtherReader;
  /// The last phase since which threads of two warps have read, and written.
  /// Before it, and only then, what one warp did is not all that there was.
  uint32_t MixedReaders = 0, MixedWriters = 0;
  bool AtomicWriter = false;
  bool ManyReadingBlocks = false;
  bool UnderWay = false; ///< an asynchronous copy may still change it
};

struct Object {
  std::string Name;
  Space Kind = Space::Array;
  uint64_t Base = 0; ///< address of the first byte
  std::vector<uint8_t> Bytes;
  /// One per byte; empty when all are defined.
  std::vector<uint8_t> Defined;
  /// For objects in which races are looked for: one per unit of 2^UnitBits
  /// bytes. An access that ends within a unit halves the units.
  std::vector<UnitHistory> History;
  unsigned UnitBits = 4;
  bool Written = false;

  uint64_t size() const { return Bytes.size(); }
  void trackHistory() {
    History.resize((Bytes.size() + lowBits(UnitBits)) >> UnitBits);
  }
  /// The units of an access.
  llvm::MutableArrayRef<UnitHistory> historyOf(uint64_t Offset, uint64_t Size) {
    if ((Offset | Size) & lowBits(UnitBits))
      splitUnits(Offset | Size);
    return {History.data() + (Offset >> UnitBits), Size >> UnitBits};
  }
  bool isDefined(uint64_t Offset, uint64_t Size) const;
  /// From now on bytes can be undefined.
  void trackDefined(bool Initially);

private:
  void splitUnits(uint64_t Ends);
};

/// The sort of race that an access takes part in.
enum class Race { None, Threads, Blocks, Copy };

class Memory {
public:
  static constexpr unsigned WindowBits = 40;
  /// Set in addresses of local variables, which threads keep themselves.
  static constexpr uint64_t LocalBit = uint64_t(1) << 62;
  /// Set in addresses of the module's variables.
  static constexpr uint64_t VariableBit = uint64_t(1) << 61;
  /// Set in addresses of functions, which are no memory.
  static constexpr uint64_t FunctionBit = uint64_t(1) << 60;

  Object &add(llvm::StringRef Name, Space Kind, uint64_t Size);
  /// A variable of the module; the next one's address depends on nothing but
  /// on how many came before.
  Object &addVariable(llvm::StringRef Name, Space Kind, uint64_t Size);
  static uint64_t variableAddress(uint64_t Index);
  /// The object that \p Address lies in the window of; null for none.
  Object *find(uint64_t Address) {
    const bool Variable = Address & VariableBit;
    auto &List = Variable ? Variables : Objects;
    const uint64_t Index = ((Address & ~VariableBit) >> WindowBits) - 1;
    return Index < List.size() ? List[Index].get() : nullptr;
  }
  llvm::ArrayRef<std::unique_ptr<Object>> objects() const { return Objects; }
  llvm::ArrayRef<std::unique_ptr<Object>> variables() const {
    return Variables;
  }

  /// Records an access and says whether it races with an earlier one. A write
  /// of what is there already is no race with another write.
  static Race recordRead(Object &O, uint64_t Offset, uint64_t Size,
                         const Accessor &Who) {
    Race Found = Race::None;
    for (UnitHistory &H : O.historyOf(Offset, Size)) {
      Found = std::max(Found,
                       raceWith(H.Writer, H.AtomicWriter, H.MixedWriters, Who));
      if (H.UnderWay)
        Found = Race::Copy;
      noteReader(H, Who);
    }
    return Found;
  }
  static Race recordWrite(Object &O, uint64_t Offset, uint64_t Size,
                          const Accessor &Who, bool SameValue);

  /// The phase since which both have accessed, if they are of two warps.
  static uint32_t mixed(const Stamp &A, const Stamp &B) {
    return A.warp() != B.warp() ? std::min(A.Phase, B.Phase) : 0;
  }

private:
  static void noteReader(UnitHistory &H, const Accessor &Who) {
    H.MixedReaders = std::max({H.MixedReaders, mixed(H.Reader, Who.Now),
                               mixed(H.OtherReader, Who.Now)});
    if (H.Reader.Phase < Who.FirstPhase) {
      H.ManyReadingBlocks |= H.Reader.Phase != 0;
      H.Reader = Who.Now;
      H.OtherReader = Stamp();
    } else if (H.Reader.Thread == Who.Now.Thread) {
      H.Reader = Who.Now;
    } else if (H.OtherReader.Phase != 0 &&
               H.OtherReader.Thread == Who.Now.Thread) {
      H.OtherReader = Who.Now;
    } else {
      Stamp &Older =
          H.OtherReader.isBefore(H.Reader) ? H.OtherReader : H.Reader;
      if (!Who.Now.isBefore(Older))
        Older = Who.Now;
    }
  }
  /// Whether nothing orders an earlier access before one by \p Who. A barrier
  /// of the warp does, if no other warp has made such an access since \p Mixed.
  static Race raceWith(const Stamp &Earlier, bool Atomic, uint32_t Mixed,
                       const Accessor &Who) {
    if (Earlier.Phase == 0 || (Atomic && Who.Atomic))
      return Race::None;
    if (Earlier.Phase < Who.FirstPhase)
      return Race::Blocks;
    if (Earlier.Phase < Who.After || Earlier.Thread == Who.Now.Thread)
      return Race::None;
    return Earlier.warp() == Who.Now.warp() && Earlier.Step < Who.Now.Step &&
                   Mixed < Who.After
               ? Race::None
               : Race::Threads;
  }

  std::vector<std::unique_ptr<Object>> Objects, Variables;
};

} // namespace execute
} // namespace warpwright

#endif // WARPWRIGHT_LIB_EXECUTE_MEMORY_H
