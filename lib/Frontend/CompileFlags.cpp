//===-- CompileFlags.cpp - nvcc's flags for Clang -------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Frontend/CompileFlags.h"
#include "clang/Basic/LangStandard.h"
#include "clang/Options/Options.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

using namespace warpwright;
namespace options = clang::options;

namespace {

enum class FlagForm { Flag, Value, Joined, Optional };

enum class FlagAction {
  Ignore,
  Compile,
  CompileRdc,
  Preprocess,
  Information,
  DepFile,
  DepFileName,
  DepTarget,
  Output,
  OutputFolder,
  Library,
  LibraryFolder,
  PreInclude,
  Define,
  Undefine,
  Include,
  SystemInclude,
  Std,
  Language,
  HostOptions,
  HostCompiler,
  Arch,
  Code,
  GenerateCode,
  Rdc,
  DeviceDebug,
  RelaxedConstexpr,
  ExtendedLambda,
  DefaultStream,
  ForwardUnknown,
  OptionsFile,
  NoExceptions,
  TemplateDepth,
};

struct NvccFlag {
  llvm::StringLiteral Long;
  llvm::StringLiteral Short;
  FlagForm Form;
  FlagAction Action;
};

/// An nvcc flag found on the command line.
struct Match {
  const NvccFlag *Flag = nullptr;
  std::optional<llvm::StringRef> Value; ///< after `=` or joined
};

class CommandParser {
public:
  explicit CommandParser(llvm::StringRef Directory) : Directory(Directory) {}

  llvm::Expected<CompileCommand> parse(llvm::ArrayRef<std::string> Args);

private:
  llvm::Error expand(llvm::ArrayRef<std::string> Args, unsigned Depth);
  llvm::Error expandFile(llvm::StringRef Path, unsigned Depth);
  llvm::Error apply(const Match &Found, llvm::StringRef Spelling,
                    llvm::StringRef Value);
  llvm::Error parseClang(size_t &Index);
  void parseHostOptions(llvm::StringRef List);
  void takeHostOption(llvm::StringRef Option);
  void addInput(size_t Index);
  void pass(llvm::StringRef Flag) { Command.ClangArgs.push_back(Flag.str()); }

  llvm::StringRef Directory;
  CompileCommand Command;
  std::string Language;
  bool ForwardsUnknown = false;
  /// A host option whose value is the next option.
  std::string PendingHostOption;
};

} // namespace

static constexpr NvccFlag NvccFlags[] = {
#define NVCC_FLAG(Long, Short, Form, Action)                                   \
  {Long, Short, FlagForm::Form, FlagAction::Action},
#include "NvccFlags.def"
};

char DiagError::ID = 0;

void DiagError::log(llvm::raw_ostream &OS) const {
  OS << "WW" << static_cast<unsigned>(Which);
  for (const std::string &Each : Arguments)
    OS << ' ' << Each;
}

std::error_code DiagError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

static llvm::Error makeError(DiagID ID, std::vector<std::string> Arguments) {
  return llvm::make_error<DiagError>(ID, std::move(Arguments));
}

/// nvcc accepts each of its names with one or two dashes.
static Match matchNvcc(llvm::StringRef Arg) {
  llvm::StringRef Body = Arg.drop_front(Arg.starts_with("--") ? 2 : 1);
  auto [Name, Value] = Body.split('=');
  bool HasValue = Name.size() != Body.size();
  for (const NvccFlag &Flag : NvccFlags) {
    if (Name != Flag.Long && Name != Flag.Short)
      continue;
    if (HasValue && Flag.Form == FlagForm::Flag)
      continue;
    Match Found;
    Found.Flag = &Flag;
    if (HasValue)
      Found.Value = Value;
    return Found;
  }
  if (Arg.starts_with("--"))
    return {};
  for (const NvccFlag &Flag : NvccFlags)
    if (Flag.Form == FlagForm::Joined && Body.starts_with(Flag.Short)) {
      Match Found;
      Found.Flag = &Flag;
      Found.Value = Body.drop_front(Flag.Short.size());
      return Found;
    }
  return {};
}

static bool isCudaSource(llvm::StringRef Path) { return Path.ends_with(".cu"); }

