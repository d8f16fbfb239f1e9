//===-- Scan.cpp - warpwright scan ----------------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `scan` reads a code base, each source in a process of its own, and combines
/// the findings: a kernel in a header is counted once, however many sources
/// include it. The output depends on the files alone, not on the order in which
/// the processes end.
///
//===----------------------------------------------------------------------===//

#include "Scan.h"
#include "Arguments.h"
#include "warpwright/Frontend/Diagnostics.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <map>
#include <set>

using namespace warpwright;
using Verdict = ScannedKernel::Verdict;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

struct ScanOptions {
  SourceOptions Source; ///< what all files have in common
  std::vector<std::string> Inputs;
  std::string Format = "text";
  unsigned Jobs = 0; ///< 0: as many as the machine has processors
  bool Annotate = false;
};

/// A source to be read.
struct ScanInput {
  std::string Path; ///< as it is opened
  bool Quick;       ///< not named by the user: may have no kernel
};

class Scanner {
public:
  Scanner(const ScanOptions &Options, llvm::StringRef Executable)
      : Options(Options), Executable(Executable) {}

  llvm::Expected<int> run();

private:
  llvm::Error findInputs();
  void addFolder(llvm::StringRef Folder);
  void addInput(llvm::StringRef Path, bool Quick);
  void addFailure(llvm::StringRef Path, DiagID ID, llvm::StringRef Why);
  void addDatabase(const std::vector<std::string> &Sources);
  /// Reads \p Inputs into Files.
  void scan(std::vector<ScanInput> Inputs);
  void merge();
  void annotate();
  std::string show(llvm::StringRef Real) const;

