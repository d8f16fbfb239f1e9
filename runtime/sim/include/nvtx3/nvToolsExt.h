//===- nvToolsExt.h - Marks for a profiler that is not there ----*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_NVTOOLSEXT_H
#define WARPWRIGHT_SIM_NVTOOLSEXT_H

#include <stdint.h>

typedef uint64_t nvtxRangeId_t;

static inline int nvtxRangePushA(const char *) { return 0; }
static inline int nvtxRangePop(void) { return 0; }
static inline void nvtxMarkA(const char *) {}
static inline nvtxRangeId_t nvtxRangeStartA(const char *) { return 0; }
static inline void nvtxRangeEnd(nvtxRangeId_t) {}
#define nvtxRangePush nvtxRangePushA
#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA

#endif // WARPWRIGHT_SIM_NVTOOLSEXT_H
