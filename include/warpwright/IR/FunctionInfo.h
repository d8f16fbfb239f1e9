//===-- FunctionInfo.h - What C++ says about an IR function -----*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The declaration behind a function of the module: whose it is, how a call of
/// it is written, and the C++ types that its IR signature has lost (a `__half`
/// is a struct of one i16 there, and a reference is a pointer).
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

/// The type of a parameter or result, as far as the lift has a use for it.
struct TypeInfo {
  enum class Kind {
    Void,
    Scalar, ///< a number of type Element; __half and __nv_bfloat16 are such
    Vector, ///< Lanes numbers of type Element: float4, __half2
    Other,
  };
  Kind K = Kind::Other;
  ScalarType Element = ScalarType::I32;
  unsigned Lanes = 1;
  /// A reference to, or a pointer to, an object of the type above.
  bool Indirect = false;
  bool Reference = false;     ///< Indirect, and a reference
  bool ConstReferent = false; ///< Indirect, and the object is const
  /// A number of the very type that generated code writes for Element: `long`,
  /// `char` and enumerations are others, which matters to overloads.
  bool Spelled = false;

  bool isScalar() const { return K == Kind::Scalar && !Indirect; }
};

struct FunctionInfo {
  /// Declared in a header of CUDA, of Clang or of the C and C++ libraries.
  bool Header = false;
  /// The qualified name without template arguments: `__hadd`, `std::max`,
  /// `__half::__half`, `operator+`.
  std::string Name;
  /// How generated code calls it: `ns::clamp<float>`, or with a leading `::`
  /// where that would be something else.
  std::string CallName;
  /// Has an ordinary name, and generated code beside any kernel of the file
  /// can call it by that name.
  bool Callable = false;
  /// A member function that is given its object first.
  bool HasThis = false;
  bool Variadic = false;
  /// Its scope has other functions or templates of the name.
  bool Overloaded = false;
  TypeInfo This; ///< the object's type, if HasThis
  TypeInfo Result;
  std::vector<TypeInfo> Params; ///< without the object
  unsigned Location = 0;        ///< of the declaration, see Value::Loc
};

/// A function of the user's whose calls stay calls in generated code.
struct KeptFunction {
  /// What generated code calls it (FunctionInfo::CallName). Overloads share it.
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
