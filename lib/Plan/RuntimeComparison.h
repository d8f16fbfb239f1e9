//===- RuntimeComparison.h - A plan against the runtime's -------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_PLAN_RUNTIMECOMPARISON_H
#define WARPWRIGHT_LIB_PLAN_RUNTIMECOMPARISON_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <string>

namespace warpwright {

/// Remembers the first two numbers that differ.
class RuntimeComparison {
public:
  void number(const llvm::Twine &Name, int64_t Planned, int64_t Derived) {
    if (Message.empty() && Planned != Derived)
      Message = (Name + " is " + llvm::Twine(Planned) +
                 " where the runtime has " + llvm::Twine(Derived))
                    .str();
  }
  llvm::Error take() {
    return Message.empty() ? llvm::Error::success()
                           : llvm::createStringError(llvm::Twine(Message));
  }

private:
  std::string Message;
};

} // namespace warpwright

#endif // WARPWRIGHT_LIB_PLAN_RUNTIMECOMPARISON_H
