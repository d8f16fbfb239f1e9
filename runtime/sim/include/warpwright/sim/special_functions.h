//===- special_functions.h - Functions that the C library lacks -*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_SPECIAL_FUNCTIONS_H
#define WARPWRIGHT_SIM_SPECIAL_FUNCTIONS_H

#include <math.h>

#pragma clang force_cuda_host_device begin

namespace warpwright {
namespace sim {

/// exp(x^2) erfc(x). The continued fraction converges fast where erfc is tiny.
inline double scaled_erfc(double x) {
  if (x < 8)
    return ::exp(x * x) * ::erfc(x);
  if (x > 1e8)
    return 0.56418958354775628695 / x; // 1/sqrt(pi) / x
  double tail = x;
  for (int i = 60; i > 0; --i)
    tail = x + 0.5 * i / tail;
  return 0.56418958354775628695 / tail;
}

/// The x with erfc(x) = y, for y in [0, 2]: Newton's method on log(erfc) from
/// the asymptote. The upper half follows from erfc(-x) = 2 - erfc(x).
inline double inverse_erfc(double y) {
  if (!(y >= 0 && y <= 2))
    return __builtin_nan("");
  if (y == 0)
    return __builtin_inf();
  if (y > 1)
    return y == 2 ? -__builtin_inf() : -inverse_erfc(2 - y);
  const double wanted = ::log(y);
  double x = y > 0.3 ? (1 - y) * 0.886 : ::sqrt(-wanted);
  for (int i = 0; i < 60; ++i) {
    // log(erfc(x)) and its derivative -2/sqrt(pi) exp(-x^2) / erfc(x), in
    // terms of exp(x^2) erfc(x), which does not vanish.
    const double scaled = scaled_erfc(x);
    const double step =
        (::log(scaled) - x * x - wanted) * scaled * 0.88622692545275801365;
    x += step;
    if (::fabs(step) <= 1e-16 * ::fabs(x))
      break;
  }
  return x;
}

/// The x below which a normal variable lies with probability p.
inline double inverse_normal_cdf(double p) {
  return -1.41421356237309504880 * inverse_erfc(2 * p);
}

/// Modified Bessel functions of the first kind: the power series in x^2/4, all
/// of whose terms are positive.
inline double bessel_i(int order, double x) {
  const double quarter = x * x / 4;
  double term = order ? x / 2 : 1, sum = term;
  for (int k = 1; k < 2000 && ::fabs(term) > 1e-17 * ::fabs(sum); ++k) {
    term *= quarter / (static_cast<double>(k) * (k + order));
    sum += term;
  }
  return sum;
}
inline double bessel_i0(double x) { return bessel_i(0, x); }
inline double bessel_i1(double x) { return bessel_i(1, x); }

} // namespace sim
} // namespace warpwright

#pragma clang force_cuda_host_device end

#endif // WARPWRIGHT_SIM_SPECIAL_FUNCTIONS_H
