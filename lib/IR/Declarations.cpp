//===-- Declarations.cpp - C++ types and names for Lift -------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Declarations.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <tuple>

using namespace clang;

namespace warpwright {

/// A class of the CUDA headers, by its name at namespace scope.
static bool isCudaClass(const CXXRecordDecl *R, llvm::StringRef Name) {
  if (!R || !R->getIdentifier() || R->getName() != Name ||
      !R->getDeclContext()->getRedeclContext()->isTranslationUnit())
    return false;
  const SourceManager &SM = R->getASTContext().getSourceManager();
  return SM.isInSystemHeader(R->getLocation());
}

std::optional<ScalarType> scalarTypeOf(const ASTContext &Context, QualType T) {
  T = T.getCanonicalType().getUnqualifiedType();
  if (const auto *E = T->getAs<EnumType>()) {
    const EnumDecl *D = E->getDecl()->getDefinitionOrSelf();
    if (D->getIntegerType().isNull())
      return std::nullopt;
    T = D->getIntegerType().getCanonicalType();
  }
  if (const auto *B = T->getAs<BuiltinType>()) {
    if (T->isBooleanType())
      return ScalarType::Bool;
    switch (B->getKind()) {
    case BuiltinType::Float:
      return ScalarType::F32;
    case BuiltinType::Double:
      return ScalarType::F64;
    case BuiltinType::Half:
    case BuiltinType::Float16:
      return ScalarType::F16;
    case BuiltinType::BFloat16:
      return ScalarType::BF16;
    default:
      break;
    }
    if (!T->isIntegerType())
      return std::nullopt;
    bool U = T->isUnsignedIntegerType();
    switch (Context.getTypeSize(T)) {
    case 8:
      return U ? ScalarType::U8 : ScalarType::I8;
    case 16:
      return U ? ScalarType::U16 : ScalarType::I16;
    case 32:
      return U ? ScalarType::U32 : ScalarType::I32;
    case 64:
      return U ? ScalarType::U64 : ScalarType::I64;
    default:
      return std::nullopt;
    }
  }
  const CXXRecordDecl *R = T->getAsCXXRecordDecl();
  if (isCudaClass(R, "__half"))
    return ScalarType::F16;
  if (isCudaClass(R, "__nv_bfloat16"))
    return ScalarType::BF16;
  if (isCudaClass(R, "__nv_fp8_e4m3"))
    return ScalarType::E4M3;
  if (isCudaClass(R, "__nv_fp8_e5m2"))
    return ScalarType::E5M2;
  return std::nullopt;
}

/// Adds the numbers that \p T consists of to \p Lanes; false if there is
/// something else in it, or a number of another type than the others.
static bool addLanes(const ASTContext &Context, QualType T, ScalarType &Element,
                     unsigned &Lanes) {
  constexpr unsigned MostLanes = 64;
  T = T.getCanonicalType();
  if (auto E = scalarTypeOf(Context, T)) {
    if (*E == ScalarType::Bool || (Lanes && *E != Element))
      return false;
    Element = *E;
    return ++Lanes <= MostLanes;
  }
  if (const auto *Pair = T->getAs<ComplexType>())
    return addLanes(Context, Pair->getElementType(), Element, Lanes) &&
           addLanes(Context, Pair->getElementType(), Element, Lanes);
  if (const auto *A = Context.getAsConstantArrayType(T)) {
    for (uint64_t N = 0; N < A->getZExtSize(); ++N)
      if (!addLanes(Context, A->getElementType(), Element, Lanes))
        return false;
    return true;
  }
  const CXXRecordDecl *R = T->getAsCXXRecordDecl();
  if (!R || !R->hasDefinition() || R->isUnion() || R->isLambda() ||
      R->isDynamicClass() || R->getDefinition()->getNumBases())
    return false;
  for (const FieldDecl *F : R->getDefinition()->fields())
    if (F->isBitField() || !addLanes(Context, F->getType(), Element, Lanes))
      return false;
  return true;
}

/// A struct that consists only of numbers of one type without gaps, like
/// float4, char4, __half2 and std::complex; in memory it is an array of that
/// type.
static std::optional<std::pair<ScalarType, unsigned>>
vectorTypeOf(const ASTContext &Context, QualType T) {
  const CXXRecordDecl *R = T.getCanonicalType()->getAsCXXRecordDecl();
  if (!R || scalarTypeOf(Context, T))
    return std::nullopt;
  // Their member is an integer that holds all of them.
  for (const auto &[Name, Element, Lanes] :
       {std::tuple("__nv_fp8x2_e4m3", ScalarType::E4M3, 2u),
        std::tuple("__nv_fp8x4_e4m3", ScalarType::E4M3, 4u),
        std::tuple("__nv_fp8x2_e5m2", ScalarType::E5M2, 2u),
        std::tuple("__nv_fp8x4_e5m2", ScalarType::E5M2, 4u)})
    if (isCudaClass(R, Name))
      return std::make_pair(Element, Lanes);
  ScalarType Element = ScalarType::F32;
  unsigned Lanes = 0;
  if (!addLanes(Context, T, Element, Lanes) || !Lanes ||
      Context.getTypeSizeInChars(T).getQuantity() !=
          static_cast<int64_t>(Lanes) * byteSize(Element))
    return std::nullopt;
  return std::make_pair(Element, Lanes);
}

/// Whether cppType() of \p T's ScalarType is \p T itself.
static bool isSpelled(QualType T) {
  T = T.getCanonicalType().getUnqualifiedType();
  if (T->isRecordType())
    return true;
  const auto *B = T->getAs<BuiltinType>();
  if (!B)
    return false;
  switch (B->getKind()) {
  case BuiltinType::Bool:
  case BuiltinType::SChar:
  case BuiltinType::UChar:
  case BuiltinType::Short:
  case BuiltinType::UShort:
  case BuiltinType::Int:
  case BuiltinType::UInt:
  case BuiltinType::LongLong:
  case BuiltinType::ULongLong:
  case BuiltinType::Float:
  case BuiltinType::Double:
    return true;
  default:
    return false;
  }
}

TypeInfo typeInfoOf(const ASTContext &Context, QualType T) {
  TypeInfo I;
  if (T->isReferenceType() || T->isPointerType()) {
    I.Indirect = true;
    I.Reference = T->isReferenceType();
    T = T->getPointeeType();
    I.ConstReferent = T.isConstQualified();
  }
  if (T->isVoidType()) {
    I.K = TypeInfo::Kind::Void;
  } else if (auto Scalar = scalarTypeOf(Context, T)) {
    I.K = TypeInfo::Kind::Scalar;
    I.Element = *Scalar;
    I.Spelled = isSpelled(T);
  } else if (auto Vector = vectorTypeOf(Context, T)) {
    I.K = TypeInfo::Kind::Vector;
    I.Element = Vector->first;
    I.Lanes = Vector->second;
  }
  return I;
}

FunctionInfo functionInfoOf(const FunctionDecl &F, bool Header) {
  const ASTContext &Context = F.getASTContext();
  FunctionInfo I;
  I.Header = Header;
  I.Location = F.getLocation().getRawEncoding();
  I.Variadic = F.isVariadic();
  llvm::SmallPtrSet<const Decl *, 4> Others;
  for (const NamedDecl *D :
       F.getDeclContext()->getRedeclContext()->lookup(F.getDeclName()))
    Others.insert(D->getCanonicalDecl());
  I.Overloaded = Others.size() > 1;
  I.Callable = F.getDeclName().isIdentifier();
  PrintingPolicy Policy(Context.getPrintingPolicy());
  Policy.SuppressUnwrittenScope = true;
  {
    llvm::raw_string_ostream OS(I.Name);
    F.printQualifiedName(OS, Policy);
  }
  // A template of a library; its arguments are deduced again in the generated
  // call.
  if (Context.getSourceManager().isInSystemHeader(F.getLocation())) {
    I.CallName = I.Name;
  } else {
    llvm::raw_string_ostream OS(I.CallName);
    F.getNameForDiagnostic(OS, Policy, /*Qualified=*/true);
  }
  if (const auto *M = dyn_cast<CXXMethodDecl>(&F); M && M->isInstance()) {
    I.HasThis = true;
    I.This = typeInfoOf(Context, M->getThisType());
  }
  I.Result = typeInfoOf(Context, F.getReturnType());
  for (const ParmVarDecl *P : F.parameters())
    I.Params.push_back(typeInfoOf(Context, P->getType()));
  return I;
}

namespace {
class LeafCollector {
public:
  /// Elements of arrays with \p MaxElements elements at most are leaves, too.
  /// \p Unnamed: whether fields are wanted that C++ does not let others name.
  LeafCollector(const ASTContext &Context, unsigned MaxElements, bool Unnamed)
      : Context(Context), MaxElements(MaxElements), Unnamed(Unnamed) {}

