//===-- Harness.cpp - Programs that compare two kernels -------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reference.h"
#include "Support.h"
#include "warpwright/Verify/Verify.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace warpwright;

namespace {

/// Prints the part of the program for one kernel.
class KernelWriter {
public:
  KernelWriter(llvm::raw_ostream &OS, const HarnessInput::Kernel &Input,
               std::string Prefix)
      : OS(OS), Input(Input), S(Input.Source), C(S.Computation),
        Names(collectNames(C)), Prefix(std::move(Prefix)) {}

  /// False if there is no float64 result.
  llvm::Expected<bool> write();

private:
  void writeHeading();
  void writeCaseStruct();
  llvm::Expected<bool> writeProblem();
  llvm::Error writeConstructor(bool HasReference);
  std::vector<Product> products() const;
  IntExpr longestRange() const;
  llvm::Error writeOperands(bool Left);
  llvm::Expected<bool> writeResults(std::string &Text);
  void writeIndices();
  llvm::Error writeRanges();
  std::string constants() const;
  llvm::Error writeLaunch();
  llvm::Expected<std::string> argument(const Subject::Parameter &P,
                                       unsigned Number, std::string &Fields);
  void writeCases();
  struct Sums {
    int Size;
    const char *Agreement;
    std::array<int, 2> Digits = {}; ///< of A and of B; 0: no such data
  };
  Sums chooseData(const VerifyCase &Case) const;
  std::array<int, 2> chooseDigits(const VerifyCase &Case, double Limit,
                                  bool Exact) const;
  std::pair<double, double> accuracy(bool Rewritten) const;
  std::pair<double, double> accuracyOfSums(bool Rewritten) const;

  bool anySkipped(const std::string &Name) const {
    return llvm::any_of(Input.Cases, [&](const VerifyCase &Case) {
      return Case.Skip.count(Name);
    });
  }
  bool anyNull(const std::string &Name) const {
    return llvm::any_of(Input.Cases, [&](const VerifyCase &Case) {
      return Case.Arguments.Null.count(Name);
    });
  }
  /// The pointer that is the same as \p Name in some case, or empty.
  std::string aliasOf(const std::string &Name) const {
    for (const VerifyCase &Case : Input.Cases)
      if (auto Found = Case.Alias.find(Name); Found != Case.Alias.end())
        return Found->second;
    return "";
  }

  llvm::raw_ostream &OS;
  const HarnessInput::Kernel &Input;
  const Subject &S;
  const Contraction &C;
  const SubjectNames Names;
  const std::string Prefix;
};

} // namespace

static llvm::StringRef typeName(ScalarType T) {
  return T == ScalarType::Bool ? "boolean" : name(T);
}

void KernelWriter::writeHeading() {
  OS << "//===" << std::string(70, '-') << "===//\n// " << S.Kernel
     << "\n//===" << std::string(70, '-')
     << "===//\n//\n// What the original was found to compute:\n//\n";
  std::string Text;
  llvm::raw_string_ostream Contract(Text);
  C.print(Contract);
  for (llvm::StringRef Line : llvm::split(llvm::StringRef(Text).rtrim(), '\n'))
    OS << "//   " << Line << '\n';
  OS << "\nnamespace warpwright_verify {\n\n";
}

/// One row of the table of cases.
void KernelWriter::writeCaseStruct() {
  OS << "struct " << Prefix << "case {\n  Setup setup;\n";
  for (const std::string &Name : Names.Ints)
    OS << "  int64_t " << verifyName(Name) << ";\n";
  for (const SubjectNames::Scalar &X : Names.Scalars)
    OS << "  double " << verifyName(X.Name) << ";\n";
  for (const SubjectArray &A : Names.Arrays) {
    std::string Name = verifyName(A.Name);
    if (anySkipped(A.Name))
      OS << "  int skip_" << Name << ";\n";
    if (anyNull(A.Name))
      OS << "  bool null_" << Name << ";\n";
    if (std::string Same = aliasOf(A.Name); !Same.empty())
      OS << "  bool " << Name << "_is_" << verifyName(Same) << ";\n";
  }
  OS << "};\n\n";
}

