//===-- Draw.cpp - The cases of a verification ----------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Solver.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

using namespace warpwright;

namespace {

class Drawer {
public:
  Drawer(const Subject &S, const DrawOptions &Options)
      : S(S), C(S.Computation), Options(Options), Names(collectNames(C)),
        Random(Options.Seed) {
    C.forEachOperand([&](const Operand &Op) {
      Vector = std::max<int64_t>(Vector, 16 / byteSize(Op.Type));
    });
    HasBatch = !C.BatchExtent.getConstant();
    auto HasParamStride = [&](const IntExpr &E) {
      for (const char *Letter : {"%m", "%n", "%k"}) {
        std::optional<IntExpr> Stride = E.coefficient(Letter);
        if (!Stride)
          continue;
        bool Free = false;
        Stride->walk([&](const IntAtom &A) {
          Free |= A.getKind() == AtomKind::Param && !inExtents(A.getKey());
        });
        if (Free)
          return true;
      }
      return false;
    };
    HasPitch = HasParamStride(C.Outputs[0].Index);
    C.forEachOperand(
        [&](const Operand &Op) { HasPitch |= HasParamStride(Op.Index); });
  }

  llvm::Expected<std::vector<VerifyCase>> draw();

private:
  bool inExtents(llvm::StringRef Name) const {
    return C.MExtent.contains(Name) || C.NExtent.contains(Name) ||
           C.KExtent.contains(Name) || C.BatchExtent.contains(Name);
  }
  llvm::Error checkSet() const;
  std::vector<std::array<int64_t, 3>> hints() const;
  std::array<int64_t, 3> randomShape();
  std::array<int64_t, 3> shrink(std::array<int64_t, 3> Shape) const;
  CaseTarget makeTarget(std::array<int64_t, 3> Shape, unsigned Number);
  /// Solves, and keeps the case unless an equal one exists.
  llvm::Error add(const CaseTarget &Target, llvm::StringRef What,
                  bool Optional = false);
  void addDisplaced();
  void addAliases();
  llvm::Error addGrids();
  void addPlans();

  const Subject &S;
  const Contraction &C;
  const DrawOptions &Options;
  SubjectNames Names;
  VerifyRandom Random;
  int64_t Vector = 1; ///< elements in 16 bytes of the narrowest operand
  bool HasBatch = false, HasPitch = false;
  std::vector<VerifyCase> Cases;
  std::vector<CaseTarget> Targets; ///< the target of each case
  double Work = 0;
};

} // namespace

/// Why the parameter \p Name, an integer, or a number of the launch cannot be
/// \p Value; empty if it can.
static std::string whyNotInteger(llvm::StringRef Name, double Value) {
  // Beyond these a double does not hold every integer.
  double Least = -0x1p53, Most = 0x1p53;
  if (Name.contains('.')) // blockDim.x
    Least = 1, Most = 0x7fffffff;
  else if (Name == "smem")
    Least = 0, Most = 0x7fffffff;
  if (Value >= Least && Value <= Most && Value == std::trunc(Value))
    return "";
  return llvm::formatv("it is an integer from {0} to {1}", int64_t(Least),
                       int64_t(Most));
}

llvm::Error Drawer::checkSet() const {
  for (const auto &[Name, Value] : Options.Set) {
    if (llvm::none_of(Names.Scalars, [&, &Name = Name](const auto &X) {
          return X.Name == Name;
        }))
      if (std::string Why = whyNotInteger(Name, Value); !Why.empty())
        return llvm::createStringError("'--set " + Name + "': " + Why);
    bool Known = Name == "smem" || llvm::is_contained(Names.Ints, Name);
    for (const char *Launch : {"blockDim", "gridDim"})
      for (const char *Dim : {".x", ".y", ".z"})
        Known |= Name == (llvm::Twine(Launch) + Dim).str();
    for (const SubjectNames::Scalar &X : Names.Scalars)
      Known |= X.Name == Name;
    if (Known)
      continue;
    std::string All;
    for (const std::string &Int : Names.Ints)
      All += (All.empty() ? "" : ", ") + Int;
    for (const SubjectNames::Scalar &X : Names.Scalars)
      All += (All.empty() ? "" : ", ") + X.Name;
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        "'--set " + Name + "': there is no such parameter; there are " + All +
            ", blockDim.x, gridDim.x and so on, and smem");
  }
  return llvm::Error::success();
}

