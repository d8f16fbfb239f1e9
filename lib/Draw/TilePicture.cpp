//===- TilePicture.cpp - How the output is cut into tiles -----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Style.h"

#include "warpwright/Draw/Facts.h"
#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Plan/Plan.h"
#include "warpwright/Plan/Roles.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace warpwright {

namespace {

/// The coordinates along one direction that are shown: all of them, or the
/// first ones and the last two with a gap (-1) between them.
std::vector<int64_t> shown(int64_t Count, int64_t Most) {
  std::vector<int64_t> Result;
  if (Count <= Most) {
    for (int64_t I = 0; I < Count; ++I)
      Result.push_back(I);
    return Result;
  }
  for (int64_t I = 0; I < Most - 3; ++I)
    Result.push_back(I);
  Result.insert(Result.end(), {-1, Count - 2, Count - 1});
  return Result;
}

class TilePicture {
public:
  TilePicture(const KernelPlan &P, const PictureSubject &S)
      : P(P), S(S), Order(tileOrder(P, S.M, S.N)),
        C(picturePage("Tiles of " + S.C,
                      ("The output cut into cluster tiles, CTA tiles and " +
                       Twine(P.Multiply->Instruction) + " blocks")
                          .str())) {}

  std::string draw() {
    std::string Sentence = formatv("{0} is {1} x {2} here ({3}). {4} clusters "
                                   "run at a time on an H200, and "
                                   "each goes on to the tile {4} numbers "
                                   "further. The numbers run across a "
                                   "band before they go on along it, which "
                                   "keeps the tiles in flight close "
                                   "together: they share operands in L2.",
                                   S.C, S.M, S.N, S.SizesFrom, Order.InFlight);
    int Y = heading(C, S, P, ("How " + S.C + " is cut into tiles").c_str(),
                    Sentence);
    drawOutput(Y);
    int Next = drawCluster(Y);
    drawCta(Next);
    return C.finish();
  }

private:
  static constexpr int RightX = 800;
  const KernelPlan &P;
  const PictureSubject &S;
  TileOrder Order;
  SvgCanvas C;

  /// m runs down and n to the right, also if n is on the row side of WGMMA.
  int64_t tileM() const { return P.TileM * P.ClusterM; }
  int64_t tileN() const { return P.TileN * P.ClusterN; }
  int64_t numberAt(int64_t AtM, int64_t AtN) const {
    return P.SwapAB ? Order.indexOf(AtN, AtM) : Order.indexOf(AtM, AtN);
  }

