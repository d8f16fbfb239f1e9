//===- Trace.h - What the threads of a simulated launch did -----*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_TOOLS_SCHEDULE_TRACE_H
#define WARPWRIGHT_TOOLS_SCHEDULE_TRACE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <vector>

namespace warpwright {

/// One line of a trace (runtime/sim/lib/Trace.h): `wait 49152 1`.
struct TraceOp {
  llvm::StringRef Name;
  std::vector<int64_t> Numbers;
};

struct TraceThread {
  int64_t Cluster = 0; ///< of the grid
  int64_t CTA = 0;     ///< of the cluster
  int64_t Thread = 0;  ///< of the CTA
  std::vector<TraceOp> Ops;
};

/// The threads of the launches of kernel \p Kernel in \p Text, which must
/// outlive them, one list for each launch, in the order of the launches.
llvm::Expected<std::vector<std::vector<TraceThread>>>
parseTrace(llvm::StringRef Text, llvm::StringRef Kernel);

} // namespace warpwright

#endif // WARPWRIGHT_TOOLS_SCHEDULE_TRACE_H
