//===-- Accesses.cpp - Loads and stores in inline assembly ----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];` loads four floats, whatever
/// the caches are asked to do. Such statements become loads and stores of the
/// IR, so that nothing else has to know them.
///
/// Source: the PTX ISA, "Data movement and conversion: ld, ld.global.nc, st".
///
//===----------------------------------------------------------------------===//

#include "Accesses.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace warpwright {

namespace {

enum class Space { Generic, Global, Shared };

/// An instruction of a statement.
struct Step {
  enum class Kind { Load, Store, Zero } K = Kind::Load;
  Space In = Space::Generic;
  bool ReadOnly = false;                   ///< ld.global.nc
  llvm::SmallVector<unsigned, 4> Operands; ///< that are loaded or stored
  unsigned Address = 0;
  int64_t Offset = 0; ///< in bytes
  unsigned Bits = 0;  ///< of one operand
  /// The operand that has to be 0, or other than 0.
  std::optional<unsigned> Predicate;
  bool Negated = false;
};

/// The bits of `f32`, where they are those of a register that holds it.
unsigned bitsOf(llvm::StringRef Type) {
  return llvm::StringSwitch<unsigned>(Type)
      .Cases({"b16", "u16", "s16"}, 16)
      .Cases({"b32", "u32", "s32", "f32"}, 32)
      .Cases({"b64", "u64", "s64", "f64"}, 64)
      .Default(0);
}

/// What only concerns caches.
bool isHint(llvm::StringRef Part, bool Load) {
  if (Part == "cg" || Part == "cs" ||
      (Load ? Part == "ca" || Part == "lu" : Part == "wb" || Part == "wt"))
    return true;
  if (Part.consume_front("L1::"))
    return llvm::StringSwitch<bool>(Part)
        .Cases({"evict_normal", "evict_unchanged", "evict_first", "evict_last",
                "no_allocate"},
               true)
        .Default(false);
  return Part.consume_front("L2::") &&
         llvm::StringSwitch<bool>(Part)
             .Cases({"64B", "128B", "256B"}, Load)
             .Cases({"evict_normal", "evict_first", "evict_last"}, true)
             .Default(false);
}

class Statement {
public:
  explicit Statement(llvm::CallBase &Call)
      : Call(Call), Asm(*llvm::cast<llvm::InlineAsm>(Call.getCalledOperand())) {
  }

  bool parse();
  void replace();

private:
  bool parseConstraints();
  bool parse(llvm::StringRef Text);
  bool parseAccess(Step S, llvm::StringRef Word,
                   llvm::ArrayRef<llvm::StringRef> Operands);
  std::optional<unsigned> operand(llvm::StringRef Text) const;
  llvm::Type *typeOf(unsigned Operand) const;
  bool isInSpace(llvm::Value *Address, Space In) const;
  llvm::Value *pointer(llvm::IRBuilder<> &B, const Step &S, unsigned N) const;
  /// The argument of operand \p N, which is no result.
  llvm::Value *argument(unsigned N) const {
    return Call.getArgOperand(N - Results);
  }

