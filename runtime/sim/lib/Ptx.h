//===- Ptx.h - PTX instructions, parsed and run -----------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text of an asm statement is parsed once into a list of instructions, each
// with the function that runs it for one thread. Instruction names are as in
// the PTX ISA; what a name's parts mean is decided once, by its decoder, and
// kept in the few fields that the functions read.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_LIB_PTX_H
#define WARPWRIGHT_SIM_LIB_PTX_H

#include "warpwright/sim/program.h"

#include <memory>
#include <stdint.h>
#include <string>
#include <vector>

namespace warpwright {
namespace sim {

struct Thread;

enum class PtxType : uint8_t {
  none,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  bf16,
  f16x2,
  bf16x2,
  tf32,
  f32,
  f64,
  e4m3,
  e5m2,
  e4m3x2,
  e5m2x2,
  b1,
  pred
};
PtxType ptx_type(const std::string &name); ///< none: not a type
unsigned bytes_of(PtxType type);
bool is_signed(PtxType type);
bool is_float(PtxType type);

enum class PtxSpace : uint8_t {
  generic,
  global,
  shared_cta,
  shared_cluster,
  local,
  constant
};

enum class SpecialRegister : uint8_t;

struct PtxOperand {
  enum class Kind : uint8_t {
    sink,      ///< _
    reg,       ///< slot `index`
    argument,  ///< operand `index` of the asm statement
    immediate, ///< `bits`, or `number` if it was written as a real number
    special,   ///< %laneid and the like
    address,   ///< parts[0] + `bits`; with parts[1]: a tensor and coordinates
    vector,    ///< parts
    pair,      ///< parts[0] | parts[1]
    label,     ///< instruction number `index`
  };
  Kind kind = Kind::sink;
  bool negated = false; ///< !p
  bool is_real = false;
  uint32_t index = 0;
  uint64_t bits = 0;
  double number = 0;
  SpecialRegister special{};
  std::vector<PtxOperand> parts;
};

struct PtxFrame;

struct PtxInstruction {
  std::vector<std::string> name; ///< "ld", "shared::cta", "u32"
  std::vector<PtxOperand> operands;
  int guard = -1; ///< slot of the predicate, -1: always
  bool guard_negated = false;

  // What the decoder makes of the name.
  void (*run)(PtxFrame &, const PtxInstruction &) = nullptr;
  PtxType type = PtxType::none, source_type = PtxType::none;
  PtxSpace space = PtxSpace::generic;
  uint8_t operation = 0; ///< the instruction's own enumeration
  uint8_t variant = 0;   ///< rounding, comparison, combination ...
  uint8_t count = 1;     ///< vector elements, matrices, dimensions
  uint32_t flags = 0;    ///< the instruction's own bits
  unsigned m = 0, n = 0, k = 0;

  bool has(const char *part) const;
  std::string text() const; ///< the name with its dots
};

struct CompiledAsm {
  std::vector<PtxInstruction> code;
  unsigned slots = 0;
  std::string error; ///< why it cannot be run (WW720)
};

/// One thread's execution of an asm statement.
struct PtxFrame {
  Thread &thread;
  AsmOperand *arguments;
  size_t argument_count;
  uint64_t *slots;
  unsigned next = 0; ///< instruction to run
  bool carry = false;

  uint64_t get(const PtxOperand &operand, PtxType type) const;
  uint32_t get32(const PtxOperand &operand) const {
    return static_cast<uint32_t>(get(operand, PtxType::b32));
  }
  bool get_predicate(const PtxOperand &operand) const;
  void set(const PtxOperand &operand, uint64_t bits, PtxType type);
  /// Address operands: the value of the base plus the offset.
  uint64_t address(const PtxOperand &operand) const;
};

/// Parses an asm text with `arguments` operands, which may be named. Never
/// null; a text that cannot be run has its `error` set. `named` looks up the
/// number of "[name]".
std::unique_ptr<CompiledAsm>
compile_asm(const char *text, const AsmOperand *arguments, size_t count);

/// Sets `run` and the fields; false where the instruction is not known.
bool decode(PtxInstruction &instruction);

/// Families of instructions; each decodes what it knows.
bool decode_scalar(PtxInstruction &instruction);
bool decode_float(PtxInstruction &instruction);
bool decode_convert(PtxInstruction &instruction);
bool decode_memory(PtxInstruction &instruction);
bool decode_atomic(PtxInstruction &instruction);
bool decode_warp(PtxInstruction &instruction);
bool decode_barrier(PtxInstruction &instruction);
bool decode_mbarrier(PtxInstruction &instruction);
bool decode_bulk(PtxInstruction &instruction);
bool decode_matrix(PtxInstruction &instruction);
bool decode_wgmma(PtxInstruction &instruction);

uint64_t read_special(SpecialRegister which, const Thread &thread);
/// False: there is none of this name (without the percent sign).
bool find_special(const std::string &name, SpecialRegister &which);

/// The state space among the parts of a name, generic if none.
PtxSpace space_of(const PtxInstruction &instruction);

} // namespace sim
} // namespace warpwright

#endif // WARPWRIGHT_SIM_LIB_PTX_H