  void addWhole(QualType T, const std::string &Path, unsigned Argument,
                bool Restrict) {
    WholeSize =
        T->isIncompleteType() ? 0 : Context.getTypeSizeInChars(T).getQuantity();
    const size_t First = Leaves.size();
    add(T, Path, Argument, 0, Restrict, /*Named=*/true);
    refuseHidden(First);
  }

private:
  void add(QualType T, const std::string &Path, unsigned Argument,
           uint64_t Offset, bool Restrict, bool Named) {
    ParamLeaf L;
    L.Argument = Argument;
    L.Offset = Offset;
    L.Path = Path;
    L.UnnamedIn = Named ? 0 : WholeSize;
    L.ByteSize =
        T->isIncompleteType() ? 0 : Context.getTypeSizeInChars(T).getQuantity();
    if (const auto *P = T->getAs<PointerType>()) {
      L.IsPointer = true;
      L.Restrict = Restrict || T.isRestrictQualified();
      QualType Pointee = P->getPointeeType();
      // `float (*A)[64]` points to numbers as well.
      while (const auto *A = Context.getAsConstantArrayType(Pointee))
        Pointee = A->getElementType();
      TypeInfo Element = typeInfoOf(Context, Pointee);
      L.Type = Element.Element;
      L.Lanes = Element.Lanes;
      if (Pointee->isVoidType()) {
        L.Type = ScalarType::U8;
        L.Raw = ParamLeaf::RawKind::Void;
      } else if (Pointee->isCharType()) {
        L.Raw = ParamLeaf::RawKind::Bytes;
      }
      if (L.Raw != ParamLeaf::RawKind::None)
        L.Lanes = 1;
      else if (Element.Indirect || (Element.K != TypeInfo::Kind::Scalar &&
                                    Element.K != TypeInfo::Kind::Vector))
        L.Problem = "'" + Path + "' " + whyNotElements(Pointee);
      if (Pointee.isVolatileQualified())
        L.Problem = "'" + Path + "' points to volatile memory";
      Leaves.push_back(L);
      return;
    }
    if (auto Scalar = scalarTypeOf(Context, T)) {
      L.Type = *Scalar;
      Leaves.push_back(L);
      return;
    }
    if (const auto *A = Context.getAsConstantArrayType(T);
        A && A->getSize().ule(MaxElements)) {
      const uint64_t Step =
          Context.getTypeSizeInChars(A->getElementType()).getQuantity();
      for (uint64_t N = 0; N < A->getZExtSize(); ++N)
        add(A->getElementType(), Path + "[" + std::to_string(N) + "]", Argument,
            Offset + N * Step, false, Named);
      return;
    }
    const CXXRecordDecl *R = T->getAsCXXRecordDecl();
    if (!R || !R->hasDefinition() || R->isUnion() || R->isInvalidDecl() ||
        R->isDynamicClass() || R->isLambda() ||
        (R->getDefinition()->getNumBases() && !Unnamed)) {
      L.Problem = T->isArrayType()
                      ? "'" + Path + "' is an array inside of a parameter"
                      : "'" + Path + "' has a type that is not supported";
      Leaves.push_back(L);
      return;
    }
    addFields(*R->getDefinition(), Path, Argument, Offset, Named);
  }

