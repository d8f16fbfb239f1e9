//===- Pictures.h - Pictures of a planned kernel -------------- -*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// Draws a KernelPlan: the tiles of the output, the TMA boxes in swizzled
/// shared memory, the memory map, WGMMA's operands and accumulators, and how
/// the results are stored. Pure functions from a plan to text.
///
//===----------------------------------------------------------------------===//
#ifndef WARPWRIGHT_DRAW_PICTURES_H
#define WARPWRIGHT_DRAW_PICTURES_H

#include "warpwright/Contraction/Contraction.h"
#include "warpwright/Contraction/Directives.h"
#include "warpwright/Plan/KernelPlan.h"

namespace warpwright {

/// The kernel to which a plan belongs, in the user's words, and a problem to
/// draw it for.
struct PictureSubject {
  std::string Kernel;                    ///< `gemm`
  std::string Instance;                  ///< `<__half, 16>`, or empty
  std::string A = "A", B = "B", C = "C"; ///< the arrays
  int64_t M = 0, N = 0, K = 0, Batch = 1;
  /// The origin of the sizes: "from the pragma's shapes", "an example".
  std::string SizesFrom;
};

/// The arrays of \p C and a problem for \p Plan, one of \p Plans: the first of
/// the shapes in \p Clauses for which the selector takes the plan, or else the
/// first of all. Without shapes, sizes for which every kind of edge occurs.
/// Constant extents stay as they are.
PictureSubject pictureSubject(const Contraction &C, const Directives &Clauses,
                              const PlanSet &Plans, const KernelPlan &Plan);

struct Picture {
  std::string File;  ///< `gemm-large-1-tiles.svg`
  std::string Title; ///< `How C is cut into tiles`
  std::string Text;  ///< the SVG
};

/// The pictures of \p P; their names begin with \p Prefix. Fails for a plan
/// that the validator would refuse.
llvm::Expected<std::vector<Picture>>
drawPlan(const KernelPlan &P, const PictureSubject &S, llvm::StringRef Prefix);

/// A kernel, or an instance of one, on the index page.
struct PictureEntry {
  std::string Kernel, Instance, Place; ///< `gemm`, `<float>`, `in.cu:12`
  std::string Note;                    ///< why there are no pictures, or empty
  struct Plan {
    std::string Name, Summary;
    std::vector<Picture> Pictures; ///< Text is not needed
  };
  std::vector<Plan> Plans;
};

/// The page that leads to the pictures, in HTML.
std::string indexPage(llvm::StringRef Input,
                      llvm::ArrayRef<PictureEntry> Entries);

/// Whether \p Text begins like every picture and index page.
bool isPictureFile(llvm::StringRef Text);

/// \p Text as a part of a file name: letters, digits, `.` and `_` stay, runs of
/// other characters become one `-`, and a long text is cut; never empty.
std::string fileNamePart(llvm::StringRef Text);

} // namespace warpwright

#endif // WARPWRIGHT_DRAW_PICTURES_H
