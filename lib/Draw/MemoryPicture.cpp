//===- MemoryPicture.cpp - The shared-memory map and the ring of stages ---===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Style.h"

#include "warpwright/Hopper/Machine.h"
#include "warpwright/Plan/Roles.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace llvm;

namespace warpwright {

namespace {

class MemoryPicture {
public:
  MemoryPicture(const KernelPlan &P, const PictureSubject &S)
      : P(P), S(S),
        Words(P.Feed->words(P, arrayOf(S, P.Rows), arrayOf(S, P.Cols))),
        C(picturePage(
            "Shared memory",
            "Map of one CTA's shared memory and the ring of stages")) {}

  std::string draw() {
    int Y = heading(
        C, S, P, "Where everything lies in shared memory",
        formatv("One CTA's {0} bytes, of {1} that it may have. The stages form "
                "a ring: the producer fills them one after the other, {2}the "
                "consumers empty them, and {3} barriers a stage say how far "
                "each is.",
                P.SmemBytes, Limits.MaxSmemPerCTA, Words.Memory,
                barriersAStage() == 3 ? "three" : "two")
            .str());
    Y = drawMap(Y);
    drawTable(Y);
    drawRing(Y);
    return C.finish();
  }

private:
  static constexpr int MapWidth = 1140, MapHeight = 56;
  const KernelPlan &P;
  const PictureSubject &S;
  const FeedWords Words;
  Machine Limits;
  SvgCanvas C;

  int at(int64_t Byte) const {
    return PageLeft + int(Byte * MapWidth / Limits.MaxSmemPerCTA);
  }

  int drawMap(int Y) {
    Y = subheading(C, PageLeft, Y, "1. The map, to scale");
    const int Top = Y + 8;
    hatched(C, PageLeft, Top, MapWidth, MapHeight);
    auto Piece = [&](int64_t Begin, int64_t Bytes, const char *Fill,
                     const Twine &Label) {
      int X = at(Begin), W = std::max(2, at(Begin + Bytes) - X);
      C.rect(X, Top, W, MapHeight, Fill, "#ffffff");
      std::string Words = Label.str();
      if (textWidth(Words, small()) <= W - 2)
        C.text(X + W / 2, Top + MapHeight / 2 + 4, Words,
               small(TextStyle::Anchor::Middle));
    };
    for (int64_t Stage = 0; Stage < P.Stages; ++Stage) {
      int64_t Base = Stage * P.StageBytes;
      Piece(Base + P.Rows.Offset, P.Rows.StageBytes, RowsFill,
            Twine(arrayOf(S, P.Rows)));
      Piece(Base + P.Cols.Offset, P.Cols.StageBytes, ColsFill,
            Twine(arrayOf(S, P.Cols)));
      C.line(at(Base), Top - 4, at(Base), Top + MapHeight + 4, Ink, 2);
      int Middle = (at(Base) + at(Base + P.StageBytes)) / 2;
      C.text(Middle, Top + MapHeight + 16,
             (P.Stages <= 8 ? "stage " : "") + Twine(Stage),
             small(TextStyle::Anchor::Middle, Muted));
    }
    const EpiloguePlan &E = P.Epilogue;
    int64_t Buffers = E.BufferBytes ? E.StagingBytes / E.BufferBytes : 0;
    for (int64_t B = 0; B < Buffers; ++B)
      Piece(E.StagingOffset + B * E.BufferBytes, E.BufferBytes, OutFill, S.C);
    if (Buffers) {
      C.line(at(E.StagingOffset), Top - 4, at(E.StagingOffset),
             Top + MapHeight + 4, Ink, 2);
      C.text((at(E.StagingOffset) + at(E.StagingOffset + E.StagingBytes)) / 2,
             Top + MapHeight + 16, "staging",
             small(TextStyle::Anchor::Middle, Muted));
    }
    if (extraBytes())
      Piece(Words.ExtraOffset, extraBytes(), "#f3dfea", "");
    if (P.ExchangeBytes)
      Piece(P.ExchangeOffset, P.ExchangeBytes, "#e4e9d4", "sums");
    // A part that is too narrow to be seen at true scale.
    C.rect(at(P.BarrierOffset), Top - 4, 4, MapHeight + 8, BarrierInk);
    C.rect(PageLeft, Top, MapWidth, MapHeight, "none", Ink);
    int Y2 = Top + MapHeight + 30;
    for (int64_t Mark = 0; Mark <= Limits.MaxSmemPerCTA; Mark += 32768) {
      C.line(at(Mark), Y2 - 4, at(Mark), Y2, Muted);
      C.text(at(Mark), Y2 + 11, Mark ? kib(Mark) : "0",
             small(TextStyle::Anchor::Middle, Muted));
    }
    C.line(PageLeft, Y2, PageLeft + MapWidth, Y2, Muted);
    int X = PageLeft, At = Y2 + 34;
    X = legend(C, X, At, RowsFill,
               arrayOf(S, P.Rows) + ", " + kib(P.Rows.StageBytes) + " a stage");
    X = legend(C, X, At, ColsFill,
               arrayOf(S, P.Cols) + ", " + kib(P.Cols.StageBytes) + " a stage");
    if (Buffers)
      X = legend(C, X, At, OutFill,
                 "staging of " + S.C + ", " + kib(E.StagingBytes));
    X = legend(C, X, At, BarrierInk,
               "barriers, " + Twine(P.SmemBytes - P.BarrierOffset) + " bytes");
    if (extraBytes())
      X = legend(C, X, At, "#f3dfea",
                 Words.ExtraName + ", " + Twine(extraBytes()) + " bytes");
    if (P.ExchangeBytes)
      X = legend(C, X, At, "#e4e9d4",
                 "exchanged sums, " + kib(P.ExchangeBytes));
    legend(C, X, At, "url(#hatch)",
           "free, " + Twine(Limits.MaxSmemPerCTA - P.SmemBytes) + " bytes");
    return At + 26;
  }

