//===-- KernelIR.h - Annotated kernels as LLVM IR ---------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What Lift reads: a kernel as the LLVM IR that Clang's own code generation
/// makes of it, with the few facts that IR does not hold (what its parameters
/// are called, which functions come from a header that is known). No Clang
/// type is in here, so that the symbolic executor and the concrete one, which
/// checks it, need none.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_IR_KERNELIR_H
#define WARPWRIGHT_IR_KERNELIR_H

#include "warpwright/Contraction/Value.h"
#include "llvm/ADT/StringMap.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Function;
class LLVMContext;
class Module;
} // namespace llvm

namespace warpwright {

/// A scalar or pointer that a launch passes: a parameter, or a field of one
/// that is passed by value.
struct ParamLeaf {
  unsigned Argument = 0; ///< number of the IR function's argument
  /// Bytes from the start of the object that a `byval` argument points to; 0
  /// for an argument that is passed as it is.
  uint64_t Offset = 0;
  /// How C++ names it: `A`, `p.lda`.
  std::string Path;
  /// Of a scalar its own type, of a pointer that of the elements pointed to.
  ScalarType Type = ScalarType::I32;
  bool IsPointer = false;
  /// A pointer to float4 and the like: this many elements of Type each.
  unsigned Lanes = 1;
  bool Restrict = false;
  /// Not empty: generated code cannot use it, and why ("'p.x' is not
  /// accessible"). Type and IsPointer may then be meaningless.
  std::string Problem;
  uint64_t ByteSize = 0; ///< of the parameter or field itself
};

/// A kernel, or one instantiation of a kernel template.
struct KernelIR {
  /// In its module's data layout (pointers are 64 bits, little endian). Local
  /// variables whose address is not taken are in SSA form; user functions that
  /// it calls are functions with a body in the same module.
  llvm::Function *Function = nullptr;
  /// In the order of parameters and of their fields.
  std::vector<ParamLeaf> Params;
};

/// Functions of the module that are declared in a header of CUDA, of Clang or
/// of the C and C++ libraries, by their name in the module: the name in C++,
/// qualified (`__float2bfloat16`, `std::max`). A function that is not in here
/// is the user's, whatever it is called.
using HeaderFunctions = llvm::StringMap<std::string>;

} // namespace warpwright

#endif // WARPWRIGHT_IR_KERNELIR_H