/// Makes \p Shape small enough to be run, if possible with the same remainders
/// by 256.
std::array<int64_t, 3> Drawer::shrink(std::array<int64_t, 3> Shape) const {
  auto Product = [&] {
    return static_cast<double>(Shape[0]) * static_cast<double>(Shape[1]) *
           static_cast<double>(Shape[2]);
  };
  while (Product() > static_cast<double>(Options.WorkLimit)) {
    int64_t &Largest = *std::max_element(Shape.begin(), Shape.end());
    if (Largest <= 32)
      break;
    int64_t Step = Largest > 512 ? 256 : Largest > 64 ? 32 : 8;
    Largest -= std::max<int64_t>(Step, Largest / 2 / Step * Step);
  }
  return Shape;
}

std::vector<std::array<int64_t, 3>> Drawer::hints() const {
  std::vector<std::array<int64_t, 3>> Result;
  for (std::array<int64_t, 3> Shape : S.Clauses.Shapes) {
    // In the contraction the user's m and n may be exchanged.
    if (C.RolesExchanged)
      std::swap(Shape[0], Shape[1]);
    Shape = shrink(Shape);
    if (!llvm::is_contained(Result, Shape))
      Result.push_back(Shape);
  }
  return Result;
}

/// Small extents are as likely as large ones. Every other extent is such that
/// rows may start at addresses that TMA can read.
std::array<int64_t, 3> Drawer::randomShape() {
  std::array<int64_t, 3> Shape;
  for (int64_t &E : Shape) {
    double U = static_cast<double>(Random.bits() >> 11) / 9007199254740992.0;
    E = static_cast<int64_t>(std::exp2(U * 8.7));
    if (Random.chance(2))
      E = (E + Vector - 1) / Vector * Vector;
  }
  // One more, or one less, than a whole number of tiles.
  if (!S.Plans.empty() && Random.chance(3)) {
    const SubjectPlan &P =
        S.Plans[Random.below(static_cast<int64_t>(S.Plans.size()))];
    Shape[Random.below(2)] = P.TileN + Random.below(3) - 1;
    Shape[2] = P.TileK * (1 + Random.below(2)) + Random.below(3) - 1;
  }
  return shrink(Shape);
}

CaseTarget Drawer::makeTarget(std::array<int64_t, 3> Shape, unsigned Number) {
  CaseTarget T;
  T.Extents = {HasBatch ? (Number % 4 == 3 ? 1 : 2 + Number % 2) : 1, Shape[0],
               Shape[1], Shape[2]};
  static constexpr CaseTarget::PitchKind Pitches[] = {
      CaseTarget::Tight, CaseTarget::Padded, CaseTarget::Padded,
      CaseTarget::Tight, CaseTarget::Padded, CaseTarget::Odd};
  T.Pitch = Pitches[Number % 6];
  T.Block = Number;
  T.SharedBatches = Number % 5 == 4;
  T.ColumnsInner = Number % 2 == 0;
  T.NullPointers = Number % 3 == 2;
  T.Seed = Options.Seed * 1000003 + Number + 1;
  if (S.AlignedLoads) {
    if (T.Pitch == CaseTarget::Odd)
      T.Pitch = CaseTarget::Padded;
    for (unsigned I = 1; I != 4; ++I)
      T.Extents[I] = (T.Extents[I] + Vector - 1) / Vector * Vector;
  }
  return T;
}

