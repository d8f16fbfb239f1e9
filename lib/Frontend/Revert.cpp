//===-- Revert.cpp - A rewritten file as it was before --------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Sections stand between marker lines and have a hash of their own text. A
/// redirected launch still has every byte of the user's, in an order that the
/// grammar below reads back:
///
///   (::warpwright::rt::Configure(CONFIGURATION), CALLEE_warpwright(ARGUMENTS))
///   (::warpwright::rt::Configure(CONFIGURATION),
///    ::warpwright::rt::by_address::launch(POINTER)(ARGUMENTS))
///   ::warpwright::rt::by_address::cudaLaunchKernel
///
/// Whatever else mentions what a section defines would not compile without the
/// section, so it is a problem.
///
//===----------------------------------------------------------------------===//

#include "warpwright/Frontend/Revert.h"
#include "GeneratedText.h"
#include "RawLexing.h"
#include "warpwright/Source/Chevrons.h"
#include "warpwright/Source/Markers.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace warpwright;
using namespace clang;

namespace {

struct Word {
  tok::TokenKind Kind;
  unsigned Begin;
  llvm::StringRef Text;

  unsigned end() const { return Begin + Text.size(); }
};

class Reverter {
public:
  explicit Reverter(llvm::StringRef Given) : Text(Given.str()) {}
  Reversion run();

private:
  void removeSections();
  void removePrelude();
  void readWords();
  void revertLaunch(size_t Open);
  void revertCall(size_t First);
  void findLeftOvers();

  bool is(size_t I, tok::TokenKind Kind) const {
    return I < Words.size() && Words[I].Kind == Kind;
  }
  bool isName(size_t I, llvm::StringRef Name) const {
    return is(I, tok::raw_identifier) && Words[I].Text == Name;
  }
  bool isRuntime(size_t I, llvm::StringRef Member) const;
  std::optional<size_t> closing(size_t Open) const;
  std::optional<size_t> opening(size_t Close) const;
  bool isLauncher(llvm::StringRef Name) const;
  void remove(unsigned Begin, unsigned End, llvm::StringRef Instead = "") {
    Result.Edits.push_back({Begin, End - Begin, Instead.str()});
  }
  void fail(unsigned Offset, const llvm::Twine &Reason) {
    if (!Result.Problem || Offset < Result.Problem->Offset)
      Result.Problem = {Offset, Reason.str()};
  }
  void failLaunch(size_t Near) {
    fail(Words[Near].Begin, "this is not the text of a redirected launch");
  }

  const std::string Text;  // the lexer wants a terminating null
  std::vector<Word> Words; ///< outside of sections, without comments
  std::vector<bool> Done;  ///< which of them have been dealt with
  GeneratedText Generated;
  llvm::StringSet<> Kernels; ///< those that have a section
  /// Launchers that were given a qualifier, which is done where the user has
  /// something else of the same name.
  llvm::StringSet<> LikeLaunchers;
  Reversion Result;
};

} // namespace

void Reverter::removeSections() {
  Generated = findGeneratedText(Text);
  for (const BrokenMarker &Each : Generated.Broken)
    fail(Each.Offset, "the section of '" + Each.Kernel +
                          "' lost one of its two marker lines: " + Each.Reason);
  for (const GeneratedBlock &Block : Generated.Blocks) {
    Kernels.insert(Block.Kernel);
    if (Block.RecordedDigest.empty())
      fail(Block.Marker, "the section of '" + Block.Kernel +
                             "' has no hash of its text; rewrite the file");
    else if (!Block.isIntact())
      fail(Block.Marker,
           "the section of '" + Block.Kernel + "' was edited by hand");
    remove(Block.Begin, Block.End);
  }
}

/// The include of the runtime, which the user may have put lines before; it was
/// put before those, too, if the file has been rewritten since.
void Reverter::removePrelude() {
  llvm::StringRef Rest = Text;
  bool Found = false;
  size_t At = Rest.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  while (At < Rest.size()) {
    const size_t Size = sizeOfPrelude(Rest.substr(At));
    const size_t Next =
        std::min(Rest.find('\n', At + Size), Rest.size() - 1) + 1;
    if (Size)
      remove(At, Next); // through the #line
    Found |= Size != 0;
    At = Next;
  }
  if (!Found && !Generated.Blocks.empty())
    fail(0, "the lines that include the runtime are not as they were written");
}

