//===-- IncludeScan.cpp - What a source may see, without a parse ----------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `launch` runs before every nvcc of a build, and most sources have no
/// annotated kernel; most sources of a code base that `scan` reads have no
/// kernel at all. Scanning the text of a source and its includes takes
/// milliseconds, while a parse takes up to seconds.
///
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace warpwright;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

class IncludeScan {
public:
  /// \p MayHold says whether a text may contain what is looked for. Folders of
  /// system headers are searched if \p System is set.
  IncludeScan(llvm::ArrayRef<std::string> ClangArgs,
              llvm::function_ref<bool(llvm::StringRef)> MayHold, bool System);

  bool find(llvm::StringRef Source);

private:
  bool read(llvm::StringRef File);
  void addInclude(llvm::StringRef Name, llvm::StringRef Folder, bool Quoted);
  void add(llvm::StringRef File) {
    if (Seen.insert(File).second)
      Work.push_back(File.str());
  }

  llvm::function_ref<bool(llvm::StringRef)> MayHold;
  std::vector<std::string> Folders; ///< of -I, -iquote, -isystem
  llvm::StringSet<> Seen;
  std::vector<std::string> Work;
};

} // namespace

IncludeScan::IncludeScan(llvm::ArrayRef<std::string> ClangArgs,
                         llvm::function_ref<bool(llvm::StringRef)> MayHold,
                         bool System)
    : MayHold(MayHold) {
  for (size_t I = 0; I != ClangArgs.size(); ++I) {
    llvm::StringRef Arg = ClangArgs[I];
    const bool IsSystem =
        Arg.starts_with("-isystem") || Arg.starts_with("-idirafter");
    const bool Wanted = System || !IsSystem;
    bool HasNext = I + 1 != ClangArgs.size();
    if (HasNext && (Arg == "-I" || Arg == "-iquote" || Arg == "-isystem" ||
                    Arg == "-idirafter")) {
      if (++I; Wanted)
        Folders.push_back(ClangArgs[I]);
    } else if (HasNext && Arg == "-include") {
      addInclude(ClangArgs[++I], ".", /*Quoted=*/true);
    } else if (Wanted &&
               (Arg.consume_front("-isystem") || Arg.consume_front("-iquote") ||
                Arg.consume_front("-I"))) {
      Folders.push_back(Arg.str());
    }
  }
}

void IncludeScan::addInclude(llvm::StringRef Name, llvm::StringRef Folder,
                             bool Quoted) {
  if (path::is_absolute(Name))
    return add(Name);
  auto Try = [&](llvm::StringRef In) {
    llvm::SmallString<128> File(In);
    path::append(File, Name);
    bool Found = fs::exists(File);
    if (Found)
      add(File);
    return Found;
  };
  if (Quoted && Try(Folder.empty() ? "." : Folder))
    return;
  for (const std::string &Each : Folders)
    if (Try(Each))
      return;
}

/// Whether \p Text may contain the pragma, however it is spelt. The word itself
/// may come from a macro, a string or another macro's argument, so it counts
/// anywhere; a similar word counts only after `#pragma` and in `_Pragma`.
static bool mayHoldPragma(llvm::StringRef Text) {
  if (Text.contains("warpwright"))
    return true;
  constexpr llvm::StringLiteral Word = "ragma"; // of pragma and _Pragma
  for (size_t At = 0; (At = Text.find(Word, At)) != llvm::StringRef::npos;) {
    At += Word.size();
    llvm::StringRef Rest = Text.drop_front(At);
    while (!Rest.empty()) {
      Rest = Rest.ltrim(" \t(\"");
      if (Rest.consume_front("/*")) {
        Rest = Rest.split("*/").second;
        continue;
      }
      llvm::StringRef Found =
          Rest.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
      // The prefix of a string.
      if (!Found.empty() && Rest.drop_front(Found.size()).starts_with("\"")) {
        Rest = Rest.drop_front(Found.size());
        continue;
      }
      if (isMisspeltPragma(Found))
        return true;
      break;
    }
  }
  return false;
}

/// \p Text with lines that end with a backslash joined.
static std::string joinLines(llvm::StringRef Text) {
  std::string Joined;
  Joined.reserve(Text.size());
  for (size_t I = 0; I != Text.size(); ++I) {
    if (Text[I] == '\\' && Text.substr(I + 1).starts_with("\n"))
      I += 1;
    else if (Text[I] == '\\' && Text.substr(I + 1).starts_with("\r\n"))
      I += 2;
    else
      Joined += Text[I];
  }
  return Joined;
}

/// Queues the files that \p File includes. True if it may contain what is
/// looked for, or has an #include whose name a macro gives.
bool IncludeScan::read(llvm::StringRef File) {
  auto Buffer = llvm::MemoryBuffer::getFile(File);
  if (!Buffer)
    return false;
  llvm::StringRef Text = (*Buffer)->getBuffer();
  std::string Joined;
  if (Text.contains("\\\n") || Text.contains("\\\r\n")) {
    Joined = joinLines(Text);
    Text = Joined;
  }
  if (MayHold(Text))
    return true;
  llvm::StringRef Folder = path::parent_path(File);
  for (size_t At = 0;; ++At) {
    const llvm::StringRef Words[] = {"include", "import"};
    size_t Places[2] = {Text.find(Words[0], At), Text.find(Words[1], At)};
    const bool Imports = Places[1] < Places[0];
    At = Places[Imports];
    if (At == llvm::StringRef::npos)
      break;
    // A directive: only blanks and comments may stand between the line's
    // beginning, `#`, and it. Comments are not worth reading here.
    llvm::StringRef Before = Text.take_front(At).rtrim(" \t");
    if (Before.ends_with("*/"))
      return true;
    if (!Before.consume_back("#") && !Before.consume_back("%:") &&
        !Before.consume_back("?\?="))
      continue;
    Before = Before.rtrim(" \t");
    if (Before.ends_with("*/"))
      return true;
    if (!Before.empty() && !Before.ends_with("\n") && Before != "\xEF\xBB\xBF")
      continue;
    llvm::StringRef Rest = Text.drop_front(At + Words[Imports].size());
    Rest.consume_front("_next");
    Rest = Rest.ltrim(" \t");
    if (Rest.consume_front("\""))
      addInclude(Rest.take_until([](char C) { return C == '"' || C == '\n'; }),
                 Folder, /*Quoted=*/true);
    else if (Rest.consume_front("<"))
      addInclude(Rest.take_until([](char C) { return C == '>' || C == '\n'; }),
                 Folder, /*Quoted=*/false);
    else
      return true;
  }
  return false;
}

bool IncludeScan::find(llvm::StringRef Source) {
  add(Source);
  while (!Work.empty()) {
    std::string File = std::move(Work.back());
    Work.pop_back();
    if (read(File))
      return true;
  }
  return false;
}

bool warpwright::maySeePragma(llvm::StringRef Source,
                              llvm::ArrayRef<std::string> ClangArgs) {
  return IncludeScan(ClangArgs, mayHoldPragma, /*System=*/true).find(Source);
}

bool warpwright::mayHoldKernel(llvm::StringRef Text) {
  return Text.contains("__global__") || Text.contains("((global");
}

bool warpwright::maySeeKernel(llvm::StringRef Source,
                              llvm::ArrayRef<std::string> ClangArgs) {
  return llvm::any_of(ClangArgs, mayHoldKernel) ||
         IncludeScan(ClangArgs, mayHoldKernel, /*System=*/false).find(Source);
}
