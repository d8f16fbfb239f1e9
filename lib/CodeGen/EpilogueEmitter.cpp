//===-- EpilogueEmitter.cpp - The user's epilogue, again ------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The epilogue becomes a struct whose members are the kernel's parameters
/// under the user's names, so that its member functions read as the user's own
/// expressions, and nothing else of the kernel can be hidden by such a name.
///
//===----------------------------------------------------------------------===//

#include "Emitters.h"
#include "Format.h"
#include "warpwright/Plan/GroupedFactor.h"
#include "warpwright/Plan/Groups.h"
#include "warpwright/Plan/Plan.h"
#include "warpwright/Plan/Roles.h"
#include "warpwright/Plan/Scales.h"
#include "warpwright/Plan/Shifts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

namespace warpwright {

namespace {
/// What the outputs of a contraction mention.
struct Mentions {
  llvm::StringSet<> Parameters; ///< `p` for `p.alpha`
  llvm::StringSet<> Indices;    ///< `%m`
  bool LaunchDims = false;
  llvm::SmallSet<unsigned, 4> Sums;
  bool Bits = false;                ///< of a sum, as a number of another type
  const Operand *Element = nullptr; ///< whose prologue is looked at

  void addPrologue(const Operand &O, const Quotients &Computed) {
    Element = &O;
    if (O.Prologue)
      add(Computed.named(O.Prologue));
    Element = nullptr;
  }
  void addName(llvm::StringRef Name) {
    Parameters.insert(Name.take_front(Name.find_first_of(".-[")));
  }
  void add(const IntExpr &E) {
    E.walk([&](const IntAtom &A) {
      if (A.getKind() == AtomKind::Param)
        addName(A.getKey());
      else if (A.getKind() == AtomKind::Index)
        Indices.insert(A.getKey());
      else if (A.getKind() == AtomKind::GridDim ||
               A.getKind() == AtomKind::BlockDim)
        LaunchDims = true;
      if (A.getKind() == AtomKind::Select)
        add(A.getCondition());
    });
  }
  void add(const BoolExpr &E) {
    switch (E.getKind()) {
    case BoolExpr::Kind::Constant:
      break;
    case BoolExpr::Kind::Compare:
      add(E.getLHS());
      add(E.getRHS());
      break;
    case BoolExpr::Kind::NonNull:
      addName(E.getName());
      break;
    case BoolExpr::Kind::FloatCmp:
      add(E.getValueLHS());
      add(E.getValueRHS());
      break;
    case BoolExpr::Kind::And:
    case BoolExpr::Kind::Or:
    case BoolExpr::Kind::Not:
      for (const BoolExpr &Operand : E.operands())
        add(Operand);
    }
  }
  void add(const ValueRef &V) {
    if (Element && Element->isElement(*V))
      return; // it is handed over
    if (V->K == Value::Kind::Load || V->K == Value::Kind::Param)
      addName(V->Name);
    if (V->K == Value::Kind::Acc)
      Sums.insert(V->Counter);
    if (V->K == Value::Kind::Call && V->containsKind(Value::Kind::Acc))
      Bits |= llvm::is_contained({"__float_as_int", "__float_as_uint",
                                  "__int_as_float", "__uint_as_float"},
                                 V->Name) ||
              llvm::StringRef(V->Name).ends_with("signbit");
    if (V->K == Value::Kind::Load || V->K == Value::Kind::Int)
      add(V->Index);
    if (V->K == Value::Kind::Select)
      add(V->Condition);
    for (const ValueRef &Op : V->Ops)
      add(Op);
  }
};
} // namespace

/// Some plan stores its elements one by one instead of by tiles.
static bool storesDirectly(const PlanSet &Plans) {
  return llvm::any_of(Plans.Plans,
                      [](const KernelPlan &P) { return !P.Output->stages(); });
}

bool countsInInt(const PlanSet &Plans) {
  return llvm::any_of(Plans.Plans, [](const KernelPlan &P) {
    return P.Epilogue.OffsetBits == 32;
  });
}

Quotients quotientsOf(const InstanceContext &Context) {
  return Quotients(Context.computation(), Context.Reserved);
}

/// How many of k have the same factors of the elements of \p O, where that is
/// an argument.
static std::optional<IntExpr> groupSize(const Contraction &C, const Operand &O,
                                        const Quotients &Computed) {
  const auto Factor = groupedFactor(O);
  const auto Size = Factor ? argumentGroup(C, O, Factor->GroupK) : std::nullopt;
  return Size ? std::optional(Computed.named(*Size)) : std::nullopt;
}

static Mentions allMentions(const InstanceContext &Context) {
  Mentions M;
  const Contraction &C = Context.computation();
  for (const auto &[I, O] : llvm::enumerate(C.Outputs)) {
    M.add(O.Value);
    if (O.When)
      M.add(O.When->condition());
    if (I == 0 && !storesDirectly(Context.Instance.Plans))
      continue; // the tile store knows the place
    M.addName(O.Pointer);
    M.add(O.Index);
  }
  const Quotients Computed = quotientsOf(Context);
  for (const Operand *O : {&C.A, &C.B}) {
    M.addPrologue(*O, Computed);
    if (const auto Size = groupSize(C, *O, Computed))
      M.add(*Size);
  }
  if (C.Scale)
    M.add(C.Scale);
  return M;
}

std::vector<unsigned> epilogueParameters(const InstanceContext &Context) {
  const Mentions M = allMentions(Context);
  std::vector<unsigned> Result;
  for (const auto &[I, P] : llvm::enumerate(Context.Source.Params))
    if (M.Parameters.contains(P.Name))
      Result.push_back(I);
  return Result;
}

bool epilogueNeedsLaunch(const InstanceContext &Context) {
  return allMentions(Context).LaunchDims;
}

bool epilogueNeedsFirstBatch(const InstanceContext &Context) {
  return !Context.computation().BatchDigits.empty() &&
         allMentions(Context).Indices.contains("%b");
}

namespace {
/// Writes the member functions of one epilogue struct.
class EpilogueWriter {
public:
  explicit EpilogueWriter(const InstanceContext &Context)
      : Context(Context), Computed(quotientsOf(Context)) {
    NameTable Names = Context.Reserved;
    Scope.Acc = Names.take({"acc", "sum"});
    for (unsigned I = 1; I < Context.computation().sumCount(); ++I)
      Scope.MoreSums.push_back(
          Names.take({"acc" + std::to_string(I), "sum" + std::to_string(I)}));
    Scope.M = Names.take({"m", "row"});
    Scope.N = Names.take({"n", "column"});
    Scope.B = Names.take({"b", "batch"});
    InLaunch = Names.take("batch_of_launch");
    Scope.K = Names.take({"k", "depth"});
    Group = Names.take({"group", "group_of_k"});
    Element = Names.take({"element", "loaded"});
    Grid = Names.take("launch_grid");
    Block = Names.take("launch_block");
    // The launcher sees to it that they do (Problem::int_epilogue).
    Scope.OffsetsFitInt = countsInInt(Context.Instance.Plans);
    Scope.Grid = Grid + ".";
    Scope.Block = Block + ".";
    for (const auto &[P, Type] :
         llvm::zip(Context.Source.Params, Context.Types)) {
      Scope.ParamTypes[P.Name] = Type;
      // The members that the kernel calls have fixed names.
      for (llvm::StringRef Member :
           {"value", "store_others", "store_all", "factor_of_a", "factor_of_b",
            "scale_of_a", "scale_of_b", "shift_of_a", "shift_of_b",
            "zero_of_row", "scale_of_row", "group_size", "scale_of_products",
            "first_batch"})
        if (P.Name == Member)
          Scope.Renamed[P.Name] = Names.take("user_" + P.Name);
    }
    Scope.addMembers(Context.Instance.UnnamedMembers);
    for (const std::string &Pointer : Context.computation().VectorPointers)
      Scope.VectorPointers.insert(Pointer);
    Part = Names.take({"part", "partial"});
    for (const auto &[Name, Value] : Computed.all())
      Scope.ParamTypes[Name] = "int64_t";
  }

