//===- SanitizerOptions.cpp - Sanitizers and LLVM's memory ----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

/// AddressSanitizer calls this when the program starts. LLVM's BumpPtrAllocator
/// poisons memory where its header is compiled with the sanitizer, as here, but
/// the distribution's LLVM, which allocates from the same objects while a file
/// is parsed, is compiled without it and never takes the poison away.
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0";
}
