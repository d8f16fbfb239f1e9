//===-- Names.h - Identifiers for generated code ----------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Generated code stands among the user's own: its names must not be a macro
/// of his, hide one of his parameters, or clash with what he declares.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_CODEGEN_NAMES_H
#define WARPWRIGHT_LIB_CODEGEN_NAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <string>
#include <vector>

namespace warpwright {

/// The names in use; hands out others.
class NameTable {
public:
  NameTable() = default;
  /// Knows every identifier and keyword of \p Text.
  void addIdentifiers(llvm::StringRef Text);
  /// Knows the macros that \p Text defines.
  void addMacros(llvm::StringRef Text);
  void add(llvm::StringRef Name) { Used.insert(Name); }
  void add(const NameTable &Names);
  bool contains(llvm::StringRef Name) const { return Used.contains(Name); }

  /// Those of \p Others that this knows too, sorted.
  std::vector<std::string> common(const NameTable &Others) const;

  /// \p Wish, or the first of `Wish_`, `Wish_2`, `Wish_3`, ... that is free;
  /// taken from then on.
  std::string take(llvm::StringRef Wish);
  /// The first of \p Wishes that is free, else as above for the last one.
  std::string take(llvm::ArrayRef<llvm::StringRef> Wishes);

private:
  llvm::StringSet<> Used;
};

/// \p Code with a space for every comment and string or character literal.
std::string withoutComments(llvm::StringRef Code);

/// Whether \p Code, which has no comments, defines the type \p Name, by what
/// stands around the name: `struct Name {`, `using Name =`, `typedef ...
/// Name;`.
bool definesType(llvm::StringRef Code, llvm::StringRef Name);

/// A type or declaration of the user's kernel as it can be written elsewhere in
/// his file: without the anonymous namespaces that Clang names, and without
/// what only a kernel's parameter may have.
std::string respell(llvm::StringRef Text);

/// A piece of an identifier for template arguments: {"__half", "16"} becomes
/// `half_16`.
std::string identifierFor(llvm::ArrayRef<std::string> TemplateArgs);

/// `<float, 16>`, or nothing if there are none.
std::string templateArguments(llvm::ArrayRef<std::string> Args);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_CODEGEN_NAMES_H
