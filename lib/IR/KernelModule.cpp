//===-- KernelModule.cpp - Clang's code generation for some kernels -------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/IR/KernelModule.h"
#include "Accesses.h"
#include "Barriers.h"
#include "Breaks.h"
#include "Buffers.h"
#include "Cleanups.h"
#include "Declarations.h"
#include "FetchLoops.h"
#include "FlatLoops.h"
#include "Inline.h"
#include "KnownBranches.h"
#include "Parameters.h"
#include "Reach.h"
#include "Registers.h"
#include "warpwright/Frontend/NameCheck.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclGroup.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "llvm/Analysis/DemandedBits.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/UnifyFunctionExitNodes.h"

using namespace clang;

namespace warpwright {

struct KernelModule::Impl {
  ParsedFile &File;
  std::unique_ptr<llvm::LLVMContext> Context =
      std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> Module;
  llvm::DenseMap<const FunctionDecl *, KernelIR> Kernels;
  llvm::DenseMap<const llvm::Function *, FunctionInfo> Infos;
  llvm::DenseMap<const llvm::GlobalVariable *, std::string> Variables;
  llvm::DenseMap<const llvm::GlobalVariable *, bool> HeaderVariables;
  /// Of the variables in constant memory, those that are not constants of the
  /// language.
  llvm::DenseMap<const llvm::GlobalVariable *, std::vector<ParamLeaf>>
      Constants;
  /// Those that are.
  llvm::SmallPtrSet<const llvm::GlobalVariable *, 4> FixedConstants;
  HeaderFunctions Headers;
  llvm::SmallPtrSet<const llvm::Function *, 8> KeptFunctions;
  std::string WhyNot;
  /// Folders whose headers are recognised by their location.
  std::vector<std::string> TrustedRoots;
  llvm::DenseMap<FileID, bool> Trusted;
  mutable llvm::DenseMap<const llvm::DIFile *, FileID> Files;
  /// Physical lines of the main file by presumed lines, for `#line`.
  llvm::StringMap<llvm::DenseMap<unsigned, unsigned>> PresumedLines;