void CommandParser::addInput(size_t Index) {
  const std::string &Path = Command.Args[Index];
  bool IsCuda = Language.empty() ? isCudaSource(Path)
                                 : Language == "cu" || Language == "cuda";
  Command.Inputs.push_back({Path, Index, IsCuda});
}

llvm::Error CommandParser::expandFile(llvm::StringRef Path, unsigned Depth) {
  constexpr unsigned MaxDepth = 16;
  llvm::SmallString<128> Full(Path);
  if (!Directory.empty() && llvm::sys::path::is_relative(Path)) {
    Full = Directory;
    llvm::sys::path::append(Full, Path);
  }
  if (Depth > MaxDepth)
    return makeError(DiagID::BadResponseFile, {Path.str(), "nested too deep"});
  auto Buffer = llvm::MemoryBuffer::getFile(Full);
  if (!Buffer)
    return makeError(DiagID::BadResponseFile,
                     {Path.str(), Buffer.getError().message()});
  llvm::BumpPtrAllocator Allocator;
  llvm::StringSaver Saver(Allocator);
  llvm::SmallVector<const char *, 32> Tokens;
  llvm::cl::TokenizeGNUCommandLine((*Buffer)->getBuffer(), Saver, Tokens);
  std::vector<std::string> Args(Tokens.begin(), Tokens.end());
  return expand(Args, Depth + 1);
}

llvm::Error CommandParser::expand(llvm::ArrayRef<std::string> Args,
                                  unsigned Depth) {
  for (size_t I = 0; I != Args.size(); ++I) {
    llvm::StringRef Arg = Args[I];
    if (Arg.size() > 1 && Arg.starts_with("@")) {
      if (llvm::Error E = expandFile(Arg.drop_front(), Depth))
        return E;
      continue;
    }
    Match Found =
        Arg.size() > 1 && Arg.starts_with("-") ? matchNvcc(Arg) : Match();
    if (Found.Flag && Found.Flag->Action == FlagAction::OptionsFile) {
      if (!Found.Value && I + 1 == Args.size())
        return makeError(DiagID::BadFlagValue, {Arg.str(), "missing value"});
      llvm::StringRef Files = Found.Value ? *Found.Value : Args[++I];
      llvm::SmallVector<llvm::StringRef, 4> List;
      Files.split(List, ',', -1, /*KeepEmpty=*/false);
      for (llvm::StringRef File : List)
        if (llvm::Error E = expandFile(File, Depth))
          return E;
      continue;
    }
    Command.Args.push_back(Arg.str());
  }
  return llvm::Error::success();
}

static bool isArchitecture(llvm::StringRef Name) {
  return Name.starts_with("sm_") || Name.starts_with("compute_") ||
         Name.starts_with("lto_") || Name == "native" || Name == "all" ||
         Name == "all-major";
}

/// `arch=compute_90a,code=[sm_90a,compute_90a]`, `sm_90`, `sm_80,sm_90`.
static bool isArchitectureList(llvm::StringRef List) {
  std::string Plain;
  for (char C : List)
    if (C != '[' && C != ']' && C != '"' && C != '\'' && C != '\\')
      Plain += C;
  llvm::SmallVector<llvm::StringRef, 4> Parts;
  llvm::StringRef(Plain).split(Parts, ',');
  return !Parts.empty() && llvm::all_of(Parts, [](llvm::StringRef Part) {
    Part.consume_front("arch=");
    Part.consume_front("code=");
    return isArchitecture(Part.trim());
  });
}

/// Of the host compiler's options those that change the meaning of a file. The
/// host compiler itself complains about options that it does not know.
void CommandParser::takeHostOption(llvm::StringRef Option) {
  if (!PendingHostOption.empty()) {
    pass(PendingHostOption);
    pass(Option);
    PendingHostOption.clear();
    return;
  }
  for (llvm::StringRef Separate :
       {"-I", "-D", "-U", "-isystem", "-iquote", "-idirafter", "-include"})
    if (Option == Separate) {
      PendingHostOption = Option.str();
      return;
    }
  for (llvm::StringRef Joined : {"-I", "-D", "-U", "-isystem", "-iquote",
                                 "-idirafter", "-std=", "--sysroot="})
    if (Option.starts_with(Joined))
      return pass(Option);
  for (llvm::StringRef Exact :
       {"-fno-exceptions", "-fno-rtti", "-funsigned-char", "-fsigned-char",
        "-pthread", "-nostdinc", "-nostdinc++"})
    if (Option == Exact)
      return pass(Option);
  if (Option == "-fopenmp")
    pass("-D_OPENMP=201511");
}

