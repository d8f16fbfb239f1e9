//===- HopperAtomsTest.cpp - Atoms, tilings and partitions ----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Hopper/Atoms.h"
#include "warpwright/Hopper/Smem.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <set>

using namespace llvm;
using namespace warpwright;

namespace {

std::string eval(StringRef Text) {
  Expected<ExpressionValue> V = evaluateExpression(Text, &machineLibrary());
  if (!V)
    return "error: " + toString(V.takeError());
  if (const auto *T = std::get_if<IntTuple>(&*V))
    return T->str();
  if (const auto *O = std::get_if<std::shared_ptr<const ExpressionObject>>(&*V))
    return (*O)->str();
  return cantFail(ExpressionArgument{*V}.layout()).str();
}

ComposedLayout layout(StringRef Text) {
  ExpressionValue V = cantFail(evaluateExpression(Text, &machineLibrary()));
  return cantFail(ExpressionArgument{V}.layout());
}

#define TILED "tiled_mma(mma(SM80_16x8x16_F32F16F16F32_TN),(2,2,1),(32,32,16))"

// CuTe's output for the same expressions.
TEST(HopperAtoms, PublishedResults) {
  const std::pair<const char *, const char *> Results[] = {
      {"mma(SM90_64x128x16_F32BF16BF16_SS).thr", "128:1"},
      {"mma(SM90_64x128x16_F32BF16BF16_SS).A", "(128,(64,16)):(0,(1,64))"},
      {"mma(SM90_64x128x16_F32BF16BF16_SS).B", "(128,(128,16)):(0,(1,128))"},
      {"mma(SM90_64x128x16_F32BF16BF16_SS).C",
       "((4,8,4),(2,2,16)):((128,1,16),(64,8,512))"},
      {"mma(SM80_16x8x16_F32F16F16F32_TN).A",
       "((4,8),(2,2,2)):((32,1),(16,8,128))"},
      {"mma(SM80_16x8x16_F32F16F16F32_TN).B", "((4,8),(2,2)):((16,1),(8,64))"},
      {"mma(SM80_16x8x16_F32F16F16F32_TN).C", "((4,8),(2,2)):((32,1),(16,8))"},
      {TILED ".thr", "(32,2,2,1):(1,32,64,0)"},
      {"partition_A(" TILED ",(128,32):(1,128),0)",
       "((2,2,2),4,2):((128,8,1024),32,2048)"},
      {"partition_B(" TILED ",(128,32):(1,128),0)",
       "((2,2),8,2):((128,1024),16,2048)"},
      {"partition_C(" TILED ",(128,128):(1,128),0)",
       "((2,2),4,8):((128,8),32,2048)"},
      {"fragment_A(" TILED ",(128,32):(1,128))",
       "((2,2,2),4,2):((1,2,4),8,32)"},
      {"fragment_B(" TILED ",(128,32):(1,128))", "((2,2),8,2):((1,2),4,32)"},
      {"fragment_C(" TILED ",(128,128):(1,128))", "((2,2),4,8):((1,2),4,16)"},
      {"tiled_copy_A(copy(SM75_U16x8_LDSM_T)," TILED ").tiler", "(32,16)"},
      {"tiled_copy_A(copy(SM75_U16x8_LDSM_T)," TILED ").tv",
       "((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))"},
      {"tiled_copy_B(copy(SM75_U16x8_LDSM_T)," TILED ").tv",
       "((4,8,2,2),((2,2),(2,1))):((64,1,0,8),((32,256),(16,0)))"},
      {"partition_S(tiled_copy_A(copy(SM75_U16x8_LDSM_T)," TILED
       "),(128,32):(1,128),0)",
       "((8,1),4,2):((1,0),32,2048)"},
      {"partition_S(tiled_copy_B(copy(SM75_U16x8_LDSM_T)," TILED
       "),(128,32):(1,128),0)",
       "((8,1),4,2):((1,0),32,2048)"},
      {"retile_D(tiled_copy_A(copy(SM75_U16x8_LDSM_T)," TILED
       "),fragment_A(" TILED ",(128,32):(1,128)))",
       "((8,1),4,2):((1,0),8,32)"},
      {"retile_D(tiled_copy_B(copy(SM75_U16x8_LDSM_T)," TILED
       "),fragment_B(" TILED ",(128,32):(1,128)))",
       "((8,1),4,2):((1,0),8,32)"},
      {"mma(SM70_8x8x4_F32F16F16F32_NT).thr", "(4,2):(1,16)"},
      {"mma(SM70_8x8x4_F32F16F16F32_NT).C",
       "((2,2,2),(2,2,2)):((1,16,4),(8,2,32))"},
      {"mma(SM80_8x8x4_F64F64F64F64_TN).A", "((4,8),1):((8,1),0)"},
      {"mma(SM80_8x8x4_F64F64F64F64_TN).B", "((4,8),1):((8,1),0)"},
      {"mma(SM80_8x8x4_F64F64F64F64_TN).C", "((4,8),2):((16,1),8)"},
      {"mma(SM90_64x64x16_F32BF16BF16_RS).A",
       "((4,8,4),(2,2,2)):((128,1,16),(64,8,512))"},
      {"mma(SM90_64x64x8_F32TF32TF32_RS_TN).A",
       "((4,8,4),(2,2)):((64,1,16),(8,256))"},
      {"mma(SM90_64x64x32_F32E4M3E4M3_RS_TN).A",
       "((4,8,4),(4,2,2)):((256,1,16),(64,8,1024))"},
      {"mma(SM90_16x8x16_F64F64F64F64_TN).A", "((4,8),(2,4)):((16,1),(8,64))"},
      {"mma(SM90_16x8x16_F64F64F64F64_TN).B", "((4,8),4):((8,1),32)"},
      {"mma(SM90_16x8x16_F64F64F64F64_TN).C", "((4,8),(2,2)):((32,1),(16,8))"},
      {"recast(S<3,4,3> o 0 o (8,128):(128,1),8,16)",
       "S<3,3,3> o 0 o (8,64):(64,1)"},
  };
  for (auto [Text, Want] : Results)
    EXPECT_EQ(eval(Text), Want) << Text;
}

// Every (thread, value) layout of every atom covers its tile, C exactly once.
TEST(HopperAtoms, AtomsCoverTheirTiles) {
  std::vector<std::string> Names = mmaAtomNames();
  // Combinations as CuTe spells them: 8 of SM70, 76 of mma.sync, and wgmma's 32
  // sizes (18 for integers, twice with _SATURATE) from two places.
  EXPECT_EQ(Names.size(), 8u + 76 + 2 * (12 * 32 + 4 * 18 * 2 + 18));
  EXPECT_EQ(std::set<std::string>(Names.begin(), Names.end()).size(),
            Names.size());
  for (const char *Name :
       {"SM70_8x8x4_F16F16F16F16_NN", "SM80_16x8x8_F16F16F16F16_TN",
        "SM80_16x8x4_F32TF32TF32F32_TN", "SM80_16x8x32_S32S8U8S32_TN_SATURATE",
        "SM80_16x8x64_S32U4S4S32_TN", "SM80_8x8x128_S32U1U1S32_TN_XORPOPC",
        "SM89_16x8x32_F32E4M3E5M2F32_TN", "SM90_16x8x8_F64F64F64F64_TN",
        "SM90_64x8x16_F16F16F16_RS", "SM90_64x128x16_F32BF16BF16_SS",
        "SM90_64x256x8_F32TF32TF32_SS_TN", "SM90_64x128x32_F32E4M3E5M2_SS_TN",
        "SM90_64x64x32_S32S8U8_SS_TN", "SM90_64x24x32_S32U8U8_RS_TN_SATURATE",
        "SM90_64x64x256_S32U1U1_SS_TN_ANDPOPC"})
    EXPECT_TRUE(is_contained(Names, Name)) << Name;
  const std::pair<const char *, const char *> Types[] = {
      {"16", "F16F16F16"},   {"16", "F32F16F16"},   {"16", "F32BF16BF16"},
      {"8", "F32TF32TF32"},  {"32", "F16E4M3E4M3"}, {"32", "F32E4M3E4M3"},
      {"32", "F32E4M3E5M2"}, {"32", "F32E5M2E4M3"}, {"32", "F32E5M2E5M2"},
      {"32", "S32S8S8"},     {"32", "S32S8U8"},     {"32", "S32U8S8"},
      {"32", "S32U8U8"}};
  unsigned Refused = 0;
  for (auto [K, T] : Types)
    for (int N = 8; N <= 256; N += 8)
      for (const char *From : {"SS", "RS"}) {
        bool Legal =
            StringRef(T).substr(0, 3) != "S32" || N <= 32 || N % 16 == 0;
        std::string Name =
            ("SM90_64x" + Twine(N) + "x" + K + "_" + T + "_" + From).str();
        if (Legal) {
          Expected<MmaAtom> Atom = mmaAtom(Name); // CuTe's suffix or not
          ASSERT_TRUE(bool(Atom)) << toString(Atom.takeError());
        } else {
          EXPECT_TRUE(errorToBool(mmaAtom(Name).takeError())) << Name;
          ++Refused;
        }
      }
  EXPECT_EQ(Refused, 14u * 8);
  for (const std::string &Name : Names) {
    Expected<MmaAtom> Atom = mmaAtom(Name);
    ASSERT_TRUE(bool(Atom)) << toString(Atom.takeError());
    for (MmaOperand O : {MmaOperand::A, MmaOperand::B, MmaOperand::C}) {
      const Layout &L = Atom->values(O);
      ASSERT_EQ(product(L.shape()[0]), Atom->Threads.size()) << Name;
      std::set<int64_t> Seen;
      // In shared memory, one thread sees the whole operand.
      int64_t Threads = Atom->FromSmem[int(O)] ? 1 : product(L.shape()[0]);
      for (int64_t T = 0; T < Threads; ++T)
        for (int64_t V = 0; V < product(L.shape()[1]); ++V)
          ASSERT_TRUE(Seen.insert(L({T, V})).second) << Name;
      ASSERT_EQ(int64_t(Seen.size()), product(Atom->tile(O))) << Name;
      ASSERT_EQ(*Seen.rbegin(), product(Atom->tile(O)) - 1) << Name;
    }
  }
}

// The fragments of mma.sync as the PTX ISA describes them. Lane 4 g + t holds
// of A in register r row g (8 rows further down for odd r), and as many columns
// as fit the register, from t times that number on (4 registers further for
// every second pair of r). Of B it holds the same k in row g; of C two
// neighbouring columns.
TEST(HopperAtoms, FragmentsOfThePtxIsa) {
  unsigned Checked = 0;
  for (const std::string &Name : mmaAtomNames()) {
    MmaAtom Atom = cantFail(mmaAtom(Name));
    if (Atom.Threads != Layout(32, 1))
      continue;
    ++Checked;
    int64_t M = Atom.MNK[0], Packed = std::max(1u, 32 / Atom.Bits[0]);
    int64_t RowsOfA = M / 8;
    for (int64_t Lane = 0; Lane < 32; ++Lane) {
      int64_t G = Lane / 4, T = Lane % 4;
      const Layout &A = Atom.values(MmaOperand::A);
      for (int64_t I = 0; I < product(A.shape()[1]); ++I) {
        int64_t R = I / Packed;
        int64_t Row = G + 8 * (R % RowsOfA);
        int64_t K = T * Packed + I % Packed + 4 * Packed * (R / RowsOfA);
        ASSERT_EQ(A({Lane, I}), Row + M * K) << Name;
      }
      const Layout &B = Atom.values(MmaOperand::B);
      for (int64_t I = 0; I < product(B.shape()[1]); ++I) {
        int64_t K = T * Packed + I % Packed + 4 * Packed * (I / Packed);
        ASSERT_EQ(B({Lane, I}), G + 8 * K) << Name;
      }
      const Layout &C = Atom.values(MmaOperand::C);
      for (int64_t I = 0; I < product(C.shape()[1]); ++I)
        ASSERT_EQ(C({Lane, I}), G + 8 * (I / 2) + M * (2 * T + I % 2)) << Name;
    }
  }
  EXPECT_EQ(Checked, 76u);
}

// The partitions of all threads cover a tile; C's do so exactly once.
TEST(HopperAtoms, PartitionsCoverTheTile) {
  for (char O : StringRef("ABC")) {
    std::multiset<int64_t> Seen;
    std::string Tile = O == 'C' ? "(128,128)" : "(128,32)";
    for (int T = 0; T < 128; ++T) {
      ComposedLayout L = layout((Twine("partition_") + Twine(O) +
                                 "(" TILED "," + Tile + "," + Twine(T) + ")")
                                    .str());
      for (int64_t I = 0; I < L.size(); ++I)
        Seen.insert(L(I));
    }
    int64_t Size = 128 * (O == 'C' ? 128 : 32);
    EXPECT_EQ(int64_t(Seen.size()), Size * (O == 'C' ? 1 : 2));
    for (int64_t I = 0; I < Size; ++I)
      ASSERT_EQ(Seen.count(I), O == 'C' ? 1u : 2u);
  }
}

// sgemm_sm70 of CuTe's tutorial: quad pairs, with and without a permutation.
TEST(HopperAtoms, QuadPairsTiled) {
  const char *Atom = "mma(SM70_8x8x4_F32F16F16F32_NT)";
  EXPECT_EQ(eval(Atom + std::string(".A")), "((4,2),4):((8,4),1)");
  EXPECT_EQ(eval("mma(SM70_8x8x4_F32F16F16F32_TN).A"), "(8,4):(1,8)");
  EXPECT_EQ(eval((Twine("tiled_mma(") + Atom + ",(2,2):(2,1)).thr").str()),
            "((4,2),2,2,1):((1,16),8,4,0)");
  std::string Permuted =
      (Twine("tiled_mma(") + Atom + ",(2,2):(2,1),<(4,4,2):(1,8,4),32,4>)")
          .str();
  EXPECT_EQ(eval("is_bijective(" + Permuted + ".C)"), "1");
}

// A tiled copy from threads and values that lie next to each other.
TEST(HopperAtoms, CopiesOfThreadsAndValues) {
  const char *Copy = "make_tiled_copy(copy(UniversalCopy_uint128_t,f32),"
                     "(32,8):(1,32),(4,1):(1,1))";
  EXPECT_EQ(eval(Copy), "tv    (256,4):(4,1)\ntiler (128,8)");
  EXPECT_EQ(eval((Twine("partition_S(") + Copy + ",(128,16),1)").str()),
            "S<0,0,0> o 4 o ((4,1),1,2):((1,0),0,1024)");
  EXPECT_EQ(eval("make_tiled_copy(copy(UniversalCopy_uint128_t),(32,8),4:1)"),
            "error: at 16: the elements have no type; expected "
            "copy(NAME,type)");
  EXPECT_EQ(eval("make_tiled_copy(copy(UniversalCopy_uint128_t,f32),(32,8),"
                 "2:1)"),
            "error: at 0: UniversalCopy_uint128_t takes 4 values a thread, "
            "which does not divide the 2 of the tiling (256,2):(2,1)");
}

// An ldmatrix gives thread t the elements that the MMA expects in its
// registers: the destinations of its tiled copy are the MMA's own partition.
TEST(HopperAtoms, CopiesFeedTheMma) {
  for (char O : StringRef("AB"))
    for (const char *Copy : {"SM75_U16x8_LDSM_T", "SM75_U32x4_LDSM_N"})
      for (int T : {0, 1, 37, 64, 127}) {
        std::string Args = (",(128,32)," + Twine(T) + ")").str();
        ComposedLayout Mma =
            layout((Twine("partition_") + Twine(O) + "(" TILED + Args).str());
        ComposedLayout Destination =
            layout((Twine("partition_D(tiled_copy_") + Twine(O) + "(copy(" +
                    Copy + ")," TILED ")" + Args)
                       .str());
        EXPECT_TRUE(equalAsFunctions(Mma, Destination))
            << Mma.str() << " " << Destination.str();
      }
}

TEST(HopperAtoms, Descriptors) {
  const char *Want = "0x4000004000010000: start 0, lbo 16, sbo 1024, swizzle "
                     "128b, k-major\nk 4:32\nrows 1:0 by 128";
  // The swizzle in elements, and in bytes as CuTe prints it.
  EXPECT_EQ(eval("descriptor(S<3,3,3> o 0 o ((8,16),(64,1)):((64,512),(1,0)),"
                 "bf16,K)"),
            Want);
  EXPECT_EQ(eval("descriptor(S<3,4,3> o 0 o ((8,16),(64,1)):((64,512),(1,0)),"
                 "bf16,K)"),
            Want);
  EXPECT_EQ(
      eval("descriptor((64,64):(64,1),bf16,K)"),
      "error: at 0: no descriptor expresses (64,64):(64,1): row 1, k 0 is "
      "at byte 128, but wgmma would read byte 16");
  EXPECT_EQ(eval("descriptor(S<1,2,3> o 0 o (64,64):(64,1),bf16,K)"),
            "error: at 11: the hardware has no swizzle S<1,3,3> on bytes");
  // Stages one after another, each at an address that a descriptor can hold.
  EXPECT_EQ(eval("descriptor(S<3,4,3> o 0 o "
                 "((8,16),(64,1),(1,7)):((64,512),(1,0),(0,8192)),bf16,K)"),
            Want + std::string("\nstages 7:16384"));
  EXPECT_EQ(eval("descriptor(S<3,4,3> o 0 o "
                 "((8,16),64,7):((64,512),1,8196),bf16,K)"),
            "error: at 0: stage 1: instruction at row 0, k 0 starts at byte "
            "16392, not a multiple of 16");
  EXPECT_EQ(eval("tma_box(S<3,4,3> o 0 o ((8,16),(64,1)):((64,512),(1,0)),"
                 "bf16,K)"),
            "box (64,128), 1 copy of 16384 bytes");
}

TEST(HopperAtoms, ComplaintsPointAtTheArgument) {
  EXPECT_EQ(eval("mma(SM80_16x8x16_F32F16F16F32)"),
            "error: at 4: unknown MMA atom 'SM80_16x8x16_F32F16F16F32'; did "
            "you mean 'SM80_16x8x16_F32F16F16F32_TN'?");
  EXPECT_EQ(eval("mma(SM80_8x8x4_C64C64C64C64_TN)"),
            "error: at 4: 'SM80_8x8x4_C64C64C64C64_TN': complex MMAs are "
            "several instructions, and no atom here");
  EXPECT_EQ(eval("mma(SM100_64x8x16_F32F16F16_SS)"),
            "error: at 4: 'SM100_64x8x16_F32F16F16_SS': there are no MMA atoms "
            "of SM100 here, only those of SM70, SM75, SM80, SM89 and SM90");
  EXPECT_EQ(eval("mma(SM90_64x12x16_F32BF16BF16_SS)"),
            "error: at 4: wgmma's n must be a multiple of 8 up to 256, not 12");
  EXPECT_EQ(eval("mma(SM90_64x64x8_F32BF16BF16_SS)"),
            "error: at 4: wgmma's k is 16 for F32BF16BF16, not 8");
  EXPECT_EQ(eval("tiled_mma((4,8))"),
            "error: at 10: expected an MMA atom, as in mma(NAME)");
  EXPECT_EQ(eval("composition(mma(SM80_8x8x4_F64F64F64F64_TN),4:1)"),
            "error: at 12: expected a layout, not an MMA atom");
  EXPECT_EQ(eval("partition_C(" TILED ",(128,128),128)"),
            "error: at 0: no thread 128 in (32,2,2,1):(1,32,64,0)");
  EXPECT_EQ(eval("tiled_mma(mma(SM80_16x8x16_F32F16F16F32_TN),(2,2,1),"
                 "(48,32,16))"),
            "error: at 0: the atoms cover 32 along M, which does not divide "
            "the tile 48");
}

} // namespace
