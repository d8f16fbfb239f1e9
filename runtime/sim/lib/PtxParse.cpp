//===- PtxParse.cpp - Asm texts to instructions ---------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ptx.h"

#include <ctype.h>
#include <map>
#include <stdlib.h>
#include <string.h>

using namespace warpwright::sim;

namespace {

bool is_name_start(char c) { return isalpha(c) || c == '_' || c == '$'; }
bool is_name_part(char c) { return isalnum(c) || c == '_' || c == '$'; }

class Parser {
public:
  Parser(const char *text, const AsmOperand *arguments, size_t count,
         CompiledAsm &out)
      : at(text), arguments(arguments), count(count), out(out) {}

  void parse();

private:
  struct Scope {
    std::map<std::string, uint32_t> registers; ///< name: slot
    std::map<std::string, uint32_t> labels;    ///< name: instruction
    /// Branches to labels not seen yet: instruction and operand.
    std::vector<std::pair<uint32_t, std::string>> branches;
  };

  bool fail(const std::string &message) {
    if (out.error.empty())
      out.error = message;
    return false;
  }
  void skip_space();
  bool accept(char c) {
    skip_space();
    if (*at != c)
      return false;
    ++at;
    return true;
  }
  bool expect(char c) {
    if (accept(c))
      return true;
    return fail(std::string("'") + c + "' expected in inline PTX at \"" +
                std::string(at).substr(0, 24) + "\"");
  }
  std::string name();
  bool parse_statement();
  bool parse_declaration();
  bool parse_guard(PtxInstruction &instruction);
  bool parse_instruction(PtxInstruction instruction, std::string first);
  bool parse_operand(PtxOperand &operand);
  bool parse_primary(PtxOperand &operand);
  bool parse_percent(PtxOperand &operand);
  bool parse_number(PtxOperand &operand);
  bool parse_address(PtxOperand &operand);
  bool close_scope();
  bool find_register(const std::string &name, uint32_t &slot) const;

