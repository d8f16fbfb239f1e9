//===- Report.cpp - What the simulator found ------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "Launch.h"
#include "Options.h"
#include "Scheduler.h"

#include <errno.h>
#include <link.h>
#include <mutex>
#include <pthread.h>
#include <set>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

using namespace warpwright::sim;

//===----------------------------------------------------------------------===//
// Stacks
//===----------------------------------------------------------------------===//

namespace {
struct Bounds {
  const char *low = nullptr, *high = nullptr;
};

/// The stack that the calling code runs on.
Bounds current_bounds() {
  if (current_thread) {
    const char *low = self().fiber.stack_low();
    if (low)
      return {low, low + fiber_stack_bytes};
  }
  static thread_local Bounds host;
  if (!host.low) {
    pthread_attr_t attributes;
    void *low = nullptr;
    size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
      pthread_attr_getstack(&attributes, &low, &bytes);
      pthread_attr_destroy(&attributes);
    }
    host = {static_cast<const char *>(low),
            static_cast<const char *>(low) + bytes};
  }
  return host;
}

/// Where the executable was loaded: what its symbols' values count from.
uintptr_t load_base() {
  static const uintptr_t base = [] {
    uintptr_t found = 0;
    // The first object is the executable itself.
    dl_iterate_phdr(
        [](dl_phdr_info *info, size_t, void *result) {
          *static_cast<uintptr_t *>(result) = info->dlpi_addr;
          return 1;
        },
        &found);
    return found;
  }();
  return base;
}
} // namespace

Stack warpwright::sim::current_stack() {
  Stack stack;
  const Bounds bounds = current_bounds();
  trace_frames(__builtin_frame_address(0), bounds.low, bounds.high,
               stack.frames);
  return stack;
}

