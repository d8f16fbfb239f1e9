//===-- KernelEmitter.cpp - Plans as generated code -----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/CodeGen/KernelEmitter.h"
#include "Names.h"
#include "warpwright/CodeGen/ExprPrinter.h"
#include "warpwright/Plan/Bits.h"
#include "warpwright/Plan/Plan.h"
#include "warpwright/Plan/Roles.h"
#include "warpwright/Plan/RuntimePlan.h"
#include "warpwright/Source/Markers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace warpwright {

/// Checks what the runtime's kernel relies on. A plan that does not meet it
/// comes from a plan file (--plan), or the planner has a choice for which there
/// is no kernel.
static llvm::Error check(const Contraction &C,
                         llvm::ArrayRef<KernelPlan> Plans) {
  auto Fail = [](const llvm::Twine &Message) {
    return llvm::createStringError(Message);
  };
  if (Plans.empty())
    return Fail("no plan");
  if (C.Outputs.empty())
    return Fail("nothing is written");
  for (const Accumulation &Sum : C.MoreSums)
    if (Sum.Products.size() != C.MoreProducts.size() + 1)
      return Fail("no kernel computes sums of other numbers of products");
  const ScalarType Element = C.Outputs.front().Type;
  for (const KernelPlan &P : Plans) {
    const auto FailPlan = [&](const llvm::Twine &Message) {
      return Fail("plan " + P.Name + ": " + Message);
    };
    if (!P.Feed->hasKernel(C.A, C.B))
      return Fail("no kernel multiplies " + name(C.A.Type) + " by " +
                  name(C.B.Type));
    if (P.Rows.Type != (P.SwapAB ? C.B : C.A).Type ||
        P.Cols.Type != (P.SwapAB ? C.A : C.B).Type)
      return FailPlan("its operands are of other types");
    if (P.Rows.hasPrologue() != ((P.SwapAB ? C.B : C.A).Prologue != nullptr) ||
        P.Cols.hasPrologue() != ((P.SwapAB ? C.A : C.B).Prologue != nullptr))
      return FailPlan("its factors are computed from elements otherwise");
    if (llvm::Error E = P.Feed->checkKernel(P))
      return FailPlan(llvm::toString(std::move(E)));
    if (P.Sums != C.sumCount() || P.Cols.Sources != P.Sums ||
        P.Rows.Sources != 1 || P.Cols.BoxCount % P.Sums ||
        P.Products != int64_t(C.MoreProducts.size()) + 1 ||
        P.OwnRanges != C.hasOwnRanges() ||
        P.Subtracted != subtractedProducts(C) ||
        P.ScaledProducts != scaledProducts(C))
      return FailPlan("it is one for other sums and products");
    if (llvm::Error E = P.Multiply->checkKernel(P))
      return FailPlan(llvm::toString(std::move(E)));
    if (llvm::Error E = P.Schedule->checkKernel(P))
      return FailPlan(llvm::toString(std::move(E)));
    if (P.Output != Plans.front().Output)
      return FailPlan("it does not store as the first plan does");
    if (P.Epilogue.OffsetBits != Plans.front().Epilogue.OffsetBits)
      return FailPlan("it does not count elements as the first plan does");
    if (llvm::Error E = P.Store->checkKernel(P, Element))
      return FailPlan(llvm::toString(std::move(E)));
    if (llvm::Error E = checkAgainstRuntime(P))
      return FailPlan(llvm::toString(std::move(E)));
  }
  return llvm::Error::success();
}

namespace {
/// A member of a struct of decisions. Default is its value in rt::decisions,
/// which holds where a struct does not mention the member.
struct Decision {
  llvm::StringRef Kind; ///< "type", or what precedes the member's name
  llvm::StringRef Member;
  std::string Value, Default;
};
using Decisions = std::vector<Decision>;
} // namespace

static Decision number(llvm::StringRef Member, int64_t Value, int64_t Default) {
  return {"int", Member, std::to_string(Value), std::to_string(Default)};
}

