//===- Direct.cpp - Store: each thread its elements -----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ProtocolBuilder.h"
#include "../Validation.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warpwright {

namespace {

/// Every thread stores its elements itself: any output, of any type.
class Direct final : public StoreRole {
public:
  Direct() : StoreRole("direct") {}

  bool suits(const Output &, ScalarType) const override { return true; }
  Expected<EpiloguePlan> derive(const Output &Out, const KernelPlan &,
                                const Machine &) const override {
    EpiloguePlan E;
    E.Type = Out.Type;
    E.Buffers = E.BufferBytes = E.FirstBarrier = 0;
    return E;
  }
  bool stages() const override { return false; }

  bool check(Validator &V) const override {
    const EpiloguePlan &E = V.P.Epilogue;
    if (E.Buffers || E.BufferBytes || E.StagingBytes)
      return V.fail(Property::Slab, "direct stores need no staging");
    V.prove("epilogue: predicated stores by each thread, inside the output's "
            "extents only");
    return true;
  }
  bool checkNamedBarriers(Validator &V) const override {
    if (V.P.Epilogue.FirstBarrier)
      return V.fail(Property::NamedBarrier, "direct stores need none");
    return true;
  }

  void store(ProtocolBuilder &B, int32_t, bool, int32_t &) const override {
    B.add(B.P.Feed->results(B.P), Site::ReadProducts);
  }

  void print(raw_ostream &OS, const KernelPlan &P) const override {
    OS << formatv("  epilogue: {0}, stored directly\n", name(P.Epilogue.Type));
  }
};

} // namespace

const StoreRole &directStore() {
  static const Direct Choice;
  return Choice;
}

} // namespace warpwright
