//===- ValidatorJSONTest.cpp - Every number of every plan -----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mechanical mutants: each number of a plan's JSON one up and one down, each
// boolean the other way round. What is not refused must be in the table of
// mutants that are plans as good, with the reason.
//
//===----------------------------------------------------------------------===//

#include "ValidatorPlans.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <map>

using namespace llvm;
using namespace warpwright;

namespace {

struct Equivalent {
  const char *Path; ///< `rows.descriptor.leading`
  const char *Why;
  /// In which plans; null for all.
  bool (*When)(const KernelPlan &);
};

/// wgmma looks at the leading offset of swizzled operands only where an
/// instruction crosses blocks that are contiguous along its rows.
bool ignoresLeading(const OperandPlan &O, int64_t RowsOfInstruction) {
  return O.Parts || O.Order == Major::K ||
         RowsOfInstruction <= spanBytes(O.Swizzle) / byteSize(O.Type);
}

const Equivalent Equivalents[] = {
    {"raster_group", "the order of tiles: any is right", nullptr},
    {"epilogue.first_barrier", "any named barriers that nobody else has",
     nullptr},
    {"turn_barrier", "any named barriers that nobody else has",
     [](const KernelPlan &P) { return P.Schedule == &pingpongSchedule(); }},
    {"cost", "follows from the plan; a file's is not read", nullptr},
    {"rows.descriptor.leading", "ignored by the instruction",
     [](const KernelPlan &P) { return ignoresLeading(P.Rows, 64); }},
    {"columns.descriptor.leading", "ignored by the instruction",
     [](const KernelPlan &P) {
       return ignoresLeading(P.Cols, P.InstructionN);
     }},
    {"version", "of the file, not of the plan", nullptr},
    {"transform.window", "any that the ring has room for",
     [](const KernelPlan &P) { return P.Split.Warpgroups > 0; }},
    {"transform.exponents", "other blocks stay raw, all sums are right",
     [](const KernelPlan &P) { return P.Split.Warpgroups > 0; }},
    {"transform.low_shift", "one more bit leaves the low parts finite",
     [](const KernelPlan &P) { return P.Split.Warpgroups > 0; }},
    {"rows.parts.least_exponent", "other blocks stay raw",
     [](const KernelPlan &P) { return P.Split.Warpgroups > 0; }},
    {"columns.parts.least_exponent", "other blocks stay raw",
     [](const KernelPlan &P) { return P.Split.Warpgroups > 0; }},
};

class Mutator {
public:
  Mutator(const KernelPlan &P, const Contraction &C) : P(P), C(C) {
    PlanSet Set;
    Set.Plans.push_back(P);
    Document = toJSON(Set);
  }

  void run() {
    ASSERT_TRUE(accepted()) << P.Name;
    visit(Document, "");
  }
  /// Any number at all, each place in turn: refused or not, it must come back.
  void runWild() { wild(Document); }
  int Tried = 0, Refused = 0;
  std::map<std::string, int> Survived;

private:
  const KernelPlan &P;
  const Contraction &C;
  json::Value Document = nullptr;

  bool accepted() {
    Expected<PlanSet> Plans =
        planSetFromJSON(formatv("{0}", Document).str(), C);
    if (Plans)
      return true;
    consumeError(Plans.takeError());
    return false;
  }

  void attempt(json::Value &Place, json::Value Other, const std::string &Path,
               const std::string &What) {
    json::Value Old = Place;
    Place = std::move(Other);
    ++Tried;
    if (!accepted()) {
      ++Refused;
    } else {
      const Equivalent *Known = llvm::find_if(Equivalents, [&](auto &E) {
        return (Path == E.Path ||
                StringRef(Path).starts_with((Twine(E.Path) + ".").str())) &&
               (!E.When || E.When(P));
      });
      EXPECT_NE(Known, std::end(Equivalents))
          << P.Name << ": " << Path << " " << What << " is accepted";
      ++Survived[Path];
    }
    Place = std::move(Old);
  }

  void wild(json::Value &V) {
    if (std::optional<int64_t> N = V.getAsInteger()) {
      for (int64_t Other : {int64_t(0), int64_t(-1), int64_t(3), int64_t(-16),
                            int64_t(4096), (int64_t(1) << 30) - 1,
                            -(int64_t(1) << 30), INT64_MAX, INT64_MIN}) {
        V = Other;
        ++Tried;
        accepted();
      }
      V = *N;
    } else if (json::Array *List = V.getAsArray()) {
      for (json::Value &Item : *List)
        wild(Item);
    } else if (json::Object *Object = V.getAsObject()) {
      for (auto &[Key, Member] : *Object)
        wild(Member);
    }
  }

