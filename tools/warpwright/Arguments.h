//===- Arguments.h - A subcommand's words, read by the options' table -----===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_TOOLS_ARGUMENTS_H
#define WARPWRIGHT_TOOLS_ARGUMENTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpwright {

/// The subcommands as Options.td names those that take an option.
enum Subcommand : unsigned {
  RewriteOption = 1 << 1,
  ExplainOption = 1 << 2,
  ScanOption = 1 << 3,
  SimOption = 1 << 4,
  VerifyOption = 1 << 5,
  LaunchOption = 1 << 6,
  LayoutOption = 1 << 7,
};

/// The options of Options.td: OPT_in_place.
enum OptionID : unsigned {
  OPT_INVALID,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "Options.inc"
#undef OPTION
};

/// What stands behind a subcommand.
class Arguments {
public:
  /// Takes words that no option of the subcommand begins, of which the first
  /// starts with `-`: returns how many, or 0 if it takes none of them either.
  using Others = llvm::function_ref<size_t(llvm::ArrayRef<std::string>)>;

  /// Reads words up to `--` and keeps those behind it. Fails with a usage
  /// error for an option that \p Of does not have and \p Take does not take,
  /// and for one without the value that it needs.
  static llvm::Expected<Arguments> parse(
      llvm::ArrayRef<std::string> Words, Subcommand Of,
      Others Take = [](llvm::ArrayRef<std::string>) { return size_t(0); });

  bool has(OptionID ID) const { return Options.count(ID); }
  /// The last value of the option; nothing if it is not there.
  std::optional<llvm::StringRef> value(OptionID ID) const;
  /// The same, empty if it is not there.
  std::string valueOrEmpty(OptionID ID) const {
    return value(ID).value_or("").str();
  }
  std::vector<std::string> values(OptionID ID) const;

  /// Words that are no options.
  std::vector<std::string> Inputs;
  std::vector<std::string> BehindDashes;

private:
  std::map<OptionID, std::vector<std::string>> Options;
};

} // namespace warpwright

#endif // WARPWRIGHT_TOOLS_ARGUMENTS_H
