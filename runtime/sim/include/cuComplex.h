//===- cuComplex.h - Complex numbers ----------------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_CUCOMPLEX_H
#define WARPWRIGHT_SIM_CUCOMPLEX_H

#include "vector_types.h"

#include <math.h>

#pragma clang force_cuda_host_device begin

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// One set of functions for each precision. The quotient is scaled, so that
// nothing overflows on the way.
#define WARPWRIGHT_SIM_COMPLEX(Complex, Real, Suffix, Small, Fma)              \
  static __forceinline__ Real cuCreal##Suffix(Complex x) { return x.x; }       \
  static __forceinline__ Real cuCimag##Suffix(Complex x) { return x.y; }       \
  static __forceinline__ Complex make_##Complex(Real r, Real i) {              \
    return {r, i};                                                             \
  }                                                                            \
  static __forceinline__ Complex cuConj##Suffix(Complex x) {                   \
    return {x.x, -x.y};                                                        \
  }                                                                            \
  static __forceinline__ Complex cuCadd##Suffix(Complex x, Complex y) {        \
    return {x.x + y.x, x.y + y.y};                                             \
  }                                                                            \
  static __forceinline__ Complex cuCsub##Suffix(Complex x, Complex y) {        \
    return {x.x - y.x, x.y - y.y};                                             \
  }                                                                            \
  static __forceinline__ Complex cuCmul##Suffix(Complex x, Complex y) {        \
    return {x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x};                     \
  }                                                                            \
  static __forceinline__ Complex cuCdiv##Suffix(Complex x, Complex y) {        \
    const Real scale = 1 / (fabs##Small(y.x) + fabs##Small(y.y));              \
    const Real ax = x.x * scale, ay = x.y * scale;                             \
    const Real bx = y.x * scale, by = y.y * scale;                             \
    const Real over = 1 / (bx * bx + by * by);                                 \
    return {(ax * bx + ay * by) * over, (ay * bx - ax * by) * over};           \
  }                                                                            \
  static __forceinline__ Real cuCabs##Suffix(Complex x) {                      \
    return hypot##Small(x.x, x.y);                                             \
  }                                                                            \
  static __forceinline__ Complex Fma(Complex x, Complex y, Complex d) {        \
    return cuCadd##Suffix(cuCmul##Suffix(x, y), d);                            \
  }
WARPWRIGHT_SIM_COMPLEX(cuFloatComplex, float, f, f, cuCfmaf)
WARPWRIGHT_SIM_COMPLEX(cuDoubleComplex, double, , , cuCfma)
#undef WARPWRIGHT_SIM_COMPLEX

static __forceinline__ cuComplex make_cuComplex(float x, float y) {
  return {x, y};
}
static __forceinline__ cuDoubleComplex
cuComplexFloatToDouble(cuFloatComplex c) {
  return {static_cast<double>(c.x), static_cast<double>(c.y)};
}
static __forceinline__ cuFloatComplex
cuComplexDoubleToFloat(cuDoubleComplex c) {
  return {static_cast<float>(c.x), static_cast<float>(c.y)};
}

#pragma clang force_cuda_host_device end

#endif // WARPWRIGHT_SIM_CUCOMPLEX_H
