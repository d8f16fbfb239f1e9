//===-- WgmmaFunctions.cpp - Which of wgmma.cuh are needed ----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WgmmaFunctions.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/PPCallbacks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <array>
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

/// The type of a number where \p Type is one of pairs of 16-bit numbers.
static llvm::StringRef getSingle(llvm::StringRef Type) {
  return Type == "__half2" || Type == "__nv_bfloat162" ? Type.drop_back()
                                                       : Type;
}

/// Reads the types of each `using <Name> = <type>;` in \p Line. False if the
/// name is used in any other way.
static bool readTypes(llvm::StringRef Line, llvm::StringRef Name,
                      std::set<std::string> &Types) {
  while (Line.contains(Name)) {
    auto [Before, Rest] = Line.split(Name);
    Line = Rest;
    if (!Before.empty() && isAsciiIdentifierContinue(Before.back()))
      continue; // part of another name
    if (!Before.ends_with("using ") || !Rest.consume_front(" = ") ||
        !Rest.contains(';'))
      return false;
    Types.insert(getSingle(Rest.split(';').first).str());
  }
  return true;
}

WgmmaFunctions WgmmaFunctions::all() { return {~uint64_t(0), {}, true}; }

bool WgmmaFunctions::contain(const WgmmaFunctions &Other) const {
  return !(Other.Widths & ~Widths) && (HalfSums || !Other.HalfSums) &&
         (Elements.empty() ||
          (!Other.Elements.empty() &&
           llvm::all_of(Other.Elements, [&](const std::string &Type) {
             return Elements.count(Type) != 0;
           })));
}

WgmmaFunctions warpwright::findWgmmaFunctions(llvm::StringRef Text,
                                              llvm::StringRef SimInclude) {
  uint64_t Extents = 0;
  unsigned Sums = 1;
  bool IsOurs = false, Good = true;
  WgmmaFunctions Needed;
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
      return WgmmaFunctions::all();
    for (llvm::StringRef Name : {"tile_m", "tile_n"})
      Good &= readNumbers(Line, Name, [&](unsigned Extent) {
        Good &= Extent % 8 == 0;
        if (Extent <= 256)
          Extents |= uint64_t(1) << Extent / 8;
      });
    if (Line.contains("sums =")) // the word alone is one of comments
      Good &= readNumbers(Line, "sums", [&](unsigned Number) {
        Sums = std::max(Sums, Number);
      });
    for (llvm::StringRef Name : {"a_element", "b_element"})
      Good &= readTypes(Line, Name, Needed.Elements);
    Needed.HalfSums |= Line.contains("half_sums");
    if (!Good)
      return WgmmaFunctions::all();
  }
  for (unsigned Eighth = 1; Eighth <= 32; ++Eighth)
    if (Extents >> Eighth & 1)
      for (unsigned Sum = 1; Sum <= Sums && Sum * Eighth <= 32; ++Sum)
        Needed.Widths |= uint64_t(1) << Sum * Eighth;
  return Needed.Widths ? Needed : WgmmaFunctions::all();
}

/// Whether \p Line has the functions of a width that is not needed:
/// `WARPWRIGHT_WGMMA_SHAPE(96, ...)`.
static bool isOtherWidth(llvm::StringRef Line, const WgmmaFunctions &Needed) {
  if (!Line.consume_front("WARPWRIGHT_WGMMA_"))
    return false;
  const bool IsHalf = Line.consume_front("HALVES(");
  unsigned Width;
  if ((!IsHalf && !Line.consume_front("SHAPE(") &&
       !Line.consume_front("FRAGMENT(")) ||
      Line.consumeInteger(10, Width) || Width > 256)
    return false;
  // Where no sums are halves the function still needs one declaration.
  if (IsHalf && !Needed.HalfSums)
    return Width != 16;
  return !(Needed.Widths >> Width / 8 & 1);
}

/// Whether \p Line begins a row of a table of types, `row(name, A, B, ...`, of
/// which one is not needed. A type of the runtime's table that a plan's section
/// spells in another way would be missing, which the compiler then says.
static bool isOtherType(llvm::StringRef Line, const WgmmaFunctions &Needed) {
  Line = Line.ltrim();
  if (Needed.Elements.empty() || !Line.consume_front("row("))
    return false;
  auto [A, Rest] = Line.split(',').second.split(',');
  return llvm::any_of(
      std::array{A, Rest.split(',').first}, [&](llvm::StringRef Type) {
        Type = getSingle(Type.trim());
        return Type != "__half" && !Needed.Elements.count(Type.str());
      });
}

/// The text of wgmma.cuh without what is not needed.
static std::string dropOthers(llvm::StringRef Text,
                              const WgmmaFunctions &Needed) {
  std::string Kept;
  bool InOtherRow = false;
  while (!Text.empty()) {
    llvm::StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    InOtherRow |= isOtherType(Line, Needed);
    if (!InOtherRow && !isOtherWidth(Line, Needed))
      Kept += Line;
    else if (Line.ends_with("\\")) // the macro goes on behind it
      Kept += '\\';
    Kept += '\n';
    InOtherRow &= !Line.contains("__VA_ARGS__)"); // a row's last word
  }
  return Kept;
}

namespace {
class Dropper : public PPCallbacks {
public:
  Dropper(SourceManager &SM, const WgmmaFunctions &Needed)
      : SM(SM), Needed(Needed) {}

  // It is called before Clang opens the file.
  void InclusionDirective(SourceLocation, const Token &, llvm::StringRef, bool,
                          CharSourceRange, OptionalFileEntryRef File,
                          llvm::StringRef, llvm::StringRef, const Module *,
                          bool, SrcMgr::CharacteristicKind) override {
    if (IsDone || !File ||
        !File->getName().ends_with("warpwright/rt/wgmma.cuh"))
      return;
    IsDone = true;
    if (auto Buffer = SM.getMemoryBufferForFileOrNone(*File))
      SM.overrideFileContents(
          *File, llvm::MemoryBuffer::getMemBufferCopy(
                     dropOthers(Buffer->getBuffer(), Needed), File->getName()));
  }

private:
  SourceManager &SM;
  const WgmmaFunctions Needed;
  bool IsDone = false;
};
} // namespace

std::unique_ptr<PPCallbacks>
warpwright::dropOtherWgmmas(SourceManager &SM, const WgmmaFunctions &Needed) {
  return std::make_unique<Dropper>(SM, Needed);
}
