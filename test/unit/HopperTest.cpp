//===- HopperTest.cpp - The machine as data -------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Hopper/Epilogue.h"
#include "warpwright/Hopper/Machine.h"
#include "warpwright/Hopper/Tma.h"
#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Layout/Expression.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace warpwright;

namespace {

constexpr SwizzleMode AllModes[] = {SwizzleMode::None, SwizzleMode::B32,
                                    SwizzleMode::B64, SwizzleMode::B128};

SmemLayout tile(Major Order, SwizzleMode Mode, int64_t Rows, int64_t Depth,
                unsigned Bits = 16) {
  return cantFail(smemTile(Order, Mode, Bits, Rows, Depth));
}

std::string reason(Error E) { return toString(std::move(E)); }

TEST(HopperSmem, PublishedAtoms) {
  const char *KMajor[] = {
      "S<0,4,3> o 0 o (8,8):(8,1)", "S<1,4,3> o 0 o (8,16):(16,1)",
      "S<2,4,3> o 0 o (8,32):(32,1)", "S<3,4,3> o 0 o (8,64):(64,1)"};
  const char *MNMajor[] = {
      "S<0,4,3> o 0 o (8,8):(1,8)", "S<1,4,3> o 0 o (16,8):(1,16)",
      "S<2,4,3> o 0 o (32,8):(1,32)", "S<3,4,3> o 0 o (64,8):(1,64)"};
  for (SwizzleMode Mode : AllModes) {
    EXPECT_EQ(smemAtom(Major::K, Mode, 16).str(), KMajor[int(Mode)]);
    EXPECT_EQ(smemAtom(Major::MN, Mode, 16).str(), MNMajor[int(Mode)]);
  }
  EXPECT_EQ(smemAtom(Major::K, SwizzleMode::B128, 16).Elements.str(),
            "S<3,3,3> o 0 o (8,64):(64,1)");
  EXPECT_EQ(smemAtom(Major::K, SwizzleMode::B128, 32).Elements.str(),
            "S<3,2,3> o 0 o (8,32):(32,1)");
  EXPECT_EQ(smemAtom(Major::K, SwizzleMode::B128, 8).Elements.str(),
            "S<3,4,3> o 0 o (8,128):(128,1)");
}

TEST(HopperSmem, PublishedStagedTile) {
  SmemLayout T = tile(Major::K, SwizzleMode::B128, 128, 64);
  EXPECT_EQ(T.str(), "S<3,4,3> o 0 o ((8,16),(64,1)):((64,512),(1,0))");
  EXPECT_EQ(cantFail(stagedTile(T, 7)).str(),
            "S<3,4,3> o 0 o ((8,16),(64,1),(1,7)):((64,512),(1,0),(0,8192))");
  EXPECT_EQ(T.bytes(), 16384);
  EXPECT_TRUE(isBijective(T.Elements));
}

TEST(HopperSmem, SwizzleFollowsTheContiguousExtent) {
  EXPECT_EQ(cantFail(widestSwizzle(64, 16)), SwizzleMode::B128);
  EXPECT_EQ(cantFail(widestSwizzle(96, 16)), SwizzleMode::B64);
  EXPECT_EQ(cantFail(widestSwizzle(48, 16)), SwizzleMode::B32);
  EXPECT_EQ(cantFail(widestSwizzle(40, 16)), SwizzleMode::None);
  EXPECT_EQ(reason(widestSwizzle(12, 16).takeError()),
            "a contiguous extent of 12 elements is not a multiple of 16 bytes");
}

TEST(HopperWgmma, PublishedThreadValueLayouts) {
  WgmmaAtom Atom = cantFail(WgmmaAtom::create(128, 16));
  EXPECT_EQ(Atom.Threads.str(), "128:1");
  EXPECT_EQ(Atom.A.str(), "(128,(64,16)):(0,(1,64))");
  EXPECT_EQ(Atom.B.str(), "(128,(128,16)):(0,(1,128))");
  EXPECT_EQ(Atom.C.str(), "((4,8,4),(2,2,16)):((128,1,16),(64,8,512))");
  EXPECT_EQ(Atom.accumulators(), 64);
  EXPECT_EQ(Atom.ARegisters.str(), "((4,8,4),(2,2,2)):((128,1,16),(64,8,512))");
  EXPECT_EQ(cantFail(WgmmaAtom::create(8, 32)).ARegisters.str(),
            "((4,8,4),(2,2)):((64,1,16),(8,256))");
  EXPECT_EQ(cantFail(WgmmaAtom::create(8, 8)).ARegisters.str(),
            "((4,8,4),(4,2,2)):((256,1,16),(64,8,1024))");
  EXPECT_TRUE(errorToBool(WgmmaAtom::create(12, 16).takeError()));
  EXPECT_TRUE(errorToBool(WgmmaAtom::create(264, 16).takeError()));
  EXPECT_TRUE(errorToBool(WgmmaAtom::create(64, 64).takeError()));
}

// d[i] of thread 32w + l is row 16w + l/4 + 8((i>>1)&1), column
// 8(i>>2) + 2(l%4) + (i&1).
TEST(HopperWgmma, AccumulatorFragment) {
  for (int64_t N : {8, 64, 256}) {
    WgmmaAtom Atom = cantFail(WgmmaAtom::create(N, 16));
    EXPECT_TRUE(isBijective(Atom.C));
    for (int64_t T = 0; T < 128; ++T)
      for (int64_t I = 0; I < N / 2; ++I) {
        int64_t Row = T / 32 * 16 + T % 32 / 4 + 8 * (I >> 1 & 1);
        int64_t Column = 8 * (I >> 2) + 2 * (T % 4) + (I & 1);
        ASSERT_EQ(Atom.C({T, I}), Row + 64 * Column);
      }
  }
}

TEST(HopperWgmma, DescriptorOfKMajorTiles) {
  OperandAccess A = cantFail(
      accessOf(tile(Major::K, SwizzleMode::B128, 128, 64), Major::K, 64));
  EXPECT_EQ(A.Descriptor.StrideBytes, 1024);
  EXPECT_EQ(A.KSteps.str(), "4:32");
  EXPECT_EQ(A.RowBlocks.str(), "2:8192");
  // Start 0x400; LBO 1 and SBO 64 in units of 16 bytes; 128-byte swizzle.
  EXPECT_EQ(A.Descriptor.encode(0x400), 0x4000004000010040u);

  A = cantFail(
      accessOf(tile(Major::K, SwizzleMode::B64, 64, 32), Major::K, 64));
  EXPECT_EQ(A.Descriptor.StrideBytes, 512);
  EXPECT_EQ(A.Descriptor.encode(0) >> 62, 2u);
  A = cantFail(
      accessOf(tile(Major::K, SwizzleMode::B32, 64, 16), Major::K, 64));
  EXPECT_EQ(A.Descriptor.StrideBytes, 256);
  EXPECT_EQ(A.Descriptor.encode(0) >> 62, 3u);

  // Without swizzle the leading offset is from one 16-byte column of all rows
  // to the next.
  A = cantFail(
      accessOf(tile(Major::K, SwizzleMode::None, 128, 64), Major::K, 64));
  EXPECT_EQ(A.Descriptor.StrideBytes, 128);
  EXPECT_EQ(A.Descriptor.LeadingBytes, 128 * 16);
  EXPECT_EQ(A.KSteps.str(), "4:4096");

  EXPECT_EQ(A.Descriptor.encode(0) >> 62, 0u);

  // 128 deep: the k steps run through two atoms.
  A = cantFail(
      accessOf(tile(Major::K, SwizzleMode::B128, 64, 128), Major::K, 64));
  EXPECT_EQ(A.KSteps.str(), "(4,2):(32,8192)");
}

TEST(HopperWgmma, DescriptorOfMNMajorTiles) {
  // 256 columns of B, 64 deep: blocks of 64 columns, one per TMA box.
  OperandAccess B = cantFail(
      accessOf(tile(Major::MN, SwizzleMode::B128, 256, 64), Major::MN, 256));
  EXPECT_EQ(B.Descriptor.LeadingBytes, 64 * 128);
  EXPECT_EQ(B.Descriptor.StrideBytes, 1024);
  EXPECT_EQ(B.KSteps.str(), "4:2048");
  EXPECT_EQ(B.RowBlocks.str(), "1:0");
  OperandAccess A = cantFail(
      accessOf(tile(Major::MN, SwizzleMode::B128, 128, 64), Major::MN, 64));
  EXPECT_EQ(A.RowBlocks.str(), "2:8192");
  EXPECT_EQ(cantFail(accessOf(tile(Major::MN, SwizzleMode::B64, 96, 64),
                              Major::MN, 96))
                .KSteps.str(),
            "4:1024");
  EXPECT_EQ(cantFail(accessOf(tile(Major::MN, SwizzleMode::B32, 48, 64),
                              Major::MN, 48))
                .KSteps.str(),
            "4:512");
}

// Every legal operand, including A's 64 rows and each size of B: accessOf
// itself compares all bytes with the documented addressing, so it is enough
// that it succeeds.
TEST(HopperWgmma, EveryLegalTileHasADescriptor) {
  unsigned Count = 0;
  for (unsigned Bits : {8u, 16u, 32u})
    for (Major Order : {Major::K, Major::MN}) {
      if (Order == Major::MN && Bits != 16)
        continue;
      for (SwizzleMode Mode : AllModes)
        for (int64_t Rows = 8; Rows <= 256; Rows += 8)
          for (int64_t DepthBytes : {32, 64, 128, 256}) {
            int64_t Depth = DepthBytes * 8 / Bits;
            Expected<SmemLayout> T = smemTile(Order, Mode, Bits, Rows, Depth);
            if (!T) { // the atom does not divide the tile
              consumeError(T.takeError());
              continue;
            }
            Expected<OperandAccess> A = accessOf(*T, Order, Rows);
            if (!A)
              ADD_FAILURE() << T->str() << ": " << reason(A.takeError());
            ++Count;
          }
    }
  // K-major: 13 pairs of span and depth for 32 sizes and 3 widths; MN-major: 60
  // pairs of span and rows for 4 depths.
  EXPECT_EQ(Count, 13u * 32 * 3 + 60 * 4);
}

TEST(HopperWgmma, RefusesWhatNoDescriptorExpresses) {
  auto Refuse = [](StringRef Text, Major Order, int64_t Rows) {
    SmemLayout T{cantFail(evaluateLayout(Text)), 16};
    Expected<OperandAccess> A = accessOf(T, Order, Rows);
    return A ? std::string("accepted") : reason(A.takeError());
  };
  // A swizzle in elements that acts on bits which no hardware swizzle uses.
  EXPECT_EQ(Refuse("S<3,4,3> o 0 o (64,64):(64,1)", Major::K, 64),
            "the hardware has no swizzle S<3,5,3> on bytes");
  // Rows padded to 72 elements.
  EXPECT_EQ(Refuse("(64,64):(72,1)", Major::K, 64),
            "no descriptor expresses (64,64):(72,1): row 1, k 0 is at byte "
            "144, but wgmma would read byte 16");
  // Groups of 8 rows at uneven distances.
  EXPECT_EQ(
      Refuse("S<3,3,3> o 0 o ((8,4,2),64):((64,512,4096),1)", Major::K, 64),
      "groups of 8 rows are not evenly spaced: (4,2):(512,4096)");
  // An instruction's rows must divide the tile.
  EXPECT_EQ(Refuse("S<3,3,3> o 0 o (96,64):(64,1)", Major::K, 64),
            "instructions of 64 by 16 do not divide the tile (96,64):(64,1)");
  // K-major data read as MN-major.
  EXPECT_NE(Refuse("S<3,3,3> o 0 o (64,64):(64,1)", Major::MN, 64), "accepted");
  EXPECT_EQ(reason(accessOf(tile(Major::MN, SwizzleMode::B128, 64, 8, 32),
                            Major::MN, 64)
                       .takeError()),
            "only 16-bit operands may be contiguous along rows");
}

TEST(HopperTma, BoxesFollowFromTheLayout) {
  TmaBoxes B =
      cantFail(tmaBoxes(tile(Major::K, SwizzleMode::B128, 128, 64), Major::K));
  EXPECT_EQ(B.Box, (std::vector<int64_t>{64, 128}));
  EXPECT_EQ(B.Count, 1);
  EXPECT_EQ(B.Bytes, 16384);

  B = cantFail(
      tmaBoxes(tile(Major::MN, SwizzleMode::B128, 256, 64), Major::MN));
  EXPECT_EQ(B.Box, (std::vector<int64_t>{64, 64}));
  EXPECT_EQ(B.Count, 4);
  EXPECT_EQ(B.Bytes, 8192);
  EXPECT_EQ(B.Starts[3], (std::pair<int64_t, int64_t>{192, 0}));

  // 128 deep: two columns of atoms.
  B = cantFail(tmaBoxes(tile(Major::K, SwizzleMode::B128, 64, 128), Major::K));
  EXPECT_EQ(B.Box, (std::vector<int64_t>{64, 64}));
  EXPECT_EQ(B.Starts[1], (std::pair<int64_t, int64_t>{0, 64}));

  B = cantFail(tmaBoxes(tile(Major::K, SwizzleMode::None, 64, 64), Major::K));
  EXPECT_EQ(B.Box, (std::vector<int64_t>{8, 64}));
  EXPECT_EQ(B.Count, 8);
}

TEST(HopperTma, RefusesWhatTmaCannotWrite) {
  auto Refuse = [](StringRef Text, Major Order) {
    SmemLayout T{cantFail(evaluateLayout(Text)), 16};
    Expected<TmaBoxes> B = tmaBoxes(T, Order);
    return B ? std::string("accepted") : reason(B.takeError());
  };
  EXPECT_EQ(Refuse("S<3,3,3> o 0 o (64,128):(128,1)", Major::K),
            "rows of 256 bytes exceed the span of swizzle 128b");
  EXPECT_EQ(Refuse("S<3,3,3> o 0 o (64,64):(1,64)", Major::K),
            "the tile (64,64):(1,64) is not contiguous along k");
  EXPECT_EQ(Refuse("(64,64):(72,1)", Major::K),
            "the tile (64,64):(72,1) is not compact");
  EXPECT_EQ(Refuse("(64,12):(12,1)", Major::K),
            "box rows of 12 elements are not a multiple of 16 bytes");
  // A swizzled tile that starts in the middle of an atom.
  EXPECT_EQ(Refuse("S<3,3,3> o 64 o (64,64):(64,1)", Major::K),
            "the tile S<3,4,3> o 64 o (64,64):(64,1) is not a sequence of TMA "
            "boxes {64, 64}");
}

TEST(HopperEpilogue, StagingIsConflictFree) {
  for (bool RowMajor : {true, false}) {
    SmemLayout T = cantFail(stagingTile(64, 128, 16, RowMajor));
    StoreConflicts C = stmatrixConflicts(T, RowMajor);
    EXPECT_EQ(C.Ideal, 32u);
    EXPECT_TRUE(C.conflictFree()) << T.str() << ' ' << C.Wavefronts;
    EXPECT_TRUE(bool(tmaBoxes(T, RowMajor ? Major::K : Major::MN)));
  }
  // Without a swizzle all eight lines of a matrix lie in the same banks.
  SmemLayout Plain{Layout({64, 64}, {64, 1}), 16};
  EXPECT_EQ(stmatrixConflicts(Plain, true).Wavefronts, 8 * 16u);
}

TEST(HopperEpilogue, FloatStaging) {
  SmemLayout T = cantFail(stagingTile(64, 64, 32, true));
  EXPECT_EQ(T.str(), "S<3,4,3> o 0 o ((8,8),(32,2)):((32,256),(1,2048))");
  StoreConflicts Swizzled = vectorStoreConflicts(T, true);
  StoreConflicts Plain =
      vectorStoreConflicts({Layout({64, 64}, {64, 1}), 32}, true);
  EXPECT_LE(Swizzled.Wavefronts, 2 * Swizzled.Ideal);
  EXPECT_GT(Plain.Wavefronts, 2 * Plain.Ideal);
}

TEST(HopperMachine, RegisterBudgets) {
  Machine M;
  EXPECT_EQ(launchRegisters(M, 384), 168);
  EXPECT_EQ(consumerRegisters(M, 2, 40), 232);
  EXPECT_EQ(consumerRegisters(M, 2, 24), 240);
  EXPECT_EQ(consumerRegisters(M, 3, 32), 160);
  EXPECT_LE(consumerRegisters(M, 1, 40), 248);
}

} // namespace