llvm::Error Drawer::add(const CaseTarget &Target, llvm::StringRef What,
                        bool Optional) {
  llvm::Expected<VerifyCase> Case = solveCase(S, Names, Target, Options.Set);
  if (!Case) {
    if (!Optional)
      return Case.takeError();
    llvm::consumeError(Case.takeError());
    return llvm::Error::success();
  }
  for (const VerifyCase &Other : Cases)
    if (Other.Arguments.Ints == Case->Arguments.Ints &&
        Other.Arguments.Null == Case->Arguments.Null)
      return llvm::Error::success();
  double Size = 1;
  for (int64_t E : Case->Extents)
    Size *= static_cast<double>(std::max<int64_t>(E, 1));
  // If the extents are constants of the kernel, there is only one case.
  if (!Cases.empty() &&
      Work + Size > 8.0 * static_cast<double>(Options.WorkLimit))
    return llvm::Error::success();
  Work += Size;
  Case->What = What.str();
  if (!Case->Arguments.Null.empty()) {
    for (const std::string &Name : Case->Arguments.Null)
      Case->What += (Case->What.empty() ? "" : ", ") + Name + " is null";
  }
  Cases.push_back(std::move(*Case));
  Targets.push_back(Target);
  return llvm::Error::success();
}

/// One case for each pointer, in which its base is not a multiple of 16 bytes.
void Drawer::addDisplaced() {
  if (S.AlignedLoads)
    return;
  const VerifyCase Base = Cases.front();
  for (const SubjectArray &A : Names.Arrays) {
    if (!A.Operand && !A.Output && !A.Loaded)
      continue;
    VerifyCase Case = Base;
    Case.Plans.clear();
    Case.Skip[A.Name] = 1;
    Case.What = A.Name + " displaced by an element";
    Cases.push_back(std::move(Case));
    Targets.push_back(Targets.front());
  }
}

/// Updates in place: an input array is also the output, element for element.
void Drawer::addAliases() {
  if (C.LoadsAfterStores)
    return;
  for (const SubjectArray &A : Names.Arrays) {
    if (!A.Loaded || A.Operand || A.Output || A.Restrict)
      continue;
    for (const Output &Out : C.Outputs) {
      const SubjectArray *Written = Names.find(Out.Pointer);
      if (Written->Type != A.Type || Written->Restrict)
        continue;
      bool Same = true;
      for (const Output &Each : C.Outputs)
        walkAll(
            Each.Value, [](const IntExpr &) {},
            [&](const Value &V) {
              if (V.K == Value::Kind::Load && V.Name == A.Name)
                Same &= V.Index == Out.Index;
            },
            [](const BoolExpr &) {});
      if (!Same)
        continue;
      VerifyCase Case = Cases.front();
      Case.Plans.clear();
      Case.Arguments.Null.erase(A.Name);
      Case.Alias[A.Name] = Out.Pointer;
      Case.What = A.Name + " is " + Out.Pointer;
      Cases.push_back(std::move(Case));
      Targets.push_back(Targets.front());
      break;
    }
  }
}

/// Grids with one block too many in each direction, and with one too few.
llvm::Error Drawer::addGrids() {
  CaseTarget T = Targets.front();
  T.ExtraBlocks = true;
  if (llvm::Error E = add(T, "more blocks than needed", true))
    return E;
  T.ExtraBlocks = false;
  T.FewerBlocks = true;
  T.Extents[1] = T.Extents[1] * 3 / 2 + 1;
  return add(T, "a smaller grid", true);
}

