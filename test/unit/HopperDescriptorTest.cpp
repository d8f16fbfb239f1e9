//===- HopperDescriptorTest.cpp - What WGMMA reads ------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The descriptor path and the layout path agree. The 64-bit descriptors of
// every legal operand are decoded, and the address of every byte that the
// hardware then reads, by the canonical layouts of the PTX ISA (section "Shared
// memory matrix layout" of wgmma.mma_async), is compared with the address that
// the layout gives the element. This test computes those addresses without the
// library.

#include "warpwright/Hopper/Wgmma.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace warpwright;

namespace {

/// The fields of a descriptor, all in bytes.
struct Fields {
  uint64_t Start, Leading, Stride, Kind, Rest;
};

Fields takeApart(uint64_t D) {
  constexpr uint64_t Used =
      0x3FFFull | 0x3FFFull << 16 | 0x3FFFull << 32 | 3ull << 62;
  return {(D & 0x3FFF) << 4, (D >> 16 & 0x3FFF) << 4, (D >> 32 & 0x3FFF) << 4,
          D >> 62, D & ~Used};
}

/// The address of an element of an operand, in bytes.
uint64_t hardwareAddress(const Fields &F, Major Order, unsigned Bits,
                         uint64_t Row, uint64_t K) {
  // Field 62..63: 0 none, 1 128 bytes, 2 64 bytes, 3 32 bytes.
  static const uint64_t Chunks[] = {1, 8, 4, 2};
  uint64_t Wide = Chunks[F.Kind]; // 16-byte chunks of a row of the pattern
  uint64_t Bytes = Bits / 8, T = 16 / Bytes, Address = F.Start;
  if (Order == Major::K) {
    // ((8,m),(T,2k)):((wide T,SBO),(1,T)), without swizzle LBO instead of T.
    Address += Row % 8 * Wide * 16 + Row / 8 * F.Stride + K % T * Bytes +
               K / T * (Wide == 1 ? F.Leading : 16);
  } else {
    // ((T,wide,m),(8,k)):((1,T,LBO),(wide T,SBO)); without swizzle LBO and SBO
    // are exchanged.
    uint64_t Block = Row / (T * Wide), Group = K / 8;
    Address += Row % T * Bytes + Row / T % Wide * 16 + K % 8 * Wide * 16 +
               Block * (Wide == 1 ? F.Stride : F.Leading) +
               Group * (Wide == 1 ? F.Leading : F.Stride);
  }
  // Bits 4..6 of the address are XORed with bits 7..9, as many of them as the
  // swizzle mode has.
  return Address ^ (Address >> 3 & (Wide - 1) << 4);
}

class Descriptors : public testing::Test {
protected:
  unsigned Tiles = 0, Instructions = 0;

  /// Reads the first \p Used rows of a tile by instructions of \p PerRow rows.
  void check(Major Order, SwizzleMode Mode, unsigned Bits, int64_t Rows,
             int64_t Depth, int64_t PerRow, int64_t Used) {
    SmemLayout T = cantFail(smemTile(Order, Mode, Bits, Rows, Depth));
    Expected<OperandAccess> A = accessOf(T, Order, PerRow, Used);
    if (!A) {
      ADD_FAILURE() << T.str() << " by " << PerRow << ": "
                    << toString(A.takeError());
      return;
    }
    ++Tiles;
    constexpr uint64_t Base = 0xB400; // a multiple of 1024
    int64_t PerK = 256 / Bits;
    for (int64_t Block = 0; Block < Used / PerRow; ++Block)
      for (int64_t Step = 0; Step < Depth / PerK; ++Step) {
        ++Instructions;
        Fields F = takeApart(
            A->Descriptor.encode(Base + A->RowBlocks(Block) + A->KSteps(Step)));
        ASSERT_EQ(F.Rest, 0u);
        for (int64_t Row = 0; Row < PerRow; ++Row)
          for (int64_t K = 0; K < PerK; ++K)
            ASSERT_EQ(hardwareAddress(F, Order, Bits, Row, K),
                      Base +
                          T.byteOffset({Block * PerRow + Row, Step * PerK + K}))
                << T.str() << " row " << Block * PerRow + Row << " k "
                << Step * PerK + K;
      }
  }

