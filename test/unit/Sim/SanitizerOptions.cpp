//===- SanitizerOptions.cpp - AddressSanitizer and fibers ------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

/// AddressSanitizer calls this when the program starts. A kernel that is
/// stopped by an error leaves its fibers, and what is on their stacks, as they
/// are. A fake stack for each of them would take eleven times the size of a
/// stack, and fork(), which tests of a program's end need, would not find that
/// much memory.
extern "C" const char *__asan_default_options() {
  return "detect_leaks=0:detect_stack_use_after_return=0";
}
