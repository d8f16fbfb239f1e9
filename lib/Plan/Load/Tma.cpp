//===- Tma.cpp - Load: boxes by TMA ---------------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Members.h"
#include "../ProtocolBuilder.h"
#include "../RuntimeComparison.h"
#include "../Validation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warpwright {

namespace {

/// One thread of the producer asks for the boxes of a stage, which TMA writes
/// to the CTAs of the cluster that need them.
class Tma final : public LoadRole {
public:
  Tma() : LoadRole("tma") {}

  Error divideBox(OperandPlan &O, ArrayRef<int64_t> Whole,
                  int64_t AtomRows) const override;
  void deriveShares(KernelPlan &P) const override;
  bool check(Validator &V, const OperandPlan &O, const StageFill &Fill,
             const char *Which) const override;
  void produce(ProtocolBuilder &B) const override;
  void members(MemberVisitor &V, OperandPlan &O) const override;
  void printOperand(raw_ostream &OS, const OperandPlan &O) const override;
  void compare(RuntimeComparison &C, const char *Which, const OperandPlan &O,
               const rt::operand_numbers &N) const override;
};

} // namespace

/// Each share is a slice of every box across its rows, whole atoms high, so
/// that it is one piece of memory in its own right.
Error Tma::divideBox(OperandPlan &O, ArrayRef<int64_t> Whole,
                     int64_t AtomRows) const {
  if (Whole[1] % (O.Shares * AtomRows))
    return layoutError("a box of " + Twine(Whole[1]) +
                       " rows cannot be shared by " + Twine(O.Shares) +
                       " CTAs");
  O.Box = {Whole[0], Whole[1] / O.Shares};
  O.BoxBytes = O.Box[0] * O.Box[1] * byteSize(O.Type);
  (O.Order == Major::K ? O.ShareStepRows : O.ShareStepK) =
      O.Shares > 1 ? O.Box[1] : 0;
  return Error::success();
}

/// The CTAs that share an index of mode \p Mode with the first one, one bit
/// each by rank, and how far the bits move from one index to the next.
static std::pair<int64_t, int64_t> multicast(const Layout &Ranks,
                                             unsigned Mode) {
  const Layout Others = Ranks.mode(1 - Mode);
  int64_t Mask = 0;
  for (int64_t I = 0; I < Others.size(); ++I)
    Mask |= int64_t(1) << Others(I);
  return {Mask, Ranks.mode(Mode).stride().value()};
}

void Tma::deriveShares(KernelPlan &P) const {
  // Ranks run along the rows of a cluster first.
  const Layout Ranks = Layout::compact({P.clusterRows(), P.clusterColumns()});
  std::tie(P.Rows.MulticastMask, P.Rows.MulticastStep) = multicast(Ranks, 0);
  std::tie(P.Cols.MulticastMask, P.Cols.MulticastStep) = multicast(Ranks, 1);
  P.FullArrivals = 1;
  P.TransactionBytes = filledBytes(P.Rows) + filledBytes(P.Cols);
}

static bool checkBox(Validator &V, const OperandPlan &O, const StageFill &Fill,
                     int64_t I, int64_t Share, std::vector<bool> &Written,
                     const char *Name) {
  const KernelPlan &P = V.P;
  const int64_t Bytes = byteSize(O.Type);
  const int64_t Base = I * O.BoxStepBytes + Share * O.BoxBytes;
  const int64_t Row0 = I * O.BoxStepRows + Share * O.ShareStepRows;
  const int64_t K0 = I * O.BoxStepK + Share * O.ShareStepK;
  // A swizzled box must start where the pattern does.
  if (Fill.Swizzle != SwizzleMode::None && Base % (8 * spanBytes(Fill.Swizzle)))
    return V.fail(Property::Copies,
                  Twine(Name) + ": a box starts inside an atom of the swizzle");
  for (int64_t Y = 0; Y < O.Box[1]; ++Y)
    for (int64_t X = 0; X < O.Box[0]; ++X) {
      const int64_t Row = Row0 + (O.Order == Major::K ? Y : X);
      const int64_t K = K0 + (O.Order == Major::K ? X : Y);
      const int64_t Address =
          byteSwizzle(Fill.Swizzle)(Base + (Y * O.Box[0] + X) * Bytes);
      if (Row < 0 || K < 0 || Row >= O.StoredExtent ||
          K >= P.TileK / O.Numbers || Fill.Offsets(Row, K) != Address)
        return V.fail(
            Property::Copies,
            formatv("{0}: TMA writes row {1}, k {2} to byte {3}, which "
                    "the layout has elsewhere",
                    Name, Row, K, Address));
      if (Written[Address / Bytes])
        return V.fail(Property::Copies, Twine(Name) + ": boxes overlap");
      Written[Address / Bytes] = true;
    }
  return true;
}

