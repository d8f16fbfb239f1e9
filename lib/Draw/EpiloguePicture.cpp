//===- EpiloguePicture.cpp - The way of the results to global memory ------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChunkGrid.h"

#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Plan/Elements.h"
#include "warpwright/Plan/Roles.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warpwright {

namespace {

class EpiloguePicture {
public:
  EpiloguePicture(const KernelPlan &P, const PictureSubject &S)
      : P(P), E(P.Epilogue), S(S), Group(P.rowBlocks() * WgmmaAtom::M),
        C(picturePage("Stores of " + S.C,
                      "How accumulators become elements of the output")) {}

  Expected<std::string> draw() {
    if (!P.Store->stages()) {
      drawDirect();
      return C.finish();
    }
    Expected<SmemLayout> Slab = slabTile(E);
    if (!Slab)
      return Slab.takeError();
    Expected<FirstStore> First = firstStore(P);
    if (!First)
      return First.takeError();
    int Y = heading(
        C, S, P, ("How results reach " + S.C).c_str(),
        formatv("Each consumer warpgroup sends its part of the tile in slabs "
                "of 64 x {0}: registers, then shared memory, then a TMA store, "
                "through {1} buffers in turn.",
                E.SlabColumns, E.Buffers)
            .str());
    int Slabs = drawSlabs(Y);
    int Staged = drawStaging(*Slab, *First, Y);
    drawStores(std::max(Slabs, Staged) + 20);
    return C.finish();
  }

private:
  static constexpr int SlabsWidth = 230;
  const KernelPlan &P;
  const EpiloguePlan &E;
  const PictureSubject &S;
  const int64_t Group; ///< rows of one warpgroup
  SvgCanvas C;

  int drawSlabs(int Y) {
    Y = subheading(C, PageLeft, Y, "1. A warpgroup's part");
    const int64_t Parts = P.tileColumns() / E.SlabColumns;
    const int64_t Blocks = P.rowBlocks();
    const int Left = PageLeft + 36, Top = Y + 34;
    const int W = SlabsWidth - 10, CellW = W / int(Parts);
    const int CellH = std::clamp<int>(220 / int(Blocks), 40, 90);
    C.text(Left, Y + 10, Twine(colIndex(P)) + " →", muted(11));
    C.text(Left - 8, Top - 5, Twine(rowIndex(P)) + " ↓",
           muted(11, TextStyle::Anchor::End));
    const int64_t Every = CellW < 26 ? 2 : 1;
    for (int64_t Part = 0; Part < Parts; Part += Every)
      C.text(Left + int(Part) * CellW + 1, Top - 5, Twine(Part * E.SlabColumns),
             small(TextStyle::Anchor::Start, Muted));
    for (int64_t B = 0; B < Blocks; ++B) {
      C.text(Left - 8, Top + int(B) * CellH + 12, Twine(B * WgmmaAtom::M),
             small(TextStyle::Anchor::End, Muted));
      for (int64_t Part = 0; Part < Parts; ++Part) {
        int64_t Number = B * Parts + Part;
        int X = Left + int(Part) * CellW, CellY = Top + int(B) * CellH;
        C.rect(X, CellY, CellW, CellH,
               Number % E.Buffers ? "#d3f0e6" : "#7cd1b5", "#ffffff");
        C.text(X + CellW / 2, CellY + CellH / 2 + 4, Twine(Number),
               TextStyle{11, TextStyle::Anchor::Middle, true, false, nullptr});
      }
    }
    int Bottom = Top + int(Blocks) * CellH;
    C.rect(Left, Top, CellW * int(Parts), Bottom - Top, "none", Ink);
    Bottom += 20;
    legend(C, PageLeft, Bottom, "#7cd1b5", "through buffer 0");
    legend(C, PageLeft, Bottom + 18, "#d3f0e6", "through buffer 1");
    return C.paragraph(
        PageLeft, Bottom + 28, SlabsWidth + 30,
        formatv(
            "Rows of the accumulator run along {0}, {1} for each {2}; slabs "
            "are numbered in the order in which they leave. The epilogue's "
            "expression is evaluated for each element on the way.",
            rowIndex(P), Group, P.Schedule->rowsOf())
            .str(),
        muted(11));
  }

