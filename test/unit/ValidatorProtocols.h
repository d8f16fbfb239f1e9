//===- ValidatorProtocols.h - Protocols to be broken ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_TEST_UNIT_VALIDATORPROTOCOLS_H
#define WARPWRIGHT_TEST_UNIT_VALIDATORPROTOCOLS_H

#include "warpwright/Plan/Protocol.h"

namespace warpwright {

/// One way of breaking a kernel's text.
struct ProtocolMutant {
  Property Violated;
  const char *What;
  /// Of a kernel that is broken by it: one that takes turns, one with a
  /// transform, one with rows in registers as well, one whose consumers take
  /// blocks of k in turn, one with two sets of accumulators, or any other.
  enum Kernel {
    Cooperative,
    Pingpong,
    Split,
    Registers,
    Interleaved,
    Behind
  } Of;
  void (*Change)(Protocol &);
};
llvm::ArrayRef<ProtocolMutant> protocolMutants();

} // namespace warpwright

#endif // WARPWRIGHT_TEST_UNIT_VALIDATORPROTOCOLS_H