/// The possible difference of factors that are rounded to 16 bits after they
/// were computed: float64 and float may round to different halves, if the
/// computed value lies close to the middle between them.
static double errorOfRoundedFactors(const Contraction &C) {
  double Error = 0;
  C.forEachOperand([&](const Operand &O) {
    if (O.Prologue)
      O.Prologue->walk([&](const Value &V) {
        if (V.K == Value::Kind::Load || V.K == Value::Kind::Constant ||
            !isFloating(V.Type) || significandBits(V.Type) > 11 ||
            (V.K == Value::Kind::Cast && V.Ops[0]->K == Value::Kind::Load))
          return;
        Error += std::ldexp(1.0, -static_cast<int>(significandBits(V.Type)));
      });
  });
  return Error;
}

/// Error of the sums, a fixed part and a part for each term, from what is known
/// of the arithmetic, with some room. Tensor cores truncate once for each
/// instruction, float rounds once for each term.
std::pair<double, double> KernelWriter::accuracy(bool Rewritten) const {
  std::pair<double, double> Error = accuracyOfSums(Rewritten);
  Error.first += errorOfRoundedFactors(C);
  return Error;
}

std::pair<double, double> KernelWriter::accuracyOfSums(bool Rewritten) const {
  bool Integers = true, Doubles = true;
  for (unsigned I = 0; I != C.sumCount(); ++I) {
    Integers &= !isFloating(C.sum(I).AccType);
    Doubles &= C.sum(I).AccType == ScalarType::F64;
  }
  if (Integers)
    return {0, 0};
  if (Doubles)
    return {0x1p-49, 0x1p-52};
  if (!Rewritten && C.OriginalAccType == ScalarType::F16)
    return {0x1p-9, 0x1p-11};
  if (!Rewritten && C.OriginalAccType == ScalarType::BF16)
    return {0x1p-6, 0x1p-8};
  // An instruction truncates each of its products of 8-bit floats, of which it
  // adds 32, and the sum before to 2^-13 of the largest, and the sum of all to
  // 14 bits. No term is larger than the sum of all magnitudes; 128 terms in
  // four instructions make up what is added in float, unless the user wants
  // all of them to be added by instructions.
  if (Rewritten && S.hasFloat8Products())
    return S.addsFloat8InTensorCores() ? std::pair(0x1p-7, 0x1.1p-13)
                                       : std::pair(0x1.1p-6, 0x1p-24);
  // A float that becomes one part has 11 bits, one that becomes two parts 22
  // (fewer for small elements next to large ones), and the product of the two
  // low parts is left out.
  if ((Rewritten && S.hasFloats()) || S.OriginalRounds)
    return S.Clauses.Precision == Directives::PrecisionKind::TF32
               ? std::pair(0x1.1p-10, 0x1p-23)
               : std::pair(0x1p-20, 0x1p-24);
  if (Rewritten && S.Clauses.Accumulate == Directives::AccumulateKind::F16)
    return {0x1p-9, 0x1p-11};
  return {0x1p-21, 0x1p-24};
}

