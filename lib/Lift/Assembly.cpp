//===-- Assembly.cpp - Inline assembly ------------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What kernels write in PTX: cp.async with its groups and waits, the address
/// of a shared array as a number, a predicate that a copy is under, and what
/// Matrices.cpp has, ldmatrix and mma.sync. All of a statement is understood,
/// or none of it.
///
/// Source: the PTX ISA, "Data movement and conversion: asynchronous copy".
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "MatrixForms.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Operator.h"

using namespace clang;

namespace warpwright::symbolic {

using VK = SymValue::Kind;

namespace {

/// Parses statement by statement; registers are known by name, operands as
/// `$0`.
class Assembly {
public:
  llvm::StringMap<SymValue> Registers;
  llvm::SmallVector<llvm::StringRef, 4> Statements;

  explicit Assembly(llvm::StringRef Text) {
    llvm::SmallVector<llvm::StringRef, 8> Parts;
    Text.split(Parts, ';');
    for (llvm::StringRef Part : Parts) {
      // Braces around statements end the life of names; braces of operands are
      // skipped.
      Part = Part.ltrim(" \t\r\n{}").rtrim();
      while (Part.count('}') > Part.count('{'))
        Part = Part.drop_back().rtrim();
      if (!Part.empty())
        Statements.push_back(Part);
    }
  }

  /// The operands in \p Text; operands in braces count as one.
  static llvm::SmallVector<llvm::StringRef, 4> split(llvm::StringRef Text) {
    llvm::SmallVector<llvm::StringRef, 4> Operands;
    size_t From = 0;
    int Depth = 0;
    for (size_t N = 0; N <= Text.size(); ++N) {
      if (N == Text.size() || (Text[N] == ',' && Depth == 0)) {
        Operands.push_back(Text.slice(From, N).trim());
        From = N + 1;
      } else {
        Depth += (Text[N] == '{') - (Text[N] == '}');
      }
    }
    return Operands;
  }

  /// The registers of an operand in braces; braces around a single register may
  /// be left out.
  static llvm::SmallVector<llvm::StringRef, 4> vector(llvm::StringRef Text) {
    Text = Text.trim();
    if (Text.consume_front("{"))
      Text.consume_back("}");
    return split(Text);
  }

