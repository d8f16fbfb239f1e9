//===-- LeadingHeaders.cpp - The headers that a file begins with ----------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LeadingHeaders.h"
#include "warpwright/Frontend/NvccMacros.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace warpwright;
namespace path = llvm::sys::path;

namespace {
class LeadingHeaders {
public:
  LeadingHeaders(llvm::ArrayRef<std::string> Folders,
                 llvm::vfs::FileSystem &Files)
      : Folders(Folders), Files(Files) {}

  /// Whether nothing in the file has ended the list.
  bool read(llvm::StringRef Path);

  std::vector<std::string> Names;

private:
  bool readDirective(llvm::StringRef Line, llvm::StringRef Path);
  bool readInclude(llvm::StringRef Name, llvm::StringRef Path);

  const llvm::ArrayRef<std::string> Folders;
  llvm::vfs::FileSystem &Files;
  llvm::StringSet<> Seen;   ///< the user's files, and their guards
  llvm::StringSet<> Listed; ///< the Names
  std::string Guard;        ///< the name behind the `#ifndef` just read
  unsigned NumGuards = 0;   ///< that are open
};
} // namespace

/// Drops blanks and comments from the start of \p Text. Nothing if a comment
/// has no end, or holds what the language's first phases would change.
static bool dropBlanks(llvm::StringRef &Text) {
  while (true) {
    Text = Text.ltrim();
    if (Text.starts_with("//")) {
      auto [Comment, Rest] = Text.split('\n');
      if (Comment.rtrim().ends_with("\\") || Comment.contains("?\?/"))
        return false;
      Text = Rest;
    } else if (Text.starts_with("/*")) {
      const size_t End = Text.find("*/", 2);
      if (End == llvm::StringRef::npos)
        return false;
      Text = Text.drop_front(End + 2);
    } else {
      return true;
    }
  }
}

bool LeadingHeaders::read(llvm::StringRef Path) {
  auto Buffer = Files.getBufferForFile(Path);
  if (!Buffer || !Seen.insert(Path).second)
    return false;
  const unsigned NumOutside = NumGuards;
  llvm::StringRef Text = (*Buffer)->getBuffer();
  while (dropBlanks(Text) && !Text.empty()) {
    // What goes on in another line, and comments in directives, are not read.
    auto [Line, Rest] = Text.split('\n');
    Line = Line.split("//").first.trim();
    if (!Line.consume_front("#") || Line.contains("/*") ||
        Line.contains('\\') || !readDirective(Line.ltrim(), Path))
      return false;
    Text = Rest;
  }
  return Text.empty() && Guard.empty() && NumGuards == NumOutside;
}

bool LeadingHeaders::readDirective(llvm::StringRef Line, llvm::StringRef Path) {
  const llvm::StringRef Word =
      Line.take_while([](char C) { return llvm::isAlpha(C); });
  const llvm::StringRef Rest = Line.drop_front(Word.size()).trim();
  if (!Guard.empty()) {
    // Headers of the system's ask for reserved names only.
    const bool Defines = Word == "define" && Rest == Guard &&
                         !isReservedMacro(Guard) && Seen.insert(Guard).second;
    Guard.clear();
    ++NumGuards;
    return Defines;
  }
  if (Word == "ifndef") {
    Guard = Rest.str();
    return !Guard.empty() && llvm::all_of(Guard, [](char C) {
      return llvm::isAlnum(C) || C == '_';
    });
  }
  if (Word == "endif")
    return Rest.empty() && NumGuards-- != 0;
  if (Word == "pragma")
    return Rest == "once";
  return Word == "include" && readInclude(Rest, Path);
}

bool LeadingHeaders::readInclude(llvm::StringRef Name, llvm::StringRef Path) {
  const bool IsAngled = Name.consume_front("<") && Name.consume_back(">");
  if (!IsAngled && !(Name.consume_front("\"") && Name.consume_back("\"")))
    return false;
  if (Name.empty() || Name.find_first_of("<>\"") != llvm::StringRef::npos)
    return false;
  auto Find = [&](llvm::StringRef Folder) -> std::string {
    llvm::SmallString<128> Found(Folder);
    path::append(Found, Name);
    return Files.exists(Found) ? Found.str().str() : "";
  };
  std::string Found = IsAngled ? "" : Find(path::parent_path(Path));
  for (const std::string &Folder : Folders)
    if (Found.empty())
      Found = Find(Folder);
  if (!IsAngled)
    return !Found.empty() && read(Found);
  if (!Found.empty())
    return false;
  if (Listed.insert(Name).second)
    Names.push_back(Name.str());
  return true;
}

std::vector<std::string>
warpwright::findLeadingHeaders(llvm::StringRef File,
                               llvm::ArrayRef<std::string> Folders,
                               llvm::vfs::FileSystem &Files) {
  LeadingHeaders Headers(Folders, Files);
  (void)Headers.read(File);
  return Headers.Names;
}
