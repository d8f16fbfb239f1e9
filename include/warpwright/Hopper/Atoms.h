//===- Atoms.h - MMA and copy instructions by name --------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The instructions as data, under CuTe's names, and the functions of the
/// expression language that work with them.
///
//===----------------------------------------------------------------------===//
#ifndef WARPWRIGHT_HOPPER_ATOMS_H
#define WARPWRIGHT_HOPPER_ATOMS_H

#include "warpwright/Layout/Expression.h"
#include "warpwright/Layout/Mma.h"

namespace warpwright {

/// SM70 8x8x4, the mma.sync shapes of SM75, SM80, SM89 and SM90 (f64), and
/// `SM90_64xNxK_<types>_SS|RS` (wgmma) for every legal type and N. For wgmma,
/// CuTe's suffixes (`_TN`, `_SATURATE`) are optional.
llvm::Expected<MmaAtom> mmaAtom(llvm::StringRef Name);

/// The names of all of them.
std::vector<std::string> mmaAtomNames();

/// ldmatrix (`SM75_U32x4_LDSM_N`, `SM75_U16x8_LDSM_T`, ...), stmatrix
/// (`SM90_U32x4_STSM_N`, `SM90_U16x8_STSM_T`, ...), and one thread's vectors
/// (`UniversalCopy_uint128_t`, `SM80_CP_ASYNC_CACHEGLOBAL_uint128_t`).
llvm::Expected<CopyAtom> copyAtom(llvm::StringRef Name);

/// `mma`, `tiled_mma`, `partition_A`, `descriptor`, ...
const ExpressionLibrary &machineLibrary();

} // namespace warpwright

#endif // WARPWRIGHT_HOPPER_ATOMS_H
