//===- Svg.cpp - A canvas for SVG pictures --------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Layout/Svg.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace warpwright {

/// The width of \p C in thousandths of the font's size.
static int characterWidth(char C, const TextStyle &Style) {
  unsigned char U = C;
  if ((U & 0xC0) == 0x80) // not the first byte of a character
    return 0;
  if (Style.Mono)
    return 603;
  int Width = 640;
  if (U >= 0x80) // arrows, the multiplication sign, dashes
    Width = 840;
  else if (StringRef("mwMW@%").contains(C))
    Width = 980;
  else if (StringRef("+=<>#OQGNDHU").contains(C))
    Width = 840;
  else if (isUpper(C))
    Width = 700;
  else if (StringRef("ijl '|").contains(C))
    Width = 318;
  else if (StringRef("ftr.,:;-()[]/!I").contains(C))
    Width = 412;
  return Style.Bold ? Width * 112 / 100 : Width;
}

int textWidth(StringRef Text, const TextStyle &Style) {
  int Sum = 0;
  for (char C : Text)
    Sum += characterWidth(C, Style);
  return (Sum * Style.Size + 999) / 1000;
}

/// \p Text without its last character.
static StringRef withoutLast(StringRef Text) {
  while (!Text.empty() && (Text.back() & 0xC0) == 0x80)
    Text = Text.drop_back();
  return Text.drop_back(Text.empty() ? 0 : 1);
}

std::string shortened(StringRef Text, int Width, const TextStyle &Style) {
  if (textWidth(Text, Style) <= Width)
    return Text.str();
  while (!Text.empty() && textWidth((Text + "...").str(), Style) > Width)
    Text = withoutLast(Text);
  return (Text + "...").str();
}

static std::string escaped(StringRef Text) {
  std::string Result;
  raw_string_ostream OS(Result);
  printHTMLEscaped(Text, OS);
  return Result;
}

void SvgCanvas::grow(int X, int Y) {
  Right = std::max(Right, X);
  Bottom = std::max(Bottom, Y);
}

void SvgCanvas::rect(int X, int Y, int Width, int Height, StringRef Fill,
                     const char *Stroke, int StrokeWidth) {
  raw_string_ostream OS(Body);
  OS << "<rect x=\"" << X << "\" y=\"" << Y << "\" width=\"" << Width
     << "\" height=\"" << Height << "\" fill=\"" << Fill << '"';
  if (Stroke)
    OS << " stroke=\"" << Stroke << '"';
  if (Stroke && StrokeWidth != 1)
    OS << " stroke-width=\"" << StrokeWidth << '"';
  OS << "/>\n";
  grow(X + Width, Y + Height);
}

void SvgCanvas::line(int X1, int Y1, int X2, int Y2, StringRef Stroke,
                     int Width, bool Dashed) {
  raw_string_ostream OS(Body);
  OS << "<line x1=\"" << X1 << "\" y1=\"" << Y1 << "\" x2=\"" << X2
     << "\" y2=\"" << Y2 << "\" stroke=\"" << Stroke << '"';
  if (Width != 1)
    OS << " stroke-width=\"" << Width << '"';
  if (Dashed)
    OS << " stroke-dasharray=\"4 3\"";
  OS << "/>\n";
  grow(std::max(X1, X2), std::max(Y1, Y2));
}

void SvgCanvas::arrow(int X1, int Y1, int X2, int Y2, StringRef Stroke) {
  raw_string_ostream(Body) << "<path d=\"M" << X1 << ' ' << Y1 << "L" << X2
                           << ' ' << Y2 << "\" fill=\"none\" stroke=\""
                           << Stroke
                           << "\" stroke-width=\"2\" "
                              "marker-end=\"url(#head)\"/>\n";
  grow(std::max(X1, X2) + 8, std::max(Y1, Y2));
}

void SvgCanvas::text(int X, int Y, const Twine &Text, TextStyle Style) {
  SmallString<64> Storage;
  StringRef Words = Text.toStringRef(Storage);
  raw_string_ostream OS(Body);
  OS << "<text x=\"" << X << "\" y=\"" << Y << "\" class=\"";
  if (Style.Class) {
    OS << Style.Class;
  } else {
    OS << 's' << Style.Size;
    if (Style.At != TextStyle::Anchor::Start)
      OS << (Style.At == TextStyle::Anchor::Middle ? " mid" : " end");
    if (Style.Bold)
      OS << " bold";
    if (Style.Mono)
      OS << " mono";
  }
  OS << '"';
  if (Style.Fill && !Style.Class)
    OS << " fill=\"" << Style.Fill << '"';
  OS << '>' << escaped(Words) << "</text>\n";
  int Width = textWidth(Words, Style);
  int Behind = Style.At == TextStyle::Anchor::Start    ? Width
               : Style.At == TextStyle::Anchor::Middle ? Width / 2
                                                       : 0;
  grow(X + Behind, Y + Style.Size / 3);
}

int SvgCanvas::paragraph(int X, int Y, int Width, const Twine &Text,
                         TextStyle Style) {
  std::string Words = Text.str(), Line;
  int Leading = Style.Size * 3 / 2;
  auto Flush = [&] {
    if (Line.empty())
      return;
    Y += Leading;
    text(X, Y - Leading / 3, Line, Style);
    Line.clear();
  };
  for (StringRef Rest = Words; !Rest.empty();) {
    auto [Word, Behind] = Rest.split(' ');
    // A word that fits no line is split.
    while (textWidth(Word, Style) > Width && Word.size() > 1) {
      Word = withoutLast(Word);
      Behind = Rest.drop_front(Word.size());
    }
    Rest = Behind;
    if (!Line.empty() && textWidth(Line + " " + Word.str(), Style) > Width)
      Flush();
    if (!Line.empty())
      Line += ' ';
    Line += Word;
  }
  Flush();
  return Y;
}

void SvgCanvas::raw(const Twine &Markup, int Right, int Bottom) {
  Body += Markup.str();
  grow(Right, Bottom);
}

std::string SvgCanvas::finish() const {
  std::string Result;
  raw_string_ostream OS(Result);
  const int W = Right + Page.RightMargin, H = Bottom + Page.BottomMargin;
  OS << Page.Before << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << W
     << "\" height=\"" << H << "\" viewBox=\"0 0 " << W << ' ' << H << '"';
  if (!Page.Title.empty())
    OS << " role=\"img\"";
  OS << " font-family=\"" << Page.Font << '"';
  if (Page.Ink)
    OS << " fill=\"" << Page.Ink << '"';
  OS << ">\n";
  if (!Page.Title.empty())
    OS << "<title>" << escaped(Page.Title) << "</title>\n<desc>"
       << escaped(Page.Description) << "</desc>\n";
  OS << "<style>" << Page.Classes << "</style>\n";
  if (!Page.Definitions.empty())
    OS << "<defs>" << Page.Definitions << "</defs>\n";
  OS << "<rect width=\"" << W << "\" height=\"" << H
     << "\" fill=\"#ffffff\"/>\n"
     << Body << "</svg>\n";
  return Result;
}

} // namespace warpwright