  const char *at;
  const AsmOperand *arguments;
  size_t count;
  CompiledAsm &out;
  std::vector<Scope> scopes;
};

void Parser::skip_space() {
  for (;;) {
    if (isspace(static_cast<unsigned char>(*at))) {
      ++at;
    } else if (at[0] == '/' && at[1] == '/') {
      while (*at && *at != '\n')
        ++at;
    } else if (at[0] == '/' && at[1] == '*') {
      const char *end = strstr(at + 2, "*/");
      at = end ? end + 2 : at + strlen(at);
    } else {
      return;
    }
  }
}

/// A name; in asm statements "%%r1" is the register %r1, "%=" is a number of
/// the statement, the same wherever it occurs in one text.
std::string Parser::name() {
  std::string result;
  if (at[0] == '%' && at[1] == '%') {
    result = "%";
    at += 2;
  } else if (at[0] == '%' && is_name_start(at[1])) {
    result = "%";
    ++at;
  }
  for (;;) {
    if (is_name_part(*at)) {
      result += *at++;
    } else if (at[0] == '%' && at[1] == '=') {
      result += "0";
      at += 2;
    } else {
      return result;
    }
  }
}

bool Parser::find_register(const std::string &name, uint32_t &slot) const {
  for (size_t i = scopes.size(); i-- > 0;) {
    const auto found = scopes[i].registers.find(name);
    if (found != scopes[i].registers.end()) {
      slot = found->second;
      return true;
    }
  }
  return false;
}

bool Parser::parse_number(PtxOperand &operand) {
  operand.kind = PtxOperand::Kind::immediate;
  bool negative = false;
  while (*at == '-' || *at == '+')
    negative ^= *at++ == '-';
  skip_space();
  if (at[0] == '0' &&
      (at[1] == 'f' || at[1] == 'F' || at[1] == 'd' || at[1] == 'D')) {
    // The bits of a float or a double, in hexadecimal.
    const bool is_double = at[1] == 'd' || at[1] == 'D';
    char *end;
    const uint64_t bits = strtoull(at + 2, &end, 16);
    at = end;
    if (is_double) {
      memcpy(&operand.number, &bits, sizeof(bits));
    } else {
      const uint32_t low = static_cast<uint32_t>(bits);
      float value;
      memcpy(&value, &low, sizeof(value));
      operand.number = value;
    }
    operand.is_real = true;
    if (negative)
      operand.number = -operand.number;
    return true;
  }
  char *end;
  operand.bits = at[0] == '0' && (at[1] == 'b' || at[1] == 'B')
                     ? strtoull(at + 2, &end, 2)
                     : strtoull(at, &end, 0);
  if (*end == '.' && isdigit(static_cast<unsigned char>(end[1]))) {
    operand.is_real = true;
    operand.number = strtod(at, &end);
    if (negative)
      operand.number = -operand.number;
  }
  if (end == at)
    return fail("number expected in inline PTX");
  at = end;
  while (*at == 'U' || *at == 'u' || *at == 'L')
    ++at;
  if (negative)
    operand.bits = ~operand.bits + 1;
  return true;
}

/// %0, %[name], %%special and, in texts without operands, %special.
bool Parser::parse_percent(PtxOperand &operand) {
  if (isdigit(static_cast<unsigned char>(at[1]))) {
    char *end;
    operand.kind = PtxOperand::Kind::argument;
    operand.index = static_cast<uint32_t>(strtoul(at + 1, &end, 10));
    at = end;
    if (operand.index >= count)
      return fail("inline PTX names operand %" + std::to_string(operand.index) +
                  " of " + std::to_string(count));
    return true;
  }
  if (at[1] == '[') {
    const char *end = strchr(at, ']');
    if (!end)
      return fail("']' expected in inline PTX");
    const std::string wanted(at + 2, end);
    at = end + 1;
    for (size_t i = 0; i < count; ++i)
      if (arguments[i].name && wanted == arguments[i].name) {
        operand.kind = PtxOperand::Kind::argument;
        operand.index = static_cast<uint32_t>(i);
        return true;
      }
    return fail("inline PTX names an unknown operand [" + wanted + "]");
  }
  std::string word = name();
  if (find_register(word, operand.index)) {
    operand.kind = PtxOperand::Kind::reg;
    return true;
  }
  word.erase(0, 1);
  if (at[0] == '.' && is_name_start(at[1])) {
    ++at;
    word += "." + name();
  }
  operand.kind = PtxOperand::Kind::special;
  if (!find_special(word, operand.special))
    return fail("unknown special register %" + word);
  return true;
}

bool Parser::parse_address(PtxOperand &operand) {
  operand.kind = PtxOperand::Kind::address;
  operand.parts.resize(1);
  skip_space();
  if (isdigit(static_cast<unsigned char>(*at))) {
    if (!parse_number(operand.parts[0]))
      return false;
  } else if (!parse_primary(operand.parts[0])) {
    return false;
  }
  skip_space();
  while (*at == '+' || *at == '-') {
    // "[a + 16]", "[a + -16]", "[a + %2]"
    const bool minus = *at++ == '-';
    PtxOperand offset;
    if (!parse_operand(offset))
      return false;
    if (offset.kind == PtxOperand::Kind::immediate) {
      operand.bits += minus ? ~offset.bits + 1 : offset.bits;
    } else if (!minus && operand.parts.size() == 1) {
      // The number is an operand ("n"): kept as a third part.
      operand.parts.resize(3);
      operand.parts[2] = offset;
    } else {
      return fail("address too complicated in inline PTX");
    }
    skip_space();
  }
  if (accept(',')) {
    operand.parts.resize(operand.parts.size() < 2 ? 2 : operand.parts.size());
    if (!parse_operand(operand.parts[1]))
      return false;
  }
  return expect(']');
}

bool Parser::parse_primary(PtxOperand &operand) {
  skip_space();
  if (*at == '%')
    return parse_percent(operand);
  if (isdigit(static_cast<unsigned char>(*at)) || *at == '-' || *at == '+')
    return parse_number(operand);
  if (!is_name_start(*at))
    return fail("operand expected in inline PTX at \"" +
                std::string(at).substr(0, 24) + "\"");
  const std::string word = name();
  if (word == "_") {
    operand.kind = PtxOperand::Kind::sink;
  } else if (find_register(word, operand.index)) {
    operand.kind = PtxOperand::Kind::reg;
  } else if (word == "WARP_SZ") {
    operand.kind = PtxOperand::Kind::immediate;
    operand.bits = 32;
  } else {
    return fail("unknown name '" + word + "' in inline PTX");
  }
  return true;
}

bool Parser::parse_operand(PtxOperand &operand) {
  skip_space();
  if (*at == '{') {
    ++at;
    operand.kind = PtxOperand::Kind::vector;
    while (!accept('}')) {
      operand.parts.emplace_back();
      if (!parse_operand(operand.parts.back()))
        return false;
      skip_space();
      if (*at != '}' && !expect(','))
        return false;
    }
    return true;
  }
  if (*at == '[') {
    ++at;
    return parse_address(operand);
  }
  bool negated = false;
  if (*at == '!') {
    negated = true;
    ++at;
  }
  if (!parse_primary(operand))
    return false;
  operand.negated = negated;
  skip_space();
  if (*at == '|') {
    ++at;
    PtxOperand pair;
    pair.kind = PtxOperand::Kind::pair;
    pair.parts.resize(2);
    pair.parts[0] = operand;
    if (!parse_primary(pair.parts[1]))
      return false;
    operand = pair;
  }
  return true;
}

/// .reg .type a, b, r<8>;
bool Parser::parse_declaration() {
  while (accept('.')) {
    if (name().empty())
      return fail("type expected in inline PTX");
  }
  do {
    skip_space();
    if (*at == '.') { // .reg .align 8 .b8 ...
      ++at;
      name();
      skip_space();
    }
    const std::string declared = name();
    if (declared.empty())
      return fail("register name expected in inline PTX");
    skip_space();
    if (accept('<')) {
      char *end;
      const unsigned long many = strtoul(at, &end, 10);
      at = end;
      if (!expect('>'))
        return false;
      for (unsigned long i = 0; i < many; ++i)
        scopes.back().registers[declared + std::to_string(i)] = out.slots++;
    } else {
      scopes.back().registers[declared] = out.slots++;
    }
  } while (accept(','));
  return expect(';');
}

bool Parser::parse_guard(PtxInstruction &instruction) {
  PtxOperand guard;
  skip_space();
  if (*at == '!') {
    instruction.guard_negated = true;
    ++at;
  }
  if (!parse_primary(guard))
    return false;
  if (guard.kind != PtxOperand::Kind::reg)
    return fail("the guard of a PTX instruction must be a predicate register");
  instruction.guard = static_cast<int>(guard.index);
  return true;
}

bool Parser::parse_instruction(PtxInstruction instruction, std::string first) {
  instruction.name.push_back(first);
  while (*at == '.') {
    ++at;
    std::string part;
    while (is_name_part(*at) || (at[0] == ':' && at[1] == ':')) {
      if (*at == ':')
        part += *at++;
      part += *at++;
    }
    instruction.name.push_back(part);
  }
  const bool is_branch = first == "bra";
  skip_space();
  while (*at && *at != ';' && *at != '}') {
    PtxOperand operand;
    if (is_branch) {
      const std::string label = name();
      scopes.back().branches.emplace_back(
          static_cast<uint32_t>(out.code.size()), label);
      operand.kind = PtxOperand::Kind::label;
    } else if (!parse_operand(operand)) {
      return false;
    }
    instruction.operands.push_back(operand);
    skip_space();
    if (*at == ',')
      ++at;
    else
      break;
    skip_space();
  }
  skip_space();
  if (*at == ';')
    ++at;
  else if (*at && *at != '}')
    return expect(';');
  if (!decode(instruction))
    return fail("the simulator does not know the PTX instruction " +
                instruction.text());
  out.code.push_back(instruction);
  return true;
}

bool Parser::close_scope() {
  Scope scope = scopes.back();
  scopes.pop_back();
  for (const auto &branch : scope.branches) {
    const auto found = scope.labels.find(branch.second);
    if (found != scope.labels.end())
      out.code[branch.first].operands[0].index = found->second;
    else if (!scopes.empty())
      scopes.back().branches.push_back(branch);
    else
      return fail("unknown label '" + branch.second + "' in inline PTX");
  }
  return true;
}

bool Parser::parse_statement() {
  skip_space();
  if (*at == ';') {
    ++at;
    return true;
  }
  if (*at == '{') {
    ++at;
    scopes.emplace_back();
    return true;
  }
  if (*at == '}') {
    ++at;
    return scopes.size() > 1 ? close_scope()
                             : fail("'}' without '{' in inline PTX");
  }
  if (*at == '.') {
    ++at;
    const std::string directive = name();
    if (directive == "reg")
      return parse_declaration();
    if (directive == "pragma" || directive == "loc") {
      while (*at && *at != ';' && *at != '\n')
        ++at;
      return true;
    }
    return fail("the simulator does not know the PTX directive ." + directive);
  }
  PtxInstruction instruction;
  if (*at == '@') {
    ++at;
    if (!parse_guard(instruction))
      return false;
    skip_space();
  }
  const std::string first = name();
  if (first.empty())
    return fail("PTX instruction expected at \"" +
                std::string(at).substr(0, 24) + "\"");
  skip_space();
  if (*at == ':' && at[1] != ':') {
    ++at;
    scopes.back().labels[first] = static_cast<uint32_t>(out.code.size());
    return true;
  }
  return parse_instruction(instruction, first);
}

void Parser::parse() {
  scopes.emplace_back();
  for (skip_space(); *at; skip_space())
    if (!parse_statement())
      return;
  if (scopes.size() != 1) {
    fail("'}' missing in inline PTX");
    return;
  }
  close_scope();
}

} // namespace

bool PtxInstruction::has(const char *part) const {
  for (size_t i = 1; i < name.size(); ++i)
    if (name[i] == part)
      return true;
  return false;
}

std::string PtxInstruction::text() const {
  std::string result;
  for (const std::string &part : name)
    result += (result.empty() ? "" : ".") + part;
  return result;
}

std::unique_ptr<CompiledAsm>
warpwright::sim::compile_asm(const char *text, const AsmOperand *arguments,
                             size_t count) {
  std::unique_ptr<CompiledAsm> compiled = std::make_unique<CompiledAsm>();
  Parser(text, arguments, count, *compiled).parse();
  return compiled;
}
