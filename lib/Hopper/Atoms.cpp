//===- Atoms.cpp - MMA and copy instructions by name ----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Hopper/Atoms.h"

#include "warpwright/Hopper/Wgmma.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace warpwright {

/// \p Threads, and the modes of \p Values whose extent is not 1; a single mode
/// is not a tuple.
static Layout threadValue(const Layout &Threads, ArrayRef<Layout> Values) {
  std::vector<Layout> Kept;
  copy_if(Values, std::back_inserter(Kept),
          [](const Layout &L) { return L.size() > 1; });
  if (Kept.empty())
    return Layout::join({Threads, Layout(1, 0)});
  return Layout::join(
      {Threads, Kept.size() == 1 ? Kept[0] : Layout::join(Kept)});
}

/// mma.sync of a warp on \p M (8 or 16) x 8 x \p K: four lanes share a row of A
/// (or B); each has as many neighbouring elements as fill a 32-bit register,
/// then those 8 rows below, then those further along k.
static MmaAtom warpMma(std::string Name, int64_t M, int64_t K, unsigned Bits,
                       unsigned AccumulatorBits) {
  MmaAtom Atom;
  Atom.Name = std::move(Name);
  Atom.MNK = {M, 8, K};
  Atom.Bits = {Bits, Bits, AccumulatorBits};
  Atom.Threads = Layout(32, 1);
  int64_t Packed = std::max<int64_t>(1, 32 / Bits), Steps = K / (4 * Packed);
  auto Operand = [&](int64_t Rows) {
    return threadValue(Layout({4, 8}, {Rows * Packed, 1}),
                       {Layout(Packed, Rows), Layout(Rows / 8, 8),
                        Layout(Steps, 4 * Packed * Rows)});
  };
  Atom.Values[0] = Operand(M);
  Atom.Values[1] = Operand(8);
  // A lane has two neighbouring columns.
  Atom.Values[2] =
      threadValue(Layout({4, 8}, {2 * M, 1}), {Layout(2, M), Layout(M / 8, 8)});
  return Atom;
}

/// mma.sync.m8n8k4 of a quad pair, which is lanes 0..3 and 16..19.
static MmaAtom quadPairMma(StringRef Name, bool FloatAccumulator, char AOrder,
                           char BOrder) {
  MmaAtom Atom;
  Atom.Name = Name.str();
  Atom.MNK = {8, 8, 4};
  Atom.Bits = {16, 16, FloatAccumulator ? 32u : 16u};
  Atom.Threads = Layout({4, 2}, {1, 16});
  Layout Rows({8, 4}, {1, 8}), Columns({{4, 2}, 4}, {{8, 4}, 1});
  Atom.Values[0] = AOrder == 'T' ? Rows : Columns;
  Atom.Values[1] = BOrder == 'N' ? Rows : Columns;
  Atom.Values[2] = FloatAccumulator ? Layout({{2, 2, 2}, {2, 2, 2}},
                                             {{1, 16, 4}, {8, 2, 32}})
                                    : Layout({8, 8}, {1, 8});
  return Atom;
}

namespace {
/// The warp MMAs of one combination of types: `<Prefix><shape>_<Types>_TN`.
struct WarpMmas {
  StringLiteral Architecture; ///< `SM80`
  StringLiteral Types;        ///< accumulator, A, B, accumulator
  unsigned Bits, AccumulatorBits;
  /// m and k of each, up to the first 0; n is 8.
  std::array<std::pair<int64_t, int64_t>, 3> Shapes;
  /// The suffixes that may follow `_TN`; if the first is not empty, one of them
  /// has to.
  std::array<StringLiteral, 2> Suffixes;
};
struct WgmmaTypes {
  StringLiteral Types; ///< accumulator, A, B
  unsigned Bits, AccumulatorBits;
};
} // namespace

