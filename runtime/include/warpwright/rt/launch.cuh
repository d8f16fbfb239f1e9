//===- warpwright/rt/launch.cuh - A redirected kernel launch ---*- CUDA -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `kernel<<<grid, block, smem, stream>>>` says before the parenthesis, as
// a value; and what the environment says about launches.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_LAUNCH_CUH
#define WARPWRIGHT_RT_LAUNCH_CUH

#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

namespace warpwright {
namespace rt {
inline namespace v2 {

/// The tokens that a macro stands for, as a string.
#define WARPWRIGHT_TEXT_OF(...) #__VA_ARGS__
#define WARPWRIGHT_TEXT(...) WARPWRIGHT_TEXT_OF(__VA_ARGS__)

/// Whether two texts are the same but for spaces.
constexpr bool same_tokens(const char *x, const char *y) {
  return *x == ' '   ? same_tokens(x + 1, y)
         : *y == ' ' ? same_tokens(x, y + 1)
                     : *x == *y && (!*x || same_tokens(x + 1, y + 1));
}

/// The execution configuration of a launch. The parameters are those of
/// `<<<...>>>`, with the same defaults and conversions.
struct Launch {
  dim3 grid;
  dim3 block;
  size_t smem;
  cudaStream_t stream;

  Launch(dim3 grid, dim3 block, size_t smem = 0, cudaStream_t stream = 0)
      : grid(grid), block(block), smem(smem), stream(stream) {}
};

/// The first half of a redirected launch, which stands as
///
///     (Configure(grid, block, smem, stream), kernel_warpwright(arguments))
///
/// in place of `kernel<<<grid, block, smem, stream>>>(arguments)`: the
/// configuration is evaluated first, waits while the arguments are, which may
/// launch kernels of their own, and is taken by what is called with them. This
/// is what `<<<...>>>` itself does; an argument that throws takes it back.
class Configure {
public:
  Configure(dim3 grid, dim3 block, size_t smem = 0, cudaStream_t stream = 0)
      : launch(grid, block, smem, stream), outer(innermost()), waits(true) {
    innermost() = this;
  }
  Configure(const Configure &) = delete;
  Configure &operator=(const Configure &) = delete;
  ~Configure() {
    if (waits)
      innermost() = outer;
  }

  /// The configuration that was evaluated last and that no launch has taken.
  static Launch take() {
    Configure *const configuration = innermost();
    if (!configuration) {
      fprintf(stderr, "warpwright: a launcher was called without a launch\n");
      abort();
    }
    configuration->waits = false;
    innermost() = configuration->outer;
    return configuration->launch;
  }

private:
  static Configure *&innermost() {
    static thread_local Configure *configuration = nullptr;
    return configuration;
  }

  Launch launch;
  Configure *outer;
  bool waits;
};

/// The WARPWRIGHT* variables of the environment, read at the first launch.
struct Environment {
  bool off;    ///< WARPWRIGHT=off: launch the originals
  bool log;    ///< WARPWRIGHT_LOG=1: one line per launch on stderr
  bool verify; ///< WARPWRIGHT_VERIFY=1: run both kernels and compare
  /// WARPWRIGHT_SCRATCH=off: launches allocate nothing; those that would have
  /// to take the original. For graphs that become parts of other graphs, which
  /// CUDA does not allow with memory nodes in them.
  bool no_scratch;
};

/// Whether the variable \p name is on, or \p otherwise where it is not set, is
/// empty, or says neither on nor off; the last is reported.
inline bool is_on(const char *name, bool otherwise) {
  const char *value = getenv(name);
  if (!value || !*value)
    return otherwise;
  static const char *const words[2][3] = {{"off", "no", "false"},
                                          {"on", "yes", "true"}};
  for (int on = 0; on < 2; ++on)
    for (const char *word : words[on])
      if (!strcasecmp(value, word))
        return on != 0;
  char *end = nullptr;
  const long number = strtol(value, &end, 10);
  if (end != value && !*end)
    return number != 0;
  fprintf(stderr, "warpwright: %s=%s is neither on nor off and is ignored\n",
          name, value);
  return otherwise;
}

inline Environment environment() {
  // One word, so that threads which race to fill it write the same value.
  static unsigned cached = 0;
  enum : unsigned { known = 1, off = 2, log = 4, verify = 8, no_scratch = 16 };
  unsigned bits = __atomic_load_n(&cached, __ATOMIC_RELAXED);
  if (!bits) {
    bits = known;
    if (!is_on("WARPWRIGHT", true))
      bits |= off;
    if (!is_on("WARPWRIGHT_SCRATCH", true))
      bits |= no_scratch;
    if (is_on("WARPWRIGHT_LOG", false))
      bits |= log;
    if (is_on("WARPWRIGHT_VERIFY", false))
      bits |= verify;
    __atomic_store_n(&cached, bits, __ATOMIC_RELAXED);
  }
  return {(bits & off) != 0, (bits & log) != 0, (bits & verify) != 0,
          (bits & no_scratch) != 0};
}

/// For programs that test launches: called after each with the kernel, the
/// path that it took ("hopper" or "original"), and the plan or the reason.
typedef void (*LaunchListener)(const char *kernel, const char *path,
                               const char *detail);
inline LaunchListener &launch_listener() {
  static LaunchListener listener = nullptr;
  return listener;
}

/// Under WARPWRIGHT_LOG=1, says that a launch went to the Hopper kernel.
inline void log_hopper(const char *kernel, const char *plan) {
  if (launch_listener())
    launch_listener()(kernel, "hopper", plan);
  if (environment().log)
    fprintf(stderr, "warpwright: %s: hopper %s\n", kernel, plan);
}

/// Under WARPWRIGHT_LOG=1, says that a launch went to the original kernel.
inline void log_original(const char *kernel, const char *reason) {
  if (launch_listener())
    launch_listener()(kernel, "original", reason);
  if (environment().log)
    fprintf(stderr, "warpwright: %s: original: %s\n", kernel, reason);
}

/// Takes back the error that one of our own failed queries left for
/// cudaGetLastError, unless the program had one of its own waiting there.
class ErrorGuard {
public:
  ErrorGuard() : pending(cudaPeekAtLastError()) {}
  ErrorGuard(const ErrorGuard &) = delete;
  ErrorGuard &operator=(const ErrorGuard &) = delete;
  ~ErrorGuard() {
    if (pending == cudaSuccess && cudaPeekAtLastError() != cudaSuccess)
      cudaGetLastError();
  }

private:
  cudaError_t pending;
};

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_LAUNCH_CUH