  /// The fields of an object of class \p R and of its bases, which are not
  /// virtual: those are of dynamic classes.
  void addFields(const CXXRecordDecl &R, const std::string &Path,
                 unsigned Argument, uint64_t Offset, bool Named) {
    const ASTRecordLayout &Layout = Context.getASTRecordLayout(&R);
    for (const CXXBaseSpecifier &Base : R.bases())
      if (const CXXRecordDecl *Of = Base.getType()->getAsCXXRecordDecl())
        addFields(*Of, Path, Argument,
                  Offset + Layout.getBaseClassOffset(Of).getQuantity(),
                  /*Named=*/false);
    for (const FieldDecl *F : R.fields()) {
      std::string Member = Path + "." + F->getName().str();
      uint64_t At = Offset + Layout.getFieldOffset(F->getFieldIndex()) / 8;
      const bool Public =
          F->getAccess() == AS_public || F->getAccess() == AS_none;
      if ((Public || Unnamed) && !F->isBitField() && F->getIdentifier() &&
          !F->getType()->isReferenceType()) {
        add(F->getType(), Member, Argument, At, false, Named && Public);
        continue;
      }
      ParamLeaf Hidden;
      Hidden.Argument = Argument;
      Hidden.Offset = At;
      Hidden.Path = Member;
      Hidden.ByteSize = 0;
      Hidden.Problem = "'" + Member + "' " + whyNotNamed(*F, Public);
      Leaves.push_back(Hidden);
    }
  }