/// Every copy of every share against the layout, each byte once.
static bool checkCopies(Validator &V, const OperandPlan &O,
                        const StageFill &Fill, const char *Name) {
  const int64_t Bytes = byteSize(O.Type);
  if (O.Box.size() != 2 || O.Box[0] < 1 || O.Box[1] < 1 ||
      O.Box[0] > V.M.TmaBoxMax || O.Box[1] > V.M.TmaBoxMax)
    return V.fail(Property::Box, Twine(Name) +
                                     ": a box has 2 extents from 1 to " +
                                     Twine(V.M.TmaBoxMax));
  if (O.Box[0] * Bytes % V.M.TmaAlign)
    return V.fail(
        Property::Box,
        formatv("{0}: rows of {1} bytes in a box are not multiples of "
                "{2}",
                Name, O.Box[0] * Bytes, V.M.TmaAlign));
  if (Fill.Swizzle != SwizzleMode::None &&
      O.Box[0] * Bytes > spanBytes(Fill.Swizzle))
    return V.fail(Property::Box,
                  formatv("{0}: rows of {1} bytes in a box exceed the span of "
                          "swizzle {2}",
                          Name, O.Box[0] * Bytes, name(Fill.Swizzle)));
  if (O.BoxBytes != O.Box[0] * O.Box[1] * Bytes)
    return V.fail(Property::Box, Twine(Name) + ": a box does not have " +
                                     Twine(O.BoxBytes) + " bytes");
  if (O.BoxCount < 1 || O.BoxCount > 1 << 12 || O.Shares < 1 ||
      O.Shares > V.M.MaxPortableCluster)
    return V.fail(Property::Copies, Twine(Name) + ": " + Twine(O.BoxCount) +
                                        " boxes in " + Twine(O.Shares) +
                                        " shares");
  // A step that is not taken must not look as if it were.
  const int64_t Step =
      Fill.BoxStepBytes ? Fill.BoxStepBytes : O.BoxBytes * O.Shares;
  if (O.BoxStepBytes != Step ||
      (O.BoxCount == 1 && (O.BoxStepRows || O.BoxStepK)) ||
      (O.Shares == 1 && (O.ShareStepRows || O.ShareStepK)))
    return V.fail(Property::Copies,
                  Twine(Name) + ": boxes and shares do not follow each other");
  // The boxes of one array follow each other, and are as many as of any other.
  if (O.BoxCount % O.Sources ||
      (O.Sources > 1 &&
       O.BoxCount / O.Sources * O.BoxStepRows * O.Sources != O.TileExtent))
    return V.fail(
        Property::Copies,
        formatv("{0}: {1} boxes, {2} rows apart, do not bring as many "
                "rows of each of {3} arrays",
                Name, O.BoxCount, O.BoxStepRows, O.Sources));
  std::vector<bool> Written(Fill.Elements);
  for (int64_t I = 0; I < O.BoxCount; ++I)
    for (int64_t Share = 0; Share < O.Shares; ++Share)
      if (!checkBox(V, O, Fill, I, Share, Written, Name))
        return false;
  if (llvm::count(Written, true) !=
      Fill.Offsets.rows() * Fill.Offsets.columns())
    return V.fail(Property::Copies,
                  Twine(Name) + ": the boxes do not cover the tile");
  return true;
}

/// The mask of each CTA's row (or column) of the cluster names exactly the CTAs
/// in that row: they need the same operand, and nobody else does.
static bool checkMulticast(Validator &V, const OperandPlan &O,
                           const char *Name) {
  const KernelPlan &P = V.P;
  const bool IsRows = &O == &P.Rows;
  if (O.Shares != (IsRows ? P.clusterColumns() : P.clusterRows()))
    return V.fail(Property::Multicast,
                  formatv("{0}: {1} shares in a cluster of {2} by {3}", Name,
                          O.Shares, P.clusterRows(), P.clusterColumns()));
  auto GroupOf = [&](int64_t Rank) {
    return IsRows ? Rank % P.clusterRows() : Rank / P.clusterRows();
  };
  const int64_t Groups = IsRows ? P.clusterRows() : P.clusterColumns();
  if (O.MulticastStep < 1 || O.MulticastStep > 16)
    return V.fail(Property::Multicast, Twine(Name) + ": masks " +
                                           Twine(O.MulticastStep) +
                                           " bits apart");
  // One row needs no step; what is there is that of the ranks.
  if (O.MulticastStep != (IsRows ? 1 : P.clusterRows()))
    return V.fail(Property::Multicast,
                  formatv("{0}: masks are {1} bits apart, ranks {2}", Name,
                          O.MulticastStep, IsRows ? 1 : P.clusterRows()));
  for (int64_t Group = 0; Group < Groups; ++Group) {
    int64_t Need = 0;
    for (int64_t Rank = 0; Rank < P.clusterSize(); ++Rank)
      Need |= int64_t(GroupOf(Rank) == Group) << Rank;
    if (O.MulticastMask << (Group * O.MulticastStep) != Need)
      return V.fail(Property::Multicast,
                    formatv("{0}: {1} {2} of the cluster loads for the CTAs of "
                            "mask {3:x}, but those of mask {4:x} need it",
                            Name, IsRows ? "row" : "column", Group,
                            O.MulticastMask << (Group * O.MulticastStep),
                            Need));
  }
  return true;
}

