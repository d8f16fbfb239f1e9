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

namespace llvm {
class DemandedBits;
}

namespace warpwright {

/// Makes \p F load and store vectors as vectors where it does so as integers:
/// Clang keeps the registers of a matrix fragment, each of which holds two half
/// numbers, in an array of int.
void accessVectors(llvm::Function &F);

/// A local array of halves whose elements are set one by one and read as words
/// is words in the IR, into which SROA inserts each element: `(word & mask) |
/// element`, from a word that is not set yet. Where all parts of a word are set
/// before it is read, the word is put together from the elements alone.
/// Sound, since DemandedBits shows that nobody asks for the bits that the word
/// had before.
void foldInserts(llvm::Function &F, llvm::DemandedBits &Demanded);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_IR_REGISTERS_H