  /// Fields of a class and of its bases may have one name, by which a
  /// contraction cannot tell them apart.
  void refuseHidden(size_t First) {
    llvm::StringMap<unsigned> Times;
    auto Of = llvm::MutableArrayRef(Leaves).drop_front(First);
    for (const ParamLeaf &L : Of)
      ++Times[L.Path];
    for (ParamLeaf &L : Of)
      if (Times[L.Path] > 1 && L.Problem.empty())
        L.Problem = "'" + L.Path +
                    "' may be a member of more than one of the classes that "
                    "the parameter's class inherits from";
  }

  /// Why the launcher cannot name the member \p F by itself.
  static const char *whyNotNamed(const FieldDecl &F, bool Reachable) {
    if (!Reachable)
      return "is a member that is not public, which the launcher cannot read";
    if (F.isBitField())
      return "is a bit-field, which is not supported inside of a parameter";
    if (!F.getIdentifier())
      return "is a member without a name, which is not supported inside of a "
             "parameter";
    return "is a reference, which is not supported inside of a parameter";
  }

  /// Pointers that are stored in the device's memory have a form of their own:
  /// the launcher does not know where they point.
  static std::string whyNotElements(QualType Pointee) {
    const char *Advice = " in device memory, which the launcher cannot read; "
                         "pass one array and the distance between its matrices";
    if (Pointee->isPointerType())
      return std::string("is an array of pointers") + Advice;
    const CXXRecordDecl *R = Pointee->getAsCXXRecordDecl();
    if (R && R->hasDefinition() &&
        llvm::any_of(R->getDefinition()->fields(), [](const FieldDecl *F) {
          return F->getType()->isPointerType();
        }))
      return std::string("is an array of structures with pointers") + Advice;
    return "points to a type that is not supported";
  }

  const ASTContext &Context;
  const unsigned MaxElements;
  const bool Unnamed;
  uint64_t WholeSize = 0; ///< of the parameter or variable

public:
  std::vector<ParamLeaf> Leaves;
};
} // namespace

std::vector<ParamLeaf> paramLeavesOf(const FunctionDecl &Kernel) {
  // Sizes and strides of tensors are few.
  LeafCollector C(Kernel.getASTContext(), /*MaxElements=*/64, /*Unnamed=*/true);
  for (const auto *P : Kernel.parameters())
    C.addWhole(P->getType(), P->getName().str(), P->getFunctionScopeIndex(),
               P->getType().isRestrictQualified());
  return std::move(C.Leaves);
}

std::vector<ParamLeaf> variableLeavesOf(const VarDecl &Variable,
                                        llvm::StringRef Name) {
  LeafCollector C(Variable.getASTContext(), /*MaxElements=*/256,
                  /*Unnamed=*/false);
  C.addWhole(Variable.getType(), Name.str(), 0, false);
  return std::move(C.Leaves);
}

} // namespace warpwright