  llvm::CallBase &Call;
  const llvm::InlineAsm &Asm;
  unsigned Results = 0;
  std::vector<std::optional<unsigned>> Tied; ///< of each result: its argument
  std::vector<Step> Steps;
  /// Each predicate: the operand that is compared with 0, and whether the
  /// predicate is that it is 0.
  llvm::StringMap<std::pair<unsigned, bool>> Predicates;
};

bool Statement::parseConstraints() {
  unsigned Next = 0; // arguments follow the results
  for (const llvm::InlineAsm::ConstraintInfo &C : Asm.ParseConstraints()) {
    if (C.Type == llvm::InlineAsm::isClobber)
      continue;
    if (C.Type == llvm::InlineAsm::isLabel || C.isIndirect ||
        C.isMultipleAlternative || C.Codes.size() != 1)
      return false;
    unsigned Result;
    if (C.Type == llvm::InlineAsm::isOutput) {
      ++Results;
      Tied.emplace_back();
    } else if (!llvm::StringRef(C.Codes[0]).getAsInteger(10, Result)) {
      // `"+f"(x)`: a result that has a value before the statement.
      if (Result >= Results)
        return false;
      Tied[Result] = Next;
    }
    ++Next;
  }
  return Next == Results + Call.arg_size();
}

std::optional<unsigned> Statement::operand(llvm::StringRef Text) const {
  Text = Text.trim();
  unsigned Number;
  if (!Text.consume_front("$") || Text.getAsInteger(10, Number) ||
      Number >= Results + Call.arg_size())
    return std::nullopt;
  return Number;
}

llvm::Type *Statement::typeOf(unsigned Operand) const {
  if (Operand >= Results)
    return argument(Operand)->getType();
  auto *Struct = llvm::dyn_cast<llvm::StructType>(Call.getType());
  return Struct ? Struct->getElementType(Operand) : Call.getType();
}

/// Whether \p Address is one of \p In. A generic address and one of the shared
/// window are different numbers on the device, and a 32-bit one is nothing but
/// an offset in that window.
bool Statement::isInSpace(llvm::Value *Address, Space In) const {
  auto IsPointer = [In](const llvm::Value *P) {
    const unsigned Named = P->getType()->getPointerAddressSpace();
    if (In == Space::Shared || Named != 0)
      return Named == (In == Space::Shared ? 3 : In == Space::Global ? 1 : 0);
    const llvm::Value *Object = llvm::getUnderlyingObject(P);
    return In == Space::Generic || (!llvm::isa<llvm::AllocaInst>(Object) &&
                                    !llvm::isa<llvm::GlobalValue>(Object));
  };
  if (Address->getType()->isPointerTy())
    return IsPointer(Address);
  const unsigned Width = Address->getType()->getIntegerBitWidth();
  if (Width != 64 && (Width != 32 || In != Space::Shared))
    return false;
  // The addresses of which the number is computed.
  bool Found = false;
  llvm::SmallPtrSet<const llvm::Value *, 8> Seen;
  llvm::SmallVector<const llvm::Value *, 8> Work = {Address};
  while (!Work.empty()) {
    const llvm::Value *X = Work.pop_back_val();
    if (!Seen.insert(X).second)
      continue;
    const auto *Op = llvm::dyn_cast<llvm::Operator>(X);
    if (const auto *Made = llvm::dyn_cast<llvm::CallBase>(X)) {
      // The statement converts a generic address.
      const auto *Text =
          llvm::dyn_cast<llvm::InlineAsm>(Made->getCalledOperand());
      if (Text && llvm::StringRef(Text->getAsmString())
                      .contains("cvta.to.shared.u64")) {
        if (In != Space::Shared)
          return false;
        Found = true;
      }
      continue;
    }
    if (Op && Op->getOpcode() == llvm::Instruction::PtrToInt) {
      if (!IsPointer(Op->getOperand(0)))
        return false;
      Found = true;
      continue;
    }
    if (Op && !llvm::isa<llvm::LoadInst>(X))
      Work.append(Op->op_begin(), Op->op_end());
  }
  return Found;
}

bool Statement::parseAccess(Step S, llvm::StringRef Word,
                            llvm::ArrayRef<llvm::StringRef> Operands) {
  llvm::SmallVector<llvm::StringRef, 8> Parts;
  Word.split(Parts, '.');
  const bool Load = Parts[0] == "ld";
  if ((!Load && Parts[0] != "st") || Parts.size() < 2 || Operands.size() != 2)
    return false;
  S.K = Load ? Step::Kind::Load : Step::Kind::Store;
  S.Bits = bitsOf(Parts.back());
  unsigned Count = 1;
  for (llvm::StringRef Part : llvm::ArrayRef(Parts).drop_front().drop_back()) {
    if (Part == "global")
      S.In = Space::Global;
    else if (Part == "shared" || Part == "shared::cta")
      S.In = Space::Shared;
    else if (Part == "nc" && Load)
      S.ReadOnly = true;
    else if (Part == "v2" || Part == "v4")
      Count = Part[1] - '0';
    else if (Part != "weak" && !isHint(Part, Load))
      return false;
  }
  if (!S.Bits || (S.ReadOnly && S.In != Space::Global))
    return false;
  llvm::StringRef Values = Operands[Load ? 0 : 1].trim(),
                  Address = Operands[Load ? 1 : 0].trim();
  if (!Address.consume_front("[") || !Address.consume_back("]"))
    return false;
  auto [Base, Offset] = Address.split('+');
  if (!Offset.empty() && Offset.trim().getAsInteger(0, S.Offset))
    return false;
  auto Number = operand(Base);
  if (!Number || *Number < Results)
    return false;
  S.Address = *Number;
  if (!isInSpace(argument(S.Address), S.In))
    return false;
  if (Values.consume_front("{") && !Values.consume_back("}"))
    return false;
  llvm::SmallVector<llvm::StringRef, 4> Names;
  Values.split(Names, ',');
  if (Names.size() != Count)
    return false;
  for (llvm::StringRef Name : Names) {
    auto N = operand(Name);
    if (!N || (Load ? *N >= Results : *N < Results) ||
        typeOf(*N)->getPrimitiveSizeInBits() != S.Bits)
      return false;
    S.Operands.push_back(*N);
  }
  // Without `volatile` the compiler may move the statement or leave it out.
  // That changes nothing where what is read does not change.
  if (!S.ReadOnly && !Asm.hasSideEffects())
    return false;
  Steps.push_back(std::move(S));
  return true;
}

bool Statement::parse(llvm::StringRef Text) {
  Step S;
  if (Text.consume_front("@")) {
    S.Negated = Text.consume_front("!");
    const size_t End = Text.find_first_of(" \t\r\n");
    auto Known = Predicates.find(Text.take_front(End));
    if (End == llvm::StringRef::npos || Known == Predicates.end())
      return false;
    S.Predicate = Known->second.first;
    S.Negated ^= Known->second.second;
    Text = Text.drop_front(End).trim();
  }
  const size_t Space = Text.find_first_of(" \t\r\n{[");
  if (Space == llvm::StringRef::npos)
    return false;
  llvm::StringRef Word = Text.take_front(Space), Rest = Text.drop_front(Space);
  // Operands in braces count as one.
  llvm::SmallVector<llvm::StringRef, 4> Operands;
  size_t From = 0;
  int Depth = 0;
  for (size_t N = 0; N <= Rest.size(); ++N) {
    if (N == Rest.size() || (Rest[N] == ',' && Depth == 0)) {
      Operands.push_back(Rest.slice(From, N).trim());
      From = N + 1;
    } else {
      Depth += (Rest[N] == '{') - (Rest[N] == '}');
    }
  }
  if (Word == ".reg")
    return !S.Predicate && Operands[0].starts_with(".pred");
  if (Word.consume_front("setp.")) {
    const auto [Test, Type] = Word.split('.');
    unsigned Zero;
    auto N = Operands.size() == 3 ? operand(Operands[1]) : std::nullopt;
    if (S.Predicate || !N || *N < Results ||
        Operands[2].getAsInteger(0, Zero) || Zero != 0 ||
        (Test != "ne" && Test != "eq") ||
        (Type != "b32" && Type != "s32" && Type != "u32") ||
        !typeOf(*N)->isIntegerTy(32))
      return false;
    Predicates[Operands[0]] = {*N, Test == "eq"};
    return true;
  }
  if (Word.consume_front("mov.")) {
    unsigned Zero;
    auto N = Operands.size() == 2 ? operand(Operands[0]) : std::nullopt;
    if (!N || *N >= Results ||
        typeOf(*N)->getPrimitiveSizeInBits() != bitsOf(Word) ||
        Operands[1].getAsInteger(0, Zero) || Zero != 0)
      return false;
    S.K = Step::Kind::Zero;
    S.Operands = {*N};
    Steps.push_back(std::move(S));
    return true;
  }
  return parseAccess(std::move(S), Word, Operands);
}

bool Statement::parse() {
  if (!parseConstraints())
    return false;
  llvm::SmallVector<llvm::StringRef, 8> Parts;
  llvm::StringRef(Asm.getAsmString()).split(Parts, ';');
  for (llvm::StringRef Part : Parts) {
    // Braces around statements end the life of names; braces of operands are
    // part of the instruction.
    Part = Part.ltrim(" \t\r\n{}").rtrim();
    while (Part.count('}') > Part.count('{'))
      Part = Part.drop_back().rtrim();
    if (!Part.empty() && !parse(Part))
      return false;
  }
  return llvm::any_of(Steps,
                      [](const Step &S) { return S.K != Step::Kind::Zero; });
}

llvm::Value *Statement::pointer(llvm::IRBuilder<> &B, const Step &S,
                                unsigned N) const {
  llvm::Value *P = argument(S.Address);
  if (P->getType()->isIntegerTy())
    P = B.CreateIntToPtr(P, B.getPtrTy(S.In == Space::Shared   ? 3
                                       : S.In == Space::Global ? 1
                                                               : 0));
  const int64_t Offset = S.Offset + N * (S.Bits / 8);
  return Offset ? B.CreateGEP(B.getInt8Ty(), P, B.getInt64(Offset)) : P;
}

void Statement::replace() {
  std::vector<llvm::Value *> Registers(Results);
  for (unsigned N = 0; N < Results; ++N)
    Registers[N] =
        Tied[N] ? argument(*Tied[N]) : llvm::PoisonValue::get(typeOf(N));
  for (const Step &S : Steps) {
    llvm::IRBuilder<> B(&Call);
    llvm::BasicBlock *Before = nullptr;
    llvm::Value *Holds = nullptr;
    if (S.Predicate) {
      llvm::Value *X = argument(*S.Predicate);
      // `static_cast<int>(inside)` is the condition inside.
      auto *Extended = llvm::dyn_cast<llvm::ZExtInst>(X);
      if (Extended && Extended->getSrcTy()->isIntegerTy(1))
        Holds = S.Negated ? B.CreateNot(Extended->getOperand(0))
                          : Extended->getOperand(0);
      else
        Holds = B.CreateICmp(S.Negated ? llvm::CmpInst::ICMP_EQ
                                       : llvm::CmpInst::ICMP_NE,
                             X, llvm::ConstantInt::get(X->getType(), 0));
    }
    if (S.K == Step::Kind::Zero) {
      const unsigned To = S.Operands[0];
      llvm::Value *Zero = llvm::Constant::getNullValue(typeOf(To));
      Registers[To] = Holds ? B.CreateSelect(Holds, Zero, Registers[To]) : Zero;
      continue;
    }
    if (Holds) {
      Before = Call.getParent();
      B.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(Holds, &Call, false));
      B.SetCurrentDebugLocation(Call.getDebugLoc());
    }
    llvm::SmallVector<llvm::Value *, 4> Loaded;
    for (unsigned N = 0; N < S.Operands.size(); ++N) {
      const unsigned Operand = S.Operands[N];
      llvm::Value *P = pointer(B, S, N);
      const llvm::Align Alignment(S.Bits / 8);
      if (S.K == Step::Kind::Store)
        B.CreateAlignedStore(argument(Operand), P, Alignment);
      else
        Loaded.push_back(B.CreateAlignedLoad(typeOf(Operand), P, Alignment));
    }
    for (unsigned N = 0; N < Loaded.size(); ++N) {
      llvm::Value *&Register = Registers[S.Operands[N]];
      if (Holds) {
        llvm::IRBuilder<> Behind(Call.getParent(), Call.getParent()->begin());
        llvm::PHINode *Phi = Behind.CreatePHI(Loaded[N]->getType(), 2);
        Phi->addIncoming(Register, Before);
        Phi->addIncoming(Loaded[N], B.GetInsertBlock());
        Register = Phi;
      } else {
        Register = Loaded[N];
      }
    }
  }
  if (Results) {
    llvm::IRBuilder<> B(&Call);
    llvm::Value *Result = Registers[0];
    if (Call.getType()->isStructTy()) {
      Result = llvm::PoisonValue::get(Call.getType());
      for (unsigned N = 0; N < Results; ++N)
        Result = B.CreateInsertValue(Result, Registers[N], N);
    }
    // The fields are taken out again, one by one.
    for (llvm::User *U : llvm::make_early_inc_range(Call.users()))
      if (auto *Field = llvm::dyn_cast<llvm::ExtractValueInst>(U);
          Field && Field->getNumIndices() == 1) {
        Field->replaceAllUsesWith(Registers[Field->getIndices()[0]]);
        Field->eraseFromParent();
      }
    Call.replaceAllUsesWith(Result);
  }
  Call.eraseFromParent();
}

} // namespace

void nameAccesses(llvm::Function &F) {
  std::vector<llvm::CallBase *> Calls;
  for (llvm::Instruction &I : llvm::instructions(F))
    if (auto *Call = llvm::dyn_cast<llvm::CallInst>(&I);
        Call && Call->isInlineAsm())
      Calls.push_back(Call);
  for (llvm::CallBase *Call : Calls)
    if (Statement S(*Call); S.parse())
      S.replace();
}

} // namespace warpwright
