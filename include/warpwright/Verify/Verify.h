//===-- Verify.h - Programs that compare two kernels ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From the contraction of a kernel to arguments and launches that it accepts
/// (drawCases), and to a program that runs the original and the rewritten
/// kernel on them and compares both with float64 (emitHarness). Plain data to
/// text; no Clang AST.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_VERIFY_VERIFY_H
#define WARPWRIGHT_VERIFY_VERIFY_H

#include "warpwright/Contraction/Contraction.h"
#include "warpwright/Contraction/Directives.h"
#include "warpwright/Verify/Evaluate.h"
#include "llvm/Support/Error.h"
#include <array>

namespace warpwright {

/// A plan that can be forced, and its tile in m, n and k.
struct SubjectPlan {
  std::string Name;
  int64_t TileM = 128, TileN = 128, TileK = 64, Stages = 4, Ctas = 1;
};

/// One kernel, or one instance of a kernel template, that is to be verified.
struct Subject {
  std::string Kernel;   ///< as it is called: `ops::gemm<__half, 16>`
  std::string Launcher; ///< `ops::gemm_warpwright<__half, 16>`
  struct Parameter {
    std::string Name;
    std::string Type; ///< after substitution: `const __half *`
  };
  std::vector<Parameter> Parameters; ///< all of them, in order
  Contraction Computation;
  Directives Clauses;
  /// The original rounds its factors to tf32 itself.
  bool OriginalRounds = false;
  std::vector<SubjectPlan> Plans;
  int64_t MaxThreads = 1024; ///< of a block: from `__launch_bounds__`
  int64_t DynamicShared = 0; ///< bytes that the original is launched with
  bool AlignedLoads = false; ///< it reads vectors: bases are never misaligned

  bool hasFloats() const {
    return Computation.A.factorType() == ScalarType::F32 ||
           Computation.B.factorType() == ScalarType::F32;
  }
  /// Hopper kernels multiply fp16 numbers that stand for the elements, not the
  /// elements themselves.
  bool hasParts() const {
    return hasFloats() || Computation.A.Type != Computation.B.Type ||
           Computation.hasPrologue();
  }
};

/// An array that a contraction reads or writes.
struct SubjectArray {
  std::string Name; ///< of the pointer: `A`, `p.a`
  ScalarType Type = ScalarType::F32;
  bool Operand = false, Output = false;
  bool Loaded = false;   ///< by a result: a bias, the output itself
  bool Divisor = false;  ///< something is divided by its elements
  bool Nullable = false; ///< compared with null before it is loaded from
  bool Restrict = false;
};

/// Everything that a contraction names, in the order in which it is first met.
struct SubjectNames {
  std::vector<SubjectArray> Arrays;
  std::vector<std::string> Ints; ///< integer parameters and fields
  struct Scalar {
    std::string Name;
    ScalarType Type;
    bool Divisor;
    /// Not a parameter, but what generated code finds under that name in
    /// constant memory; may be an integer.
    bool InConstantMemory = false;
  };
  std::vector<Scalar> Scalars; ///< floating-point ones
  const SubjectArray *find(llvm::StringRef Array) const;
};
SubjectNames collectNames(const Contraction &C);

/// Arguments for a kernel, and the launch.
struct VerifyCase {
  Assignment Arguments; ///< blockDim and gridDim included
  int64_t SharedBytes = 0;
  std::map<std::string, int64_t> Skip;      ///< pointer to elements
  std::map<std::string, std::string> Alias; ///< pointer to the same pointer
  std::array<int64_t, 4> Extents = {};      ///< b, m, n, k
  uint64_t Seed = 1;
  std::vector<std::string> Plans; ///< to force besides the launcher's choice
  std::string What;               ///< what is particular, for the table
};

/// What the user asked for.
struct DrawOptions {
  unsigned Count = 12;
  uint64_t Seed = 1;
  /// Sizes instead of drawn ones; no hints are used then.
  std::vector<std::array<int64_t, 3>> Shapes;
  /// `--set`: values of parameters, `blockDim.x`, `gridDim.x`, `smem`.
  std::map<std::string, double> Set;
  /// Multiplications that one case may take.
  int64_t WorkLimit = int64_t(1) << 24;
  /// Of the device: each plan gets a problem with more tiles than that.
  int64_t Multiprocessors = 2;
};

/// Draws cases for \p S: sizes around its plans' tiles, tails, tiny ones, sums
/// of one and of no term, then random ones; with tight, padded and odd pitches,
/// displaced bases, null and aliased pointers, batches and grids that are
/// larger than needed or too small, as far as the kernel has such things.
/// Hinted shapes come first, made smaller where they exceed the limit.
///
/// Fails when no arguments are found, naming the parameter or the condition,
/// or for a name in Options.Set that the kernel has not.
llvm::Expected<std::vector<VerifyCase>> drawCases(const Subject &S,
                                                  const DrawOptions &Options);

/// What the program is made from.
struct HarnessInput {
  llvm::StringRef FileName;  ///< the user's file, for comments
  llvm::StringRef Rewritten; ///< what `rewrite` writes for it
  llvm::StringRef Name;      ///< of the program, for `#line`
  struct Kernel {
    Subject Source;
    std::vector<VerifyCase> Cases;
  };
  std::vector<Kernel> Kernels;
};

/// The program: shared code, the rewritten file with its main() out of the way,
/// and for each kernel its contraction as C++ and the table of cases. Its exit
/// status is 0 if all runs agree, 1 if one does not.
///
/// Fails for a contraction that has no text (values that only the lift knows).
llvm::Expected<std::string> emitHarness(const HarnessInput &Input);

} // namespace warpwright

#endif // WARPWRIGHT_VERIFY_VERIFY_H