bool Tma::check(Validator &V, const OperandPlan &O, const StageFill &Fill,
                const char *Which) const {
  return checkCopies(V, O, Fill, Which) && checkMulticast(V, O, Which);
}

static void copy(ProtocolBuilder &B, Site Where, const OperandPlan &O,
                 int32_t Group, int64_t Block) {
  const int32_t Stage = Block % B.Stages;
  const int64_t Mask = O.Shares > 1
                           ? O.MulticastMask << (Group * O.MulticastStep)
                           : int64_t(1) << B.CTA;
  for (int64_t Box = 0; Box < O.BoxCount; ++Box) {
    ProtocolOp &Op = B.add(ProtocolOp::Copy, Where);
    Op.Phase = Block / B.Stages;
    Op.Bytes = O.BoxBytes;
    Op.Tag = int32_t(Block);
    for (int32_t Target = 0; Target < B.CTAs; ++Target)
      if (Mask >> Target & 1) {
        Op.Targets.push_back(B.full(Target, Stage));
        Op.Buffers.push_back(Where == Site::CopyRows
                                 ? B.P.Feed->rowsBuffer(B, Target, Stage)
                                 : B.perStage(Target, Stage));
      }
  }
}

/// The producer takes the columns of a stage's blocks in order, one round of
/// the ring after the other. A fresh barrier counts as past its parity 1, which
/// frees the first round.
void Tma::produce(ProtocolBuilder &B) const {
  const int32_t Rank = B.CTA, Rows = int32_t(B.P.clusterRows());
  for (int64_t Block = 0; Block < B.Run.blocks(); ++Block) {
    const int32_t Round = Block / B.Stages;
    B.wait(Site::WaitEmpty, B.empty(B.CTA, Block), Round - 1);
    ProtocolOp &Op = B.add(ProtocolOp::Arrive, Site::ExpectBytes);
    Op.Targets = {B.full(B.CTA, Block)};
    Op.Phase = Round;
    Op.Count = 1;
    Op.Bytes = B.P.TransactionBytes;
    copy(B, Site::CopyRows, B.P.Rows, Rank % Rows, Block);
    copy(B, Site::CopyColumns, B.P.Cols, Rank / Rows, Block);
  }
}

void Tma::members(MemberVisitor &V, OperandPlan &O) const {
  V.number("shares", O.Shares);
  V.numbers("multicast", {&O.MulticastMask, &O.MulticastStep});
  O.Box.resize(2);
  V.numbers("box", {&O.Box[0], &O.Box[1]});
  V.number("boxes", O.BoxCount);
  V.number("box_bytes", O.BoxBytes);
  V.numbers("box_step", {&O.BoxStepRows, &O.BoxStepK, &O.BoxStepBytes});
  V.numbers("share_step", {&O.ShareStepRows, &O.ShareStepK});
}

void Tma::printOperand(raw_ostream &OS, const OperandPlan &O) const {
  OS << formatv("    tma    box {0}x{1}, {2} of {3} bytes", O.Box[0], O.Box[1],
                O.BoxCount, O.BoxBytes);
  if (O.Sources > 1)
    OS << formatv(", from {0} arrays", O.Sources);
  if (O.Shares > 1)
    OS << formatv(", multicast, 1/{0} per CTA", O.Shares);
  OS << '\n';
}

void Tma::compare(RuntimeComparison &C, const char *Which, const OperandPlan &O,
                  const rt::operand_numbers &N) const {
  auto Number = [&](const char *Member, int64_t Planned, int64_t Derived) {
    C.number(Twine(Which) + "." + Member, Planned, Derived);
  };
  Number("box_inner", O.Box[0], N.box_inner);
  Number("box_outer", O.Box[1], N.box_outer);
  Number("box_bytes", O.BoxBytes, N.box_bytes);
  Number("boxes", O.BoxCount, N.boxes);
  Number("source_boxes", O.BoxCount / O.Sources, N.source_boxes);
  Number("box_step_x", O.BoxStepRows, N.box_step_x);
  Number("box_step_k", O.BoxStepK, N.box_step_k);
  if (O.BoxCount > 1)
    Number("box_step_bytes", O.BoxStepBytes, N.box_step_bytes);
  Number("shares", O.Shares, N.shares);
  Number("share_step_x", O.ShareStepRows, N.share_step_x);
  Number("share_step_k", O.ShareStepK, N.share_step_k);
  Number("multicast_mask", O.MulticastMask, N.multicast_mask);
  Number("multicast_step", O.MulticastStep, N.multicast_step);
}

const LoadRole &tmaLoad() {
  static const Tma Choice;
  return Choice;
}

} // namespace warpwright
