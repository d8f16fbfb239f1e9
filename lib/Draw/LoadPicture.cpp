//===- LoadPicture.cpp - TMA boxes into swizzled shared memory ------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChunkGrid.h"

#include "warpwright/Layout/Banks.h"
#include "warpwright/Plan/Roles.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warpwright {

namespace {

/// The colour of the operand, one tone darker for each share.
void shade(SvgCanvas &C, int64_t Share, int X, int Y, int W, int H) {
  for (int64_t Tone = 0; Tone < Share; ++Tone)
    C.raw(formatv("<rect x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\" "
                  "opacity=\"0.08\"/>\n",
                  X, Y, W, H),
          X + W, Y + H);
}

/// The tile of one operand in global memory with the boxes that are copied.
/// Returns the bottom.
int drawBoxes(SvgCanvas &C, const OperandPlan &O, int64_t TileK,
              const char *Fill, int X, int Y) {
  const bool KInner = O.Order == Major::K;
  const int64_t Inner = KInner ? TileK : O.StoredExtent;
  const int64_t Outer = KInner ? O.StoredExtent : TileK;
  // The box, the share, and its place in the operand's part of the stage.
  const int Lines = O.Shares > 1 ? 3 : 2, LineHeight = 13;
  // True to scale, unless it would be too small to read.
  const int Most = 230;
  const double Scale =
      std::min(double(Most) / double(std::max(Inner, Outer)), 2.4);
  const int W = std::max(56, int(double(Inner) * Scale));
  const int H = std::max(int(double(Outer) * Scale),
                         int(Outer / O.Box[1]) * (Lines * LineHeight + 6));
  auto AtX = [&](int64_t I) { return X + int(I * W / Inner); };
  auto AtY = [&](int64_t I) { return Y + int(I * H / Outer); };
  C.text(X, Y - 20, KInner ? "k →" : (Twine(indexOf(O)) + " →"), muted(11));
  C.text(X - 8, Y - 5, KInner ? (Twine(indexOf(O)) + " ↓") : "k ↓",
         muted(11, TextStyle::Anchor::End));
  C.text(X + W, Y - 5, Twine(Inner), small(TextStyle::Anchor::End, Muted));
  C.text(X - 8, Y + H, Twine(Outer), small(TextStyle::Anchor::End, Muted));
  for (int64_t I = 0; I < O.BoxCount; ++I)
    for (int64_t Share = 0; Share < O.Shares; ++Share) {
      int64_t Row = I * O.BoxStepRows + Share * O.ShareStepRows;
      int64_t K = I * O.BoxStepK + Share * O.ShareStepK;
      int64_t AtInner = KInner ? K : Row, AtOuter = KInner ? Row : K;
      int X1 = AtX(AtInner), X2 = AtX(AtInner + O.Box[0]);
      int Y1 = AtY(AtOuter), Y2 = AtY(AtOuter + O.Box[1]);
      C.rect(X1, Y1, X2 - X1, Y2 - Y1, Fill, Ink);
      shade(C, Share, X1, Y1, X2 - X1, Y2 - Y1);
      int LineY = (Y1 + Y2) / 2 + 4 - (Lines - 1) * LineHeight / 2;
      auto Line = [&](const Twine &Text) {
        C.text((X1 + X2) / 2, LineY, Text, small(TextStyle::Anchor::Middle));
        LineY += LineHeight;
      };
      Line("box " + Twine(I));
      if (O.Shares > 1)
        Line("share " + Twine(Share));
      Line("+" + Twine(I * O.BoxStepBytes + Share * O.BoxBytes));
    }
  if (O.StoredExtent > O.TileExtent) {
    if (KInner)
      hatched(C, X, AtY(O.TileExtent), W, Y + H - AtY(O.TileExtent));
    else
      hatched(C, AtX(O.TileExtent), Y, X + W - AtX(O.TileExtent), H);
    C.rect(X, Y, W, H, "none", Ink);
  }
  return Y + H;
}

Expected<int> drawOperand(SvgCanvas &C, const KernelPlan &P,
                          const PictureSubject &S, const OperandPlan &O,
                          bool IsRows, int Y) {
  const char *Fill = IsRows ? RowsFill : ColsFill;
  const bool KInner = O.Order == Major::K;
  Expected<SmemLayout> Tile = operandTile(P, O);
  if (!Tile)
    return Tile.takeError();
  Y = subheading(
      C, PageLeft, Y,
      formatv("{0}: {1} of {2} by {3} of k, contiguous along {4}; {6}'s {5}",
              arrayOf(S, O), O.TileExtent, indexOf(O), P.TileK,
              KInner ? "k" : indexOf(O), IsRows ? "64 rows" : "n columns",
              P.Multiply->Instruction));
  const int Top = Y + 46;
  const SwizzleMode Mode = P.Feed->rawSwizzle(O);
  ChunkGrid G = ChunkGrid::of(*Tile, O.Order, O.Box[0] * byteSize(O.Type), 16);
  G.InnerIndex = KInner ? "k" : indexOf(O);
  G.OuterIndex = KInner ? indexOf(O) : "k";
  G.Label = [&](const Chunk &Each) {
    return formatv("{0},{1}", Each.Outer, Each.Inner).str();
  };
  const StageReads Reads = P.Feed->stageReads(P, O);
  G.Marked = [Reads](const Chunk &Each) {
    if (!Reads.Chunks.empty())
      return llvm::is_contained(Reads.Chunks,
                                std::pair(Each.Outer, Each.Inner));
    return Each.Outer < Reads.Outer && Each.Outer % Reads.Step == 0 &&
           Each.Inner < Reads.Inner;
  };
  const int BoxX = PageLeft + 36, GlobalX = 380, SmemX = 852;
  TextStyle Head = bold(12);
  C.text(BoxX - 36, Y + 10, "One stage: the boxes", Head);
  const int BoxBottom = drawBoxes(C, O, P.TileK / O.Numbers, Fill, BoxX, Top);
  C.text(GlobalX - 28, Y + 10, "Start of box 0 in global memory", Head);
  int Bottom = G.drawGlobal(C, GlobalX, Top);
  C.text(SmemX - 44, Y + 10, "The same chunks in shared memory", Head);
  Bottom = std::max(Bottom, G.drawSmem(C, SmemX, Top));
  int ArrowY = Top + 4 * G.CellHeight;
  C.arrow(GlobalX + G.globalWidth() + 8, ArrowY, SmemX - 46, ArrowY, Muted);
  C.text((GlobalX + G.globalWidth() + SmemX - 40) / 2, ArrowY - 8, "TMA",
         TextStyle{11, TextStyle::Anchor::Middle, true, false, Muted});

  // The number of wavefronts that reading the eight marked chunks at once
  // takes.
  std::vector<int64_t> With, Without;
  for (const Chunk &Each : G.Chunks)
    if (G.Marked(Each)) {
      With.push_back(Each.Offset);
      Without.push_back(Each.Unswizzled);
    }
  std::string Boxes = formatv(
      "{0} of {1} {2} by {3} {4}, {5} bytes{6}{7}. In a stage: bytes {8} to "
      "{9}; + counts from the first. Swizzle {10}.",
      counted(O.BoxCount * O.Shares, "box", "boxes"), O.Box[0],
      KInner ? "k" : indexOf(O), O.Box[1], KInner ? indexOf(O) : "k",
      O.BoxBytes, O.BoxCount * O.Shares > 1 ? " each" : "",
      O.Shares > 1
          ? formatv("; {0} CTAs need this tile, so each loads one share, which "
                    "TMA writes to the same bytes in all of them",
                    O.Shares)
                .str()
          : "",
      O.Offset, O.Offset + O.StageBytes - 1, name(Mode));
  if (O.Sources > 1)
    Boxes += formatv(" Each {0} {1} are those of another array.",
                     O.TileExtent / O.Sources, indexOf(O));
  Boxes += Reads.StageNote;
  if (O.StoredExtent > O.TileExtent)
    Boxes += formatv(" Hatched: {0} of {1} beyond the tile, which fill the "
                     "swizzle's width and are never read.",
                     O.StoredExtent - O.TileExtent, indexOf(O));
  std::string Swizzle = formatv(
      "A cell is a chunk of 16 bytes, {0} elements along {1}; it is labelled "
      "{2},{1} of the first one and keeps its colour. ",
      G.ChunkElements, G.InnerIndex, G.OuterIndex);
  if (!Reads.NeedsSwizzle)
    Swizzle +=
        formatv("Outlined: {0}. That takes {1} as it is: no swizzle is "
                "needed.",
                Reads.Words, counted(countWavefronts(With, 16), "wavefront"));
  else
    Swizzle += formatv(
        "Outlined: {0}. Its chunks lie in different groups of 4 banks, so that "
        "reading them takes {1}; unswizzled it would take {2}. The pattern "
        "repeats every {3} bytes.",
        Reads.Words, counted(countWavefronts(With, 16), "wavefront"),
        countWavefronts(Without, 16), 8 * spanBytes(Mode));
  int Left = C.paragraph(PageLeft, BoxBottom + 10, 270, Boxes, muted(11));
  if (O.Shares > 1) {
    const std::vector<int64_t> Group = multicastGroup(P, IsRows);
    std::string All;
    for (size_t I = 0; I < Group.size(); ++I)
      All += (I == 0                  ? ""
              : I + 1 == Group.size() ? " and "
                                      : ", ") +
             std::to_string(Group[I]);
    const std::string For = formatv(
        "for {0}{1}", All, P.clusterSize() > O.Shares ? "; others alike" : "");
    // More than two CTAs do not fit beside the share's number.
    const bool Beside = Group.size() <= 2;
    Left += 18;
    for (size_t Share = 0; Share < Group.size(); ++Share, Left += 18) {
      legend(C, PageLeft, Left, Fill,
             formatv("share {0}: CTA {1} loads it{2}", Share, Group[Share],
                     Beside ? " " + For : ""));
      shade(C, int64_t(Share), PageLeft, Left - 10, 12, 12);
    }
    if (!Beside)
      Left = C.paragraph(PageLeft, Left, 270, "Each " + For + ".", muted(11));
  }
  int Right = C.paragraph(GlobalX - 28, Bottom + 10, 860, Swizzle, muted(11));
  C.text(GlobalX - 28, Right + 16, P.Feed->rawLayout(O), mono(11));
  return std::max(Left, Right + 20) + 24;
}

} // namespace

Expected<std::string> drawLoads(const KernelPlan &P, const PictureSubject &S) {
  SvgCanvas C(picturePage(
      "Loads of " + S.A + " and " + S.B,
      "TMA boxes of both operands and where they land in shared memory"));
  int Y = heading(
      C, S, P, "How TMA brings the operands to shared memory",
      formatv(
          "For every {0} of k, one thread asks for the boxes below, and the "
          "TMA engine copies them to a stage of shared memory. {1}",
          P.TileK, P.Feed->words(P, "", "").Loads)
          .str());
  for (const OperandPlan *O : {&P.Rows, &P.Cols}) {
    Expected<int> Next = drawOperand(C, P, S, *O, O == &P.Rows, Y);
    if (!Next)
      return Next.takeError();
    Y = *Next;
  }
  return C.finish();
}

} // namespace warpwright
