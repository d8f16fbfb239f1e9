//===-- Missing.cpp - Functions that nothing defines ----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Missing.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/ObjectFile.h"

using namespace warpwright;

std::vector<std::string> warpwright::findUndefinedSymbols(llvm::StringRef Log) {
  std::vector<std::string> Symbols;
  llvm::StringSet<> Seen;
  auto Add = [&](llvm::StringRef Name) {
    if (!Name.empty() && Seen.insert(Name).second)
      Symbols.push_back(Name.str());
  };
  while (!Log.empty()) {
    auto [Line, Rest] = Log.split('\n');
    Log = Rest;
    // GNU ld: undefined reference to `f'; more undefined references to `f'
    // follow. lld: undefined symbol: f.
    size_t At = Line.find("undefined reference");
    if (At != llvm::StringRef::npos)
      Add(Line.substr(At).split('`').second.split('\'').first);
    else if (size_t Symbol = Line.find("undefined symbol: ");
             Symbol != llvm::StringRef::npos)
      Add(Line.substr(Symbol).split(": ").second.trim());
  }
  return Symbols;
}

/// A relocation for the operand of a call or a jump.
static bool isCall(const llvm::object::ObjectFile &Object, uint64_t Type) {
  switch (Object.getArch()) {
  case llvm::Triple::x86_64:
    return Type == llvm::ELF::R_X86_64_PLT32;
  case llvm::Triple::aarch64:
    return Type == llvm::ELF::R_AARCH64_CALL26 ||
           Type == llvm::ELF::R_AARCH64_JUMP26;
  default:
    return false;
  }
}

/// Adds the functions that the object at \p Path calls to \p Called.
static void collectCalled(llvm::StringRef Path, llvm::StringSet<> &Called) {
  auto Object = llvm::object::ObjectFile::createObjectFile(Path);
  if (!Object) {
    llvm::consumeError(Object.takeError());
    return;
  }
  const llvm::object::ObjectFile &File = *Object->getBinary();
  for (const llvm::object::SectionRef &Section : File.sections())
    for (const llvm::object::RelocationRef &Each : Section.relocations()) {
      if (!isCall(File, Each.getType()))
        continue;
      llvm::object::symbol_iterator Symbol = Each.getSymbol();
      if (Symbol == File.symbol_end())
        continue;
      if (llvm::Expected<llvm::StringRef> Name = Symbol->getName())
        Called.insert(*Name);
      else
        llvm::consumeError(Name.takeError());
    }
}

std::vector<std::string>
warpwright::selectFunctions(llvm::ArrayRef<std::string> Symbols,
                            llvm::ArrayRef<std::string> Objects) {
  llvm::StringSet<> Called;
  for (const std::string &Path : Objects)
    collectCalled(Path, Called);
  std::vector<std::string> Functions;
  for (const std::string &Symbol : Symbols) {
    llvm::ItaniumPartialDemangler Demangler;
    if (Called.contains(Symbol) ||
        (!Demangler.partialDemangle(Symbol.c_str()) && Demangler.isFunction()))
      Functions.push_back(Symbol);
  }
  return Functions;
}

std::string
warpwright::writeMissingFunctions(llvm::ArrayRef<std::string> Symbols) {
  std::string Text = "extern \"C\" void warpwright_sim_missing_function(\n"
                     "    const char *name);\n";
  for (size_t I = 0; I != Symbols.size(); ++I) {
    std::string Name = "missing_" + std::to_string(I);
    Text += "extern \"C\" void " + Name + "() __asm__(\"" + Symbols[I] +
            "\");\nvoid " + Name + "() { warpwright_sim_missing_function(\"" +
            llvm::demangle(Symbols[I]) + "\"); }\n";
  }
  return Text;
}

std::string warpwright::listFunctions(llvm::ArrayRef<std::string> Symbols) {
  constexpr size_t Most = 8;
  std::string Text;
  for (size_t I = 0; I != std::min(Symbols.size(), Most); ++I)
    Text += (I ? ", '" : "'") + llvm::demangle(Symbols[I]) + "'";
  if (Symbols.size() > Most)
    Text += " and " + std::to_string(Symbols.size() - Most) + " more";
  return Text;
}