llvm::Error KernelWriter::writeConstructor(bool HasReference) {
  auto Pair = [](std::pair<double, double> A) {
    return llvm::formatv("{{{0}, {1}}", llvm::format("%.3g", A.first),
                         llvm::format("%.3g", A.second))
        .str();
  };
  OS << "  explicit " << Prefix << "problem(const " << Prefix
     << "case &with)\n      : Problem(with.setup, " << Pair(accuracy(false))
     << ", " << Pair(accuracy(true)) << "), with(with) {\n";
  OS << "    arrays = {";
  for (size_t I = 0; I != Names.Arrays.size(); ++I)
    OS << (I ? ", " : "") << '&' << verifyName(Names.Arrays[I].Name) << '_';
  OS << "};\n    outputs = {";
  for (size_t I = 0; I != C.Outputs.size(); ++I)
    OS << (I ? ", " : "") << '&' << verifyName(C.Outputs[I].Pointer) << '_';
  OS << "};\n";
  if (!C.hasOneProduct()) {
    OS << "    sums = " << C.sumCount() << ";\n    sum_of = {";
    llvm::ListSeparator Comma;
    for (unsigned I = 0; I != C.sumCount(); ++I)
      for (size_t J = 0; J != C.sum(I).Products.size(); ++J)
        OS << Comma << I;
    OS << "};\n";
  }
  if (S.OriginalRounds)
    OS << "    rounds_factors = true;\n";
  if (C.RolesExchanged)
    OS << "    exchanged = true;\n";
  if (!HasReference)
    OS << "    has_reference = false;\n";
  for (const SubjectArray &A : Names.Arrays) {
    std::string Name = verifyName(A.Name);
    if (anySkipped(A.Name))
      OS << "    " << Name << "_.skip = with.skip_" << Name << ";\n";
    if (anyNull(A.Name))
      OS << "    " << Name << "_.null = with.null_" << Name << ";\n";
    if (std::string Same = aliasOf(A.Name); !Same.empty())
      OS << "    if (with." << Name << "_is_" << verifyName(Same) << ")\n      "
         << Name << "_.same = &" << verifyName(Same) << "_;\n";
  }
  OS << "  }\n\n";
  return llvm::Error::success();
}

/// The products of all sums, those of the first sum first, each with its range.
std::vector<Product> KernelWriter::products() const {
  std::vector<Product> All;
  C.forEachProduct([&](const Accumulation &Sum, const Product &P) {
    All.push_back(P);
    All.back().KExtent = Sum.extentOf(P);
  });
  return All;
}

/// The k of all products.
IntExpr KernelWriter::longestRange() const {
  IntExpr Longest = C.KExtent;
  for (const Product &P : products())
    if (*P.KExtent != Longest)
      Longest = IntExpr::max(Longest, *P.KExtent);
  return C.hasScales() ? IntExpr::max(Longest, 1) : Longest;
}

llvm::Error KernelWriter::writeOperands(bool Left) {
  const std::vector<Product> All = products();
  OS << "  double " << (Left ? "left" : "right") << "(int"
     << (All.size() > 1 ? " product" : "") << ", int64_t b, "
     << (Left ? "int64_t m, int64_t k" : "int64_t k, int64_t n")
     << ") override {\n";
  if (All.size() > 1)
    OS << "    switch (product) {\n";
  for (size_t I = 0; I != All.size(); ++I) {
    const Operand &Op = Left ? All[I].A : All[I].B;
    ValueRef V =
        Op.Prologue ? Op.Prologue : Value::load(Op.Type, Op.Pointer, Op.Index);
    llvm::Expected<std::optional<ReferenceText>> Text =
        printReference(V, false);
    if (!Text)
      return Text.takeError();
    if (!*Text)
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "an operand is computed by a function "
                                     "that cannot be evaluated on the host");
    if (I + 1 != All.size())
      OS << "    case " << I << ": {\n";
    else if (I)
      OS << "    default: {\n";
    if (Left && All[I].Scale) {
      llvm::Expected<std::optional<ReferenceText>> Scale =
          printReference(All[I].Scale, false);
      if (!Scale)
        return Scale.takeError();
      if (!*Scale)
        return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                       "a factor of a product cannot be "
                                       "evaluated on the host");
      OS << "    const double scale_of_product = [&]() -> double {\n";
      for (const std::string &Statement : (*Scale)->Statements)
        OS << "      " << Statement << '\n';
      OS << "      return " << (*Scale)->Result << ";\n    }();\n";
    }
    // Without terms a sum is 0, also one that is multiplied with no number.
    if (C.hasOwnRanges() || C.hasScales()) {
      const std::string Range = printReference(*All[I].KExtent);
      OS << "    if (k >= " << Range << ")\n      return ";
      if (Left && All[I].Scale)
        OS << Range << " <= 0 && k == 0 ? scale_of_product * 0 : ";
      OS << "0;\n";
    }
    for (const std::string &Statement : (*Text)->Statements)
      OS << "    " << Statement << '\n';
    std::string Sign = Left && All[I].Scale ? "scale_of_product * " : "";
    if (Left && All[I].Subtracted)
      Sign += "-";
    OS << "    return " << Sign << (Sign.empty() ? "" : "(") << (*Text)->Result
       << (Sign.empty() ? ";\n" : ");\n") << (All.size() > 1 ? "    }\n" : "");
  }
  OS << (All.size() > 1 ? "    }\n" : "") << "  }\n";
  return llvm::Error::success();
}

