//===- Missing.cpp - Functions that nothing defines -----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `warpwright sim` gives what a program declares, and nothing defines, a body
// that calls this.
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include <stdlib.h>

extern "C" [[noreturn]] void warpwright_sim_missing_function(const char *name);

void warpwright_sim_missing_function(const char *name) {
  using namespace warpwright::sim;
  report(Finding::unsupported,
         std::string("a call of '") + name +
             "', which is declared here and defined in a library or a source "
             "that was not given");
  // A run that goes on after findings has no result to go on with.
  exit(3);
}
