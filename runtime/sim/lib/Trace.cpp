//===- Trace.cpp - What each thread told the others -----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trace.h"
#include "Async.h"
#include "Launch.h"
#include "Options.h"

#include <cerrno>
#include <cstring>
#include <mutex>
#include <stdio.h>

using namespace warpwright::sim;

void warpwright::sim::record(Thread &thread, const char *what,
                             std::initializer_list<int64_t> numbers) {
  std::string &text = async(thread).trace;
  text += what;
  for (const int64_t number : numbers)
    text += ' ' + std::to_string(number);
  text += '\n';
}

void warpwright::sim::trace_access(Thread &thread, const Cta &cta,
                                   uint32_t address, unsigned bytes,
                                   bool is_store) {
  trace(thread, is_store ? "write" : "read",
        {cta.rank, traced_address(thread, address), bytes});
}

void warpwright::sim::write_trace(Cluster &cluster) {
  if (!cluster.options.trace)
    return;
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  static FILE *const file = [] {
    FILE *const opened = fopen(run_options().trace_file, "w");
    if (!opened)
      fprintf(stderr, "warpwright: cannot write WARPWRIGHT_SIM_TRACE=%s: %s\n",
              run_options().trace_file, strerror(errno));
    return opened;
  }();
  if (!file)
    return;
  for (const std::unique_ptr<Cta> &cta : cluster.ctas)
    for (const std::unique_ptr<Thread> &thread : cta->threads) {
      fprintf(file, "thread %llu %s %llu %u %u\n",
              static_cast<unsigned long long>(launch_number()),
              cluster.site->name,
              static_cast<unsigned long long>(cluster.index), cta->rank,
              thread->index);
      if (thread->async)
        fwrite(thread->async->trace.data(), 1, thread->async->trace.size(),
               file);
    }
  fflush(file);
}
