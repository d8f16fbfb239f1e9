//===-- multiply_mma.cuh - Products of fragments in registers ---*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The role Multiply for elements that wgmma does not know: each warp multiplies
// 16 rows by 8 columns at a time with mma.sync, whose operands are registers.
//
// Lane 4 g + t of a warp holds (PTX ISA, "Matrix Fragments for mma.m16n8k16
// with .f64 floating point type"):
//
//     a[h][s]  row g + 8 h, slot t + 4 s along k
//     b[s]     slot t + 4 s along k, column g
//     d[i]     row g + 8 (i / 2), column 2 t + i % 2
//
// The four warps of a warpgroup, 16 rows each, and their instructions side by
// side have the same sums at the same places as one wgmma of 64 rows
// (rt::fragment), so that the epilogue knows no difference.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_MULTIPLY_MMA_CUH
#define WARPWRIGHT_RT_MULTIPLY_MMA_CUH

#include <warpwright/rt/arch.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

#if WARPWRIGHT_HOPPER

/// d += a b, in the FP64 tensor cores; each sum is rounded after every product,
/// as by fma. For whole warps.
WARPWRIGHT_DEVICE void mma_m16n8k16(double *d, const double (&a)[2][4],
                                    const double (&b)[4]) {
  asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, "
      "{%12, %13, %14, %15}, {%0, %1, %2, %3};"
      : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
      : "d"(a[0][0]), "d"(a[1][0]), "d"(a[0][1]), "d"(a[1][1]), "d"(a[0][2]),
        "d"(a[1][2]), "d"(a[0][3]), "d"(a[1][3]), "d"(b[0]), "d"(b[1]),
        "d"(b[2]), "d"(b[3]));
}

#endif // WARPWRIGHT_HOPPER

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_MULTIPLY_MMA_CUH
