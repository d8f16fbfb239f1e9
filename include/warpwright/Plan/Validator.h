//===- Validator.h - Certificates for plans ---------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Proves a finished plan right from its own numbers, with the layout algebra
/// and the machine, and without the code that derived it. Every plan goes
/// through here before anything is emitted.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PLAN_VALIDATOR_H
#define WARPWRIGHT_PLAN_VALIDATOR_H

#include "warpwright/Hopper/Machine.h"
#include "warpwright/Plan/KernelPlan.h"
#include "warpwright/Plan/Property.h"

#include <variant>

namespace warpwright {

/// What was proven, one property or group of them per line: `rows: ... is a
/// bijection, written by ...`. docs/plans.md says what each line means.
struct Certificate {
  std::vector<std::string> Lines;
};

/// The first property that a plan violates.
struct Diagnosis {
  Property Violated = Property::Shape;
  std::string Message; ///< what was found, and what should have been
  /// For properties of the barrier protocol: the shortest run that violates
  /// it, one operation per line.
  std::vector<std::string> Trace;

  /// `stage-overwritten: <message>`, and the trace on lines of its own, of
  /// which only the last \p MaxSteps are given.
  std::string str(size_t MaxSteps = 12) const;
};

/// Takes a few milliseconds. The only limits that count are those of \p M.
std::variant<Certificate, Diagnosis> validatePlan(const KernelPlan &P,
                                                  const Machine &M = Machine());

} // namespace warpwright

#endif // WARPWRIGHT_PLAN_VALIDATOR_H
