//===-- LauncherEmitter.cpp - The host side of a section ------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The launcher states what one launch computes (extents, arrays, what the
/// lift relied on) and leaves the judgement to the runtime's check(). It then
/// launches the plan that the selector takes, or the original.
///
//===----------------------------------------------------------------------===//

#include "Emitters.h"
#include "Format.h"
#include "warpwright/Plan/Roles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace warpwright {

std::string declare(llvm::StringRef Type, llvm::StringRef Name) {
  // In `float (*)[16]` and `int (*)(int)` the name stands inside.
  for (llvm::StringRef Opening : {"(*", "(&"}) {
    const size_t At = Type.find(Opening);
    if (At != llvm::StringRef::npos)
      return (Type.take_front(At + 2) + Name + Type.drop_front(At + 2)).str();
  }
  const bool Tight = Type.ends_with("*") || Type.ends_with("&");
  return (Type + (Tight ? "" : " ") + Name).str();
}

std::string argumentList(const KernelSource &Source) {
  return llvm::join(
      llvm::map_range(Source.Params,
                      [](const ParamSource &P) { return P.Name; }),
      ", ");
}

std::string launchOriginal(llvm::StringRef Original, const KernelSource &Source,
                           llvm::StringRef Launch) {
  const std::string L = Launch.str();
  return Original.str() + "<<<" + L + ".grid, " + L + ".block, " + L +
         ".smem, " + L + ".stream>>>(" + argumentList(Source) + ");\n";
}

/// `Type::bf16`, to stand after the runtime's name. Bool counts as the byte
/// that it is.
static std::string runtimeTypeName(ScalarType T) {
  return "Type::" + (T == ScalarType::Bool ? "u8" : name(T)).str();
}

namespace {
class LauncherWriter {
public:
  explicit LauncherWriter(const InstanceContext &Context);
  llvm::Expected<std::string> write();

private:
  const InstanceContext &Context;
  const Contraction &C;
  NameScope Scope, RangeScope;
  std::string Runtime, Launch, Extent, Arrays, Problem;

  std::string print(const IntExpr &E) const {
    return ExprPrinter(Scope).print(E);
  }
  std::string signature() const;
  /// \p OwnK is the extent of k of a product that has a range of its own,
  /// \p When the range of an index for which alone it is read or written.
  std::string
  arrayEntry(llvm::StringRef Pointer, ScalarType Type, llvm::StringRef Use,
             const IntExpr &Index,
             const std::optional<IntExpr> &OwnK = std::nullopt,
             const std::optional<IndexRange> &When = std::nullopt) const;
  std::string outerBatches(llvm::ArrayRef<IntExpr> Numbers,
                           const IntExpr &Otherwise) const;
  std::string arrayTable() const;
  bool epilogueHasOffsets() const;
  llvm::Expected<std::string> requirements() const;
  std::string epilogueArguments() const;
};
} // namespace

LauncherWriter::LauncherWriter(const InstanceContext &Context)
    : Context(Context), C(Context.computation()) {
  NameTable Names = Context.Reserved;
  Runtime = Names.take("rt");
  Launch = Names.take("launch");
  Extent = Names.take("extent");
  Arrays = Names.take("arrays");
  Problem = Names.take("problem");
  Scope.Grid = Launch + ".grid.";
  Scope.Block = Launch + ".block.";
  Scope.Runtime = Runtime + "::";
  Scope.Wide = Runtime + "::Integer";
  Scope.OnHost = true;
  for (const auto &[P, Type] : llvm::zip(Context.Source.Params, Context.Types))
    Scope.ParamTypes[P.Name] = Type;
  Scope.addMembers(Context.Instance.UnnamedMembers);
  RangeScope = Scope;
  RangeScope.IndicesAreRanges = true;
  RangeScope.Wide = Runtime + "::Range";
  for (auto [Name, Member] : {std::pair{&RangeScope.B, "b"},
                              {&RangeScope.M, "m"},
                              {&RangeScope.N, "n"},
                              {&RangeScope.K, "k"}})
    *Name = Runtime + "::Range::of_extent(" + Extent + "." + Member + ")";
  if (!C.BatchDigits.empty())
    RangeScope.B =
        Runtime + "::Range::of_extent((" + print(C.BatchExtent) + ").get())";
}

std::string LauncherWriter::signature() const {
  std::string S = Context.Storage + "void " + Context.Launcher +
                  "(::warpwright::rt::Launch " + Launch;
  for (const std::string &D : Context.Declarations)
    S += ", " + D;
  return S + ")";
}

/// Numbers for each of the batch indices beyond the innermost one; \p Otherwise
/// stands for those that there are not.
std::string LauncherWriter::outerBatches(llvm::ArrayRef<IntExpr> Numbers,
                                         const IntExpr &Otherwise) const {
  return "{" + print(Numbers[0]) + ", " +
         print(Numbers.size() > 1 ? Numbers[1] : Otherwise) + "}";
}

