//===- Fiber.h - Stacks that take turns on a host thread --------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fiber runs until it suspends itself or its function returns. It stays on
// the host thread that first resumed it, so thread-local variables keep their
// addresses. Its stack comes from a pool of that host thread when it first runs
// and goes back when it ends: fibers that never suspend all use one stack.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_LIB_FIBER_H
#define WARPWRIGHT_SIM_LIB_FIBER_H

#include <stddef.h>
#include <vector>

namespace warpwright {
namespace sim {

/// Address space of a fiber's stack. Only the pages that are touched take
/// memory; below it lies a page that no one may touch.
constexpr size_t fiber_stack_bytes = size_t(1) << 20;
constexpr size_t fiber_guard_bytes = 4096;

class Fiber {
public:
  Fiber() = default;
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;
  ~Fiber() { release(); }

  /// Runs `entry(argument)` on a stack of its own from the first `resume` on.
  /// Only before the first resume, or after the end.
  void prepare(void (*entry)(void *), void *argument) {
    this->entry = entry;
    this->argument = argument;
    ended = false;
  }
  /// From the host thread's own stack: runs the fiber until it suspends or
  /// ends. False: it has ended.
  bool resume();
  /// From within the fiber: back to where it was resumed.
  void suspend();
  /// Gives the stack of a suspended fiber back; nothing on it is destroyed.
  void release();

  /// Lowest address of the stack; null while it has none.
  char *stack_low() const { return low; }

  /// Return addresses of a suspended fiber, innermost first.
  void trace(std::vector<const void *> &frames) const;

private:
  friend struct FiberStart;
  void *context = nullptr; ///< stack pointer while suspended
  void *host = nullptr;    ///< the host's stack pointer while running
  char *low = nullptr;
  void (*entry)(void *) = nullptr;
  void *argument = nullptr;
  bool ended = true;
  // AddressSanitizer wants to know which stack is in use; others do not look.
  [[maybe_unused]] void *fake_stack = nullptr;
  [[maybe_unused]] const void *host_low = nullptr;
  [[maybe_unused]] size_t host_bytes = 0;
};

/// Appends the return addresses that a chain of frame pointers leads to, all of
/// whose frames lie in [low, high).
void trace_frames(const void *frame, const char *low, const char *high,
                  std::vector<const void *> &frames);

} // namespace sim
} // namespace warpwright

#endif // WARPWRIGHT_SIM_LIB_FIBER_H
