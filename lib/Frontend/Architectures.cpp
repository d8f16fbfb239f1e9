//===-- Architectures.cpp - Which images a command makes ------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The bodies of Hopper kernels are compiled where __CUDA_ARCH_FEAT_SM90_ALL is
/// defined, which is so for the virtual architecture compute_90a. An H200 runs
/// them if it loads an image made from compute_90a: sm_90a, or its PTX. If
/// there is also an image for sm_90, the driver prefers that to any PTX.
///
//===----------------------------------------------------------------------===//

#include "warpwright/Frontend/CompileFlags.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace warpwright;

namespace {

/// Images of one virtual architecture.
struct Generated {
  std::string Virtual;            ///< compute_90a
  std::vector<std::string> Codes; ///< sm_90a, compute_90a, lto_90a
};

} // namespace

/// The words of a list that may have brackets and quotes around it.
static std::vector<std::string> splitList(llvm::StringRef List) {
  std::string Plain;
  for (char C : List)
    if (C != '[' && C != ']' && C != '"' && C != '\'' && C != '\\')
      Plain += C;
  llvm::SmallVector<llvm::StringRef, 4> Parts;
  llvm::StringRef(Plain).split(Parts, ',', -1, /*KeepEmpty=*/false);
  std::vector<std::string> Words;
  for (llvm::StringRef Part : Parts)
    Words.push_back(Part.trim().str());
  return Words;
}

/// `sm_90a`, or one of the other names of 90a.
static std::string makeVirtual(llvm::StringRef Name) {
  return ("compute_" + Name.split('_').second).str();
}

/// `arch=compute_90a,code=[sm_90a,compute_90a]`
static Generated parseGenerateCode(llvm::StringRef Value) {
  Generated Result;
  bool IsCode = false;
  for (llvm::StringRef Word : splitList(Value)) {
    if (Word.consume_front("arch=")) {
      IsCode = false;
      Result.Virtual = Word.str();
      continue;
    }
    IsCode |= Word.consume_front("code=");
    if (IsCode)
      Result.Codes.push_back(Word.str());
  }
  // Without a code, nvcc makes PTX.
  if (Result.Codes.empty())
    Result.Codes.push_back(Result.Virtual);
  return Result;
}

/// All images for which the flags ask.
static std::vector<Generated> listImages(const CompileCommand &Command) {
  std::vector<Generated> Images;
  for (const std::string &Value : Command.GenerateCode)
    Images.push_back(parseGenerateCode(Value));
  if (Command.GpuArchitecture.empty() && Command.GpuCode.empty())
    return Images;
  for (const std::string &Arch : splitList(Command.GpuArchitecture)) {
    Generated Each;
    Each.Virtual = makeVirtual(Arch);
    Each.Codes = splitList(Command.GpuCode);
    if (Each.Codes.empty()) {
      Each.Codes.push_back(Arch);
      if (llvm::StringRef(Arch).starts_with("sm_"))
        Each.Codes.push_back(Each.Virtual);
    }
    Images.push_back(std::move(Each));
  }
  return Images;
}

std::string warpwright::listArchitectures(const CompileCommand &Command) {
  std::set<unsigned> Numbers;
  for (const Generated &Each : listImages(Command)) {
    llvm::StringRef Digits = llvm::StringRef(Each.Virtual).split('_').second;
    unsigned Number = 0;
    if (!Digits.consumeInteger(10, Number))
      Numbers.insert(Number * 10);
  }
  // If the flags do not say, the file is parsed for a Hopper.
  if (Numbers.empty())
    Numbers.insert(900);
  std::string List;
  for (unsigned Number : Numbers)
    List += (List.empty() ? "" : ",") + std::to_string(Number);
  return List;
}

std::optional<MissingImage>
warpwright::findMissingHopperImage(const CompileCommand &Command) {
  constexpr llvm::StringLiteral Flag = "-gencode=arch=compute_90a,code=sm_90a";
  std::vector<Generated> Images = listImages(Command);
  if (Images.empty())
    return MissingImage{"no architecture is named, and nvcc's default is an "
                        "older one",
                        "add -arch=sm_90a"};
  bool HasPtx = false, HasOlder = false;
  std::vector<std::string> Names;
  for (const Generated &Each : Images)
    for (const std::string &Code : Each.Codes) {
      bool IsHopper = Each.Virtual == "compute_90a";
      if (IsHopper && (Code == "sm_90a" || Code == "lto_90a"))
        return std::nullopt;
      HasPtx |= IsHopper && Code == "compute_90a";
      // `native` and `all` have one for sm_90.
      HasOlder |= Code == "sm_90" || Code == "sm_90a" || Code == "native" ||
                  Code == "all" || Code == "all-major";
      // The features of 90a are defined only if the virtual architecture is
      // that of the image.
      std::string Name = Code;
      if (llvm::StringRef(Code).ends_with("90a") && !IsHopper)
        Name += " from " + Each.Virtual;
      if (!llvm::is_contained(Names, Name))
        Names.push_back(std::move(Name));
    }
  if (HasPtx && !HasOlder)
    return std::nullopt;
  MissingImage Result;
  Result.Why = "only " + llvm::join(Names, ", ");
  if (HasPtx)
    Result.Why += ", and a GPU takes the image for sm_90 before any PTX";
  bool Alone = Command.GenerateCode.empty() && Command.GpuCode.empty();
  Result.Advice = Alone ? ("add " + Flag + ", or say -arch=sm_90a").str()
                        : ("add " + Flag).str();
  return Result;
}
