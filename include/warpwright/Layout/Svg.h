//===- Svg.h - A canvas for SVG pictures ---------------------- -*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// Shapes and words that form one self-contained SVG picture: of a layout here,
/// of a kernel's plan in lib/Draw. Everything is in whole pixels; y grows
/// downwards. No font has to be measured: the width of a text is an upper
/// estimate, from the widths of DejaVu Sans, one of the widest fonts in use.
///
//===----------------------------------------------------------------------===//
#ifndef WARPWRIGHT_LAYOUT_SVG_H
#define WARPWRIGHT_LAYOUT_SVG_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <cstdint>
#include <string>

namespace warpwright {

struct TextStyle {
  enum class Anchor { Start, Middle, End };
  int Size = 12; ///< pixels, 10 at least
  Anchor At = Anchor::Start;
  bool Bold = false;
  bool Mono = false;
  const char *Fill = nullptr; ///< `#rrggbb`; null: that of plain text
  /// A class of the page's that says all this to who displays the picture: for
  /// words of which there are thousands. The rest must say the same.
  const char *Class = nullptr;
};

/// The largest width of \p Text in pixels. \p Text is UTF-8.
int textWidth(llvm::StringRef Text, const TextStyle &Style);

/// \p Text, or as much of its beginning as fits \p Width together with three
/// dots.
std::string shortened(llvm::StringRef Text, int Width, const TextStyle &Style);

/// What pictures of one kind have in common.
struct SvgPage {
  std::string Before;        ///< the first lines of the file
  const char *Font = "";     ///< families
  const char *Ink = nullptr; ///< of words without a colour of their own
  std::string Classes;       ///< for TextStyle::Class, as CSS
  std::string Definitions;   ///< patterns and heads of arrows, as SVG
  int RightMargin = 0, BottomMargin = 0;
  /// For readers who cannot see the picture; none where there is no title.
  std::string Title, Description;
};

/// A picture that is being drawn. Its size is that of its contents.
class SvgCanvas {
public:
  explicit SvgCanvas(SvgPage Page) : Page(std::move(Page)) {}

  /// \p Stroke may be null for no outline; \p Fill may be `none`.
  void rect(int X, int Y, int Width, int Height, llvm::StringRef Fill,
            const char *Stroke = nullptr, int StrokeWidth = 1);
  void line(int X1, int Y1, int X2, int Y2, llvm::StringRef Stroke,
            int Width = 1, bool Dashed = false);
  /// A line with a head, the marker `head` of the page's definitions, at its
  /// second end.
  void arrow(int X1, int Y1, int X2, int Y2, llvm::StringRef Stroke);
  /// One line of text with its baseline at \p Y.
  void text(int X, int Y, const llvm::Twine &Text, TextStyle Style = {});
  /// Text in lines of at most \p Width, starting at \p X and with its top at \p
  /// Y. Returns the bottom.
  int paragraph(int X, int Y, int Width, const llvm::Twine &Text,
                TextStyle Style = {});
  /// Markup of the caller's, placed with its corner at the given point.
  void raw(const llvm::Twine &Markup, int Right, int Bottom);

  std::string finish() const;

  /// The picture reaches to this point at least.
  void grow(int X, int Y);

private:
  SvgPage Page;
  std::string Body;
  int Right = 0, Bottom = 0;
};

} // namespace warpwright

#endif // WARPWRIGHT_LAYOUT_SVG_H
