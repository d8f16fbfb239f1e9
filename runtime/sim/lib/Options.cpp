//===- Options.cpp - What the environment says ----------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   WARPWRIGHT_SIM_SEED=N              of every random order (default 1)
//   WARPWRIGHT_SIM_THREADS=N           host threads (default: all there are)
//   WARPWRIGHT_SIM_SMS=N               multiprocessors of the device, 1 to 132
//   WARPWRIGHT_SIM_EXACT_ACCUMULATE=1  tensor cores round to nearest
//   WARPWRIGHT_SIM_CHECKS=0            only simulate
//   WARPWRIGHT_SIM_CONTINUE=1          errors end the launch, not the program
//   WARPWRIGHT_SIM_REPORT_FD=N         findings as JSON lines to descriptor N
//   WARPWRIGHT_SIM_TRACE=FILE          what each thread does (Trace.h)
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <thread>

using namespace warpwright::sim;

/// The number that \p name is set to, or \p otherwise where it is not set or,
/// as is then reported, is set to something else than a number up to \p most.
static uint64_t number(const char *name, uint64_t otherwise,
                       uint64_t most = ~uint64_t(0)) {
  const char *text = getenv(name);
  if (!text || !*text)
    return otherwise;
  char *end = nullptr;
  errno = 0;
  const uint64_t value = strtoull(text, &end, 10);
  if (isdigit(static_cast<unsigned char>(*text)) && !*end && !errno &&
      value <= most)
    return value;
  fprintf(stderr,
          "warpwright: %s=%s is no number from 0 to %llu and is ignored\n",
          name, text, static_cast<unsigned long long>(most));
  return otherwise;
}

static RunOptions read_environment() {
  RunOptions options;
  options.seed = number("WARPWRIGHT_SIM_SEED", 1);
  options.exact_accumulate =
      number("WARPWRIGHT_SIM_EXACT_ACCUMULATE", 0, 1) != 0;
  options.checks = number("WARPWRIGHT_SIM_CHECKS", 1, 1) != 0;
  options.go_on = number("WARPWRIGHT_SIM_CONTINUE", 0, 1) != 0;
  const unsigned processors = std::thread::hardware_concurrency();
  const uint64_t threads =
      number("WARPWRIGHT_SIM_THREADS", processors ? processors : 1);
  options.host_threads = static_cast<unsigned>(threads < 1     ? 1
                                               : threads > 256 ? 256
                                                               : threads);
  const uint64_t most = options.multiprocessors;
  const uint64_t sms = number("WARPWRIGHT_SIM_SMS", most, most);
  options.multiprocessors = static_cast<unsigned>(sms < 1 ? 1 : sms);
  options.trace_file = getenv("WARPWRIGHT_SIM_TRACE");
  options.trace = options.trace_file != nullptr;
  const uint64_t none = ~uint64_t(0);
  const uint64_t fd = number("WARPWRIGHT_SIM_REPORT_FD", none, INT_MAX);
  options.report_fd = fd == none ? -1 : static_cast<int>(fd);
  return options;
}

RunOptions &warpwright::sim::run_options() {
  static RunOptions options = read_environment();
  return options;
}