static constexpr std::array<StringLiteral, 2> Plain{"", ""};
static constexpr std::array<StringLiteral, 2> Saturate{"", "_SATURATE"};
static constexpr std::array<StringLiteral, 2> PopCount{"_XORPOPC", "_ANDPOPC"};
static constexpr WarpMmas WarpMmaTable[] = {
    {"SM75", "F32F16F16F32", 16, 32, {{{16, 8}}}, Plain},
    {"SM75", "S32S8S8S32", 8, 32, {{{8, 16}}}, Plain},
    {"SM80", "F16F16F16F16", 16, 16, {{{16, 8}, {16, 16}}}, Plain},
    {"SM80", "F32F16F16F32", 16, 32, {{{16, 8}, {16, 16}}}, Plain},
    {"SM80", "F32BF16BF16F32", 16, 32, {{{16, 8}, {16, 16}}}, Plain},
    {"SM80", "F32TF32TF32F32", 32, 32, {{{16, 4}, {16, 8}}}, Plain},
    {"SM80", "F64F64F64F64", 64, 64, {{{8, 4}}}, Plain},
    {"SM80", "S32S8S8S32", 8, 32, {{{8, 16}, {16, 16}, {16, 32}}}, Saturate},
    {"SM80", "S32S8U8S32", 8, 32, {{{8, 16}, {16, 16}, {16, 32}}}, Saturate},
    {"SM80", "S32U8S8S32", 8, 32, {{{8, 16}, {16, 16}, {16, 32}}}, Saturate},
    {"SM80", "S32U8U8S32", 8, 32, {{{8, 16}, {16, 16}, {16, 32}}}, Saturate},
    {"SM80", "S32S4S4S32", 4, 32, {{{8, 32}, {16, 32}, {16, 64}}}, Saturate},
    {"SM80", "S32S4U4S32", 4, 32, {{{8, 32}, {16, 32}, {16, 64}}}, Saturate},
    {"SM80", "S32U4S4S32", 4, 32, {{{8, 32}, {16, 32}, {16, 64}}}, Saturate},
    {"SM80", "S32U4U4S32", 4, 32, {{{8, 32}, {16, 32}, {16, 64}}}, Saturate},
    {"SM80", "S32U1U1S32", 1, 32, {{{8, 128}, {16, 128}, {16, 256}}}, PopCount},
    {"SM89", "F32E4M3E4M3F32", 8, 32, {{{16, 32}}}, Plain},
    {"SM89", "F32E4M3E5M2F32", 8, 32, {{{16, 32}}}, Plain},
    {"SM89", "F32E5M2E4M3F32", 8, 32, {{{16, 32}}}, Plain},
    {"SM89", "F32E5M2E5M2F32", 8, 32, {{{16, 32}}}, Plain},
    {"SM89", "F16E4M3E4M3F16", 8, 16, {{{16, 32}}}, Plain},
    {"SM89", "F16E4M3E5M2F16", 8, 16, {{{16, 32}}}, Plain},
    {"SM89", "F16E5M2E4M3F16", 8, 16, {{{16, 32}}}, Plain},
    {"SM89", "F16E5M2E5M2F16", 8, 16, {{{16, 32}}}, Plain},
    {"SM90", "F64F64F64F64", 64, 64, {{{16, 4}, {16, 8}, {16, 16}}}, Plain}};

static constexpr WgmmaTypes WgmmaTable[] = {
    {"F16F16F16", 16, 16},   {"F32F16F16", 16, 32},  {"F32BF16BF16", 16, 32},
    {"F32TF32TF32", 32, 32}, {"F16E4M3E4M3", 8, 16}, {"F32E4M3E4M3", 8, 32},
    {"F16E4M3E5M2", 8, 16},  {"F32E4M3E5M2", 8, 32}, {"F16E5M2E4M3", 8, 16},
    {"F32E5M2E4M3", 8, 32},  {"F16E5M2E5M2", 8, 16}, {"F32E5M2E5M2", 8, 32},
    {"S32S8S8", 8, 32},      {"S32S8U8", 8, 32},     {"S32U8S8", 8, 32},
    {"S32U8U8", 8, 32},      {"S32U1U1", 1, 32}};

std::vector<std::string> mmaAtomNames() {
  std::vector<std::string> Names;
  for (StringRef Types : {"F16F16F16F16", "F32F16F16F32"})
    for (StringRef Order : {"TN", "NT", "NN", "TT"})
      Names.push_back(("SM70_8x8x4_" + Types + "_" + Order).str());
  for (const WarpMmas &W : WarpMmaTable)
    for (auto [M, K] : W.Shapes)
      for (size_t I = 0; I < W.Suffixes.size(); ++I)
        if (M && (I == 0 || !W.Suffixes[I].empty()))
          Names.push_back((W.Architecture + "_" + Twine(M) + "x8x" + Twine(K) +
                           "_" + W.Types + "_TN" + W.Suffixes[I])
                              .str());
  for (const WgmmaTypes &T : WgmmaTable)
    for (int64_t N = 8; N <= 256; N += 8)
      for (StringRef From : {"_SS", "_RS"}) {
        bool Integer = T.Types.starts_with("S32");
        if (Integer && N > 32 && N % 16)
          continue;
        std::string Name = ("SM90_64x" + Twine(N) + "x" + Twine(256 / T.Bits) +
                            "_" + T.Types + From + (T.Bits == 16 ? "" : "_TN"))
                               .str();
        if (T.Bits == 1) {
          Names.push_back(Name + "_ANDPOPC");
          continue;
        }
        Names.push_back(Name);
        if (Integer)
          Names.push_back(Name + "_SATURATE");
      }
  return Names;
}

