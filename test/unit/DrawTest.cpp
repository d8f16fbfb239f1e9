//===- DrawTest.cpp - Pictures of planned kernels -------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Draw/Facts.h"
#include "warpwright/Draw/Pictures.h"
#include "warpwright/Layout/Banks.h"
#include "warpwright/Layout/Svg.h"
#include "warpwright/Plan/Plan.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

#include <map>
#include <set>

// The runtime's order of tiles, without CUDA's headers.
#define WARPWRIGHT_RT_ARCH_CUH
#define __host__
#define __device__
#define __forceinline__ inline
#include "warpwright/rt/scheduler.cuh"

using namespace llvm;
using namespace warpwright;

namespace {

/// A matmul whose operands and output are contiguous along the given index.
Contraction matmul(bool AlongKOfA, bool AlongKOfB, StringRef Out,
                   bool ColumnMajor = false, StringRef A = "bf16",
                   StringRef B = "bf16") {
  std::string Text = formatv(
      "contraction \"gemm\" {{\n  index %b < 1\n  index %m < M\n"
      "  index %n < N\n  index %k < K\n  operand A = A[{0}]:{5}\n"
      "  operand B = B[{1}]:{6}\n  accumulate f32\n  output C[{2}]:{3} = "
      "{4}\n  offsets i32\n}\n",
      AlongKOfA ? "%m * K + %k" : "%k * M + %m",
      AlongKOfB ? "%n * K + %k" : "%k * N + %n",
      ColumnMajor ? "%m + %n * ldc" : "%m * N + %n", Out,
      Out == "f32" ? "acc" : (Out + "(acc)").str(), A, B);
  Expected<Contraction> C = parseContraction(Text);
  if (!C)
    report_fatal_error(C.takeError());
  return *C;
}

struct Drawn {
  std::string What;
  Contraction Computation;
  Directives Clauses;
  PlanSet Plans;
};

Drawn planned(const Contraction &C, const Directives &D, const Twine &What) {
  auto Result = planContraction(C, D);
  if (auto *No = std::get_if<Decline>(&Result)) {
    ADD_FAILURE() << What.str() << ": " << No->Message;
    return {What.str(), C, D, {}};
  }
  return {What.str(), C, D, std::get<PlanSet>(Result)};
}

/// Plans of every kind: both orders of both operands, 16- and 32-bit outputs,
/// direct stores, every cluster, tiles from skinny to large, both schedules,
/// operands swapped, shapes from tiny to huge.
const std::vector<Drawn> &everyKind() {
  static const std::vector<Drawn> All = [] {
    std::vector<Drawn> Result;
    for (bool KA : {true, false})
      for (bool KB : {true, false})
        for (const char *Out : {"bf16", "f32"})
          Result.push_back(
              planned(matmul(KA, KB, Out), {},
                      Twine("orders ") + Twine(KA) + Twine(KB) + " " + Out));
    Result.push_back(planned(matmul(true, false, "bf16", true), {}, "direct"));
    // Operands that are split into fp16 parts.
    for (bool KA : {true, false})
      for (bool KB : {true, false})
        for (const char *B : {"f32", "f16", "bf16"})
          Result.push_back(
              planned(matmul(KA, KB, "f32", false, "f32", B), {},
                      Twine("parts ") + Twine(KA) + Twine(KB) + " " + B));
    Result.push_back(planned(matmul(true, false, "f32", true, "f32", "f32"), {},
                             "direct parts"));
    for (std::array<int64_t, 2> Cluster : {std::array<int64_t, 2>{1, 1},
                                           {2, 1},
                                           {1, 2},
                                           {4, 1},
                                           {2, 2},
                                           {1, 4}}) {
      Directives D;
      D.Cluster = {Cluster[0], Cluster[1]};
      D.Tile = {128, 128, 64};
      Result.push_back(
          planned(matmul(true, false, "f32"), D,
                  "cluster " + Twine(Cluster[0]) + "x" + Twine(Cluster[1])));
    }
    for (std::array<int64_t, 3> Tile : {std::array<int64_t, 3>{128, 256, 64},
                                        {64, 32, 64},
                                        {64, 16, 64},
                                        {128, 160, 64},
                                        {192, 128, 64},
                                        {256, 128, 64},
                                        {64, 256, 64},
                                        {16, 64, 64},
                                        {48, 128, 64},
                                        {128, 112, 64}})
      for (const char *Out : {"bf16", "f32"}) {
        Directives D;
        D.Tile = Tile;
        Result.push_back(planned(matmul(false, false, Out), D,
                                 Twine("tile ") + Twine(Tile[0]) + "x" +
                                     Twine(Tile[1]) + " " + Out));
      }
    for (std::array<int64_t, 3> Shape : {std::array<int64_t, 3>{1, 1, 1},
                                         {100, 70000, 64},
                                         {70000, 100, 64},
                                         {32768, 32768, 8192},
                                         {129, 257, 4096}}) {
      Directives D;
      D.Shapes = {Shape};
      Result.push_back(
          planned(matmul(true, false, "bf16"), D,
                  "shape " + Twine(Shape[0]) + "x" + Twine(Shape[1])));
    }
    Contraction Long = matmul(true, false, "f32");
    Long.Kernel = std::string(300, 'k');
    Long.A.Pointer = "parameters.activations_of_the_first_layer";
    Long.B.Pointer = "weights_transposed_and_packed_for_inference";
    Long.Outputs[0].Pointer = "result.matrix_of_the_hidden_states_W";
    Result.push_back(planned(Long, {}, "long names"));
    return Result;
  }();
  return All;
}

std::vector<Picture> pictures(const Drawn &D, const KernelPlan &P) {
  PictureSubject S = pictureSubject(D.Computation, D.Clauses, D.Plans, P);
  Expected<std::vector<Picture>> Result = drawPlan(P, S, "gemm");
  if (!Result) {
    ADD_FAILURE() << D.What << ": " << toString(Result.takeError());
    return {};
  }
  return std::move(*Result);
}

/// The value of attribute \p Name of the tag \p Tag.
StringRef attribute(StringRef Tag, StringRef Name) {
  size_t At = Tag.find((" " + Name + "=\"").str());
  if (At == StringRef::npos)
    return "";
  return Tag.drop_front(At + Name.size() + 3).take_until([](char C) {
    return C == '"';
  });
}
int number(StringRef Tag, StringRef Name) {
  int Value = 0;
  EXPECT_FALSE(attribute(Tag, Name).getAsInteger(10, Value)) << Tag.str();
  return Value;
}

struct Words {
  std::string Text;
  int Left, Right, Top, Bottom, Size;
  int X, Y;
};

/// All texts of a picture, with an upper estimate of the room that they take.
std::vector<Words> wordsOf(StringRef Svg) {
  std::vector<Words> Result;
  while (true) {
    size_t At = Svg.find("<text ");
    if (At == StringRef::npos)
      return Result;
    Svg = Svg.drop_front(At);
    StringRef Tag = Svg.take_until([](char C) { return C == '>'; });
    StringRef Text = Svg.drop_front(Tag.size() + 1).take_until([](char C) {
      return C == '<';
    });
    Svg = Svg.drop_front(Tag.size() + 1 + Text.size());
    SmallVector<StringRef, 4> Classes;
    attribute(Tag, "class").split(Classes, ' ');
    TextStyle Style;
    EXPECT_FALSE(Classes[0].drop_front().getAsInteger(10, Style.Size));
    Style.Bold = is_contained(Classes, "bold");
    Style.Mono = is_contained(Classes, "mono");
    std::string Plain = Text.str();
    for (auto [Code, C] : {std::pair{"&lt;", "<"},
                           {"&gt;", ">"},
                           {"&quot;", "\""},
                           {"&apos;", "'"},
                           {"&#39;", "'"},
                           {"&amp;", "&"}})
      for (size_t I; (I = Plain.find(Code)) != std::string::npos;)
        Plain.replace(I, StringRef(Code).size(), C);
    int Width = textWidth(Plain, Style);
    int X = number(Tag, "x"), Y = number(Tag, "y");
    int Left = is_contained(Classes, "end")   ? X - Width
               : is_contained(Classes, "mid") ? X - Width / 2
                                              : X;
    // The estimate of the width is generous; heights are those of digits.
    Result.push_back({Plain, Left, Left + Width, Y - Style.Size * 7 / 10, Y,
                      Style.Size, X, Y});
  }
}

TEST(Pictures, WordsFitAndStayApart) {
  for (const Drawn &D : everyKind())
    for (const KernelPlan &P : D.Plans.Plans)
      for (const Picture &Each : pictures(D, P)) {
        SCOPED_TRACE(D.What + ", plan " + P.Name + ", " + Each.File);
        StringRef Svg = Each.Text;
        EXPECT_LT(Svg.size(), size_t(1) << 20);
        size_t Open = Svg.find("<svg");
        ASSERT_NE(Open, StringRef::npos);
        StringRef Tag =
            Svg.drop_front(Open).take_until([](char C) { return C == '>'; });
        int Width = number(Tag, "width"), Height = number(Tag, "height");
        EXPECT_LE(Width, 1320);
        EXPECT_LE(Height, 1700);
        std::vector<Words> All = wordsOf(Svg);
        EXPECT_GT(All.size(), 10u);
        std::set<std::pair<std::string, std::string>> Bad;
        for (size_t I = 0; I < All.size(); ++I) {
          const Words &A = All[I];
          if (A.Size < 10 || A.Left < 4 || A.Top < 0 || A.Right > Width - 4 ||
              A.Bottom > Height - 4)
            Bad.insert({A.Text, "leaves the picture"});
          for (size_t J = I + 1; J < All.size(); ++J) {
            const Words &B = All[J];
            if (A.Left < B.Right && B.Left < A.Right && A.Top < B.Bottom &&
                B.Top < A.Bottom)
              Bad.insert({A.Text, B.Text});
          }
        }
        for (const auto &[A, B] : Bad)
          ADD_FAILURE() << "'" << A << "' and '" << B << "'";
      }
}

TEST(Pictures, AreTheSameEachTime) {
  const Drawn &D = everyKind().front();
  for (const KernelPlan &P : D.Plans.Plans) {
    std::vector<Picture> First = pictures(D, P), Second = pictures(D, P);
    ASSERT_EQ(First.size(), 6u);
    for (size_t I = 0; I < First.size(); ++I)
      EXPECT_EQ(First[I].Text, Second[I].Text);
  }
}

TEST(Pictures, EveryAccumulatorIsDrawnOnce) {
  for (const Drawn &D : everyKind())
    for (const KernelPlan &P : D.Plans.Plans) {
      SCOPED_TRACE(D.What + ", plan " + P.Name);
      const std::string Svg = pictures(D, P)[4].Text;
      std::map<std::pair<int64_t, int64_t>, int> Times;
      StringRef Rest = Svg;
      while (true) {
        size_t At = Rest.find("<path class=\"fragment\"");
        if (At == StringRef::npos)
          break;
        Rest = Rest.drop_front(At);
        StringRef Path =
            attribute(Rest.take_until([](char C) { return C == '>'; }), "d");
        // M column row h width v1h-width z
        while (Path.consume_front("M")) {
          int64_t Column, Row, Width;
          ASSERT_FALSE(Path.consumeInteger(10, Column));
          ASSERT_TRUE(Path.consume_front(" "));
          ASSERT_FALSE(Path.consumeInteger(10, Row));
          ASSERT_TRUE(Path.consume_front("h"));
          ASSERT_FALSE(Path.consumeInteger(10, Width));
          Path = Path.drop_until([](char C) { return C == 'z'; }).drop_front();
          for (int64_t I = 0; I < Width; ++I)
            ++Times[{Row, Column + I}];
        }
        EXPECT_TRUE(Path.empty());
        Rest = Rest.drop_front(10);
      }
      EXPECT_EQ(Times.size(), size_t(64 * P.InstructionN));
      for (auto [Where, N] : Times) {
        EXPECT_EQ(N, 1) << Where.first << ", " << Where.second;
        EXPECT_LT(Where.first, 64);
        EXPECT_LT(Where.second, P.InstructionN);
      }
    }
}

TEST(Pictures, FragmentIsThatOfTheInstructionSet) {
  // PTX ISA, "Matrix fragments for wgmma.mma_async.m64nNk16", D.
  for (const Drawn &D : everyKind()) {
    const KernelPlan &P = D.Plans.Plans.front();
    Expected<std::vector<FragmentElement>> F = accumulatorFragment(P);
    ASSERT_TRUE(bool(F));
    for (const FragmentElement &E : *F) {
      int64_t Warp = E.Thread / 32, Lane = E.Thread % 32;
      EXPECT_EQ(E.Row, 16 * Warp + Lane / 4 + 8 * (E.Value / 2 % 2));
      EXPECT_EQ(E.Column, E.Value / 4 * 8 + Lane % 4 * 2 + E.Value % 2);
    }
  }
}

TEST(Pictures, ChunksLieWhereTheLayoutPutsThem) {
  for (const Drawn &D : everyKind())
    for (const KernelPlan &P : D.Plans.Plans) {
      SCOPED_TRACE(D.What + ", plan " + P.Name);
      const std::vector<Words> All = wordsOf(pictures(D, P)[1].Text);
      for (const OperandPlan *O : {&P.Rows, &P.Cols}) {
        Expected<SmemLayout> Tile = operandTile(P, *O);
        ASSERT_TRUE(bool(Tile));
        for (const Chunk &Each : chunksOf(*Tile, O->Order)) {
          int64_t Row = O->Order == Major::K ? Each.Outer : Each.Inner;
          int64_t K = O->Order == Major::K ? Each.Inner : Each.Outer;
          EXPECT_EQ(Each.Offset, Tile->byteOffset({Row, K}));
        }
      }
      // The labels "outer,inner" of the right half, from "0,0" on.
      const Words *Origin = nullptr;
      unsigned Compared = 0;
      const OperandPlan *O = nullptr;
      for (const Words &W : All) {
        StringRef Text = W.Text;
        int64_t Outer, Inner;
        if (W.X < 840 || Text.consumeInteger(10, Outer) ||
            !Text.consume_front(",") || Text.consumeInteger(10, Inner) ||
            !Text.empty())
          continue;
        if (!Outer && !Inner) {
          Origin = &W;
          O = O ? &P.Cols : &P.Rows;
        }
        ASSERT_NE(Origin, nullptr);
        Expected<SmemLayout> Tile = operandTile(P, *O);
        ASSERT_TRUE(bool(Tile));
        int64_t Offset = O->Order == Major::K
                             ? Tile->byteOffset({Outer, Inner})
                             : Tile->byteOffset({Inner, Outer});
        EXPECT_EQ(W.X - Origin->X, Offset % 128 / 16 * 44) << W.Text;
        EXPECT_EQ(W.Y - Origin->Y, Offset / 128 * 18) << W.Text;
        ++Compared;
      }
      EXPECT_EQ(O, &P.Cols);
      EXPECT_GE(Compared, 2u * 128 / 2);
    }
}

TEST(Pictures, TilesAreNumberedAsTheRuntimeHandsThemOut) {
  for (const Drawn &D : everyKind())
    for (const KernelPlan &P : D.Plans.Plans)
      for (int64_t Size : {1, 1000, 5000}) {
        TileOrder O = tileOrder(P, Size, 3000);
        rt::tile_grid Grid{int(O.Rows), int(O.Columns), 1, int(O.Band)};
        ASSERT_EQ(Grid.total(), O.total());
        for (int I = 0; I < Grid.total(); ++I) {
          rt::tile_position At = rt::tile_at(Grid, I);
          ASSERT_EQ(O.indexOf(At.row, At.col), I) << D.What;
        }
      }
}

// A product and a shift in place of a division: next to every multiple of a
// divisor near the ends of the range, which is where a quotient would be wrong
// first.
TEST(Runtime, DivisorsDivideExactly) {
  std::vector<int64_t> Numbers;
  for (int64_t Power = 1; Power <= int64_t(1) << 31; Power *= 2)
    for (int64_t Near = -3; Near <= 3; ++Near)
      for (int64_t Times : {1, 3, 5, 7, 11})
        if (int64_t N = Power / Times + Near; N > 0 && N <= INT32_MAX)
          Numbers.push_back(N);
  for (int64_t By : Numbers) {
    const rt::divisor Divisor{int(By)};
    const int64_t Last = INT32_MAX / By;
    for (int64_t Times : {int64_t(0), int64_t(1), Last / 2, Last - 1, Last})
      for (int64_t N : {Times * By - 1, Times * By, Times * By + By - 1})
        if (N >= 0 && N <= INT32_MAX)
          ASSERT_EQ(Divisor.divide(int(N)), N / By) << N << " / " << By;
    ASSERT_EQ(Divisor.divide(INT32_MAX), INT32_MAX / By) << By;
  }
}

TEST(Pictures, SharesAreLoadedByTheNeighbours) {
  // As the generated kernel computes them: cluster_row is rank % cluster_rows,
  // and the share of the rows operand is the cluster's column.
  for (const Drawn &D : everyKind())
    for (const KernelPlan &P : D.Plans.Plans) {
      std::vector<int64_t> Rows, Cols;
      for (int64_t Rank = 0; Rank < P.clusterSize(); ++Rank) {
        if (Rank % P.clusterRows() == 0)
          Rows.push_back(Rank);
        if (Rank / P.clusterRows() == 0)
          Cols.push_back(Rank);
      }
      EXPECT_EQ(multicastGroup(P, true), Rows) << D.What;
      EXPECT_EQ(multicastGroup(P, false), Cols) << D.What;
      EXPECT_EQ(int64_t(Rows.size()), P.Rows.Shares) << D.What;
      EXPECT_EQ(int64_t(Cols.size()), P.Cols.Shares) << D.What;
    }
}

TEST(Pictures, FirstStoresAreTheRuntimes) {
  // The places of the lanes as rt::stage_slab computes them for warp 0.
  unsigned Matrices = 0, Vectors = 0;
  for (const Drawn &D : everyKind())
    for (const KernelPlan &P : D.Plans.Plans) {
      if (P.Store == &directStore())
        continue;
      SCOPED_TRACE(D.What + ", plan " + P.Name);
      Expected<FirstStore> F = firstStore(P);
      ASSERT_TRUE(bool(F)) << toString(F.takeError());
      ASSERT_EQ(F->Lanes.size(), 32u);
      bool Along = P.Epilogue.RowsContiguous;
      bool Matrix = byteSize(P.Epilogue.Type) == 2;
      ++(Matrix ? Matrices : Vectors);
      for (const LaneStore &L : F->Lanes) {
        int64_t Lane = L.Lane, Row, Column;
        if (!Matrix) {
          Row = Lane / 4;
          Column = 2 * (Lane % 4);
        } else if (Along) {
          Row = 8 * (Lane / 8 % 2);
          Column = Lane % 8 + 8 * (Lane / 16);
        } else {
          Row = Lane % 16;
          Column = 8 * (Lane / 16);
        }
        EXPECT_EQ(L.Row, Row) << Lane;
        EXPECT_EQ(L.Column, Column) << Lane;
      }
      EXPECT_GE(F->Slab.Wavefronts, F->Slab.Ideal);
    }
  EXPECT_GT(Matrices, 10u);
  EXPECT_GT(Vectors, 10u);
}

TEST(Pictures, SizesComeFromTheShapesOrTheKernel) {
  Drawn D = planned(matmul(true, false, "bf16"), {}, "plain");
  const KernelPlan &P = D.Plans.Plans.front();
  PictureSubject S = pictureSubject(D.Computation, D.Clauses, D.Plans, P);
  EXPECT_NE(S.SizesFrom.find("example"), std::string::npos);
  // The output has a partial tile in both directions.
  EXPECT_NE(S.M % P.TileM, 0);
  EXPECT_NE(S.N % P.TileN, 0);
  D.Clauses.Shapes = {{4096, 100, 77}};
  S = pictureSubject(D.Computation, D.Clauses, D.Plans, P);
  EXPECT_EQ(S.M, 4096);
  EXPECT_EQ(S.N, 100);
  EXPECT_EQ(S.K, 77);
  D.Computation.NExtent = 512;
  S = pictureSubject(D.Computation, D.Clauses, D.Plans, P);
  EXPECT_EQ(S.N, 512);
}

TEST(Pictures, FileNamesHoldNothingStrange) {
  EXPECT_EQ(fileNamePart("ns::gemm<float, 16>"), "ns-gemm-float-16");
  EXPECT_EQ(fileNamePart("a/../b"), "a-..-b");
  EXPECT_EQ(fileNamePart("_x.1"), "_x.1");
}

} // namespace
