//===-- Registers.h - Vectors kept as integers ------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_IR_REGISTERS_H
#define WARPWRIGHT_LIB_IR_REGISTERS_H

#include "llvm/IR/Function.h"

namespace warpwright {

/// Makes \p F load and store vectors as vectors where it does so as integers:
/// Clang keeps the registers of a matrix fragment, each of which holds two half
/// numbers, in an array of int.
void accessVectors(llvm::Function &F);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_IR_REGISTERS_H
