//===- OperandPicture.cpp - What wgmma reads: steps and descriptors -------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Style.h"

#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Plan/Roles.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warpwright {

namespace {

class OperandPicture {
public:
  OperandPicture(const KernelPlan &P, const PictureSubject &S)
      : P(P), S(S), KPer(P.InstructionK), Steps(P.TileK / KPer),
        C(picturePage((P.Multiply->Instruction + Twine("'s operands")).str(),
                      ("Both operand tiles cut into the pieces that one " +
                       Twine(P.Multiply->Instruction) +
                       " reads, and their descriptors")
                          .str())) {}

  std::string draw() {
    const FeedWords Words =
        P.Feed->words(P, arrayOf(S, P.Rows), arrayOf(S, P.Cols));
    int Y = heading(
        C, S, P,
        ("What each " + Twine(P.Multiply->Instruction) + " reads").str(),
        formatv("{3} A stage holds {0} steps of {1} "
                "along k{4}.{2}",
                Steps, KPer, Words.Pieces, Words.Operands,
                P.Feed->throughRegisters(P, P.Cols)
                    ? ""
                    : "; a step moves the start address, nothing else")
            .str());
    Y = drawOperand(P.Rows, true, Y);
    drawOperand(P.Cols, false, Y);
    return C.finish();
  }

private:
  const KernelPlan &P;
  const PictureSubject &S;
  const int64_t KPer, Steps;
  SvgCanvas C;

  int drawOperand(const OperandPlan &O, bool IsRows, int Y) {
    const bool Shared = P.consumersOfTile() > 1 || P.ConsumerWarpgroups == 1;
    const bool Rounded = P.Feed->throughRegisters(P, O);
    const int64_t Blocks = IsRows ? P.tileRows() / WgmmaAtom::M : 1;
    const int64_t BlockExtent = IsRows ? WgmmaAtom::M : P.InstructionN;
    Y = subheading(
        C, PageLeft, Y,
        formatv("{0}: {1} of {6} by {2} of k in one stage, read as {3} of "
                "{4} by {5}",
                arrayOf(S, O), O.TileExtent, P.TileK,
                counted(Blocks * Steps, "piece"), BlockExtent, KPer,
                indexOf(O)));
    const int Left = PageLeft + 60, Top = Y + 26;
    const int CellW = 104;
    const int CellH = IsRows ? (Blocks > 3 ? 44 : 60) : 110;
    C.text(Left, Top - 18, "k →", muted(11));
    C.text(Left - 8, Top - 6, Twine(indexOf(O)) + " ↓",
           muted(11, TextStyle::Anchor::End));
    for (int64_t Step = 0; Step < Steps; ++Step)
      C.text(Left + int(Step) * CellW + 2, Top - 4, Twine(Step * KPer),
             small(TextStyle::Anchor::Start, Muted));
    for (int64_t B = 0; B < Blocks; ++B) {
      int64_t Group = IsRows && Shared ? B / P.rowBlocks() : -1;
      int CellY = Top + int(B) * CellH;
      C.text(Left - 8, CellY + 12, Twine(B * BlockExtent),
             small(TextStyle::Anchor::End, Muted));
      for (int64_t Step = 0; Step < Steps; ++Step) {
        int X = Left + int(Step) * CellW;
        const char *Fill = Group >= 0 ? GroupFill[Group % 3]
                           : IsRows   ? RowsFill
                                      : ColsFill;
        C.rect(X, CellY, CellW, CellH, Fill, "#ffffff", 2);
        int64_t Start = O.Offset + B * (IsRows ? O.RowBlockBytes : 0) +
                        O.startOfStep(Step, KPer);
        C.text(X + CellW / 2, CellY + CellH / 2 - 2, "k step " + Twine(Step),
               TextStyle{11, TextStyle::Anchor::Middle, false, false, nullptr});
        C.text(X + CellW / 2, CellY + CellH / 2 + 13,
               Rounded ? Twine("registers") : "byte " + Twine(Start),
               TextStyle{11, TextStyle::Anchor::Middle, true, false, nullptr});
      }
    }
    int Bottom = Top + int(Blocks) * CellH;
    C.rect(Left, Top, CellW * int(Steps), Bottom - Top, "none", Ink);
    Bottom += 20;
    if (IsRows && P.consumersOfTile() > 1) {
      int X = Left;
      for (int64_t G = 0; G < P.consumersOfTile(); ++G)
        X = legend(C, X, Bottom, GroupFill[G], P.Schedule->whoHas(P, G));
      Bottom += 16;
    }
    std::string Note =
        IsRows
            ? formatv("Every {0} bytes a step of k{1}. {2}", O.KStepBytes,
                      Blocks > 1 ? formatv(", every {0} bytes a block of 64",
                                           O.RowBlockBytes)
                                       .str()
                                 : "",
                      P.Schedule->readers())
                  .str()
            : formatv("Every {0} bytes a step of k. All consumers read all of "
                      "it: {1} columns in one instruction.",
                      O.KStepBytes, P.InstructionN)
                  .str();
    const std::string OfFeed = P.Feed->readNote(P, O, arrayOf(S, O));
    Note = Rounded ? OfFeed : Note + OfFeed;
    Bottom = C.paragraph(Left, Bottom - 8, std::max(CellW * int(Steps), 416),
                         Note, muted(11));
    int Right = Rounded ? 0 : drawDescriptor(O, Top - 24);
    return std::max(Bottom, Right) + 26;
  }