/// The outputs as functions of the sum; false if one of them cannot be printed.
llvm::Expected<bool> KernelWriter::writeResults(std::string &Text) {
  llvm::raw_string_ostream Out(Text);
  bool Complete = true;
  Out << "  double result(int o, const double *sums, int64_t b, int64_t m,\n"
         "                int64_t n) override {\n";
  for (unsigned I = 0; I != C.sumCount(); ++I) {
    const ScalarType T = C.sum(I).AccType;
    std::string Sum = "sums[" + std::to_string(I) + "]";
    if (!isFloating(T)) // it wraps around
      Sum = ("round_to(Type::" + name(T) + ", " + Sum + ")").str();
    Out << "    [[maybe_unused]] const double acc"
        << (I ? std::to_string(I) : "") << " = " << Sum << ";\n";
  }
  Out << "    switch (o) {\n";
  for (size_t I = 0; I != C.Outputs.size(); ++I) {
    llvm::Expected<std::optional<ReferenceText>> Result =
        printReference(C.Outputs[I].Value, true);
    if (!Result)
      return Result.takeError();
    Out << (I + 1 == C.Outputs.size() ? "    default" : "    case ");
    if (I + 1 != C.Outputs.size())
      Out << I;
    Out << ": { // " << C.Outputs[I].Pointer << '\n';
    if (*Result) {
      for (const std::string &Statement : (*Result)->Statements)
        Out << "      " << Statement << '\n';
      Out << "      return " << (*Result)->Result << ";\n    }\n";
      continue;
    }
    // Only arrays that are read matter in this case.
    Complete = false;
    std::vector<std::string> Loads;
    walkAll(
        C.Outputs[I].Value, [](const IntExpr &) {},
        [&](const Value &V) {
          if (V.K == Value::Kind::Load)
            Loads.push_back(verifyName(V.Name) + "_[" +
                            printReference(V.Index) + "]");
        },
        [](const BoolExpr &) {});
    Out << "      return acc";
    for (const std::string &Load : Loads)
      Out << " + " << Load;
    Out << "; // calls what only the device has\n    }\n";
  }
  Out << "    }\n  }\n";
  return Complete;
}

void KernelWriter::writeIndices() {
  OS << "  int64_t index(int o, int64_t b, int64_t m, int64_t n) override {\n"
     << "    switch (o) {\n";
  for (size_t I = 0; I != C.Outputs.size(); ++I) {
    if (I + 1 == C.Outputs.size())
      OS << "    default:\n";
    else
      OS << "    case " << I << ":\n";
    OS << "      return " << printReference(C.Outputs[I].Index) << ";\n";
  }
  OS << "    }\n  }\n\n";
}

/// Which elements each output has, where some do not have all.
llvm::Error KernelWriter::writeRanges() {
  if (llvm::none_of(C.Outputs,
                    [](const Output &O) { return O.When.has_value(); }))
    return llvm::Error::success();
  OS << "  bool has(int o, int64_t b, int64_t m, int64_t n) override {\n"
     << "    switch (o) {\n";
  for (size_t I = 0; I != C.Outputs.size(); ++I) {
    if (!C.Outputs[I].When)
      continue;
    auto Condition = printReference(C.Outputs[I].When->condition());
    if (!Condition)
      return Condition.takeError();
    OS << "    case " << I << ":\n      return " << *Condition << ";\n";
  }
  OS << "    default:\n      return true;\n    }\n  }\n\n";
  return llvm::Error::success();
}

