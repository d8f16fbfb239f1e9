//===- PlanJSON.cpp - Plans as JSON
//----------------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// {"version": 2, "plans": [{"name": "large", "tile": [128, 256, 64],
//  "stages": 4, "consumers": 2, "schedule": "cooperative", "cluster": [2, 1],
//  "swap_ab": false, "raster_group": 16, ...}]}
//
// The members shown are the decisions, all but the tile optional; the others
// are written for the reader and checked, when present, on the way back.
//
//===----------------------------------------------------------------------===//

#include "Orders.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warpwright {

/// 2: what the generated kernels take from a plan is all in it (multicast
/// masks, named barriers, the fragment). The decisions are those of 1.
static constexpr int64_t CurrentVersion = 2;

static json::Array numbers(ArrayRef<int64_t> Values) {
  json::Array Result;
  for (int64_t V : Values)
    Result.push_back(V);
  return Result;
}

static json::Object toJSON(const OperandPlan &O) {
  return json::Object{
      {"operand", O.IsA ? "A" : "B"},
      {"type", name(O.Type)},
      {"major", name(O.Order)},
      {"swizzle", name(O.Swizzle)},
      {"layout", O.SmemLayout},
      {"extent", O.TileExtent},
      {"stored_extent", O.StoredExtent},
      {"shares", O.Shares},
      {"multicast", numbers({O.MulticastMask, O.MulticastStep})},
      {"box", numbers(O.Box)},
      {"boxes", O.BoxCount},
      {"box_bytes", O.BoxBytes},
      {"box_step", numbers({O.BoxStepRows, O.BoxStepK, O.BoxStepBytes})},
      {"share_step", numbers({O.ShareStepRows, O.ShareStepK})},
      {"bytes", O.StageBytes},
      {"offset", O.Offset},
      {"descriptor", json::Object{{"leading", O.LeadingBytes},
                                  {"stride", O.StrideBytes},
                                  {"k_step", O.KStepBytes},
                                  {"row_block", O.RowBlockBytes},
                                  {"group", O.GroupBytes}}},
      {"batched", O.Batched}};
}

static json::Object toJSON(const EpiloguePlan &E) {
  return json::Object{
      {"kind", E.Kind == EpilogueKind::TmaStore ? "tma" : "direct"},
      {"type", name(E.Type)},
      {"rows_contiguous", E.RowsContiguous},
      {"layout", E.SmemLayout},
      {"swizzle", name(E.Swizzle)},
      {"slab_columns", E.SlabColumns},
      {"box", numbers(E.Box)},
      {"boxes", E.BoxCount},
      {"box_bytes", E.BoxBytes},
      {"box_step", E.BoxStep},
      {"buffers", E.Buffers},
      {"buffer_bytes", E.BufferBytes},
      {"offset", E.StagingOffset},
      {"first_barrier", E.FirstBarrier},
      {"offset_bits", E.OffsetBits}};
}

static json::Object toJSON(const KernelPlan &P) {
  json::Array Requires, Certificate;
  for (const BoolExpr &R : P.Requires)
    Requires.push_back(R.str());
  for (const std::string &Line : P.Certificate)
    Certificate.push_back(Line);
  return json::Object{
      {"name", P.Name},
      {"family", P.Family},
      {"tile", numbers({P.TileM, P.TileN, P.TileK})},
      {"stages", P.Stages},
      {"consumers", P.ConsumerWarpgroups},
      {"schedule", P.Pingpong ? "pingpong" : "cooperative"},
      {"cluster", numbers({P.ClusterM, P.ClusterN})},
      {"swap_ab", P.SwapAB},
      {"raster_group", P.RasterGroup},
      {"instruction_n", P.InstructionN},
      {"instruction_k", P.InstructionK},
      {"accumulators", P.Accumulators},
      {"fragment", P.Fragment},
      {"threads", P.Threads},
      {"registers", numbers({P.ProducerRegisters, P.ConsumerRegisters})},
      {"rows", toJSON(P.Rows)},
      {"columns", toJSON(P.Cols)},
      {"stage_bytes", P.StageBytes},
      {"epilogue", toJSON(P.Epilogue)},
      {"barrier_offset", P.BarrierOffset},
      {"full_arrivals", P.FullArrivals},
      {"transaction_bytes", P.TransactionBytes},
      {"empty_arrivals", P.EmptyArrivals},
      {"turn_barrier", P.TurnBarrier},
      {"smem_bytes", P.SmemBytes},
      {"cost", json::Object{{"clocks_per_block", P.Cost.ClocksPerKBlock},
                            {"clocks_per_tile", P.Cost.ClocksPerTile},
                            {"clocks_once", P.Cost.ClocksOnce},
                            {"bytes_per_block", P.Cost.BytesPerKBlock}}},
      {"requires", std::move(Requires)},
      {"certificate", std::move(Certificate)}};
}