  int drawTable(int Y) {
    Y = subheading(C, PageLeft, Y, "2. Byte offsets");
    const int Columns[] = {PageLeft + 90, PageLeft + 190, PageLeft + 290,
                           PageLeft + 400, PageLeft + 510};
    auto Row = [&](ArrayRef<std::string> Cells, bool Head) {
      TextStyle Style;
      Style.Size = 11;
      Style.Bold = Head;
      C.text(PageLeft, Y + 14, Cells[0], Style);
      Style.At = TextStyle::Anchor::End;
      Style.Mono = !Head;
      for (size_t I = 1; I < Cells.size(); ++I)
        C.text(Columns[I], Y + 14, shortened(Cells[I], 94, Style), Style);
      Y += 19;
      C.line(PageLeft, Y, Columns[4], Y, Rule);
    };
    Row({"", arrayOf(S, P.Rows), arrayOf(S, P.Cols), "full barrier",
         "empty barrier"},
        true);
    int64_t Full = P.BarrierOffset, Each = barrierBytes();
    for (int64_t Stage = 0; Stage < P.Stages; ++Stage) {
      int64_t Base = Stage * P.StageBytes;
      Row({formatv("stage {0}", Stage), std::to_string(Base + P.Rows.Offset),
           std::to_string(Base + P.Cols.Offset),
           std::to_string(Full + Stage * Each),
           std::to_string(Full + (P.Stages + Stage) * Each)},
          false);
    }
    if (!Words.ExtraTable.empty())
      Y = C.paragraph(PageLeft, Y + 8, 510, Words.ExtraTable, muted(11)) - 8;
    const EpiloguePlan &E = P.Epilogue;
    if (!E.StagingBytes) {
      return C.paragraph(PageLeft, Y + 8, 510,
                         "No staging: every thread stores its elements itself.",
                         muted(11));
    }
    Y += 14;
    for (int64_t Group = 0; Group < P.storingConsumers(); ++Group) {
      std::string Where;
      for (int64_t B = 0; B < E.Buffers; ++B)
        Where += (B ? ", " : "") +
                 std::to_string(E.StagingOffset +
                                (Group * E.Buffers + B) * E.BufferBytes);
      C.text(PageLeft, Y + 14,
             formatv("staging of consumer warpgroup {0}", Group + 1),
             TextStyle{11, TextStyle::Anchor::Start, false, false, nullptr});
      TextStyle Right = mono(11);
      Right.At = TextStyle::Anchor::End;
      C.text(Columns[4], Y + 14, Where, Right);
      Y += 19;
      C.line(PageLeft, Y, Columns[4], Y, Rule);
    }
    return C.paragraph(
        PageLeft, Y + 8, 510,
        formatv("Each warpgroup stages slabs in {0} buffers of {1} in turn, so "
                "that one is filled while the other is on its way out.",
                E.Buffers, kib(E.BufferBytes))
            .str(),
        muted(11));
  }

  int64_t barriersAStage() const { return P.Feed->barriersAStage(); }
  /// Between the staging buffers and the barriers.
  int64_t extraBytes() const {
    return Words.ExtraName.empty()
               ? 0
               : P.BarrierOffset - P.ExchangeBytes - Words.ExtraOffset;
  }
  int64_t barrierBytes() const {
    return (P.SmemBytes - P.BarrierOffset) / (barriersAStage() * P.Stages);
  }
  static int64_t copiedBytes(const OperandPlan &O) {
    return O.BoxCount * O.Shares * O.BoxBytes;
  }

