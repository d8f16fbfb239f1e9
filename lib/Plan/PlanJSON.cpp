//===- PlanJSON.cpp - Plans as JSON ---------------------------------------===//
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
// follow from them. A file that has them anyway gets the plan that it says, if
// the validator finds it right.
//
//===----------------------------------------------------------------------===//

#include "Derive.h"
#include "Members.h"
#include "Orders.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace warpwright {

/// 2: what the generated kernels take from a plan is all in it (multicast
/// masks, named barriers, the fragment). The decisions are those of 1.
static constexpr int64_t CurrentVersion = 2;

// The members of a plan, once for writing and reading.

static void visit(MemberVisitor &V, const KernelPlan &P, OperandPlan &O) {
  V.fact("operand", O.IsA ? "A" : "B");
  V.fact("type", name(O.Type));
  V.fact("major", name(O.Order));
  V.fact("batched", O.Batched);
  V.swizzle("swizzle", O.Swizzle);
  V.text("layout", O.SmemLayout);
  V.number("extent", O.TileExtent);
  V.number("stored_extent", O.StoredExtent);
  P.Load->members(V, O);
  V.number("bytes", O.StageBytes);
  V.number("offset", O.Offset);
  P.Feed->members(V, P, O);
}

static void visit(MemberVisitor &V, const StoreRole &Store, EpiloguePlan &E) {
  V.fact("kind", Store.Name);
  V.fact("type", name(E.Type));
  V.number("offset_bits", E.OffsetBits);
  V.number("offset", E.StagingOffset);
  V.number("buffers", E.Buffers);
  V.number("buffer_bytes", E.BufferBytes);
  V.number("bytes", E.StagingBytes);
  V.number("first_barrier", E.FirstBarrier);
  Store.members(V, E);
}

static void visit(MemberVisitor &V, KernelPlan &P) {
  V.text("name", P.Name);
  V.text("family", P.Family);
  V.numbers("tile", {&P.TileM, &P.TileN, &P.TileK});
  V.number("stages", P.Stages);
  V.number("consumers", P.ConsumerWarpgroups);
  V.fact("schedule", P.Schedule->Name);
  V.numbers("cluster", {&P.ClusterM, &P.ClusterN});
  V.flag("swap_ab", P.SwapAB);
  V.number("raster_group", P.RasterGroup);
  if (P.Slices != 1)
    V.fact("slices", P.Slices);
  if (P.WholeTiles)
    V.fact("whole_tiles", true);
  if (P.AskedGroup)
    V.fact("asked_group", P.AskedGroup);
  P.Feed->decisions(V, P);
  if (P.Sums > 1)
    V.fact("sums", P.Sums);
  if (P.Products > 1)
    V.fact("products", P.Products);
  if (P.OwnRanges)
    V.fact("own_ranges", true);
  if (P.Subtracted)
    V.fact("subtracted", int64_t(P.Subtracted));
  if (P.ScaledProducts)
    V.fact("scaled_products", P.ScaledProducts);
  P.Multiply->members(V, P);
  V.number("threads", P.Threads);
  V.numbers("registers", {&P.ProducerRegisters, &P.ConsumerRegisters});
  V.object("rows", [&](MemberVisitor &O) { visit(O, P, P.Rows); });
  V.object("columns", [&](MemberVisitor &O) { visit(O, P, P.Cols); });
  V.number("stage_bytes", P.StageBytes);
  V.object("epilogue",
           [&](MemberVisitor &E) { visit(E, *P.Store, P.Epilogue); });
  V.number("barrier_offset", P.BarrierOffset);
  V.number("full_arrivals", P.FullArrivals);
  V.number("transaction_bytes", P.TransactionBytes);
  V.number("empty_arrivals", P.EmptyArrivals);
  V.number("turn_barrier", P.TurnBarrier);
  V.number("turn_threads", P.TurnThreads);
  if (P.ExchangeBytes) {
    V.number("exchange_offset", P.ExchangeOffset);
    V.number("exchange_bytes", P.ExchangeBytes);
  }
  V.number("smem_bytes", P.SmemBytes);
  json::Array Requires, Certificate;
  for (const BoolExpr &R : P.Requires)
    Requires.push_back(R.str());
  for (const std::string &Line : P.Certificate)
    Certificate.push_back(Line);
  V.fact("requires", std::move(Requires));
  V.remark("cost", json::Object{{"clocks_per_block", P.Cost.ClocksPerKBlock},
                                {"clocks_per_tile", P.Cost.ClocksPerTile},
                                {"clocks_once", P.Cost.ClocksOnce},
                                {"bytes_per_block", P.Cost.BytesPerKBlock}});
  V.remark("certificate", std::move(Certificate));
}

namespace {

class Writer final : public MemberVisitor {
public:
  json::Object Object;