json::Value toJSON(const PlanSet &Plans) {
  json::Array List;
  for (const KernelPlan &P : Plans.Plans)
    List.push_back(toJSON(P));
  return json::Object{{"version", CurrentVersion}, {"plans", std::move(List)}};
}

namespace {

/// Reads the decisions of one plan, remembering the first complaint.
class Reader {
public:
  Reader(const json::Object &Object, StringRef Where)
      : Object(Object), Where(Where) {}

  void integer(StringRef Key, int64_t &Into) {
    if (const json::Value *V = Object.get(Key)) {
      if (std::optional<int64_t> N = V->getAsInteger())
        Into = *N;
      else
        complain("'" + Key + "' is not an integer");
    }
  }
  void boolean(StringRef Key, bool &Into) {
    if (const json::Value *V = Object.get(Key)) {
      if (std::optional<bool> B = V->getAsBoolean())
        Into = *B;
      else
        complain("'" + Key + "' is not true or false");
    }
  }
  void string(StringRef Key, std::string &Into) {
    if (const json::Value *V = Object.get(Key)) {
      if (std::optional<StringRef> S = V->getAsString())
        Into = S->str();
      else
        complain("'" + Key + "' is not a string");
    }
  }
  void integers(StringRef Key, ArrayRef<int64_t *> Into, bool Required) {
    const json::Value *V = Object.get(Key);
    if (!V && !Required)
      return;
    const json::Array *List = V ? V->getAsArray() : nullptr;
    if (!List || List->size() != Into.size())
      return complain("'" + Key + "' is not a list of " + Twine(Into.size()) +
                      " integers");
    for (size_t I = 0; I < Into.size(); ++I) {
      std::optional<int64_t> N = (*List)[I].getAsInteger();
      if (!N)
        return complain("'" + Key + "' is not a list of " + Twine(Into.size()) +
                        " integers");
      *Into[I] = *N;
    }
  }
  void complain(const Twine &Message) {
    if (Complaint.empty())
      Complaint = (Where + ": " + Message).str();
  }
  Error takeError() const {
    return Complaint.empty() ? Error::success() : createStringError(Complaint);
  }

private:
  const json::Object &Object;
  std::string Where;
  std::string Complaint;
};

} // namespace

static bool isIdentifier(StringRef Name) {
  return !Name.empty() && !isDigit(Name[0]) &&
         llvm::all_of(Name, [](char C) { return isAlnum(C) || C == '_'; });
}

static Expected<PlanChoice> readChoice(const json::Object &Object,
                                       StringRef Where) {
  // A tile beyond these cannot be a plan, and would overflow its arithmetic.
  static constexpr int64_t Most = 4096;
  PlanChoice P;
  std::string Schedule = "cooperative";
  Reader R(Object, Where);
  P.Name = "plan";
  P.Family = "medium";
  P.ConsumerWarpgroups = 0;
  R.string("name", P.Name);
  R.string("family", P.Family);
  R.integers("tile", {&P.TileM, &P.TileN, &P.TileK}, /*Required=*/true);
  R.integer("stages", P.Stages);
  R.integer("consumers", P.ConsumerWarpgroups);
  R.string("schedule", Schedule);
  R.integers("cluster", {&P.ClusterM, &P.ClusterN}, /*Required=*/false);
  R.boolean("swap_ab", P.SwapAB);
  R.integer("raster_group", P.RasterGroup);
  if (!isIdentifier(P.Name))
    R.complain("'name' is not an identifier");
  if (Schedule != "cooperative" && Schedule != "pingpong")
    R.complain("'schedule' is neither cooperative nor pingpong");
  P.Pingpong = Schedule == "pingpong";
  if (!P.ConsumerWarpgroups)
    P.ConsumerWarpgroups = P.Pingpong || P.tileRows() % 128 == 0 ? 2 : 1;
  for (int64_t N : {P.TileM, P.TileN, P.TileK, P.Stages, P.ClusterM, P.ClusterN,
                    P.ConsumerWarpgroups, P.RasterGroup})
    if (N < 1 || N > Most)
      R.complain("a number is out of range");
  if (Error E = R.takeError())
    return E;
  return P;
}

