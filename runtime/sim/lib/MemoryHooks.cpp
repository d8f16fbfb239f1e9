//===- MemoryHooks.cpp - Every load and store of device code --------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler puts a call of __sanitizer_cov_load<bytes> or store<bytes>
// before every load and store of the program. The common cases must cost no
// more than a few instructions: device memory is one look at the shadow, the
// thread's own stack one comparison.
//
//===----------------------------------------------------------------------===//

#include "Async.h"
#include "Launch.h"
#include "Memory.h"
#include "Options.h"
#include "Scheduler.h"

#include <algorithm>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

using namespace warpwright::sim;

//===----------------------------------------------------------------------===//
// Words for what went wrong
//===----------------------------------------------------------------------===//

static std::string hex(const void *address) {
  char text[32];
  snprintf(
      text, sizeof(text), "0x%llx",
      static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(address)));
  return text;
}

static std::string access_words(uint64_t bytes, bool is_store,
                                const char *what) {
  std::string text = what ? what : is_store ? "a store" : "a load";
  return text + " of " + std::to_string(bytes) +
         (bytes == 1 ? " byte" : " bytes");
}

/// "12 bytes after the end of an allocation of 4096 bytes".
static std::string place_words(const void *address,
                               const Allocation &allocation) {
  const char *at = static_cast<const char *>(address);
  const char *end = allocation.begin + allocation.bytes;
  const std::string of =
      " of an allocation of " + std::to_string(allocation.bytes) + " bytes";
  if (at < allocation.begin)
    return std::to_string(allocation.begin - at) +
           " bytes before the beginning" + of;
  if (at >= end)
    return std::to_string(at - end) + " bytes after the end" + of;
  return "at byte " + std::to_string(at - allocation.begin) + of;
}

void warpwright::sim::report_global_access(const void *address, uint64_t bytes,
                                           bool is_store, const char *what) {
  const uintptr_t at = reinterpret_cast<uintptr_t>(address);
  const std::string access = access_words(bytes, is_store, what);
  Allocation allocation;
  const bool inside = find_allocation(address, allocation);
  if (allocation.begin) {
    std::vector<Note> notes;
    notes.push_back({"it was allocated here", allocation.allocated_at});
    std::string text = access + " " + place_words(address, allocation);
    const bool after_free =
        allocation.freed &&
        at >= reinterpret_cast<uintptr_t>(allocation.begin) &&
        at < reinterpret_cast<uintptr_t>(allocation.begin) + allocation.bytes;
    if (after_free) {
      text = access + " " + place_words(address, allocation) +
             " that has been freed";
      notes.push_back({"it was freed here", allocation.freed_at});
    } else if (inside) {
      text += ", beyond its end";
    }
    report(Finding::global_bounds, text, notes);
    return;
  }
  if (at - device_region < 2 * region_bytes)
    report(Finding::global_bounds,
           access + " at " + hex(address) + ", where nothing is allocated");
  else if (at < 4096)
    report(Finding::global_bounds,
           access + " at " + hex(address) + ": a null pointer");
  else
    report(Finding::memory_space,
           access + " at " + hex(address) +
               ": ordinary memory of the host, which device code must not "
               "touch");
}

