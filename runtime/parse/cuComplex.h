//===-- cuComplex.h - Complex numbers, to be parsed --------------*- C++-*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// See warpwright_parse.h. Products and sums have the bodies of CUDA's header,
/// in the order of its operations: they are what a kernel computes.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PARSE_CUCOMPLEX_H
#define WARPWRIGHT_PARSE_CUCOMPLEX_H

#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define WARPWRIGHT_PARSE_COMPLEX(Complex, Real, Suffix, Fma)                   \
  __host__ __device__ static inline Real cuCreal##Suffix(Complex x) {          \
    return x.x;                                                                \
  }                                                                            \
  __host__ __device__ static inline Real cuCimag##Suffix(Complex x) {          \
    return x.y;                                                                \
  }                                                                            \
  __host__ __device__ static inline Complex make_##Complex(Real r, Real i) {   \
    Complex result;                                                            \
    result.x = r;                                                              \
    result.y = i;                                                              \
    return result;                                                             \
  }                                                                            \
  __host__ __device__ static inline Complex cuConj##Suffix(Complex x) {        \
    return make_##Complex(x.x, -x.y);                                          \
  }                                                                            \
  __host__ __device__ static inline Complex cuCadd##Suffix(Complex x,          \
                                                           Complex y) {        \
    return make_##Complex(x.x + y.x, x.y + y.y);                               \
  }                                                                            \
  __host__ __device__ static inline Complex cuCsub##Suffix(Complex x,          \
                                                           Complex y) {        \
    return make_##Complex(x.x - y.x, x.y - y.y);                               \
  }                                                                            \
  __host__ __device__ static inline Complex cuCmul##Suffix(Complex x,          \
                                                           Complex y) {        \
    return make_##Complex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);       \
  }                                                                            \
  __host__ __device__ static inline Complex Fma(Complex x, Complex y,          \
                                                Complex d) {                   \
    Real real = x.x * y.x + d.x;                                               \
    Real imaginary = x.x * y.y + d.y;                                          \
    real = -(x.y * y.y) + real;                                                \
    imaginary = x.y * y.x + imaginary;                                         \
    return make_##Complex(real, imaginary);                                    \
  }                                                                            \
  __host__ __device__ Complex cuCdiv##Suffix(Complex x, Complex y);            \
  __host__ __device__ Real cuCabs##Suffix(Complex x);
WARPWRIGHT_PARSE_COMPLEX(cuFloatComplex, float, f, cuCfmaf)
WARPWRIGHT_PARSE_COMPLEX(cuDoubleComplex, double, , cuCfma)
#undef WARPWRIGHT_PARSE_COMPLEX

__host__ __device__ static inline cuComplex make_cuComplex(float x, float y) {
  return make_cuFloatComplex(x, y);
}
__host__ __device__ static inline cuDoubleComplex
cuComplexFloatToDouble(cuFloatComplex c) {
  return make_cuDoubleComplex(c.x, c.y);
}
__host__ __device__ static inline cuFloatComplex
cuComplexDoubleToFloat(cuDoubleComplex c) {
  return make_cuFloatComplex(static_cast<float>(c.x), static_cast<float>(c.y));
}

#endif // WARPWRIGHT_PARSE_CUCOMPLEX_H