  void drawOutput(int Y) {
    Y = subheading(C, PageLeft, Y,
                   "1. Cluster tiles, numbered as they are handed out");
    const int64_t Down = divideCeil(S.M, tileM());
    const int64_t Across = divideCeil(S.N, tileN());
    std::vector<int64_t> Ms = shown(Down, 20), Ns = shown(Across, 14);
    const int Left = PageLeft + 44, Top = Y + 40;
    const int CellW = std::clamp<int>(620 / int(Ns.size()), 40, 120);
    const int CellH = std::clamp<int>(500 / int(Ms.size()), 24, 80);
    C.text(Left, Y + 10, "n →", muted(11));
    C.text(PageLeft, Top - 6, "m ↓", muted(11));
    for (size_t J = 0; J < Ns.size(); ++J)
      if (Ns[J] >= 0)
        C.text(Left + int(J) * CellW + 2, Top - 6, Twine(Ns[J] * tileN()),
               small(TextStyle::Anchor::Start, Muted));
    for (size_t I = 0; I < Ms.size(); ++I)
      if (Ms[I] >= 0)
        C.text(Left - 6, Top + int(I) * CellH + 12, Twine(Ms[I] * tileM()),
               small(TextStyle::Anchor::End, Muted));
    int EndX = Left, EndY = Top; // the position of C within the cells
    std::vector<Visit> Visits;
    for (size_t I = 0; I < Ms.size(); ++I)
      for (size_t J = 0; J < Ns.size(); ++J) {
        int X = Left + int(J) * CellW, Top2 = Top + int(I) * CellH;
        if (Ms[I] < 0 || Ns[J] < 0)
          continue;
        int64_t Number = numberAt(Ms[I], Ns[J]);
        int64_t Band = (P.SwapAB ? Ns[J] : Ms[I]) / Order.Band;
        bool First = Number < Order.InFlight;
        // The part of the tile that is inside C.
        int64_t InM = std::min(tileM(), S.M - Ms[I] * tileM());
        int64_t InN = std::min(tileN(), S.N - Ns[J] * tileN());
        int H = std::max<int>(2, int(CellH * InM / tileM()));
        int W = std::max<int>(2, int(CellW * InN / tileN()));
        hatched(C, X, Top2, CellW, CellH);
        C.rect(X, Top2, W, H,
               First ? (Band % 2 ? "#6cc3a6" : OutFill)
                     : (Band % 2 ? "#d3dae0" : "#eceff2"));
        C.rect(X, Top2, CellW, CellH, "none", "#ffffff");
        EndX = std::max(EndX, X + W);
        EndY = std::max(EndY, Top2 + H);
        Visits.push_back({Number, X, Top2, CellW, CellH, W, H});
      }
    llvm::sort(Visits, [](const Visit &A, const Visit &B) {
      return A.Number < B.Number;
    });
    for (size_t V = 0; V < Visits.size(); ++V) {
      drawNumber(Visits[V]);
      if (V && Visits[V].Number == Visits[V - 1].Number + 1)
        drawStep(Visits[V - 1], Visits[V]);
    }
    drawGaps(Ms, Ns, Left, Top, CellW, CellH);
    // Draws a line where one band ends and the next begins.
    const std::vector<int64_t> &Along = P.SwapAB ? Ns : Ms;
    int Right = Left + CellW * int(Ns.size());
    int Bottom = Top + CellH * int(Ms.size());
    for (size_t I = 1; I < Along.size(); ++I)
      if (Along[I] > 0 && Along[I] % Order.Band == 0) {
        if (P.SwapAB)
          C.line(Left + int(I) * CellW, Top, Left + int(I) * CellW, Bottom, Ink,
                 2);
        else
          C.line(Left, Top + int(I) * CellH, Right, Top + int(I) * CellH, Ink,
                 2);
      }
    C.rect(Left, Top, EndX - Left, EndY - Top, "none", Ink, 2);
    C.rect(Left, Top, CellW, CellH, "none", "#d55e00", 3);

    int At = Bottom + 26;
    int X = legend(C, Left, At, OutFill, "runs in the first wave");
    X = legend(C, X, At, "#eceff2", "later");
    X = legend(C, X, At, "url(#hatch)", "outside " + S.C + ": not written");
    std::string Note = formatv(
        "{0} x {1} = {2} cluster tiles of {3} x {4}{5}. {6} of them along {7} "
        "make a band{8}.",
        Down, Across, Order.total(), tileM(), tileN(),
        S.Batch > 1 ? formatv(" in each of {0} batches", S.Batch).str() : "",
        Order.Band, rowIndex(P),
        Order.Rows > Order.Band
            ? "; the bands, shaded in turns, are swept one after the other"
            : "; here is only one");
    C.paragraph(Left, At + 12, RightX - Left - 60, Note, muted(11));
  }

  /// A tile that is shown: its cell, and the part of it that is inside C.
  struct Visit {
    int64_t Number;
    int X, Y, Width, Height, InsideWidth, InsideHeight;
    bool whole() const {
      return InsideWidth == Width && InsideHeight == Height;
    }
  };

  /// In the middle of the part inside C, or next to it if that is too small.
  void drawNumber(const Visit &V) {
    std::string Words = std::to_string(V.Number);
    const int RoomX = textWidth(Words, small()) + 4, RoomY = 14;
    int X = V.X + V.InsideWidth / 2, Y = V.Y + V.InsideHeight / 2;
    const bool Narrow = V.InsideWidth < RoomX, Low = V.InsideHeight < RoomY;
    if (Narrow)
      X = V.X + (V.InsideWidth + V.Width) / 2;
    if (Low)
      Y = V.Y + (V.InsideHeight + V.Height) / 2;
    if (Narrow || Low)
      C.rect(X - RoomX / 2, Y - RoomY / 2, RoomX, RoomY, "#ffffff");
    C.text(X, Y + 4, Words, small(TextStyle::Anchor::Middle));
  }

