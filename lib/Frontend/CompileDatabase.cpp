//===-- CompileDatabase.cpp - compile_commands.json -----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Frontend/CompileFlags.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace warpwright;
namespace path = llvm::sys::path;

/// The compiler in a command that may start with launchers: `ccache nvcc`,
/// `warpwright launch nvcc`.
static size_t findCompiler(llvm::ArrayRef<std::string> Command) {
  for (size_t I = 0; I != Command.size(); ++I) {
    llvm::StringRef Name = path::stem(Command[I]);
    if (Name.starts_with("-"))
      break;
    if (Name.starts_with("nvcc") || Name.starts_with("clang") ||
        Name.starts_with("g++") || Name.starts_with("c++"))
      return I;
  }
  return 0;
}

using Database = clang::tooling::JSONCompilationDatabase;

/// The database at \p BuildPath, a folder or a file; \p Json becomes its path.
static llvm::Expected<std::unique_ptr<Database>>
loadDatabase(llvm::StringRef BuildPath, std::string &Json) {
  llvm::SmallString<128> Path(BuildPath);
  if (llvm::sys::fs::is_directory(BuildPath))
    path::append(Path, "compile_commands.json");
  Json = Path.str().str();
  std::string Error;
  auto Loaded = Database::loadFromFile(
      Path, Error, clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (Loaded)
    return Loaded;
  // The message is `Error while opening JSON database: reason` for a file that
  // cannot be read, and otherwise about what is in it, with or without words.
  llvm::StringRef Reason(Error);
  const bool Unreadable = Reason.consume_front("Error while opening");
  if (Unreadable)
    Reason = Reason.rsplit(": ").second;
  return llvm::make_error<DiagError>(
      DiagID::CannotRead,
      std::vector<std::string>{
          Json, Unreadable && !Reason.trim().empty()
                    ? Reason.str()
                    : "it is no compilation database" +
                          (Reason.trim().empty() || Unreadable
                               ? std::string()
                               : ": " + Reason.trim().rtrim('.').str())});
}

/// Whether the words of a command say that the source is CUDA.
static bool saysCuda(llvm::ArrayRef<std::string> Command) {
  for (size_t I = 0; I != Command.size(); ++I) {
    llvm::StringRef Word = Command[I];
    if (Word == "-x" || Word == "--x")
      Word = I + 1 != Command.size() ? llvm::StringRef(Command[I + 1]) : "";
    else if (!Word.consume_front("-x") && !Word.consume_front("--x="))
      continue;
    if (Word == "cu" || Word == "cuda")
      return true;
  }
  return false;
}

llvm::Expected<std::vector<std::string>>
warpwright::listCudaSources(llvm::StringRef BuildPath) {
  std::string Json;
  auto Loaded = loadDatabase(BuildPath, Json);
  if (!Loaded)
    return Loaded.takeError();
  std::vector<std::string> Files;
  for (const clang::tooling::CompileCommand &Each :
       (*Loaded)->getAllCompileCommands()) {
    llvm::SmallString<128> Absolute(Each.Filename);
    path::make_absolute(Each.Directory, Absolute);
    path::remove_dots(Absolute, /*remove_dot_dot=*/true);
    if (path::extension(Absolute) == ".cu" || saysCuda(Each.CommandLine))
      Files.push_back(Absolute.str().str());
  }
  llvm::sort(Files);
  Files.erase(llvm::unique(Files), Files.end());
  return Files;
}

llvm::Expected<DatabaseCommand>
warpwright::loadCompileCommand(llvm::StringRef BuildPath,
                               llvm::StringRef File) {
  std::string Json;
  auto Database = loadDatabase(BuildPath, Json);
  if (!Database)
    return Database.takeError();
  llvm::SmallString<128> Absolute(File);
  llvm::sys::fs::make_absolute(Absolute);
  path::remove_dots(Absolute, /*remove_dot_dot=*/true);
  std::vector<clang::tooling::CompileCommand> Found =
      (*Database)->getCompileCommands(Absolute);
  if (Found.empty())
    return llvm::make_error<DiagError>(
        DiagID::NoCompileCommand,
        std::vector<std::string>{File.str(), Json, ""});

  const clang::tooling::CompileCommand &First = Found.front();
  if (First.CommandLine.empty())
    return llvm::make_error<DiagError>(
        DiagID::NoCompileCommand,
        std::vector<std::string>{File.str(), Json, ": its command is empty"});
  DatabaseCommand Result;
  Result.Directory = First.Directory;
  size_t Compiler = findCompiler(First.CommandLine);
  if (Compiler < First.CommandLine.size())
    Result.Compiler = First.CommandLine[Compiler];
  llvm::ArrayRef<std::string> Rest(First.CommandLine);
  for (const std::string &Arg : Rest.drop_front(Compiler + 1)) {
    llvm::SmallString<128> ArgPath(Arg);
    path::make_absolute(First.Directory, ArgPath);
    path::remove_dots(ArgPath, /*remove_dot_dot=*/true);
    if (ArgPath != Absolute)
      Result.Args.push_back(Arg);
  }
  return Result;
}
