//===- Machine.h - Limits and rates of a Hopper GPU -------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_HOPPER_MACHINE_H
#define WARPWRIGHT_HOPPER_MACHINE_H

#include <cstdint>

namespace warpwright {

/// What the device memory of an H100 delivers, in bytes per nanosecond, by its
/// clock and its width.
constexpr int64_t H100MemoryRate = 3352;

/// The limits of sm_90a and the rates of an H200. Sizes are in bytes, rates in
/// bytes per clock of one SM unless said otherwise.
struct Machine {
  // Limits.
  int64_t SMs = 132;
  int64_t MaxSmemPerCTA = 232448; ///< dynamic shared memory of one CTA
  int64_t RegistersPerSM = 65536;
  int64_t MaxThreadsPerCTA = 1024;
  int64_t WarpgroupThreads = 128;
  int64_t MaxPortableCluster = 8;
  int64_t TmaBoxMax = 256;  ///< elements in each dimension of a box
  int64_t TmaAlign = 16;    ///< of addresses, strides and inner box extents
  int64_t SmemAlign = 1024; ///< alignment of a 128-byte swizzled tile
  int64_t MinSetmaxnreg = 24, MaxSetmaxnreg = 256, SetmaxnregStep = 8;

  // Rates for the cost model (perf notes, section 3; measured where said so).
  double ClockHz = 1.68e9;           ///< kernels of less than 300 us
  double SustainedClockHz = 1.56e9;  ///< power-capped, random data
  double HbmBytesPerSecond = 4.1e12; ///< sustained, read and write together
  double SmemBytesPerClock = 128;
  double L2BytesPerClockPerSM = 64;
  double L2BytesPerClock = 6154; ///< all SMs together
  /// Floating-point operations of one SM's tensor cores per clock, for an
  /// operand element of \p Bytes bytes; of 8, those of its FP64 tensor cores.
  double flopsPerClock(int64_t Bytes) const {
    return Bytes == 8 ? 256.0 : 8192.0 / Bytes;
  }
};

/// Registers per thread that the compiler may use when \p Threads threads are
/// launched with one CTA per SM: a multiple of 8, at most 255 usable.
int64_t launchRegisters(const Machine &M, int64_t Threads);

/// setmaxnreg values for one producer and \p Consumers consumer warpgroups: the
/// producer keeps \p ProducerRegisters, and the consumers share the rest of
/// what the launch has allocated.
int64_t consumerRegisters(const Machine &M, int64_t Consumers,
                          int64_t ProducerRegisters);

} // namespace warpwright

#endif // WARPWRIGHT_HOPPER_MACHINE_H