  void number(StringRef Key, int64_t &N) override { Object[Key] = N; }
  void numbers(StringRef Key, ArrayRef<int64_t *> List) override {
    json::Array Values;
    for (int64_t *N : List)
      Values.push_back(*N);
    Object[Key] = std::move(Values);
  }
  void flag(StringRef Key, bool &B) override { Object[Key] = B; }
  void text(StringRef Key, std::string &S) override { Object[Key] = S; }
  void swizzle(StringRef Key, SwizzleMode &Mode) override {
    Object[Key] = name(Mode);
  }
  void fact(StringRef Key, json::Value Value) override {
    Object[Key] = std::move(Value);
  }
  void remark(StringRef Key, json::Value Value) override {
    Object[Key] = std::move(Value);
  }
  void object(StringRef Key,
              function_ref<void(MemberVisitor &)> Members) override {
    Writer Inner;
    Members(Inner);
    Object[Key] = std::move(Inner.Object);
  }
};

} // namespace

void visitDescriptor(MemberVisitor &V, OperandPlan &O) {
  V.object("descriptor", [&](MemberVisitor &D) {
    D.number("leading", O.LeadingBytes);
    D.number("stride", O.StrideBytes);
    D.number("k_step", O.KStepBytes);
    D.number("row_block", O.RowBlockBytes);
    D.number("group", O.GroupBytes);
  });
}

static json::Object toJSON(KernelPlan P) {
  Writer W;
  visit(W, P);
  return std::move(W.Object);
}

json::Value toJSON(ArrayRef<std::pair<std::string, PlanSet>> Kernels) {
  json::Array List;
  for (const auto &[Kernel, Plans] : Kernels)
    for (const KernelPlan &P : Plans.Plans) {
      json::Object Members = toJSON(P);
      if (Kernels.size() > 1)
        Members["kernel"] = Kernel;
      List.push_back(std::move(Members));
    }
  return json::Object{{"version", CurrentVersion}, {"plans", std::move(List)}};
}

