//===- Style.cpp - What all pictures of a kernel share --------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Style.h"
#include "warpwright/Plan/Roles.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warpwright {

std::string kib(int64_t Bytes) {
  if (Bytes >= 1024 && Bytes % 1024 == 0)
    return formatv("{0} KiB", Bytes / 1024);
  return formatv("{0} bytes", Bytes);
}

std::string counted(int64_t N, StringRef One, StringRef Many) {
  if (N == 1)
    return ("1 " + One).str();
  return std::to_string(N) + " " +
         (Many.empty() ? (One + "s").str() : Many.str());
}

int heading(SvgCanvas &C, const PictureSubject &S, const KernelPlan &P,
            StringRef What, StringRef Sentence) {
  TextStyle Title = bold(22);
  C.text(PageLeft, 48, What, Title);
  std::string Plan = formatv(
      "kernel {0}{1}, plan {2}: tile {3} x {4} x {5} (m, n, k), {6}, "
      "{7}{8}, cluster {9} x {10}{11}",
      S.Kernel, S.Instance, P.Name, P.TileM, P.TileN, P.TileK,
      counted(P.Stages, "stage"),
      counted(P.ConsumerWarpgroups, "consumer warpgroup"), P.Schedule->Remark,
      P.ClusterM, P.ClusterN, P.SwapAB ? ", operands swapped" : "");
  int Y = C.paragraph(PageLeft, 56, PageWidth, Plan, muted(12));
  return C.paragraph(
             PageLeft, Y + 2, PageWidth, Sentence,
             TextStyle{13, TextStyle::Anchor::Start, false, false, nullptr}) +
         18;
}

int subheading(SvgCanvas &C, int X, int Y, const Twine &Text) {
  C.text(X, Y + 14, Text, bold(14));
  return Y + 26;
}

int legend(SvgCanvas &C, int X, int Y, StringRef Fill, const Twine &Text) {
  C.rect(X, Y - 10, 12, 12, Fill, Muted);
  std::string Words = Text.str();
  TextStyle Style;
  Style.Size = 11;
  C.text(X + 18, Y, Words, Style);
  return X + 18 + textWidth(Words, Style) + 20;
}

} // namespace warpwright
