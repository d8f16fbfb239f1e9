//===-- Ptx.cpp - Inline assembly of CUDA's headers -----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ptx.h"
#include "HeaderTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

namespace warpwright {
namespace execute {

static std::optional<PtxType> parseType(llvm::StringRef S) {
  return llvm::StringSwitch<std::optional<PtxType>>(S)
      .Case("b16", PtxType::B16)
      .Case("b32", PtxType::B32)
      .Case("b64", PtxType::B64)
      .Case("u16", PtxType::U16)
      .Case("s16", PtxType::S16)
      .Case("u32", PtxType::U32)
      .Case("s32", PtxType::S32)
      .Case("u64", PtxType::U64)
      .Case("s64", PtxType::S64)
      .Case("f16", PtxType::F16)
      .Case("bf16", PtxType::BF16)
      .Case("f16x2", PtxType::F16x2)
      .Case("bf16x2", PtxType::BF16x2)
      .Case("e4m3x2", PtxType::E4M3x2)
      .Case("e5m2x2", PtxType::E5M2x2)
      .Case("f32", PtxType::F32)
      .Case("f64", PtxType::F64)
      .Case("pred", PtxType::Pred)
      .Default(std::nullopt);
}

static ScalarType scalar(PtxType T) {
  switch (T) {
  case PtxType::B16:
  case PtxType::U16:
    return ScalarType::U16;
  case PtxType::S16:
    return ScalarType::I16;
  case PtxType::B32:
  case PtxType::U32:
    return ScalarType::U32;
  case PtxType::S32:
    return ScalarType::I32;
  case PtxType::B64:
  case PtxType::U64:
    return ScalarType::U64;
  case PtxType::S64:
    return ScalarType::I64;
  case PtxType::F16:
  case PtxType::F16x2:
    return ScalarType::F16;
  case PtxType::BF16:
  case PtxType::BF16x2:
    return ScalarType::BF16;
  case PtxType::E4M3x2:
    return ScalarType::E4M3;
  case PtxType::E5M2x2:
    return ScalarType::E5M2;
  case PtxType::F32:
    return ScalarType::F32;
  case PtxType::F64:
    return ScalarType::F64;
  case PtxType::Pred:
    return ScalarType::Bool;
  }
  return ScalarType::U32;
}

static bool isPair(PtxType T) {
  return T == PtxType::F16x2 || T == PtxType::BF16x2 || isFloat8(scalar(T));
}
static unsigned bits(PtxType T) {
  return (isPair(T) ? 2 : 1) * 8 * byteSize(scalar(T));
}

namespace {

class PtxParser {
public:
  PtxParser(llvm::StringRef Text, llvm::StringRef Constraints)
      : Text(Text), Constraints(Constraints),
        Program(std::make_shared<PtxProgram>()) {}

  llvm::Expected<std::shared_ptr<const PtxProgram>> run() {
    llvm::SmallVector<llvm::StringRef> Parts;
    Constraints.split(Parts, ',');
    for (llvm::StringRef C : Parts) {
      if (C.empty() || C.starts_with("~")) // no operand, or a clobber
        continue;
      if (C.consume_front("=")) {
        ++Program->Outputs;
      } else {
        ++Program->Inputs;
        unsigned Tied;
        if (!C.getAsInteger(10, Tied)) {
          if (Tied >= Program->Outputs)
            return fail("tied operands");
          Program->Tied.push_back(
              {Tied, Program->Outputs + Program->Inputs - 1});
          continue;
        }
      }
      C.consume_front("&");
      if (C != "h" && C != "r" && C != "l" && C != "f" && C != "d" && C != "n")
        return fail("operands");
    }
    Program->Initial.resize(Program->Outputs + Program->Inputs);
    llvm::StringRef Rest = Text;
    while (true) {
      // Braces around statements only limit the scope of names.
      Rest = Rest.ltrim(" \t\r\n{};");
      if (Rest.empty())
        break;
      const size_t End = Rest.find(';');
      if (End == llvm::StringRef::npos)
        return fail(Rest);
      const llvm::StringRef Statement = Rest.take_front(End).trim();
      if (Program->Matrices || !parse(Statement))
        return fail(Statement);
      Rest = Rest.drop_front(End + 1);
    }
    for (const PtxInst &I : Program->Code)
      if (Program->Matrices &&
          (I.Code == PtxOp::Load || I.Code == PtxOp::CopyAsync ||
           I.Code == PtxOp::CopyCommit || I.Code == PtxOp::CopyWait))
        return fail("matrices and memory in one statement");
    return std::shared_ptr<const PtxProgram>(Program);
  }

private:
  llvm::Error fail(llvm::StringRef What) {
    return llvm::createStringError("inline assembly '" + What.trim() + "'");
  }