  /// An operand, in brackets if it is an \p Address.
  std::optional<SymValue> operand(llvm::StringRef Text, bool Address) const {
    Text = Text.trim();
    if (Address && (!Text.consume_front("[") || !Text.consume_back("]")))
      return std::nullopt;
    Text = Text.trim();
    int64_t Number;
    if (!Text.getAsInteger(0, Number))
      return Address ? std::optional<SymValue>()
                     : SymValue::exact(IntExpr(Number), 32);
    auto It = Registers.find(Text);
    return It == Registers.end() ? std::optional<SymValue>() : It->second;
  }
};

} // namespace

/// `cp.async.cg.shared::cta.global.L2::128B`, which copies like
/// cp.async.ca.shared.global.
static bool isCopy(llvm::StringRef Word) {
  if (!Word.consume_front("cp.async."))
    return false;
  llvm::SmallVector<llvm::StringRef, 4> Parts;
  Word.split(Parts, '.');
  if (Parts.size() < 3 || (Parts[0] != "ca" && Parts[0] != "cg") ||
      (Parts[1] != "shared" && Parts[1] != "shared::cta") ||
      Parts[2] != "global")
    return false;
  return llvm::all_of(llvm::drop_begin(Parts, 3), [](llvm::StringRef Hint) {
    return Hint == "L2::64B" || Hint == "L2::128B" || Hint == "L2::256B";
  });
}

/// Whether \p V is a generic address, and not one of the shared window that was
/// made a pointer: here both are the same value, on the device they are not.
static bool isGenericAddress(const llvm::Value *V) {
  llvm::SmallPtrSet<const llvm::Value *, 8> Seen;
  llvm::SmallVector<const llvm::Value *, 8> Work = {V};
  while (!Work.empty()) {
    const llvm::Value *X = Work.pop_back_val();
    if (!Seen.insert(X).second)
      continue;
    const auto *Op = llvm::dyn_cast<llvm::Operator>(X);
    const unsigned Code = Op ? Op->getOpcode() : 0;
    if (Code == llvm::Instruction::PtrToInt && X->getType()->isIntegerTy(64)) {
      Work.push_back(Op->getOperand(0));
      continue;
    }
    if (!X->getType()->isPointerTy() ||
        X->getType()->getPointerAddressSpace() != 0)
      return false;
    switch (Code) {
    case llvm::Instruction::AddrSpaceCast: // from shared memory
      break;
    case llvm::Instruction::GetElementPtr:
    case llvm::Instruction::BitCast:
      Work.push_back(Op->getOperand(0));
      break;
    case llvm::Instruction::Select:
      Work.push_back(Op->getOperand(1));
      Work.push_back(Op->getOperand(2));
      break;
    case llvm::Instruction::PHI:
      Work.append(Op->op_begin(), Op->op_end());
      break;
    default:
      return false;
    }
  }
  return true;
}

/// `(inside ? 1 : 0) != 0` is the condition inside. Unknown for anything but
/// selections between constants.
static SymValue areUnequal(const IntExpr &L, const IntExpr &R) {
  const IntExpr Apart = L - R;
  AtomRef Choice;
  for (const auto &[M, C] : Apart.terms())
    for (const AtomRef &A : M)
      if (A->getKind() == AtomKind::Select)
        Choice = A;
  if (!Choice) {
    auto N = Apart.getConstant();
    return N ? SymValue::boolean(BoolExpr::constant(*N != 0)) : SymValue();
  }
  auto Side = [&](const IntExpr &To) {
    return areUnequal(
        Apart.transform([&](const IntAtom &A) -> std::optional<IntExpr> {
          if (A.getKey() != Choice->getKey())
            return std::nullopt;
          return To;
        }),
        IntExpr());
  };
  return select(Choice->getCondition(), Side(Choice->getLHS()),
                Side(Choice->getRHS()));
}

/// The bytes of \p Word as numbers of \p T, the lowest first.
std::vector<SymValue> Executor::bytesOf(const SymValue &Word, ScalarType T) {
  std::vector<SymValue> Bytes;
  if (Word.is(VK::Aggregate) && Word.Fields.size() == 4) {
    Bytes = Word.Fields;
  } else if (auto Bits = Word.constant()) {
    for (unsigned N = 0; N < 4; ++N)
      Bytes.push_back(integerOf(IntExpr(T == ScalarType::I8
                                            ? int64_t(int8_t(*Bits >> 8 * N))
                                            : int64_t(uint8_t(*Bits >> 8 * N))),
                                8, T == ScalarType::I8));
  } else if (Word.is(VK::Unknown)) {
    Bytes.push_back(Word);
  } else {
    if (Word.is(VK::Scalar))
      notePacked(Word.S, T);
    Bytes.push_back(unknown(DiagID::UnsupportedExpression,
                            "a product of bytes that are not loaded as bytes"));
  }
  for (SymValue &V : Bytes)
    V = asNumber(V, T);
  return Bytes;
}

/// dp4a: \p Sum and the products of four bytes each, modulo 2^32.
SymValue Executor::dotBytes(const SymValue &L, ScalarType LType,
                            const SymValue &R, ScalarType RType,
                            const SymValue &Sum) {
  const ScalarType T = LType == ScalarType::U8 && RType == ScalarType::U8
                           ? ScalarType::U32
                           : ScalarType::I32;
  const std::vector<SymValue> A = bytesOf(L, LType), B = bytesOf(R, RType);
  SymValue Total = asNumber(Sum, T);
  if (Total.is(VK::Unknown))
    return Total;
  for (const auto *Side : {&A, &B})
    for (const SymValue &V : *Side)
      if (V.is(VK::Unknown))
        return V;
  for (size_t N = 0; N < A.size(); ++N) {
    const SymValue Product = numbered(Value::binary(
        Value::Kind::Mul, T, Value::cast(T, A[N].S), Value::cast(T, B[N].S)));
    Total = numbered(Value::binary(Value::Kind::Add, T, Total.S, Product.S));
  }
  return Total;
}

/// The types of the bytes that `dp4a.u32.s32` multiplies.
static std::optional<std::array<ScalarType, 2>>
typesOfDotBytes(llvm::StringRef Word) {
  if (!Word.consume_front("dp4a."))
    return std::nullopt;
  std::array<ScalarType, 2> Types;
  const auto [First, Second] = Word.split('.');
  for (auto [Type, Name] : {std::pair{&Types[0], First}, {&Types[1], Second}}) {
    if (Name != "s32" && Name != "u32")
      return std::nullopt;
    *Type = Name == "s32" ? ScalarType::I8 : ScalarType::U8;
  }
  return Types;
}

namespace {
/// `cvt.f32.f16`, `cvt.rn.bf16.f32`, or of two numbers, `cvt.rn.f16x2.f32`.
struct Conversion {
  ScalarType To = ScalarType::F32, From = ScalarType::F32;
  bool Pair = false;

