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

llvm::Expected<DatabaseCommand>
warpwright::loadCompileCommand(llvm::StringRef BuildPath,
                               llvm::StringRef File) {
  auto Fail = [&](DiagID ID, std::vector<std::string> Arguments) {
    return llvm::make_error<DiagError>(ID, std::move(Arguments));
  };
  llvm::SmallString<128> Json(BuildPath);
  if (llvm::sys::fs::is_directory(BuildPath))
    path::append(Json, "compile_commands.json");
  std::string Error;
  auto Database = clang::tooling::JSONCompilationDatabase::loadFromFile(
      Json, Error, clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (!Database) {
    // The message is `Error while opening JSON database: reason`.
    llvm::StringRef Reason(Error);
    return Fail(DiagID::CannotRead,
                {Json.str().str(), Reason.rsplit(": ").second.str()});
  }
  llvm::SmallString<128> Absolute(File);
  llvm::sys::fs::make_absolute(Absolute);
  path::remove_dots(Absolute, /*remove_dot_dot=*/true);
  std::vector<clang::tooling::CompileCommand> Found =
      Database->getCompileCommands(Absolute);
  if (Found.empty())
    return Fail(DiagID::NoCompileCommand, {File.str(), Json.str().str(), ""});

  const clang::tooling::CompileCommand &First = Found.front();
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
