//===-- CudaToolkit.cpp - Where CUDA's and our own headers are ------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Frontend/CompileFlags.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <cstdlib>

using namespace warpwright;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// The last part of nvcc's own version: 88 of `V13.0.88`.
static unsigned readBuild(llvm::StringRef Root) {
  llvm::SmallString<128> Nvcc(Root), Log;
  path::append(Nvcc, "bin", "nvcc");
  if (!fs::can_execute(Nvcc) ||
      fs::createTemporaryFile("warpwright", "log", Log))
    return 0;
  std::optional<llvm::StringRef> Redirects[] = {llvm::StringRef(""), Log.str(),
                                                llvm::StringRef("")};
  llvm::sys::ExecuteAndWait(Nvcc, {Nvcc, "--version"}, std::nullopt, Redirects,
                            /*SecondsToWait=*/20);
  unsigned Build = 0;
  if (auto Buffer = llvm::MemoryBuffer::getFile(Log)) {
    llvm::StringRef Version = (*Buffer)->getBuffer().split(", V").second;
    Version = Version.take_until([](char C) { return C == '\n'; }).trim();
    if (Version.rsplit('.').second.getAsInteger(10, Build))
      Build = 0;
  }
  fs::remove(Log);
  return Build;
}

/// The toolkit at \p Root, if its headers are there.
static std::optional<CudaToolkit> inspect(llvm::StringRef Root) {
  if (Root.empty())
    return std::nullopt;
  llvm::SmallString<128> Header(Root);
  path::append(Header, "include", "cuda.h");
  auto Buffer = llvm::MemoryBuffer::getFile(Header);
  if (!Buffer)
    return std::nullopt;
  llvm::StringRef Text = (*Buffer)->getBuffer();
  size_t At = Text.find("#define CUDA_VERSION ");
  if (At == llvm::StringRef::npos)
    return std::nullopt;
  unsigned Version = 0;
  llvm::StringRef Digits = Text.substr(At).split("VERSION ").second.ltrim();
  if (Digits.consumeInteger(10, Version))
    return std::nullopt;
  return CudaToolkit{Root.str(), Version / 1000, Version % 1000 / 10};
}

/// What a wrapper script around nvcc prints about its toolkit: the line `#$
/// TOP=<path>` of a dry run.
static std::string askNvcc(llvm::StringRef Nvcc) {
  llvm::SmallString<128> Log;
  if (fs::createTemporaryFile("warpwright", "log", Log))
    return "";
  std::optional<llvm::StringRef> Redirects[] = {llvm::StringRef(""),
                                                llvm::StringRef(""), Log.str()};
  llvm::sys::ExecuteAndWait(Nvcc,
                            {Nvcc, "--dryrun", "-E", "-x", "cu", "/dev/null"},
                            std::nullopt, Redirects, /*SecondsToWait=*/20);
  std::string Top;
  if (auto Buffer = llvm::MemoryBuffer::getFile(Log)) {
    auto [Before, After] = (*Buffer)->getBuffer().split("#$ TOP=");
    Top = After.split('\n').first.trim().str();
  }
  fs::remove(Log);
  return Top;
}

static std::optional<CudaToolkit> findBeside(llvm::StringRef Nvcc) {
  llvm::SmallString<128> Real;
  if (fs::real_path(Nvcc, Real))
    return std::nullopt;
  if (auto Found = inspect(path::parent_path(path::parent_path(Real))))
    return Found;
  return inspect(askNvcc(Real));
}

llvm::Expected<std::optional<CudaToolkit>>
warpwright::findToolkit(const CompileCommand &Command, llvm::StringRef Nvcc) {
  if (!Command.CudaPath.empty()) {
    if (auto Found = inspect(Command.CudaPath))
      return Found;
    return llvm::make_error<DiagError>(
        DiagID::BadToolkit,
        std::vector<std::string>{Command.CudaPath, "it has no include/cuda.h"});
  }
  auto Resolve = [](llvm::StringRef Name) {
    auto Found = llvm::sys::findProgramByName(Name);
    return Found ? *Found : std::string();
  };
  if (!Nvcc.empty())
    if (auto Found = findBeside(Resolve(Nvcc)))
      return Found;
  for (const char *Variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *Value = std::getenv(Variable))
      if (auto Found = inspect(Value))
        return Found;
  if (std::string OnPath = Resolve("nvcc"); !OnPath.empty())
    if (auto Found = findBeside(OnPath))
      return Found;
  for (llvm::StringRef Usual : {"/usr/local/cuda", "/opt/cuda", "/usr"})
    if (auto Found = inspect(Usual))
      return Found;
  return std::optional<CudaToolkit>();
}

