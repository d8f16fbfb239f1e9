//===- cusparse.h - Declared, not simulated --------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/sim/library_header.h"

#ifdef WARPWRIGHT_TOOLKIT_cusparse
#include WARPWRIGHT_TOOLKIT_cusparse
#else
#error                                                                         \
    "warpwright sim has no cuSPARSE; its header was not found in a CUDA Toolkit"
#endif
