//===- AccumulatorPicture.cpp - Which thread holds which result -----------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Style.h"

#include "warpwright/Draw/Facts.h"
#include "warpwright/Plan/Roles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace warpwright {

namespace {

constexpr int64_t WarpThreads = 32, QuadThreads = 4;

const char *threadFill(int64_t Thread) {
  return WarpFill[Thread / WarpThreads % 4][Thread % QuadThreads];
}

/// Every element of the fragment, coloured by warp and lane of the quad: one
/// path for each colour, in units of elements. Returns the bottom.
int drawWhole(SvgCanvas &C, ArrayRef<FragmentElement> Elements, int64_t Rows,
              int64_t Columns, int X, int Y, int CellW, int CellH) {
  for (int64_t Warp = 0; Warp < 4; ++Warp)
    for (int64_t Lane = 0; Lane < QuadThreads; ++Lane) {
      std::string Path;
      raw_string_ostream OS(Path);
      for (size_t I = 0; I < Elements.size();) {
        // A run of one thread's elements side by side.
        const FragmentElement &E = Elements[I];
        size_t End = I + 1;
        while (End < Elements.size() && Elements[End].Row == E.Row &&
               Elements[End].Thread == E.Thread &&
               Elements[End].Column == E.Column + int64_t(End - I))
          ++End;
        if (E.Thread / WarpThreads == Warp && E.Thread % QuadThreads == Lane)
          OS << 'M' << E.Column << ' ' << E.Row << 'h' << End - I << "v1h-"
             << End - I << 'z';
        I = End;
      }
      if (!Path.empty())
        C.raw(formatv("<path class=\"fragment\" transform=\"translate({0} {1}) "
                      "scale({2} {3})\" fill=\"{4}\" d=\"{5}\"/>\n",
                      X, Y, CellW, CellH, WarpFill[Warp][Lane], Path),
              X, Y);
    }
  C.rect(X, Y, int(Columns) * CellW, int(Rows) * CellH, "none", Ink);
  return Y + int(Rows) * CellH;
}

} // namespace