  int drawStaging(const SmemLayout &Slab, const FirstStore &First, int Y) {
    const Major Order = E.RowsContiguous ? Major::MN : Major::K;
    ChunkGrid G = ChunkGrid::of(Slab, Order, spanBytes(E.Swizzle), 16);
    G.CellWidth = 50;
    G.InnerIndex = E.RowsContiguous ? rowIndex(P) : colIndex(P);
    G.OuterIndex = E.RowsContiguous ? colIndex(P) : rowIndex(P);
    // The lanes of the first store, grouped by the chunk to which they write;
    // if there are more than two, only the first and the last are listed.
    auto Lanes = [&](const Chunk &Each) {
      std::vector<int64_t> Found;
      for (const LaneStore &L : First.Lanes)
        if (L.Offset / 16 == Each.Offset / 16)
          Found.push_back(L.Lane);
      std::string Words;
      if (!Found.empty())
        Words = std::to_string(Found.front());
      if (Found.size() > 1)
        Words += (Found.size() > 2 ? ".." : " ") + std::to_string(Found.back());
      return Words;
    };
    G.Label = Lanes;
    const bool Matrices = First.LaneBytes == 16;
    // One pass: 128 bytes of consecutive lanes.
    const int64_t PassLanes = 128 / First.LaneBytes;
    G.Marked = [&](const Chunk &Each) {
      for (const LaneStore &L : First.Lanes)
        if (L.Lane < PassLanes && L.Offset / 16 == Each.Offset / 16)
          return true;
      return false;
    };
    const int SlabX = 372, SmemX = 848;
    Y = subheading(C, SlabX - 36, Y,
                   "2. Start of a slab, and warp 0's first " +
                       First.Instruction);
    const int Top = Y + 46;
    TextStyle Head = bold(12);
    C.text(SlabX - 36, Y + 10,
           formatv("The slab: {0} x {1} elements of {2} bytes", WgmmaAtom::M,
                   E.SlabColumns, byteSize(E.Type)),
           Head);
    int Bottom = G.drawGlobal(C, SlabX, Top);
    C.text(SmemX - 44, Y + 10, "Its buffer in shared memory", Head);
    Bottom = std::max(Bottom, G.drawSmem(C, SmemX, Top));
    const int ArrowY = Top + 4 * G.CellHeight;
    C.arrow(SlabX + G.globalWidth() + 6, ArrowY, SmemX - 42, ArrowY, Muted);

    std::string Words;
    if (Matrices)
      Words = formatv(
          "A cell is a chunk of 16 bytes. The numbers are lanes of warp 0: "
          "each gives the address of one chunk, 8 lanes an 8 x 8 matrix{0}. "
          "Outlined: the first matrix; its 8 chunks lie in different groups of "
          "banks. ",
          E.RowsContiguous ? ", which is stored transposed, because " + S.C +
                                 " is contiguous along the accumulator's rows"
                           : std::string());
    else
      Words = formatv(
          "A cell is a chunk of 16 bytes. The numbers are the lanes of warp 0 "
          "that write to it, {0} bytes each: {1}. Outlined: what the first {2} "
          "lanes write. ",
          First.LaneBytes,
          E.RowsContiguous ? "one accumulator"
                           : "two neighbouring accumulators",
          PassLanes);
    if (!Matrices && E.RowsContiguous)
      Words += "0..12 stands for lanes 0, 4, 8 and 12, one below the other in "
               "the accumulator. ";
    const int64_t Least = 32 * First.LaneBytes / 128;
    if (int64_t(First.Wavefronts) > Least)
      Words += "Some of them lie in the same banks and must wait for each "
               "other. ";
    Words += formatv(
        "This instruction takes {0} for {1} bytes; all of the warp's stores to "
        "a slab take {2}, of {3} that the amount of data needs.",
        counted(First.Wavefronts, "wavefront"), 32 * First.LaneBytes,
        counted(First.Slab.Wavefronts, "wavefront"), First.Slab.Ideal);
    int At = C.paragraph(SlabX - 36, Bottom + 10, 880, Words, muted(11));
    C.text(SlabX - 36, At + 16, E.SmemLayout, mono(11));
    return At + 22;
  }