  /// An arrow from one number to the next, only between neighbouring complete
  /// cells.
  void drawStep(const Visit &From, const Visit &To) {
    if (!From.whole() || !To.whole())
      return;
    const int X = From.X + From.Width / 2, Y = From.Y + From.Height / 2;
    if (From.X == To.X && To.Y == From.Y + From.Height) {
      C.line(X, Y + 9, X, Y + From.Height - 9, Muted);
    } else if (From.Y == To.Y && To.X == From.X + From.Width) {
      int Gap = textWidth(std::to_string(To.Number), small()) / 2 + 4;
      if (From.Width > 2 * Gap + 4)
        C.line(X + Gap, Y, X + From.Width - Gap, Y, Muted);
    }
  }

  /// Dots in place of rows or columns of tiles that are left out.
  void drawGaps(ArrayRef<int64_t> Ms, ArrayRef<int64_t> Ns, int Left, int Top,
                int CellW, int CellH) {
    for (size_t I = 0; I < Ms.size(); ++I)
      for (size_t J = 0; J < Ns.size(); ++J)
        if ((Ms[I] < 0 && J % 3 == 1) || (Ns[J] < 0 && I % 3 == 1))
          C.text(Left + int(J) * CellW + CellW / 2,
                 Top + int(I) * CellH + CellH / 2 + 4, "...",
                 muted(12, TextStyle::Anchor::Middle));
  }

  /// Scales \p M by \p N elements into a box; returns width and height.
  static std::pair<int, int> fit(int64_t M, int64_t N, int W, int H) {
    int Width = W, Height = int(std::max<int64_t>(1, W * M / N));
    if (Height > H) {
      Height = H;
      Width = int(std::max<int64_t>(1, H * N / M));
    }
    return {std::max(Width, 40), std::max(Height, 40)};
  }

  int drawCluster(int Y) {
    Y = subheading(C, RightX, Y, "2. One cluster tile, as outlined in 1");
    int Top = Y + 14, Left = RightX + 56;
    auto [W, H] = fit(tileM(), tileN(), 280, 190);
    W = std::max<int>(W, 70 * int(P.ClusterN));
    H = std::max<int>(H, 34 * int(P.ClusterM));
    int CtaW = W / int(P.ClusterN), CtaH = H / int(P.ClusterM);
    const Layout Ranks = clusterRanks(P);
    for (int64_t I = 0; I < P.ClusterM; ++I)
      for (int64_t J = 0; J < P.ClusterN; ++J) {
        int64_t Rank = P.SwapAB ? Ranks({J, I}) : Ranks({I, J});
        int X = Left + int(J) * CtaW, CellY = Top + int(I) * CtaH;
        C.rect(X, CellY, CtaW, CtaH, OutFill, Ink);
        C.text(X + CtaW / 2, CellY + CtaH / 2 + 4, "CTA " + Twine(Rank),
               TextStyle{11, TextStyle::Anchor::Middle, true, false, nullptr});
      }
    for (int64_t I = 0; I <= P.ClusterM; ++I)
      C.text(Left - 10, Top + int(I) * CtaH + 4, Twine(I * P.TileM),
             small(TextStyle::Anchor::End, Muted));
    for (int64_t J = 0; J <= P.ClusterN; ++J)
      C.text(Left + int(J) * CtaW, Top - 9, Twine(J * P.TileN),
             small(TextStyle::Anchor::Middle, Muted));
    C.rect(Left, Top, CtaW, CtaH, "none", "#d55e00", 3);
    C.rect(Left - 4, Top - 4, CtaW * int(P.ClusterN) + 8,
           CtaH * int(P.ClusterM) + 8, "none", "#d55e00");
    const int Bottom = Top + CtaH * int(P.ClusterM);
    std::string Note;
    if (P.clusterSize() == 1)
      Note = formatv("No clusters: a tile of {0} (m) x {1} (n) for each CTA.",
                     P.TileM, P.TileN);
    else
      Note = formatv(
          "{0} CTAs of one cluster, a tile of {1} (m) x {2} (n) each. CTAs "
          "beside each other need the same part of one operand: each loads a "
          "share and multicasts it{3}{4}.",
          P.clusterSize(), P.TileM, P.TileN,
          P.Rows.Shares > 1 ? formatv("; {0} in {1} shares", arrayOf(S, P.Rows),
                                      P.Rows.Shares)
                                  .str()
                            : "",
          P.Cols.Shares > 1 ? formatv("; {0} in {1} shares", arrayOf(S, P.Cols),
                                      P.Cols.Shares)
                                  .str()
                            : "");
    return C.paragraph(RightX, Bottom + 12, 400, Note, muted(11)) + 22;
  }