/// `64xNxK_<types>_SS|RS[_TN][_SATURATE]`. CuTe has no names for the one-bit
/// ones; these follow those of SM80.
static Expected<MmaAtom> warpgroupMma(StringRef Name) {
  StringRef Rest = Name;
  Rest.consume_front("SM90_64x");
  int64_t N, K;
  if (Rest.consumeInteger(10, N) || !Rest.consume_front("x") ||
      Rest.consumeInteger(10, K) || !Rest.consume_front("_"))
    return layoutError("expected SM90_64xNxK_<types>_SS or _RS, not '" + Name +
                       "'");
  StringRef Types, Suffix;
  std::tie(Types, Suffix) = Rest.split('_');
  const WgmmaTypes *T = find_if(
      WgmmaTable, [&](const WgmmaTypes &W) { return W.Types == Types; });
  if (T == std::end(WgmmaTable)) {
    std::string Known;
    for (const WgmmaTypes &W : WgmmaTable)
      Known += (Known.empty() ? "" : " ") + W.Types.str();
    return layoutError("wgmma has no types '" + Types + "', only " + Known);
  }
  bool Integer = Types.starts_with("S32");
  bool FromRegisters = Suffix.consume_front("RS");
  if (!FromRegisters && !Suffix.consume_front("SS"))
    return layoutError("A comes from shared memory (_SS) or registers (_RS), "
                       "unlike in '" +
                       Name + "'");
  // 16-bit types may have either order, as template arguments in CuTe.
  if (T->Bits != 16)
    Suffix.consume_front("_TN");
  if (T->Bits == 1)
    Suffix.consume_front("_ANDPOPC");
  else if (Integer)
    Suffix.consume_front("_SATURATE");
  if (!Suffix.empty())
    return layoutError("unknown suffix '" + Suffix + "' of '" + Name + "'");
  Expected<WgmmaAtom> W = WgmmaAtom::create(N, T->Bits);
  if (!W)
    return W.takeError();
  if (K != W->K)
    return layoutError("wgmma's k is " + Twine(W->K) + " for " + Types +
                       ", not " + Twine(K));
  if (Integer && N > 32 && N % 16)
    return layoutError("integer wgmma's n beyond 32 must be a multiple of 16, "
                       "not " +
                       Twine(N));
  MmaAtom Atom;
  Atom.Name = Name.str();
  Atom.MNK = {WgmmaAtom::M, N, K};
  Atom.Bits = {T->Bits, T->Bits, T->AccumulatorBits};
  Atom.Threads = W->Threads;
  Atom.Values = {FromRegisters ? W->ARegisters : W->A, W->B, W->C};
  Atom.FromSmem = {!FromRegisters, true, false};
  return Atom;
}

/// Says that \p Name has no atom, and which name may have been meant.
static Error unknownAtom(StringRef Name) {
  for (StringRef Known : {"SM100", "SM101", "SM103", "SM120", "SM61"})
    if (Name.starts_with(Known))
      return layoutError("'" + Name + "': there are no MMA atoms of " + Known +
                         " here, only those of SM70, SM75, SM80, SM89 and "
                         "SM90");
  if (Name.contains("C64") || Name.contains("C32"))
    return layoutError("'" + Name +
                       "': complex MMAs are several instructions, and no "
                       "atom here");
  if (Name.contains("SPARSE"))
    return layoutError("'" + Name + "': sparse MMAs are no atoms here");
  std::string Best;
  unsigned BestDistance = 4;
  for (const std::string &Known : mmaAtomNames())
    if (unsigned D = Name.edit_distance(Known, true, BestDistance);
        D < BestDistance) {
      Best = Known;
      BestDistance = D;
    }
  return layoutError(
      "unknown MMA atom '" + Name + "'" +
      (Best.empty() ? Twine("") : "; did you mean '" + Best + "'?"));
}

