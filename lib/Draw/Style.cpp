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

SvgPage picturePage(StringRef Title, StringRef Description) {
  SvgPage Page;
  Page.Before = formatv("{0}\n", PictureMarker);
  Page.Font = "DejaVu Sans, Verdana, Arial, sans-serif";
  Page.Ink = Ink;
  for (int Size : {10, 11, 12, 13, 14, 16, 22})
    Page.Classes += formatv(".s{0}{{font-size:{0}px}", Size);
  Page.Classes +=
      ".mid{text-anchor:middle}.end{text-anchor:end}.bold{font-weight:bold}"
      ".mono{font-family:DejaVu Sans Mono,Menlo,Consolas,monospace}";
  Page.Definitions =
      formatv("<pattern id=\"hatch\" width=\"6\" height=\"6\" "
              "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
              "<rect width=\"6\" height=\"6\" fill=\"#f4f5f7\"/><rect "
              "width=\"1\" height=\"6\" fill=\"#a9b1ba\"/></pattern><marker "
              "id=\"head\" markerWidth=\"9\" markerHeight=\"8\" refX=\"7\" "
              "refY=\"4\" orient=\"auto\" markerUnits=\"userSpaceOnUse\"><path "
              "d=\"M0 0L8 4L0 8z\" fill=\"{0}\"/></marker>",
              Muted);
  Page.RightMargin = Page.BottomMargin = 32;
  Page.Title = Title.str();
  Page.Description = Description.str();
  return Page;
}

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
