//===- ExplainPictures.cpp - warpwright explain --svg ---------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// Writes the pictures of every planned kernel to a folder.
///
//===----------------------------------------------------------------------===//

#include "ExplainPictures.h"
#include "Driver.h"
#include "warpwright/Contraction/CaseName.h"
#include "warpwright/Draw/Pictures.h"
#include "warpwright/Plan/Roles.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace warpwright;

static llvm::Error cannotWrite(llvm::StringRef Path, llvm::StringRef Why) {
  return llvm::make_error<DiagError>(
      DiagID::CannotWrite, std::vector<std::string>{Path.str(), Why.str()});
}

/// `<float, 16>`, or nothing.
static std::string instanceName(const KernelInstance &Instance) {
  std::string Name;
  for (const std::string &Argument : Instance.Source.TemplateArgs)
    Name += (Name.empty() ? "<" : ", ") + Argument;
  Name += Name.empty() ? "" : ">";
  return caseName(Name, Instance.When);
}

static std::string summaryOf(const KernelPlan &P) {
  return llvm::formatv(
      "tile {0} x {1} x {2} (m, n, k), {3} stages, {4} consumer warpgroup{5}"
      "{6}, cluster {7} x {8}{9}, {10} bytes of shared memory",
      P.TileM, P.TileN, P.TileK, P.Stages, P.ConsumerWarpgroups,
      P.ConsumerWarpgroups == 1 ? "" : "s", P.Schedule->Remark, P.ClusterM,
      P.ClusterN, P.SwapAB ? ", operands swapped" : "", P.SmemBytes);
}

/// \p Wanted, or with a number behind it if that is in \p Taken already. Names
/// that differ in case only are the same to some file systems.
static std::string uniqueName(std::string Wanted, llvm::StringSet<> &Taken) {
  std::string Name = Wanted;
  for (unsigned N = 2; !Taken.insert(llvm::StringRef(Name).lower()).second; ++N)
    Name = Wanted + "." + std::to_string(N);
  return Name;
}

llvm::Expected<PictureFiles>
warpwright::drawKernels(llvm::StringRef Input,
                        llvm::ArrayRef<KernelReport> Kernels) {
  PictureFiles Files;
  std::vector<PictureEntry> Entries;
  llvm::StringSet<> Taken;
  for (const KernelReport &Kernel : Kernels) {
    PictureEntry Entry;
    Entry.Kernel = Kernel.Name;
    Entry.Place = Kernel.File + ":" + std::to_string(Kernel.Line);
    if (Kernel.Unit.Instances.empty()) {
      Entry.Note = Kernel.AlreadyRewritten ? "rewritten already"
                   : Kernel.Declined
                       ? "left as it is; the reason is in explain's warning"
                       : "declared here only";
      Entries.push_back(std::move(Entry));
      continue;
    }
    for (size_t I = 0; I != Kernel.Unit.Instances.size(); ++I) {
      const KernelInstance &Instance = Kernel.Unit.Instances[I];
      Entry.Instance = instanceName(Instance);
      Entry.Plans.clear();
      const std::string Base =
          uniqueName(fileNamePart(Kernel.Name + Entry.Instance), Taken);
      for (const KernelPlan &Plan : Instance.Plans.Plans) {
        PictureSubject Subject = pictureSubject(
            Instance.Computation, Kernel.Clauses[I], Instance.Plans, Plan);
        Subject.Kernel = Kernel.Name;
        Subject.Instance = Entry.Instance;
        llvm::Expected<std::vector<Picture>> Pictures =
            drawPlan(Plan, Subject,
                     uniqueName(Base + "-" + fileNamePart(Plan.Name), Taken));
        if (!Pictures)
          return Pictures.takeError();
        for (Picture &Each : *Pictures) {
          Files.emplace_back(Each.File, std::move(Each.Text));
          Each.Text.clear();
        }
        Entry.Plans.push_back(
            {Plan.Name, summaryOf(Plan), std::move(*Pictures)});
      }
      Entries.push_back(Entry);
    }
  }
  Files.emplace_back("index.html", indexPage(Input, Entries));
  return Files;
}

llvm::Error warpwright::writePictures(llvm::StringRef Folder,
                                      const PictureFiles &Files) {
  namespace fs = llvm::sys::fs;
  if (fs::exists(Folder) && !fs::is_directory(Folder))
    return cannotWrite(Folder, "it is a file, not a folder");
  if (std::error_code E = fs::create_directories(Folder))
    return cannotWrite(Folder, E.message());
  auto PathOf = [&](const std::string &Name) {
    llvm::SmallString<128> Path(Folder);
    llvm::sys::path::append(Path, Name);
    return Path;
  };
  // What somebody else put there under one of our names stays.
  for (const auto &[Name, Text] : Files) {
    auto Path = PathOf(Name);
    if (!fs::exists(Path))
      continue;
    auto Buffer = llvm::MemoryBuffer::getFile(Path);
    if (!Buffer)
      return cannotWrite(Path, Buffer.getError().message());
    if (!isPictureFile((*Buffer)->getBuffer()))
      return cannotWrite(Path, "a file that warpwright did not write is there");
  }
  for (const auto &[Name, Text] : Files)
    if (llvm::Error E = writeOutput(PathOf(Name), Text))
      return E;
  return llvm::Error::success();
}
