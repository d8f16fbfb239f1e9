//===- PtxFloat.h - Floating-point values of PTX types ----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_LIB_PTXFLOAT_H
#define WARPWRIGHT_SIM_LIB_PTXFLOAT_H

#include "Ptx.h"

namespace warpwright {
namespace sim {

/// The value of `bits` as f16, bf16, tf32, f32, f64, e4m3 or e5m2.
double to_double(uint64_t bits, PtxType type);

enum class Rounding : uint8_t { nearest_even, zero, down, up, nearest_away };

/// The bits of the value of `type` next to `value`. `finite`: what is too
/// large becomes the largest finite number (.satfinite, always for fp8).
uint64_t from_double(double value, PtxType type,
                     Rounding rounding = Rounding::nearest_even,
                     bool finite = false);

} // namespace sim
} // namespace warpwright

#endif // WARPWRIGHT_SIM_LIB_PTXFLOAT_H
