//===-- Asm.cpp - Inline PTX as calls of the interpreter ------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transformer.h"

using namespace warpwright;
using namespace clang;

namespace {

/// One operand of an asm statement, as indices of tokens.
struct Operand {
  size_t Name = 0; ///< token of the identifier in brackets, or 0
  size_t FirstString = 0, LastString = 0;
  size_t Open = 0, Close = 0; ///< the expression's parentheses
};

/// The parts of `asm volatile ( text : outputs : inputs : clobbers )`.
struct Parts {
  size_t FirstString = 0, LastString = 0;
  std::vector<Operand> Outputs, Inputs;
};

} // namespace

/// Reads the statement whose parentheses are \p Open and \p Close; false if it
/// is not of that form.
static bool split(const SourceTokens &Tokens, size_t Open, size_t Close,
                  Parts &Out) {
  auto IsString = [&](size_t I) {
    return I < Close && tok::isStringLiteral(Tokens[I].Kind);
  };
  size_t I = Open + 1;
  if (!IsString(I))
    return false;
  Out.FirstString = I;
  while (IsString(I))
    ++I;
  Out.LastString = I - 1;
  // `::` is one token but counts as two colons.
  unsigned Section = 0;
  while (I < Close) {
    if (Tokens.is(I, tok::colon) || Tokens.is(I, tok::coloncolon)) {
      Section += Tokens.is(I, tok::colon) ? 1 : 2;
      ++I;
      continue;
    }
    if (Section == 0 || Section > 2)
      return Section > 2; // clobbers mean nothing to an interpreter
    if (Tokens.is(I, tok::comma)) {
      ++I;
      continue;
    }
    Operand Each;
    if (Tokens.is(I, tok::l_square)) {
      if (!Tokens.is(I + 2, tok::r_square))
        return false;
      Each.Name = I + 1;
      I += 3;
    }
    if (!IsString(I))
      return false;
    Each.FirstString = I;
    while (IsString(I))
      ++I;
    Each.LastString = I - 1;
    if (!Tokens.is(I, tok::l_paren))
      return false;
    Each.Open = I;
    Each.Close = Tokens.findClosing(I);
    if (Each.Close >= Close)
      return false;
    I = Each.Close + 1;
    (Section == 1 ? Out.Outputs : Out.Inputs).push_back(Each);
  }
  return true;
}

bool Transformer::VisitGCCAsmStmt(GCCAsmStmt *S) {
  // Assembly that only the host executes is this machine's own.
  if (!isInText(S->getAsmLoc()) || Sides.empty() || Sides.back() == Side::Host)
    return true;
  size_t Begin = getToken(S->getAsmLoc());
  size_t Open = Begin + 1;
  while (Open < Tokens.size() && Tokens.is(Open, tok::raw_identifier))
    ++Open;
  size_t Close = Tokens.findClosing(Open);
  Parts Found;
  if (S->isAsmGoto() || !Tokens.is(Open, tok::l_paren) ||
      !Tokens.is(Close + 1, tok::semi) || !split(Tokens, Open, Close, Found)) {
    reject(S->getAsmLoc(),
           S->isAsmGoto() ? "asm goto" : "this form of asm statement");
    return true;
  }
  auto Text = [&](size_t First, size_t Last) {
    return Tokens.getText(Tokens[First].Begin, Tokens[Last].End).str();
  };
  bool HasRegisters = takesRegisters(Text(Found.FirstString, Found.LastString));
  std::vector<TextPiece> New;
  New.push_back({"{ static ::warpwright::sim::AsmSite __ww_site = {" +
                     Text(Found.FirstString, Found.LastString) + ", nullptr};",
                 0, 0});
  size_t Count = Found.Outputs.size() + Found.Inputs.size();
  llvm::StringRef Before = " ::warpwright::sim::AsmOperand __ww_list[] = {";
  for (const auto *List : {&Found.Outputs, &Found.Inputs})
    for (const Operand &Each : *List) {
      bool IsOutput = List == &Found.Outputs;
      size_t I = static_cast<size_t>(&Each - List->data());
      // A variable from which a wgmma reads A is watched until the wgmma is
      // complete.
      bool IsA = !IsOutput && HasRegisters && I < S->getNumInputs() &&
                 S->getInputConstraint(I) == "r" &&
                 isRegister(S->getInputExpr(I));
      std::string Call = IsOutput ? "asm_output"
                         : IsA    ? "asm_register"
                                  : "asm_input";
      std::string Name =
          Each.Name ? "\"" + Tokens.spell(Each.Name).str() + "\"" : "nullptr";
      New.push_back(
          {(Before + "::warpwright::sim::" + Call + "(" +
            Text(Each.FirstString, Each.LastString) + ", " + Name + ", (")
               .str(),
           Tokens[Each.Open].End, Tokens[Each.Close].Begin});
      New.push_back({"))", 0, 0});
      Before = ", ";
    }
  New.push_back({(Count ? "};" : "") +
                     std::string(" ::warpwright::sim::run_asm(__ww_site, ") +
                     (Count ? "__ww_list" : "nullptr") + ", " +
                     std::to_string(Count) + "); }",
                 0, 0});
  Pieces.replace(Tokens[Begin].Begin, Tokens[Close + 1].End, std::move(New));
  return true;
}