/// The expression that is passed for a parameter; statements that have to come
/// before it, for a structure, go to \p Fields.
llvm::Expected<std::string> KernelWriter::argument(const Subject::Parameter &P,
                                                   unsigned Number,
                                                   std::string &Fields) {
  std::string Type = P.Type;
  if (llvm::StringRef(Type).contains("(anonymous") ||
      llvm::StringRef(Type).contains("(unnamed"))
    Type = llvm::formatv("typename parameter<{0}, decltype(&{1})>::type",
                         Number, S.Kernel);
  if (Names.find(P.Name))
    return llvm::formatv("static_cast<{0}>({1}_.pointer())", Type,
                         verifyName(P.Name))
        .str();
  if (llvm::is_contained(Names.Ints, P.Name))
    return llvm::formatv("static_cast<{0}>(with.{1})", Type, verifyName(P.Name))
        .str();
  for (const SubjectNames::Scalar &X : Names.Scalars)
    if (X.Name == P.Name && !X.InConstantMemory)
      return llvm::formatv(X.Type == ScalarType::F64
                               ? "static_cast<{0}>(with.{1})"
                               : "static_cast<{0}>(float(with.{1}))",
                           Type, verifyName(P.Name))
          .str();
  // Fields of a structure, or a parameter, that the contraction does not use.
  std::string Variable = verifyName(P.Name) + "_arg";
  std::string Text;
  auto Field = [&](llvm::StringRef Name, llvm::Twine Value) {
    if (!Name.starts_with(P.Name + "."))
      return;
    if (auto It = S.UnnamedMembers.find(Name.str());
        It != S.UnnamedMembers.end())
      Text += ("    assign_at<" + It->second + ">(" + Variable + ", " + Value +
               ");\n")
                  .str();
    else
      Text += ("    assign(" + Variable + Name.drop_front(P.Name.size()) +
               ", " + Value + ");\n")
                  .str();
  };
  for (const SubjectArray &A : Names.Arrays)
    Field(A.Name, verifyName(A.Name) + "_.pointer()");
  for (const std::string &Name : Names.Ints)
    Field(Name, "with." + verifyName(Name));
  for (const SubjectNames::Scalar &X : Names.Scalars)
    if (!X.InConstantMemory)
      Field(X.Name, "with." + verifyName(X.Name));
  if (llvm::StringRef(Type).ends_with("*") && Text.empty())
    return std::string("nullptr");
  if (Text.empty())
    return "blank<" + Type + ">()";
  Fields += "    auto " + Variable + " = blank<" + Type + ">();\n" + Text;
  return Variable;
}

/// Sets what the kernels read from constant memory: each variable is read, its
/// numbers are assigned, and it is written back.
std::string KernelWriter::constants() const {
  std::map<std::string, std::string> Assignments; // by variable
  for (const SubjectNames::Scalar &X : Names.Scalars) {
    if (!X.InConstantMemory)
      continue;
    // Members and elements come after the variable's name.
    llvm::StringRef Name = X.Name;
    Name.consume_front("::");
    const llvm::StringRef Variable =
        Name.take_until([](char C) { return C == '.' || C == '['; });
    Assignments["::" + Variable.str()] +=
        llvm::formatv("      assign(held.value{0}, with.{1});\n",
                      Name.drop_front(Variable.size()), verifyName(X.Name))
            .str();
  }
  std::string Text;
  for (const auto &[Variable, Lines] : Assignments)
    Text += "    {\n      Held<decltype(" + Variable + ")> held(" + Variable +
            ");\n" + Lines + "      held.write(" + Variable + ");\n    }\n";
  return Text;
}

llvm::Error KernelWriter::writeLaunch() {
  std::string Fields, Arguments;
  for (unsigned I = 0; I != S.Parameters.size(); ++I) {
    llvm::Expected<std::string> Text = argument(S.Parameters[I], I, Fields);
    if (!Text)
      return Text.takeError();
    Arguments += (I ? ",\n          " : "") + *Text;
  }
  OS << "  void launch(bool rewritten) override {\n"
     << "    const dim3 grid = with.setup.grid, block = with.setup.block;\n"
     << "    const size_t shared = with.setup.shared_bytes;\n"
     << Fields << constants() << "    if (rewritten)\n      " << S.Launcher
     << "(\n          ::warpwright::rt::Launch(grid, block, shared)"
     << (Arguments.empty() ? "" : ",\n          ") << Arguments
     << ");\n    else\n      " << S.Kernel << "<<<grid, block, shared>>>(\n"
     << "          " << Arguments << ");\n  }\n\n";
  return llvm::Error::success();
}

