//===-- Matrices.cpp - mma.sync and ldmatrix ------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which lane has which element in which register is specified here, unlike for
/// nvcuda::wmma: PTX ISA, "Matrix Fragments for mma.m16n8k4", and so on for
/// m16n8k8 to m16n8k32, m8n8k4 of doubles, and m8n8k16, and "ldmatrix".
///
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <set>

namespace warpwright {
namespace execute {

std::optional<MatrixOperation>
parseMatrixOperation(llvm::StringRef Word,
                     llvm::ArrayRef<std::vector<uint32_t>> Operands) {
  llvm::SmallVector<llvm::StringRef, 10> Parts;
  Word.split(Parts, '.');
  MatrixOperation M;
  if (Parts[0] == "ldmatrix") {
    M.Code = MatrixOperation::Kind::Load;
    std::set<llvm::StringRef> Seen;
    for (llvm::StringRef Part : llvm::ArrayRef(Parts).drop_front()) {
      if (Part == "shared::cta")
        Part = "shared";
      if (Part == "x1" || Part == "x2" || Part == "x4") {
        M.Count = Part[1] - '0';
        Part = "x";
      }
      if (!Seen.insert(Part).second)
        return std::nullopt;
    }
    M.Transposed = Seen.erase("trans");
    M.Generic = !Seen.erase("shared");
    if (Seen !=
            std::set<llvm::StringRef>{"sync", "aligned", "m8n8", "x", "b16"} ||
        Operands.size() != 2 || Operands[0].size() != M.Count ||
        Operands[1].size() != 1)
      return std::nullopt;
    M.Results = Operands[0];
    M.Address = Operands[1][0];
    return M;
  }
  // mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
  if (Parts.size() != 10 || !Word.starts_with("mma.sync.aligned.m") ||
      Parts[4] != "row" || Parts[5] != "col" || Parts[6] != Parts[9] ||
      Operands.size() != 4)
    return std::nullopt;
  M.Code = MatrixOperation::Kind::Multiply;
  llvm::StringRef Shape = Parts[3];
  M.Rows = Shape.starts_with("m8") ? 8 : 16;
  if ((!Shape.consume_front("m16n8k") && !Shape.consume_front("m8n8k")) ||
      Shape.getAsInteger(10, M.Depth))
    return std::nullopt;
  M.Tf32 = Parts[7] == "tf32";
  auto TypeOf = [&](llvm::StringRef Name) {
    return llvm::StringSwitch<ScalarType>(Name)
        .Case("s8", ScalarType::I8)
        .Case("u8", ScalarType::U8)
        .Case("s32", ScalarType::I32)
        .Case("f64", ScalarType::F64)
        .Cases({"f32", "tf32"}, ScalarType::F32)
        .Case("bf16", ScalarType::BF16)
        .Default(ScalarType::F16);
  };
  M.Left = TypeOf(Parts[7]), M.Right = TypeOf(Parts[8]),
  M.Sum = TypeOf(Parts[6]);
  const bool Bytes = byteSize(M.Left) == 1 && byteSize(M.Right) == 1;
  const bool Types = llvm::StringSwitch<bool>(Parts[7])
                         .Case("f16", Parts[6] == "f16" || Parts[6] == "f32")
                         .Cases({"bf16", "tf32"}, Parts[6] == "f32")
                         .Cases({"s8", "u8"}, Bytes && Parts[6] == "s32")
                         .Case("f64", Parts[6] == "f64")
                         .Default(false);
  const unsigned Least = 4 * M.packed();
  if (!Types || (!Bytes && Parts[7] != Parts[8]) ||
      (M.Depth != Least && M.Depth != 2 * Least) ||
      (M.Rows == 8 ? M.Depth != Least || (!Bytes && Parts[7] != "f64")
                   : Parts[7] == "f64"))
    return std::nullopt;
  const size_t Halves = M.Depth / Least, Groups = M.Rows / 8,
               Sums = M.Sum == ScalarType::F16 ? Groups : 2 * Groups;
  if (Operands[0].size() != Sums || Operands[1].size() != Groups * Halves ||
      Operands[2].size() != Halves || Operands[3].size() != Sums)
    return std::nullopt;
  M.Results = Operands[0];
  M.A = Operands[1];
  M.B = Operands[2];
  M.C = Operands[3];
  return M;
}

bool Interpreter::performMatrices(Warp &W, const CallInfo &Call) {
  const PtxProgram &Program = *Call.Ptx;
  const MatrixOperation &M = *Program.Matrices;
  // Each lane computes by itself, up to the operation.
  std::vector<std::vector<Slot>> Registers(WarpLanes);
  for (unsigned Lane = 0; Lane < WarpLanes; ++Lane) {
    std::vector<uint64_t> Bits = Program.Initial;
    std::vector<Slot> &R = Registers[Lane];
    R.resize(Bits.size());
    uint32_t Poison = 0;
    for (size_t A = 0; A < Call.Arguments.size(); ++A) {
      const Slot V = W.slot(Lane, Call.Arguments[A]);
      Poison = Poison ? Poison : V.Poison;
      Bits[Call.Results + A] = V.Bits;
      R[Call.Results + A].Poison = V.Poison;
    }
    for (auto [Result, Argument] : Program.Tied) {
      Bits[Result] = Bits[Argument];
      R[Result].Poison = R[Argument].Poison;
    }
    if (!Program.Code.empty()) {
      auto None = [](auto...) { return false; };
      auto Nothing = [](auto...) {};
      if (!runPtx(Program, Bits, {None, None, Nothing, Nothing}))
        return end(Outcome::NotExecutable, "inline assembly");
      for (Slot &S : R)
        S.Poison = Poison;
    }
    for (auto [S, B] : llvm::zip_equal(R, Bits))
      S.Bits = B;
  }
  const bool Done = M.Code == MatrixOperation::Kind::Load
                        ? loadMatrices(W, M, Registers)
                        : multiplyMatrices(M, Registers);
  if (!Done)
    return false;
  for (unsigned Lane = 0; Lane < WarpLanes; ++Lane)
    for (uint32_t R = 0; R < Call.Results; ++R)
      W.slot(Lane, W.At->Dst + R) = Registers[Lane][R];
  return true;
}

/// The registers of each lane get two neighbouring 16-bit elements of a row.
/// Lane 8 * n + i has the address of row i of matrix n; addresses of further
/// lanes are not used. Alignment to 16 bytes is not checked, since it does not
/// change what is loaded.
bool Interpreter::loadMatrices(Warp &W, const MatrixOperation &M,
                               std::vector<std::vector<Slot>> &Registers) {
  StepsLeft -= std::min<uint64_t>(StepsLeft, 16 * M.Count);
  for (unsigned N = 0; N < M.Count; ++N) {
    std::array<uint64_t, 8> Rows;
    for (unsigned Row = 0; Row < 8; ++Row) {
      const Slot &Address = Registers[8 * N + Row][M.Address];
      if (Address.Poison)
        return usedPoison(Address.Poison, "an address");
      auto Found = sharedAddress(Address.Bits);
      if (!Found || (M.Generic && *Found != Address.Bits))
        return end(Outcome::NotExecutable, "an address of shared memory");
      Rows[Row] = *Found;
    }
    for (unsigned Lane = 0; Lane < WarpLanes; ++Lane) {
      Slot &To = Registers[Lane][M.Results[N]];
      Slot Pair;
      for (unsigned E = 0; E < 2; ++E) {
        unsigned Row = Lane / 4, Column = Lane % 4 * 2 + E;
        if (M.Transposed)
          std::swap(Row, Column);
        Slot S;
        if (!load(W.thread(Lane), Rows[Row] + 2 * Column, 2, S))
          return false;
        Pair.Bits |= S.Bits << (16 * E);
        Pair.Poison = Pair.Poison ? Pair.Poison : S.Poison;
      }
      To = Pair;
    }
  }
  return true;
}

/// D = A * B + C, nearly exact and rounded once, as for nvcuda::wmma.
bool Interpreter::multiplyMatrices(const MatrixOperation &M,
                                   std::vector<std::vector<Slot>> &Registers) {
  constexpr unsigned Columns = 8;
  const unsigned Rows = M.Rows, Groups = Rows / 8;
  const unsigned PerRegister = M.packed(), PerHalf = 4 * PerRegister;
  StepsLeft -= std::min<uint64_t>(StepsLeft, Rows * Columns * M.Depth / 8);
  struct Element {
    double X = 0;
    uint32_t Poison = 0;
  };
  bool Unrounded = false;
  auto Read = [&](unsigned Lane, uint32_t Register, unsigned Place,
                  ScalarType T) {
    const Slot &S = Registers[Lane][Register];
    const unsigned Width = 8 * byteSize(T);
    const uint64_t Bits = (S.Bits >> (Place * Width)) & lowBits(Width);
    constexpr uint64_t Dropped = 0x1fff; // 13 bits of a float's fraction
    Unrounded |=
        M.Tf32 && !S.Poison && (Bits & Dropped) && !std::isnan(asFloat(Bits));
    return Element{Num{T, Bits}.real(), S.Poison};
  };
  // The lanes of group g have row g and g + 8 of A, column g of B.
  std::vector<Element> A(Rows * M.Depth), B(M.Depth * Columns);
  for (unsigned K = 0; K < M.Depth; ++K) {
    const unsigned Half = K / PerHalf, InGroup = K % PerHalf / PerRegister,
                   Place = K % PerRegister;
    for (unsigned Row = 0; Row < Rows; ++Row)
      A[Row * M.Depth + K] = Read(4 * (Row % 8) + InGroup,
                                  M.A[Groups * Half + Row / 8], Place, M.Left);
    for (unsigned Column = 0; Column < Columns; ++Column)
      B[K * Columns + Column] =
          Read(4 * Column + InGroup, M.B[Half], Place, M.Right);
  }
  if (Unrounded)
    return end(Outcome::NotExecutable,
               "a product of floats that were not rounded to tf32");
  const unsigned PerSum = M.Sum == ScalarType::F16 ? 2 : 1;
  const unsigned Width = 8 * byteSize(M.Sum);
  for (unsigned Lane = 0; Lane < WarpLanes; ++Lane) {
    std::vector<Slot> New(M.Results.size());
    for (unsigned N = 0; N < 2 * Groups; ++N) {
      const unsigned Row = Lane / 4 + N / 2 * 8, Column = Lane % 4 * 2 + N % 2;
      const Slot &Old = Registers[Lane][M.C[N / PerSum]];
      uint32_t Poison = Old.Poison;
      double Total = 0;
      for (unsigned K = 0; K < M.Depth; ++K) {
        const Element &X = A[Row * M.Depth + K], &Y = B[K * Columns + Column];
        Total += X.X * Y.X;
        Poison = Poison ? Poison : X.Poison ? X.Poison : Y.Poison;
      }
      const uint64_t Bits = (Old.Bits >> (N % PerSum * Width)) & lowBits(Width);
      Slot &S = New[N / PerSum];
      // Integers, which a double holds exactly, overflow.
      const double Real = Total + Num{M.Sum, Bits}.real();
      const uint64_t Result =
          M.Sum == ScalarType::I32
              ? static_cast<uint32_t>(static_cast<int64_t>(Real))
              : fromReal(M.Sum, Real).Bits;
      S.Bits |= Result << (N % PerSum * Width);
      S.Poison = S.Poison ? S.Poison : Poison;
    }
    for (auto [R, S] : llvm::zip_equal(M.Results, New))
      Registers[Lane][R] = S;
  }
  return true;
}

} // namespace execute
} // namespace warpwright