Stack warpwright::sim::stack_from(const void *instruction, const void *frame) {
  Stack stack;
  // The others are return addresses, one byte past the call.
  stack.frames.push_back(static_cast<const char *>(instruction) + 1);
  const Bounds bounds = current_bounds();
  trace_frames(frame, bounds.low, bounds.high, stack.frames);
  return stack;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

namespace {
std::string quoted(const char *text) {
  std::string result = "\"";
  for (; text && *text; ++text) {
    const unsigned char c = static_cast<unsigned char>(*text);
    if (c == '"' || c == '\\')
      result += '\\';
    if (c < 0x20) {
      char escape[8];
      snprintf(escape, sizeof(escape), "\\u%04x", c);
      result += escape;
    } else {
      result += *text;
    }
  }
  return result + '"';
}

std::string triple(const Index3 &i) {
  return "[" + std::to_string(i.x) + "," + std::to_string(i.y) + "," +
         std::to_string(i.z) + "]";
}

std::string where_json(const Thread *thread) {
  if (!thread)
    return "null";
  return "{\"block\":" + triple(thread->blockIdx) +
         ",\"thread\":" + triple(thread->threadIdx) +
         ",\"warp\":" + std::to_string(thread->warp->index) +
         ",\"lane\":" + std::to_string(thread->lane) +
         ",\"cluster_rank\":" + std::to_string(thread->cta->rank) + "}";
}

std::string stack_json(const Stack &stack) {
  std::string text = "[";
  for (const void *frame : stack.frames) {
    char address[32];
    snprintf(address, sizeof(address), "\"0x%llx\"",
             static_cast<unsigned long long>(
                 reinterpret_cast<uintptr_t>(frame) - load_base() - 1));
    text += (text.size() > 1 ? "," : "") + std::string(address);
  }
  return text + "]";
}

std::string finding_json(Finding finding, bool is_error,
                         const std::string &message, const KernelSite *site,
                         const Thread *thread, const Stack &stack,
                         const std::vector<Note> &notes) {
  std::string text = "{\"id\":" + std::to_string(static_cast<int>(finding)) +
                     ",\"severity\":\"" + (is_error ? "error" : "warning") +
                     "\",\"message\":" + quoted(message.c_str());
  if (site)
    text +=
        ",\"kernel\":" + quoted(site->name) +
        ",\"pretty\":" + quoted(site->pretty) +
        ",\"file\":" + quoted(site->file) +
        ",\"line\":" + std::to_string(site->line) +
        ",\"user_kernel\":" + quoted(site->user ? site->user->name : nullptr) +
        ",\"user_file\":" + quoted(site->user ? site->user->file : nullptr) +
        ",\"user_line\":" + std::to_string(site->user ? site->user->line : 0);
  text += ",\"where\":" + where_json(thread) +
          ",\"stack\":" + stack_json(stack) + ",\"notes\":[";
  bool first = true;
  for (const Note &note : notes) {
    text += (first ? "" : ",") + std::string("{\"message\":") +
            quoted(note.text.c_str()) +
            ",\"where\":null,\"stack\":" + stack_json(note.stack) + "}";
    first = false;
  }
  return text + "]}\n";
}

std::string finding_text(Finding finding, bool is_error,
                         const std::string &message, const KernelSite *site,
                         const Thread *thread, const std::vector<Note> &notes) {
  std::string text = is_error ? "error" : "warning";
  text += ": WW" + std::to_string(static_cast<int>(finding)) + ": " + message;
  if (site)
    text += "\n  in kernel " + std::string(site->name);
  if (thread)
    text += "\n  at " + describe(*thread);
  for (const Note &note : notes)
    text += "\n  note: " + note.text;
  return text + "\n";
}

void write_all(int fd, const std::string &text) {
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = write(fd, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return;
    done += static_cast<size_t>(n);
  }
}

//===----------------------------------------------------------------------===//
// Reporting
//===----------------------------------------------------------------------===//

ReportSink sink;
constexpr int status_of_findings = 3;

/// Held by the thread that reports; for good if that ends the program.
std::recursive_mutex &report_mutex() {
  static auto *mutex = new std::recursive_mutex;
  return *mutex;
}

int error_after(Finding finding) {
  switch (finding) {
  case Finding::global_bounds:
  case Finding::shared_bounds:
  case Finding::memory_space:
    return 700; // cudaErrorIllegalAddress
  case Finding::alignment:
    return 716; // cudaErrorMisalignedAddress
  case Finding::deadlock:
  case Finding::step_limit:
    return 702; // cudaErrorLaunchTimeout
  default:
    return 719; // cudaErrorLaunchFailure
  }
}

void emit(Finding finding, bool is_error, const std::string &message,
          const Thread *thread, const Stack &stack,
          const std::vector<Note> &notes) {
  Launch *launch = thread ? thread->cta->cluster->launch : nullptr;
  const KernelSite *site = thread ? thread->cta->cluster->site : nullptr;
  if (sink) {
    sink(finding, is_error, message, notes);
    return;
  }
  const int fd = run_options().report_fd;
  const bool ends = is_error && !run_options().go_on;
  if (ends) {
    // What was printed before comes first.
    if (launch)
      launch->write_output();
    fflush(stdout);
  }
  write_all(fd >= 0 ? fd : 2, fd >= 0 ? finding_json(finding, is_error, message,
                                                     site, thread, stack, notes)
                                      : finding_text(finding, is_error, message,
                                                     site, thread, notes));
  if (ends)
    _exit(status_of_findings);
}

void error(Finding finding, const std::string &message, const Thread *thread,
           const Stack &stack, const std::vector<Note> &notes) {
  {
    std::lock_guard<std::recursive_mutex> lock(report_mutex());
    // Only the first error of a launch counts; the rest may follow from it.
    Launch *launch = thread ? thread->cta->cluster->launch : nullptr;
    int none = 0;
    if (!launch ||
        launch->error.compare_exchange_strong(none, error_after(finding)))
      emit(finding, true, message, thread, stack, notes);
  }
  // The program goes on, but not this launch.
  if (current_thread)
    abort_launch(error_after(finding));
  if (thread)
    abort_cluster(*thread->cta->cluster, error_after(finding));
}

const Thread *current() { return current_thread ? &self() : nullptr; }
} // namespace

void warpwright::sim::set_report_sink(ReportSink to) { sink = to; }

void warpwright::sim::report(Finding finding, const std::string &message,
                             const std::vector<Note> &notes) {
  error(finding, message, current(), current_stack(), notes);
}

void warpwright::sim::report_with(Finding finding, const std::string &message,
                                  Stack stack, const std::vector<Note> &notes) {
  error(finding, message, current(), stack, notes);
}

void warpwright::sim::warn(Finding finding, const std::string &message,
                           const std::vector<Note> &notes) {
  const Stack stack = current_stack();
  std::lock_guard<std::recursive_mutex> lock(report_mutex());
  // Every thread would say the same.
  static auto *said =
      new std::set<std::pair<Finding, std::vector<const void *>>>;
  if (!said->insert({finding, stack.frames}).second && !sink)
    return;
  emit(finding, false, message, current(), stack, notes);
}

void warpwright::sim::report_at(Finding finding, const std::string &message,
                                const Thread &thread,
                                const std::vector<Note> &notes) {
  Stack stack;
  if (current() == &thread)
    stack = current_stack();
  else
    thread.fiber.trace(stack.frames);
  error(finding, message, &thread, stack, notes);
}
