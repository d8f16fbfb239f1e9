//===-- DecodeCalls.cpp - Calls in the form that is executed --------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Intrinsics, functions of headers, inline assembly and the user's functions.
///
//===----------------------------------------------------------------------===//

#include "Decode.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

namespace warpwright {
namespace execute {

std::optional<Special> specialRegister(llvm::StringRef Name) {
  if (!Name.consume_front("llvm.nvvm.read.ptx.sreg."))
    return std::nullopt;
  return llvm::StringSwitch<std::optional<Special>>(Name)
      .Case("tid.x", Special::TidX)
      .Case("tid.y", Special::TidY)
      .Case("tid.z", Special::TidZ)
      .Case("ctaid.x", Special::CtaX)
      .Case("ctaid.y", Special::CtaY)
      .Case("ctaid.z", Special::CtaZ)
      .Case("ntid.x", Special::NTidX)
      .Case("ntid.y", Special::NTidY)
      .Case("ntid.z", Special::NTidZ)
      .Case("nctaid.x", Special::NCtaX)
      .Case("nctaid.y", Special::NCtaY)
      .Case("nctaid.z", Special::NCtaZ)
      .Case("laneid", Special::LaneId)
      .Case("warpsize", Special::WarpSize)
      .Case("dynamic.smem.size", Special::DynamicSharedSize)
      .Default(std::nullopt);
}

/// The special register whose value the function returns, if it does nothing
/// else: such as the function behind threadIdx.x.
static std::optional<Special> accessorOf(const llvm::Function &F) {
  if (F.size() != 1 || !F.arg_empty())
    return std::nullopt;
  auto It = F.front().begin();
  auto *Call = llvm::dyn_cast<llvm::CallInst>(&*It);
  if (!Call || !Call->getCalledFunction())
    return std::nullopt;
  auto *Ret = llvm::dyn_cast<llvm::ReturnInst>(&*++It);
  if (!Ret || Ret->getReturnValue() != Call)
    return std::nullopt;
  return specialRegister(Call->getCalledFunction()->getName());
}

bool Decoder::isSpecialRegister(const llvm::CallInst &In) {
  const llvm::Function *Callee = In.getCalledFunction();
  return Callee && (Callee->isIntrinsic() ? specialRegister(Callee->getName())
                                          : accessorOf(*Callee));
}

bool Decoder::emitMath(const llvm::CallBase &In, llvm::StringRef Name,
                       unsigned Operands, bool Flush) {
  const HeaderFunction *H = findHeaderFunction(Name, Operands);
  auto T = floatType(In.getType()->getScalarType());
  if (!H || !T)
    return false;
  llvm::SmallVector<Slots, 3> Lists;
  for (unsigned O = 0; O < Operands; ++O) {
    if (In.getArgOperand(O)->getType() != In.getType())
      return false;
    Lists.push_back(Slots(slotsOf(In.getArgOperand(O))));
  }
  Slots D(define(In));
  for (size_t E = 0; E < D.size(); ++E) {
    Inst &New = emit(Op::Math, D[E]);
    New.Flags = Flush;
    CallInfo &Call = newCall(New);
    Call.Header = H;
    for (const Slots &L : Lists) {
      Call.Arguments.push_back(L[E]);
      Call.HeaderArguments.push_back({*T, false});
    }
  }
  return true;
}

/// A conversion to an integer that is defined beyond its range.
bool Decoder::emitSaturation(const llvm::CallBase &In, bool Signed) {
  const unsigned Width = widthOf(In.getType()->getScalarType(), DL);
  const llvm::Value *From = In.getArgOperand(0);
  const auto T = floatType(From->getType()->getScalarType());
  const llvm::StringRef To = llvm::StringSwitch<llvm::StringRef>(
                                 (Signed ? "s" : "u") + std::to_string(Width))
                                 .Case("s8", "char")
                                 .Case("u8", "uchar")
                                 .Case("s16", "short")
                                 .Case("u16", "ushort")
                                 .Case("s32", "int")
                                 .Case("u32", "uint")
                                 .Case("s64", "ll")
                                 .Case("u64", "ull")
                                 .Default("");
  const HeaderFunction *H =
      findHeaderFunction(("__double2" + To + "_rz").str(), 1);
  if (!H || !T)
    return false;
  Slots A(slotsOf(From)), D(define(In));
  for (size_t E = 0; E < D.size(); ++E) {
    CallInfo &Call = newCall(emit(Op::Math, D[E]));
    Call.Header = H;
    Call.Arguments.push_back(A[E]);
    Call.HeaderArguments.push_back({*T, false});
  }
  return true;
}

bool Decoder::decodeIntrinsic(const llvm::IntrinsicInst &In) {
  using namespace llvm;
  switch (In.getIntrinsicID()) {
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
    emit(Op::Forget, 0, slot(In.getArgOperand(In.arg_size() - 1)));
    return true;
  case Intrinsic::dbg_declare:
  case Intrinsic::dbg_value:
  case Intrinsic::dbg_label:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::prefetch:
  case Intrinsic::donothing:
    return true;
  case Intrinsic::assume:
    emit(Op::Assume, 0, slot(In.getArgOperand(0)));
    return true;
  case Intrinsic::expect:
  case Intrinsic::expect_with_probability:
  case Intrinsic::launder_invariant_group:
  case Intrinsic::strip_invariant_group:
  case Intrinsic::ssa_copy:
    Values[&In] = Slots(slotsOf(In.getArgOperand(0)));
    return true;
  case Intrinsic::trap:
  case Intrinsic::ubsantrap:
    emit(Op::Trap);
    return true;
  case Intrinsic::memcpy:
  case Intrinsic::memcpy_inline:
  case Intrinsic::memmove: {
    const uint32_t To = slot(In.getArgOperand(0)),
                   From = slot(In.getArgOperand(1)),
                   Size = slot(In.getArgOperand(2));
    emit(Op::CopyBytes, 0, To, From, Size).Flags =
        In.getIntrinsicID() == Intrinsic::memmove;
    return true;
  }
  case Intrinsic::memset:
  case Intrinsic::memset_inline: {
    const uint32_t To = slot(In.getArgOperand(0)),
                   Byte = slot(In.getArgOperand(1)),
                   Size = slot(In.getArgOperand(2));
    emit(Op::FillBytes, 0, To, Byte, Size);
    return true;
  }
  case Intrinsic::fma:
    return emitMath(In, "fma", 3);
  case Intrinsic::fabs:
    return emitMath(In, "fabs", 1);
  case Intrinsic::copysign:
    return emitMath(In, "copysign", 2);
  case Intrinsic::minnum:
  case Intrinsic::minimumnum:
    return emitMath(In, "fmin", 2);
  case Intrinsic::maxnum:
  case Intrinsic::maximumnum:
    return emitMath(In, "fmax", 2);
  case Intrinsic::minimum:
    return emitMath(In, "__hmin_nan", 2);
  case Intrinsic::maximum:
    return emitMath(In, "__hmax_nan", 2);
  case Intrinsic::sqrt:
    return emitMath(In, "sqrt", 1);
  case Intrinsic::floor:
    return emitMath(In, "floor", 1);
  case Intrinsic::ceil:
    return emitMath(In, "ceil", 1);
  case Intrinsic::trunc:
    return emitMath(In, "trunc", 1);
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::roundeven:
    return emitMath(In, "rint", 1);
  case Intrinsic::round:
    return emitMath(In, "round", 1);
  case Intrinsic::exp:
    return emitMath(In, "exp", 1);
  case Intrinsic::exp2:
    return emitMath(In, "exp2", 1);
  case Intrinsic::exp10:
    return emitMath(In, "exp10", 1);
  case Intrinsic::log:
    return emitMath(In, "log", 1);
  case Intrinsic::log2:
    return emitMath(In, "log2", 1);
  case Intrinsic::log10:
    return emitMath(In, "log10", 1);
  case Intrinsic::sin:
    return emitMath(In, "sin", 1);
  case Intrinsic::cos:
    return emitMath(In, "cos", 1);
  case Intrinsic::tanh:
    return emitMath(In, "tanh", 1);
  case Intrinsic::pow:
    return emitMath(In, "pow", 2);
  case Intrinsic::fptosi_sat:
  case Intrinsic::fptoui_sat:
    return emitSaturation(In, In.getIntrinsicID() == Intrinsic::fptosi_sat);
  case Intrinsic::fmuladd: {
    // LLVM leaves open whether the product is rounded before it is added. It is
    // here, as on the host.
    Slots A(slotsOf(In.getArgOperand(0))), B(slotsOf(In.getArgOperand(1))),
        C(slotsOf(In.getArgOperand(2)));
    auto T = floatType(In.getType()->getScalarType());
    if (!T)
      return false;
    Slots D(define(In));
    for (size_t E = 0; E < D.size(); ++E) {
      Inst &Product =
          emit(Op::FArith, D[E], A[E], B[E], static_cast<uint32_t>(*T));
      Product.Flags = static_cast<uint8_t>(Arithmetic::Mul);
      Inst &Sum = emit(Op::FArith, D[E], D[E], C[E], static_cast<uint32_t>(*T));
      Sum.Flags = static_cast<uint8_t>(Arithmetic::Add);
    }
    return true;
  }
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::abs:
  case Intrinsic::ctpop:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
  case Intrinsic::bswap:
  case Intrinsic::bitreverse:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
  case Intrinsic::sadd_sat:
  case Intrinsic::uadd_sat:
  case Intrinsic::ssub_sat:
  case Intrinsic::usub_sat:
  case Intrinsic::nvvm_mulhi_i:
  case Intrinsic::nvvm_mulhi_ui:
  case Intrinsic::nvvm_mulhi_ll:
  case Intrinsic::nvvm_mulhi_ull: {
    Slots L[3];
    const unsigned Count = std::min<unsigned>(In.arg_size(), 3);
    for (unsigned A = 0; A < Count; ++A)
      L[A] = Slots(slotsOf(In.getArgOperand(A)));
    Slots D(define(In));
    for (size_t E = 0; E < D.size(); ++E) {
      auto At = [&](unsigned A) {
        return A >= Count ? 0 : L[A][L[A].size() == D.size() ? E : 0];
      };
      Inst &New = emit(Op::BitOp, D[E], At(0), At(1), At(2));
      New.Imm = In.getIntrinsicID();
      New.Flags = Count;
      New.Width = widthOf(In.getType()->getScalarType(), DL);
    }
    return true;
  }
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::usub_with_overflow:
  case Intrinsic::smul_with_overflow:
  case Intrinsic::umul_with_overflow: {
    if (In.getArgOperand(0)->getType()->isVectorTy())
      return false;
    const uint32_t L = slot(In.getArgOperand(0)), R = slot(In.getArgOperand(1));
    Slots D(define(In));
    Inst &New = emit(Op::WithOverflow, D[0], L, R, D[1]);
    New.Width = widthOf(In.getArgOperand(0)->getType(), DL);
    const auto &W = cast<WithOverflowInst>(In);
    New.Flags = W.getBinaryOp() == Instruction::Add   ? 0
                : W.getBinaryOp() == Instruction::Sub ? 1
                                                      : 2;
    New.Imm = W.isSigned();
    return true;
  }
  default:
    return decodeDevice(In, In.getCalledFunction()->getName());
  }
}

/// Intrinsics of the device, by name.
bool Decoder::decodeDevice(const llvm::CallBase &In, llvm::StringRef Name) {
  if (auto S = specialRegister(Name)) {
    emit(Op::Special, define(In)[0]).Imm = static_cast<uint64_t>(*S);
    return true;
  }
  if (!Name.consume_front("llvm.nvvm."))
    return false;
  // All threads of a block have to wait at one place, so the numbers of
  // barriers are not told apart.
  if (Name == "barrier0" || Name == "barrier.cta.sync.aligned.all" ||
      Name == "barrier.cta.sync.all") {
    emit(Op::Barrier);
    return true;
  }
  if (Name == "barrier.cta.sync.aligned.count" ||
      Name == "barrier.cta.sync.count") {
    emit(Op::Barrier, 0, slot(In.getArgOperand(1))).Flags = 1;
    return true;
  }
  if (Name == "isspacep.shared" || Name == "isspacep.global") {
    const uint32_t Address = slot(In.getArgOperand(0));
    emit(Op::IsShared, define(In)[0], Address).Flags =
        Name == "isspacep.global";
    return true;
  }
  if (Name.starts_with("membar.") || Name.starts_with("fence."))
    return true;
  // `barrier.cta.red.and.aligned.all`, `barrier0.and`.
  const std::optional<uint8_t> Reduce =
      llvm::StringSwitch<std::optional<uint8_t>>(Name)
          .Cases({"barrier0.popc", "barrier.cta.red.popc.aligned.all"}, 0)
          .Cases({"barrier0.and", "barrier.cta.red.and.aligned.all"}, 1)
          .Cases({"barrier0.or", "barrier.cta.red.or.aligned.all"}, 2)
          .Default(std::nullopt);
  if (Reduce) {
    const uint32_t P = slot(In.getArgOperand(In.arg_size() - 1));
    const uint32_t D = define(In)[0];
    emit(Op::BarrierReduce, D, P).Flags = *Reduce;
    return true;
  }
  llvm::StringRef Rest = Name;
  if (Rest.consume_front("shfl.sync.")) {
    const uint8_t Kind = Rest.starts_with("idx")    ? 0
                         : Rest.starts_with("up")   ? 1
                         : Rest.starts_with("down") ? 2
                         : Rest.starts_with("bfly") ? 3
                                                    : 4;
    if (Kind == 4 || In.arg_size() != 4 || Rest.ends_with("p"))
      return false;
    const uint32_t Mask = slot(In.getArgOperand(0)),
                   V = slot(In.getArgOperand(1)),
                   Lane = slot(In.getArgOperand(2)),
                   Clamp = slot(In.getArgOperand(3));
    const uint32_t D = define(In)[0];
    Inst &New = emit(Op::Shuffle, D, Mask, V, Lane);
    New.Imm = Clamp;
    New.Flags = Kind;
    return true;
  }
  if (Rest.consume_front("vote.")) {
    const uint8_t Kind = Rest == "all.sync"      ? 0
                         : Rest == "any.sync"    ? 1
                         : Rest == "ballot.sync" ? 2
                                                 : 3;
    if (Kind == 3)
      return false;
    const uint32_t Mask = slot(In.getArgOperand(0)),
                   P = slot(In.getArgOperand(1));
    const uint32_t D = define(In)[0];
    emit(Op::Vote, D, Mask, P).Flags = Kind;
    return true;
  }
  if (Rest.consume_front("redux.sync.")) {
    const uint8_t Kind = llvm::StringSwitch<uint8_t>(Rest)
                             .Case("add", 0)
                             .Case("and", 1)
                             .Case("or", 2)
                             .Case("xor", 3)
                             .Case("min", 4)
                             .Case("max", 5)
                             .Case("umin", 6)
                             .Case("umax", 7)
                             .Default(8);
    if (Kind == 8)
      return false;
    const uint32_t V = slot(In.getArgOperand(0)),
                   Mask = slot(In.getArgOperand(1));
    const uint32_t D = define(In)[0];
    emit(Op::Reduction, D, Mask, V).Flags = Kind;
    return true;
  }
  if (Name == "activemask") {
    const uint32_t D = define(In)[0];
    emit(Op::ActiveMask, D);
    return true;
  }
  if (Name == "bar.warp.sync") {
    emit(Op::WarpBarrier, 0, slot(In.getArgOperand(0)));
    return true;
  }
  if (Name.consume_front("wmma."))
    return decodeFragment(In, Name);
  if (Name == "f2tf32.rna") {
    const uint32_t X = slot(In.getArgOperand(0)), D = define(In)[0];
    CallInfo &Call = newCall(emit(Op::Math, D));
    Call.Header = findHeaderFunction("__float_to_tf32", 1);
    Call.Arguments.push_back(X);
    Call.HeaderArguments.push_back({ScalarType::F32, false});
    return true;
  }
  // `fma.rn.ftz.f`: the operation, how it rounds, the type.
  bool Flush = false, Other = false;
  llvm::SmallVector<llvm::StringRef> Parts;
  Name.split(Parts, '.');
  for (llvm::StringRef Part : llvm::ArrayRef(Parts).drop_front()) {
    if (Part == "ftz")
      Flush = true;
    else if (Part != "rn" && Part != "f" && Part != "d" && Part != "f32" &&
             Part != "f64" && Part != "approx" && Part != "f16" &&
             Part != "bf16")
      Other = true;
  }
  const llvm::StringRef Function = llvm::StringSwitch<llvm::StringRef>(Parts[0])
                                       .Case("fma", "fma")
                                       .Case("add", "__hadd")
                                       .Case("mul", "__hmul")
                                       .Case("div", "__hdiv")
                                       .Case("fabs", "fabs")
                                       .Case("fmax", "fmax")
                                       .Case("fmin", "fmin")
                                       .Case("sqrt", "sqrt")
                                       .Case("rsqrt", "rsqrt")
                                       .Case("rcp", "hrcp")
                                       .Case("ex2", "exp2")
                                       .Case("lg2", "log2")
                                       .Case("sin", "sin")
                                       .Case("cos", "cos")
                                       .Case("tanh", "tanh")
                                       .Case("saturate", "__saturatef")
                                       .Case("ceil", "ceil")
                                       .Case("floor", "floor")
                                       .Case("trunc", "trunc")
                                       .Case("round", "rint")
                                       .Default("");
  return !Other && !Function.empty() &&
         emitMath(In, Function, In.arg_size(), Flush);
}

/// An operation on matrix fragments. Its registers are slots of half, of two
/// bfloat16, or of float.
bool Decoder::decodeFragment(const llvm::CallBase &In, llvm::StringRef Name) {
  CallInfo Call;
  Call.Fragment = parseFragmentOperation(Name);
  if (!Call.Fragment)
    return false;
  for (const llvm::Value *V : In.args())
    llvm::append_range(Call.Arguments, slotsOf(V));
  llvm::SmallVector<Leaf> Leaves;
  if (!In.getType()->isVoidTy())
    flatten(In.getType(), DL, Leaves);
  const bool Stores = Call.Fragment->Code == FragmentOperation::Kind::Store;
  if (Call.Arguments.size() != Call.Fragment->arguments() ||
      Leaves.size() != (Stores ? 0 : Call.Fragment->Matrix.slots()))
    return false;
  const uint32_t D = Stores ? 0 : define(In)[0];
  newCall(emit(Op::Fragment, D)) = std::move(Call);
  return true;
}

/// The scalar type that a parameter in a demangled signature has.
static std::optional<HeaderArgument> parameterType(llvm::StringRef S) {
  HeaderArgument A;
  S = S.trim();
  if (S.consume_back("&") || S.consume_back("*"))
    A.ByPointer = true;
  S = S.trim();
  S.consume_back(" const");
  S.consume_back(" volatile");
  auto T = llvm::StringSwitch<std::optional<ScalarType>>(S.trim())
               .Case("__half", ScalarType::F16)
               .Cases({"__half_raw", "__nv_bfloat16_raw"}, std::nullopt)
               .Case("__nv_bfloat16", ScalarType::BF16)
               .Case("float", ScalarType::F32)
               .Case("double", ScalarType::F64)
               .Case("bool", ScalarType::Bool)
               .Cases({"signed char", "char"}, ScalarType::I8)
               .Case("unsigned char", ScalarType::U8)
               .Case("short", ScalarType::I16)
               .Case("unsigned short", ScalarType::U16)
               .Case("int", ScalarType::I32)
               .Case("unsigned int", ScalarType::U32)
               .Cases({"long", "long long"}, ScalarType::I64)
               .Cases({"unsigned long", "unsigned long long"}, ScalarType::U64)
               .Default(std::nullopt);
  if (!T)
    return std::nullopt;
  A.Type = *T;
  return A;
}

/// Parameters of a demangled signature `name(a, b) const`; nothing for a name
/// without one (a function of C).
static std::optional<llvm::SmallVector<llvm::StringRef>>
parameterList(llvm::StringRef Demangled) {
  const size_t Open = Demangled.find('(');
  const size_t Close = Demangled.rfind(')');
  if (Open == llvm::StringRef::npos || Close == llvm::StringRef::npos ||
      Demangled.substr(Open + 1).contains('('))
    return std::nullopt;
  llvm::SmallVector<llvm::StringRef> Result;
  const llvm::StringRef List = Demangled.slice(Open + 1, Close);
  if (!List.empty())
    List.split(Result, ',');
  return Result;
}

/// A function of a header by its name in the table. False for one that is not
/// there: its body, if it has one, is executed.
bool Decoder::decodeHeader(const llvm::CallBase &In,
                           const llvm::Function &Callee) {
  const llvm::StringRef Name = I.headerName(Callee);
  if (Name.empty())
    return false;
  const std::string Demangled = llvm::demangle(Callee.getName());
  CallInfo Call;
  unsigned First = 0;
  const llvm::StringRef Simple =
      Name.starts_with("std::") ? Name.drop_front(5) : Name;
  const bool OfHalf = Simple.starts_with("__half::"),
             OfBFloat = Simple.starts_with("__nv_bfloat16::");
  const bool Converts =
      Simple.contains("::operator ") && !Simple.ends_with("operator=");
  const bool Constructs = Simple.ends_with("operator=") ||
                          Simple == "__half::__half" ||
                          Simple == "__nv_bfloat16::__nv_bfloat16";
  if (OfHalf || OfBFloat) {
    if (In.arg_size() == 0 || !(Converts || Constructs))
      return false;
    // The first argument is the object: the operand of a conversion, or the
    // address to which a constructor writes its result.
    if (Converts) {
      Call.Arguments.push_back(slot(In.getArgOperand(0)));
      Call.HeaderArguments.push_back(
          {OfHalf ? ScalarType::F16 : ScalarType::BF16, true});
    } else {
      Call.ResultAddress = slot(In.getArgOperand(0));
      Call.ResultType = OfHalf ? ScalarType::F16 : ScalarType::BF16;
    }
    First = 1;
  }
  auto List = parameterList(Demangled);
  if (Demangled == Callee.getName() || !List) {
    // The name of a C function does not tell the types of its parameters.
    if (Demangled != Callee.getName())
      return false;
    for (unsigned A = First; A < In.arg_size(); ++A) {
      llvm::Type *T = In.getArgOperand(A)->getType();
      auto Type = floatType(T);
      if (T->isIntegerTy(32))
        Type = ScalarType::I32;
      if (T->isIntegerTy(64))
        Type = ScalarType::I64;
      if (!Type)
        return false;
      Call.Arguments.push_back(slot(In.getArgOperand(A)));
      Call.HeaderArguments.push_back({*Type, false});
    }
  } else {
    if (List->size() + First != In.arg_size())
      return false;
    for (unsigned A = First; A < In.arg_size(); ++A) {
      auto Type = parameterType((*List)[A - First]);
      const llvm::Value *V = In.getArgOperand(A);
      if (!Type)
        return false;
      // Classes are passed in memory.
      if (In.isByValArgument(A))
        Type->ByPointer = true;
      if (Type->ByPointer != V->getType()->isPointerTy() ||
          slotsOf(V).size() != 1)
        return false;
      if ((*List)[A - First].trim().ends_with("*") &&
          !Simple.starts_with("__ld"))
        return false;
      Call.Arguments.push_back(slot(V));
      Call.HeaderArguments.push_back(*Type);
    }
  }
  Call.Header = findHeaderFunction(Simple, Call.HeaderArguments.size());
  if (!Call.Header)
    return false;
  const bool Returns = !In.getType()->isVoidTy();
  // `a += b` writes its result to the first argument.
  if (Simple.starts_with("operator") && Simple.size() == 10 &&
      llvm::StringRef("+-*/").contains(Simple[8]) && Simple[9] == '=') {
    if (!Call.HeaderArguments.front().ByPointer)
      return false;
    Call.ResultAddress = Call.Arguments.front();
    Call.ResultType = Call.HeaderArguments.front().Type;
  }
  // operator= and operator+= return their object.
  const bool ReturnsObject = Returns && Call.ResultAddress;
  if (!ReturnsObject) {
    llvm::SmallVector<Leaf> Leaves;
    if (Returns ? (!flatten(In.getType(), DL, Leaves) || Leaves.size() != 1)
                : !Call.ResultAddress)
      return false;
    auto Float = Returns ? floatType(Leaves[0].Type) : std::nullopt;
    if (Returns && !Leaves[0].Type->isIntegerTy() && !Float)
      return false;
    // CUDA's pow(float, int) is a float, that of <cmath> a double.
    if (Float) {
      Call.ResultType = *Float;
      Call.FloatResult = true;
    }
  }
  const uint32_t D = Returns && !ReturnsObject ? define(In)[0] : 0;
  if (ReturnsObject)
    Values[&In] = {*Call.ResultAddress};
  Inst &New = emit(Op::Header, D);
  New.Width = Returns && !ReturnsObject && !In.getType()->isStructTy()
                  ? widthOf(In.getType(), DL)
                  : 64;
  newCall(New) = std::move(Call);
  return true;
}

/// __nvvm_reflect("__CUDA_FTZ"): what the compiler's flags were.
bool Decoder::decodeReflect(const llvm::CallBase &In) {
  if (In.arg_size() != 1)
    return false;
  auto *G = llvm::dyn_cast<llvm::GlobalVariable>(
      In.getArgOperand(0)->stripPointerCasts());
  auto *Text =
      G && G->hasInitializer()
          ? llvm::dyn_cast<llvm::ConstantDataArray>(G->getInitializer())
          : nullptr;
  if (!Text || !Text->isCString())
    return false;
  const llvm::StringRef Name = Text->getAsCString();
  int64_t Answer = 0;
  if (Name == "__CUDA_FTZ") {
    auto *Flag = llvm::mdconst::extract_or_null<llvm::ConstantInt>(
        F.getParent()->getModuleFlag("nvvm-reflect-ftz"));
    Answer = Flag ? Flag->getSExtValue() : 0;
  } else if (Name == "__CUDA_PREC_SQRT" || Name == "__CUDA_PREC_DIV") {
    Answer = 1;
  } else if (Name == "__CUDA_ARCH") {
    Answer = 900;
  } else {
    return false;
  }
  // The instruction itself holds the number.
  Inst &New = emit(Op::Move, define(In)[0], 0);
  New.Flags = 1;
  New.Imm = static_cast<uint64_t>(Answer);
  return true;
}

void Decoder::decodeAssembly(const llvm::CallBase &In) {
  auto *Asm = llvm::cast<llvm::InlineAsm>(In.getCalledOperand());
  if (llvm::StringRef(Asm->getAsmString()).trim().empty() &&
      In.getType()->isVoidTy())
    return; // a barrier for the compiler
  auto Program = parsePtx(Asm->getAsmString(), Asm->getConstraintString());
  if (!Program)
    return unsupported(In, llvm::toString(Program.takeError()));
  CallInfo Call;
  Call.Ptx = *Program;
  for (const llvm::Value *V : In.args()) {
    if (slotsOf(V).size() != 1)
      return unsupported(In, "inline assembly");
    Call.Arguments.push_back(slot(V));
  }
  llvm::SmallVector<Leaf> Leaves;
  if (!In.getType()->isVoidTy())
    flatten(In.getType(), DL, Leaves);
  if (Leaves.size() != (*Program)->Outputs ||
      Call.Arguments.size() != (*Program)->Inputs)
    return unsupported(In, "inline assembly");
  Call.Results = Leaves.size();
  const uint32_t D = Leaves.empty() ? 0 : define(In)[0];
  newCall(emit((*Program)->Matrices ? Op::Matrices : Op::Assembly, D)) =
      std::move(Call);
}

/// atomicAdd as a call, of which the result is not used.
bool Decoder::decodeAtomic(const llvm::CallBase &In, llvm::StringRef Name) {
  if (Name != "atomicAdd" || In.arg_size() != 2 || !In.use_empty())
    return false;
  llvm::Type *T = In.getArgOperand(1)->getType();
  if (!T->isFloatTy() && !T->isDoubleTy())
    return false;
  const uint32_t Pointer = slot(In.getArgOperand(0)),
                 V = slot(In.getArgOperand(1));
  Inst &New = emit(Op::Atomic, define(In)[0], Pointer, V);
  New.Width = widthOf(T, DL);
  New.Flags = llvm::AtomicRMWInst::FAdd;
  New.C = static_cast<uint32_t>(*floatType(T));
  return true;
}

void Decoder::decodeCall(const llvm::CallBase &In) {
  if (In.isInlineAsm())
    return decodeAssembly(In);
  const llvm::Function *Callee = In.getCalledFunction();
  if (auto *Intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&In)) {
    if (!decodeIntrinsic(*Intrinsic))
      unsupported(In, "the intrinsic '" + Callee->getName() + "'");
    return;
  }
  if (Callee) {
    if (Callee->getName().starts_with("llvm.")) {
      if (!decodeDevice(In, Callee->getName()))
        unsupported(In, "the intrinsic '" + Callee->getName() + "'");
      return;
    }
    if (auto S = accessorOf(*Callee)) {
      emit(Op::Special, define(In)[0]).Imm = static_cast<uint64_t>(*S);
      return;
    }
    if (Callee->getName() == "__nvvm_reflect" && decodeReflect(In))
      return;
    if (decodeCopy(In, I.headerName(*Callee)) ||
        decodeSharedBarrier(In, I.headerName(*Callee)) ||
        decodePipeline(In, I.headerName(*Callee)) ||
        decodeAtomic(In, I.headerName(*Callee)) || decodeHeader(In, *Callee))
      return;
    if (Callee->isDeclaration()) {
      if (Callee->getName() == "__assertfail" ||
          Callee->getName() == "__assert_fail") {
        emit(Op::Trap);
        return;
      }
      return unsupported(In, "the function '" +
                                 llvm::demangle(Callee->getName()) + "'");
    }
    if (Callee->isVarArg() || Callee->getFunctionType() != In.getFunctionType())
      return unsupported(In, "a call with other types than the function has");
  }
  CallInfo Call;
  Call.Callee = Callee;
  for (unsigned A = 0; A < In.arg_size(); ++A) {
    const Slots List(slotsOf(In.getArgOperand(A)));
    for (uint32_t S : List) {
      Call.Arguments.push_back(S);
      uint64_t ByVal = 0;
      if (In.isByValArgument(A))
        ByVal = DL.getTypeAllocSize(In.getParamByValType(A)).getFixedValue();
      Call.ByVal.push_back(ByVal);
      Call.NoUndef.push_back(In.paramHasAttr(A, llvm::Attribute::NoUndef));
    }
  }
  uint32_t D = 0, Address = 0;
  if (!Callee)
    Address = slot(In.getCalledOperand());
  if (!In.getType()->isVoidTy()) {
    llvm::ArrayRef<uint32_t> Results = define(In);
    D = Results[0];
    Call.Results = Results.size();
  }
  newCall(emit(Callee ? Op::Call : Op::Indirect, D, Address)) = std::move(Call);
  if (auto *Invoke = llvm::dyn_cast<llvm::InvokeInst>(&In))
    emit(Op::Jump, 0, addEdge(In.getParent(), Invoke->getNormalDest()));
}

} // namespace execute
} // namespace warpwright