json::Value toJSON(const PlanSet &Plans) {
  return toJSON(ArrayRef({std::pair(std::string(), Plans)}));
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
  void complainAsIs(std::string Message) {
    if (Complaint.empty())
      Complaint = std::move(Message);
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

/// `cooperative nor pingpong`.
static std::string namesOf(ArrayRef<const ScheduleRole *> Schedules) {
  std::string Names;
  for (const ScheduleRole *S : Schedules)
    Names += (Names.empty() ? "" : " nor ") + std::string(S->Name);
  return Names;
}

static Expected<PlanChoice> readChoice(const json::Object &Object,
                                       StringRef Where) {
  // A tile beyond these cannot be a plan, and would overflow its arithmetic.
  static constexpr int64_t Most = 4096, MostSlices = 1024;
  PlanChoice P;
  std::string Multiply, Schedule = P.Schedule->Name, Precision = "float";
  Reader R(Object, Where);
  P.Name = "plan";
  P.Family = "medium";
  P.ConsumerWarpgroups = 0;
  R.string("name", P.Name);
  R.string("family", P.Family);
  R.integers("tile", {&P.TileM, &P.TileN, &P.TileK}, /*Required=*/true);
  R.integer("stages", P.Stages);
  R.integer("consumers", P.ConsumerWarpgroups);
  R.string("multiply", Multiply);
  R.string("schedule", Schedule);
  R.integers("cluster", {&P.ClusterM, &P.ClusterN}, /*Required=*/false);
  R.boolean("swap_ab", P.SwapAB);
  R.integer("raster_group", P.RasterGroup);
  R.integer("slices", P.Slices);
  R.boolean("whole_tiles", P.WholeTiles);
  R.integer("asked_group", P.AskedGroup);
  R.integer("transform_warpgroups", P.TransformWarpgroups);
  R.string("precision", Precision);
  for (const FeedRole *Feed : allFeeds())
    if (Feed->flag()) {
      bool Chosen = false;
      R.boolean(Feed->flag(), Chosen);
      if (Chosen && P.Feed)
        R.complain("'" + Twine(P.Feed->flag()) + "' and '" + Feed->flag() +
                   "' exclude each other");
      if (Chosen)
        P.Feed = Feed;
    }
  if (!isIdentifier(P.Name))
    R.complain("'name' is not an identifier");
  if (!isIdentifier(P.Family))
    R.complain("'family' is not an identifier");
  for (const MultiplyRole *Choice : allMultiplies())
    if (Multiply == Choice->Name)
      P.Multiply = Choice;
  if (!Multiply.empty() && !P.Multiply)
    R.complain("there is no '" + Multiply + "' to multiply by");
  const auto Named = llvm::find_if(allSchedules(), [&](const ScheduleRole *S) {
    return Schedule == S->Name;
  });
  if (Named == allSchedules().end())
    R.complain("'schedule' is neither " + namesOf(allSchedules()));
  else
    P.Schedule = *Named;
  if (Precision != "float" && Precision != "tf32")
    R.complain("'precision' is neither float nor tf32");
  P.Precision =
      Precision == "tf32" ? FactorPrecision::TF32 : FactorPrecision::Float;
  if (!Object.get("consumers"))
    P.ConsumerWarpgroups = P.Schedule->usualConsumers(P);
  const struct {
    StringLiteral Key;
    int64_t Value, Least, Most;
  } Ranges[] = {{"tile", P.TileM, 1, Most},
                {"tile", P.TileN, 1, Most},
                {"tile", P.TileK, 1, Most},
                {"stages", P.Stages, 1, Most},
                {"cluster", P.ClusterM, 1, Most},
                {"cluster", P.ClusterN, 1, Most},
                {"consumers", P.ConsumerWarpgroups, 1, Most},
                {"raster_group", P.RasterGroup, 1, Most},
                {"slices", P.Slices, 0, MostSlices},
                {"transform_warpgroups", P.TransformWarpgroups, 0, Most}};
  for (const auto &Range : Ranges)
    if (Range.Value < Range.Least || Range.Value > Range.Most)
      R.complain("'" + Range.Key + "' is out of range: " + Twine(Range.Value) +
                 " is not between " + Twine(Range.Least) + " and " +
                 Twine(Range.Most));
  if (Error E = R.takeError())
    return E;
  return P;
}

namespace {

/// Lays the members that a file has over a plan that follows from its
/// decisions.
class Overlay final : public MemberVisitor {
public:
  Overlay(const json::Object &Object, std::string Where)
      : R(Object, Where), Object(Object), Where(std::move(Where)) {}

  void number(StringRef Key, int64_t &N) override { numbers(Key, {&N}); }
  void numbers(StringRef Key, ArrayRef<int64_t *> List) override {
    Known.insert(Key);
    if (List.size() == 1)
      R.integer(Key, *List[0]);
    else
      R.integers(Key, List, /*Required=*/false);
    for (const int64_t *N : List) // arithmetic on them must not overflow
      if (!isInt<31>(*N))
        R.complain("'" + Key + "' is out of range");
  }
  void flag(StringRef Key, bool &B) override {
    Known.insert(Key);
    R.boolean(Key, B);
  }
  void text(StringRef Key, std::string &S) override {
    Known.insert(Key);
    R.string(Key, S);
  }
  void swizzle(StringRef Key, SwizzleMode &Mode) override {
    std::string Text = name(Mode).str();
    text(Key, Text);
    for (SwizzleMode M : {SwizzleMode::None, SwizzleMode::B32, SwizzleMode::B64,
                          SwizzleMode::B128})
      if (name(M) == Text) {
        Mode = M;
        return;
      }
    R.complain("'" + Key + "' is not none, 32b, 64b or 128b");
  }
  void fact(StringRef Key, json::Value Value) override {
    Known.insert(Key);
    if (const json::Value *Given = Object.get(Key))
      if (*Given != Value)
        R.complain(formatv("'{0}' is {1}, but what follows from the kernel and "
                           "the other members is {2}",
                           Key, *Given, Value)
                       .str());
  }
  void remark(StringRef Key, json::Value) override { Known.insert(Key); }
  void object(StringRef Key,
              function_ref<void(MemberVisitor &)> Members) override {
    Known.insert(Key);
    const json::Value *Given = Object.get(Key);
    if (!Given)
      return;
    if (!Given->getAsObject())
      return R.complain("'" + Key + "' is not an object");
    Overlay Inner(*Given->getAsObject(), (Where + ": " + Key).str());
    Members(Inner);
    if (Error E = Inner.takeError())
      R.complainAsIs(toString(std::move(E)));
  }

  Error takeError() {
    std::vector<StringRef> Unknown;
    for (const auto &[Key, V] : Object)
      if (!Known.contains(Key))
        Unknown.push_back(Key);
    if (!Unknown.empty())
      R.complain("unknown member '" + *llvm::min_element(Unknown) + "'");
    return R.takeError();
  }

private:
  Reader R;
  const json::Object &Object;
  std::string Where;
  StringSet<> Known;
};

} // namespace

/// Finds what LLVM's JSON parser does not report: nesting at which its
/// recursion runs out of stack, and a member that an object has twice, of which
/// the parser keeps one. \p Text need not be JSON.
static Error checkStructure(StringRef Text) {
  static constexpr size_t Deepest = 32; // a plan file needs 5
  std::vector<StringSet<>> Open;        // the members of each object or list
  for (size_t I = 0; I < Text.size(); ++I) {
    const char C = Text[I];
    if (C == '{' || C == '[') {
      if (Open.size() == Deepest)
        return createStringError("objects and lists are nested more than " +
                                 Twine(Deepest) + " deep");
      Open.emplace_back();
    } else if ((C == '}' || C == ']') && !Open.empty()) {
      Open.pop_back();
    } else if (C == '"') {
      const size_t Begin = I + 1;
      for (I = Begin; I < Text.size() && Text[I] != '"'; ++I)
        I += Text[I] == '\\';
      const StringRef Word = Text.slice(Begin, I);
      const size_t Next = Text.find_first_not_of(" \t\r\n", I + 1);
      if (!Open.empty() && Next != StringRef::npos && Text[Next] == ':' &&
          !Open.back().insert(Word).second)
        return createStringError("an object has two members '" + Word + "'");
    }
  }
  return Error::success();
}

/// The file as JSON, of which the outermost object has a list of plans.
static Expected<json::Value> parsePlanFile(StringRef Text) {
  if (Text.trim().empty())
    return createStringError("it is empty");
  if (Error E = checkStructure(Text))
    return E;
  Expected<json::Value> Parsed = json::parse(Text);
  if (!Parsed)
    return Parsed.takeError();
  const json::Object *Top = Parsed->getAsObject();
  const json::Array *List = Top ? Top->getArray("plans") : nullptr;
  if (!List || List->empty())
    return createStringError("a plan file is an object with a list 'plans'");
  if (const json::Value *Version = Top->get("version")) {
    std::optional<int64_t> Number = Version->getAsInteger();
    if (!Number || *Number < 1 || *Number > CurrentVersion)
      return createStringError(
          formatv("plan files of version {0} are not supported", *Version)
              .str());
  }
  std::vector<StringRef> Unknown;
  for (const auto &[Key, Value] : *Top)
    if (Key != "version" && Key != "plans")
      Unknown.push_back(Key);
  if (!Unknown.empty())
    return createStringError("unknown member '" + *llvm::min_element(Unknown) +
                             "'");
  return Parsed;
}

/// The kernel that the plan \p Item is for; nothing if it is for all.
static std::optional<StringRef> kernelOf(const json::Value &Item) {
  const json::Object *Object = Item.getAsObject();
  return Object ? Object->getString("kernel") : std::nullopt;
}

Expected<std::vector<std::string>> readPlanFileKernels(StringRef Text) {
  Expected<json::Value> Parsed = parsePlanFile(Text);
  if (!Parsed)
    return Parsed.takeError();
  std::vector<std::string> Kernels;
  for (const json::Value &Item : *Parsed->getAsObject()->getArray("plans"))
    if (std::optional<StringRef> Kernel = kernelOf(Item))
      Kernels.push_back(Kernel->str());
  return Kernels;
}

Error checkPlanFile(StringRef Text) { return parsePlanFile(Text).takeError(); }

Expected<PlanSet> planSetFromJSON(StringRef Text, const Contraction &C,
                                  const Machine &M, ArrayRef<StringRef> Names) {
  Expected<json::Value> Parsed = parsePlanFile(Text);
  if (!Parsed)
    return Parsed.takeError();
  const json::Array *List = Parsed->getAsObject()->getArray("plans");
  if (std::optional<Decline> No = checkComputation(C))
    return createStringError(No->Message);
  auto AllOrders = memoryOrders(C);
  if (auto *No = std::get_if<Decline>(&AllOrders))
    return createStringError(No->Message);

  PlanSet Result;
  for (const auto &[Index, Item] : llvm::enumerate(*List)) {
    std::string Where = formatv("plan {0}", Index);
    const json::Object *Object = Item.getAsObject();
    if (!Object)
      return createStringError(Where + " is not an object");
    const std::optional<StringRef> Kernel = kernelOf(Item);
    if (!Kernel && Object->get("kernel"))
      return createStringError(Where + ": 'kernel' is not a string");
    if (Kernel && !Names.empty() && !llvm::is_contained(Names, *Kernel))
      continue;
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
    auto Because = [&](Error E) {
      Reason = Where + ": " + toString(std::move(E));
    };
    for (const Orders &O : std::get<std::vector<Orders>>(AllOrders)) {
      Expected<KernelPlan> P = derivePlan(C, O, *Choice, M);
      if (!P) {
        Because(P.takeError());
        continue;
      }
      Overlay Members(*Object, Where);
      Members.remark("kernel", nullptr);
      visit(Members, *P);
      if (Error E = Members.takeError()) {
        Reason = toString(std::move(E));
        continue;
      }
      Plan = std::move(*P);
      break;
    }
    if (!Plan)
      return createStringError(Reason);
    if (Error E = checkPlan(*Plan, M))
      return E;
    Result.Plans.push_back(std::move(*Plan));
  }
  return Result;
}

} // namespace warpwright