  static const char *fillOf(StageMoment::Kind K) {
    switch (K) {
    case StageMoment::Multiplied:
      return OutFill;
    case StageMoment::Rewritten:
      return "#f3dfea";
    case StageMoment::Full:
      return RowsFill;
    case StageMoment::Underway:
      return "#eceff2";
    case StageMoment::JustMultiplied:
      return "#fdebc8";
    }
    llvm_unreachable("unknown moment");
  }

  void drawRing(int Y) {
    const int Left = 640;
    Y = subheading(C, Left, Y, "3. The ring of stages");
    const int Radius = 118, Inner = 64;
    const int CX = Left + 150, CY = Y + Radius + 16;
    const double Pi = 3.14159265358979323846;
    auto Point = [&](double Turn, double R, const char *Lead) {
      double Angle = (Turn - 0.25) * 2 * Pi;
      // Whole pixels, so that every machine prints the same.
      return formatv("{0}{1} {2}", Lead, std::lround(CX + R * std::cos(Angle)),
                     std::lround(CY + R * std::sin(Angle)))
          .str();
    };
    const std::vector<StageMoment> Moments = P.Feed->moments(P);
    for (int64_t Stage = 0; Stage < P.Stages; ++Stage) {
      double From = double(Stage) / double(P.Stages);
      double To = double(Stage + 1) / double(P.Stages);
      int Large = To - From > 0.5;
      std::string Path = Point(From, Radius, "M") +
                         formatv("A{0} {0} 0 {1} 1", Radius, Large).str() +
                         Point(To, Radius, " ") + Point(To, Inner, "L") +
                         formatv("A{0} {0} 0 {1} 0", Inner, Large).str() +
                         Point(From, Inner, " ") + "z";
      C.raw("<path d=\"" + Path + "\" fill=\"" + fillOf(Moments[Stage].K) +
                "\" stroke=\"#ffffff\" stroke-width=\"2\"/>\n",
            CX + Radius, CY + Radius);
      double Angle = ((From + To) / 2 - 0.25) * 2 * Pi;
      C.text(int(std::lround(CX + 91 * std::cos(Angle))),
             int(std::lround(CY + 91 * std::sin(Angle))) + 4, Twine(Stage),
             TextStyle{12, TextStyle::Anchor::Middle, true, false, nullptr});
    }
    C.text(CX, CY - 4, counted(P.Stages, "stage"),
           TextStyle{12, TextStyle::Anchor::Middle, true, false, nullptr});
    C.text(CX, CY + 12, kib(P.StageBytes) + " each",
           muted(11, TextStyle::Anchor::Middle));
    const int TextX = CX + Radius + 34;
    int TextY = Y + 26;
    auto Item = [&](const char *Fill, const Twine &Words) {
      legend(C, TextX, TextY, Fill, Words);
      TextY += 21;
    };
    C.text(TextX, Y + 6, "A moment in the middle:", bold(11));
    for (int64_t Stage = 0; Stage < P.Stages; ++Stage)
      if (Stage == 0 || Moments[Stage].K != Moments[Stage - 1].K)
        Item(fillOf(Moments[Stage].K), Moments[Stage].Words);
    int Bottom = CY + Radius + 18;
    const int64_t Readers = P.consumersOfTile();
    TextStyle Plain;
    Plain.Size = 11;
    Bottom = C.paragraph(
        Left, Bottom, 560,
        formatv("full: {6} the stage after {5} (the producer's) "
                "and {0} bytes, which TMA counts: {1} of {2} and {3} of {4}.",
                P.TransactionBytes, copiedBytes(P.Rows), arrayOf(S, P.Rows),
                copiedBytes(P.Cols), arrayOf(S, P.Cols),
                counted(P.FullArrivals, "arrival"), Words.AfterFull)
            .str(),
        Plain);
    if (!Words.AfterReady.empty())
      Bottom = C.paragraph(Left, Bottom + 6, 560, Words.AfterReady, Plain);
    Bottom = C.paragraph(
        Left, Bottom + 6, 560,
        formatv(
            "empty: the producer may fill it again after {0} arrivals: one "
            "for each {3} of {1}{2}.",
            P.EmptyArrivals, counted(Readers, "warpgroup"),
            P.clusterSize() > 1
                ? formatv(" in each of the {0} CTAs, since all of them read "
                          "what it multicasts",
                          P.clusterSize())
                      .str()
                : "",
            Words.WhoReleases)
            .str(),
        Plain);
    C.paragraph(Left, Bottom + 6, 560, Words.Release, Plain);
  }
};

} // namespace

std::string drawMemory(const KernelPlan &P, const PictureSubject &S) {
  return MemoryPicture(P, S).draw();
}

} // namespace warpwright
