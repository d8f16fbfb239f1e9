//===- SanitizerOptions.cpp - AddressSanitizer and fibers ------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

/// Asked for by AddressSanitizer when the program starts. A kernel that is
/// stopped by an error leaves its fibers, and what lies on their stacks, where
/// they are. A fake stack for each of them, eleven times a stack, is more than
/// fork() then finds room for, which tests of a program's end need.
extern "C" const char *__asan_default_options() {
  return "detect_leaks=0:detect_stack_use_after_return=0";
}
