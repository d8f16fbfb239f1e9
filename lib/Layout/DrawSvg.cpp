//===- DrawSvg.cpp - Pictures of layouts as SVG ---------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Layout/Draw.h"
#include "warpwright/Layout/Svg.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace llvm;

namespace warpwright {

static constexpr int Margin = 24, HeaderHeight = 30, CaptionHeight = 34;
static constexpr char Ink[] = "#1b2733";

/// Words of one kind. There may be thousands of cells, so the picture describes
/// each kind once, by a class (pageOf).
static constexpr TextStyle
words(const char *Class, int Size,
      TextStyle::Anchor At = TextStyle::Anchor::Start) {
  TextStyle S;
  S.Size = Size;
  S.At = At;
  S.Mono = true;
  S.Class = Class;
  return S;
}
static constexpr TextStyle Label = words("l", 13, TextStyle::Anchor::Middle),
                           Detail = words("d", 10, TextStyle::Anchor::Middle),
                           ColumnNumber =
                               words("n", 11, TextStyle::Anchor::Middle),
                           RowNumber = words("r", 11, TextStyle::Anchor::End),
                           Caption = words("c", 11), Title = words("t", 15);

static SvgPage pageOf() {
  SvgPage Page;
  Page.Font = "DejaVu Sans Mono, Menlo, Consolas, monospace";
  auto Add = [&](const TextStyle &S, const char *Fill, const char *More = "") {
    Page.Classes += formatv(".{0}{{font-size:{1}px;fill:{2}{3}}", S.Class,
                            S.Size, Fill, More);
  };
  Add(Label, Ink, ";text-anchor:middle");
  Add(Detail, "#2f3b47", ";text-anchor:middle");
  Add(ColumnNumber, "#6b7885", ";text-anchor:middle");
  Add(RowNumber, "#6b7885", ";text-anchor:end");
  Add(Caption, "#6b7885");
  Add(Title, Ink, ";font-weight:bold");
  Page.RightMargin = Margin;
  Page.BottomMargin = Margin / 2;
  return Page;
}

/// `#rrggbb` of a hue in degrees, saturation and lightness in 0..1.
static std::string colour(double Hue, double Saturation, double Lightness) {
  std::string Text = "#";
  double A = Saturation * std::min(Lightness, 1 - Lightness);
  for (int Offset : {0, 8, 4}) {
    double K = std::fmod(Offset + Hue / 30, 12);
    double Channel =
        Lightness - A * std::max(-1.0, std::min({K - 3, 9 - K, 1.0}));
    raw_string_ostream(Text) << format("%02x", int(Channel * 255 + 0.5));
  }
  return Text;
}

/// Hues from red to violet, without closing the circle.
static std::string bankColour(int64_t Bank) {
  return colour(Bank * 300.0 / 31, 0.72, 0.80);
}

static std::string fillOf(const Grid &G, const Grid::Cell &Cell) {
  if (Cell.Colour < 0)
    return "#ffffff";
  switch (G.Palette) {
  case Grid::Colours::Banks: // neighbours alike: 16-byte chunks show
    return bankColour(Cell.Colour);
  case Grid::Colours::Threads: {
    // Neighbouring numbers get very different colours. Warps consist of quads,
    // four threads that share a row; the threads of a quad get tones of one
    // hue.
    bool Quads = G.MaxColour >= 8;
    static constexpr double Tones[] = {0.89, 0.83, 0.77, 0.71};
    static constexpr double Plain[] = {0.84, 0.74};
    int64_t Hue = Quads ? Cell.Colour / 4 : Cell.Colour;
    return colour(std::fmod(Hue * 137.508, 360), Quads ? 0.55 : 0.62,
                  Quads ? Tones[Cell.Colour % 4] : Plain[Hue % 2]);
  }
  case Grid::Colours::Offsets: { // light to dark along memory
    double Part = G.MaxColour ? double(Cell.Colour) / G.MaxColour : 0;
    return colour(212, 0.70, 0.97 - 0.30 * Part);
  }
  }
  llvm_unreachable("unknown palette");
}

namespace {

class Picture {
public:
  /// Cells are as large as the longest label of \p Grids needs.
  explicit Picture(ArrayRef<const Grid *> Grids) : Canvas(pageOf()) {
    int LabelWidth = textWidth("00", Label), DetailWidth = 0;
    for (const Grid *G : Grids)
      for (const Grid::Cell &Cell : G->Cells) {
        LabelWidth = std::max(LabelWidth, textWidth(Cell.Label, Label));
        DetailWidth = std::max(DetailWidth, textWidth(Cell.Detail, Detail));
      }
    CellHeight = DetailWidth ? 36 : 28;
    CellWidth = std::max({LabelWidth + 14, DetailWidth + 12, CellHeight});
  }

  int width(const Grid &G) const { return int(G.Columns) * CellWidth; }
  int height(const Grid &G) const { return int(G.Rows) * CellHeight; }

