//===-- Check.cpp - A contraction against its kernel, executed ------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckMemory.h"
#include "Factors.h"
#include "warpwright/Execute/Execute.h"
#include "warpwright/Hopper/Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace warpwright {
namespace execute {
namespace {

/// What an element of an output must be.
struct Expected {
  const LaunchMemory::Placed *Array = nullptr;
  uint64_t Offset = 0; ///< in the object
  Num Value;
  double Lo = 0, Hi = 0; ///< where the rounding of the sum may lead
  double Tolerance = 0;
  bool Exact = true; ///< the sums are
  bool Valid = true; ///< the contraction has a defined value there
  bool Any = false;  ///< unknown, as it may overflow
  unsigned Output = 0;
  std::array<int64_t, 4> Index = {}; ///< b, m, n
  int64_t Element = 0;               ///< of the pointer
};

/// The relative error that is allowed for each operation of an epilogue.
static constexpr double OfMagnitude = 0x1p-21;

/// A sum of products.
struct Sum {
  Num Value;
  double Error = 0; ///< of another order, if not exact
  double Magnitude = 0;
  bool Exact = true, Valid = true, Overflows = false;
};

class Checker {
public:
  Checker(const KernelIR &Kernel, const HeaderFunctions &Headers,
          const Contraction &C, const CheckOptions &Options)
      : Kernel(Kernel), Headers(Headers), C(C), Options(Options), P(C),
        Engine(*Kernel.Function->getParent(), Headers) {}
  CheckReport run();

private:
  /// False once the report is final.
  bool launch(unsigned Number, PlannedLaunch &L);
  uint64_t stepsLeft() const {
    const uint64_t Budget = Large ? Options.MaxLargeSteps : Options.MaxSteps;
    return Budget > Report.Steps ? Budget - Report.Steps : 0;
  }
  uint64_t launchLimit() const {
    return Large ? Options.MaxLargeLaunchSteps : Options.MaxLaunchSteps;
  }
  bool launchWithin(unsigned Number, PlannedLaunch &L, uint64_t Margin,
                    bool &Outside);
  void expect(LaunchMemory &M, Environment &Env, const Extents &Extent,
              std::vector<Expected> &Out);
  /// What a product of a launch has, whatever the element.
  struct OfProduct {
    int64_t Terms;
    double Scale;
  };
  std::vector<OfProduct> ofProducts(const Environment &Env, unsigned Sum);
  Sum sum(Environment &Env, SumCode &Code, SumTables &Tables,
          llvm::ArrayRef<OfProduct> Products);
  std::optional<Num> factor(Environment &Env, ProductCode &Product,
                            unsigned Side);
  bool compare(LaunchMemory &M, const Environment &Env, unsigned Number,
               const PlannedLaunch &L, const std::vector<Expected> &All);
  void widen(
      Expected &E, llvm::ArrayRef<Sum> Sums,
      llvm::function_ref<Evaluated(llvm::ArrayRef<Evaluated>)> Evaluate) const;
  bool agrees(const Expected &E, const Num &Found);
  void differs(const LaunchMemory *M, const Environment &Env, unsigned Number,
               const PlannedLaunch &L, const std::string &What,
               const Expected *E = nullptr);
  void discard(const std::string &Why);
  Caller caller();
  const KeptFunction *callee(llvm::StringRef Name,
                             llvm::ArrayRef<Num> Arguments) const;