std::string
LauncherWriter::arrayEntry(llvm::StringRef Pointer, ScalarType Type,
                           llvm::StringRef Use, const IntExpr &Index,
                           const std::optional<IntExpr> &OwnK,
                           const std::optional<IndexRange> &When) const {
  std::string S = (OwnK || When ? Runtime + "::Array" : "") + "{" +
                  quoted(Pointer) + ", " +
                  ExprPrinter(Scope).parameter(Pointer) + ", " + Runtime +
                  "::" + runtimeTypeName(Type) + ", " + Runtime +
                  "::Use::" + Use.str() + ", ";
  std::string End = OwnK ? "}.over_k(" + print(*OwnK) + ")" : "}";
  if (When)
    End += ".when(" + Runtime + "::Axis::" + When->Index + ", " +
           print(When->Begin) + (When->End ? ", " + print(*When->End) : "") +
           ")";
  const auto Form = C.formOf(Index);
  if (!Form) {
    NameScope Ranges = RangeScope;
    if (OwnK)
      Ranges.K = Runtime + "::Range::of_extent((" + print(*OwnK) + ").get())";
    if (When) {
      std::string &Numbers = When->Index == "b"   ? Ranges.B
                             : When->Index == "m" ? Ranges.M
                                                  : Ranges.N;
      auto Number = [&](const IntExpr &E) {
        return "(" + ExprPrinter(Scope).print(E, /*Wide=*/true) + ").get()";
      };
      Numbers = Runtime + "::Range::of_part(" + Extent + "." + When->Index +
                ", " + Number(When->Begin) + ", " +
                (When->End ? Number(*When->End) : "INT64_MAX") + ")";
    }
    return S + Runtime + "::Range(" + ExprPrinter(Ranges).print(Index) + ")" +
           End;
  }
  S += print(Form->Base) + ", {" + print(Form->Batch[0]) + ", " +
       print(Form->M) + ", " + print(Form->N) + ", " + print(Form->K) + "}";
  if (!C.BatchDigits.empty())
    S += ", " + outerBatches(llvm::ArrayRef(Form->Batch).drop_front(), 0);
  return S + End;
}

static std::string listOf(llvm::ArrayRef<unsigned> Numbers) {
  std::string List;
  for (const unsigned N : Numbers)
    List += (List.empty() ? "" : ", ") + std::to_string(N);
  return List;
}

std::string LauncherWriter::arrayTable() const {
  std::vector<std::string> Entries;
  std::vector<std::pair<Operand, std::optional<IntExpr>>> Factors;
  C.forEachProduct([&](const Accumulation &, const Product &P) {
    for (const Operand *O : {&P.A, &P.B}) {
      Factors.emplace_back(*O, P.KExtent);
      std::string Entry = arrayEntry(O->Pointer, O->Type, "operand",
                                     O->indexOfElements(), P.KExtent);
      const int64_t Numbers = O->numbers();
      if ((Numbers > 1 || O->Gathered) && !P.KExtent)
        Entry = Runtime + "::Array" + Entry;
      if (Numbers > 1)
        Entry += ".packed(" + std::to_string(Numbers) + ")";
      if (O->Gathered)
        Entry += (O->Gathered->AlongK ? ".gathered_along_k({" : ".gathered({") +
                 listOf(O->Gathered->Places) + "})";
      Entries.push_back(std::move(Entry));
    }
  });
  llvm::StringSet<> Seen;
  auto Key = [](llvm::StringRef Pointer, ScalarType Type, const IntExpr &E,
                const std::optional<IndexRange> &When = std::nullopt) {
    std::string Text = (Pointer + "[" + E.str() + "]:" + name(Type)).str();
    return When
               ? Text + " when %" + When->Index + ": " + When->condition().str()
               : Text;
  };
  // What a prologue reads is read until the last product is computed: no output
  // may be the same array, not even element by element.
  for (const auto &Factor : Factors) {
    const Operand &O = Factor.first;
    const std::optional<IntExpr> &OwnK = Factor.second;
    if (O.Prologue)
      O.Prologue->walk([&](const Value &V) {
        if (V.K == Value::Kind::Load && !O.isElement(V) &&
            Seen.insert("factor " + Key(V.Name, V.Type, V.Index) +
                        (OwnK ? " over " + OwnK->str() : ""))
                .second)
          Entries.push_back(
              arrayEntry(V.Name, V.Type, "factor", V.Index, OwnK));
      });
  }
  for (const Output &O : C.Outputs) {
    Entries.push_back(arrayEntry(O.Pointer, O.Type, "output", O.Index,
                                 /*OwnK=*/std::nullopt, O.When));
    // What reads the very element that is written needs no further thought.
    Seen.insert(Key(O.Pointer, O.Type, O.Index, O.When));
  }
  for (const Output &O : C.Outputs)
    O.Value->walk([&](const Value &V) {
      if (V.K == Value::Kind::Load &&
          Seen.insert(Key(V.Name, V.Type, V.Index, O.When)).second)
        Entries.push_back(arrayEntry(V.Name, V.Type, "input", V.Index,
                                     /*OwnK=*/std::nullopt, O.When));
    });
  return llvm::join(Entries, ",\n");
}