  std::optional<uint32_t> operand(llvm::StringRef S) {
    S = S.trim();
    unsigned Number;
    if (S.consume_front("$")) {
      if (S.getAsInteger(10, Number) ||
          Number >= Program->Outputs + Program->Inputs)
        return std::nullopt;
      return Number;
    }
    if (auto It = Names.find(S); It != Names.end())
      return It->second;
    if (!S.empty() && (llvm::isDigit(S[0]) || S[0] == '-')) {
      int64_t Immediate;
      if (S.getAsInteger(0, Immediate))
        return std::nullopt;
      Program->Initial.push_back(static_cast<uint64_t>(Immediate));
      return Program->Initial.size() - 1;
    }
    return std::nullopt;
  }

  bool parse(llvm::StringRef S);
  bool parseMatrices(llvm::StringRef Word, llvm::StringRef Rest);
  std::optional<bool> parseCopy(llvm::StringRef Word,
                                llvm::ArrayRef<llvm::StringRef> Operands);

  llvm::StringRef Text, Constraints;
  std::shared_ptr<PtxProgram> Program;
  llvm::StringMap<uint32_t> Names;
};

} // namespace

/// mma.sync and ldmatrix: operands are registers in braces, or an address.
bool PtxParser::parseMatrices(llvm::StringRef Word, llvm::StringRef Rest) {
  std::vector<std::vector<uint32_t>> Operands;
  while (!(Rest = Rest.trim()).empty()) {
    const char Close = Rest.starts_with("{") ? '}' : ']';
    if (!Rest.consume_front("{") && !Rest.consume_front("["))
      return false;
    auto [List, Behind] = Rest.split(Close);
    Operands.emplace_back();
    llvm::SmallVector<llvm::StringRef> Names;
    List.split(Names, ',');
    for (llvm::StringRef Name : Names) {
      auto Register = operand(Name);
      if (!Register)
        return false;
      Operands.back().push_back(*Register);
    }
    Rest = Behind.trim();
    if (!Rest.empty() && !Rest.consume_front(","))
      return false;
  }
  Program->Matrices = parseMatrixOperation(Word, Operands);
  return Program->Matrices.has_value();
}

/// cp.async and the instructions that belong to it; nothing for other
/// instructions.
std::optional<bool>
PtxParser::parseCopy(llvm::StringRef Word,
                     llvm::ArrayRef<llvm::StringRef> Operands) {
  PtxInst I;
  auto Emit = [&](PtxOp Code) {
    I.Code = Code;
    Program->Code.push_back(I);
    return true;
  };
  // Addresses are the same in every space; an address of shared memory has 32
  // bits.
  if (Word == "cvta.to.shared.u64" || Word == "cvta.to.global.u64" ||
      Word == "cvt.u32.u64") {
    I.To = I.From = Word == "cvt.u32.u64" ? PtxType::U32 : PtxType::U64;
    for (llvm::StringRef O : Operands)
      if (auto Register = operand(O))
        I.Registers.push_back(*Register);
    return I.Registers.size() == 2 && Operands.size() == 2 && Emit(PtxOp::Move);
  }
  if (!Word.consume_front("cp.async."))
    return std::nullopt;
  if (Word == "commit_group")
    return Operands.empty() && Emit(PtxOp::CopyCommit);
  if (Word == "wait_all") {
    if (!Operands.empty())
      return false;
    Emit(PtxOp::CopyCommit);
    Program->Initial.push_back(0);
    I.Registers = {static_cast<uint32_t>(Program->Initial.size() - 1)};
    return Emit(PtxOp::CopyWait);
  }
  if (Word == "wait_group") {
    auto Prior = Operands.size() == 1 ? operand(Operands[0]) : std::nullopt;
    if (!Prior)
      return false;
    I.Registers = {*Prior};
    return Emit(PtxOp::CopyWait);
  }
  llvm::SmallVector<llvm::StringRef> Parts;
  Word.split(Parts, '.');
  if (Parts.size() < 3 || (Parts[0] != "ca" && Parts[0] != "cg") ||
      (Parts[1] != "shared" && Parts[1] != "shared::cta") ||
      Parts[2] != "global" || Operands.size() < 3 || Operands.size() > 4)
    return false;
  for (llvm::StringRef Part : llvm::ArrayRef(Parts).drop_front(3))
    if (Part != "L2::64B" && Part != "L2::128B" && Part != "L2::256B")
      return false;
  for (size_t N = 0; N < 4; ++N) {
    llvm::StringRef O = Operands[std::min(N, Operands.size() - 1)].trim();
    if (N < 2 && (!O.consume_front("[") || !O.consume_back("]")))
      return false;
    auto Register = operand(O);
    if (!Register)
      return false;
    I.Registers.push_back(*Register);
  }
  return Emit(PtxOp::CopyAsync);
}

bool PtxParser::parse(llvm::StringRef S) {
  std::optional<uint32_t> Predicate;
  bool Negated = false;
  if (S.consume_front("@")) {
    Negated = S.consume_front("!");
    const size_t End = S.find_first_of(" \t\n");
    if (End == llvm::StringRef::npos)
      return false;
    Predicate = operand(S.take_front(End));
    S = S.drop_front(End).trim();
    if (!Predicate)
      return false;
  }
  const size_t Space = S.find_first_of(" \t\n{[");
  const llvm::StringRef Word = S.take_front(Space);
  if (Word.starts_with("mma.") || Word.starts_with("ldmatrix."))
    return !Predicate && Space != llvm::StringRef::npos &&
           parseMatrices(Word, S.drop_front(Space));
  llvm::SmallVector<llvm::StringRef> Operands;
  if (Space != llvm::StringRef::npos)
    S.drop_front(Space).split(Operands, ',');
  const size_t First = Program->Code.size();
  if (auto Known = parseCopy(Word, Operands)) {
    for (PtxInst &I : llvm::MutableArrayRef(Program->Code).drop_front(First)) {
      I.Predicate = Predicate;
      I.Negated = Negated;
    }
    return *Known;
  }
  if (Predicate || Operands.empty())
    return false;
  if (Word == ".reg") {
    // `.reg .f16 low,high`
    auto [Type, First] = Operands[0].trim().split(' ');
    if (!Type.consume_front(".") || !parseType(Type))
      return false;
    Operands[0] = First;
    for (llvm::StringRef Name : Operands) {
      Name = Name.trim();
      if (Name.empty() || Name.contains('<'))
        return false;
      Names[Name] = Program->Initial.size();
      Program->Initial.push_back(0);
    }
    return true;
  }
  PtxInst I;
  if (Word == "cvt.rna.tf32.f32") { // a type of no other instruction
    I.Code = PtxOp::ToTf32;
    for (llvm::StringRef O : Operands) {
      auto Register = operand(O);
      if (!Register)
        return false;
      I.Registers.push_back(*Register);
    }
    Program->Code.push_back(I);
    return I.Registers.size() == 2;
  }
  llvm::SmallVector<llvm::StringRef> Parts;
  Word.split(Parts, '.');
  llvm::SmallVector<PtxType, 2> Types;
  bool Global = false, Approximate = false, Saturates = false;
  unsigned Loaded = 1;
  for (llvm::StringRef Part : llvm::ArrayRef(Parts).drop_front()) {
    if (auto T = parseType(Part)) {
      Types.push_back(*T);
      continue;
    }
    bool Known = true;
    if (Part == "ftz")
      I.FlushDenormals = true;
    else if (Part == "NaN")
      I.Nan = true;
    else if (Part == "approx")
      Approximate = true;
    else if (Part == "satfinite")
      Saturates = true;
    else if (Part == "global")
      Global = true;
    else if (Part == "nc" || Part == "ca" || Part == "cg" || Part == "cs" ||
             Part == "lu" || Part == "cv")
      Known = Parts[0] == "ld";
    else if ((Part == "v2" || Part == "v4") && Parts[0] == "ld")
      Loaded = Part == "v2" ? 2 : 4;
    else if (Part == "lo")
      Known = Parts[0] == "mul";
    else if (Parts[0] == "setp" || Parts[0] == "set") {
      llvm::StringRef Test = Part;
      I.Unordered = Test.size() == 3 && Test.consume_back("u");
      auto Compare = llvm::StringSwitch<std::optional<PtxInst::Compare>>(Test)
                         .Case("eq", PtxInst::Compare::EQ)
                         .Case("ne", PtxInst::Compare::NE)
                         .Case("lt", PtxInst::Compare::LT)
                         .Case("le", PtxInst::Compare::LE)
                         .Case("gt", PtxInst::Compare::GT)
                         .Case("ge", PtxInst::Compare::GE)
                         .Default(std::nullopt);
      Known = Compare.has_value();
      I.Test = Compare.value_or(I.Test);
    } else
      Known = Part == "rn";
    if (!Known)
      return false;
  }
  if (Types.empty() || Types.size() > 2)
    return false;
  I.To = Types.front();
  I.From = Types.back();
  // Nothing but conversions has numbers of 8 bits; those to them saturate.
  if (Saturates != isFloat8(scalar(I.To)) ||
      ((Saturates || isFloat8(scalar(I.From))) && Parts[0] != "cvt"))
    return false;
  struct Row {
    const char *Name;
    PtxOp Code;
    unsigned Operands;
  };
  static constexpr Row Rows[] = {
      {"mov", PtxOp::Move, 2},  {"cvt", PtxOp::Convert, 2},
      {"dp4a", PtxOp::Dot4, 4}, {"add", PtxOp::Add, 3},
      {"sub", PtxOp::Sub, 3},   {"mul", PtxOp::Mul, 3},
      {"fma", PtxOp::Fma, 4},   {"neg", PtxOp::Neg, 2},
      {"abs", PtxOp::Abs, 2},   {"min", PtxOp::Min, 3},
      {"max", PtxOp::Max, 3},   {"rcp", PtxOp::Rcp, 2},
      {"sqrt", PtxOp::Sqrt, 2}, {"ex2", PtxOp::Exp2, 2},
      {"lg2", PtxOp::Log2, 2},  {"tanh", PtxOp::Tanh, 2},
      {"ld", PtxOp::Load, 2},   {"setp", PtxOp::SetP, 3},
      {"selp", PtxOp::SelP, 4}, {"set", PtxOp::Set, 3},
  };
  const Row *Found =
      llvm::find_if(Rows, [&](const Row &R) { return Parts[0] == R.Name; });
  if (Found == std::end(Rows))
    return false;
  I.Code = Found->Code;
  const bool Transcendental = I.Code == PtxOp::Exp2 || I.Code == PtxOp::Log2 ||
                              I.Code == PtxOp::Tanh || I.Code == PtxOp::Rcp ||
                              I.Code == PtxOp::Sqrt;
  if ((Approximate && !Transcendental) || (Global != (I.Code == PtxOp::Load)))
    return false;
  unsigned Wanted = Found->Operands + Loaded - 1;
  if (I.Code == PtxOp::Convert) {
    // The rounding modes of integers have other names.
    if (Types.size() != 2 || !isFloating(scalar(I.From)) ||
        !isFloating(scalar(I.To)) || (isPair(I.From) && !isPair(I.To)))
      return false;
    if (isPair(I.To) && !isPair(I.From))
      Wanted = 3;
  } else if (I.Code == PtxOp::Dot4) {
    auto IsWord = [](PtxType T) {
      return T == PtxType::S32 || T == PtxType::U32;
    };
    if (Types.size() != 2 || !llvm::all_of(Types, IsWord))
      return false;
  } else if (Types.size() != 1 && I.Code != PtxOp::Set) {
    return false;
  }
  if (I.Code == PtxOp::Mul && !isFloating(scalar(I.To)) &&
      !llvm::is_contained(Parts, "lo"))
    return false;
  for (llvm::StringRef &O : Operands) {
    O = O.trim();
    if (O.consume_front("{") && Loaded == 1) {
      if (I.Code != PtxOp::Move)
        return false;
      I.Code = I.Registers.empty() ? PtxOp::Split : PtxOp::Join;
    }
    O.consume_back("}");
    if (I.Code == PtxOp::Load && O.consume_front("["))
      O.consume_back("]");
    auto Register = operand(O);
    if (!Register)
      return false;
    I.Registers.push_back(*Register);
  }
  if (I.Code == PtxOp::Split || I.Code == PtxOp::Join) {
    if (I.Registers.size() != 3)
      return false;
  } else if (I.Registers.size() != Wanted) {
    return false;
  }
  Program->Code.push_back(std::move(I));
  return true;
}

llvm::Expected<std::shared_ptr<const PtxProgram>>
parsePtx(llvm::StringRef Text, llvm::StringRef Constraints) {
  return PtxParser(Text, Constraints).run();
}

static Num flush(const Num &X) {
  const double D = X.real();
  if (X.Type == ScalarType::F32 && D != 0 && std::fabs(D) < 0x1p-126)
    return fromReal(X.Type, std::copysign(0.0, D));
  return X;
}

static bool holds(const PtxInst &I, const Num &L, const Num &R) {
  if (L.isFloat()) {
    const double A = L.real(), B = R.real();
    if (std::isnan(A) || std::isnan(B))
      return I.Unordered;
    switch (I.Test) {
    case PtxInst::Compare::EQ:
      return A == B;
    case PtxInst::Compare::NE:
      return A != B;
    case PtxInst::Compare::LT:
      return A < B;
    case PtxInst::Compare::LE:
      return A <= B;
    case PtxInst::Compare::GT:
      return A > B;
    case PtxInst::Compare::GE:
      return A >= B;
    }
  }
  const int64_t A = L.integer(), B = R.integer();
  const bool Less = L.isSigned() ? A < B : L.Bits < R.Bits;
  switch (I.Test) {
  case PtxInst::Compare::EQ:
    return A == B;
  case PtxInst::Compare::NE:
    return A != B;
  case PtxInst::Compare::LT:
    return Less;
  case PtxInst::Compare::LE:
    return Less || A == B;
  case PtxInst::Compare::GT:
    return !Less && A != B;
  case PtxInst::Compare::GE:
    return !Less;
  }
  return false;
}

/// The result for operands of one type.
static std::optional<Num> compute(const PtxInst &I, llvm::ArrayRef<Num> Ops) {
  auto Table = [&](const char *Name) {
    return findHeaderFunction(Name, Ops.size())->Apply(Ops);
  };
  switch (I.Code) {
  case PtxOp::Add:
    return apply(Arithmetic::Add, Ops[0], Ops[1]);
  case PtxOp::Sub:
    return apply(Arithmetic::Sub, Ops[0], Ops[1]);
  case PtxOp::Mul:
    return apply(Arithmetic::Mul, Ops[0], Ops[1]);
  case PtxOp::Fma:
    return fma(Ops[0], Ops[1], Ops[2]);
  case PtxOp::Neg:
    return negate(Ops[0]);
  case PtxOp::Abs:
    return Table("__habs");
  case PtxOp::Min:
    return Table(I.Nan ? "__hmin_nan" : "__hmin");
  case PtxOp::Max:
    return Table(I.Nan ? "__hmax_nan" : "__hmax");
  case PtxOp::Rcp:
    return Table("hrcp");
  case PtxOp::Sqrt:
    return Table("sqrt");
  case PtxOp::Exp2:
    return Table("exp2");
  case PtxOp::Log2:
    return Table("log2");
  case PtxOp::Tanh:
    return Table("tanh");
  default:
    return std::nullopt;
  }
}

bool runPtx(const PtxProgram &Program, std::vector<uint64_t> &R,
            const PtxMemory &Memory) {
  for (const PtxInst &I : Program.Code) {
    if (I.Predicate && (R[*I.Predicate] & 1) == I.Negated)
      continue;
    const std::vector<uint32_t> &Reg = I.Registers;
    const unsigned Width = bits(I.To);
    switch (I.Code) {
    case PtxOp::Move:
      R[Reg[0]] = R[Reg[1]] & lowBits(Width);
      break;
    case PtxOp::Split:
      R[Reg[0]] = R[Reg[2]] & lowBits(Width / 2);
      R[Reg[1]] = (R[Reg[2]] >> (Width / 2)) & lowBits(Width / 2);
      break;
    case PtxOp::Join:
      R[Reg[0]] = (R[Reg[1]] & lowBits(Width / 2)) |
                  (R[Reg[2]] & lowBits(Width / 2)) << (Width / 2);
      break;
    case PtxOp::Convert: {
      auto One = [&](uint64_t From) {
        Num X = {scalar(I.From), From & lowBits(8 * byteSize(scalar(I.From)))};
        if (I.FlushDenormals)
          X = flush(X);
        return convert(scalar(I.To), X)->Bits;
      };
      const unsigned Lane = 8 * byteSize(scalar(I.To));
      if (isPair(I.From))
        R[Reg[0]] =
            One(R[Reg[1]] >> (bits(I.From) / 2)) << Lane | One(R[Reg[1]]);
      else if (isPair(I.To)) // the first source is the upper half
        R[Reg[0]] = One(R[Reg[1]]) << Lane | One(R[Reg[2]]);
      else
        R[Reg[0]] = One(R[Reg[1]]);
      break;
    }
    case PtxOp::ToTf32: {
      const Num X = {ScalarType::F32, R[Reg[1]] & lowBits(32)};
      R[Reg[0]] = findHeaderFunction("__float_to_tf32", 1)->Apply(X)->Bits;
      break;
    }
    case PtxOp::Load: {
      llvm::SmallVector<uint64_t, 4> Numbers(Reg.size() - 1);
      if (!Memory.Load(R[Reg.back()], Width / 8, Numbers))
        return false;
      for (size_t N = 0; N < Numbers.size(); ++N)
        R[Reg[N]] = Numbers[N];
      break;
    }
    case PtxOp::CopyAsync:
      if (!Memory.Copy(R[Reg[0]], R[Reg[1]], R[Reg[2]],
                       R[Reg[3]] & lowBits(32)))
        return false;
      break;
    case PtxOp::CopyCommit:
      Memory.Commit();
      break;
    case PtxOp::CopyWait:
      Memory.Wait(R[Reg[0]]);
      break;
    case PtxOp::SetP:
    case PtxOp::Set: {
      if (isPair(I.From) || (I.Code == PtxOp::Set && isPair(I.To)))
        return false;
      const uint64_t Mask = lowBits(bits(I.From));
      const bool B = holds(I, {scalar(I.From), R[Reg[1]] & Mask},
                           {scalar(I.From), R[Reg[2]] & Mask});
      if (I.Code == PtxOp::SetP)
        R[Reg[0]] = B;
      else if (isFloating(scalar(I.To)))
        R[Reg[0]] = fromReal(scalar(I.To), B).Bits;
      else
        R[Reg[0]] = B ? lowBits(Width) : 0;
      break;
    }
    case PtxOp::Dot4: {
      auto Byte = [&](PtxType T, uint64_t Word, unsigned N) {
        const uint64_t Bits = Word >> (8 * N) & lowBits(8);
        return T == PtxType::S32 ? signExtend(Bits, 8)
                                 : static_cast<int64_t>(Bits);
      };
      int64_t Sum = static_cast<int64_t>(R[Reg[3]]);
      for (unsigned N = 0; N < 4; ++N)
        Sum += Byte(I.To, R[Reg[1]], N) * Byte(I.From, R[Reg[2]], N);
      R[Reg[0]] = static_cast<uint64_t>(Sum) & lowBits(Width);
      break;
    }
    case PtxOp::SelP:
      R[Reg[0]] = (R[Reg[3]] & 1 ? R[Reg[1]] : R[Reg[2]]) & lowBits(Width);
      break;
    default: {
      const unsigned Lanes = isPair(I.To) ? 2 : 1, Lane = Width / Lanes;
      uint64_t Result = 0;
      for (unsigned L = 0; L < Lanes; ++L) {
        llvm::SmallVector<Num, 3> Ops;
        for (uint32_t From : llvm::ArrayRef(Reg).drop_front()) {
          Num X = {scalar(I.To), (R[From] >> (L * Lane)) & lowBits(Lane)};
          Ops.push_back(I.FlushDenormals ? flush(X) : X);
        }
        auto X = compute(I, Ops);
        if (!X)
          return false;
        if (I.FlushDenormals)
          X = flush(*X);
        Result |= X->Bits << (L * Lane);
      }
      R[Reg[0]] = Result;
    }
    }
  }
  return true;
}

} // namespace execute
} // namespace warpwright
