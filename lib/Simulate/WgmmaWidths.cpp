//===-- WgmmaWidths.cpp - Which functions of wgmma.cuh are needed ---------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WgmmaWidths.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/PPCallbacks.h"
#include "llvm/Support/MemoryBuffer.h"
#include <tuple>

using namespace warpwright;
using namespace clang;

std::optional<llvm::StringRef> warpwright::readMarker(llvm::StringRef Line) {
  if (!Line.starts_with("# ") || !Line.contains('"'))
    return std::nullopt;
  return Line.split('"').second.rsplit('"').first;
}

/// Reads the number of each `<Name> = <number>` in \p Line. False if the name
/// is used in any other way.
static bool readNumbers(llvm::StringRef Line, llvm::StringRef Name,
                        llvm::function_ref<void(unsigned)> Use) {
  while (Line.contains(Name)) {
    auto [Before, Rest] = Line.split(Name);
    Line = Rest;
    if (!Before.empty() && isAsciiIdentifierContinue(Before.back()))
      continue; // part of another name
    unsigned Number;
    if (!Rest.consume_front(" = ") || Rest.consumeInteger(10, Number) ||
        !Number || !(Rest.starts_with(",") || Rest.starts_with(";")))
      return false;
    Use(Number);
  }
  return true;
}

WgmmaWidths warpwright::findWidths(llvm::StringRef Text,
                                   llvm::StringRef SimInclude) {
  constexpr WgmmaWidths All = ~WgmmaWidths(0);
  WgmmaWidths Extents = 0;
  unsigned Sums = 1;
  bool IsOurs = false, Good = true;
  while (!Text.empty()) {
    llvm::StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    if (auto File = readMarker(Line)) {
      IsOurs = (!SimInclude.empty() && File->starts_with(SimInclude)) ||
               File->contains("/warpwright/rt/");
      continue;
    }
    if (IsOurs)
      continue;
    if (Line.contains("wgmma"))
      return All;
    for (llvm::StringRef Name : {"tile_m", "tile_n"})
      Good &= readNumbers(Line, Name, [&](unsigned Extent) {
        Good &= Extent % 8 == 0;
        if (Extent <= 256)
          Extents |= WgmmaWidths(1) << Extent / 8;
      });
    if (Line.contains("sums =")) // the word alone is one of comments
      Good &= readNumbers(Line, "sums", [&](unsigned Number) {
        Sums = std::max(Sums, Number);
      });
    if (!Good)
      return All;
  }
  WgmmaWidths Widths = 0;
  for (unsigned Eighth = 1; Eighth <= 32; ++Eighth)
    if (Extents >> Eighth & 1)
      for (unsigned Sum = 1; Sum <= Sums && Sum * Eighth <= 32; ++Sum)
        Widths |= WgmmaWidths(1) << Sum * Eighth;
  return Widths ? Widths : All;
}

/// Whether \p Line has the functions of a width that is not in \p Widths:
/// `WARPWRIGHT_WGMMA_SHAPE(96, ...)`.
static bool isDropped(llvm::StringRef Line, WgmmaWidths Widths) {
  unsigned Width;
  return Line.consume_front("WARPWRIGHT_WGMMA_") &&
         (Line.consume_front("SHAPE(") || Line.consume_front("FRAGMENT(") ||
          Line.consume_front("HALVES(")) &&
         !Line.consumeInteger(10, Width) && Width <= 256 &&
         !(Widths >> Width / 8 & 1);
}

namespace {
class Dropper : public PPCallbacks {
public:
  Dropper(SourceManager &SM, WgmmaWidths Widths) : SM(SM), Widths(Widths) {}

  // It is called before Clang opens the file.
  void InclusionDirective(SourceLocation, const Token &, llvm::StringRef, bool,
                          CharSourceRange, OptionalFileEntryRef File,
                          llvm::StringRef, llvm::StringRef, const Module *,
                          bool, SrcMgr::CharacteristicKind) override {
    if (IsDone || !File ||
        !File->getName().ends_with("warpwright/rt/wgmma.cuh"))
      return;
    IsDone = true;
    auto Buffer = SM.getMemoryBufferForFileOrNone(*File);
    if (!Buffer)
      return;
    llvm::StringRef Rest = Buffer->getBuffer();
    std::string Kept;
    while (!Rest.empty()) {
      llvm::StringRef Line;
      std::tie(Line, Rest) = Rest.split('\n');
      if (!isDropped(Line, Widths))
        Kept += Line;
      Kept += '\n';
    }
    SM.overrideFileContents(
        *File, llvm::MemoryBuffer::getMemBufferCopy(Kept, File->getName()));
  }

private:
  SourceManager &SM;
  const WgmmaWidths Widths;
  bool IsDone = false;
};
} // namespace

std::unique_ptr<PPCallbacks> warpwright::dropOtherWidths(SourceManager &SM,
                                                         WgmmaWidths Widths) {
  return std::make_unique<Dropper>(SM, Widths);
}