llvm::Expected<bool> KernelWriter::writeProblem() {
  OS << "class " << Prefix << "problem : public Problem {\npublic:\n";
  std::string Results;
  llvm::Expected<bool> HasReference = writeResults(Results);
  if (!HasReference)
    return HasReference.takeError();
  if (llvm::Error E = writeConstructor(*HasReference))
    return std::move(E);
  OS << "  Extents extents() const override {\n    return {"
     << printReference(C.BatchExtent) << ", " << printReference(C.MExtent)
     << ", " << printReference(C.NExtent) << ", "
     << printReference(longestRange()) << "};\n  }\n";
  for (bool Left : {true, false})
    if (llvm::Error E = writeOperands(Left))
      return std::move(E);
  OS << Results;
  writeIndices();
  if (llvm::Error E = writeRanges())
    return std::move(E);
  if (llvm::Error E = writeLaunch())
    return std::move(E);
  OS << "private:\n  const " << Prefix << "case &with;\n";
  for (const SubjectArray &A : Names.Arrays) {
    OS << "  Array " << verifyName(A.Name) << "_{\"" << A.Name
       << "\", Type::" << typeName(A.Type) << ", {"
       << (A.Operand ? "with.setup.size" : "3");
    if (A.Operand && S.hasParts())
      OS << (A.Divisor ? ", true" : ", false") << ", true, with.setup.digits["
         << (A.Name == C.A.Pointer ? 0 : 1) << ']'
         << (llvm::is_contained(S.Scales, A.Name) ? ", false, true" : "");
    else if (A.Count && !A.Operand)
      OS << ", false, false, 0, true";
    else if (A.Divisor)
      OS << ", true";
    OS << "}};\n";
  }
  OS << "};\n\n";
  return *HasReference;
}

/// The largest integers for which the sums are exact in both kernels, and what
/// can then be required of the results.
KernelWriter::Sums KernelWriter::chooseData(const VerifyCase &Case) const {
  // Half of the significand, which leaves room for an epilogue.
  double Limit = 0x1p22;
  for (ScalarType T : {C.OriginalAccType, C.AccType})
    if (isFloating(T) && significandBits(T) < 24)
      Limit = std::min(Limit, std::ldexp(1.0, significandBits(T)));
  if (S.Clauses.Accumulate == Directives::AccumulateKind::F16)
    Limit = std::min(Limit, 0x1p11);
  if (S.addsFloat8InTensorCores())
    Limit = std::min(Limit, 0x1p13);
  // What a product is multiplied with need not leave its sum exact.
  if (C.hasScales())
    return {1, "close"};
  for (int Size : {3, 2, 1}) {
    bool Integers = true;
    double Bound = 0; // of the largest sum
    for (unsigned I = 0; I != C.sumCount(); ++I) {
      const Accumulation Sum = C.sum(I);
      double OfSum = 0;
      for (const Product &P : Sum.Products) {
        double Each = static_cast<double>(std::max<int64_t>(
            evaluate(Sum.extentOf(P), Case.Arguments).value_or(1), 1));
        for (const Operand *Op : {&P.A, &P.B}) {
          if (!Op->Prologue) {
            Each *= Size;
            continue;
          }
          Exactness Factor =
              analyseExactness(Op->Prologue, 0, Size, Case.Arguments);
          Integers &= Factor.Exact && Factor.Quantum >= 1;
          Each *= Factor.Bound;
        }
        OfSum += Each;
      }
      Bound = std::max(Bound, OfSum);
    }
    if (!Integers)
      break;
    if (Bound > Limit)
      continue;
    Exactness All;
    for (const Output &Out : C.Outputs) {
      Exactness E = analyseExactness(Out.Value, Bound, 3, Case.Arguments);
      All.Same &= E.Same;
      All.Exact &= E.Exact;
    }
    Sums Data = {Size, !All.Same ? "close" : All.Exact ? "exact" : "same"};
    if (All.Same)
      Data.Digits = chooseDigits(Case, Limit, All.Exact);
    return Data;
  }
  return {1, "close"};
}

