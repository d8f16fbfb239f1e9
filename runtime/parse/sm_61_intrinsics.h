//===- sm_61_intrinsics.h - Packed bytes, to be parsed ----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// __dp4a and __dp2a, as the toolkit's header defines them: one instruction
/// each (CUDA C++ Programming Guide, "Integer Intrinsics"). See cuda_runtime.h.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PARSE_SM_61_INTRINSICS_H
#define WARPWRIGHT_PARSE_SM_61_INTRINSICS_H

#include "vector_types.h"

#define WARPWRIGHT_DOT(Name, Instruction, A, B, Sum)                           \
  static inline __device__ Sum Name(A X, B Y, Sum Z) {                         \
    Sum Result;                                                                \
    asm volatile(Instruction " %0, %1, %2, %3;"                                \
                 : "=r"(Result)                                                \
                 : "r"(*(Sum *)&X), "r"(*(Sum *)&Y), "r"(Z));                  \
    return Result;                                                             \
  }
WARPWRIGHT_DOT(__dp4a, "dp4a.s32.s32", int, int, int)
WARPWRIGHT_DOT(__dp4a, "dp4a.u32.u32", unsigned, unsigned, unsigned)
WARPWRIGHT_DOT(__dp4a, "dp4a.s32.s32", char4, char4, int)
WARPWRIGHT_DOT(__dp4a, "dp4a.u32.u32", uchar4, uchar4, unsigned)
WARPWRIGHT_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, int, int)
WARPWRIGHT_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned, unsigned, unsigned)
WARPWRIGHT_DOT(__dp2a_lo, "dp2a.lo.s32.s32", short2, char4, int)
WARPWRIGHT_DOT(__dp2a_lo, "dp2a.lo.u32.u32", ushort2, uchar4, unsigned)
WARPWRIGHT_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, int, int)
WARPWRIGHT_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned, unsigned, unsigned)
WARPWRIGHT_DOT(__dp2a_hi, "dp2a.hi.s32.s32", short2, char4, int)
WARPWRIGHT_DOT(__dp2a_hi, "dp2a.hi.u32.u32", ushort2, uchar4, unsigned)
#undef WARPWRIGHT_DOT

#endif // WARPWRIGHT_PARSE_SM_61_INTRINSICS_H
