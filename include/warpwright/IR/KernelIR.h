//===-- KernelIR.h - Annotated kernels as LLVM IR ---------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The input of Lift: a kernel as the LLVM IR that Clang's own code generation
/// makes of it, with the few facts that IR does not have (the names of
/// parameters, and which functions come from a known header). There is no Clang
/// type in here, so that neither the symbolic executor nor the concrete one,
/// which checks it, needs Clang.
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
  /// Its name in C++: `A`, `p.lda`.
  std::string Path;
  /// The type of a scalar, or of the elements to which a pointer points.
  ScalarType Type = ScalarType::I32;
  bool IsPointer = false;
  /// For a pointer to float4 and similar types: the number of elements of Type
  /// in each.
  unsigned Lanes = 1;
  /// The elements are not of the type that the source gives them, but numbers
  /// that it keeps in them: generated code converts the pointer.
  bool Reread = false;
  bool Restrict = false;
  /// A pointer to void, or to bytes: the kernel's accesses say what its
  /// elements are. For void that may be integers, too.
  enum class RawKind { None, Bytes, Void } Raw = RawKind::None;
  /// If it is not empty, generated code cannot use it, for this reason ("'p.x'
  /// is not accessible"). Type and IsPointer may then have no meaning.
  std::string Problem;
  uint64_t ByteSize = 0; ///< of the parameter or field itself
  /// For a field that C++ does not let others name, since it or a class around
  /// it is not public or is inherited: the bytes of the whole parameter.
  /// Generated code reads the field by Offset. 0: Path names it.
  uint64_t UnnamedIn = 0;
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
/// of the C and C++ libraries: for the name in the module the qualified name in
/// C++ (`__float2bfloat16`, `std::max`). A function that is not in here is the
/// user's, whatever its name is.
using HeaderFunctions = llvm::StringMap<std::string>;

} // namespace warpwright

#endif // WARPWRIGHT_IR_KERNELIR_H