/// The largest integers for an operand of floats for which sums are still exact
/// if the other operand's elements are at most 1, provided that these integers
/// need two fp16 parts each. If both operands are floats, that operand is A in
/// every other case.
std::array<int, 2> KernelWriter::chooseDigits(const VerifyCase &Case,
                                              double Limit, bool Exact) const {
  const bool OneEach = S.Clauses.Precision == Directives::PrecisionKind::TF32 ||
                       C.A.Pointer == C.B.Pointer;
  if (!S.hasFloats() || OneEach || C.A.Prologue || C.B.Prologue ||
      !C.hasOneProduct())
    return {};
  const double Terms =
      static_cast<double>(std::max<int64_t>(Case.Extents[3], 1));
  const int Largest = static_cast<int>(std::min(32767.0, Limit / Terms));
  if (Largest <= 2048)
    return {};
  for (const Output &Out : C.Outputs) {
    Exactness E =
        analyseExactness(Out.Value, Largest * Terms, 3, Case.Arguments);
    if (!E.Same || (Exact && !E.Exact))
      return {};
  }
  const bool OfA = C.A.Type == ScalarType::F32 &&
                   (C.B.Type != ScalarType::F32 || Case.Seed % 2);
  return OfA ? std::array<int, 2>{Largest, 1} : std::array<int, 2>{1, Largest};
}

static void printDim(llvm::raw_ostream &OS, const Assignment &A,
                     const char *Name) {
  OS << '{';
  for (char D : {'x', 'y', 'z'}) {
    auto Found = A.Ints.find(std::string(Name) + "." + D);
    OS << (D == 'x' ? "" : ", ") << (Found == A.Ints.end() ? 1 : Found->second);
  }
  OS << '}';
}

void KernelWriter::writeCases() {
  OS << "static const " << Prefix << "case " << Prefix << "cases[] = {\n"
     << "    // {grid, block, shared memory, seed, integers, {digits of A, B}, "
        "agreement,\n    // plans, what}";
  for (const std::string &Name : Names.Ints)
    OS << ", " << Name;
  for (const SubjectNames::Scalar &X : Names.Scalars)
    OS << ", " << X.Name;
  OS << '\n';
  for (const VerifyCase &Case : Input.Cases) {
    Sums Data = chooseData(Case);
    OS << "    {{";
    printDim(OS, Case.Arguments, "gridDim");
    OS << ", ";
    printDim(OS, Case.Arguments, "blockDim");
    OS << ", " << Case.SharedBytes << ", " << Case.Seed << "u, " << Data.Size
       << ", {" << Data.Digits[0] << ", " << Data.Digits[1]
       << "}, Agreement::" << Data.Agreement << ",\n      \""
       << llvm::join(Case.Plans, " ") << "\", \"" << Case.What << "\"}";
    for (const std::string &Name : Names.Ints) {
      auto Found = Case.Arguments.Ints.find(Name);
      OS << ", " << (Found == Case.Arguments.Ints.end() ? 0 : Found->second);
    }
    for (const SubjectNames::Scalar &X : Names.Scalars) {
      auto Found = Case.Arguments.Floats.find(X.Name);
      OS << ", "
         << llvm::format("%.17g", Found == Case.Arguments.Floats.end()
                                      ? 1.0
                                      : Found->second);
    }
    for (const SubjectArray &A : Names.Arrays) {
      auto Skip = Case.Skip.find(A.Name);
      if (anySkipped(A.Name))
        OS << ", " << (Skip == Case.Skip.end() ? 0 : Skip->second);
      if (anyNull(A.Name))
        OS << (Case.Arguments.Null.count(A.Name) ? ", true" : ", false");
      if (!aliasOf(A.Name).empty())
        OS << (Case.Alias.count(A.Name) ? ", true" : ", false");
    }
    OS << "},\n";
  }
  OS << "};\n\n} // namespace warpwright_verify\n\n";
}