Expected<std::string> drawAccumulator(const KernelPlan &P,
                                      const PictureSubject &S) {
  Expected<std::vector<FragmentElement>> Elements = accumulatorFragment(P);
  if (!Elements)
    return Elements.takeError();
  const int64_t Rows = WgmmaAtom::M, Columns = P.InstructionN;
  SvgCanvas C(picturePage("Accumulators",
                          "Which thread of a warpgroup holds which element "
                          "of a 64 x n block of the output"));
  int Y = heading(
      C, S, P, "Which thread holds which element of the result",
      formatv("{8} 64 x {0} sums in the registers of the 128 "
              "threads of a warpgroup, {1} in each{2}. Rows run along {3} of "
              "{4}, columns along {5}.{6}{7}",
              Columns, P.Accumulators * P.Multiply->sums(P).PerRegister,
              P.rowBlocks() > 1
                  ? formatv(", and a warpgroup has {0} such blocks: {1} "
                            "registers a thread",
                            P.rowBlocks(), P.rowBlocks() * P.Accumulators)
                        .str()
                  : "",
              rowIndex(P), S.C, colIndex(P),
              P.Feed->words(P, "", "").Accumulators + P.Multiply->words(P),
              P.Sums > 1 ? formatv(" Each {0} columns are another sum of the "
                                   "same elements.",
                                   P.tileColumns())
                               .str()
                         : "",
              P.Multiply->leaves())
          .str());
  Y = subheading(C, PageLeft, Y,
                 "1. The whole block, one colour for each warp, one tone for "
                 "each of the 4 lanes that share a row");
  const int Left = PageLeft + 64, Top = Y + 40;
  const int CellW = std::clamp<int>(int(1088 / Columns), 4, 14), CellH = 5;
  C.text(Left, Y + 12,
         Twine(colIndex(P)) + " →; above each 8 columns, the registers V that "
                              "hold them",
         muted(11));
  C.text(Left - 8, Top - 6, Twine(rowIndex(P)) + " ↓",
         muted(11, TextStyle::Anchor::End));
  const int64_t Every = CellW * 8 < 52 ? 2 : 1;
  for (int64_t Block = 0; Block < Columns / 8; ++Block) {
    int X = Left + int(Block) * 8 * CellW;
    C.line(X, Top - 3, X, Top, Muted);
    int64_t First = Elements->size(), Last = 0;
    for (const FragmentElement &E : *Elements)
      if (E.Column / 8 == Block) {
        First = std::min(First, E.Value);
        Last = std::max(Last, E.Value);
      }
    if (Block % Every == 0)
      C.text(X + 2, Top - 5, Twine(First) + "–" + Twine(Last),
             small(TextStyle::Anchor::Start, Muted));
  }
  int Bottom = drawWhole(C, *Elements, Rows, Columns, Left, Top, CellW, CellH);
  for (int64_t Row = 0; Row < Rows; Row += 8) {
    int LineY = Top + int(Row) * CellH;
    if (Row)
      C.line(Left, LineY, Left + int(Columns) * CellW, LineY,
             Row % 16 ? "#ffffff" : Ink);
    if (Row % 16 == 0) {
      C.text(Left - 8, LineY + 34, "warp " + Twine(Row / 16),
             TextStyle{11, TextStyle::Anchor::End, true, false, nullptr});
      C.text(Left - 8, LineY + 48, Twine(Row) + "–" + Twine(Row + 15),
             small(TextStyle::Anchor::End, Muted));
    }
  }
  // One thread, to follow through the block.
  const int64_t Followed = 5;
  int64_t Held = 0;
  std::string Path;
  raw_string_ostream OS(Path);
  for (const FragmentElement &E : *Elements)
    if (E.Thread == Followed) {
      ++Held;
      OS << 'M' << E.Column << ' ' << E.Row << "h1v1h-1z";
    }
  C.raw(formatv("<path class=\"followed\" transform=\"translate({0} {1}) "
                "scale({2} {3})\" fill=\"{4}\" d=\"{5}\"/>\n",
                Left, Top, CellW, CellH, Outline, Path),
        Left, Top);
  int X = legend(C, Left, Bottom + 22, Outline,
                 formatv("thread {0}: {1} elements, a pair in every 8 columns "
                         "of two rows",
                         Followed, Held));
  for (int64_t Warp = 0; Warp < 4; ++Warp)
    X = legend(C, X, Bottom + 22, WarpFill[Warp][2], "warp " + Twine(Warp));

  Y = subheading(C, PageLeft, Bottom + 44,
                 "2. The first 16 x 16 of it: thread (bold) and register");
  const int64_t Corner = 16;
  const int ZoomLeft = PageLeft + 40, ZoomTop = Y + 24, ZoomW = 46, ZoomH = 30;
  C.text(ZoomLeft - 8, ZoomTop - 5, Twine(rowIndex(P)) + " ↓",
         muted(11, TextStyle::Anchor::End));
  for (int64_t I = 0; I < Corner; ++I) {
    C.text(ZoomLeft + int(I) * ZoomW + ZoomW / 2, ZoomTop - 5, Twine(I),
           small(TextStyle::Anchor::Middle, Muted));
    C.text(ZoomLeft - 8, ZoomTop + int(I) * ZoomH + ZoomH / 2 + 4, Twine(I),
           small(TextStyle::Anchor::End, Muted));
  }
  for (const FragmentElement &E : *Elements)
    if (E.Row < Corner && E.Column < Corner) {
      int CellX = ZoomLeft + int(E.Column) * ZoomW;
      int CellY = ZoomTop + int(E.Row) * ZoomH;
      C.rect(CellX, CellY, ZoomW, ZoomH, threadFill(E.Thread), "#ffffff");
      C.text(CellX + ZoomW / 2, CellY + 13, "T" + Twine(E.Thread),
             TextStyle{11, TextStyle::Anchor::Middle, true, false, nullptr});
      C.text(CellX + ZoomW / 2, CellY + 25, "V" + Twine(E.Value),
             small(TextStyle::Anchor::Middle, Ink));
    }
  for (int64_t I = 8; I < Corner; I += 8) {
    C.line(ZoomLeft, ZoomTop + int(I) * ZoomH, ZoomLeft + int(Corner) * ZoomW,
           ZoomTop + int(I) * ZoomH, Ink, 2);
    C.line(ZoomLeft + int(I) * ZoomW, ZoomTop, ZoomLeft + int(I) * ZoomW,
           ZoomTop + int(Corner) * ZoomH, Ink, 2);
  }
  C.rect(ZoomLeft, ZoomTop, int(Corner) * ZoomW, int(Corner) * ZoomH, "none",
         Ink, 2);
  const int WordsX = ZoomLeft + int(Corner) * ZoomW + 40, WordsW = 330;
  TextStyle Plain;
  int At = C.paragraph(WordsX, ZoomTop, WordsW,
                       "An 8 x 8 square is spread over one warp: each row over "
                       "4 neighbouring lanes, two elements each.",
                       Plain);
  At = C.paragraph(WordsX, At + 8, WordsW,
                   "The square below it is in the next two registers of the "
                   "same lanes, the square to the right in the two after "
                   "those; this goes on to the last column.",
                   Plain);
  At = C.paragraph(WordsX, At + 8, WordsW,
                   "Warp w has rows 16 w to 16 w + 15 of the block, so threads "
                   "32 to 63 continue below this picture.",
                   Plain);
  At = C.paragraph(
      WordsX, At + 8, WordsW,
      "(thread, value) to row + 64 x column, in CuTe's notation:", Plain);
  C.paragraph(WordsX, At + 4, WordsW, P.Fragment, mono(11));
  return C.finish();
}

} // namespace warpwright