  /// The last row of the picture: registers, slab, box, output.
  void drawStores(int Y) {
    Y = subheading(C, PageLeft, Y, "3. The stations of a slab");
    struct Station {
      std::string Head, First, Second;
      const char *Fill;
    };
    const bool Two = byteSize(E.Type) == 2;
    const SumType &Sums = P.Multiply->sums(P);
    const ScalarType Sum = Sums.Type;
    const Station Stations[] = {
        {"registers",
         formatv("{0} sums a thread", P.Accumulators * Sums.PerRegister *
                                          E.SlabColumns / P.InstructionN),
         E.Type == Sum
             ? name(Sum).str()
             : formatv("{0}, made {1}", name(Sum), name(E.Type)).str(),
         "#f3dfea"},
        {"slab in shared memory",
         formatv("{0}, swizzle {1}", kib(E.BoxBytes * E.BoxCount),
                 name(E.Swizzle)),
         Two ? "by stmatrix" : "by st.shared", OutFill},
        {counted(E.BoxCount, "TMA store"),
         formatv("box of {0} {1} x {2} {3}", E.Box[0],
                 E.RowsContiguous ? rowIndex(P) : colIndex(P), E.Box[1],
                 E.RowsContiguous ? colIndex(P) : rowIndex(P)),
         "by one thread", BarrierFill},
        {S.C,
         formatv("contiguous along {0}",
                 E.RowsContiguous ? rowIndex(P) : colIndex(P)),
         "clipped at its edges", "#d9ecf8"}};
    int X = PageLeft;
    const int W = 230, H = 70, Gap = 62;
    for (int I = 0; I < 4; ++I) {
      C.rect(X, Y + 10, W, H, Stations[I].Fill, Ink);
      C.text(X + W / 2, Y + 32, Stations[I].Head,
             TextStyle{12, TextStyle::Anchor::Middle, true, false, nullptr});
      C.text(X + W / 2, Y + 50, Stations[I].First,
             TextStyle{11, TextStyle::Anchor::Middle, false, false, nullptr});
      C.text(X + W / 2, Y + 67, Stations[I].Second,
             TextStyle{11, TextStyle::Anchor::Middle, false, false, nullptr});
      if (I < 3)
        C.arrow(X + W + 6, Y + 46, X + W + Gap - 6, Y + 46, Muted);
      X += W + Gap;
    }
    C.paragraph(
        PageLeft, Y + 92, PageWidth - 60,
        formatv("Before a buffer is filled again, the thread that stored from "
                "it waits until the store before the last has read it, and a "
                "named barrier tells the other 127. Where {0}'s base, pitch or "
                "inner extent is no multiple of 16 bytes, the warpgroup copies "
                "the slab out with plain stores instead.",
                S.C)
            .str(),
        muted(11));
  }

  void drawDirect() {
    int Y = heading(
        C, S, P, ("How results reach " + S.C).c_str(),
        formatv(
            "The output is not contiguous along n, or of a type that TMA "
            "does not store: every thread writes the elements that it holds "
            "itself, each only if it lies inside {0}. Nothing is staged.",
            S.C)
            .str());
    Y = subheading(C, PageLeft, Y,
                   "The first 16 x 8 elements of warp 0: lane "
                   "and register");
    Expected<std::vector<FragmentElement>> Elements = accumulatorFragment(P);
    if (!Elements) {
      consumeError(Elements.takeError());
      return;
    }
    const int Left = PageLeft + 40, Top = Y + 26, W = 62, H = 24;
    C.text(Left - 8, Top - 5, Twine(rowIndex(P)) + " ↓",
           muted(11, TextStyle::Anchor::End));
    for (int64_t I = 0; I < 16; ++I) {
      if (I < 8)
        C.text(Left + int(I) * W + W / 2, Top - 5, Twine(I),
               small(TextStyle::Anchor::Middle, Muted));
      C.text(Left - 8, Top + int(I) * H + 16, Twine(I),
             small(TextStyle::Anchor::End, Muted));
    }
    for (const FragmentElement &F : *Elements)
      if (F.Row < 16 && F.Column < 8) {
        int X = Left + int(F.Column) * W, CellY = Top + int(F.Row) * H;
        C.rect(X, CellY, W, H, WarpFill[0][F.Thread % 4], "#ffffff");
        C.text(X + W / 2, CellY + 16,
               "T" + Twine(F.Thread) + " V" + Twine(F.Value),
               small(TextStyle::Anchor::Middle));
      }
    C.rect(Left, Top, 8 * W, 16 * H, "none", Ink);
    const int X = Left + 8 * W;
    C.arrow(X + 14, Top + 8 * H, X + 74, Top + 8 * H, Muted);
    C.rect(X + 86, Top + 4 * H, 220, 8 * H, "#d9ecf8", Ink);
    C.text(X + 196, Top + 8 * H - 4, S.C,
           TextStyle{14, TextStyle::Anchor::Middle, true, false, nullptr});
    C.text(X + 196, Top + 8 * H + 14, "element by element",
           muted(11, TextStyle::Anchor::Middle));
    C.paragraph(
        PageLeft, Top + 16 * H + 12, 900,
        formatv("All {0} registers V of a thread follow in this order, 8 "
                "columns for every 4, to column {1}; the other warps hold the "
                "rows below. Rows run along {2} of {3}, columns along {4}.",
                P.Accumulators, P.InstructionN - 1, rowIndex(P), S.C,
                colIndex(P))
            .str(),
        muted(11));
  }
};

} // namespace

Expected<std::string> drawEpilogue(const KernelPlan &P,
                                   const PictureSubject &S) {
  return EpiloguePicture(P, S).draw();
}

} // namespace warpwright