  void visit(json::Value &V, const std::string &Path) {
    if (std::optional<int64_t> N = V.getAsInteger()) {
      attempt(V, *N + 1, Path, "+ 1");
      attempt(V, *N - 1, Path, "- 1");
      // In the units of descriptors, and of what swizzled tiles start at.
      if (StringRef(Path).contains("descriptor")) {
        attempt(V, *N + 16, Path, "+ 16");
        attempt(V, *N - 16, Path, "- 16");
      }
      if (StringRef(Path).contains("offset") ||
          StringRef(Path).contains("bytes")) {
        attempt(V, *N + 1024, Path, "+ 1024");
        attempt(V, *N - 1024, Path, "- 1024");
      }
    } else if (std::optional<bool> B = V.getAsBoolean()) {
      attempt(V, !*B, Path, "flipped");
    } else if (json::Array *List = V.getAsArray()) {
      for (size_t I = 0; I < List->size(); ++I)
        visit((*List)[I], Path == "plans" ? "" : Path);
    } else if (json::Object *Object = V.getAsObject()) {
      for (auto &[Key, Member] : *Object)
        visit(Member, Path.empty() ? Key.str() : Path + "." + Key.str());
    }
  }
};

TEST(ValidatorJSON, EveryNumberCounts) {
  struct Case {
    PlanChoice Choice;
    char A, B;
    const char *Out;
    OperandTypes Types = {};
  };
  std::vector<Case> Cases;
  PlanChoice Base = smallChoice();
  Cases.push_back({Base, 'N', 'N', "bf16"});
  Cases.push_back({Base, 'T', 'T', "f32"});
  PlanChoice Turns = Base;
  Turns.Schedule = &pingpongSchedule();
  Cases.push_back({Turns, 'N', 'T', "bf16"});
  PlanChoice Square = Base;
  Square.ClusterN = 2;
  Cases.push_back({Square, 'T', 'N', "direct"});
  PlanChoice Narrow = Base;
  Narrow.TileM = 64;
  Narrow.TileN = 32;
  Narrow.ConsumerWarpgroups = 1;
  Narrow.ClusterM = 1;
  Cases.push_back({Narrow, 'N', 'N', "f32"});
  PlanChoice Swapped = Base;
  Swapped.TileM = 48;
  Swapped.ClusterM = 1;
  Swapped.SwapAB = true;
  Cases.push_back({Swapped, 'T', 'N', "f32"});
  PlanChoice Waves = Base;
  Waves.TileM = 256;
  Waves.TileN = 112;
  Waves.ClusterM = 1;
  Waves.ClusterN = 2;
  Cases.push_back({Waves, 'T', 'N', "bf16"});
  for (PlanChoice Choice : {Base, Turns}) { // as the planner has them
    Choice.TileN = (Choice.Schedule == &pingpongSchedule()) ? 128 : 256;
    Choice.Stages = (Choice.Schedule == &pingpongSchedule()) ? 6 : 4;
    Cases.push_back({Choice, 'N', 'N', "bf16"});
  }
  PlanChoice Split = splitChoice();
  Cases.push_back({Split, 'N', 'N', "f32", {"f32", "f32"}});
  Split.ClusterM = 1;
  Split.Stages = 6;
  Cases.push_back({Split, 'T', 'N', "bf16", {"f16", "f32"}});
  Split.Precision = FactorPrecision::TF32;
  Split.TileN = 32;
  Cases.push_back({Split, 'N', 'T', "direct", {"f32", "f32"}});
  PlanChoice Rows = registersChoice();
  Cases.push_back({Rows, 'N', 'T', "f32", {"f32", "f32"}});
  Rows.TileM = 256;
  Rows.ClusterM = 1;
  Cases.push_back({Rows, 'T', 'N', "direct", {"f32", "f32"}});
  int Tried = 0, Refused = 0;
  for (const Case &Of : Cases) {
    KernelPlan P = planOf(Of.Choice, Of.A, Of.B, Of.Out, Of.Types);
    P.Name = formatv("{0}{1}_{2}_{3}x{4}{5}", Of.A, Of.B, Of.Out, P.TileM,
                     P.TileN, P.Split.Warpgroups > 0 ? "_split" : "");
    const Contraction C = contractionOf(Of.A, Of.B, Of.Out, Of.Types);
    Mutator M(P, C);
    M.run();
    Tried += M.Tried;
    Refused += M.Refused;
  }
  RecordProperty("mutants", Tried);
  RecordProperty("refused", Refused);
  if (getenv("WARPWRIGHT_TIMES"))
    printf("%d mutants, %d refused\n", Tried, Refused);
  EXPECT_GT(Tried, 1000);
}

TEST(ValidatorJSON, NoNumberIsTooWild) {
  PlanChoice Turns = smallChoice();
  Turns.Schedule = &pingpongSchedule();
  for (const PlanChoice &Choice : {smallChoice(), Turns}) {
    const KernelPlan P = planOf(Choice, 'N', 'T', "f32");
    const Contraction C = contractionOf('N', 'T', "f32");
    Mutator M(P, C);
    M.runWild();
    EXPECT_GT(M.Tried, 500);
  }
  const KernelPlan P = splitPlanOf();
  const Contraction C = contractionOf('N', 'N', "f32", {"f32", "f32"});
  Mutator M(P, C);
  M.runWild();
  EXPECT_GT(M.Tried, 500);
}

} // namespace
