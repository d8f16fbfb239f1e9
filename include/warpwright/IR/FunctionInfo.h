//===-- FunctionInfo.h - What C++ says about an IR function -----*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The declaration of a function of the module: who declared it, how generated
/// code calls it, and the C++ types that are lost in its IR signature (a
/// `__half` is a struct of one i16 there, and a reference is a pointer).
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_IR_FUNCTIONINFO_H
#define WARPWRIGHT_IR_FUNCTIONINFO_H

#include "warpwright/Contraction/Value.h"
#include <string>
#include <vector>

namespace llvm {
class Function;
class GlobalVariable;
} // namespace llvm

namespace warpwright {

/// The type of a parameter or result, as far as the lift needs it.
struct TypeInfo {
  enum class Kind {
    Void,
    Scalar, ///< a number of type Element; __half and __nv_fp8_e4m3 are such
    Vector, ///< Lanes numbers of type Element: float4, __half2, __nv_fp8x4_e4m3
    Other,
  };
  Kind K = Kind::Other;
  ScalarType Element = ScalarType::I32;
  unsigned Lanes = 1;
  /// A reference to, or a pointer to, an object of the type above.
  bool Indirect = false;
  bool Reference = false;     ///< Indirect, and a reference
  bool ConstReferent = false; ///< Indirect, and the object is const
  /// Whether it is exactly the type that generated code writes for Element.
  /// `long`, `char` and enumerations are not, which matters to overloads.
  bool Spelled = false;

  bool isScalar() const { return K == Kind::Scalar && !Indirect; }
};

struct FunctionInfo {
  /// Declared in a header of CUDA, of Clang or of the C and C++ libraries.
  bool Header = false;
  /// The qualified name without template arguments: `__hadd`, `std::max`,
  /// `__half::__half`, `operator+`.
  std::string Name;
  /// The name by which generated code calls it: `ns::clamp<float>`, or with a
  /// leading `::` where the name would refer to something else.
  std::string CallName;
  /// Whether it has an ordinary name, by which generated code at any kernel of
  /// the file can call it.
  bool Callable = false;
  /// A member function; its first argument is its object.
  bool HasThis = false;
  bool Variadic = false;
  /// Whether its scope has other functions or templates with this name.
  bool Overloaded = false;
  TypeInfo This; ///< the object's type, if HasThis
  TypeInfo Result;
  std::vector<TypeInfo> Params; ///< without the object
  unsigned Location = 0;        ///< of the declaration, see Value::Loc
};

/// A function of the user's whose calls stay calls in generated code.
struct KeptFunction {
  /// The name by which generated code calls it (FunctionInfo::CallName).
  /// Overloads share it.
  std::string Name;
  std::vector<ScalarType> Params;
  const llvm::Function *Code = nullptr;
};

/// A number in constant memory.
struct ConstantLeaf {
  /// How generated code names it: `ns::scale`, `::config.alpha`, `table[2]`.
  std::string Name;
  ScalarType Type = ScalarType::F32;
  const llvm::GlobalVariable *Variable = nullptr;
  uint64_t Offset = 0; ///< bytes from the start of the variable
};

} // namespace warpwright

#endif // WARPWRIGHT_IR_FUNCTIONINFO_H
