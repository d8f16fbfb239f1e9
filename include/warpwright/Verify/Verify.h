//===-- Verify.h - Programs that compare two kernels ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From the contraction of a kernel to arguments and launches that the kernel
/// accepts (drawCases), and to a program that runs the original and the
/// rewritten kernel on them and compares both with float64 (emitHarness). The
/// input is plain data, the output text; no Clang AST is needed.
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
  /// For members of parameters that C++ does not let others name, by path: the
  /// type, and the bytes before it: `float *, 8`.
  std::map<std::string, std::string> UnnamedMembers;
  Contraction Computation;
  Directives Clauses;
  /// Whether the original itself rounds its factors to tf32.
  bool OriginalRounds = false;
  std::vector<SubjectPlan> Plans;
  int64_t MaxThreads = 1024; ///< of a block: from `__launch_bounds__`
  int64_t DynamicShared = 0; ///< bytes that the original is launched with
  bool AlignedLoads = false; ///< it reads vectors: bases are never misaligned
  /// Pointers to numbers that Hopper kernels multiply sums of several terms
  /// with, where the original multiplies each term. An infinity there makes an
  /// infinity of a sum, and NaN of terms of both signs (docs/accuracy.md), so
  /// that there are none.
  std::vector<std::string> Scales;

  bool hasFloats() const {
    return Computation.A.factorType() == ScalarType::F32 ||
           Computation.B.factorType() == ScalarType::F32;
  }
  /// Whether Hopper kernels multiply fp16 parts of the elements, not the
  /// elements themselves.
  bool hasParts() const {
    if (hasFloat8Products())
      return false;
    return hasFloats() || Computation.A.Type != Computation.B.Type ||
           Computation.hasPrologue();
  }
  /// Whether they multiply floats of 8 bits.
  bool hasFloat8Products() const {
    return isFloat8(Computation.A.Type) && isFloat8(Computation.B.Type);
  }
  /// Whether they leave all sums of these to the tensor cores.
  bool addsFloat8InTensorCores() const {
    return hasFloat8Products() &&
           Clauses.Accumulate == Directives::AccumulateKind::Fast;
  }
};

/// An array that a contraction reads or writes.
struct SubjectArray {
  std::string Name; ///< of the pointer: `A`, `p.a`
  ScalarType Type = ScalarType::F32;
  bool Operand = false, Output = false;
  bool Loaded = false;   ///< used with a sum: a bias, the output itself
  bool Divisor = false;  ///< something is divided by its elements
  bool Count = false;    ///< something is shifted by its elements
  bool Nullable = false; ///< compared with null before it is loaded from
  bool Restrict = false;
};

/// Everything that a contraction names, in the order of first occurrence.
struct SubjectNames {
  std::vector<SubjectArray> Arrays;
  std::vector<std::string> Ints;   ///< integer parameters and fields
  std::vector<std::string> Counts; ///< those by which something is shifted
  struct Scalar {
    std::string Name;
    ScalarType Type;
    bool Divisor;
    /// Not a parameter, but a variable in constant memory, by the name that
    /// generated code uses; may be an integer.
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
  std::string What;               ///< what is special about it, for the table
};

/// The user's options.
struct DrawOptions {
  unsigned Count = 12;
  uint64_t Seed = 1;
  /// Sizes that replace drawn ones; hints are not used then.
  std::vector<std::array<int64_t, 3>> Shapes;
  /// `--set`: values of parameters, `blockDim.x`, `gridDim.x`, `smem`.
  std::map<std::string, double> Set;
  /// The largest number of multiplications in one case.
  int64_t WorkLimit = int64_t(1) << 24;
  /// Multiprocessors of the device: each plan gets a problem with more tiles
  /// than that.
  int64_t Multiprocessors = 2;
};

/// Draws cases for \p S: sizes around multiples of its plans' tiles, tiny ones,
/// sums of one and of no term, then random ones; with tight, padded and odd
/// pitches, displaced bases, null and aliased pointers, batches, and grids that
/// are larger than needed or too small, as far as the kernel has such things.
/// Hinted shapes come first, reduced if they exceed the limit.
///
/// Fails if no arguments are found, naming the parameter or the condition, or
/// for a name in Options.Set that the kernel does not have.
llvm::Expected<std::vector<VerifyCase>> drawCases(const Subject &S,
                                                  const DrawOptions &Options);

/// The input from which the program is made.
struct HarnessInput {
  llvm::StringRef FileName;  ///< the user's file, for comments
  llvm::StringRef Rewritten; ///< the output of `rewrite` for it
  llvm::StringRef Name;      ///< of the program, for `#line`
  struct Kernel {
    Subject Source;
    std::vector<VerifyCase> Cases;
  };
  std::vector<Kernel> Kernels;
};

/// The program: shared code, the rewritten file with its main() renamed, and
/// for each kernel its contraction as C++ and the table of cases. Its exit
/// status is 0 if all runs agree, 1 if one does not.
///
/// Fails for a contraction that cannot be printed (values that only the lift
/// knows).
llvm::Expected<std::string> emitHarness(const HarnessInput &Input);

} // namespace warpwright

#endif // WARPWRIGHT_VERIFY_VERIFY_H
