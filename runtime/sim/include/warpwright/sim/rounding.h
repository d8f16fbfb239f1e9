//===- rounding.h - Arithmetic with a given rounding ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CUDA names a rounding in the name of a function (__fadd_rz). Here the
// floating-point unit is told, for the length of one operation.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_ROUNDING_H
#define WARPWRIGHT_SIM_ROUNDING_H

#include "host_defines.h"
#include "warpwright/sim/program.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

#pragma clang force_cuda_host_device begin

namespace warpwright {
namespace sim {

template <class To, class From>
static __attribute__((always_inline)) inline To bit_cast(const From &from) {
  static_assert(sizeof(To) == sizeof(From), "bit_cast changes no size");
  return __builtin_bit_cast(To, from);
}

/// Calls an operation with the floating-point unit set to round in direction
/// `mode` (FE_UPWARD, ...). The operands and the result are volatile, so that
/// the compiler can do nothing of the operation before or after.
template <class Result, class Operation> struct Directed {
  int mode;
  Operation operation;
  template <class... Operands>
  __attribute__((noinline)) WARPWRIGHT_SIM_UNCHECKED Result
  operator()(Operands... operands) const {
    const int before = fegetround();
    fesetround(mode);
    volatile Result result =
        operation(static_cast<volatile Operands &>(operands)...);
    fesetround(before);
    return result;
  }
};
template <class Result, class Operation>
static __attribute__((always_inline)) inline Directed<Result, Operation>
directed(int mode, Operation operation) {
  return {mode, operation};
}

/// A floating-point number to an integer as PTX's cvt does it: clamped, and a
/// NaN is 0 (the lowest value for 64 bits). `x` is already rounded.
template <class Integer, class Float>
static __attribute__((always_inline)) inline Integer to_integer(Float x) {
  constexpr bool is_signed = static_cast<Integer>(-1) < static_cast<Integer>(1);
  constexpr int bits = static_cast<int>(sizeof(Integer) * 8);
  constexpr Integer lowest =
      is_signed ? static_cast<Integer>(static_cast<Integer>(1ull << (bits - 1)))
                : static_cast<Integer>(0);
  constexpr Integer highest = static_cast<Integer>(~lowest);
  if (x != x)
    return bits == 64 ? static_cast<Integer>(1ull << 63) : Integer(0);
  // 2^bits, or 2^(bits-1): exact in every format but half's.
  const Float end = is_signed ? -static_cast<Float>(lowest)
                              : static_cast<Float>(1ull << (bits - 1)) * 2;
  if (x >= end)
    return highest;
  if (x <= (is_signed ? -end : static_cast<Float>(0)))
    return lowest;
  return static_cast<Integer>(x);
}

} // namespace sim
} // namespace warpwright

// The four roundings of one operation: parameters and arguments are lists in
// parentheses, then comes the expression. Never inlined: the compiler would
// take a * b and __fmul_rn(a, b) for the same, and then fuse neither.
#define WARPWRIGHT_SIM_ROUNDINGS(Result, Name, Parameters, Arguments, ...)     \
  static inline __attribute__((noinline)) Result Name##_rn Parameters {        \
    return __VA_ARGS__;                                                        \
  }                                                                            \
  WARPWRIGHT_SIM_DIRECTED(Result, Name##_rz, FE_TOWARDZERO, Parameters,        \
                          Arguments, __VA_ARGS__)                              \
  WARPWRIGHT_SIM_DIRECTED(Result, Name##_ru, FE_UPWARD, Parameters, Arguments, \
                          __VA_ARGS__)                                         \
  WARPWRIGHT_SIM_DIRECTED(Result, Name##_rd, FE_DOWNWARD, Parameters,          \
                          Arguments, __VA_ARGS__)
#define WARPWRIGHT_SIM_DIRECTED(Result, Name, Mode, Parameters, Arguments,     \
                                ...)                                           \
  static inline Result Name Parameters {                                       \
    return ::warpwright::sim::directed<Result>(                                \
        Mode, [] Parameters WARPWRIGHT_SIM_UNCHECKED -> Result {               \
          return __VA_ARGS__;                                                  \
        }) Arguments;                                                          \
  }

#pragma clang force_cuda_host_device end

#endif // WARPWRIGHT_SIM_ROUNDING_H