  /// Runs \p Check for every order, swizzle mode and depth, for \p Bits bits.
  template <class F> void forEveryOperand(F Check) {
    for (unsigned Bits : {8u, 16u, 32u})
      for (Major Order : {Major::K, Major::MN})
        for (SwizzleMode Mode : {SwizzleMode::None, SwizzleMode::B32,
                                 SwizzleMode::B64, SwizzleMode::B128})
          for (int64_t DepthBytes : {32, 64, 128, 256})
            // Only 16-bit operands may be contiguous along rows. A K-major
            // tile is a whole number of spans deep.
            if ((Order == Major::K && DepthBytes % spanBytes(Mode) == 0) ||
                (Order == Major::MN && Bits == 16))
              Check(Order, Mode, Bits, DepthBytes * 8 / Bits);
  }
};

// For B: every N that the instruction has, in a tile with the same number of
// rows; if whole spans of rows do not divide N, in the next larger tile.
TEST_F(Descriptors, EveryB) {
  forEveryOperand([&](Major Order, SwizzleMode Mode, unsigned Bits,
                      int64_t Depth) {
    int64_t Block = Order == Major::K ? 8 : spanBytes(Mode) * 8 / Bits;
    for (int64_t N = 8; N <= 256; N += 8)
      check(Order, Mode, Bits, (N + Block - 1) / Block * Block, Depth, N, N);
  });
  // K-major: 4 + 4 + 3 + 2 pairs of span and depth for 3 widths, MN-major: 4
  // spans and 4 depths; 32 sizes each.
  EXPECT_EQ(Tiles, (13u * 3 + 16) * 32);
  EXPECT_GT(Instructions, Tiles);
}

// For A: 64 rows for each instruction, up to four instructions one below the
// other.
TEST_F(Descriptors, EveryA) {
  forEveryOperand(
      [&](Major Order, SwizzleMode Mode, unsigned Bits, int64_t Depth) {
        for (int64_t Rows : {64, 128, 192, 256})
          check(Order, Mode, Bits, Rows, Depth, 64, Rows);
      });
  EXPECT_EQ(Tiles, (13u * 3 + 16) * 4);
}

// Tiles of stages lie one after another: the third mode is only an offset.
TEST_F(Descriptors, StagesAreShifted) {
  SmemLayout T = cantFail(smemTile(Major::K, SwizzleMode::B128, 16, 128, 64));
  SmemLayout Staged = cantFail(stagedTile(T, 7));
  for (int64_t Stage = 0; Stage < 7; ++Stage)
    for (int64_t Row = 0; Row < 128; Row += 3)
      for (int64_t K = 0; K < 64; ++K)
        ASSERT_EQ(Staged.byteOffset({Row, K, Stage}),
                  Stage * T.bytes() + T.byteOffset({Row, K}));
}

// The comparison above notices a field that is wrong by one unit.
TEST(DescriptorWalk, NoticesWrongFields) {
  SmemLayout T = cantFail(smemTile(Major::MN, SwizzleMode::B64, 16, 128, 64));
  OperandAccess A = cantFail(accessOf(T, Major::MN, 128));
  auto Differences = [&](SmemDescriptor D) {
    Fields F = takeApart(D.encode(0));
    unsigned Count = 0;
    for (int64_t Row = 0; Row < 128; ++Row)
      for (int64_t K = 0; K < 16; ++K)
        Count += hardwareAddress(F, Major::MN, 16, Row, K) !=
                 uint64_t(T.byteOffset({Row, K}));
    return Count;
  };
  EXPECT_EQ(Differences(A.Descriptor), 0u);
  SmemDescriptor Wrong = A.Descriptor;
  Wrong.LeadingBytes += 16;
  EXPECT_GT(Differences(Wrong), 0u);
  Wrong = A.Descriptor;
  Wrong.StrideBytes -= 16;
  EXPECT_GT(Differences(Wrong), 0u);
  Wrong = A.Descriptor;
  Wrong.Mode = SwizzleMode::B128;
  EXPECT_GT(Differences(Wrong), 0u);
}

} // namespace