  llvm::Expected<std::string> write();

private:
  const InstanceContext &Context;
  const Quotients Computed;
  NameScope Scope;
  std::string Grid, Block, Part, Element;
  std::string Group;    ///< the number of a group along k
  std::string InLaunch; ///< the batch index, counted from a launch's first

  std::string parameters(const Mentions &M) const;
  std::string head(const Mentions &M) const;
  /// The statements of a value, and the statement that ends in it: `return`,
  /// or a declaration.
  llvm::Error writeValue(const ValueRef &V, const std::string &Prefix,
                         const std::string &Last, std::string &Out) const;
  void addStatement(unsigned Line, const std::string &Statement,
                    std::string &Out) const;
  llvm::Error writeOutputs(llvm::ArrayRef<unsigned> Outputs,
                           std::string &Out) const;
  llvm::Error writeStores(llvm::StringRef Name, unsigned First,
                          std::string &Out) const;
  llvm::Error writeOfIndices(const llvm::Twine &Name, const ValueRef &V,
                             bool IsA, std::string &Out) const;
  llvm::Error writeScale(const Operand &O, bool IsA, const ValueRef &Factor,
                         std::string &Out) const;
  llvm::Error writeShift(const Operand &O, bool IsA, const ValueRef &Shift,
                         std::string &Out) const;
  llvm::Error writeFactor(const Operand &O, bool IsA, std::string &Out) const;
  llvm::Error writeGroups(const GroupedFactor &Factor, const IntExpr &Size,
                          bool IsA, std::string &Out) const;
  llvm::Error writeOfRow(llvm::StringRef Name, const ValueRef &V, bool IsA,
                         std::string &Out) const;
};
} // namespace

/// Parameters of a member function; those that it does not use have no name.
std::string EpilogueWriter::parameters(const Mentions &M) const {
  auto Index = [&](llvm::StringRef Key, const std::string &Name) {
    return M.Indices.contains(Key) ? "int " + Name : std::string("int");
  };
  const Contraction &C = Context.computation();
  std::string Sums;
  for (unsigned I = 0; I <= Scope.MoreSums.size(); ++I)
    Sums += cppType(I ? C.MoreSums[I - 1].AccType : C.AccType).str() +
            (M.Sums.contains(I) ? " " + (I ? Scope.MoreSums[I - 1] : Scope.Acc)
                                : std::string()) +
            ", ";
  const std::string UpToColumn =
      "(" + Sums + Index("%m", Scope.M) + ", " + Index("%n", Scope.N) + ", ";
  if (C.BatchDigits.empty() || !M.Indices.contains("%b"))
    return UpToColumn + Index("%b", Scope.B) + ") const {\n";
  return UpToColumn + "int " + InLaunch + ") const {\nconst int " + Scope.B +
         " = first_batch + " + InLaunch + ";\n";
}

/// The parameters of a member that computes outputs, and its first statements.
std::string EpilogueWriter::head(const Mentions &M) const {
  const Contraction &C = Context.computation();
  std::string Out = parameters(M);
  for (unsigned I = 0; M.Bits && I <= Scope.MoreSums.size(); ++I)
    if (M.Sums.contains(I) &&
        byteSize(I ? C.MoreSums[I - 1].AccType : C.AccType) == 4)
      Out += Scope.Runtime + "use_register(" +
             (I ? Scope.MoreSums[I - 1] : Scope.Acc) + ");\n";
  return Out;
}

/// Adds the statement under the line of the user's file that it comes from.
void EpilogueWriter::addStatement(unsigned Line, const std::string &Statement,
                                  std::string &Out) const {
  const std::string Back = lineDirective(0, Context.SectionFile) + "\n";
  if (!Line) {
    Out += Statement + "\n";
    return;
  }
  // Not back to the section from one of the user's lines to another.
  if (llvm::StringRef(Out).ends_with(Back))
    Out.resize(Out.size() - Back.size());
  Out +=
      lineDirective(Line, Context.Source.File) + "\n" + Statement + "\n" + Back;
}

llvm::Error EpilogueWriter::writeValue(const ValueRef &V,
                                       const std::string &Prefix,
                                       const std::string &Last,
                                       std::string &Out) const {
  auto Body = ExprPrinter(Scope).printBody(V, Prefix);
  if (!Body)
    return Body.takeError();
  for (const auto &Local : Body->Locals)
    addStatement(Local.Line,
                 "const " + Local.Type + " " + Local.Name + " = " + Local.Text +
                     ";",
                 Out);
  addStatement(Body->ResultLine, Last + Body->Result + ";", Out);
  return llvm::Error::success();
}

/// \p Second is stored right behind \p First.
static bool isNext(const Output &First, const Output &Second) {
  return First.Pointer == Second.Pointer && First.Type == Second.Type &&
         !First.Atomic && !Second.Atomic &&
         (Second.Index - First.Index).isOne();
}

/// The statements that compute \p Outputs, which have one range, and then store
/// them: in this order, because an output may also be read as an input.
llvm::Error EpilogueWriter::writeOutputs(llvm::ArrayRef<unsigned> Outputs,
                                         std::string &Out) const {
  const Contraction &C = Context.computation();
  const ExprPrinter Printer(Scope);
  std::string Stores;
  std::string
      Pair; ///< the address of two elements, the first of which is known
  auto ValueOf = [&](unsigned I) {
    return Part + "_of_output" + std::to_string(I);
  };
  for (const auto &[N, I] : llvm::enumerate(Outputs)) {
    const Output &O = C.Outputs[I];
    const std::string Element =
        Printer.element(O.Pointer, O.Type, O.Index, /*Const=*/false);
    std::string Value, Parts = Part + std::to_string(I) + "_";
    const auto Write = [&](const ValueRef &V) {
      return writeValue(V, Parts,
                        "const " + cppType(O.Type).str() + " " + Value + " = ",
                        Out);
    };
    if (O.Atomic) {
      for (const auto &[Number, Addend] : llvm::enumerate(O.addends())) {
        const std::string Behind =
            Number ? "_" + std::to_string(Number) : std::string();
        Value = ValueOf(I) + Behind;
        Parts = Part + std::to_string(I) + Behind + "_";
        if (auto E = Write(Addend))
          return E;
        Stores += "::atomicAdd(&" + Element + ", " + Value + ");\n";
      }
      continue;
    }
    Value = ValueOf(I);
    if (auto E = Write(O.Value))
      return E;
    // Both parts of a complex number by one store.
    if (N + 1 != Outputs.size() && isNext(O, C.Outputs[Outputs[N + 1]])) {
      Pair = "&" + Element;
      continue;
    }
    if (Pair.empty())
      Stores += Element + " = " + Value + ";\n";
    else
      Stores += Scope.Runtime + "store_pair(" + Pair + ", " +
                ValueOf(Outputs[N - 1]) + ", " + Value + ");\n";
    Pair.clear();
  }
  Out += Stores;
  return llvm::Error::success();
}

/// A member that computes and stores the outputs from \p First on.
llvm::Error EpilogueWriter::writeStores(llvm::StringRef Name, unsigned First,
                                        std::string &Out) const {
  const Contraction &C = Context.computation();
  Mentions M;
  // Outputs with one range follow one another, as they are read and written
  // under one condition.
  std::vector<std::vector<unsigned>> Groups;
  for (unsigned I = First; I < C.Outputs.size(); ++I) {
    const Output &O = C.Outputs[I];
    M.add(O.Value);
    M.add(O.Index);
    if (O.When)
      M.add(O.When->condition());
    auto Same = llvm::find_if(Groups, [&](const std::vector<unsigned> &Group) {
      return C.Outputs[Group.front()].When == O.When;
    });
    if (Same == Groups.end())
      Groups.push_back({I});
    else
      Same->push_back(I);
  }
  Out += "__device__ __forceinline__ void " + Name.str() + head(M);
  for (const std::vector<unsigned> &Group : Groups) {
    const Output &Any = C.Outputs[Group.front()];
    if (!Any.When) {
      if (auto E = writeOutputs(Group, Out))
        return E;
      continue;
    }
    auto Condition = ExprPrinter(Scope).print(Any.When->condition());
    if (!Condition)
      return Condition.takeError();
    Out += "if (" + *Condition + ") {\n";
    if (auto E = writeOutputs(Group, Out))
      return E;
    Out += "}\n";
  }
  Out += "}\n";
  return llvm::Error::success();
}

/// A member that computes the number \p V of an index of A or B, of k, and of
/// the batch; those that do not occur in V have no name.
llvm::Error EpilogueWriter::writeOfIndices(const llvm::Twine &Name,
                                           const ValueRef &OfIndices, bool IsA,
                                           std::string &Out) const {
  const ValueRef V = Computed.named(OfIndices);
  Mentions M;
  M.add(V);
  auto Index = [&](llvm::StringRef Key, const std::string &Name) {
    return M.Indices.contains(Key) ? "int " + Name : std::string("int");
  };
  Out += ("__device__ __forceinline__ " + cppType(V->Type) + " " + Name + "(" +
          (IsA ? Index("%m", Scope.M) : Index("%n", Scope.N)) + ", " +
          Index("%k", Scope.K) + ", " + Index("%b", Scope.B) + ") const {\n")
             .str();
  if (auto E = writeValue(V, Part, "return ", Out))
    return E;
  Out += "}\n";
  return llvm::Error::success();
}

/// A member that computes what the elements of a block are multiplied by.
llvm::Error EpilogueWriter::writeScale(const Operand &O, bool IsA,
                                       const ValueRef &Factor,
                                       std::string &Out) const {
  Out += "\n/// What the elements of " + O.Pointer + " at (" +
         (IsA ? "m" : "n") +
         ", k) of batch b are multiplied by: the\n/// same for each block " +
         "of k.\n";
  return writeOfIndices(IsA ? "scale_of_a" : "scale_of_b", Factor, IsA, Out);
}

/// A member that computes what is added to the elements of a row of A, or a
/// column of B, modulo 2^32.
llvm::Error EpilogueWriter::writeShift(const Operand &O, bool IsA,
                                       const ValueRef &Shift,
                                       std::string &Out) const {
  Out += "\n/// What is added to the elements of " + O.Pointer + " at (" +
         (IsA ? "m" : "n") + ", k) of batch b, for all k.\n";
  return writeOfIndices(IsA ? "shift_of_a" : "shift_of_b", Shift, IsA, Out);
}

/// A member that computes what is multiplied from the element of an operand.
llvm::Error EpilogueWriter::writeFactor(const Operand &O, bool IsA,
                                        std::string &Out) const {
  EpilogueWriter Inner = *this;
  Inner.Scope.Element = &O;
  Inner.Scope.ElementName = Element;
  Mentions M;
  M.addPrologue(O, Computed);
  bool ReadsElement = false;
  const ValueRef Factor =
      Value::cast(ScalarType::F32, Computed.named(O.Prologue));
  Factor->walk([&](const Value &V) { ReadsElement |= O.isElement(V); });
  auto Index = [&](llvm::StringRef Key, const std::string &Name) {
    return M.Indices.contains(Key) ? "int " + Name : std::string("int");
  };
  Out += ("\n/// What is multiplied for the element of " + O.Pointer + " at (" +
          (IsA ? "m" : "n") + ", k) of batch b.\n" +
          "__device__ __forceinline__ float factor_of_" + (IsA ? "a" : "b") +
          "(" + cppType(O.Type) + (ReadsElement ? " " + Element : "") + ", " +
          (IsA ? Index("%m", Scope.M) : Index("%n", Scope.N)) + ", " +
          Index("%k", Scope.K) + ", " + Index("%b", Scope.B) + ") const {\n")
             .str();
  if (auto E = Inner.writeValue(Factor, Part, "return ", Out))
    return E;
  Out += "}\n";
  return llvm::Error::success();
}

/// A member that computes what belongs to a row of the operand that consumers
/// convert, and to a group along k.
llvm::Error EpilogueWriter::writeOfRow(llvm::StringRef Name, const ValueRef &V,
                                       bool IsA, std::string &Out) const {
  Out += "\n";
  return writeOfIndices(Name, Value::cast(ScalarType::F32, V), IsA, Out);
}

/// The members for groups whose size is an argument: they get the number of a
/// group in place of k.
llvm::Error EpilogueWriter::writeGroups(const GroupedFactor &Factor,
                                        const IntExpr &Size, bool IsA,
                                        std::string &Out) const {
  // More than every k, and whole blocks.
  const IntExpr Least = IntExpr::min(Size, IntExpr(int64_t(1) << 30));
  Out += "\n/// So many of k have the same factors.\n"
         "__host__ __device__ __forceinline__ int group_size() const {\n"
         "return static_cast<int>(" +
         ExprPrinter(Scope).print(Least) + ");\n}\n";
  EpilogueWriter Inner = *this;
  Inner.Scope.K = Group;
  for (const auto &[Name, V] : {std::pair("zero_of_row", Factor.Zero),
                                std::pair("scale_of_row", Factor.Scale)})
    if (V)
      if (auto E = Inner.writeOfRow(Name, inGroups(V, Factor.GroupK), IsA, Out))
        return E;
  return llvm::Error::success();
}

llvm::Expected<std::string> EpilogueWriter::write() {
  const Contraction &C = Context.computation();
  const Output &First = C.Outputs.front();
  const ExprPrinter Printer(Scope);
  const Mentions All = allMentions(Context);
  const bool Direct = storesDirectly(Context.Instance.Plans);

  std::string Out = "struct " + Context.Epilogue + " {\n";
  for (unsigned I : epilogueParameters(Context)) {
    const std::string &Name = Context.Source.Params[I].Name;
    const std::string Member = Printer.parameter(Name);
    Out += (Member == Name ? Context.Declarations[I]
                           : declare(Context.Types[I], Member)) +
           ";\n";
  }
  for (const auto &[Name, Value] : Computed.all())
    Out += "int64_t " + Name + "; ///< " + Value.str() + "\n";
  if (All.LaunchDims)
    Out += "dim3 " + Grid + ", " + Block + "; ///< of the original's launch\n";
  if (epilogueNeedsFirstBatch(Context))
    Out += "int first_batch; ///< of a launch, of which there are several\n";

  if (const unsigned Scaled = scaledProducts(C)) {
    Out += "\n/// What the first " +
           (Scaled == 1 ? "product is"
                        : std::to_string(Scaled) + " products are") +
           " multiplied with.\n__device__ __forceinline__ " +
           cppType(C.AccType).str() + " scale_of_products() const {\n";
    if (auto E =
            writeValue(Value::cast(C.AccType, C.Scale), Part, "return ", Out))
      return E;
    Out += "}\n";
  }

  const int64_t Depth = depthOfScaledBlocks(C);
  const KernelPlan &Plan = Context.Instance.Plans.Plans.front();
  for (const Operand *O : {&C.A, &C.B}) {
    if (!O->Prologue)
      continue;
    const bool IsA = O == &C.A;
    const OperandPlan &Planned = Plan.Rows.IsA == IsA ? Plan.Rows : Plan.Cols;
    if (Depth || Planned.Computed) {
      if (auto E =
              Depth
                  ? writeScale(
                        *O, IsA,
                        atBlocks(blockScale(*O, IsA ? "m" : "n", Depth)->Factor,
                                 Depth),
                        Out)
                  : writeFactor(*O, IsA, Out))
        return E;
      continue;
    }
    if (Planned.Counted)
      continue; // what is counted follows from a number (rt/shifts.cuh)
    if (Planned.Shifted) {
      if (auto E = writeShift(*O, IsA, *elementShift(*O), Out))
        return E;
      continue;
    }
    const GroupedFactor Factor = *groupedFactor(*O);
    if (const auto Size = groupSize(C, *O, Computed)) {
      if (auto E = writeGroups(Factor, *Size, IsA, Out))
        return E;
      continue;
    }
    if (Factor.Zero)
      if (auto E = writeOfRow("zero_of_row",
                              atBlocks(Factor.Zero, Factor.GroupK), IsA, Out))
        return E;
    if (Factor.Scale)
      if (auto E = writeOfRow("scale_of_row",
                              atBlocks(Factor.Scale, Factor.GroupK), IsA, Out))
        return E;
  }

  if (Direct) {
    if (auto E = writeStores("store_all", 0, Out))
      return E;
    return Out + "};\n";
  }

  Mentions Value;
  Value.add(First.Value);
  Out += "__device__ __forceinline__ " + cppType(First.Type).str() + " value" +
         head(Value);
  if (auto E = writeValue(First.Value, Part, "return ", Out))
    return E;
  Out += "}\n";
  if (C.Outputs.size() > 1) {
    if (auto E = writeStores("store_others", 1, Out))
      return E;
  }
  return Out + "};\n";
}

llvm::Expected<std::string> emitEpilogue(const InstanceContext &Context) {
  return EpilogueWriter(Context).write();
}

} // namespace warpwright
