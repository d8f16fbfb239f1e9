//===-- FlatBlock.cpp - Blocks of which the shape does not matter ---------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The hardware numbers the threads of a block through all dimensions, x first,
/// and makes warps of 32 of them in that order. A kernel that uses nothing but
/// this number and the number of threads does in a block of 32 x 8 what it does
/// in one of 256 x 1, whose shape is easier to reason about. So it is executed
/// for blocks of one row, and what was found holds with the number of threads
/// in the place of the row's width.
///
/// Whether it is such a kernel is read from the IR. Values that are made of
/// registers by additions and multiplications alone are polynomials over them;
/// what is done otherwise with such a value has to be done with one that is a
/// polynomial over the two numbers.
///
//===----------------------------------------------------------------------===//

#include "FlatBlock.h"
#include "warpwright/IR/KnownFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

namespace warpwright::symbolic {

static IntExpr thread(unsigned D) {
  return IntExpr::special(AtomKind::ThreadIdx, D);
}
static IntExpr width(unsigned D) {
  return IntExpr::special(AtomKind::BlockDim, D);
}

namespace {
class Reader {
public:
  Reader(const KernelModule &Module, const llvm::Function &Kernel)
      : Module(Module), Kernel(Kernel) {}

  unsigned dimensions();

private:
  /// Whether a call may read registers that are not seen here.
  bool hidesReads(const llvm::CallBase &Call) const;
  /// The register that \p V reads.
  std::optional<IntExpr> registerOf(const llvm::Value &V) const;
  /// \p V as a polynomial over registers and other values; nothing for one
  /// that is no register, sum or product.
  const IntExpr *polynomial(const llvm::Value &V);
  IntExpr operand(const llvm::Value &V);
  bool isFlat(const IntExpr &E, unsigned Dimensions) const;

