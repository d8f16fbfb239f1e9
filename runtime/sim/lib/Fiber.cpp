//===- Fiber.cpp - Stacks that take turns on a host thread ----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fiber.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WARPWRIGHT_SIM_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define WARPWRIGHT_SIM_ASAN 1
#endif
#ifdef WARPWRIGHT_SIM_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <ucontext.h>
#endif

using namespace warpwright::sim;

//===----------------------------------------------------------------------===//
// Switching
//===----------------------------------------------------------------------===//

// warpwright_sim_switch(save, load): pushes the registers that a call must
// preserve, stores the stack pointer in *save, and goes on with the stack whose
// pointer `load` is. The frame pointer is the last register pushed, next to
// the return address, so that a suspended stack can be traced.

#if defined(__x86_64__)
asm(R"(
  .text
  .p2align 4
  .globl warpwright_sim_switch
  .hidden warpwright_sim_switch
  .type warpwright_sim_switch, @function
warpwright_sim_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  retq
  .size warpwright_sim_switch, .-warpwright_sim_switch
)");
namespace {
constexpr unsigned saved_words = 7, frame_word = 5, return_word = 6;
// At its first instruction a function expects the stack 8 off alignment.
constexpr uintptr_t entry_misalignment = 8;
} // namespace
#elif defined(__aarch64__)
asm(R"(
  .text
  .p2align 4
  .globl warpwright_sim_switch
  .hidden warpwright_sim_switch
  .type warpwright_sim_switch, %function
warpwright_sim_switch:
  stp x29, x30, [sp, #-160]!
  stp x19, x20, [sp, #16]
  stp x21, x22, [sp, #32]
  stp x23, x24, [sp, #48]
  stp x25, x26, [sp, #64]
  stp x27, x28, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #16]
  ldp x21, x22, [sp, #32]
  ldp x23, x24, [sp, #48]
  ldp x25, x26, [sp, #64]
  ldp x27, x28, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  ldp x29, x30, [sp], #160
  ret
  .size warpwright_sim_switch, .-warpwright_sim_switch
)");
namespace {
constexpr unsigned saved_words = 20, frame_word = 0, return_word = 1;
constexpr uintptr_t entry_misalignment = 0;
} // namespace
#else
// A context that swapcontext understands stands where the registers would; the
// "stack pointer" is its address.
extern "C" void warpwright_sim_switch(void **save, void *load) {
  ucontext_t here;
  *save = &here;
  swapcontext(&here, static_cast<ucontext_t *>(load));
}
#endif

extern "C" void warpwright_sim_switch(void **save, void *load);

//===----------------------------------------------------------------------===//
// Stacks
//===----------------------------------------------------------------------===//

namespace {
/// The stacks that a host thread has and does not use. They are never
/// returned to the system: a host thread lives as long as the program.
struct StackPool {
  std::vector<char *> free;
  unsigned made = 0;

  char *take() {
    if (free.empty())
      grow();
    char *low = free.back();
    free.pop_back();
    return low;
  }

private:
  void grow() {
    constexpr unsigned batch = 32;
    constexpr size_t pitch = fiber_guard_bytes + fiber_stack_bytes;
    void *memory = mmap(nullptr, batch * pitch, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
      fprintf(stderr,
              "warpwright: no address space for the stacks of %u "
              "simulated threads\n",
              made + batch);
      abort();
    }
    // Popped from the back: the first of the batch is the first to be used.
    for (unsigned i = batch; i-- > 0;) {
      char *guard = static_cast<char *>(memory) + i * pitch;
      // Each guard page splits a mapping, of which the system allows only so
      // many. Without one an overflow runs into the stack below.
      if (mprotect(guard, fiber_guard_bytes, PROT_NONE) != 0 && i == 0)
        fprintf(stderr, "warpwright: warning: simulated threads without a "
                        "guard page; see sysctl vm.max_map_count\n");
      free.push_back(guard + fiber_guard_bytes);
    }
    made += batch;
  }
};

StackPool &stack_pool() {
  static thread_local StackPool *pool = new StackPool;
  return *pool;
}
} // namespace

//===----------------------------------------------------------------------===//
// Fibers
//===----------------------------------------------------------------------===//

namespace warpwright {
namespace sim {
struct FiberStart {
  /// The outermost function on every fiber's stack.
  [[noreturn]] static void run(Fiber *fiber) {
#ifdef WARPWRIGHT_SIM_ASAN
    __sanitizer_finish_switch_fiber(nullptr, &fiber->host_low,
                                    &fiber->host_bytes);
#endif
    fiber->entry(fiber->argument);
    fiber->ended = true;
#ifdef WARPWRIGHT_SIM_ASAN
    __sanitizer_start_switch_fiber(nullptr, fiber->host_low, fiber->host_bytes);
#endif
    warpwright_sim_switch(&fiber->context, fiber->host);
    abort();
  }
};
} // namespace sim
} // namespace warpwright

namespace {
/// The fiber that this host thread is about to enter for the first time.
thread_local Fiber *starting;

[[noreturn]] void start_fiber() { FiberStart::run(starting); }

/// A context that begins with `start_fiber` on the stack that ends at `high`.
void *first_context(char *low, char *high) {
#if defined(__x86_64__) || defined(__aarch64__)
  (void)low;
  uintptr_t top = reinterpret_cast<uintptr_t>(high) & ~uintptr_t(63);
  // Above the registers: a frame that ends the chain of frame pointers.
  void **end = reinterpret_cast<void **>(top) - 2;
  end[0] = end[1] = nullptr;
  void **words = reinterpret_cast<void **>(reinterpret_cast<uintptr_t>(end) -
                                           entry_misalignment -
                                           saved_words * sizeof(void *));
  memset(words, 0, saved_words * sizeof(void *));
  words[frame_word] = nullptr;
  words[return_word] = reinterpret_cast<void *>(&start_fiber);
  return words;
#else
  auto *context = reinterpret_cast<ucontext_t *>(
      (reinterpret_cast<uintptr_t>(high) - sizeof(ucontext_t)) &
      ~uintptr_t(63));
  getcontext(context);
  context->uc_stack.ss_sp = low;
  context->uc_stack.ss_size = reinterpret_cast<char *>(context) - low;
  context->uc_link = nullptr;
  makecontext(context, start_fiber, 0);
  return context;
#endif
}
} // namespace

bool Fiber::resume() {
  if (!low) {
    low = stack_pool().take();
    // Stacks lie a power of two apart; without an offset their tops would all
    // compete for the same lines of the cache.
    const size_t color = (reinterpret_cast<uintptr_t>(low) /
                          (fiber_stack_bytes + fiber_guard_bytes) * 7 % 31) *
                         128;
    context = first_context(low, low + fiber_stack_bytes - color);
    starting = this;
  }
#ifdef WARPWRIGHT_SIM_ASAN
  void *own_fake_stack = nullptr;
  __sanitizer_start_switch_fiber(&own_fake_stack, low, fiber_stack_bytes);
#endif
  warpwright_sim_switch(&host, context);
#ifdef WARPWRIGHT_SIM_ASAN
  __sanitizer_finish_switch_fiber(own_fake_stack, nullptr, nullptr);
#endif
  if (!ended)
    return true;
  release();
  return false;
}

void Fiber::suspend() {
#ifdef WARPWRIGHT_SIM_ASAN
  __sanitizer_start_switch_fiber(&fake_stack, host_low, host_bytes);
#endif
  warpwright_sim_switch(&context, host);
#ifdef WARPWRIGHT_SIM_ASAN
  __sanitizer_finish_switch_fiber(fake_stack, &host_low, &host_bytes);
#endif
}

void Fiber::release() {
  if (!low)
    return;
#ifdef WARPWRIGHT_SIM_ASAN
  __asan_unpoison_memory_region(low, fiber_stack_bytes);
#endif
  stack_pool().free.push_back(low);
  low = nullptr;
  ended = true;
}

void warpwright::sim::trace_frames(const void *frame, const char *low,
                                   const char *high,
                                   std::vector<const void *> &frames) {
  constexpr size_t deepest = 64;
  while (frames.size() < deepest) {
    const char *at = static_cast<const char *>(frame);
    if (at < low || at + 2 * sizeof(void *) > high ||
        reinterpret_cast<uintptr_t>(at) % sizeof(void *) != 0)
      return;
    const void *words[2];
    memcpy(words, at, sizeof(words));
    if (!words[1])
      return;
    frames.push_back(words[1]);
    if (words[0] <= frame) // callers' frames lie above
      return;
    frame = words[0];
  }
}

void Fiber::trace(std::vector<const void *> &frames) const {
#if defined(__x86_64__) || defined(__aarch64__)
  if (!low || !context)
    return;
  void *const *words = static_cast<void *const *>(context);
  frames.push_back(words[return_word]);
  trace_frames(words[frame_word], low, low + fiber_stack_bytes, frames);
#else
  (void)frames;
#endif
}
