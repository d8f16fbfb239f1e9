//===-- Origin.h - What a generated section was made from -------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A section's first line records the tool's version and a hash of everything
/// from which the kernel was lifted. If they differ from those of the current
/// file, the section is stale.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_FRONTEND_ORIGIN_H
#define WARPWRIGHT_LIB_FRONTEND_ORIGIN_H

#include "warpwright/Frontend/Region.h"

namespace warpwright {

/// Sets Origin and MacroChecks of the source of \p R. Returns the name of a
/// macro whose value cannot be stated for a check, or nothing.
std::string describeOrigin(const ParsedFile &File, Region &R);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_FRONTEND_ORIGIN_H