/// `-Xcompiler=-fPIC,-Wall,"-I dir"`.
void CommandParser::parseHostOptions(llvm::StringRef List) {
  std::string Current;
  char Quote = 0;
  auto Finish = [&]() {
    if (!Current.empty())
      takeHostOption(Current);
    Current.clear();
  };
  for (size_t I = 0; I != List.size(); ++I) {
    char C = List[I];
    if (Quote) {
      if (C == Quote)
        Quote = 0;
      else
        Current += C;
    } else if (C == '"' || C == '\'') {
      Quote = C;
    } else if (C == '\\' && I + 1 != List.size()) {
      Current += List[++I];
    } else if (C == ',' || C == ' ') {
      Finish();
    } else {
      Current += C;
    }
  }
  Finish();
}

llvm::Error CommandParser::apply(const Match &Found, llvm::StringRef Spelling,
                                 llvm::StringRef Value) {
  using Phase = CompileCommand::Phase;
  auto Each = [&](llvm::StringRef Flag) {
    llvm::SmallVector<llvm::StringRef, 4> List;
    Value.split(List, ',', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef Item : List) {
      pass(Flag);
      pass(Item);
    }
  };
  switch (Found.Flag->Action) {
  case FlagAction::Ignore:
  case FlagAction::DepTarget:
  case FlagAction::OutputFolder:
    break;
  case FlagAction::Library:
  case FlagAction::LibraryFolder: {
    llvm::SmallVector<llvm::StringRef, 4> List;
    Value.split(List, ',', -1, /*KeepEmpty=*/false);
    bool IsFolder = Found.Flag->Action == FlagAction::LibraryFolder;
    for (llvm::StringRef Item : List)
      Command.LinkArgs.push_back(((IsFolder ? "-L" : "-l") + Item).str());
    break;
  }
  case FlagAction::Compile:
    if (Command.What == Phase::Link)
      Command.What = Phase::Compile;
    break;
  case FlagAction::CompileRdc:
    if (Command.What == Phase::Link)
      Command.What = Phase::Compile;
    pass("-D__CUDACC_RDC__");
    break;
  case FlagAction::Preprocess:
    Command.What = Phase::Preprocess;
    break;
  case FlagAction::Information:
    Command.What = Phase::Information;
    break;
  case FlagAction::DepFile:
    Command.WritesDepFile = true;
    break;
  case FlagAction::DepFileName:
    Command.DepFile = Value.str();
    break;
  case FlagAction::Output:
    Command.Output = Value.str();
    break;
  case FlagAction::PreInclude:
    Each("-include");
    break;
  case FlagAction::Define:
    // The value is not split at commas: a macro's value may contain them. nvcc
    // splits at commas outside of parentheses and quotes, but nobody relies on
    // that.
    pass(("-D" + Value).str());
    break;
  case FlagAction::Undefine:
    pass(("-U" + Value).str());
    break;
  case FlagAction::Include:
    Each("-I");
    break;
  case FlagAction::SystemInclude:
    Each("-isystem");
    break;
  case FlagAction::Std:
    if (clang::LangStandard::getLangKind(Value) ==
        clang::LangStandard::lang_unspecified)
      return makeError(DiagID::BadFlagValue,
                       {Spelling.str(), ("no language '" + Value + "'").str()});
    pass(("-std=" + Value).str());
    break;
  case FlagAction::Language:
    if (Value != "cu" && Value != "cuda" && Value != "c" && Value != "c++" &&
        Value != "none")
      return makeError(DiagID::BadFlagValue,
                       {Spelling.str(), ("no language '" + Value + "'").str()});
    Language = Value == "none" ? "" : Value.str();
    break;
  case FlagAction::HostOptions:
    parseHostOptions(Value);
    break;
  case FlagAction::Arch:
  case FlagAction::Code:
  case FlagAction::GenerateCode:
    if (!isArchitectureList(Value))
      return makeError(
          DiagID::BadFlagValue,
          {Spelling.str(), ("no architecture '" + Value + "'").str()});
    if (Found.Flag->Action == FlagAction::GenerateCode)
      Command.GenerateCode.push_back(Value.str());
    else if (Found.Flag->Action == FlagAction::Code)
      Command.GpuCode += (Command.GpuCode.empty() ? "" : ",") + Value.str();
    else
      Command.GpuArchitecture = Value.str();
    break;
  case FlagAction::HostCompiler:
    Command.HostCompiler = Value.str();
    break;
  case FlagAction::Rdc:
    if (Value == "true")
      pass("-D__CUDACC_RDC__");
    break;
  case FlagAction::DeviceDebug:
    pass("-D__CUDACC_DEBUG__");
    break;
  case FlagAction::RelaxedConstexpr:
    pass("-D__CUDACC_RELAXED_CONSTEXPR__");
    break;
  case FlagAction::ExtendedLambda:
    pass("-D__CUDACC_EXTENDED_LAMBDA__");
    break;
  case FlagAction::DefaultStream:
    if (Value == "per-thread")
      pass("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
    break;
  case FlagAction::ForwardUnknown:
    ForwardsUnknown = true;
    break;
  case FlagAction::OptionsFile:
    llvm_unreachable("expanded before");
  case FlagAction::NoExceptions:
    pass("-fno-exceptions");
    break;
  case FlagAction::TemplateDepth:
    pass(("-ftemplate-depth=" + Value).str());
    break;
  }
  return llvm::Error::success();
}

/// Flags of Clang that change the result of a parse, passed on unchanged.
static bool isPassedOn(unsigned ID) {
  switch (ID) {
  case options::OPT_iquote:
  case options::OPT_idirafter:
  case options::OPT_isysroot:
  case options::OPT__sysroot_EQ:
  case options::OPT_stdlib_EQ:
  case options::OPT_gcc_toolchain:
  case options::OPT_gcc_install_dir_EQ:
  case options::OPT_resource_dir:
  case options::OPT_resource_dir_EQ:
  case options::OPT_nostdinc:
  case options::OPT_nostdincxx:
  case options::OPT_nostdlibinc:
  case options::OPT_fno_exceptions:
  case options::OPT_fexceptions:
  case options::OPT_fno_rtti:
  case options::OPT_frtti:
  case options::OPT_fsigned_char:
  case options::OPT_fno_signed_char:
  case options::OPT_funsigned_char:
  case options::OPT_fms_extensions:
  case options::OPT_fno_ms_extensions:
  case options::OPT_fchar8__t:
  case options::OPT_fno_char8__t:
  case options::OPT_fconstexpr_depth_EQ:
  case options::OPT_fconstexpr_steps_EQ:
  case options::OPT_pthread:
  case options::OPT_imacros:
  case options::OPT_ansi:
    return true;
  default:
    return false;
  }
}

/// Flags that could run foreign code during the parse, or turn it into another
/// job.
static bool isRefused(unsigned ID) {
  switch (ID) {
  case options::OPT_Xclang:
  case options::OPT_Xpreprocessor:
  case options::OPT_Wp_COMMA:
  case options::OPT_fplugin_EQ:
  case options::OPT_fplugin_arg:
  case options::OPT_fpass_plugin_EQ:
  case options::OPT_ivfsoverlay:
  case options::OPT_cuda_host_only:
  case options::OPT_cuda_compile_host_device:
    return true;
  default:
    return false;
  }
}

/// `; did you mean '--gpu-architecture'?`, or nothing.
static std::string suggestFlag(llvm::StringRef Spelling) {
  llvm::StringRef Name = Spelling.split('=').first;
  std::string Nearest;
  unsigned Distance = clang::getDriverOptTable().findNearest(
      Name, Nearest, llvm::opt::Visibility(options::ClangOption));
  unsigned Best = std::min(Distance, 3u);
  for (const NvccFlag &Flag : NvccFlags) {
    std::string Long = "--" + Flag.Long.str();
    if (unsigned D = Name.edit_distance(Long); D < Best) {
      Best = D;
      Nearest = Long;
    }
  }
  return Best < 3 ? "; did you mean '" + Nearest + "'?" : "";
}

llvm::Error CommandParser::parseClang(size_t &Index) {
  const llvm::opt::OptTable &Table = clang::getDriverOptTable();
  std::vector<const char *> Argv;
  for (const std::string &Arg : Command.Args)
    Argv.push_back(Arg.c_str());
  llvm::opt::InputArgList List(Argv.data(), Argv.data() + Argv.size());
  unsigned Next = Index;
  std::string Spelling = Command.Args[Index];
  std::unique_ptr<llvm::opt::Arg> Arg = Table.ParseOneArg(
      List, Next, llvm::opt::Visibility(options::ClangOption));
  if (!Arg)
    return makeError(DiagID::BadFlagValue, {Spelling, "missing value"});
  llvm::opt::Option Option = Arg->getOption().getUnaliasedOption();
  if (Arg->getOption().getKind() == llvm::opt::Option::UnknownClass) {
    if (ForwardsUnknown) {
      takeHostOption(Spelling);
      return llvm::Error::success();
    }
    return makeError(DiagID::UnknownFlag, {Spelling, suggestFlag(Spelling)});
  }
  unsigned ID = Option.getID();
  if (isRefused(ID))
    return makeError(DiagID::BadFlagValue,
                     {Spelling, "not allowed, as the parse depends on it"});
  if (ID == options::OPT_cuda_path_EQ)
    Command.CudaPath = Arg->getValue();
  else if (ID == options::OPT_no_offload_inc)
    Command.NoCudaInclude = true;
  else if (isPassedOn(ID))
    for (size_t I = Index; I != Next; ++I)
      pass(Command.Args[I]);
  Index = Next - 1;
  return llvm::Error::success();
}

llvm::Expected<CompileCommand>
CommandParser::parse(llvm::ArrayRef<std::string> Args) {
  if (llvm::Error E = expand(Args, 0))
    return E;
  // This flag has an effect wherever it stands.
  for (const std::string &Arg : Command.Args)
    if (Arg.size() > 1 && Arg[0] == '-')
      if (Match Found = matchNvcc(Arg);
          Found.Flag && Found.Flag->Action == FlagAction::ForwardUnknown)
        ForwardsUnknown = true;

  for (size_t I = 0; I != Command.Args.size(); ++I) {
    std::string Arg = Command.Args[I];
    if (Arg == "--")
      continue;
    if (Arg.size() < 2 || Arg[0] != '-') {
      addInput(I);
      continue;
    }
    Match Found = matchNvcc(Arg);
    if (!Found.Flag) {
      if (llvm::Error E = parseClang(I))
        return E;
      continue;
    }
    std::string Value;
    bool TakesNext = Found.Flag->Form == FlagForm::Value ||
                     Found.Flag->Form == FlagForm::Joined;
    if (Found.Value) {
      Value = Found.Value->str();
    } else if (TakesNext) {
      // Without a value, `-Werror` and `-O` are options of the host compiler.
      bool Alone = Arg == "-Werror" || Arg == "-O";
      if (!Alone && I + 1 == Command.Args.size())
        return makeError(DiagID::BadFlagValue, {Arg, "missing value"});
      if (!Alone)
        Value = Command.Args[++I];
    }
    if (llvm::Error E = apply(Found, Arg, Value))
      return E;
  }
  return std::move(Command);
}

llvm::Expected<CompileCommand>
warpwright::parseCommand(llvm::ArrayRef<std::string> Args,
                         llvm::StringRef Directory) {
  return CommandParser(Directory).parse(Args);
}

bool warpwright::takesNextWord(llvm::StringRef Flag) {
  if (Flag.size() < 2 || Flag[0] != '-' || Flag == "--")
    return false;
  if (Match Found = matchNvcc(Flag); Found.Flag)
    return !Found.Value && Flag != "-Werror" && Flag != "-O" &&
           (Found.Flag->Form == FlagForm::Value ||
            Found.Flag->Form == FlagForm::Joined);
  // A flag of Clang that is given with a following word uses that word as its
  // value, if it takes one.
  std::string Copy = Flag.str();
  const char *Argv[] = {Copy.c_str(), "word"};
  llvm::opt::InputArgList List(std::begin(Argv), std::end(Argv));
  unsigned Next = 0;
  std::unique_ptr<llvm::opt::Arg> Arg = clang::getDriverOptTable().ParseOneArg(
      List, Next, llvm::opt::Visibility(options::ClangOption));
  return Arg && Next == 2;
}

/// Flags of Clang for the kind of output, or for dependency files.
static bool isOutputFlag(const llvm::opt::Option &Option) {
  return Option.matches(options::OPT_M_Group) ||
         Option.matches(options::OPT_Action_Group) ||
         Option.matches(options::OPT_o);
}

llvm::Expected<std::vector<std::string>>
warpwright::getSourceFlags(llvm::ArrayRef<std::string> Args,
                           llvm::StringRef Directory) {
  llvm::Expected<CompileCommand> Command = parseCommand(Args, Directory);
  if (!Command)
    return Command.takeError();
  auto Absolute = [&](llvm::StringRef Path) {
    llvm::SmallString<128> Result(Path);
    if (!Directory.empty())
      llvm::sys::path::make_absolute(Directory, Result);
    return Result.str().str();
  };
  const llvm::opt::OptTable &Table = clang::getDriverOptTable();
  std::vector<std::string> Result;
  llvm::ArrayRef<std::string> Words(Command->Args);
  for (size_t I = 0; I != Words.size(); ++I) {
    llvm::StringRef Arg = Words[I];
    if (Arg.size() < 2 || Arg[0] != '-' || Arg == "--")
      continue; // an input
    bool HasNext = takesNextWord(Arg) && I + 1 != Words.size();
    Match Found = matchNvcc(Arg);
    std::optional<FlagAction> Action;
    if (Found.Flag)
      Action = Found.Flag->Action;
    switch (Action.value_or(FlagAction::Ignore)) {
    case FlagAction::Compile:
    case FlagAction::CompileRdc:
    case FlagAction::Preprocess:
    case FlagAction::Information:
    case FlagAction::DepFile:
    case FlagAction::DepFileName:
    case FlagAction::DepTarget:
    case FlagAction::Output:
    case FlagAction::OutputFolder:
    case FlagAction::Language:
      I += HasNext;
      continue;
    case FlagAction::Include:
    case FlagAction::SystemInclude:
    case FlagAction::LibraryFolder: {
      llvm::SmallVector<llvm::StringRef, 4> List;
      const std::string Value =
          HasNext ? Words[++I] : Found.Value.value_or("").str();
      llvm::StringRef(Value).split(List, ',', -1, /*KeepEmpty=*/false);
      for (llvm::StringRef Item : List)
        Result.insert(Result.end(),
                      {("-" + Found.Flag->Short).str(), Absolute(Item)});
      continue;
    }
    default:
      break;
    }
    if (!Action) {
      std::string Copy = Arg.str();
      std::string Next = HasNext ? Words[I + 1] : "";
      const char *Argv[] = {Copy.c_str(), Next.c_str()};
      llvm::opt::InputArgList List(std::begin(Argv), std::end(Argv));
      unsigned Index = 0;
      std::unique_ptr<llvm::opt::Arg> Parsed = Table.ParseOneArg(
          List, Index, llvm::opt::Visibility(options::ClangOption));
      if (Parsed && isOutputFlag(Parsed->getOption().getUnaliasedOption())) {
        I += HasNext;
        continue;
      }
      if (Parsed && Parsed->getNumValues() == 1 &&
          (Parsed->getOption().matches(options::OPT_iquote) ||
           Parsed->getOption().matches(options::OPT_idirafter))) {
        Result.push_back(Parsed->getOption().getPrefixedName().str());
        Result.push_back(Absolute(Parsed->getValue()));
        I += HasNext;
        continue;
      }
    }
    Result.push_back(Arg.str());
    if (HasNext)
      Result.push_back(Words[++I]);
  }
  return Result;
}
