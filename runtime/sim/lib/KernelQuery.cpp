//===- KernelQuery.cpp - Which kernel a pointer names ---------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelQuery.h"

// The linker brackets the section of all kernels with these; a program without
// kernels has neither.
extern "C" {
extern const char __start_warpwright_kernels[] __attribute__((weak));
extern const char __stop_warpwright_kernels[] __attribute__((weak));
}

namespace warpwright {
namespace sim {

__thread KernelQuery *kernel_query = nullptr;

namespace {
/// Passed by value, it lies where a kernel of any parameters would look for
/// those that are passed on the stack: the compiler may load them early.
struct AnyParameters {
  alignas(64) char bytes[32 * 1024] = {};
};
} // namespace

#if defined(__clang__)
// UndefinedBehaviorSanitizer is right: the kernel has other parameters.
__attribute__((no_sanitize("function")))
#endif
KernelQuery query_kernel(const void *kernel) {
  KernelQuery answer;
  const char *address = static_cast<const char *>(kernel);
  if (!address || address < __start_warpwright_kernels ||
      address >= __stop_warpwright_kernels)
    return answer;
  kernel_query = &answer;
  reinterpret_cast<void (*)(AnyParameters)>(const_cast<void *>(kernel))(
      AnyParameters());
  kernel_query = nullptr;
  return answer;
}

} // namespace sim
} // namespace warpwright