static Decision flag(llvm::StringRef Member, bool Value, bool Default) {
  return {"bool", Member, Value ? "true" : "false", Default ? "true" : "false"};
}

static Decision type(llvm::StringRef Member, llvm::StringRef Value) {
  return {"type", Member, Value.str(), ""};
}

/// The decisions about what is multiplied and stored.
static Decisions typesOf(const Contraction &C, const KernelPlan &P) {
  const OperandPlan &A = P.Rows.IsA ? P.Rows : P.Cols;
  const OperandPlan &B = P.Rows.IsA ? P.Cols : P.Rows;
  auto Factor = [](const OperandPlan &O) {
    return O.Computed && O.FactorType != O.Type ? cppType(O.FactorType).str()
                                                : std::string();
  };
  return {
      type("a_element", cppType(A.Type)),
      type("b_element", cppType(B.Type)),
      type("c_element", cppType(C.Outputs.front().Type)),
      flag("a_k_major", A.Order == Major::K, rt::decisions::a_k_major),
      flag("b_k_major", B.Order == Major::K, rt::decisions::b_k_major),
      flag("a_batched", A.Batched, rt::decisions::a_batched),
      flag("b_batched", B.Batched, rt::decisions::b_batched),
      number("a_numbers", A.Numbers, rt::decisions::a_numbers),
      number("b_numbers", B.Numbers, rt::decisions::b_numbers),
      number("a_parts", A.Parts, rt::decisions::a_parts),
      number("b_parts", B.Parts, rt::decisions::b_parts),
      flag("a_scaled", A.Scaled, rt::decisions::a_scaled),
      flag("b_scaled", B.Scaled, rt::decisions::b_scaled),
      flag("a_scaled_alike", A.ScaledAlike, rt::decisions::a_scaled_alike),
      flag("b_scaled_alike", B.ScaledAlike, rt::decisions::b_scaled_alike),
      flag("a_shifted", A.Shifted, rt::decisions::a_shifted),
      flag("b_shifted", B.Shifted, rt::decisions::b_shifted),
      number("bit_table", tableOfBits(C).value_or(0), rt::decisions::bit_table),
      flag("a_computed", A.Computed, rt::decisions::a_computed),
      flag("b_computed", B.Computed, rt::decisions::b_computed),
      type("a_factor", Factor(A)),
      type("b_factor", Factor(B)),
      flag("zero_points", P.Rows.ZeroPoints, rt::decisions::zero_points),
      flag("scales", P.Rows.GroupScales, rt::decisions::scales),
      number("group_k", P.Rows.GroupK, rt::decisions::group_k),
      number("sums", P.Sums, rt::decisions::sums),
      number("products", P.Products, rt::decisions::products),
      flag("own_ranges", P.OwnRanges, rt::decisions::own_ranges),
      number("subtracted", P.Subtracted, rt::decisions::subtracted),
      number("scaled_products", P.ScaledProducts,
             rt::decisions::scaled_products),
      number("outputs", C.Outputs.size(), rt::decisions::outputs),
      flag("staged", runtimeChoice(P).staged, rt::decisions::staged)};
}

/// The decisions about how that is done, except the tile and the number of
/// stages, which every struct has.
static Decisions choicesOf(const KernelPlan &P) {
  const rt::choice Choice = runtimeChoice(P);
  return {flag("swap_ab", P.SwapAB, rt::decisions::swap_ab),
          number("consumer_groups", P.ConsumerWarpgroups,
                 rt::decisions::consumer_groups),
          number("transform_groups", Choice.transform_groups,
                 rt::decisions::transform_groups),
          flag("pingpong", Choice.pingpong, rt::decisions::pingpong),
          flag("interleaved", Choice.interleaved, rt::decisions::interleaved),
          flag("rows_in_registers", Choice.rows_in_registers,
               rt::decisions::rows_in_registers),
          flag("rounded_by_tma", Choice.rounded_by_tma,
               rt::decisions::rounded_by_tma),
          flag("widened", Choice.widened, rt::decisions::widened),
          number("promoted_k", Choice.promoted_k, rt::decisions::promoted_k),
          flag("half_sums", Choice.half_sums, rt::decisions::half_sums),
          number("cluster_m", P.ClusterM, rt::decisions::cluster_m),
          number("cluster_n", P.ClusterN, rt::decisions::cluster_n),
          number("raster_group", P.RasterGroup, rt::decisions::raster_group),
          flag("sliced", Choice.sliced, rt::decisions::sliced),
          number("slices", Choice.slices, rt::decisions::slices),
          flag("whole_tiles", Choice.whole_tiles, rt::decisions::whole_tiles)};
}

