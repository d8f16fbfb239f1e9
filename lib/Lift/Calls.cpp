//===-- Calls.cpp - Intrinsics and functions that stay calls --------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "warpwright/Contraction/NamedCalls.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace clang;

namespace warpwright::symbolic {

using VK = SymValue::Kind;

/// Calls inside functions that are not inlined may nest this deep.
static constexpr unsigned MaxCallDepth = 24;

SymValue Executor::call(llvm::CallBase &Call) {
  if (Call.isInlineAsm())
    return assembly(Call);
  llvm::Function *F = Call.getCalledFunction();
  if (!F)
    return failValue(DiagID::CallNotInlined,
                     "a call through a pointer cannot be followed");
  if (F->isIntrinsic())
    return intrinsic(Call, *F);
  const FunctionInfo *Info = Module.info(*F);
  if (Info)
    if (auto Op = knownFunction(*Info))
      return knownCall(Call, *Info, *Op);
  std::string Name = Info ? Info->Name : F->getName().str();
  if (Info && Module.isKept(*F))
    return keptCall(Call, *F, *Info);
  // Clang's headers have all accesses of textures and surfaces in here.
  if (llvm::StringRef(Name).starts_with("__cuda_tex::"))
    return failValue(DiagID::CallNotInlined,
                     "a texture or surface is accessed; only pointers are "
                     "followed");
  // Clang declares it by itself where printf is called.
  if (F->isDeclaration() && !Info && Name == "vprintf")
    return effect("printf");
  if (F->isDeclaration())
    return failValue(DiagID::CallNotInlined,
                     "'" + Name +
                         "' is called, and its body is not in this file");
  return failValue(DiagID::CallNotInlined,
                   "'" + Name + "' calls itself, or calls are nested too deep");
}

SymValue Executor::effect(llvm::StringRef Name) {
  // `if (K % 16 != 0) { printf(...); return; }`: such launches run the
  // original.
  if (notReached(BoolExpr::constant(true), "'" + Name + "' is called"))
    return {};
  return failValue(DiagID::CallNotInlined,
                   "'" + Name +
                       "' has an effect that the rewritten kernel would not "
                       "have, unless it is called under a condition that is "
                       "the same for all threads of a launch");
}

bool Executor::exchangesIn(const llvm::Loop &L) {
  for (llvm::BasicBlock *B : L.blocks())
    for (llvm::Instruction &I : *B) {
      const auto *Call = llvm::dyn_cast<llvm::CallBase>(&I);
      const llvm::Function *F = Call ? Call->getCalledFunction() : nullptr;
      const FunctionInfo *Info = F ? Module.info(*F) : nullptr;
      if (Info && knownFunction(*Info) == KnownOp::Exchange) {
        fail(DiagID::CallNotInlined, locationOf(I),
             "'" + Info->Name + "' gives what other threads computed");
        return true;
      }
    }
  return false;
}

/// A call of a user's function that computes a number from numbers: the call
/// itself, and what the body computes if that is understood.
SymValue Executor::keptCall(llvm::CallBase &Call, llvm::Function &F,
                            const FunctionInfo &Info) {
  std::vector<ValueRef> Values;
  bool OfBits = false;
  auto New = std::make_unique<Frame>();
  New->Function = &F;
  New->Id = NextFrame++;
  for (unsigned N = 0; N < Info.Params.size(); ++N) {
    std::vector<SymValue> Lanes = argumentNumbers(Call, Info, N);
    if (Failed)
      return {};
    if (Lanes.size() != 1)
      return unknown(DiagID::UnsupportedExpression,
                     "an argument of '" + Info.Name + "' is not understood");
    SymValue V = Lanes[0];
    if (V.is(VK::Unknown))
      return V;
    SymValue Number = asNumber(V, Info.Params[N].Element);
    // The bits of a number, kept in an integer: of such a call only what the
    // body computes is of use.
    const bool Bits = V.is(VK::Scalar) && isFloating(V.S->Type) &&
                      !isFloating(Info.Params[N].Element) &&
                      byteSize(V.S->Type) == byteSize(Info.Params[N].Element);
    OfBits |= Bits;
    if (!Number.is(VK::Scalar) && !Bits)
      return Number;
    Values.push_back(Bits ? V.S : Number.S);
    // An argument by value in a register, or an object that the callee reads.
    llvm::Argument *A = F.getArg(N);
    if (A->getType()->isPointerTy()) {
      std::string Object =
          "#" + std::to_string(New->Id) + ".argument" + std::to_string(N);
      ArrayState &Memory = localArray(Object);
      Memory.Writes.clear();
      Memory.Size = byteSize(Info.Params[N].Element);
      Write W;
      W.Array = Object;
      W.Size = Memory.Size;
      W.Value = V;
      W.Guard = BoolExpr::constant(true);
      W.Id = NextWrite++;
      Memory.Writes.push_back(std::move(W));
      New->Values[A] = SymValue::pointer(Object, IntExpr());
    } else {
      New->Values[A] = V;
    }
  }
  // Those who take the product apart need to know what the body computes. If it
  // is not understood, the call is still a function of its arguments.
  ValueRef Body;
  if (Frames.size() < MaxCallDepth) {
    Memory Before = S;
    auto Required = Requires;
    auto Obliged = Obligations;
    auto Trapped = Traps;
    // Requirements may be used as facts in the body.
    const Ranges Bounded = Bounds;
    BoolExpr Reached = Active;
    auto Outer = OuterActive;
    auto Live = LiveLoops;
    const llvm::Instruction *Where = Current;
    bool Narrow = NarrowOffset, Signed = NarrowSigned;
    New->Form = &shapeOf(F);
    Frames.push_back(std::move(New));
    Region R;
    OuterActive.push_back(Reached);
    bool Ok = runRegion(R, &F.getEntryBlock());
    SymValue Result = Frames.back()->Result;
    Frames.pop_back();
    OuterActive = Outer;
    Active = Reached;
    LiveLoops = Live;
    Current = Where;
    NarrowOffset = Narrow;
    NarrowSigned = Signed;
    S = std::move(Before);
    if (Ok && !Failed && !Result.is(VK::Unknown)) {
      SymValue Number = Result.is(VK::Aggregate) && Result.Fields.size() == 1
                            ? asNumber(Result.Fields[0], Info.Result.Element)
                            : asNumber(Result, Info.Result.Element);
      constexpr unsigned LargestBody = 4096;
      if (Number.is(VK::Scalar) && Number.S->size() <= LargestBody)
        Body = Number.S;
    }
    if (!Body) {
      Requires = std::move(Required);
      Bounds = Bounded;
      Obligations = std::move(Obliged);
      Traps = std::move(Trapped);
      if (Failed && Failed->ID == DiagID::TooComplex)
        return {};
      Failed.reset();
    }
  }
  if (OfBits)
    return Body ? packResult(Call, Info, {SymValue::scalar(Body)})
                : unknown(DiagID::CallNotInlined,
                          "'" + Info.Name +
                              "' is called with the bits of a number, and what "
                              "it computes is not understood");
  if (!Body && hasMeaning(Info.CallName))
    return unknown(DiagID::CallNotInlined,
                   "'" + Info.Name +
                       "' has the name of a function of CUDA's headers, and "
                       "its body is not understood");
  ValueRef V = Value::call(Info.Result.Element, Info.CallName,
                           std::move(Values), std::move(Body));
  SymValue Number = numbered(std::move(V));
  return packResult(Call, Info, {Number});
}

static std::optional<AtomKind> specialKind(llvm::Intrinsic::ID ID,
                                           unsigned &Dim) {
  namespace I = llvm::Intrinsic;
  switch (ID) {
  case I::nvvm_read_ptx_sreg_tid_x:
  case I::nvvm_read_ptx_sreg_ctaid_x:
  case I::nvvm_read_ptx_sreg_ntid_x:
  case I::nvvm_read_ptx_sreg_nctaid_x:
    Dim = 0;
    break;
  case I::nvvm_read_ptx_sreg_tid_y:
  case I::nvvm_read_ptx_sreg_ctaid_y:
  case I::nvvm_read_ptx_sreg_ntid_y:
  case I::nvvm_read_ptx_sreg_nctaid_y:
    Dim = 1;
    break;
  default:
    Dim = 2;
    break;
  }
  switch (ID) {
  case I::nvvm_read_ptx_sreg_tid_x:
  case I::nvvm_read_ptx_sreg_tid_y:
  case I::nvvm_read_ptx_sreg_tid_z:
    return AtomKind::ThreadIdx;
  case I::nvvm_read_ptx_sreg_ctaid_x:
  case I::nvvm_read_ptx_sreg_ctaid_y:
  case I::nvvm_read_ptx_sreg_ctaid_z:
    return AtomKind::BlockIdx;
  case I::nvvm_read_ptx_sreg_ntid_x:
  case I::nvvm_read_ptx_sreg_ntid_y:
  case I::nvvm_read_ptx_sreg_ntid_z:
    return AtomKind::BlockDim;
  case I::nvvm_read_ptx_sreg_nctaid_x:
  case I::nvvm_read_ptx_sreg_nctaid_y:
  case I::nvvm_read_ptx_sreg_nctaid_z:
    return AtomKind::GridDim;
  default:
    return std::nullopt;
  }
}

/// The C function to which an intrinsic of one or two floating-point numbers
/// corresponds.
static llvm::StringRef mathName(llvm::Intrinsic::ID ID, bool Double) {
  namespace I = llvm::Intrinsic;
  switch (ID) {
  case I::fabs:
    return Double ? "fabs" : "fabsf";
  case I::sqrt:
    return Double ? "sqrt" : "sqrtf";
  case I::minnum:
    return Double ? "fmin" : "fminf";
  case I::maxnum:
    return Double ? "fmax" : "fmaxf";
  case I::floor:
    return Double ? "floor" : "floorf";
  case I::ceil:
    return Double ? "ceil" : "ceilf";
  case I::trunc:
    return Double ? "trunc" : "truncf";
  case I::rint:
    return Double ? "rint" : "rintf";
  case I::nearbyint:
    return Double ? "nearbyint" : "nearbyintf";
  case I::round:
    return Double ? "round" : "roundf";
  case I::copysign:
    return Double ? "copysign" : "copysignf";
  default:
    return {};
  }
}

SymValue Executor::intrinsic(llvm::CallBase &Call, llvm::Function &F) {
  namespace I = llvm::Intrinsic;
  I::ID ID = F.getIntrinsicID();
  auto Argument = [&](unsigned N) { return valueOf(Call.getArgOperand(N)); };
  unsigned Dim;
  if (auto Kind = specialKind(ID, Dim))
    return SymValue::exact(special(*Kind, Dim), 32);
  if (isFragmentIntrinsic(F.getName()))
    return fragmentCall(Call, F.getName());
  switch (ID) {
  case I::lifetime_start:
  case I::lifetime_end: {
    // Before and after its lifetime an object has no value.
    SymValue P = Argument(F.arg_size() - 1);
    if (P.is(VK::Pointer) && !P.Array.empty() && P.Array[0] == '#') {
      uint64_t Size = S[P.Array].Size;
      // Under a condition this also clears the object on the other path; it is
      // dead there as well, since lifetimes nest.
      if (ID == I::lifetime_start)
        S[P.Array].Writes.clear();
      S[P.Array].IsLocal = true;
      S[P.Array].Size = Size;
    }
    return {};
  }
  case I::assume:
  case I::dbg_value:
  case I::dbg_declare:
  case I::dbg_label:
  case I::donothing:
  case I::experimental_noalias_scope_decl:
  case I::sideeffect:
  case I::prefetch:
    return {};
  case I::expect:
  case I::expect_with_probability:
  case I::ssa_copy:
  case I::annotation:
  case I::ptr_annotation:
    return Argument(0);
  case I::nvvm_read_ptx_sreg_laneid:
    return laneNumber();
  case I::nvvm_activemask:
    return *vote("__activemask", {});
  case I::nvvm_read_ptx_sreg_warpsize:
    return SymValue::exact(IntExpr(32), 32);
  case I::nvvm_barrier_cta_sync_aligned_all:
  case I::nvvm_barrier_cta_sync_all:
  case I::nvvm_barrier_cta_sync_aligned_count:
  case I::nvvm_barrier_cta_sync_count:
    if (F.arg_size() == 1 || isWholeBlock(Argument(1)))
      namedBarrier(Argument(0));
    return {};
  case I::nvvm_bar_warp_sync:
    warpBarrier(Argument(0));
    return {};
  case I::nvvm_membar_cta:
  case I::nvvm_membar_gl:
  case I::nvvm_membar_sys:
    return {};
  case I::nvvm_isspacep_shared:
  case I::nvvm_isspacep_global: {
    SymValue P = Argument(0);
    if (!P.is(VK::Pointer) || P.Array.empty() ||
        (P.Array[0] != '!' && !isParameter(P.Array)))
      return unknown(DiagID::UnsupportedExpression,
                     "where this address leads to is not understood");
    return SymValue::boolean(BoolExpr::constant(
        (P.Array[0] == '!') == (ID == I::nvvm_isspacep_shared)));
  }
  case I::memcpy:
  case I::memcpy_inline:
  case I::memmove: {
    auto Size = Argument(2).constant();
    if (llvm::cast<llvm::MemTransferInst>(Call).isVolatile() || !Size)
      return failValue(DiagID::UnsupportedStatement,
                       "this copy of memory is not understood");
    copyBytes(Argument(0), Argument(1), *Size);
    return {};
  }
  case I::memset: {
    auto Byte = Argument(1).constant(), Size = Argument(2).constant();
    if (!Byte || *Byte != 0 || !Size)
      return failValue(DiagID::UnsupportedStatement,
                       "this filling of memory is not understood");
    fillZero(Argument(0), *Size);
    return {};
  }
  case I::smin:
  case I::smax:
  case I::umin:
  case I::umax:
    return minMax(Argument(0), Argument(1), ID == I::smax || ID == I::umax,
                  ID == I::smin || ID == I::smax);
  case I::fma:
  case I::fmuladd: {
    SymValue V[3];
    for (unsigned N = 0; N < 3; ++N) {
      V[N] = asFloat(Argument(N), Call.getType());
      if (V[N].is(VK::Unknown))
        return V[N];
    }
    return numbered(Value::fma(V[0].S->Type, V[0].S, V[1].S, V[2].S));
  }
  case I::fptosi_sat:
  case I::fptoui_sat: {
    SymValue V = asFloat(Argument(0), Call.getArgOperand(0)->getType());
    if (V.is(VK::Unknown))
      return V;
    bool Signed = ID == I::fptosi_sat;
    if (auto E = V.S->Size < 16 ? integral(V.S) : std::nullopt)
      return integerOf(*E, Call.getType()->getScalarSizeInBits(), Signed);
    switch (Call.getType()->getScalarSizeInBits()) {
    case 8:
      return convert(V, Signed ? ScalarType::I8 : ScalarType::U8);
    case 16:
      return convert(V, Signed ? ScalarType::I16 : ScalarType::U16);
    case 32:
      return convert(V, Signed ? ScalarType::I32 : ScalarType::U32);
    case 64:
      return convert(V, Signed ? ScalarType::I64 : ScalarType::U64);
    default:
      break;
    }
    return unknown(DiagID::UnsupportedExpression,
                   "this conversion is not understood");
  }
  case I::nvvm_f2tf32_rna: {
    // In a register, which is another type of the same bits.
    SymValue V = asFloat(Argument(0), Call.getArgOperand(0)->getType());
    if (V.is(VK::Unknown))
      return V;
    return roundedToTF32(V);
  }
  case I::trap:
  case I::ubsantrap:
  case I::debugtrap:
    if (notReached(BoolExpr::constant(true), "the kernel ends the program"))
      return {};
    return failValue(DiagID::CallNotInlined, EndsProgram);
  default:
    break;
  }
  const llvm::Type *T = Call.getType();
  if (llvm::StringRef Name = mathName(ID, T->isDoubleTy());
      !Name.empty() && (T->isFloatTy() || T->isDoubleTy())) {
    std::vector<ValueRef> Values;
    for (unsigned N = 0; N < Call.arg_size(); ++N) {
      SymValue V = asFloat(Argument(N), T);
      if (V.is(VK::Unknown))
        return V;
      Values.push_back(V.S);
    }
    return numbered(
        Value::call(T->isDoubleTy() ? ScalarType::F64 : ScalarType::F32, Name,
                    std::move(Values)));
  }
  std::string Name = F.getName().str();
  if (!F.doesNotAccessMemory() && !F.onlyReadsMemory())
    return failValue(DiagID::UnsupportedStatement,
                     "'" + Name + "' is not understood");
  // As the products of std::complex do, to repair what is NaN.
  if (F.getIntrinsicID() == llvm::Intrinsic::is_fpclass)
    return unknown(DiagID::UnsupportedExpression,
                   "whether a number is NaN or infinite is asked for, and what "
                   "is computed depends on it");
  // Votes, shuffles and lane numbers: their results depend on other threads.
  return unknown(DiagID::UnsupportedExpression,
                 "'" + Name + "' is not understood");
}

} // namespace warpwright::symbolic