Expected<MmaAtom> mmaAtom(StringRef Name) {
  for (const WarpMmas &W : WarpMmaTable) {
    StringRef Rest = Name;
    if (!Rest.consume_front(W.Architecture) || !Rest.consume_front("_"))
      continue;
    auto [Shape, Tail] = Rest.split('_');
    if (!Tail.consume_front(W.Types) || !Tail.consume_front("_TN") ||
        !is_contained(W.Suffixes, Tail))
      continue;
    for (auto [M, K] : W.Shapes)
      if (M && Shape == (Twine(M) + "x8x" + Twine(K)).str())
        return warpMma(Name.str(), M, K, W.Bits, W.AccumulatorBits);
  }
  for (bool Float : {false, true})
    for (StringRef Order : {"TN", "NT", "NN", "TT"})
      if (Name == (Twine("SM70_8x8x4_") +
                   (Float ? "F32F16F16F32_" : "F16F16F16F16_") + Order)
                      .str())
        return quadPairMma(Name, Float, Order[0], Order[1]);
  if (Name.starts_with("SM90_64x") && !Name.contains("SPARSE"))
    return warpgroupMma(Name);
  return unknownAtom(Name);
}

/// \p Matrices 8x8 matrices of 16-bit elements, one for each register. Each
/// 16-byte line is given by one lane; lanes beyond those repeat the first ones.
/// Without transposition, lane l holds elements 2(l%4) and 2(l%4)+1 of line
/// l/4; with it, element l/4 of lines 2(l%4) and 2(l%4)+1.
static CopyAtom matrixCopy(StringRef Name, int64_t Matrices, bool Transposed,
                           bool Store) {
  constexpr int64_t LineBits = 128, MatrixBits = 8 * LineBits;
  int64_t Lines = 8 * Matrices;
  Layout InMemory =
      Lines == 32 ? Layout({32, LineBits}, {LineBits, 1})
                  : Layout({{Lines, 32 / Lines}, LineBits}, {{LineBits, 0}, 1});
  Layout InRegisters;
  if (Transposed)
    InRegisters = threadValue(
        Layout({4, 8}, {2 * LineBits, 16}),
        {Layout(16, 1), Layout(2, LineBits), Layout(Matrices, MatrixBits)});
  else
    InRegisters = threadValue(Layout(32, 32),
                              {Layout(32, 1), Layout(Matrices, MatrixBits)});
  CopyAtom Atom;
  Atom.Name = Name.str();
  Atom.Threads = Layout(32, 1);
  Atom.Source = Store ? InRegisters : InMemory;
  Atom.Destination = Store ? InMemory : InRegisters;
  Atom.Reference = InRegisters;
  return Atom;
}

/// One thread's load or store of \p Bits bits.
static CopyAtom vectorCopy(StringRef Name, int64_t Bits) {
  CopyAtom Atom;
  Atom.Name = Name.str();
  Atom.Threads = Layout(1, 0);
  Atom.Source = Atom.Destination = Atom.Reference = Layout({1, Bits}, {0, 1});
  return Atom;
}

Expected<CopyAtom> copyAtom(StringRef Name) {
  for (int64_t Bits : {8, 16, 32, 64, 128})
    for (StringRef Kind :
         {"UniversalCopy_uint", "SM80_CP_ASYNC_CACHEALWAYS_uint",
          "SM80_CP_ASYNC_CACHEGLOBAL_uint"}) {
      bool Async = !Kind.starts_with("Universal");
      // cp.async moves 4, 8 or 16 bytes; only copies of 16 may bypass the L1
      // cache.
      if (Async && (Bits < 32 || (Kind.contains("GLOBAL") && Bits != 128)))
        continue;
      if (Name == (Kind + Twine(Bits) + "_t").str())
        return vectorCopy(Name, Bits);
    }
  for (bool Store : {false, true})
    for (bool Transposed : {false, true})
      for (int64_t Matrices : {1, 2, 4}) {
        std::string Known =
            (Twine(Store ? "SM90_" : "SM75_") + (Transposed ? "U16x" : "U32x") +
             Twine(Transposed ? 2 * Matrices : Matrices) +
             (Store ? "_STSM_" : "_LDSM_") + (Transposed ? "T" : "N"))
                .str();
        if (Name == Known)
          return matrixCopy(Name, Matrices, Transposed, Store);
      }
  return layoutError("unknown copy atom '" + Name +
                     "'; there are SM75_U32x1|2|4_LDSM_N, "
                     "SM75_U16x2|4|8_LDSM_T, the same of SM90 with STSM, "
                     "UniversalCopy_uint8|16|32|64|128_t and "
                     "SM80_CP_ASYNC_CACHEALWAYS|CACHEGLOBAL_uint128_t");
}

} // namespace warpwright
