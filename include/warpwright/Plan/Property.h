//===- Property.h - What the validator proves -------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PLAN_PROPERTY_H
#define WARPWRIGHT_PLAN_PROPERTY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace warpwright {

/// What a plan must have, and what a diagnosis names.
enum class Property {
#define PROPERTY(Identifier, Name, What) Identifier,
#include "warpwright/Plan/Properties.def"
};

/// `stage-overwritten`; never changes.
llvm::StringRef name(Property P);
/// What holds when it is not violated, in one sentence.
llvm::StringRef meaning(Property P);
/// All of them, in the order in which they are checked.
llvm::ArrayRef<Property> allProperties();

} // namespace warpwright

#endif // WARPWRIGHT_PLAN_PROPERTY_H