  /// Nothing for an instruction that is not exactly a cast of C++.
  static std::optional<Conversion> parse(llvm::StringRef Word) {
    if (!Word.consume_front("cvt."))
      return std::nullopt;
    const bool Rounds = Word.consume_front("rn.");
    auto [First, Second] = Word.split('.');
    Conversion C;
    C.Pair = First.consume_back("x2");
    auto Type = [](llvm::StringRef Name) {
      return llvm::StringSwitch<std::optional<ScalarType>>(Name)
          .Case("f16", ScalarType::F16)
          .Case("bf16", ScalarType::BF16)
          .Case("f32", ScalarType::F32)
          .Case("f64", ScalarType::F64)
          .Default(std::nullopt);
    };
    auto To = Type(First), From = Type(Second);
    if (!To || !From || byteSize(*To) == byteSize(*From) ||
        Rounds != (byteSize(*To) < byteSize(*From)) ||
        (C.Pair && (byteSize(*To) != 2 || *From != ScalarType::F32)))
      return std::nullopt;
    C.To = *To;
    C.From = *From;
    return C;
  }
};
} // namespace

SymValue Executor::assembly(llvm::CallBase &Call) {
  const auto *Asm = llvm::cast<llvm::InlineAsm>(Call.getCalledOperand());
  // A statement that stores nothing matters only if its result is used.
  auto Bad = [&]() -> SymValue {
    if (Call.mayWriteToMemory())
      return failValue(DiagID::UnsupportedStatement,
                       "inline assembly cannot be analysed");
    return unknown(DiagID::UnsupportedStatement,
                   "inline assembly cannot be analysed");
  };
  // A register that has a number of one type as one of another.
  auto Converted = [&](SymValue X, const Conversion &C) -> SymValue {
    if (auto Number = readBits(X, C.From))
      X = std::move(*Number);
    if (X.is(VK::Unknown))
      return X;
    if (!X.is(VK::Scalar) || X.S->Type != C.From)
      return unknown(DiagID::UnsupportedExpression,
                     "inline assembly converts a number whose bits are not "
                     "known to be of its type");
    return numbered(Value::cast(C.To, X.S));
  };
  Assembly Code(Asm->getAsmString());
  unsigned Results = 0, Next = 0;
  llvm::StringSet<> Generic; ///< operands with generic addresses
  for (const llvm::InlineAsm::ConstraintInfo &C : Asm->ParseConstraints()) {
    if (C.Type == llvm::InlineAsm::isClobber)
      continue;
    if (C.Type == llvm::InlineAsm::isLabel || C.isIndirect ||
        C.isMultipleAlternative || C.Codes.empty())
      return Bad();
    const std::string Name = "$" + std::to_string(Next++);
    if (C.Type == llvm::InlineAsm::isOutput) {
      ++Results;
      continue;
    }
    const llvm::Value *Argument = Call.getArgOperand(Next - 1 - Results);
    SymValue V = valueOf(Argument);
    if (isGenericAddress(Argument))
      Generic.insert(Name);
    // `"+f"(x)`: a result that has a value before the statement.
    unsigned Result;
    if (!llvm::StringRef(C.Codes[0]).getAsInteger(10, Result))
      Code.Registers["$" + std::to_string(Result)] = V;
    Code.Registers[Name] = std::move(V);
  }
  const auto *Struct = llvm::dyn_cast<llvm::StructType>(Call.getType());
  const unsigned Returned = Struct ? Struct->getNumElements()
                            : Call.getType()->isVoidTy() ? 0
                                                         : 1;
  if (Results != Returned)
    return Bad();
  for (llvm::StringRef Statement : Code.Statements) {
    const BoolExpr Saved = Active;
    auto Restore = llvm::scope_exit([&] { Active = Saved; });
    if (Statement.consume_front("@")) {
      const bool Not = Statement.consume_front("!");
      auto [Name, Rest] = Statement.split(' ');
      auto P = Code.operand(Name, /*Address=*/false);
      if (!P || !P->is(VK::Bool))
        return Bad();
      Active =
          BoolExpr::conjunction(Active, Not ? BoolExpr::negation(P->B) : P->B);
      Statement = Rest.trim();
    }
    const size_t Space = Statement.find_first_of(" \t\r\n{[");
    const llvm::StringRef Word = Statement.take_front(Space);
    llvm::SmallVector<llvm::StringRef, 4> Operands;
    if (Space != llvm::StringRef::npos)
      Operands = Assembly::split(Statement.drop_front(Space));
    const bool Conditional = Active != Saved;
    if (Word == "cp.async.commit_group" && Operands.empty()) {
      commitCopies();
      continue;
    }
    if (Word == "cp.async.wait_all" && Operands.empty()) {
      commitCopies();
      waitForCopies(IntExpr(), totalActive());
      continue;
    }
    if (Word == "cp.async.wait_group" && Operands.size() == 1) {
      auto N = Code.operand(Operands[0], /*Address=*/false);
      if (!N || !N->constant())
        return Bad();
      waitForCopies(N->I, totalActive());
      continue;
    }
    if (isCopy(Word) && (Operands.size() == 3 || Operands.size() == 4)) {
      auto To = Code.operand(Operands[0], /*Address=*/true),
           From = Code.operand(Operands[1], /*Address=*/true),
           Size = Code.operand(Operands[2], /*Address=*/false),
           Copied = Code.operand(Operands.back(), /*Address=*/false);
      // A predicate as the last operand: where it is true nothing is copied.
      if (!To || !From || !Size || !Size->constant() || *Size->constant() < 4 ||
          !Copied || !Copied->is(VK::Int))
        return Bad();
      if (!copyAsync(*To, *From, *Size->constant(), Copied->I))
        return {};
      continue;
    }
    if (auto Form = LoadMatrixForm::parse(Word);
        Form && Operands.size() == 2 && !Conditional) {
      const auto To = Assembly::vector(Operands[0]);
      auto From = Code.operand(Operands[1], /*Address=*/true);
      if (To.size() != Form->Count || !From ||
          (Form->Generic && !Generic.contains(Operands[1].trim("[] \t"))))
        return Bad();
      auto Loaded = loadMatrices(*Form, *From);
      if (Loaded.empty())
        return {};
      for (auto [Name, V] : llvm::zip_equal(To, Loaded))
        Code.Registers[Name] = V;
      continue;
    }
    if (auto Form = MultiplyForm::parse(Word);
        Form && Operands.size() == 4 && !Conditional) {
      const size_t Counts[] = {Form->sums(), Form->Groups * Form->Halves,
                               Form->Halves, Form->sums()};
      std::vector<SymValue> Registers;
      for (size_t N = 0; N < 4; ++N) {
        const auto Names = Assembly::vector(Operands[N]);
        if (Names.size() != Counts[N])
          return Bad();
        for (llvm::StringRef Name : Names) {
          auto V = Code.operand(Name, /*Address=*/false);
          if (N == 0)
            continue;
          if (!V)
            return Bad();
          Registers.push_back(std::move(*V));
        }
      }
      auto Products = multiplyMatrices(*Form, Registers);
      if (Products.empty())
        return {};
      for (auto [Name, V] :
           llvm::zip_equal(Assembly::vector(Operands[0]), Products))
        Code.Registers[Name] = V;
      continue;
    }
    if (Word == ".reg" && !Conditional)
      continue; // what was not set has no value
    // All other instructions compute a number from others.
    if (Operands.size() < 2 || Conditional)
      return Bad();
    const llvm::StringRef To = Operands[0].trim();
    auto First = Code.operand(Operands[1], /*Address=*/false);
    if (!First)
      return Bad();
    if (Operands.size() == 2 &&
        (Word == "cvta.to.shared.u64" || Word == "cvta.to.global.u64" ||
         Word == "mov.u32" || Word == "mov.b32" || Word == "mov.u64" ||
         Word == "mov.b64")) {
      Code.Registers[To] = *First;
      continue;
    }
    // The function nvcuda::wmma::__float_to_tf32 consists of this instruction.
    if (Operands.size() == 2 && Word == "cvt.rna.tf32.f32") {
      if (!First->is(VK::Scalar) || First->S->Type != ScalarType::F32)
        return Bad();
      Code.Registers[To] = roundedToTF32(*First);
      continue;
    }
    if (auto C = Conversion::parse(Word);
        C && Operands.size() == (C->Pair ? 3u : 2u)) {
      SymValue V = Converted(*First, *C);
      if (C->Pair) { // the first operand is the upper half
        auto Second = Code.operand(Operands[2], /*Address=*/false);
        if (!Second)
          return Bad();
        V = SymValue::aggregate({Converted(*Second, *C), V});
      }
      Code.Registers[To] = std::move(V);
      continue;
    }
    // An address becomes a 32-bit number only if it has no more bits.
    if (Operands.size() == 2 && Word == "cvt.u32.u64") {
      if (!First->is(VK::Pointer) || First->Array.empty() ||
          First->Array[0] != '!')
        return Bad();
      Code.Registers[To] = *First;
      continue;
    }
    if (auto Types = typesOfDotBytes(Word); Types && Operands.size() == 4) {
      auto Second = Code.operand(Operands[2], /*Address=*/false),
           Sum = Code.operand(Operands[3], /*Address=*/false);
      if (!Second || !Sum)
        return Bad();
      Code.Registers[To] =
          dotBytes(*First, (*Types)[0], *Second, (*Types)[1], *Sum);
      continue;
    }
    if (Operands.size() == 3 &&
        (Word == "setp.ne.b32" || Word == "setp.ne.s32" ||
         Word == "setp.ne.u32")) {
      auto Second = Code.operand(Operands[2], /*Address=*/false);
      if (!Second || !First->is(VK::Int) || !Second->is(VK::Int))
        return Bad();
      Code.Registers[To] = areUnequal(First->I, Second->I);
      if (Code.Registers[To].is(VK::Unknown))
        return Bad();
      continue;
    }
    return Bad();
  }
  std::vector<SymValue> Values;
  for (unsigned N = 0; N < Results; ++N) {
    auto It = Code.Registers.find("$" + std::to_string(N));
    if (It == Code.Registers.end())
      return Bad();
    Values.push_back(It->second);
  }
  if (Struct)
    return SymValue::aggregate(std::move(Values));
  return Values.empty() ? SymValue() : Values.front();
}

} // namespace warpwright::symbolic