  /// Draws \p G with its cells from (\p X, \p Y) on, the numbers outside.
  void draw(const Grid &G, int X, int Y) {
    for (int64_t C = 0; C < G.Columns; ++C)
      Canvas.text(int(X + C * CellWidth + CellWidth / 2), Y - 8, Twine(C),
                  ColumnNumber);
    for (int64_t R = 0; R < G.Rows; ++R)
      Canvas.text(X - 8, int(Y + R * CellHeight + CellHeight / 2 + 4), Twine(R),
                  RowNumber);
    for (int64_t R = 0; R < G.Rows; ++R)
      for (int64_t C = 0; C < G.Columns; ++C)
        cell(G, G.at(R, C), int(X + C * CellWidth), int(Y + R * CellHeight));
    rules(G, X, Y, 1, 1, "#ffffff", 1);
    rules(G, X, Y, G.RowBlock, G.ColumnBlock, Ink, 2);
    Canvas.rect(X, Y, width(G), height(G), "none", Ink, 2);
  }

  void title(StringRef Text, int X, int Y) { Canvas.text(X, Y, Text, Title); }

  /// One line that explains the colours.
  void caption(const Grid &G, int X, int Y) {
    const int Line = Y + 20;
    switch (G.Palette) {
    case Grid::Colours::Threads:
      Canvas.text(X, Line,
                  Twine("T thread, V value; one colour per thread") +
                      (G.MaxColour >= 8
                           ? ", tones of one hue for four neighbours"
                           : "") +
                      (G.Shared ? "; of several threads, the first" : ""),
                  Caption);
      break;
    case Grid::Colours::Banks: {
      Canvas.text(X, Line, "bank 0", Caption);
      const int Left = X + textWidth("bank 0 ", Caption), Width = 9;
      for (int Bank = 0; Bank < 32; ++Bank)
        Canvas.rect(Left + Width * Bank, Y + 10, Width, 13, bankColour(Bank));
      Canvas.text(Left + Width * 32 + 6, Line, "31; b bank of the element",
                  Caption);
      break;
    }
    case Grid::Colours::Offsets:
      Canvas.text(
          X, Line,
          "the offset of each coordinate, darker towards the end of memory",
          Caption);
      break;
    }
    Canvas.grow(X, Y + CaptionHeight);
  }

  std::string finish() const { return Canvas.finish(); }

private:
  SvgCanvas Canvas;
  int CellWidth, CellHeight;

  void cell(const Grid &G, const Grid::Cell &Cell, int Left, int Top) {
    const int Middle = Left + CellWidth / 2;
    Canvas.rect(Left, Top, CellWidth, CellHeight, fillOf(G, Cell));
    if (Cell.Detail.empty()) {
      Canvas.text(Middle, Top + CellHeight / 2 + 5, Cell.Label, Label);
      return;
    }
    Canvas.text(Middle, Top + 16, Cell.Label, Label);
    Canvas.text(Middle, Top + 29, Cell.Detail, Detail);
  }

  void rules(const Grid &G, int X, int Y, int64_t EveryRow, int64_t EveryColumn,
             const char *Stroke, int Width) {
    auto Line = [&](int64_t X1, int64_t Y1, int64_t X2, int64_t Y2) {
      Canvas.line(int(X1), int(Y1), int(X2), int(Y2), Stroke, Width);
    };
    if (EveryRow)
      for (int64_t R = EveryRow; R < G.Rows; R += EveryRow)
        Line(X, Y + R * CellHeight, X + width(G), Y + R * CellHeight);
    if (EveryColumn)
      for (int64_t C = EveryColumn; C < G.Columns; C += EveryColumn)
        Line(X + C * CellWidth, Y, X + C * CellWidth, Y + height(G));
  }
};

} // namespace

/// Room for the row numbers to the left of \p G.
static int numberRoom(const Grid &G) {
  return textWidth(std::to_string(G.Rows - 1), RowNumber) + 12;
}

std::string drawSvg(const Grid &G) {
  Picture P(ArrayRef<const Grid *>{&G});
  int X = Margin + numberRoom(G), Y = Margin + Title.Size + HeaderHeight;
  P.title(G.Title, Margin, Margin + Title.Size);
  P.draw(G, X, Y);
  P.caption(G, X, Y + P.height(G));
  return P.finish();
}

std::string drawMmaSvg(StringRef Heading, const Grid &A, const Grid *B,
                       const Grid &C) {
  Grid Turned; // k downwards, n to the right, above C
  std::vector<const Grid *> Grids{&A, &C};
  if (B) {
    Turned = *B;
    std::swap(Turned.Rows, Turned.Columns);
    std::swap(Turned.RowBlock, Turned.ColumnBlock);
    for (int64_t N = 0; N < B->Rows; ++N)
      for (int64_t K = 0; K < B->Columns; ++K)
        Turned.at(K, N) = B->at(N, K);
    Grids.push_back(&Turned);
  }
  Picture P(Grids);
  int Top = Margin + Title.Size + 2 * HeaderHeight;
  int XA = Margin + numberRoom(A);
  int XC = XA + P.width(A) + numberRoom(C) + HeaderHeight;
  int YC = B ? Top + P.height(Turned) + 2 * HeaderHeight : Top;
  P.title(Heading, Margin, Margin + Title.Size);
  if (B) {
    P.title("B (k down, n across)  " + B->Title, XC, Top - HeaderHeight);
    P.draw(Turned, XC, Top);
  }
  P.title("A  " + A.Title, XA, YC - HeaderHeight);
  P.title("C  " + C.Title, XC, YC + P.height(C) + HeaderHeight);
  P.draw(A, XA, YC);
  P.draw(C, XC, YC);
  P.caption(C, XC, YC + P.height(C) + HeaderHeight);
  return P.finish();
}

} // namespace warpwright