static void report_shared_access(const Thread &thread, uintptr_t address,
                                 unsigned bytes, bool is_store) {
  const Cluster &cluster = *thread.cta->cluster;
  const uintptr_t base =
      window_region + cluster.window_slot * cluster_window_bytes;
  const uintptr_t offset = address - base;
  std::string text = access_words(bytes, is_store, nullptr);
  if (offset >= cluster.ctas.size() * window_pitch) {
    text += " in the shared memory of another cluster, or of one that ended";
  } else {
    const Cta &cta = *cluster.ctas[offset / window_pitch];
    const uint32_t at = static_cast<uint32_t>(offset % window_pitch);
    text += " at shared address " + std::to_string(at) +
            (&cta == thread.cta
                 ? ""
                 : " of CTA " + std::to_string(cta.rank) + " of the cluster");
    if (at < cta.static_begin)
      text += ", which belongs to the system: variables begin at " +
              std::to_string(cta.static_begin);
    else
      text += ": the block has " +
              std::to_string(cta.window_end - cta.static_begin) +
              " bytes of shared memory, up to address " +
              std::to_string(cta.window_end);
  }
  report(Finding::shared_bounds, text);
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

void warpwright::sim::check_started(Thread &thread, uint64_t bytes,
                                    bool is_store, const char *what) {
  Cluster &cluster = *thread.cta->cluster;
  if (!cluster.starts_early)
    return;
  cluster.starts_early = false; // once is enough
  report(Finding::early_access,
         access_words(bytes, is_store, what) +
             " in global memory before griddepcontrol.wait: the kernel may "
             "start before the one before it in its stream has ended");
}

void warpwright::sim::wait_for_previous_kernel() {
  if (current_thread)
    self().cta->cluster->starts_early = false;
}

bool warpwright::sim::check_global_access(const void *address, uint64_t bytes,
                                          bool is_store, const char *what) {
  const uintptr_t at = reinterpret_cast<uintptr_t>(address);
  if (at - device_region < 2 * region_bytes &&
      bytes <= device_region + 2 * region_bytes - at) {
    bool valid = true;
    for (uintptr_t from = at, end = at + bytes; from < end && valid;) {
      const uintptr_t next = std::min(end, (from | (granule_bytes - 1)) + 1);
      valid = ((next - 1) & (granule_bytes - 1)) < *shadow_of(from);
      from = next;
    }
    if (valid)
      return true;
  } else if (at - engine_region < engine_region_bytes ||
             is_program_data(address) || is_registered(address, bytes)) {
    return true;
  } else if (current_thread) {
    const char *low = self().fiber.stack_low();
    const char *p = static_cast<const char *>(address);
    if (low && p >= low && p < low + fiber_stack_bytes)
      return true;
  }
  report_global_access(address, bytes, is_store, what);
  return false;
}

/// An access to a shared window.
__attribute__((noinline)) static void
check_window(Thread &thread, uintptr_t at, unsigned bytes, bool is_store) {
  const Cluster &cluster = *thread.cta->cluster;
  const uintptr_t offset =
      at - window_region - cluster.window_slot * cluster_window_bytes;
  const uintptr_t rank = offset / window_pitch;
  if (rank < cluster.ctas.size()) {
    Cta &cta = *cluster.ctas[rank];
    const uint32_t a = static_cast<uint32_t>(offset % window_pitch);
    if (a >= cta.static_begin && a + bytes <= cta.window_end) {
      if (cluster.options.checks || cluster.options.trace)
        check_shared_access(cta, a, bytes, is_store);
      return;
    }
  }
  report_shared_access(thread, at, bytes, is_store);
}

/// Neither device memory nor the thread's own stack, or not as it should be.
static void check_other(Thread &thread, uintptr_t at, unsigned bytes,
                        bool is_store) {
  const void *address = reinterpret_cast<const void *>(at);
  if (at - window_region < window_region_bytes) {
    check_window(thread, at, bytes, is_store);
    return;
  }
  if (at - device_region < 2 * region_bytes) {
    // Crosses two granules, perhaps.
    check_global_access(address, bytes, is_store, nullptr);
    return;
  }
  if (at - engine_region < engine_region_bytes || is_program_data(address) ||
      at - reinterpret_cast<uintptr_t>(&current_thread) <
          sizeof(current_thread) ||
      is_registered(address, bytes))
    return;
  report_global_access(address, bytes, is_store, nullptr);
}

/// Also device code's accesses to what the host may not touch outside launches.
__attribute__((noinline)) static void check_host(uintptr_t at, unsigned bytes,
                                                 bool is_store) {
  Allocation allocation;
  find_allocation(reinterpret_cast<const void *>(at), allocation);
  std::vector<Note> notes;
  if (allocation.begin)
    notes.push_back({"it was allocated here", allocation.allocated_at});
  report(Finding::memory_space,
         access_words(bytes, is_store, nullptr) + " by host code at " +
             hex(reinterpret_cast<const void *>(at)) +
             (allocation.begin
                  ? ", " + place_words(reinterpret_cast<const void *>(at),
                                       allocation)
                  : std::string()) +
             ": the device's memory, which host code must not touch",
         notes);
}

/// Whatever is not the common case. Called last, so that the hooks themselves
/// need no frame.
template <unsigned Bytes, bool IsStore>
__attribute__((noinline, cold)) static void check_slowly(const void *address) {
  const uintptr_t at = reinterpret_cast<uintptr_t>(address);
  if (!current_thread) {
    check_host(at, Bytes, IsStore);
    return;
  }
  Thread &thread = self();
  const bool looked_at = thread.budget < 0 && thread.cta->cluster->starts_early;
  if (looked_at) {
    thread.budget = 0;
    if (at - device_region < 2 * region_bytes)
      check_started(thread, Bytes, IsStore, nullptr);
  }
  const int32_t over =
      looked_at ? ++thread.early_accesses - access_budget : -thread.budget;
  const bool is_private =
      at - reinterpret_cast<uintptr_t>(thread.fiber.stack_low()) <
      fiber_stack_bytes;
  // A loop that polls may read a variable of its own for each time that it
  // reads what it waits for. The turn ends at the latter, which tells more.
  if (over > (is_private ? access_budget : 0)) {
    uint32_t found = 0;
    if (at - device_region < 2 * region_bytes &&
        (at & (granule_bytes - 1)) + Bytes <= *shadow_of(at))
      memcpy(&found, address, Bytes < 4 ? Bytes : 4);
    end_of_budget(thread, address, found);
  }
  if (is_private) {
    if (at - thread.watch_begin < thread.watch_bytes)
      check_private_access(address, Bytes, IsStore);
    return;
  }
  check_other(thread, at, Bytes, IsStore);
}

template <unsigned Bytes, bool IsStore>
__attribute__((always_inline)) static inline void check(const void *address) {
  const uintptr_t at = reinterpret_cast<uintptr_t>(address);
  ThreadView *view = current_thread;
  if (__builtin_expect(!view, 0)) {
    if (__builtin_expect(at - device_region < region_bytes, 0))
      check_slowly<Bytes, IsStore>(address);
    return;
  }
  Thread &thread = *static_cast<Thread *>(view);
  const bool in_turn = --thread.budget >= 0;
  if (at - device_region < 2 * region_bytes) {
    if (__builtin_expect(
            in_turn & ((at & (granule_bytes - 1)) + Bytes <= *shadow_of(at)),
            1))
      return;
  } else if (at - reinterpret_cast<uintptr_t>(thread.fiber.stack_low()) <
             fiber_stack_bytes) {
    if (__builtin_expect(
            in_turn & (at - thread.watch_begin >= thread.watch_bytes), 1))
      return;
  } else if (__builtin_expect(
                 in_turn & (at - window_region < window_region_bytes), 1)) {
    check_window(thread, at, Bytes, IsStore);
    return;
  }
  check_slowly<Bytes, IsStore>(address);
}

extern "C" {
#define WARPWRIGHT_HOOKS(Bytes)                                                \
  void __sanitizer_cov_load##Bytes(const void *address) {                      \
    check<Bytes, false>(address);                                              \
  }                                                                            \
  void __sanitizer_cov_store##Bytes(const void *address) {                     \
    check<Bytes, true>(address);                                               \
  }