  const ScanOptions &Options;
  llvm::StringRef Executable;
  std::vector<ScanInput> Inputs;
  /// Headers in the named folders that may not be included by any source.
  std::vector<std::string> Headers;
  llvm::StringSet<> Seen; ///< real paths of Inputs and Headers
  std::vector<ScannedFile> Files;
  ScanReport Report;
  /// The real paths of the named files and folders, and how they were named.
  std::map<std::string, std::string> Named;
  bool CannotRead = false, CannotWrite = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// The command line
//===----------------------------------------------------------------------===//

static llvm::Expected<ScanOptions> parseScan(const CommandLine &Line) {
  llvm::Expected<Arguments> Given = Arguments::parse(Line.Args, ScanOption);
  if (!Given)
    return Given.takeError();
  ScanOptions Options;
  SourceOptions &Source = Options.Source;
  Source.BuildPath = Given->valueOrEmpty(OPT_p);
  Source.Output = Given->valueOrEmpty(OPT_o);
  Source.ExtraArgs = Given->values(OPT_extra_arg);
  Source.Flags = Given->BehindDashes;
  Source.Check = !Given->has(OPT_no_check);
  Options.Annotate = Given->has(OPT_annotate);
  Options.Inputs = Given->Inputs;
  if (std::optional<llvm::StringRef> Jobs = Given->value(OPT_j)) {
    Jobs->consume_front("=");
    if (Jobs->getAsInteger(10, Options.Jobs) || !Options.Jobs ||
        Options.Jobs > 256)
      return makeUsageError("'-j' takes a number from 1 to 256, not '" + *Jobs +
                            "'");
  }
  if (std::optional<llvm::StringRef> Format = Given->value(OPT_format)) {
    Options.Format = Format->str();
    if (*Format != "text" && *Format != "json" && *Format != "sarif")
      return makeUsageError("no format called '" + *Format +
                            "'; expected 'text', 'json' or 'sarif'");
  }
  if (llvm::Error E = readGuardOptions(*Given, Source.Guard))
    return E;
  if (Options.Inputs.empty() && Source.BuildPath.empty())
    return makeUsageError("nothing to scan; name folders or files, or a build "
                          "with '-p'");
  return Options;
}

//===----------------------------------------------------------------------===//
// Which files
//===----------------------------------------------------------------------===//

static std::string getRealPath(llvm::StringRef Path) {
  llvm::SmallString<256> Real;
  if (!fs::real_path(Path, Real))
    return Real.str().str();
  Real = Path;
  fs::make_absolute(Real);
  path::remove_dots(Real, /*remove_dot_dot=*/true);
  return Real.str().str();
}

/// Whether \p File is \p Folder or in it.
static bool isIn(llvm::StringRef File, llvm::StringRef Folder) {
  Folder = Folder.rtrim('/');
  return File.consume_front(Folder) && (File.empty() || File.starts_with("/"));
}

void Scanner::addInput(llvm::StringRef Path, bool Quick) {
  if (Seen.insert(getRealPath(Path)).second)
    Inputs.push_back({Path.str(), Quick});
}

void Scanner::addFailure(llvm::StringRef Path, DiagID ID, llvm::StringRef Why) {
  ScanReason Reason;
  Reason.Code = unsigned(ID);
  Reason.Text = Why.str();
  Report.Failures.push_back({getRealPath(Path), std::move(Reason)});
}

/// Adds the sources and headers in \p Folder and below. Links to folders are
/// not followed, since they may lead in circles.
void Scanner::addFolder(llvm::StringRef Folder) {
  std::error_code Error;
  std::vector<std::string> Entries;
  for (fs::directory_iterator I(Folder, Error), End; !Error && I != End;
       I.increment(Error))
    Entries.push_back(I->path());
  if (Error) {
    addFailure(Folder, DiagID::CannotRead, Error.message());
    CannotRead = true;
    return;
  }
  llvm::sort(Entries);
  for (const std::string &Entry : Entries) {
    llvm::StringRef Name = path::filename(Entry);
    fs::file_status Status;
    // Folders of version control and CMake.
    if (Name.starts_with(".") || Name == "CMakeFiles" ||
        fs::status(Entry, Status, /*follow=*/false))
      continue;
    if (fs::is_directory(Status)) {
      addFolder(Entry);
      continue;
    }
    llvm::StringRef Extension = path::extension(Entry);
    if (fs::status(Entry, Status) || !fs::is_regular_file(Status))
      continue;
    if (Extension == ".cu")
      addInput(Entry, /*Quick=*/true);
    else if (Extension == ".cuh" || Extension == ".h" || Extension == ".hpp" ||
             Extension == ".hh" || Extension == ".hxx" || Extension == ".inl")
      Headers.push_back(Entry);
  }
}

/// Adds the build's sources in the named files and folders, or all of them if
/// none was named.
void Scanner::addDatabase(const std::vector<std::string> &Sources) {
  for (const std::string &Source : Sources) {
    const std::string Real = getRealPath(Source);
    if (!Named.empty() && llvm::none_of(Named, [&](const auto &Each) {
          return isIn(Real, Each.first);
        }))
      continue;
    if (fs::exists(Source))
      addInput(Source, /*Quick=*/true);
    else
      addFailure(Source, DiagID::CannotRead, "no such file");
  }
}

llvm::Error Scanner::findInputs() {
  for (const std::string &Input : Options.Inputs)
    if (!fs::is_directory(Input))
      if (llvm::Error E = checkInput(Input))
        return E;
  for (const std::string &Input : Options.Inputs)
    Named.try_emplace(getRealPath(Input), Input);
  if (!Options.Source.BuildPath.empty()) {
    llvm::Expected<std::vector<std::string>> Sources =
        listCudaSources(Options.Source.BuildPath);
    if (!Sources)
      return Sources.takeError();
    for (const std::string &Input : Options.Inputs)
      if (!fs::is_directory(Input))
        addInput(Input, /*Quick=*/false);
    addDatabase(*Sources);
  } else {
    // All files have the same flags, so a mistake in them concerns all files.
    SourceOptions First = Options.Source;
    First.Input = Options.Inputs.front();
    if (auto Parse = makeParseOptions(First, Executable); !Parse)
      return Parse.takeError();
  }
  for (const std::string &Input : Options.Inputs)
    if (fs::is_directory(Input))
      addFolder(Input);
    else
      addInput(Input, /*Quick=*/false);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Reading them
//===----------------------------------------------------------------------===//

void Scanner::scan(std::vector<ScanInput> Batch) {
  const size_t First = Files.size(), All = First + Batch.size();
  Files.resize(All);
  const bool Progress = llvm::sys::Process::StandardErrIsDisplayed();
  size_t Finished = First;
  auto Work = [&](size_t I) {
    SourceOptions Source = Options.Source;
    Source.Input = Batch[I].Path;
    const ScannedFile File =
        scanFile(Source, Executable, Batch[I].Quick, Options.Annotate);
    std::string Text;
    llvm::raw_string_ostream(Text) << toJSON(File);
    return Text;
  };
  auto Done = [&](size_t I, std::optional<std::string> Text, std::string Why) {
    ScannedFile &File = Files[First + I];
    if (Text) {
      llvm::Expected<llvm::json::Value> Parsed = llvm::json::parse(*Text);
      llvm::json::Path::Root Root;
      if (!Parsed)
        Why = "reports nothing that can be read (" +
              llvm::toString(Parsed.takeError()) + ")";
      else if (!fromJSON(*Parsed, File, Root))
        Why = "reports what nobody understands";
    }
    if (!Why.empty()) {
      File = ScannedFile();
      ScanReason Reason;
      Reason.Code = unsigned(DiagID::ToolFailed);
      Reason.Text = "internal error: Warpwright " + Why;
      File.Failure = std::move(Reason);
    }
    File.Path = getRealPath(Batch[I].Path);
    ++Finished;
    if (Progress)
      llvm::errs() << "\r\033[K[" << Finished << '/' << All << "] "
                   << Batch[I].Path;
  };
  const unsigned Jobs =
      Options.Jobs ? Options.Jobs
                   : llvm::hardware_concurrency().compute_thread_count();
  runGuardedPool(Options.Source.Guard, Jobs, Batch.size(), Work, Done);
  if (Progress)
    llvm::errs() << "\r\033[K";
}

/// Of two findings about one kernel of a header, keeps the one that says more:
/// what counts is whether it converts in one of the files that include it.
static bool saysMore(const ScannedKernel &A, const ScannedKernel &B) {
  if (A.Annotated != B.Annotated)
    return A.Annotated;
  if (A.What != B.What)
    return A.What < B.What;
  return A.Insertion && !B.Insertion;
}

void Scanner::merge() {
  std::map<std::tuple<std::string, unsigned, unsigned, std::string>,
           const ScannedKernel *>
      Found;
  // In the order of the inputs, not in the order in which they were read.
  for (const ScannedFile &File : Files) {
    if (File.Failure)
      Report.Failures.push_back({File.Path, *File.Failure});
    for (const ScannedKernel &K : File.Kernels) {
      auto [It, New] =
          Found.try_emplace({show(K.File), K.Line, K.Column, K.Name}, &K);
      if (!New && saysMore(K, *It->second))
        It->second = &K;
    }
  }
  for (const auto &Each : Found)
    Report.Kernels.push_back(*Each.second);
  llvm::stable_sort(Report.Failures, [&](const auto &A, const auto &B) {
    return show(A.Path) < show(B.Path);
  });
  Report.NumFiles = Files.size();
}

/// Paths are printed as they were named, or relative to the current folder.
std::string Scanner::show(llvm::StringRef Real) const {
  const std::string *Best = nullptr;
  size_t Length = 0;
  for (const auto &[Folder, Name] : Named)
    if (isIn(Real, Folder) && Folder.size() >= Length) {
      Best = &Name;
      Length = Folder.size();
    }
  if (Best) {
    llvm::StringRef Rest = Real.drop_front(Length).ltrim('/');
    if (Rest.empty())
      return *Best;
    llvm::StringRef Name(*Best);
    while (Name.size() > 1 && Name.consume_back("/")) {
    }
    if (Name == ".")
      return Rest.str();
    return (Name + (Name == "/" ? "" : "/") + Rest).str();
  }
  llvm::SmallString<256> Here;
  if (!fs::current_path(Here)) {
    const std::string RealHere = getRealPath(Here);
    if (isIn(Real, RealHere) && Real != RealHere)
      return Real.drop_front(RealHere.size()).ltrim('/').str();
  }
  return Real.str();
}

//===----------------------------------------------------------------------===//
// --annotate
//===----------------------------------------------------------------------===//

void Scanner::annotate() {
  std::map<std::string, std::map<unsigned, const ScanInsertion *>> Edits;
  size_t NumPragmas = 0, NumWritten = 0;
  const bool AnyFolder = llvm::any_of(
      Named, [](const auto &Each) { return fs::is_directory(Each.first); });
  for (ScannedKernel &K : Report.Kernels) {
    if (K.What != Verdict::Converts || K.Annotated || K.Rewritten)
      continue;
    if (K.Insertion && AnyFolder && llvm::none_of(Named, [&](const auto &Each) {
          return isIn(K.Insertion->File, Each.first);
        })) {
      K.Insertion.reset();
      K.NoInsertion = "it is outside of what was named";
    }
    if (!K.Insertion)
      reportPlain(DiagID::NotAnnotated,
                  {K.Name, show(K.File) + ":" + std::to_string(K.Line) + ": " +
                               K.NoInsertion});
    else
      Edits[K.Insertion->File][K.Insertion->Offset] = &*K.Insertion;
  }
  for (const auto &[File, Places] : Edits) {
    auto Fail = [&, &Name = File](llvm::StringRef Why) {
      reportPlain(DiagID::CannotWrite, {show(Name), Why.str()});
      CannotWrite = true;
    };
    auto Buffer = llvm::MemoryBuffer::getFile(File);
    if (!Buffer) {
      Fail(Buffer.getError().message());
      continue;
    }
    llvm::StringRef Text = (*Buffer)->getBuffer();
    std::vector<TextEdit> All;
    bool Same = true;
    for (const auto &[Offset, Insertion] : Places) {
      Same &= llvm::xxh3_64bits(Text) == Insertion->Hash;
      All.push_back({Offset, 0, Insertion->Text});
    }
    llvm::Expected<std::string> Edited =
        Same ? applyEdits(Text, std::move(All)) : std::string();
    if (!Edited || !Same) {
      if (!Edited)
        llvm::consumeError(Edited.takeError());
      Fail("it has changed since it was read");
      continue;
    }
    if (llvm::Error E = writeOutput(File, *Edited)) {
      reportError(std::move(E));
      CannotWrite = true;
      continue;
    }
    NumPragmas += Places.size();
    ++NumWritten;
  }
  llvm::errs() << "warpwright: " << NumPragmas
               << (NumPragmas == 1 ? " pragma" : " pragmas") << " inserted in "
               << NumWritten << (NumWritten == 1 ? " file\n" : " files\n");
}

llvm::Expected<int> Scanner::run() {
  if (llvm::Error E = findInputs())
    return E;
  for (const ScanInput &Input : Inputs)
    if (llvm::Error E = checkNotOutput(Options.Source.Output, Input.Path,
                                       "one of the files that are read"))
      return E;
  for (const std::string &Header : Headers)
    if (llvm::Error E = checkNotOutput(Options.Source.Output, Header,
                                       "one of the files that are read"))
      return E;
  scan(Inputs);
  // A header that no source includes is read by itself, if all files have the
  // same flags.
  if (Options.Source.BuildPath.empty()) {
    llvm::StringSet<> Entered;
    for (const ScannedFile &File : Files)
      for (const std::string &Each : File.Entered)
        Entered.insert(Each);
    std::vector<ScanInput> Alone;
    for (const std::string &Header : Headers) {
      const std::string Real = getRealPath(Header);
      if (Entered.count(Real) || !Seen.insert(Real).second)
        continue;
      auto Buffer = llvm::MemoryBuffer::getFile(Header);
      if (Buffer && mayHoldKernel((*Buffer)->getBuffer()))
        Alone.push_back({Header, /*Quick=*/false});
    }
    scan(std::move(Alone));
  }
  merge();
  auto Show = [&](llvm::StringRef Real) { return show(Real); };
  std::string Text = Options.Format == "json"    ? printScanJSON(Report, Show)
                     : Options.Format == "sarif" ? printScanSarif(Report, Show)
                                                 : printScanText(Report, Show);
  if (llvm::Error E = writeOutput(Options.Source.Output, Text))
    return E;
  if (Options.Annotate)
    annotate();
  if (CannotRead || CannotWrite)
    return ES_Failure;
  return Report.Failures.empty() ? ES_Success : ES_Declined;
}

int warpwright::runScan(const CommandLine &Line) {
  llvm::Expected<ScanOptions> Options = parseScan(Line);
  if (!Options) {
    reportError(Options.takeError());
    return ES_Failure;
  }
  llvm::Expected<int> Status = Scanner(*Options, Line.Executable).run();
  if (Status)
    return *Status;
  reportError(Status.takeError());
  return ES_Failure;
}