void Reverter::readWords() {
  const LangOptions Options = rawLexOptions();
  Lexer Raw(SourceLocation(), Options, Text.data(), Text.data(),
            Text.data() + Text.size());
  auto Block = Generated.Blocks.begin();
  Token Tok;
  for (bool AtEnd = false; !AtEnd;) {
    AtEnd = Raw.LexFromRawLexer(Tok);
    if (Tok.is(tok::eof))
      break;
    const unsigned Begin = Raw.getCurrentBufferOffset() - Tok.getLength();
    while (Block != Generated.Blocks.end() && Block->End <= Begin)
      ++Block;
    if (Block == Generated.Blocks.end() || Begin < Block->Begin)
      Words.push_back({Tok.getKind(), Begin,
                       llvm::StringRef(Text).substr(Begin, Tok.getLength())});
  }
  Done.resize(Words.size());
}

/// Whether `::warpwright::rt::Member` begins at word \p I.
bool Reverter::isRuntime(size_t I, llvm::StringRef Member) const {
  return is(I, tok::coloncolon) && isName(I + 1, "warpwright") &&
         is(I + 2, tok::coloncolon) && isName(I + 3, "rt") &&
         is(I + 4, tok::coloncolon) && isName(I + 5, Member);
}

std::optional<size_t> Reverter::closing(size_t Open) const {
  unsigned Depth = 0;
  for (size_t I = Open; I < Words.size(); ++I) {
    Depth += is(I, tok::l_paren);
    if (is(I, tok::r_paren) && --Depth == 0)
      return I;
  }
  return std::nullopt;
}

std::optional<size_t> Reverter::opening(size_t Close) const {
  unsigned Depth = 0;
  for (size_t I = Close + 1; I-- > 0;) {
    Depth += is(I, tok::r_paren);
    if (is(I, tok::l_paren) && --Depth == 0)
      return I;
  }
  return std::nullopt;
}

/// `kernel` of `kernel_warpwright`; nothing of another name.
static std::optional<llvm::StringRef> kernelOf(llvm::StringRef Name) {
  if (Name.consume_back("_warpwright_weak") || Name.consume_back("_warpwright"))
    return Name;
  return std::nullopt;
}

bool Reverter::isLauncher(llvm::StringRef Name) const {
  std::optional<llvm::StringRef> Kernel = kernelOf(Name);
  return Kernel && Kernels.contains(*Kernel);
}