WARPWRIGHT_HOOKS(1)
WARPWRIGHT_HOOKS(2)
WARPWRIGHT_HOOKS(4)
WARPWRIGHT_HOOKS(8)
WARPWRIGHT_HOOKS(16)
#undef WARPWRIGHT_HOOKS
}

/// Any number of bytes, as copies of structures move them.
static void check_range(const void *address, size_t bytes, bool is_store) {
  if (!current_thread || !bytes)
    return;
  Thread &thread = self();
  const uintptr_t at = reinterpret_cast<uintptr_t>(address);
  if (at - device_region < 2 * region_bytes)
    check_started(thread, bytes, is_store, nullptr);
  const uintptr_t low = reinterpret_cast<uintptr_t>(thread.fiber.stack_low());
  const auto most = static_cast<unsigned>(std::min<size_t>(bytes, 1u << 30));
  if (at - low < fiber_stack_bytes) {
    if (thread.watch_bytes)
      check_private_access(address, most, is_store);
  } else {
    check_other(thread, at, most, is_store);
  }
}

// Copies and fills are no loads and stores to the compiler's coverage. Its
// thread sanitizer, told to leave everything else alone, turns them into calls
// of these.
extern "C" {
void __tsan_init() {}
void *__tsan_memcpy(void *to, const void *from, size_t bytes) {
  check_range(from, bytes, false);
  check_range(to, bytes, true);
  return memcpy(to, from, bytes);
}
void *__tsan_memmove(void *to, const void *from, size_t bytes) {
  check_range(from, bytes, false);
  check_range(to, bytes, true);
  return memmove(to, from, bytes);
}
void *__tsan_memset(void *to, int byte, size_t bytes) {
  check_range(to, bytes, true);
  return memset(to, byte, bytes);
}
}

void warpwright::sim::misaligned_access(const volatile void *pointer,
                                        size_t bytes, size_t alignment) {
  // The host has no such rule.
  if (!current_thread)
    return;
  const void *address = const_cast<const void *>(pointer);
  report(Finding::alignment, "an access to " + std::to_string(bytes) +
                                 " bytes at " + hex(address) +
                                 ", an address that is not a multiple of " +
                                 std::to_string(alignment));
}