/// Declares the members of \p Of whose values differ from those in
/// \p Inherited, or from the defaults where \p Inherited is empty. Members of
/// one kind stand in one declaration.
static std::string declare(llvm::ArrayRef<Decision> Of,
                           llvm::ArrayRef<Decision> Inherited = {}) {
  std::string Types, Ints, Bools;
  for (const auto &[I, D] : llvm::enumerate(Of)) {
    if (D.Value == (Inherited.empty() ? D.Default : Inherited[I].Value))
      continue;
    if (D.Kind == "type") {
      Types += ("using " + D.Member + " = " +
                (D.Value.empty() ? llvm::StringRef("void") : D.Value) + ";\n")
                   .str();
      continue;
    }
    std::string &List = D.Kind == "int" ? Ints : Bools;
    List +=
        (List.empty() ? "static constexpr " + D.Kind + " " : llvm::Twine(", "))
            .str() +
        D.Member.str() + " = " + D.Value;
  }
  auto End = [](const std::string &List) {
    return List.empty() ? "" : List + ";\n";
  };
  return Types + End(Ints) + End(Bools);
}

/// A name that only this text has.
static std::string nameByText(const llvm::Twine &Prefix, llvm::StringRef Text) {
  return (Prefix + llvm::StringRef(digestOf(Text)).take_front(12)).str();
}

llvm::Expected<PlanText> emitPlans(const Contraction &C, const PlanSet &Plans) {
  if (llvm::Error E = check(C, Plans.Plans))
    return E;
  PlanText Text;
  const Decisions Types = typesOf(C, Plans.Plans.front());
  const std::string Common = "v" + std::to_string(WARPWRIGHT_RT_VERSION) +
                             "::decisions {\n" + declare(Types) + "};\n";
  Text.TypesName = nameByText(name(C.A.Type) + "_" + name(C.B.Type) + "_" +
                                  name(C.Outputs.front().Type) + "_",
                              Common);
  Text.Types = "struct " + Text.TypesName + " : " + Common;

  // Plans are called `plan_...`, since a name like `pingpong` is that of a
  // decision, too.
  NameTable Names;
  std::string Members, List;
  llvm::ListSeparator Separator;
  for (const KernelPlan &P : Plans.Plans) {
    const std::string Name = Names.take("plan_" + P.Name);
    Members += ("struct " + Name +
                " : Types {\nstatic constexpr const char *name = \"" + P.Name +
                "\";\nstatic constexpr int tile_m = " + llvm::Twine(P.TileM) +
                ", tile_n = " + llvm::Twine(P.TileN) +
                ", tile_k = " + llvm::Twine(P.TileK) +
                ", stages = " + llvm::Twine(P.Stages) + ";\n")
                   .str() +
               declare(choicesOf(P)) + declare(typesOf(C, P), Types) + "};\n";
    List += (llvm::StringRef(Separator) + Name).str();
  }
  Members += "using all = v" + std::to_string(WARPWRIGHT_RT_VERSION) +
             "::plans<" + List + ">;\n";
  Text.SetName = nameByText(PlanSetPrefix, Members);
  Text.Set = "template <class Types> struct " + Text.SetName + " {\n" +
             Members + "};\n";
  return Text;
}

} // namespace warpwright