/// \p Open is a parenthesis before `::warpwright::rt::Configure`.
void Reverter::revertLaunch(size_t Open) {
  const size_t Configure = Open + 7;
  const std::optional<size_t> End = closing(Open);
  const std::optional<size_t> ConfigureEnd =
      is(Configure, tok::l_paren) ? closing(Configure) : std::nullopt;
  if (!End || !ConfigureEnd || *ConfigureEnd + 2 >= *End ||
      !is(*ConfigureEnd + 1, tok::comma) || !is(*End - 1, tok::r_paren))
    return failLaunch(Open);
  const size_t Callee = *ConfigureEnd + 2;
  const size_t Arguments = opening(*End - 1).value_or(0);
  if (Arguments <= Callee)
    return failLaunch(Open);
  const llvm::StringRef All = Text;
  // How the configuration was written.
  auto Configuration = [&](const std::optional<ChevronsComment> &Place) {
    return ((Place ? Place->Open : "<<<") +
            All.slice(Words[Configure].end(), Words[*ConfigureEnd].Begin) +
            (Place ? Place->Close : ">>>"))
        .str();
  };
  // The comment for it before the arguments, if one is behind From.
  auto FindPlace = [&](unsigned From) {
    std::optional<ChevronsComment> Place =
        findChevronsComment(All.slice(From, Words[Arguments].Begin));
    if (Place) {
      Place->Begin += From;
      Place->End += From;
    }
    return Place;
  };

  if (isRuntime(Callee, "by_address")) {
    const size_t Pointer = Callee + 8;
    const std::optional<size_t> PointerEnd =
        is(Callee + 6, tok::coloncolon) && isName(Callee + 7, "launch") &&
                is(Pointer, tok::l_paren)
            ? closing(Pointer)
            : std::nullopt;
    if (!PointerEnd || *PointerEnd + 1 != Arguments)
      return failLaunch(Open);
    remove(Words[Open].Begin, Words[Pointer].end());
    // The user's own comments come behind it.
    const unsigned Behind = Words[*PointerEnd].end();
    std::optional<ChevronsComment> Place = FindPlace(Behind);
    if (Place && Place->Begin != Behind)
      Place.reset();
    remove(Words[*PointerEnd].Begin, Place ? Place->End : Behind,
           Configuration(Place));
    std::fill(Done.begin() + Callee, Done.begin() + Pointer, true);
  } else {
    size_t Name = Callee;
    while (Name < Arguments && !kernelOf(Words[Name].Text))
      ++Name;
    const bool HasTemplateArguments =
        is(Name + 1, tok::less) && Words[Arguments - 1].Text.ends_with(">");
    if (Name == Arguments || (Name + 1 != Arguments && !HasTemplateArguments))
      return failLaunch(Open);
    const unsigned Comma = Words[*ConfigureEnd + 1].end();
    const bool Added =
        All.slice(Comma, Words[Callee].Begin).contains(AddedQualifier);
    remove(Words[Open].Begin, Words[Added ? Name : Callee].Begin);
    if (Added)
      LikeLaunchers.insert(Words[Name].Text);
    const unsigned NameEnd =
        Words[Name].Begin + kernelOf(Words[Name].Text)->size();
    remove(NameEnd, Words[Name].end());
    const std::optional<ChevronsComment> Place = FindPlace(Words[Name].end());
    const unsigned Here = Words[Arguments].Begin;
    remove(Place ? Place->Begin : Here, Place ? Place->End : Here,
           Configuration(Place));
    Done[Name] = true;
  }
  remove(Words[*End].Begin, Words[*End].end());
  std::fill(Done.begin() + Open, Done.begin() + Configure, true);
}

/// \p First begins `::warpwright::rt::by_address::cudaLaunchKernel`.
void Reverter::revertCall(size_t First) {
  if (!is(First + 6, tok::coloncolon) || !is(First + 7, tok::raw_identifier) ||
      !Words[First + 7].Text.starts_with("cudaLaunch"))
    return failLaunch(First);
  // With a space between them the second `::` is the user's.
  const bool Global = Words[First + 5].end() != Words[First + 6].Begin;
  remove(Words[First].Begin, Words[First + (Global ? 6 : 7)].Begin);
  std::fill(Done.begin() + First, Done.begin() + First + 6, true);
}

void Reverter::findLeftOvers() {
  for (size_t I = 0; I != Words.size(); ++I) {
    if (Done[I])
      continue;
    if (isRuntime(I, "Configure") || isRuntime(I, "by_address"))
      failLaunch(I);
    else if (is(I, tok::raw_identifier) && isLauncher(Words[I].Text) &&
             !LikeLaunchers.contains(Words[I].Text))
      fail(Words[I].Begin, "'" + Words[I].Text +
                               "', which is in a section, is used by what is "
                               "not the text of a redirected launch");
  }
}

Reversion Reverter::run() {
  removeSections();
  removePrelude();
  readWords();
  for (size_t I = 0; I != Words.size(); ++I)
    if (is(I, tok::l_paren) && isRuntime(I + 1, "Configure"))
      revertLaunch(I);
    else if (!Done[I] && isRuntime(I, "by_address"))
      revertCall(I);
  findLeftOvers();
  return std::move(Result);
}

Reversion warpwright::findReversion(llvm::StringRef Text) {
  return Reverter(Text).run();
}
