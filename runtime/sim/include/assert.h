//===- assert.h - assert in device code -------------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A failed assertion in device code prints the block and thread and ends the
// launch with cudaErrorAssert. As usual there is no include guard: NDEBUG is
// looked at each time.
//
//===----------------------------------------------------------------------===//

#include "warpwright/sim/program.h"

#undef assert
#ifdef NDEBUG
#define assert(expression) (static_cast<void>(0))
#else
#define assert(...)                                                            \
  (static_cast<bool>(__VA_ARGS__)                                              \
       ? static_cast<void>(0)                                                  \
       : ::warpwright::sim::assert_failed(#__VA_ARGS__, __FILE__, __LINE__,    \
                                          __extension__ __PRETTY_FUNCTION__))
#endif
#ifndef __cplusplus
#define static_assert _Static_assert
#endif