void warpwright::sim::atomic_access(const volatile void *pointer,
                                    size_t bytes) {
  const void *address = const_cast<const void *>(pointer);
  const uintptr_t at = reinterpret_cast<uintptr_t>(address);
  if (!current_thread) {
    if (at - device_region < region_bytes)
      check_host(at, static_cast<unsigned>(bytes), true);
    return;
  }
  Thread &thread = self();
  // Locks and flags are waited for in loops of atomics.
  constexpr unsigned atomics_of_a_turn = 256;
  if (++thread.atomics > atomics_of_a_turn)
    yield();
  if (at % bytes)
    report(Finding::alignment, "an atomic operation on " +
                                   std::to_string(bytes) + " bytes at " +
                                   hex(address) + ", not aligned to them");
  if (at - window_region >= window_region_bytes) {
    check_started(thread, bytes, true, "an atomic operation");
    check_global_access(address, bytes, true, "an atomic operation");
    return;
  }
  Cluster &cluster = *thread.cta->cluster;
  const uintptr_t offset =
      at - window_region - cluster.window_slot * cluster_window_bytes;
  const uintptr_t rank = offset / window_pitch;
  const uint32_t a = static_cast<uint32_t>(offset % window_pitch);
  if (rank >= cluster.ctas.size() || a < cluster.ctas[rank]->static_begin ||
      a + bytes > cluster.ctas[rank]->window_end)
    report_shared_access(thread, at, static_cast<unsigned>(bytes), true);
  else if (cluster.options.checks)
    shared_atomic(*cluster.ctas[rank], a, static_cast<unsigned>(bytes));
}

//===----------------------------------------------------------------------===//
// Signals: what no hook saw
//===----------------------------------------------------------------------===//

static struct sigaction previous_action;

static void on_fault(int signal, siginfo_t *info, void *context) {
  const auto *machine = &static_cast<ucontext_t *>(context)->uc_mcontext;
#if defined(__x86_64__)
  const auto *pc = reinterpret_cast<const void *>(machine->gregs[REG_RIP]);
  const auto *frame = reinterpret_cast<const void *>(machine->gregs[REG_RBP]);
#elif defined(__aarch64__)
  const auto *pc = reinterpret_cast<const void *>(machine->pc);
  const auto *frame = reinterpret_cast<const void *>(machine->regs[29]);
#else
  const void *pc = nullptr, *frame = nullptr;
  (void)machine;
#endif
  const uintptr_t at = reinterpret_cast<uintptr_t>(info->si_addr);
  const Stack stack = stack_from(pc, frame);
  if (current_thread) {
    const auto low = reinterpret_cast<uintptr_t>(self().fiber.stack_low());
    if (at < low && at + fiber_guard_bytes >= low)
      report_with(Finding::unsupported,
                  "the stack of a simulated thread, of " +
                      std::to_string(fiber_stack_bytes) +
                      " bytes, overflows: too large local variables or too "
                      "deep a recursion",
                  stack);
    else
      report_with(at - device_region < 2 * region_bytes ? Finding::global_bounds
                                                        : Finding::memory_space,
                  "device code accesses " + hex(info->si_addr) +
                      ", where there is no memory",
                  stack);
  } else if (at - device_region < region_bytes) {
    Allocation allocation;
    find_allocation(info->si_addr, allocation);
    std::vector<Note> notes;
    std::string text =
        "host code accesses the device's memory at " + hex(info->si_addr);
    if (allocation.begin) {
      text += ", " + place_words(info->si_addr, allocation);
      notes.push_back({"it was allocated here", allocation.allocated_at});
    }
    report_with(Finding::memory_space, text, stack, notes);
  }
  // The program's own fault: as if nobody had looked.
  sigaction(signal, &previous_action, nullptr);
}

void warpwright::sim::watch_signals() {
  static const bool installed = [] {
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &previous_action);
    sigaction(SIGBUS, &action, nullptr);
    return true;
  }();
  (void)installed;
  // A stack of its own: that of the thread may be what overflowed.
  static thread_local bool has_stack = false;
  if (has_stack)
    return;
  has_stack = true;
  constexpr size_t bytes = 256 * 1024;
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return;
  stack_t stack;
  memset(&stack, 0, sizeof(stack));
  stack.ss_sp = memory;
  stack.ss_size = bytes;
  sigaltstack(&stack, nullptr);
}
