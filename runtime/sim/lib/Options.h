//===- Options.h - What the environment says --------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_LIB_OPTIONS_H
#define WARPWRIGHT_SIM_LIB_OPTIONS_H

#include "Machine.h"

namespace warpwright {
namespace sim {

/// How a run is set up. Read from the environment when first asked for; tests
/// may change it between launches.
struct RunOptions : Options {
  unsigned host_threads = 1; ///< that run clusters
  /// That the device says it has: fewer give persistent kernels more tiles for
  /// each CTA.
  unsigned multiprocessors = 132;
  /// Where what threads do is recorded (Trace.h); null: it is not.
  const char *trace_file = nullptr;
  int report_fd = -1; ///< where findings go; -1: stderr, as text
  /// An error ends the launch, which leaves a CUDA error behind, instead of the
  /// program.
  bool go_on = false;
};
RunOptions &run_options();

} // namespace sim
} // namespace warpwright

#endif // WARPWRIGHT_SIM_LIB_OPTIONS_H