/// Whether the epilogue, or a prologue, computes offsets of its own.
bool LauncherWriter::epilogueHasOffsets() const {
  return C.Outputs.size() > 1 || C.hasPrologue() ||
         llvm::any_of(
             Context.Instance.Plans.Plans,
             [](const KernelPlan &P) { return !P.Output->stages(); }) ||
         llvm::any_of(C.Outputs, [](const Output &O) {
           return O.Value->containsKind(Value::Kind::Load);
         });
}

llvm::Expected<std::string> LauncherWriter::requirements() const {
  std::vector<std::string> Entries;
  for (const Requirement &R : C.Requires) {
    if (R.Condition.isTrue())
      continue;
    auto Condition = ExprPrinter(Scope).print(R.Condition);
    if (!Condition)
      return Condition.takeError();
    Entries.push_back("{" + *Condition + ", " + quoted(R.Reason) + "}");
  }
  return llvm::join(Entries, ",\n");
}

std::string LauncherWriter::epilogueArguments() const {
  std::vector<std::string> Arguments;
  for (unsigned I : epilogueParameters(Context))
    Arguments.push_back(Context.Source.Params[I].Name);
  const Quotients Computed = quotientsOf(Context);
  for (const auto &[Name, Value] : Computed.all())
    Arguments.push_back(ExprPrinter(Scope).print(Value) + ".get()");
  if (epilogueNeedsLaunch(Context)) {
    Arguments.push_back(Launch + ".grid");
    Arguments.push_back(Launch + ".block");
  }
  if (epilogueNeedsFirstBatch(Context))
    Arguments.push_back("0");
  return "{" + llvm::join(Arguments, ", ") + "}";
}

llvm::Expected<std::string> LauncherWriter::write() {
  auto Required = requirements();
  if (!Required)
    return Required.takeError();
  const std::string RT = Runtime + "::";
  const std::string Index = C.IndexBits > 32 ? "i64"
                            : C.IndexSigned  ? "i32"
                                             : "u32";
  const bool IntEpilogue = Index != "i32" && epilogueHasOffsets() &&
                           countsInInt(Context.Instance.Plans);
  std::string S =
      signature() + " {\nnamespace " + Runtime + " = ::warpwright::rt;\n";
  const std::string Arguments = argumentList(Context.Source);
  if (!Context.NextCase.empty()) {
    auto When = ExprPrinter(Scope).print(Context.Instance.When);
    if (!When)
      return When.takeError();
    S += "if (!" + RT + "Truth(" + *When + ").is_true()) {\n" +
         Context.NextCase + "(" + Launch +
         (Arguments.empty() ? "" : ", " + Arguments) + ");\nreturn;\n}\n";
  }
  S += "const " + RT + "PerAxis " + Extent + " = {" +
       print(C.BatchDigits.empty() ? C.BatchExtent : C.BatchDigits[0]) + ", " +
       print(C.MExtent) + ", " + print(C.NExtent) + ", " + print(C.KExtent) +
       "};\n" + RT + "Array " + Arrays + "[] = {" + arrayTable() + "};\n" + RT +
       "Problem " + Problem + "(" + quoted(Context.Source.Name) + ", " +
       Launch + ", " + Extent + ", " + Arrays + ", " + RT +
       "IndexType::" + Index + (IntEpilogue ? ", /*int_epilogue=*/true" : "") +
       ");\n" +
       (C.LoadsAfterStores ? Problem + ".loads_after_stores = true;\n" : "") +
       (C.readsOutputs() ? Problem + ".reads_outputs = true;\n" : "");
  if (!C.BatchDigits.empty())
    S += Problem + ".outer = " +
         outerBatches(llvm::ArrayRef(C.BatchDigits).drop_front(), 1) + ";\n";
  S += RT + "run_or_original<" + RT + Context.Plans.SetName + "<" + RT +
       Context.Plans.TypesName + ">::all>(" + Problem + ", " +
       Context.Original + ", {" + *Required + "}, " + Context.Epilogue +
       epilogueArguments() + (Arguments.empty() ? "" : ", ") + Arguments +
       ");\n}\n";
  return S;
}

llvm::Expected<std::string> emitLauncher(const InstanceContext &Context) {
  return LauncherWriter(Context).write();
}

} // namespace warpwright