/// Runs every plan on an aligned, a ragged and a deep problem, and if that is
/// cheap on one with more tiles than multiprocessors.
void Drawer::addPlans() {
  std::vector<size_t> Chosen;
  auto Find = [&](auto Fits) {
    for (size_t I = 0; I != Cases.size(); ++I)
      if (Fits(Cases[I]) && !llvm::is_contained(Chosen, I)) {
        Chosen.push_back(I);
        return;
      }
  };
  auto Aligned = [&](const VerifyCase &Case) {
    return Case.Skip.empty() && Case.Extents[1] > 16 && Case.Extents[2] > 16 &&
           Case.Extents[3] > 0 &&
           Targets[&Case - Cases.data()].Pitch != CaseTarget::Odd;
  };
  Find([&](const VerifyCase &Case) {
    return Aligned(Case) && Case.Extents[3] > 256;
  });
  Find([&](const VerifyCase &Case) {
    return Aligned(Case) && Case.Extents[2] % Vector == 0 &&
           Case.Extents[3] % Vector == 0 && Case.Extents[1] % Vector != 0;
  });
  Find([&](const VerifyCase &Case) {
    return Aligned(Case) && HasPitch && Case.Extents[3] % Vector != 0;
  });
  Find([&](const VerifyCase &Case) {
    return Aligned(Case) && Case.Extents[2] % Vector == 0;
  });
  if (Chosen.empty())
    Chosen.push_back(0);
  for (size_t I : Chosen)
    for (const SubjectPlan &P : S.Plans)
      Cases[I].Plans.push_back(P.Name);
  for (const SubjectPlan &P : S.Plans) {
    const int64_t Edge = 1 + static_cast<int64_t>(std::sqrt(
                                 static_cast<double>(Options.Multiprocessors)));
    std::array<int64_t, 3> Shape = {Edge * P.TileM - 3, Edge * P.TileN,
                                    P.TileK};
    if (shrink(Shape) != Shape || !Options.Shapes.empty())
      continue;
    CaseTarget T = makeTarget(Shape, 0);
    T.Extents[0] = 1;
    size_t Before = Cases.size();
    llvm::cantFail(add(T, "more tiles than multiprocessors", true));
    if (Cases.size() != Before)
      Cases.back().Plans = {P.Name};
  }
}

llvm::Expected<std::vector<VerifyCase>> Drawer::draw() {
  if (llvm::Error E = checkSet())
    return E;
  const int64_t V = Vector;
  std::vector<std::array<int64_t, 3>> Shapes = Options.Shapes;
  const bool Own = !Shapes.empty();
  if (Own && C.RolesExchanged)
    for (std::array<int64_t, 3> &Shape : Shapes)
      std::swap(Shape[0], Shape[1]);
  if (!Own) {
    Shapes = {{17 * V, 9 * V, 5 * V}};
    llvm::append_range(Shapes, hints());
    // Aligned, ragged rows, ragged in all directions, deep, one term, no term,
    // tiny.
    for (std::array<int64_t, 3> Shape :
         {std::array<int64_t, 3>{17 * V - 3, 9 * V, 5 * V},
          {67, 45, 23},
          {128 + 2 * V, 256 + V, 384 + V},
          {3 * V, 2 * V, 1},
          {3 * V, 2 * V, 0},
          {1, 1, 1},
          {3, 5, 7}})
      Shapes.push_back(shrink(Shape));
    while (Shapes.size() < Options.Count)
      Shapes.push_back(randomShape());
    Shapes.resize(std::max(1u, Options.Count));
  }
  for (size_t I = 0; I != Shapes.size(); ++I) {
    CaseTarget T = makeTarget(Shapes[I], static_cast<unsigned>(I));
    if (llvm::Error E = add(T, ""))
      return E;
  }
  if (!Own && Options.Count > 4) {
    // The same odd shape with pitches that TMA can read, and with pitches that
    // it cannot read.
    if (HasPitch)
      for (CaseTarget::PitchKind Pitch :
           {CaseTarget::Padded, CaseTarget::Odd}) {
        CaseTarget T = makeTarget({67, 45, 23}, 1);
        T.Pitch = Pitch;
        if (llvm::Error E =
                add(T, Pitch == CaseTarget::Odd ? "odd pitches" : "padded"))
          return E;
      }
    if (llvm::Error E = addGrids())
      return E;
    addDisplaced();
    addAliases();
  }
  addPlans();
  return std::move(Cases);
}

llvm::Expected<std::vector<VerifyCase>>
warpwright::drawCases(const Subject &S, const DrawOptions &Options) {
  if (S.Computation.Outputs.empty())
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "the contraction has no output");
  return Drawer(S, Options).draw();
}
