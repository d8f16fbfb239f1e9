//===-- DiagID.h - Identities of all diagnostics ----------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The diagnostics of Diagnostics.def as an enumeration, without a Clang type,
/// so that stages which do not know Clang can name them too.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SOURCE_DIAGID_H
#define WARPWRIGHT_SOURCE_DIAGID_H

#include <cstdint>
#include <string>

namespace warpwright {

/// DiagID::UnknownClause is WW103: the value is the number.
enum class DiagID : uint16_t {
#define WW_DIAG(Number, Name, Severity, Format) Name = Number,
#include "warpwright/Source/Diagnostics.def"
};

/// A place in the user's source, as clang::SourceLocation::getRawEncoding()
/// gives it; 0 is no place.
using OpaqueLocation = uint32_t;

/// The reason why a valid region is left as it is, from a stage that does not
/// know Clang. ID must be one of the Decline diagnostics.
struct Decline {
  DiagID ID;
  std::string Message; ///< the fact that failed, lower case, no full stop
  OpaqueLocation Location = 0; ///< 0: the driver shows the clause or pragma
  /// The clause that the reason concerns, as it is spelt without arguments, or
  /// empty. It is shown if there is no Location.
  std::string Clause = {};
};

} // namespace warpwright

#endif // WARPWRIGHT_SOURCE_DIAGID_H
