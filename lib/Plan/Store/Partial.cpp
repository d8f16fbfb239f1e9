//===- Partial.cpp - Store: sums of slices of k ---------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Plan/Elements.h"
#include "warpwright/Plan/Roles.h"

using namespace llvm;

namespace warpwright {

namespace {

/// The kernel stores its sums as they are in scratch memory, slab by slab as it
/// would store an output of their type; another kernel adds the slices
/// and does what the epilogue says (rt/sum_slices.cuh).
class Partial final : public StoreRole {
public:
  Partial() : StoreRole("slices") {}

  /// No output asks for it: plans in slices do.
  bool suits(const Output &, ScalarType) const override { return false; }
  Expected<EpiloguePlan> derive(const Output &Out, const KernelPlan &P,
                                const Machine &M) const override {
    Output Sums = Out;
    Sums.Type = P.multiplied().Sum;
    return Slabs.derive(Sums, P, M);
  }
  bool stages() const override { return Slabs.stages(); }

  bool check(Validator &V) const override { return Slabs.check(V); }
  bool checkMemory(Validator &V) const override { return Slabs.checkMemory(V); }
  bool checkNamedBarriers(Validator &V) const override {
    return Slabs.checkNamedBarriers(V);
  }

  void store(ProtocolBuilder &B, int32_t Group, bool Leader,
             int32_t &Slab) const override {
    Slabs.store(B, Group, Leader, Slab);
  }
  void finish(ProtocolBuilder &B, bool Leader) const override {
    Slabs.finish(B, Leader);
  }

  void members(MemberVisitor &V, EpiloguePlan &E) const override {
    Slabs.members(V, E);
  }
  void print(raw_ostream &OS, const KernelPlan &P) const override {
    OS << "  slices of k: ";
    if (P.Slices)
      OS << P.Slices;
    else
      OS << "as many as suit the launch";
    OS << ", added by a kernel of its own\n";
    Slabs.print(OS, P);
  }

  void decide(const KernelPlan &P, rt::choice &C) const override {
    C.sliced = true;
    C.slices = int(P.Slices);
  }
  void compare(RuntimeComparison &C, const KernelPlan &P,
               const rt::plan_numbers &N) const override {
    Slabs.compare(C, P, N);
  }
  Error checkKernel(const KernelPlan &P, ScalarType) const override {
    return Slabs.checkKernel(P, P.Epilogue.Type);
  }

private:
  const StoreRole &Slabs = stagedStore();
};

} // namespace

const StoreRole &partialStore() {
  static const Partial Choice;
  return Choice;
}

} // namespace warpwright