  const KernelModule &Module;
  const llvm::Function &Kernel;
  llvm::DenseMap<const llvm::Value *, std::optional<IntExpr>> Known;
  unsigned Others = 0; ///< values that are no polynomials
};
} // namespace

bool Reader::hidesReads(const llvm::CallBase &Call) const {
  const llvm::Function *F = Call.getCalledFunction();
  if (Call.isInlineAsm() || (F && F->isIntrinsic()))
    return false; // a name of a register is one of the intrinsics by now
  // What headers of CUDA declare depends on arguments, on all threads, or on
  // the lane, which is a remainder of the number. What is kept as a call reads
  // no register.
  const FunctionInfo *Info = F ? Module.info(*F) : nullptr;
  return !Info || !(Info->Header || Module.isKept(*F));
}

std::optional<IntExpr> Reader::registerOf(const llvm::Value &V) const {
  const auto *Call = llvm::dyn_cast<llvm::CallBase>(&V);
  const llvm::Function *F = Call ? Call->getCalledFunction() : nullptr;
  if (!F)
    return std::nullopt;
  namespace I = llvm::Intrinsic;
  switch (F->getIntrinsicID()) {
  case I::nvvm_read_ptx_sreg_tid_x:
    return thread(0);
  case I::nvvm_read_ptx_sreg_tid_y:
    return thread(1);
  case I::nvvm_read_ptx_sreg_tid_z:
    return thread(2);
  case I::nvvm_read_ptx_sreg_ntid_x:
    return width(0);
  case I::nvvm_read_ptx_sreg_ntid_y:
    return width(1);
  case I::nvvm_read_ptx_sreg_ntid_z:
    return width(2);
  default:
    break;
  }
  const FunctionInfo *Info = Module.info(*F);
  const auto Op = Info ? knownFunction(*Info) : std::nullopt;
  if (!Op)
    return std::nullopt;
  unsigned D = 0;
  switch (*Op) {
  case KnownOp::SpecialX:
    D = 0;
    break;
  case KnownOp::SpecialY:
    D = 1;
    break;
  case KnownOp::SpecialZ:
    D = 2;
    break;
  default:
    return std::nullopt;
  }
  if (llvm::StringRef(Info->Name).contains("threadIdx"))
    return thread(D);
  if (llvm::StringRef(Info->Name).contains("blockDim"))
    return width(D);
  return std::nullopt;
}

IntExpr Reader::operand(const llvm::Value &V) {
  if (const auto *C = llvm::dyn_cast<llvm::ConstantInt>(&V);
      C && C->getBitWidth() <= 32)
    return IntExpr(C->getSExtValue());
  if (const IntExpr *E = polynomial(V))
    return *E;
  return IntExpr::param("other" + llvm::utostr(Others++));
}

const IntExpr *Reader::polynomial(const llvm::Value &V) {
  if (auto It = Known.find(&V); It != Known.end())
    return It->second ? &*It->second : nullptr;
  std::optional<IntExpr> E = registerOf(V);
  const auto *Op = llvm::dyn_cast<llvm::BinaryOperator>(&V);
  if (!E && Op && V.getType()->isIntegerTy(32) &&
      (Op->getOpcode() == llvm::Instruction::Add ||
       Op->getOpcode() == llvm::Instruction::Mul)) {
    auto IsRead = [&](unsigned N) { return polynomial(*Op->getOperand(N)); };
    if (IsRead(0) || IsRead(1)) {
      const IntExpr L = operand(*Op->getOperand(0)),
                    R = operand(*Op->getOperand(1));
      E = Op->getOpcode() == llvm::Instruction::Add ? L + R : L * R;
      if (E->overflowed())
        E.reset();
    }
  }
  std::optional<IntExpr> &Slot = Known[&V];
  Slot = std::move(E);
  return Slot ? &*Slot : nullptr;
}

/// Whether \p E is a polynomial over the number of a thread, the number of
/// threads and other values: with x replaced by the number less what the other
/// dimensions add to it these are gone, and each term has all widths equally
/// often.
bool Reader::isFlat(const IntExpr &E, unsigned Dimensions) const {
  IntExpr Before = width(0), Rest;
  for (unsigned D = 1; D < Dimensions; ++D) {
    Rest += Before * thread(D);
    Before = Before * width(D);
  }
  const IntExpr Flat = E.substitute(thread(0).str(), thread(0) - Rest);
  return !Flat.overflowed() && llvm::all_of(Flat.terms(), [&](const auto &T) {
    auto Times = [&](const IntExpr &Atom) {
      return llvm::count_if(
          T.first, [&](const AtomRef &A) { return A->getKey() == Atom.str(); });
    };
    for (unsigned D = 0; D < 3; ++D)
      if ((D > 0 && Times(thread(D)) != 0) ||
          Times(width(D)) != (D < Dimensions ? Times(width(0)) : 0))
        return false;
    return true;
  });
}

unsigned Reader::dimensions() {
  unsigned Dimensions = 1;
  for (const llvm::Instruction &I : llvm::instructions(Kernel)) {
    if (const auto *Call = llvm::dyn_cast<llvm::CallBase>(&I);
        Call && hidesReads(*Call))
      return 0;
    // The header may declare the registers as variables.
    for (const llvm::Use &U : I.operands())
      if (const auto *G =
              llvm::dyn_cast<llvm::GlobalVariable>(U->stripPointerCasts());
          G && Module.isHeaderVariable(*G))
        return 0;
    const IntExpr *E = polynomial(I);
    for (unsigned D = 1; E && D < 3; ++D)
      if (*E == thread(D) || *E == width(D))
        Dimensions = std::max(Dimensions, D + 1);
  }
  if (Dimensions == 1)
    return 0;
  for (const llvm::Instruction &I : llvm::instructions(Kernel)) {
    const IntExpr *E = polynomial(I);
    if (E && !isFlat(*E, Dimensions) &&
        llvm::any_of(I.users(),
                     [&](const llvm::User *U) { return !polynomial(*U); }))
      return 0;
  }
  return Dimensions;
}

unsigned flatDimensions(const KernelModule &Module,
                        const llvm::Function &Kernel) {
  return Reader(Module, Kernel).dimensions();
}

void allowAnyShape(Contraction &C, unsigned Dimensions) {
  IntExpr Threads(1);
  for (unsigned D = 0; D < Dimensions; ++D)
    Threads = Threads * width(D);
  const std::string Width = width(0).str();
  auto Fn = [&](const IntAtom &A) -> std::optional<IntExpr> {
    return A.getKey() == Width ? std::optional(Threads) : std::nullopt;
  };
  auto Number = [&](IntExpr &E) { E = E.transform(Fn); };
  auto InValue = [&](ValueRef &V) {
    if (V)
      V = transformInts(V, Fn);
  };
  auto InFactors = [&](Operand &A, Operand &B) {
    for (Operand *O : {&A, &B}) {
      Number(O->Index);
      InValue(O->Prologue);
    }
  };
  auto InProducts = [&](std::vector<Product> &Products) {
    for (Product &P : Products) {
      InFactors(P.A, P.B);
      InValue(P.Scale);
      if (P.KExtent)
        Number(*P.KExtent);
    }
  };
  for (IntExpr *E : {&C.BatchExtent, &C.MExtent, &C.NExtent, &C.KExtent})
    Number(*E);
  llvm::for_each(C.BatchDigits, Number);
  InFactors(C.A, C.B);
  InValue(C.Scale);
  InProducts(C.MoreProducts);
  for (Accumulation &Sum : C.MoreSums) {
    Number(Sum.KExtent);
    InProducts(Sum.Products);
  }
  for (Output &O : C.Outputs) {
    Number(O.Index);
    InValue(O.Value);
    if (O.When) {
      Number(O.When->Begin);
      if (O.When->End)
        Number(*O.When->End);
    }
  }
  // One row was asked for.
  llvm::erase_if(C.Requires, [&](const Requirement &R) {
    for (unsigned D = 1; D < Dimensions; ++D)
      if (R.Condition == BoolExpr::compare(CmpOp::EQ, width(D), 1))
        return true;
    return false;
  });
  for (Requirement &R : C.Requires) {
    R.Condition = R.Condition.transform(Fn);
    for (size_t At = 0; (At = R.Reason.find(Width, At)) != std::string::npos;
         At += Threads.str().size())
      R.Reason.replace(At, Width.size(), Threads.str());
  }
}

} // namespace warpwright::symbolic