ToolPaths warpwright::getToolPaths(llvm::StringRef Executable) {
  llvm::SmallString<128> Share(
      path::parent_path(path::parent_path(Executable)));
  path::append(Share, "share", "warpwright");
  ToolPaths Paths;
  llvm::SmallString<128> Runtime(Share), Parse(Share);
  path::append(Runtime, "include");
  path::append(Parse, "parse");
  Paths.RuntimeInclude = Runtime.str().str();
  Paths.ParseInclude = Parse.str().str();
  return Paths;
}

bool warpwright::hasClangHost(const CompileCommand &Command,
                              llvm::StringRef Compiler) {
  llvm::StringRef Host = Command.HostCompiler;
  if (Host.empty())
    if (const char *Chosen = std::getenv("NVCC_CCBIN"))
      Host = Chosen;
  if (!Compiler.empty() && !path::filename(Compiler).contains("nvcc"))
    Host = Compiler;
  return path::filename(Host).contains("clang");
}

std::vector<std::string>
warpwright::makeClangArgs(const CompileCommand &Command,
                          const std::optional<CudaToolkit> &Toolkit,
                          const ToolPaths &Paths) {
  std::vector<std::string> Args = {
      "-x",
      "cuda",
      "--cuda-device-only",
      "--cuda-gpu-arch=sm_90a",
      "-fsyntax-only",
      "-nocudalib",
      "-ferror-limit=0",
      // Suppress "2 errors generated"; the collector prints carets itself.
      "-fno-caret-diagnostics",
      // The newest version that Clang 22 knows. Without it, as for CUDA 13, a
      // launch refers to cudaConfigureCall, which CUDA 9 removed.
      "-Xclang",
      "-target-sdk-version=12.9",
  };
  bool Stub = !Toolkit || Command.NoCudaInclude;
  if (Stub) {
    Args.push_back("-nocudainc");
    // Without a toolkit Clang takes its version of PTX for one that has no
    // matrix instructions. This one is what it takes with CUDA 12.9.
    Args.push_back("--cuda-feature=+ptx88");
  } else {
    Args.push_back("--cuda-path=" + Toolkit->Path);
    // CUDA 13 is newer than Clang 22 knows, but its headers can be parsed.
    Args.push_back("--no-cuda-version-check");
    Args.push_back("-Wno-unknown-cuda-version");
    llvm::SmallString<128> Hints(Paths.ParseInclude);
    path::append(Hints, "cache_hints.h");
    Args.push_back("-include");
    Args.push_back(Hints.str().str());
  }
  // The same default as nvcc's, unless the command says otherwise.
  Args.push_back("-std=c++17");
  unsigned Major = Toolkit ? Toolkit->Major : 13;
  unsigned Minor = Toolkit ? Toolkit->Minor : 0;
  Args.push_back("-D__CUDACC_VER_MAJOR__=" + std::to_string(Major));
  Args.push_back("-D__CUDACC_VER_MINOR__=" + std::to_string(Minor));
  unsigned Build = Toolkit ? readBuild(Toolkit->Path) : 0;
  Args.push_back("-D__CUDACC_VER_BUILD__=" + std::to_string(Build));
  Args.push_back("-D__CUDA_API_VER_MAJOR__=" + std::to_string(Major));
  Args.push_back("-D__CUDA_API_VER_MINOR__=" + std::to_string(Minor));
  Args.push_back("-D__CUDA_ARCH_LIST__=" + listArchitectures(Command));
  Args.push_back("-D__NVCC_DIAG_PRAGMA_SUPPORT__=1");
  Args.push_back("-D__NVCC__");
  Args.push_back("-D__WARPWRIGHT__=1");
  Args.insert(Args.end(), Command.ClangArgs.begin(), Command.ClangArgs.end());
  if (!Stub) {
    // Before the toolkit's own.
    llvm::SmallString<128> Own(Paths.ParseInclude);
    path::append(Own, "toolkit");
    Args.push_back("-isystem");
    Args.push_back(Own.str().str());
    // nvcc finds cuda/std and thrust in this folder.
    llvm::SmallString<128> Cccl(Toolkit->Path);
    path::append(Cccl, "include", "cccl");
    if (fs::is_directory(Cccl)) {
      Args.push_back("-isystem");
      Args.push_back(Cccl.str().str());
    }
  } else if (!Command.NoCudaInclude) {
    Args.push_back("-isystem");
    Args.push_back(Paths.ParseInclude);
    Args.push_back("-include");
    Args.push_back("warpwright_parse.h");
  }
  Args.push_back("-isystem");
  Args.push_back(Paths.RuntimeInclude);
  return Args;
}