  const KernelIR &Kernel;
  const HeaderFunctions &Headers;
  const Contraction &C;
  const CheckOptions &Options;
  bool Large = false;    ///< no launch was small enough
  bool Reals = false;    ///< the data of this launch are no small integers
  bool Specials = false; ///< infinities and NaNs are among them
  /// Instructions of a thread, in the launch that had fewest. Launches that
  /// are longer than what is left even so are not begun.
  std::optional<uint64_t> ThreadSteps;
  unsigned Skipped = 0;
  uint64_t DynamicShared = Options.DynamicShared;
  Problem P;
  Interpreter Engine;
  CheckReport Report;
  std::string Unknown; ///< of the contraction, what cannot be evaluated
  std::string Discarded;
};

} // namespace

/// In a block; or blocks in a grid.
static uint64_t threadsOf(const std::array<uint32_t, 3> &Sizes) {
  return uint64_t(Sizes[0]) * Sizes[1] * Sizes[2];
}

static std::string text(const Num &X) {
  if (!X.isFloat())
    return X.Type == ScalarType::U64 ? std::to_string(X.Bits)
                                     : std::to_string(X.integer());
  char Buffer[40];
  std::snprintf(Buffer, sizeof(Buffer), "%.9g", X.real());
  return Buffer;
}

void Checker::discard(const std::string &Why) {
  ++Report.Discarded;
  if (Discarded.empty())
    Discarded = Why;
}

/// The function that a call means, or null if none is known: the overload
/// whose parameters have the types of the arguments.
const KeptFunction *Checker::callee(llvm::StringRef Name,
                                    llvm::ArrayRef<Num> Arguments) const {
  for (const KeptFunction &F : Options.Callees)
    if (F.Name == Name && F.Code &&
        llvm::equal(F.Params, Arguments,
                    [](ScalarType T, const Num &N) { return T == N.Type; }))
      return &F;
  return nullptr;
}

Caller Checker::caller() {
  return [this](llvm::StringRef Name, ScalarType Type,
                llvm::ArrayRef<Num> Arguments) -> std::optional<Evaluated> {
    const KeptFunction *Callee = callee(Name, Arguments);
    if (!Callee)
      return std::nullopt;
    if (!Unknown.empty())
      return Evaluated(); // the launch is left out in any case
    Evaluated E;
    E.Value.Type = Type;
    const RunResult R =
        Engine.call(*Callee->Code, Arguments, E.Value, /*MaxSteps=*/100000);
    Report.Steps += R.Steps;
    E.Valid = R.End == Outcome::Done;
    if (R.End == Outcome::NotExecutable || R.End == Outcome::StepLimit)
      Unknown = R.Reason;
    E.Magnitude = std::fabs(E.Value.real());
    return E;
  };
}

/// The element of an operand, as it is multiplied.
std::optional<Num> Checker::factor(Environment &Env, ProductCode &Product,
                                   unsigned Side) {
  const Operand &O = *Product.Factors[Side];
  CompiledValue &Prologue = Product.Prologues[Side];
  if (!Prologue.empty()) {
    const Evaluated E = Prologue.evaluate(Env, {}, caller(), Unknown);
    if (!E.Valid)
      return std::nullopt;
    return E.Value;
  }
  const auto Element =
      static_cast<int64_t>(Product.Indices[Side].evaluate(Env));
  const ArrayValue &A = Env.Arrays[O.Pointer];
  const Wide At = add(A.Start, multiply(Element, byteSize(O.Type)));
  if (!A.Bytes || At < 0 || At + byteSize(O.Type) > Wide(A.Bytes->size()))
    return std::nullopt;
  Num X = {O.Type, 0};
  std::memcpy(&X.Bits, A.Bytes->data() + static_cast<size_t>(At),
              byteSize(O.Type));
  return X;
}

std::vector<Checker::OfProduct> Checker::ofProducts(const Environment &Env,
                                                    unsigned Sum) {
  std::vector<OfProduct> Result;
  for (unsigned I = 0; I != P.Sums[Sum].Products.size(); ++I) {
    CompiledValue &Scale = P.Sums[Sum].Products[I].Scale;
    Result.push_back({P.terms(Sum, I, Env), 1});
    if (Scale.empty())
      continue;
    const Evaluated E = Scale.evaluate(Env, {}, caller(), Unknown);
    Result.back().Scale =
        E.Valid ? E.Value.real() : std::numeric_limits<double>::quiet_NaN();
  }
  return Result;
}

/// The value of a sum in \p Env.
Sum Checker::sum(Environment &Env, SumCode &Code, SumTables &Tables,
                 llvm::ArrayRef<OfProduct> Products) {
  Sum S;
  int64_t &K = Env.Ints[P.IndexIds[3]];
  const ScalarType AccType = Code.Source.AccType,
                   Original = Code.Source.OriginalAccType;
  const bool Integers = !isFloating(AccType);
  double Total = 0, Absolute = 0;
  int Lowest = std::numeric_limits<int>::max();
  uint64_t Whole = 0;
  int64_t Most = 0, Roundings = 2;
  for (const OfProduct &Of : Products) {
    Most = std::max(Most, Of.Terms);
    Roundings += Of.Terms + (Of.Scale != 1);
  }
  for (K = 0; K < Most; ++K)
    for (auto [Product, Known, Of] :
         llvm::zip_equal(Code.Products, Tables, Products)) {
      if (K >= Of.Terms)
        continue;
      const Factor *X[2];
      for (unsigned Side : {0, 1}) {
        Factor &F = Known[Side].at(Env, K);
        if (F.State == Factor::Unknown)
          F.set(factor(Env, Product, Side), Integers);
        if (F.State == Factor::Invalid) {
          S.Valid = false;
          K = 0;
          return S;
        }
        X[Side] = &F;
      }
      if (Integers) {
        const uint64_t Term = uint64_t(X[0]->Integer) * X[1]->Integer;
        Whole += Product.Subtracted ? -Term : Term;
        continue;
      }
      // The kernel may add up a product before it is multiplied with a number.
      const double Plain = X[0]->Real * X[1]->Real;
      const double Value = Of.Scale * Plain;
      Total += Product.Subtracted ? -Value : Value;
      Absolute += std::max(std::fabs(Plain), std::fabs(Value));
      for (double Each : {Plain, Value})
        if (Each != 0 && std::isfinite(Each))
          Lowest = std::min(Lowest, lowestBit(Each));
    }
  K = 0;
  if (Integers) {
    S.Value = fromInteger(AccType, static_cast<int64_t>(Whole));
    return S;
  }
  S.Value = fromReal(AccType, Total);
  // Where data are finite, the order decides what is infinite, or no number.
  if (!Specials && isFloating(Original))
    S.Overflows = !std::isfinite(fromReal(Original, Absolute).real());
  if (!std::isfinite(Total) || Absolute == 0)
    return S;
  const unsigned Digits = isFloating(Original) ? significandBits(Original) : 24;
  // All partial sums, in any order, are multiples of one number and fit.
  S.Exact =
      !Reals && Absolute <= std::ldexp(1.0, static_cast<int>(Digits) + Lowest);
  S.Error = double(Roundings) * std::ldexp(2.0, -int(Digits)) * Absolute;
  // A factor of it may have been one of each product, and then rounds where the
  // sum would not, also if that is 0. Errors in half would hide everything.
  if (S.Exact && Digits >= 24)
    S.Magnitude = S.Error * (0.5 / OfMagnitude);
  return S;
}

/// What an output may be where sums are known up to an error: the function
/// behind them need not be monotonic (fabsf), so that the ends of the intervals
/// are not enough.
void Checker::widen(
    Expected &E, llvm::ArrayRef<Sum> Sums,
    llvm::function_ref<Evaluated(llvm::ArrayRef<Evaluated>)> Evaluate) const {
  llvm::SmallVector<Evaluated, 2> Middle, At;
  llvm::SmallVector<unsigned, 2> Inexact;
  for (unsigned I = 0; I != Sums.size(); ++I) {
    Middle.push_back({Sums[I].Valid, Sums[I].Value});
    if (!Sums[I].Exact)
      Inexact.push_back(I);
  }
  auto Include = [&] {
    const Evaluated V = Evaluate(At);
    if (!V.Valid)
      return;
    E.Lo = std::min(E.Lo, V.Value.real());
    E.Hi = std::max(E.Hi, V.Value.real());
  };
  auto Set = [&](unsigned I, double X) {
    At[I].Value = fromReal(Sums[I].Value.Type, X);
  };
  // One after the other, the rest of them where they are and at their ends.
  auto Ends = [&](unsigned Signs) {
    At = Middle;
    for (unsigned Bit = 0; Bit != Inexact.size(); ++Bit) {
      const Sum &S = Sums[Inexact[Bit]];
      const bool Minus = Signs >> std::min(Bit, 3u) & 1;
      Set(Inexact[Bit], S.Value.real() + (Minus ? -S.Error : S.Error));
    }
  };
  const unsigned Corners =
      Inexact.size() < 2 ? 0 : 1u << std::min<size_t>(Inexact.size(), 4);
  for (unsigned Corner = 0; Corner <= Corners; ++Corner)
    for (unsigned I : Inexact) {
      if (Corner == Corners)
        At = Middle;
      else
        Ends(Corner);
      const double X = Sums[I].Value.real(), Error = Sums[I].Error;
      for (int Eighth = -8; Eighth <= 8; ++Eighth) {
        Set(I, X + Error * Eighth / 8);
        Include();
      }
      // At 0 and on both sides of it, where conditions of an epilogue change.
      if (std::fabs(X) <= Error)
        for (double Near : {0.0, 0x1p-149, -0x1p-149}) {
          Set(I, Near);
          Include();
        }
    }
}

/// Whether \p V is a sum as it is, which no factor was taken out of.
static bool isSum(const Value &V) {
  return V.K == Value::Kind::Cast ? isSum(*V.Ops[0]) : V.K == Value::Kind::Acc;
}

void Checker::expect(LaunchMemory &M, Environment &Env, const Extents &Extent,
                     std::vector<Expected> &Out) {
  int64_t &B = Env.Ints[P.IndexIds[0]], &Row = Env.Ints[P.IndexIds[1]],
          &Column = Env.Ints[P.IndexIds[2]];
  const Caller Call = caller();
  std::vector<std::vector<OfProduct>> Products;
  for (unsigned I = 0; I != P.Sums.size(); ++I)
    Products.push_back(ofProducts(Env, I));
  for (B = 0; B < Extent[0]; ++B) {
    std::vector<SumTables> Tables;
    for (const SumCode &Sum : P.Sums)
      Tables.push_back(tablesFor(Sum, P.IndexIds));
    for (Row = 0; Row < Extent[1]; ++Row)
      for (Column = 0; Column < Extent[2]; ++Column) {
        llvm::SmallVector<Sum, 2> Sums;
        llvm::SmallVector<Evaluated, 2> Accs;
        for (unsigned I = 0; I != P.Sums.size(); ++I) {
          Sums.push_back(sum(Env, P.Sums[I], Tables[I], Products[I]));
          // One that is not chosen need not be defined.
          Accs.push_back(
              {Sums.back().Valid, Sums.back().Value, Sums.back().Magnitude});
        }
        const bool Exact = llvm::all_of(Sums, [](auto &S) { return S.Exact; });
        for (unsigned O = 0; O < C.Outputs.size(); ++O) {
          if (!P.OutputConditions[O].evaluate(Env, {}).value_or(false))
            continue;
          const Output &Output = C.Outputs[O];
          Expected E;
          E.Any = llvm::any_of(Sums, [](auto &S) { return S.Overflows; });
          E.Output = O;
          E.Index = {B, Row, Column, 0};
          E.Exact = Exact;
          E.Element = static_cast<int64_t>(P.OutputIndices[O].evaluate(Env));
          const ArrayValue &A = Env.Arrays[Output.Pointer];
          E.Array = &M.Arrays[M.rootOf(Output.Pointer)];
          E.Offset = static_cast<uint64_t>(
              A.Start + E.Element * int64_t(byteSize(Output.Type)));
          auto Evaluate = [&](llvm::ArrayRef<Evaluated> Acc) {
            return P.OutputValues[O].evaluate(Env, Acc, Call, Unknown);
          };
          const Evaluated V = Evaluate(Accs);
          auto Stored = convert(Output.Type, V.Value);
          E.Valid = V.Valid && Stored;
          E.Value = Stored.value_or(Num{Output.Type, 0});
          if (!E.Valid) {
            Out.push_back(E);
            continue;
          }
          const double X = E.Value.real();
          E.Lo = E.Hi = X;
          if (!Exact)
            widen(E, Sums, Evaluate);
          if (isFloating(Output.Type)) {
            const double Size = std::isfinite(X) ? std::fabs(X) : 0;
            // With so few bits, the next number is far away.
            const double Units = isFloat8(Output.Type) ? 2 : 4;
            E.Tolerance =
                Size * std::ldexp(Units, -int(significandBits(Output.Type))) +
                (isSum(*Output.Value) ? Size : V.Magnitude) * OfMagnitude +
                0x1p-140;
            // Below the normal numbers, the distance does not shrink.
            if (Output.Type == ScalarType::F16)
              E.Tolerance += 0x1p-23;
            if (Output.Type == ScalarType::E4M3)
              E.Tolerance += 0x1p-9;
            if (Output.Type == ScalarType::E5M2)
              E.Tolerance += 0x1p-16;
          }
          Out.push_back(E);
        }
      }
  }
  B = Row = Column = 0;
}

bool Checker::agrees(const Expected &E, const Num &Found) {
  if (Found.Bits == E.Value.Bits)
    return true;
  if (!Found.isFloat())
    return !E.Exact && Found.real() >= E.Lo - 1 && Found.real() <= E.Hi + 1;
  const double X = E.Value.real(), Y = Found.real();
  if (std::isnan(X) || std::isnan(Y))
    return std::isnan(X) && std::isnan(Y);
  if (X == Y)
    return true;
  if (std::isinf(X) || std::isinf(Y))
    return !E.Exact && Y >= E.Lo && Y <= E.Hi;
  if (Y < E.Lo - E.Tolerance || Y > E.Hi + E.Tolerance)
    return false;
  Report.RoundsOtherwise |= E.Exact;
  return true;
}

void Checker::differs(const LaunchMemory *M, const Environment &Env,
                      unsigned Number, const PlannedLaunch &L,
                      const std::string &What, const Expected *E) {
  Report.Result = CheckReport::Verdict::Differs;
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << "kernel " << C.Kernel << "\nseed " << Options.Seed << ", launch "
     << Number << " (" << L.What << ")\n";
  auto Three = [](const std::array<uint32_t, 3> &A) {
    return "(" + std::to_string(A[0]) + ", " + std::to_string(A[1]) + ", " +
           std::to_string(A[2]) + ")";
  };
  OS << "grid " << Three(L.Shape.Grid) << ", block " << Three(L.Shape.Block)
     << ", " << L.Shape.DynamicShared << " bytes of dynamic shared memory\n";
  std::string Short =
      "grid " + Three(L.Shape.Grid) + ", block " + Three(L.Shape.Block);
  for (const ParamLeaf &Leaf : Kernel.Params) {
    if (Leaf.IsPointer) {
      OS << Leaf.Path << " = ";
      if (L.Null.contains(Leaf.Path)) {
        OS << "null\n";
        Short += ", " + Leaf.Path + " = null";
        continue;
      }
      auto Alias = L.Alias.find(Leaf.Path);
      if (Alias != L.Alias.end()) {
        OS << Alias->second << '\n';
        Short += ", " + Leaf.Path + " = " + Alias->second;
      } else if (M) {
        const LaunchMemory::Placed &A = M->Arrays.find(Leaf.Path)->second;
        OS << "array of " << name(A.Type) << '\n';
      }
      continue;
    }
    auto It = L.Scalars.find(Leaf.Path);
    if (It == L.Scalars.end())
      continue;
    OS << Leaf.Path << " = " << text(It->second) << '\n';
    Short += ", " + Leaf.Path + " = " + text(It->second);
  }
  for (const ConstantLeaf &Leaf : Options.Constants)
    OS << Leaf.Name << " = " << text(L.Constants.lookup(Leaf.Name))
       << " (in constant memory)\n";
  const std::array<Wide, 4> Sizes = P.extents(Env);
  OS << "extents of the contraction: b " << int64_t(Sizes[0]) << ", m "
     << int64_t(Sizes[1]) << ", n " << int64_t(Sizes[2]) << ", k "
     << int64_t(Sizes[3]) << "\n\n"
     << What << '\n';
  if (E) {
    // The data that the element is made of.
    Environment At = Env;
    for (unsigned I = 0; I < 3; ++I)
      At.Ints[P.IndexIds[I]] = E->Index[I];
    for (unsigned I = 0; I != P.Sums.size(); ++I)
      for (unsigned J = 0; J != P.Sums[I].Products.size(); ++J)
        for (unsigned Side : {0, 1}) {
          ProductCode &Product = P.Sums[I].Products[J];
          const Operand &O = *Product.Factors[Side];
          OS << "\noperand " << (Side ? 'B' : 'A');
          if (P.Sums.size() > 1)
            OS << " of " << Value::acc(I)->str();
          OS << ", along k:\n";
          constexpr int64_t Most = 64;
          for (int64_t K = 0; K < std::min(P.terms(I, J, At), Most); ++K) {
            At.Ints[P.IndexIds[3]] = K;
            const auto Element =
                static_cast<int64_t>(Product.Indices[Side].evaluate(At));
            auto X = factor(At, Product, Side);
            OS << "  " << O.Pointer << '[' << Element
               << "] = " << (X ? text(*X) : "outside of its array") << '\n';
          }
        }
    for (const ArrayAccess &A : P.Accesses) {
      if (A.Use != ArrayUse::Input)
        continue;
      At.Ints[P.IndexIds[3]] = 0;
      const Wide Element = A.Index.evaluate(At);
      const ArrayValue &V = At.Arrays[A.Pointer];
      const Wide Offset = add(V.Start, multiply(Element, byteSize(A.Type)));
      if (V.Null || !V.Bytes || Offset < 0 ||
          Offset + byteSize(A.Type) > Wide(V.Bytes->size()))
        continue;
      Num X = {A.Type, 0};
      std::memcpy(&X.Bits, V.Bytes->data() + static_cast<size_t>(Offset),
                  byteSize(A.Type));
      OS << "\n"
         << A.Pointer << '[' << int64_t(Element) << "] = " << text(X) << '\n';
    }
  }
  OS << '\n';
  C.print(OS);
  Report.Message =
      "launch " + std::to_string(Number) + " (" + Short + "): " + What;
  Report.Reproducer = OS.str();
}

bool Checker::compare(LaunchMemory &M, const Environment &Env, unsigned Number,
                      const PlannedLaunch &L,
                      const std::vector<Expected> &All) {
  // Later outputs overwrite earlier ones.
  std::map<std::pair<const LaunchMemory::Placed *, uint64_t>, const Expected *>
      Last;
  for (const Expected &E : All)
    Last[{E.Array, E.Offset}] = &E;
  std::map<const LaunchMemory::Placed *, std::vector<bool>> Covered;
  auto Element = [&](const Expected &E) {
    return C.Outputs[E.Output].Pointer + "[" + std::to_string(E.Element) +
           "] (b " + std::to_string(E.Index[0]) + ", m " +
           std::to_string(E.Index[1]) + ", n " + std::to_string(E.Index[2]) +
           ")";
  };
  for (auto &[Key, E] : Last) {
    const Object &O = *E->Array->O;
    const unsigned Size = byteSize(E->Value.Type);
    if (!O.isDefined(E->Offset, Size)) {
      discard("the kernel stores an undefined value to '" + O.Name + "'");
      return true;
    }
    std::vector<bool> &Bytes = Covered[E->Array];
    Bytes.resize(O.size());
    std::fill_n(Bytes.begin() + static_cast<long>(E->Offset), Size, true);
  }
  for (auto &[Key, E] : Last) {
    Num Found = {E->Value.Type, 0};
    std::memcpy(&Found.Bits, E->Array->O->Bytes.data() + E->Offset,
                byteSize(Found.Type));
    if (E->Valid && (E->Any || agrees(*E, Found)))
      continue;
    differs(&M, Env, Number, L,
            Element(*E) + " is " + text(Found) + " by the kernel and " +
                (E->Valid ? text(E->Value) : "undefined") +
                " by the contraction",
            E);
    return false;
  }
  for (auto &[Name, A] : M.Arrays) {
    const Object &O = *A.O;
    if (!O.Written)
      continue;
    const std::vector<bool> &Bytes = Covered[&A];
    for (size_t I = 0; I < O.size(); ++I) {
      constexpr size_t Chunk = 256;
      if (I % Chunk == 0 && I + Chunk <= O.size() &&
          !std::memcmp(&O.Bytes[I], &A.Before[I], Chunk)) {
        I += Chunk - 1;
        continue;
      }
      if ((I < Bytes.size() && Bytes[I]) || O.Bytes[I] == A.Before[I])
        continue;
      const int64_t Start = Env.Arrays.lookup(Name).Start;
      const int64_t Size = byteSize(A.Type);
      const int64_t Byte = static_cast<int64_t>(I) - Start;
      const int64_t At = Byte >= 0 ? Byte / Size : -((-Byte + Size - 1) / Size);
      differs(&M, Env, Number, L,
              "the kernel writes " + Name + "[" + std::to_string(At) +
                  "], which is no element of an output of the contraction");
      return false;
    }
  }
  for (const auto &O : M.Mem.variables())
    if (O->Written && O->Kind == Space::Variable) {
      differs(&M, Env, Number, L,
              "the kernel writes the variable '" + O->Name +
                  "', which the contraction does not mention");
      return false;
    }
  ++Report.Executed;
  return true;
}

bool Checker::launch(unsigned Number, PlannedLaunch &L) {
  // A kernel that goes beyond its arrays gets larger ones, once: what it reads
  // there may be all that is wrong with the contraction.
  constexpr uint64_t Margin = 4096, LargeMargin = 1 << 18;
  bool Outside = false;
  if (!launchWithin(Number, L, Margin, Outside))
    return false;
  return !Outside || launchWithin(Number, L, LargeMargin, Outside);
}

bool Checker::launchWithin(unsigned Number, PlannedLaunch &L, uint64_t Margin,
                           bool &Outside) {
  Environment Env;
  Env.Ints = L.Ints;
  Env.Ints.resize(P.Names.size());
  Env.Scalars = L.Scalars;
  Env.Constants = L.Constants;
  for (const ConstantLeaf &C : Options.Constants) {
    uint8_t Bytes[8];
    std::memcpy(Bytes, &Env.Constants[C.Name].Bits, sizeof Bytes);
    Engine.setVariable(*C.Variable, C.Offset,
                       llvm::ArrayRef(Bytes, byteSize(C.Type)));
  }
  L.Shape.DynamicShared = DynamicShared;
  Reals = L.Data == DataKind::Reals;
  Specials = L.Data == DataKind::Special;
  LaunchMemory M(Kernel, P, L);
  if (!M.place(Env, Margin))
    return true;
  if (!P.refuses(Env).empty()) {
    ++Report.Original;
    return true;
  }
  const std::array<Wide, 4> Sizes = P.extents(Env);
  Extents Extent;
  Wide Work = static_cast<Wide>(C.Outputs.size());
  for (unsigned I = 0; I < 4; ++I) {
    Extent[I] = static_cast<int64_t>(Sizes[I]);
    Work = multiply(Work, I < 3 ? Sizes[I] : P.termsOfAll(Env, Sizes[I]));
  }
  if (Work > Wide(launchLimit())) {
    discard("a launch is too large");
    return true;
  }
  const uint64_t MaxSteps = std::min(launchLimit(), stepsLeft());
  const uint64_t Threads = threadsOf(L.Shape.Block);
  const uint64_t Blocks = threadsOf(L.Shape.Grid);
  auto TooLong = [&](uint64_t Steps) {
    discard("more than " + std::to_string(Steps) +
            " instructions in one launch");
    return true;
  };
  if (ThreadSteps && *ThreadSteps * Threads * Blocks > MaxSteps) {
    ++Skipped;
    return TooLong(MaxSteps);
  }
  // Arrays are filled only for what is then computed.
  M.fill(Env, Options.Seed * 1000 + Number);
  const RunResult R = Engine.run(*Kernel.Function, L.Shape, M.arguments(Env),
                                 M.Mem, MaxSteps, Number);
  Report.Steps += R.Steps;
  if (R.BlockSteps)
    ThreadSteps =
        std::min(ThreadSteps.value_or(~uint64_t(0)), R.BlockSteps / Threads);
  // Here, and from now on, the array has as much as a block may have on sm_90.
  const uint64_t MostShared = Machine().MaxSmemPerCTA;
  if (R.End == Outcome::OutsideShared && DynamicShared < MostShared) {
    DynamicShared = MostShared;
    return launchWithin(Number, L, Margin, Outside);
  }
  if (!Outside &&
      (R.End == Outcome::OutsideRead || R.End == Outcome::OutsideWrite)) {
    Outside = true;
    return true;
  }
  switch (R.End) {
  case Outcome::Done:
    break;
  case Outcome::OutsideWrite:
    differs(&M, Env, Number, L,
            "the kernel writes far outside of what the contraction says: " +
                R.Reason);
    return false;
  case Outcome::SharedRace:
  case Outcome::CopyUnderWay:
  case Outcome::Divergence:
    // The lift has to see that a barrier is missing, or that threads of a warp
    // part before what they do together, whatever it is to mean.
    Report.Found = R.End == Outcome::SharedRace ? CheckReport::Hazard::Race
                   : R.End == Outcome::CopyUnderWay
                       ? CheckReport::Hazard::Copy
                       : CheckReport::Hazard::Divergence;
    differs(&M, Env, Number, L, R.Reason);
    return false;
  case Outcome::NotExecutable:
    discard("not executable: " + R.Reason);
    return true;
  case Outcome::StepLimit:
    return TooLong(R.Steps);
  default:
    discard(R.Reason);
    return true;
  }
  std::vector<Expected> All;
  Report.Steps += static_cast<uint64_t>(Work);
  Unknown.clear();
  expect(M, Env, Extent, All);
  if (!Unknown.empty() &&
      llvm::any_of(All, [](const Expected &E) { return !E.Valid; })) {
    discard("not executable: " + Unknown);
    return true;
  }
  return compare(M, Env, Number, L, All);
}

CheckReport Checker::run() {
  Report.Wanted = Options.Launches;
  for (const ParamLeaf &Leaf : Kernel.Params)
    P.Names.id(Leaf.Path);
  LaunchDrawer Drawer(
      Kernel, P, Options.Seed, countsInFewBits(*Kernel.Function, Headers),
      worksByWarp(*Kernel.Function, Headers), Options.Constants);
  const unsigned MaxNumber = 3 * Options.Launches + 8;
  unsigned Undrawn = 0;
  std::set<unsigned> Compared;
  for (unsigned Turn = 0; Turn < MaxNumber; ++Turn) {
    // What tells most comes first: beside blocks that reach over the edges, one
    // launch with whole blocks only, even if there is time for just two.
    static constexpr unsigned First[] = {0, 5,  6, 16, 1, 7,  12, 11, 14,
                                         8, 18, 4, 2,  3, 13, 9,  10};
    const unsigned Number = Turn < std::size(First) ? First[Turn] : Turn + 2;
    if (!Drawer.applies(Number) || Compared.count(Number))
      continue;
    if (Report.Executed >= Options.Launches)
      break;
    // What cannot be executed in the first launches is not in later ones.
    constexpr unsigned Enough = 6;
    if (Large && Report.Executed >= Options.LargeLaunches)
      break;
    constexpr unsigned MaxSkipped = 4;
    const bool Spent = stepsLeft() == 0 || Skipped >= MaxSkipped;
    const bool None = Report.Executed == 0;
    if (Spent || (None && Report.Discarded >= Enough)) {
      if (Large || Report.Executed >= Options.LargeLaunches)
        break;
      // Once more, for blocks that have more to do: a single launch would be
      // either ragged or aligned.
      Large = true;
      Report.Steps = 0;
      Skipped = 0;
      Turn = 0;
      if (None) {
        Report.Discarded = 0;
        Discarded.clear();
        Undrawn = 0;
      }
      continue;
    }
    auto L = Drawer.draw(Number);
    if (!L) {
      if (++Undrawn >= Enough && Report.Executed == 0)
        break;
      continue;
    }
    const unsigned Before = Report.Executed;
    if (!launch(Number, *L))
      return Report;
    if (Report.Executed != Before)
      Compared.insert(Number);
  }
  Report.Complete = Report.Executed >= Options.Launches;
  Report.Result = Report.Executed ? CheckReport::Verdict::Agrees
                                  : CheckReport::Verdict::NotExecuted;
  Report.Message = Discarded;
  if (Report.Message.empty() && !Report.Executed)
    Report.Message =
        Report.Original
            ? "every launch that was tried goes to the original kernel"
            : "no launch was found that meets the requirements and is small "
              "enough";
  return Report;
}

} // namespace execute

CheckReport checkContraction(const KernelIR &Kernel,
                             const HeaderFunctions &Headers,
                             const Contraction &C,
                             const CheckOptions &Options) {
  if (!Kernel.Function || Kernel.Function->isDeclaration()) {
    CheckReport Report;
    Report.Message = "the kernel has no body";
    return Report;
  }
  return execute::Checker(Kernel, Headers, C, Options).run();
}

} // namespace warpwright