/// The first member of \p Given that is not the same in \p Derived.
static std::optional<std::string> difference(const json::Object &Given,
                                             const json::Object &Derived) {
  std::vector<StringRef> Keys;
  for (const auto &[Key, V] : Given)
    Keys.push_back(Key);
  llvm::sort(Keys);
  for (StringRef Key : Keys) {
    if (Key == "certificate" || Key == "cost")
      continue;
    const json::Value *Want = Derived.get(Key);
    if (!Want)
      return formatv("unknown member '{0}'", Key).str();
    if (*Given.get(Key) == *Want)
      continue;
    const json::Object *A = Given.get(Key)->getAsObject(),
                       *B = Want->getAsObject();
    if (A && B) {
      if (auto Inner = difference(*A, *B))
        return formatv("{0}: {1}", Key, *Inner).str();
      continue;
    }
    return formatv("'{0}' is {1}, but what follows from the other members is "
                   "{2}",
                   Key, *Given.get(Key), *Want)
        .str();
  }
  return std::nullopt;
}

Expected<PlanSet> planSetFromJSON(StringRef Text, const Contraction &C,
                                  const Machine &M) {
  Expected<json::Value> Parsed = json::parse(Text);
  if (!Parsed)
    return Parsed.takeError();
  const json::Object *Top = Parsed->getAsObject();
  const json::Array *List = Top ? Top->getArray("plans") : nullptr;
  if (!List || List->empty())
    return createStringError("a plan file is an object with a list 'plans'");
  if (std::optional<int64_t> Version = Top->getInteger("version"))
    if (*Version < 1 || *Version > CurrentVersion)
      return createStringError("plan files of version " + Twine(*Version) +
                               " are not supported");
  if (std::optional<Decline> No = checkTypes(C))
    return createStringError(No->Message);
  auto AllOrders = memoryOrders(C);
  if (auto *No = std::get_if<Decline>(&AllOrders))
    return createStringError(No->Message);

  PlanSet Result;
  for (const json::Value &Item : *List) {
    std::string Where = formatv("plan {0}", Result.Plans.size());
    const json::Object *Object = Item.getAsObject();
    if (!Object)
      return createStringError(Where + " is not an object");
    Expected<PlanChoice> Choice = readChoice(*Object, Where);
    if (!Choice)
      return Choice.takeError();
    for (const KernelPlan &Other : Result.Plans)
      if (Other.Name == Choice->Name)
        return createStringError(Where + ": there is another plan '" +
                                 Choice->Name + "'");
    // Of several memory orders, the one that the plan names.
    std::optional<KernelPlan> Plan;
    std::string Reason;
    for (const Orders &O : std::get<std::vector<Orders>>(AllOrders)) {
      Expected<KernelPlan> P = derivePlan(C, O, *Choice, M);
      if (!P) {
        Reason = toString(P.takeError());
        continue;
      }
      if (auto Different = difference(*Object, toJSON(*P))) {
        Reason = *Different;
        continue;
      }
      Plan = std::move(*P);
      break;
    }
    if (!Plan)
      return createStringError(Where + ": " + Reason);
    if (Error E = checkPlan(*Plan, M))
      return E;
    Result.Plans.push_back(std::move(*Plan));
  }
  return Result;
}

} // namespace warpwright
