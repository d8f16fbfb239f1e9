//===-- Markers.h - How generated text is known again -----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What CodeGen writes into a user's file so that it can be found, replaced and
/// taken out again. Those who read it have no parse of the file.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SOURCE_MARKERS_H
#define WARPWRIGHT_SOURCE_MARKERS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/xxhash.h"
#include <string>

namespace warpwright {

/// The line before generated text, `// >>> warpwright: gemm (0.2.0, 6b1f...)`,
/// with the version and the hash of what it was made from; and the line behind
/// it, `// <<< warpwright: gemm (6b1f...)`, with the hash of the text itself.
inline constexpr llvm::StringLiteral BlockBegin = "// >>> warpwright: ";
inline constexpr llvm::StringLiteral BlockEnd = "// <<< warpwright: ";

/// Behind the hash in the last line, where the line break before the first one
/// is not the user's.
inline constexpr llvm::StringLiteral WithinLine = ", within a line";

/// What stands there in place of a kernel around the plans of a file.
inline constexpr llvm::StringLiteral PlansBlock = "<plans>";

/// Calls \p Found with each name in \p Text that emitPlans() makes: they end
/// in the 12 digits of a hash. With \p Qualified, only where `rt::` precedes.
inline void forEachPlanName(llvm::StringRef Text, bool Qualified,
                            llvm::function_ref<void(llvm::StringRef)> Found) {
  auto IsWord = [](char C) { return llvm::isAlnum(C) || C == '_'; };
  for (size_t At = 0; At < Text.size();) {
    llvm::StringRef Name = Text.substr(At).take_while(IsWord);
    auto [Prefix, Digits] = Name.rsplit('_');
    if (Digits.size() == 12 && !Prefix.empty() &&
        llvm::all_of(Digits, [](char C) { return llvm::isHexDigit(C); }) &&
        (!Qualified || Text.take_front(At).ends_with("rt::")))
      Found(Name);
    At += Name.size() + 1;
  }
}

/// What the names of sets of plans begin with; all others are those of types.
inline constexpr llvm::StringLiteral PlanSetPrefix = "plans_";

/// With the name of a plan behind it, the macro that guards its declaration:
/// two files that one compilation includes may have the same plans.
inline constexpr llvm::StringLiteral PlanGuard = "WARPWRIGHT_";

/// In a redirected launch: before a qualifier that is not the user's. Another
/// comment is where the configuration stood (chevronsComment), if that is not
/// directly before the arguments, or if it was not between `<<<` and `>>>`.
inline constexpr llvm::StringLiteral AddedQualifier = "/*added*/";

inline constexpr llvm::StringLiteral RuntimeInclude =
    "#include <warpwright/rt/warpwright.cuh>";

/// A hash of generated text by which an edit of it is seen. White space does
/// not count, which formatters and version control change, and neither do the
/// `#line`s, which have the name of the file.
inline std::string digestOf(llvm::StringRef Text) {
  std::string Dense;
  for (llvm::StringRef Line : llvm::split(Text, '\n')) {
    if (Line.ltrim().starts_with("#line "))
      continue;
    for (char C : Line)
      if (!llvm::isSpace(C))
        Dense += C;
  }
  return llvm::utohexstr(llvm::xxh3_64bits(Dense), /*LowerCase=*/true, 16);
}

/// How many bytes of \p Text, from its first, include the runtime as CodeGen
/// writes it, the `#line` behind it excluded; 0 if it does not begin with that.
inline size_t sizeOfPrelude(llvm::StringRef Text) {
  llvm::StringRef Rest = Text;
  auto Take = [&](const llvm::Twine &Expected) {
    auto [Line, Behind] = Rest.split('\n');
    if (Line.rtrim('\r') != Expected.str() || Line.size() == Rest.size())
      return false;
    Rest = Behind;
    return true;
  };
  llvm::SmallVector<llvm::StringRef, 4> Hidden;
  while (true) {
    llvm::StringRef Name = Rest.split('\n').first.rtrim('\r');
    if (!Name.consume_front("#pragma push_macro(\"") ||
        !Name.consume_back("\")"))
      break;
    // An #undef of another name is the user's own.
    if (!Take("#pragma push_macro(\"" + Name + "\")") ||
        !Take("#undef " + Name))
      return 0;
    Hidden.push_back(Name);
  }
  if (!Take(RuntimeInclude))
    return 0;
  for (llvm::StringRef Name : Hidden)
    if (!Take("#pragma pop_macro(\"" + Name + "\")"))
      return 0;
  // What the user wrote himself is not followed by this.
  return Rest.starts_with("#line 1 ") ? Text.size() - Rest.size() : 0;
}

} // namespace warpwright

#endif // WARPWRIGHT_SOURCE_MARKERS_H
