//===- Roles.cpp - The choices of each role -------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Plan/Roles.h"
#include "Validation.h"
#include "warpwright/Plan/Elements.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace warpwright {

ArrayRef<const FeedRole *> allFeeds() {
  static const FeedRole *const All[] = {
      &roundedFeed(),   &turnedFeed(),    &registersFeed(), &partsFeed(),
      &fragmentsFeed(), &convertedFeed(), &bitsFeed(),      &straightFeed()};
  return All;
}

ArrayRef<const MultiplyRole *> allMultiplies() {
  static const MultiplyRole *const All[] = {
      &wgmmaMultiply(), &promotedMultiply(), &mmaMultiply(), &halvesMultiply()};
  return All;
}

ArrayRef<const ScheduleRole *> allSchedules() {
  static const ScheduleRole *const All[] = {
      &sharedSchedule(), &pingpongSchedule(), &interleavedSchedule()};
  return All;
}

ArrayRef<const StoreRole *> allStores() {
  static const StoreRole *const All[] = {&stagedStore(), &directStore(),
                                         &partialStore()};
  return All;
}

std::vector<const FeedRole *> feedsFor(const Contraction &C,
                                       FactorPrecision Precision) {
  std::vector<const FeedRole *> Result;
  for (const FeedRole *Feed : allFeeds())
    if (Feed->suits(C, Precision))
      Result.push_back(Feed);
  return Result;
}

std::vector<const FeedRole *>
feedsFor(const Contraction &C, FactorPrecision Precision, Major A, Major B) {
  std::vector<const FeedRole *> Result = feedsFor(C, Precision);
  llvm::erase_if(Result,
                 [&](const FeedRole *Feed) { return !Feed->reads(A, B); });
  return Result;
}

const FeedRole &defaultFeed(const Contraction &C) {
  const std::vector<const FeedRole *> Feeds =
      feedsFor(C, FactorPrecision::Float);
  return Feeds.empty() ? *allFeeds().back() : *Feeds.front();
}

const MultiplyRole *defaultMultiply(ScalarType Multiplied) {
  const ElementType *E = elementType(Multiplied);
  const auto Found = llvm::find_if(allMultiplies(), [E](const MultiplyRole *M) {
    return E && M->suits(*E);
  });
  return Found == allMultiplies().end() ? nullptr : *Found;
}

const MultiplyRole *multiplyFor(MultiplyRole::Clause Kind) {
  const auto Found =
      llvm::find_if(allMultiplies(), [Kind](const MultiplyRole *M) {
        return M->Kind == Kind && Kind != MultiplyRole::Clause::Default;
      });
  return Found == allMultiplies().end() ? nullptr : *Found;
}

bool FeedRole::leavesProductsTo(const MultiplyRole &Multiply) const {
  return &Multiply == &wgmmaMultiply();
}

const SumType &MultiplyRole::sums(const KernelPlan &P) const {
  return P.multiplied().sum();
}

const ElementType &KernelPlan::multiplied() const {
  const ElementType *E = elementType(Feed->multiplied(Rows.Type, Cols.Type));
  assert(E && "a feed hands over what the tensor cores multiply");
  return *E;
}

const ScheduleRole *scheduleFor(ScheduleRole::Clause Kind) {
  const auto Found = llvm::find_if(
      allSchedules(), [&](const ScheduleRole *S) { return S->Kind == Kind; });
  return Found == allSchedules().end() ? nullptr : *Found;
}

const StoreRole &storeFor(const Output &O, ScalarType Sum) {
  return **llvm::find_if(allStores(),
                         [&](const StoreRole *S) { return S->suits(O, Sum); });
}

const StoreRole &storeOf(const PlanChoice &P, const StoreRole &Output) {
  return P.Slices == 1 ? Output : partialStore();
}

bool ScheduleRole::checkMemory(Validator &V, MemoryMap &) const {
  if (V.P.ExchangeOffset || V.P.ExchangeBytes)
    return V.fail(Property::MemoryMap, "nobody exchanges sums");
  return true;
}

std::string ScheduleRole::whoHas(const KernelPlan &, int64_t Group) const {
  return "consumer warpgroup " + std::to_string(Group + 1);
}

int64_t PlanChoice::consumersOfTile() const {
  return Schedule->consumersOfTile(*this);
}

int64_t PlanChoice::storingConsumers() const {
  return Schedule->storingConsumers(*this);
}

} // namespace warpwright
