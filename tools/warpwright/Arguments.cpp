//===- Arguments.cpp - A subcommand's words, read by the options' table ---===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Driver.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"

using namespace warpwright;
using namespace llvm::opt;

#define OPTTABLE_STR_TABLE_CODE
#include "Options.inc"
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "Options.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

static constexpr OptTable::Info OptionTable[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "Options.inc"
#undef OPTION
};

namespace {
class Table final : public GenericOptTable {
public:
  Table() : GenericOptTable(OptionStrTable, OptionPrefixesTable, OptionTable) {}
};
} // namespace

/// The option that \p Word is, without its value: `--plan` in `--plan=p.json`.
static llvm::StringRef nameIn(llvm::StringRef Word) {
  return Word.split('=').first;
}

static llvm::Error unknown(const Table &Options, llvm::StringRef Word,
                           Subcommand Of) {
  const llvm::StringRef Name = nameIn(Word);
  // Options with --simulate- are for tests of the tool itself and not offered.
  constexpr unsigned ShortestName = 4, Farthest = 2;
  std::string Nearest;
  if (Options.findNearest(Name, Nearest, Visibility(Of), ShortestName,
                          Farthest) <= Farthest &&
      !llvm::StringRef(Nearest).starts_with("--simulate-"))
    return makeUsageError("unknown option '" + Name + "'; did you mean '" +
                          nameIn(Nearest) + "'?");
  // All subcommands but these two read sources, and take the compiler's flags.
  return makeUsageError("unknown option '" + Name + "'" +
                        (Of == LayoutOption || Of == LaunchOption
                             ? ""
                             : "; flags for the compiler go behind '--'"));
}

llvm::Expected<Arguments> Arguments::parse(llvm::ArrayRef<std::string> Words,
                                           Subcommand Of, Others Take) {
  static const Table Options;
  Arguments Result;
  const auto Dashes = llvm::find(Words, "--");
  if (Dashes != Words.end())
    Result.BehindDashes.assign(Dashes + 1, Words.end());
  Words = Words.take_front(Dashes - Words.begin());

  llvm::SmallVector<const char *> Pointers;
  for (const std::string &Word : Words)
    Pointers.push_back(Word.c_str());
  const InputArgList List(Pointers.begin(), Pointers.end());
  for (unsigned Index = 0; Index < Words.size();) {
    const unsigned First = Index;
    // LLVM's parser skips empty words; here they are inputs, which do not
    // exist.
    if (Words[First].empty()) {
      Result.Inputs.emplace_back();
      ++Index;
      continue;
    }
    const std::unique_ptr<Arg> Found =
        Options.ParseOneArg(List, Index, Visibility(Of));
    if (!Found)
      return makeUsageError("option '" + Words[First] + "' needs a value");
    const unsigned ID = Found->getOption().getUnaliasedOption().getID();
    if (ID == OPT_INPUT) {
      Result.Inputs.push_back(Words[First]);
    } else if (ID == OPT_UNKNOWN) {
      const size_t Taken = Take(Words.drop_front(First));
      if (Taken == 0)
        return unknown(Options, Words[First], Of);
      Index = First + unsigned(Taken);
    } else if (Found->getNumValues() && !*Found->getValue()) {
      return makeUsageError("option '" + nameIn(Words[First]) +
                            "' needs a value");
    } else {
      Result.Options[OptionID(ID)].push_back(
          Found->getNumValues() ? Found->getValue() : "");
    }
  }
  return Result;
}

std::optional<llvm::StringRef> Arguments::value(OptionID ID) const {
  const auto Found = Options.find(ID);
  if (Found == Options.end())
    return std::nullopt;
  return llvm::StringRef(Found->second.back());
}

std::vector<std::string> Arguments::values(OptionID ID) const {
  const auto Found = Options.find(ID);
  return Found == Options.end() ? std::vector<std::string>() : Found->second;
}
