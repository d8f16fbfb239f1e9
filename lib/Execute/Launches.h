//===-- Launches.h - Launches to execute a kernel with ----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_EXECUTE_LAUNCHES_H
#define WARPWRIGHT_LIB_EXECUTE_LAUNCHES_H

#include "Interpreter.h"
#include "Problem.h"
#include "warpwright/IR/FunctionInfo.h"
#include "llvm/ADT/StringSet.h"

namespace warpwright {
namespace execute {

/// Random numbers that are the same on every host.
class Random {
public:
  explicit Random(uint64_t Seed) : State(Seed * 0x9e3779b97f4a7c15 + 1) {}
  uint64_t bits() { // splitmix64
    uint64_t Z = State += 0x9e3779b97f4a7c15;
    Z = (Z ^ (Z >> 30)) * 0xbf58476d1ce4e5b9;
    Z = (Z ^ (Z >> 27)) * 0x94d049bb133111eb;
    return Z ^ (Z >> 31);
  }
  uint64_t below(uint64_t N) { return bits() % N; }
  bool chance(unsigned OneIn) { return below(OneIn) == 0; }
  template <class T> T pick(llvm::ArrayRef<T> Of) {
    return Of[below(Of.size())];
  }

private:
  uint64_t State;
};

enum class DataKind { Integers, Reals, Special };

struct PlannedLaunch {
  LaunchShape Shape;
  std::vector<int64_t> Ints; ///< by the problem's names
  llvm::StringMap<Num> Scalars;
  llvm::StringMap<Num> Constants; ///< in constant memory, by ConstantLeaf::Name
  llvm::StringSet<> Null;
  /// By the name of a pointer, the pointer that gets the same array.
  llvm::StringMap<std::string> Alias;
  DataKind Data = DataKind::Integers;
  std::string What;
};

/// Draws launches by local search: random numbers for all parameters, then
/// changes of those that occur in conditions that do not hold.
class LaunchDrawer {
public:
  LaunchDrawer(const KernelIR &Kernel, Problem &P, uint64_t Seed,
               bool NarrowIntegers, bool WholeWarps = false,
               llvm::ArrayRef<ConstantLeaf> Constants = {});
  /// Whether the kernel has the property that launch number \p Number tests.
  bool applies(unsigned Number) const;
  /// Launch number \p Number; nothing if none was found.
  std::optional<PlannedLaunch> draw(unsigned Number);

private:
  struct Variable {
    uint32_t Id;
    ScalarType Type;
    enum { Param, Block, Grid } Kind;
    unsigned Dim = 0;
  };
  struct Target {
    std::array<int64_t, 4> Extent = {1, 9, 17, 7};
    bool Cover = true;    ///< the grid covers the extents
    bool Pitches = false; ///< parameters that are not extents: larger
    uint64_t MaxWork = 2000, MaxThreads = 4096, MaxBytes = 1 << 19;
  };
  Target targetOf(unsigned Number, PlannedLaunch &L);
  void randomize(PlannedLaunch &L, const Target &T, unsigned Number);
  bool aim(Environment &Env, const Target &T);
  void findComparisons();
  llvm::ArrayRef<int64_t> comparedWith(const Variable &V) const;
  void shrinkGrid(Environment &Env, const Target &T);
  bool repair(Environment &Env, const Target &T);
  /// What violations() counts, part by part.
  struct Tally {
    llvm::SmallVector<char, 32> Holds; ///< by the number of the need
    std::array<Wide, 4> Extent = {};
    Wide Work = 0;
    bool Small = false; ///< the work is; otherwise Beyond is not known
    llvm::SmallVector<char, 16> Beyond; ///< by the number of the access
    int Count = 0;
  };
  /// The tally of \p Env. With \p Before, of an environment that differs in
  /// the number \p Changed only, what does not mention that is taken from
  /// there.
  Tally tally(Environment &Env, const Target &T, const Tally *Before = nullptr,
              uint32_t Changed = 0);
  int violations(Environment &Env, const Target &T) {
    return tally(Env, T).Count;
  }
  bool inRange(const Variable &V, int64_t X) const;
  int64_t wrap(const Variable &V, int64_t X) const;
  /// An array that may also be passed for another one.
  std::optional<std::pair<std::string, std::string>> findAlias() const;
  void bindArrays(Environment &Env, const PlannedLaunch &L) const;

  void drawConstants(PlannedLaunch &L);

  const KernelIR &Kernel;
  Problem &P;
  llvm::ArrayRef<ConstantLeaf> Constants;
  Random R;
  uint64_t Seed;
  bool NarrowIntegers, WholeWarps;
  uint64_t MaxBlock = 1024;
  std::vector<Variable> Variables;
  std::vector<std::string> Dispensable; ///< pointers that may be null
  /// By a parameter's name, the constants with which the kernel compares it for
  /// equality; under "" those with which it compares anything.
  llvm::StringMap<std::vector<int64_t>> Compared;
  std::array<uint32_t, 3> BlockIds, GridIds;
  /// By the number of a need, and of an access: the numbers that it mentions,
  /// and for an access not those that only the extents mention.
  std::vector<std::vector<uint32_t>> NeedIds, AccessIds;
  std::vector<uint32_t> WorkIds; ///< all that the extents mention
};

/// Whether the kernel or a function that it calls counts in 8 or 16 bits.
bool countsInFewBits(const llvm::Function &Kernel,
                     const HeaderFunctions &Headers);
/// Whether one of them has operations on fragments of a warp.
bool worksByWarp(const llvm::Function &Kernel, const HeaderFunctions &Headers);

} // namespace execute
} // namespace warpwright

#endif // WARPWRIGHT_LIB_EXECUTE_LAUNCHES_H