llvm::Expected<bool> KernelWriter::write() {
  writeHeading();
  writeCaseStruct();
  llvm::Expected<bool> HasReference = writeProblem();
  if (HasReference)
    writeCases();
  return HasReference;
}

/// A prefix that no other kernel in the program has: `ops_gemm_half_`.
static std::string makePrefix(const Subject &S, llvm::StringSet<> &Used) {
  std::string Base;
  for (char C : S.Kernel)
    if (llvm::isAlnum(C) || (!Base.empty() && Base.back() != '_'))
      Base += llvm::isAlnum(C) ? C : '_';
  if (!Base.empty() && Base.back() == '_')
    Base.pop_back();
  std::string Result = Base;
  for (unsigned I = 2; !Used.insert(Result).second; ++I)
    Result = Base + "_" + std::to_string(I);
  return Result + "_";
}

llvm::Expected<std::string> warpwright::emitHarness(const HarnessInput &Input) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  std::string Folder = "warpwright verify " + Input.FileName.str();
  OS << "// Written by `" << Folder << "`: runs the kernels of\n"
     << "// that file and what Warpwright made of them on the same data, and\n"
     << "// compares both with sums in double. The exit status is 0 if all "
        "agree.\n//\n"
     << "//   nvcc -std=c++17 -gencode arch=compute_90a,code=sm_90a \\\n"
     << "//       -I$(warpwright --include-dir) this.cu\n//\n"
     << "// Four parts: what all such programs share, the rewritten file, the\n"
     << "// contraction and the cases of each kernel, main(). Rows can be "
        "added "
        "to\n// the tables of cases.\n\n";
  for (llvm::StringRef Part : VerifySupport) {
    // Without the heading of the file.
    while (Part.starts_with("//"))
      Part = Part.split('\n').second;
    OS << Part.ltrim('\n') << '\n';
  }
  OS << "//===" << std::string(70, '-') << "===//\n// " << Input.FileName
     << ", rewritten; its main() is not run\n//===" << std::string(70, '-')
     << "===//\n\n#define main warpwright_verify_other_main\n";
  OS << Input.Rewritten;
  if (!Input.Rewritten.ends_with("\n"))
    OS << '\n';
  // Returns to lines of this file: the number in the directive is that of the
  // next line.
  OS << "#line " << llvm::StringRef(Text).count('\n') + 2 << " \"" << Input.Name
     << "\"\n#undef main\n\n";
  llvm::StringSet<> Used;
  std::string Runs;
  llvm::raw_string_ostream RunsOS(Runs);
  for (const HarnessInput::Kernel &Kernel : Input.Kernels) {
    std::string Prefix = makePrefix(Kernel.Source, Used);
    llvm::Expected<bool> Complete = KernelWriter(OS, Kernel, Prefix).write();
    if (!Complete)
      return Complete.takeError();
    RunsOS << "  print_heading(\"" << Kernel.Source.Computation.Kernel << "\", "
           << (*Complete ? "true" : "false") << ");\n  for (const " << Prefix
           << "case &with : " << Prefix
           << "cases)\n    for (Data data : data_for(with.setup, "
           << (Kernel.Source.hasParts() && *Complete ? "true" : "false")
           << ")) {\n"
           << "      " << Prefix << "problem problem(with);\n"
           << "      Comparison(problem, data).run();\n    }\n";
  }
  OS << "void warpwright_verify::Comparison::choose_plan(const char *plan) {\n"
     << "  ::warpwright::rt::only_plan() = plan;\n}\n\n"
     << "int main() {\n  using namespace warpwright_verify;\n"
     << "  if (!find_device())\n    return 1;\n"
     << "  ::warpwright::rt::launch_listener() = note_path;\n"
     << Runs << "  return finish();\n}\n";
  return Text;
}
