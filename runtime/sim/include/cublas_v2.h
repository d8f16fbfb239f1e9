//===- cublas_v2.h - Declared, not simulated -------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/sim/library_header.h"

#ifdef WARPWRIGHT_TOOLKIT_cublas_v2
#include WARPWRIGHT_TOOLKIT_cublas_v2
#else
#error                                                                         \
    "warpwright sim has no cuBLAS; its header was not found in a CUDA Toolkit"
#endif
