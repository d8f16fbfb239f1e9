//===-- KernelSource.h - Where a kernel stands in its file ------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Plain data from the front end to CodeGen: the text and the offsets that the
/// generated section and the edits need. All offsets are bytes into the main
/// file as it was read.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SOURCE_KERNELSOURCE_H
#define WARPWRIGHT_SOURCE_KERNELSOURCE_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warpwright {

/// One parameter of the kernel, as the user wrote it.
struct ParamSource {
  std::string Name; ///< as in the definition; made up when unnamed
  std::string Type; ///< C++ type of the instantiation: `const __half *`
  std::string
      DeclText; ///< declaration without default: `const T *__restrict__ A`
  std::string DefaultText; ///< default argument, or empty
};

/// What a redirected launch makes of its configuration; a macro of the user's
/// may have none of these names there.
inline constexpr llvm::StringLiteral ConfigureName =
    "::warpwright::rt::Configure";

/// Where the runtime has what launches by a kernel's address.
inline constexpr llvm::StringLiteral ByAddressName =
    "::warpwright::rt::by_address";

/// One `kernel<<<...>>>(...)` in the main file: in its code, or in the body of
/// a macro.
struct LaunchSource {
  unsigned Begin = 0; ///< of the callee: its qualifier or its name
  unsigned NameBegin = 0, NameEnd = 0;   ///< the last identifier of the callee
  unsigned OpenBegin = 0, OpenEnd = 0;   ///< `<<<` or `<< <`
  unsigned CloseBegin = 0, CloseEnd = 0; ///< `>>>` through `(`, both included
  bool HasArguments = false;             ///< anything between `(` and `)`
  unsigned End = 0;                      ///< behind the `)`
  unsigned Line = 0;
  /// To be written before the name: `::ns::`, where a using-declaration names
  /// the kernel and so does not name its launcher.
  std::string Qualifier;
};

/// Code of the main file that launches kernels by their address. Which ones it
/// launches is known when it runs.
struct ByAddressSource {
  /// `pointer<<<...>>>(...)`, where a macro's argument may be the pointer: any
  /// expression, from NameBegin to NameEnd.
  std::vector<LaunchSource> Launches;
  /// Where a qualifier is put before the name of a function of the CUDA runtime
  /// (`cudaLaunchKernel`, `::cudaLaunchKernel`).
  std::vector<unsigned> Calls;
};

/// Text that was generated for a kernel before, the #line behind it included.
struct OldText {
  unsigned Begin = 0, End = 0;
  unsigned FollowLine = 0; ///< the user's line that continues after it
  std::string FollowFile;  ///< as the old #line calls it, or empty
  /// Begin is that of a line break that was put into the user's line.
  bool BreaksLine = false;
};

/// A macro of the command line that the kernel depends on: a build of the
/// rewritten file must have it as the rewriting had.
struct MacroCheck {
  std::string Name;
  std::string Use;                  ///< `SCALE`, `INDEX(i, j)`
  std::optional<std::string> Value; ///< its tokens; nothing: not defined
};

/// An annotated kernel and everything in the main file that concerns it.
struct KernelSource {
  std::string Name;          ///< unqualified: `gemm`
  std::string QualifiedName; ///< `ns::gemm`
  std::string File;          ///< file of the definition, as the user typed it
  unsigned Line = 0;         ///< line of the definition's name
  /// `template <typename T, int BM>` with default arguments removed, or empty.
  std::string TemplateHeader;
  /// The same with its default arguments, for the launcher's first
  /// declaration; empty when there are none.
  std::string TemplateHeaderWithDefaults;
  /// Names to pass the template on: {"T", "BM"} (packs as "Ts...").
  std::vector<std::string> TemplateParamNames;
  std::vector<ParamSource>
      Params; ///< Type is that of the pattern, not of an instantiation
  /// `static`, `inline`, anonymous namespace: the launcher gets the same.
  bool InternalLinkage = false;
  /// Inside `namespace { ... }`, where nvcc does not take another one.
  bool InUnnamedNamespace = false;
  bool Inline = false;
  /// The section goes here (after the definition, or after the #include that
  /// brings it in); FollowLine is the user's line that continues after it.
  unsigned SectionOffset = 0;
  unsigned FollowLine = 0;
  /// Namespaces to open around the section when it cannot stand inside the
  /// kernel's own (definition in a header): {"a", "b"}; empty otherwise.
  std::vector<std::string> ReopenNamespaces;
  /// Where a forward declaration of the launcher must go, when a launch comes
  /// before the section; FollowLine as above.
  std::optional<std::pair<unsigned, unsigned>> ForwardDeclaration;
  /// No definition in this translation unit: emit the weak dispatcher only.
  bool DeclarationOnly = false;
  std::vector<LaunchSource> Launches;
  /// The file takes the kernel's address: the section puts it on the list that
  /// launches by address ask.
  bool ByAddress = false;
  /// The section's place is inside an `extern "C" { ... }` block.
  bool InExternC = false;
  /// The tool's version and a hash of what was lifted; empty: not recorded.
  std::string Origin;
  std::vector<MacroCheck> MacroChecks;
  /// The section and the declaration of the launcher that the file has already.
  std::optional<OldText> OldSection, OldDeclaration;
  /// Macros of the user's files and of the command line, which generated names
  /// must avoid.
  std::vector<std::string> ReservedNames;
};

/// One lifted instantiation: its template arguments as C++ text, in order
/// ({"__half", "16"}; empty for a plain kernel), and the types of its
/// parameters after substitution.
struct InstanceSource {
  std::vector<std::string> TemplateArgs;
  std::vector<std::string> ParamTypes;
  /// A template argument is a function or a variable that is declared behind
  /// the kernel.
  bool NamesLater = false;
};

} // namespace warpwright

#endif // WARPWRIGHT_SOURCE_KERNELSOURCE_H