  void drawCta(int Y) {
    Y = subheading(C, RightX, Y, "3. One CTA's tile, as outlined in 2");
    int Top = Y + 14, Left = RightX + 56;
    auto [W, H] = fit(P.TileM, P.TileN, 280, 220);
    const int64_t Blocks = P.tileRows() / WgmmaAtom::M;
    for (int64_t B = 0; B < Blocks; ++B) {
      int64_t Group = B / P.rowBlocks();
      int Begin = int((P.SwapAB ? W : H) * B / Blocks);
      int End = int((P.SwapAB ? W : H) * (B + 1) / Blocks);
      int X = Left + (P.SwapAB ? Begin : 0),
          BlockY = Top + (P.SwapAB ? 0 : Begin);
      int BW = P.SwapAB ? End - Begin : W, BH = P.SwapAB ? H : End - Begin;
      C.rect(X, BlockY, BW, BH, GroupFill[Group % 3], Ink);
      C.text(X + BW / 2, BlockY + BH / 2 + 4, "block " + Twine(B),
             small(TextStyle::Anchor::Middle));
    }
    C.rect(Left - 4, Top - 4, W + 8, H + 8, "none", "#d55e00");
    for (int64_t B = 0; B <= Blocks; ++B) {
      int At = int((P.SwapAB ? W : H) * B / Blocks);
      if (P.SwapAB)
        C.text(Left + At, Top - 9, Twine(B * WgmmaAtom::M),
               small(TextStyle::Anchor::Middle, Muted));
      else
        C.text(Left - 10, Top + At + 4, Twine(B * WgmmaAtom::M),
               small(TextStyle::Anchor::End, Muted));
    }
    if (P.SwapAB)
      C.text(Left - 10, Top + H, Twine(P.TileM),
             small(TextStyle::Anchor::End, Muted));
    else
      C.text(Left + W, Top - 9, Twine(P.TileN),
             small(TextStyle::Anchor::Middle, Muted));
    Y = Top + H + 24;
    for (const auto &[G, Who] :
         llvm::enumerate(P.Schedule->consumers(P, rowIndex(P)))) {
      legend(C, RightX, Y, GroupFill[G], Who);
      Y += 20;
    }
    std::string Note = formatv(
        "Each block of 64 along {0} is {1}, {2} of them for a stage of {3} "
        "of k; K = {4} takes {5}. {6}{7}",
        rowIndex(P), P.Multiply->ofBlock(P),
        P.TileK / P.InstructionK * P.Feed->productsOfOne(P), P.TileK, S.K,
        counted(divideCeil(S.K, P.TileK), "stage"), P.Schedule->meanwhile(),
        P.Feed->words(P, arrayOf(S, P.Rows), arrayOf(S, P.Cols)).Tile);
    C.paragraph(RightX, Y, 400, Note, muted(11));
  }
};

} // namespace

std::string drawTiles(const KernelPlan &P, const PictureSubject &S) {
  return TilePicture(P, S).draw();
}

} // namespace warpwright