  explicit Impl(ParsedFile &File) : File(File) {}
  void findTrustedRoots();
  bool isTrusted(SourceLocation Where);
  void generate();
  void simplify();
  void describe(CodeGenerator &Generator);
  void chooseCallName(const FunctionDecl &F, FunctionInfo &I,
                      llvm::ArrayRef<NameCheck> Places);
  void refuseMacros(std::vector<ParamLeaf> &Leaves) const;
  std::vector<ParamLeaf> constantLeaves(const VarDecl &V,
                                        llvm::ArrayRef<NameCheck> Places) const;
};

static std::string realDirectory(llvm::StringRef Path) {
  llvm::SmallString<256> Real;
  if (llvm::sys::fs::real_path(Path, Real))
    return {};
  return std::string(Real.str()) + "/";
}

/// The folders of CUDA, of Clang, of the C library and of the C++ library are
/// recognised by a header that no other folder has; a user's folder given by
/// `-isystem` is not among them.
void KernelModule::Impl::findTrustedRoots() {
  HeaderSearch &Search = File.Sema.getPreprocessor().getHeaderSearchInfo();
  for (const DirectoryLookup &D : Search.search_dir_range()) {
    if (!D.isNormalDir() || !SrcMgr::isSystem(D.getDirCharacteristic()))
      continue;
    llvm::StringRef Folder = D.getName();
    static const llvm::StringRef Markers[] = {
        "cuda_runtime.h",   "__clang_cuda_runtime_wrapper.h",
        "stdlib.h",         "cstdlib",
        "bits/c++config.h", "cuda/std/cstdint"};
    bool Known = llvm::any_of(Markers, [&](llvm::StringRef Marker) {
      llvm::SmallString<256> Path(Folder);
      llvm::sys::path::append(Path, Marker);
      return llvm::sys::fs::exists(Path);
    });
    std::string Root = Known ? realDirectory(Folder) : std::string();
    if (!Root.empty() && !llvm::is_contained(TrustedRoots, Root))
      TrustedRoots.push_back(std::move(Root));
  }
}

bool KernelModule::Impl::isTrusted(SourceLocation Where) {
  const SourceManager &SM = File.Context.getSourceManager();
  if (Where.isInvalid())
    return true; // a builtin
  FileID ID = SM.getFileID(SM.getExpansionLoc(Where));
  auto [It, New] = Trusted.try_emplace(ID, false);
  if (!New)
    return It->second;
  bool Result = false;
  if (OptionalFileEntryRef F = SM.getFileEntryRefForID(ID)) {
    // The tool's own substitutes, of which some are included beside the
    // toolkit: in their folder, or in the folder cuda in it.
    llvm::StringRef Folder = llvm::sys::path::parent_path(F->getName());
    for (const char *Marker : {"warpwright_parse.h", "../warpwright_parse.h"}) {
      llvm::SmallString<256> Own(Folder);
      llvm::sys::path::append(Own, Marker);
      if (llvm::sys::fs::exists(Own))
        return Trusted[ID] = true;
      if (llvm::sys::path::filename(Folder) != "cuda")
        break;
    }
  }
  if (SM.isInSystemHeader(Where))
    if (OptionalFileEntryRef F = SM.getFileEntryRefForID(ID)) {
      llvm::SmallString<256> Real;
      if (!llvm::sys::fs::real_path(F->getName(), Real))
        Result = llvm::any_of(TrustedRoots, [&](const std::string &Root) {
          return Real.str().starts_with(Root);
        });
    }
  return Trusted[ID] = Result;
}

void KernelModule::Impl::generate() {
  std::vector<const FunctionDecl *> Wanted;
  for (const Region &R : File.Regions)
    if (!R.Declined && R.HasDefinition)
      for (const RegionInstance &I : R.Instances)
        if (I.Function && !I.Function->isInvalidDecl())
          Wanted.push_back(I.Function);
  if (Wanted.empty()) {
    WhyNot = "there is no annotated kernel";
    return;
  }
  findTrustedRoots();

  CodeGenOptions Options;
  // Clang marks functions `optnone` at 0, and passes then leave them alone.
  Options.OptimizationLevel = 1;
  Options.DisableLLVMPasses = true;
  Options.DiscardValueNames = false;
  Options.DebugColumnInfo = true;
  Options.setDebugInfo(llvm::codegenoptions::DebugLineTablesOnly);
  // As nvcc converts a float that does not fit an int: to the nearest int.
  Options.StrictFloatCastOverflow = false;
  // No alias assumptions from types are generated, so that no pass can use
  // them.
  Options.RelaxedAliasing = true;
  Options.NoCommon = true;

  // Errors in host code were dealt with before; only errors of code generation
  // are reported here.
  DiagnosticOptions DiagOptions;
  DiagnosticsEngine Diags(llvm::makeIntrusiveRefCnt<DiagnosticIDs>(),
                          DiagOptions, new IgnoringDiagConsumer);
  Diags.setSourceManager(&File.Context.getSourceManager());
  Preprocessor &PP = File.Sema.getPreprocessor();
  PreprocessorOptions PPOptions;
  std::unique_ptr<CodeGenerator> Generator = CreateLLVMCodeGen(
      Diags, "warpwright", PP.getFileManager().getVirtualFileSystemPtr(),
      PP.getHeaderSearchInfo().getHeaderSearchOpts(), PPOptions, Options,
      *Context);
  Generator->Initialize(File.Context);
  for (const Decl *D : reachableDefinitions(File.Context, Wanted))
    Generator->HandleTopLevelDecl(DeclGroupRef(const_cast<Decl *>(D)));
  Generator->HandleTranslationUnit(File.Context);
  if (!Generator->GetModule()) {
    WhyNot = "Clang generates no code for it";
    return;
  }
  describe(*Generator);
  for (const FunctionDecl *F : Wanted) {
    llvm::Function *Code = Generator->GetModule()->getFunction(
        Generator->GetMangledName(GlobalDecl(F, KernelReferenceKind::Kernel)));
    if (!Code || Code->isDeclaration())
      continue;
    KernelIR K;
    K.Function = Code;
    K.Params = paramLeavesOf(*F);
    refuseMacros(K.Params);
    Kernels[F] = std::move(K);
  }
  Module = Generator->ReleaseModule();
  simplify();
}

/// A call is written such that the epilogues of all kernels of the file can use
/// it. A function that some of them cannot call by its name is inlined instead;
/// a library's function is then not understood.
void KernelModule::Impl::chooseCallName(const FunctionDecl &F, FunctionInfo &I,
                                        llvm::ArrayRef<NameCheck> Places) {
  if (!I.Callable)
    return;
  if (I.Header) {
    I.Callable =
        llvm::none_of(Places, [&](const NameCheck &P) { return P.hides(F); });
    return;
  }
  // Only calls that pass numbers and return one are generated again.
  auto IsNumber = [](const TypeInfo &T) {
    return T.K == TypeInfo::Kind::Scalar && (!T.Indirect || T.Reference);
  };
  if (!IsNumber(I.Result) || !llvm::all_of(I.Params, IsNumber) ||
      !F.hasAttr<CUDADeviceAttr>())
    return;
  auto Calls = [&](bool Global) {
    return llvm::all_of(Places,
                        [&](const NameCheck &P) { return P.calls(F, Global); });
  };
  if (Calls(/*Global=*/false))
    return;
  I.Callable = Calls(/*Global=*/true);
  if (I.Callable)
    I.CallName = "::" + I.CallName;
}

/// The numbers in a variable of constant memory, under a name by which the
/// epilogues of all kernels of the file can read them.
std::vector<ParamLeaf>
KernelModule::Impl::constantLeaves(const VarDecl &V,
                                   llvm::ArrayRef<NameCheck> Places) const {
  PrintingPolicy Policy(File.Context.getPrintingPolicy());
  Policy.SuppressUnwrittenScope = true;
  std::string Name;
  llvm::raw_string_ostream OS(Name);
  V.printQualifiedName(OS, Policy);
  auto Named = [&](bool Global) {
    return llvm::all_of(Places,
                        [&](const NameCheck &P) { return P.names(V, Global); });
  };
  if (!Named(/*Global=*/false)) {
    if (!Named(/*Global=*/true)) {
      ParamLeaf Hidden;
      Hidden.Path = Name;
      Hidden.ByteSize =
          File.Context.getTypeSizeInChars(V.getType()).getQuantity();
      Hidden.Problem = "'" + Name +
                       "' cannot be named beside the kernel, where generated "
                       "code would have to read it";
      return {Hidden};
    }
    Name = "::" + Name;
  }
  std::vector<ParamLeaf> Leaves = variableLeavesOf(V, Name);
  refuseMacros(Leaves);
  return Leaves;
}

/// A member with the name of a macro cannot be used in generated code: the code
/// that reads it may stand before the macro's definition, and generated code
/// does not.
void KernelModule::Impl::refuseMacros(std::vector<ParamLeaf> &Leaves) const {
  for (ParamLeaf &L : Leaves) {
    if (L.UnnamedIn)
      continue;
    llvm::SmallVector<llvm::StringRef, 4> Members;
    llvm::StringRef(L.Path).split(Members, '.');
    for (llvm::StringRef Member : llvm::drop_begin(Members)) {
      Member = Member.take_until([](char C) { return C == '['; });
      if (L.Problem.empty() && isUsersMacro(File, Member))
        L.Problem = "'" + Member.str() + "' in '" + L.Path +
                    "' is also the name of a macro";
    }
  }
}

/// The functions that refer to \p V themselves or by what they refer to.
static llvm::SmallPtrSet<const llvm::Function *, 16>
functionsThatUse(const llvm::GlobalVariable &V) {
  llvm::SmallPtrSet<const llvm::Function *, 16> Functions;
  llvm::SmallPtrSet<const llvm::User *, 16> Seen;
  llvm::SmallVector<const llvm::User *, 16> Work(V.users());
  while (!Work.empty()) {
    const llvm::User *U = Work.pop_back_val();
    if (!Seen.insert(U).second)
      continue;
    if (auto *In = llvm::dyn_cast<llvm::Instruction>(U)) {
      const llvm::Function *F = In->getFunction();
      if (Functions.insert(F).second)
        Work.append(F->user_begin(), F->user_end());
    } else {
      Work.append(U->user_begin(), U->user_end());
    }
  }
  return Functions;
}

/// Records what the AST says about functions and variables, while the names in
/// the module can still be mapped to declarations.
void KernelModule::Impl::describe(CodeGenerator &Generator) {
  std::vector<NameCheck> Places;
  std::vector<llvm::SmallPtrSet<const llvm::Function *, 4>> Instances;
  for (const Region &R : File.Regions) {
    if (R.Declined || !R.HasDefinition || R.Instances.empty())
      continue;
    Places.emplace_back(File, R);
    Instances.emplace_back();
    for (const RegionInstance &I : R.Instances)
      if (I.Function && !I.Function->isInvalidDecl())
        Instances.back().insert(
            Generator.GetModule()->getFunction(Generator.GetMangledName(
                GlobalDecl(I.Function, KernelReferenceKind::Kernel))));
  }
  for (llvm::Function &F : *Generator.GetModule()) {
    if (F.isIntrinsic())
      continue;
    const Decl *D = Generator.GetDeclForMangledName(F.getName());
    const auto *Function = dyn_cast_or_null<FunctionDecl>(D);
    if (!Function)
      continue;
    bool Header = isTrusted(Function->getCanonicalDecl()->getLocation());
    FunctionInfo I = functionInfoOf(*Function, Header);
    chooseCallName(*Function, I, Places);
    if (Header)
      Headers[F.getName()] = I.Name;
    Infos[&F] = std::move(I);
  }
  // Kernels that do not read a variable may stand before its declaration.
  auto PlacesOf = [&](const llvm::GlobalVariable &V) {
    const auto Users = functionsThatUse(V);
    std::vector<NameCheck> Of;
    for (auto [Place, Kernels] : llvm::zip(Places, Instances))
      if (llvm::any_of(Kernels, [&](const llvm::Function *F) {
            return Users.count(F) != 0;
          }))
        Of.push_back(Place);
    return Of;
  };
  for (llvm::GlobalVariable &V : Generator.GetModule()->globals()) {
    const Decl *D = Generator.GetDeclForMangledName(V.getName());
    const auto *Variable = dyn_cast_or_null<VarDecl>(D);
    if (!Variable)
      continue;
    Variables[&V] = Variable->getQualifiedNameAsString();
    HeaderVariables[&V] = isTrusted(Variable->getLocation());
    // A variable that the host may write before each launch is not a constant
    // of the program, although Clang marks it so. No pass may read its
    // initializer, whatever its linkage.
    const bool OfDevice = Variable->hasAttr<CUDAConstantAttr>() ||
                          Variable->hasAttr<CUDADeviceAttr>();
    const bool Fixed = Variable->getType().isConstant(File.Context) &&
                       Variable->hasInit() && !V.isInterposable();
    if (OfDevice && !Fixed && !HeaderVariables[&V])
      V.setExternallyInitialized(true);
    if (!Variable->hasAttr<CUDAConstantAttr>() || HeaderVariables[&V] ||
        Variable->getType()->isReferenceType())
      continue;
    if (Fixed && V.isConstant() && V.hasInitializer())
      FixedConstants.insert(&V);
    else
      Constants[&V] = constantLeaves(*Variable, PlacesOf(V));
  }
}

/// The fixed pipeline. Each pass turns the code into an equal form that is
/// easier to read, and none of them touches floating-point arithmetic:
///  - inlining: see Inliner;
///  - copyChangedParameters: structures that the kernel was passed and changes
///    are its variables;
///  - sroa: variables become SSA values, so that a loop's carried values are
///    the phis of its header;
///  - simplifycfg: no empty blocks, `a && b` without effects is one condition;
///  - early-cse: one value for one expression, loads of what was just stored;
///  - dce: nothing that is not used, such as numbers of groups of threads;
///  - nameBarriers, nameAccesses: barriers, loads and stores in inline assembly
///    are those of the IR;
///  - threadCleanups: `break` and `return` lead to where they go;
///  - accessVectors: registers of matrix fragments are in memory as vectors;
///  - joinBuffers: shared arrays that pointers exchange are parts of one;
///  - settleBranches: no branch on what an earlier branch has decided;
///  - foldUnchanged: what every iteration sets back to a constant is one;
///  - foldInserts: words that are put together from halves hold nothing else;
///  - loop-simplify, lcssa: every loop has a preheader, one latch, exits of its
///    own, and hands values out through phis;
///  - joinBreaks: a `break` ends the iteration, and the loop's test the loop;
///  - separateFetchLoop: what an inner loop fetches ahead is fetched before
///    the outer one;
///  - nestFlatLoop: iterations between those that fill a tile are an inner
///  loop.
void KernelModule::Impl::simplify() {
  llvm::PassBuilder Builder;
  llvm::LoopAnalysisManager LAM;
  llvm::FunctionAnalysisManager FAM;
  llvm::CGSCCAnalysisManager CGAM;
  llvm::ModuleAnalysisManager MAM;
  Builder.registerModuleAnalyses(MAM);
  Builder.registerCGSCCAnalyses(CGAM);
  Builder.registerFunctionAnalyses(FAM);
  Builder.registerLoopAnalyses(LAM);
  Builder.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  llvm::FunctionPassManager Early, Late;
  Early.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  Early.addPass(llvm::SimplifyCFGPass());
  Early.addPass(llvm::EarlyCSEPass());
  Early.addPass(llvm::DCEPass());
  Late.addPass(llvm::UnifyFunctionExitNodesPass());
  Late.addPass(llvm::LoopSimplifyPass());
  Late.addPass(llvm::LCSSAPass());
  auto Simplify = [&](llvm::Function &F) {
    FAM.invalidate(F, llvm::PreservedAnalyses::none());
    Early.run(F, FAM);
  };
  auto InfoOf = [this](const llvm::Function &F) -> const FunctionInfo * {
    auto It = Infos.find(&F);
    return It == Infos.end() ? nullptr : &It->second;
  };
  Inliner Calls(InfoOf, Simplify);
  for (auto &[Decl, K] : Kernels) {
    Calls.run(*K.Function);
    copyChangedParameters(*K.Function);
  }
  for (llvm::Function &F : *Module)
    if (!F.isDeclaration()) {
      nameBarriers(F);
      nameAccesses(F);
      threadCleanups(F);
      accessVectors(F);
      Simplify(F);
      joinBuffers(F, FAM.getResult<llvm::LoopAnalysis>(F),
                  [&](llvm::GlobalVariable &Old, llvm::GlobalVariable &New) {
                    // In a message: 'first' or 'second'.
                    std::string &Name = Variables[&New];
                    Name += (Name.empty() ? "" : "' or '") +
                            std::string(Variables.lookup(&Old));
                    HeaderVariables.try_emplace(&New,
                                                HeaderVariables.lookup(&Old));
                    Variables.erase(&Old);
                    HeaderVariables.erase(&Old);
                  });
      settleBranches(F, FAM.getResult<llvm::DominatorTreeAnalysis>(F));
      foldUnchanged(F);
      FAM.invalidate(F, llvm::PreservedAnalyses::none());
      foldInserts(F, FAM.getResult<llvm::DemandedBitsAnalysis>(F));
      FAM.invalidate(F, llvm::PreservedAnalyses::none());
      Late.run(F, FAM);
      while (joinBreaks(FAM.getResult<llvm::LoopAnalysis>(F)))
        FAM.invalidate(F, llvm::PreservedAnalyses::none());
      while (separateFetchLoop(FAM.getResult<llvm::LoopAnalysis>(F))) {
        FAM.invalidate(F, llvm::PreservedAnalyses::none());
        Late.run(F, FAM);
      }
      while (nestFlatLoop(FAM.getResult<llvm::LoopAnalysis>(F),
                          FAM.getResult<llvm::DominatorTreeAnalysis>(F))) {
        FAM.invalidate(F, llvm::PreservedAnalyses::none());
        Late.run(F, FAM);
      }
      if (Calls.wasKept(F))
        KeptFunctions.insert(&F);
    }
}

KernelModule::KernelModule(ParsedFile &File) : P(std::make_unique<Impl>(File)) {
  P->generate();
}

KernelModule::~KernelModule() = default;

void KernelModule::print(llvm::raw_ostream &OS) const {
  if (!P->Module)
    return;
  std::unique_ptr<llvm::Module> Copy = llvm::CloneModule(*P->Module);
  llvm::StripDebugInfo(*Copy);
  Copy->print(OS, nullptr);
}

llvm::Module &KernelModule::module() const { return *P->Module; }

const KernelIR *KernelModule::kernel(const FunctionDecl &Kernel) const {
  auto It = P->Kernels.find(&Kernel);
  return It == P->Kernels.end() || !P->Module ? nullptr : &It->second;
}

llvm::StringRef KernelModule::whyNot() const { return P->WhyNot; }

const FunctionInfo *KernelModule::info(const llvm::Function &F) const {
  auto It = P->Infos.find(&F);
  return It == P->Infos.end() ? nullptr : &It->second;
}

bool KernelModule::isKept(const llvm::Function &F) const {
  return P->KeptFunctions.contains(&F);
}

const HeaderFunctions &KernelModule::headerFunctions() const {
  return P->Headers;
}

std::vector<KeptFunction> KernelModule::callees() const {
  std::vector<KeptFunction> Result;
  for (const llvm::Function *F : P->KeptFunctions) {
    const FunctionInfo *I = info(*F);
    if (!I)
      continue;
    KeptFunction Kept;
    // An argument that is passed by reference is evaluated in the body that
    // Lift found.
    if (!llvm::all_of(I->Params,
                      [](const TypeInfo &T) { return T.isScalar(); }))
      continue;
    Kept.Name = I->CallName;
    for (const TypeInfo &T : I->Params)
      Kept.Params.push_back(T.Element);
    Kept.Code = F;
    Result.push_back(std::move(Kept));
  }
  return Result;
}

llvm::StringRef
KernelModule::variableName(const llvm::GlobalVariable &V) const {
  auto It = P->Variables.find(&V);
  return It == P->Variables.end() ? llvm::StringRef()
                                  : llvm::StringRef(It->second);
}

bool KernelModule::isConstantMemory(const llvm::GlobalVariable &V) const {
  return P->Constants.contains(&V);
}

bool KernelModule::keepsInitializer(const llvm::GlobalVariable &V) const {
  return P->FixedConstants.contains(&V) ||
         (V.isConstant() && V.hasDefinitiveInitializer());
}

std::optional<ConstantLeaf>
KernelModule::constantAt(const llvm::GlobalVariable &V, uint64_t Offset,
                         uint64_t Size, std::string &Why) const {
  auto It = P->Constants.find(&V);
  Why = "this part of it is not understood";
  if (It == P->Constants.end())
    return std::nullopt;
  for (const ParamLeaf &L : It->second) {
    if (Offset < L.Offset || Offset >= L.Offset + std::max(L.ByteSize, 1ul))
      continue;
    if (!L.Problem.empty())
      Why = L.Problem;
    else if (L.IsPointer)
      Why = "'" + L.Path +
            "' is a pointer in constant memory, which the "
            "launcher cannot read; pass it as an argument";
    else if (Offset == L.Offset && Size == L.ByteSize)
      return ConstantLeaf{L.Path, L.Type, &V, L.Offset};
  }
  return std::nullopt;
}

std::vector<ConstantLeaf> KernelModule::constants() const {
  std::vector<ConstantLeaf> All;
  if (!P->Module)
    return All;
  for (const llvm::GlobalVariable &V : P->Module->globals())
    for (const ParamLeaf &L : P->Constants.lookup(&V))
      if (L.Problem.empty() && !L.IsPointer)
        All.push_back({L.Path, L.Type, &V, L.Offset});
  return All;
}

bool KernelModule::isHeaderVariable(const llvm::GlobalVariable &V) const {
  return P->HeaderVariables.lookup(&V);
}

bool KernelModule::inSystemHeader(SourceLocation Where) const {
  return Where.isValid() &&
         P->File.Context.getSourceManager().isInSystemHeader(Where);
}

unsigned KernelModule::lineOf(SourceLocation Where) const {
  // The line number that the user sees, with the `#line` directives of sections
  // applied.
  const SourceManager &SM = P->File.Context.getSourceManager();
  return SM.getPresumedLineNumber(SM.getExpansionLoc(Where));
}

SourceLocation KernelModule::locate(const llvm::DILocation *Where) const {
  if (!Where || !Where->getLine())
    return {};
  SourceManager &SM = P->File.Context.getSourceManager();
  const llvm::DIFile *F = Where->getFile();
  auto [It, New] = P->Files.try_emplace(F, FileID());
  FileID Main = SM.getMainFileID();
  if (New) {
    PresumedLoc Start = SM.getPresumedLoc(SM.getLocForStartOfFile(Main));
    llvm::SmallString<256> Path(F->getFilename());
    if (Start.isValid() && F->getFilename() == Start.getFilename())
      It->second = Main;
    else if (auto Entry = SM.getFileManager().getOptionalFileRef(Path))
      It->second = SM.translateFile(*Entry);
  }
  FileID ID = It->second;
  unsigned Line = Where->getLine();
  // `#line` renames lines, and debug information has the new names.
  if (SM.hasLineTable() && (ID.isInvalid() || ID == Main)) {
    if (P->PresumedLines.empty()) {
      llvm::StringRef Text = SM.getBufferData(Main);
      unsigned Offset = 0, Physical = 0;
      SourceLocation Start = SM.getLocForStartOfFile(Main);
      while (!Text.empty()) {
        PresumedLoc L = SM.getPresumedLoc(Start.getLocWithOffset(Offset));
        ++Physical;
        P->PresumedLines[L.isValid() ? L.getFilename() : ""].try_emplace(
            L.isValid() ? L.getLine() : 0, Physical);
        auto [Head, Tail] = Text.split('\n');
        Offset += Head.size() + 1;
        Text = Tail;
      }
    }
    if (auto Named = P->PresumedLines.find(F->getFilename());
        Named != P->PresumedLines.end())
      if (unsigned N = Named->second.lookup(Line))
        return SM.translateLineCol(Main, N, std::max(1u, Where->getColumn()));
  }
  if (ID.isInvalid())
    return {};
  return SM.translateLineCol(ID, Line, std::max(1u, Where->getColumn()));
}

} // namespace warpwright
