//===- Style.h - What all pictures of a kernel share ---------- -*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// Colours and common elements of the pictures. The colours are those of Okabe
/// and Ito and of Tol's light scheme, which can be distinguished without normal
/// colour vision; what a colour says is always said in words as well.
///
//===----------------------------------------------------------------------===//
#ifndef WARPWRIGHT_LIB_DRAW_STYLE_H
#define WARPWRIGHT_LIB_DRAW_STYLE_H

#include "warpwright/Draw/Pictures.h"
#include "warpwright/Layout/Svg.h"
#include "warpwright/Plan/KernelPlan.h"

namespace warpwright {

/// The beginning of every file to which pictures are written, so that no other
/// file is mistaken for one.
inline constexpr char PictureMarker[] = "<!-- drawn by warpwright explain -->";

inline constexpr char Ink[] = "#1b2733", Muted[] = "#5a6672",
                      Rule[] = "#c9d0d6", Outline[] = "#000000";
/// The operand on WGMMA's M side, the one on its N side, the output, barriers.
inline constexpr char RowsFill[] = "#a6d2ee", ColsFill[] = "#f6cd85",
                      OutFill[] = "#9fdcc6", BarrierFill[] = "#dfb0cc";
inline constexpr char RowsInk[] = "#005a8e", ColsInk[] = "#8a5a00",
                      OutInk[] = "#00664b", BarrierInk[] = "#8a3d6b";

/// The colours of the 16-byte chunks of a row; they repeat after eight.
inline constexpr const char *ChunkFill[8] = {"#77aadd", "#ee8866", "#eedd88",
                                             "#ffaabb", "#99ddff", "#44bb99",
                                             "#bbcc33", "#dddddd"};
/// Four tones (lanes of a quad) for each warp of a warpgroup.
inline constexpr const char *WarpFill[4][4] = {
    {"#d9ecf8", "#b5d9f0", "#8cc4e6", "#64aedb"},
    {"#fdebc8", "#fadb9f", "#f4c56c", "#ebae3a"},
    {"#d3f0e6", "#aae2cf", "#7cd1b5", "#4cbd98"},
    {"#f3dfea", "#e7c3d7", "#d9a2c0", "#c982a9"}};
/// Consumer warpgroups.
inline constexpr const char *GroupFill[3] = {"#a6d2ee", "#f6cd85", "#d9b3cc"};

/// The page of every picture here.
SvgPage picturePage(llvm::StringRef Title, llvm::StringRef Description);

/// A part that lies outside of something: grey diagonal lines.
inline void hatched(SvgCanvas &C, int X, int Y, int Width, int Height) {
  C.rect(X, Y, Width, Height, "url(#hatch)");
}

inline TextStyle bold(int Size) {
  TextStyle S;
  S.Size = Size;
  S.Bold = true;
  return S;
}
inline TextStyle small(TextStyle::Anchor At = TextStyle::Anchor::Start,
                       const char *Fill = nullptr) {
  TextStyle S;
  S.Size = 10;
  S.At = At;
  S.Fill = Fill;
  return S;
}
inline TextStyle muted(int Size = 12,
                       TextStyle::Anchor At = TextStyle::Anchor::Start) {
  TextStyle S;
  S.Size = Size;
  S.At = At;
  S.Fill = Muted;
  return S;
}
inline TextStyle mono(int Size = 11) {
  TextStyle S;
  S.Size = Size;
  S.Mono = true;
  return S;
}

/// `49152`, `48 KiB (49152)`.
std::string kib(int64_t Bytes);
/// `m`, `n`: the contraction's index along the accumulator's rows, columns.
inline const char *rowIndex(const KernelPlan &P) {
  return P.SwapAB ? "n" : "m";
}
inline const char *colIndex(const KernelPlan &P) {
  return P.SwapAB ? "m" : "n";
}
/// The user's name of an operand's array.
inline const std::string &arrayOf(const PictureSubject &S,
                                  const OperandPlan &O) {
  return O.IsA ? S.A : S.B;
}
/// `m` or `n`.
inline const char *indexOf(const OperandPlan &O) { return O.IsA ? "m" : "n"; }
/// "1 copy", "2 copies".
std::string counted(int64_t N, llvm::StringRef One, llvm::StringRef Many = "");

/// The heading of a picture: kernel and plan, and one or two sentences about
/// what it shows. Returns the y below it.
int heading(SvgCanvas &C, const PictureSubject &S, const KernelPlan &P,
            llvm::StringRef What, llvm::StringRef Sentence);
/// The heading of a part. Returns the y below it.
int subheading(SvgCanvas &C, int X, int Y, const llvm::Twine &Text);
/// A coloured square with words next to it. Returns the x after them.
int legend(SvgCanvas &C, int X, int Y, llvm::StringRef Fill,
           const llvm::Twine &Text);

inline constexpr int PageLeft = 40, PageWidth = 1200;

/// The six pictures.
std::string drawTiles(const KernelPlan &P, const PictureSubject &S);
llvm::Expected<std::string> drawLoads(const KernelPlan &P,
                                      const PictureSubject &S);
std::string drawMemory(const KernelPlan &P, const PictureSubject &S);
std::string drawOperands(const KernelPlan &P, const PictureSubject &S);
llvm::Expected<std::string> drawAccumulator(const KernelPlan &P,
                                            const PictureSubject &S);
llvm::Expected<std::string> drawEpilogue(const KernelPlan &P,
                                         const PictureSubject &S);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_DRAW_STYLE_H