  int drawDescriptor(const OperandPlan &O, int Y) {
    const int Left = 640, Width = 560, Height = 34;
    SmemDescriptor D;
    D.Mode = O.Swizzle;
    D.Order = P.Feed->readOrder(O);
    D.Bits = P.multiplied().bits();
    D.LeadingBytes = O.LeadingBytes;
    D.StrideBytes = O.StrideBytes;
    const uint64_t Value = D.encode(uint32_t(O.Offset));
    C.text(Left, Y + 12,
           "Descriptor of the first piece, stage 0: " +
               Twine(formatv("{0:x16}", Value).str()),
           bold(12));
    struct Field {
      int High, Low;
      const char *Name, *Fill;
    };
    const Field Fields[] = {{63, 62, "mode", OutFill},
                            {61, 49, "0", "#f4f5f7"},
                            {45, 32, "stride / 16", ColsFill},
                            {29, 16, "leading / 16", RowsFill},
                            {13, 0, "start / 16", BarrierFill}};
    const int Top = Y + 34;
    C.rect(Left, Top, Width, Height, "#f4f5f7", Ink);
    auto X = [&](int BitsFromTop) { return Left + BitsFromTop * Width / 64; };
    for (const Field &F : Fields) {
      int From = X(63 - F.High), To = X(64 - F.Low);
      C.rect(From, Top, To - From, Height, F.Fill, Ink);
      uint64_t Bits = Value >> F.Low;
      if (F.High - F.Low < 63)
        Bits &= (uint64_t(1) << (F.High - F.Low + 1)) - 1;
      C.text((From + To) / 2, Top + 21, Twine(Bits),
             TextStyle{11, TextStyle::Anchor::Middle, true, false, nullptr});
      if (F.High != 61)
        C.text((From + To) / 2, Top + Height + 13, F.Name,
               small(TextStyle::Anchor::Middle));
      C.text(From, Top - 4, Twine(F.High),
             small(TextStyle::Anchor::Start, Muted));
      if (F.High - F.Low > 8)
        C.text(To, Top - 4, Twine(F.Low), small(TextStyle::Anchor::End, Muted));
    }
    Y = Top + Height + 22;
    const bool KInner = D.Order == Major::K;
    auto Line = [&](const char *Name, int64_t Bytes, const Twine &Meaning) {
      C.text(Left, Y + 11, Name, bold(11));
      TextStyle Right = mono(11);
      Right.At = TextStyle::Anchor::End;
      C.text(Left + 130, Y + 11, Twine(Bytes), Right);
      Y = C.paragraph(
              Left + 142, Y, Width - 142, Meaning,
              TextStyle{11, TextStyle::Anchor::Start, false, false, nullptr}) +
          4;
    };
    const int64_t Span = spanBytes(O.Swizzle) * 8 / D.Bits;
    Line("start", O.Offset,
         "bytes: where the piece begins, within the stage and before the "
         "swizzle, which permutes the whole address");
    Line("leading (LBO)", O.LeadingBytes,
         KInner ? Twine("not used: a row of k fits in the swizzle's width")
         : P.tileColumns() <= Span && &O == &P.Cols
             ? Twine("bytes to the next block of ") + Twine(Span) + " " +
                   indexOf(O) + "; the instruction needs only one"
             : Twine("bytes to the next block of ") + Twine(Span) + " " +
                   indexOf(O));
    Line("stride (SBO)", O.StrideBytes,
         KInner ? Twine("bytes to the next 8 ") + indexOf(O) + ": 8 rows of " +
                      Twine(spanBytes(O.Swizzle))
                : Twine("bytes to the next 8 of k: 8 rows of ") +
                      Twine(spanBytes(O.Swizzle)));
    Line("mode", int64_t(Value >> 62),
         "swizzle of " + Twine(spanBytes(O.Swizzle)) + " bytes");
    return Y;
  }
};

} // namespace

std::string drawOperands(const KernelPlan &P, const PictureSubject &S) {
  return OperandPicture(P, S).draw();
}

} // namespace warpwright
