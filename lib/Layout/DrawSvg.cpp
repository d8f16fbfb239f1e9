//===- DrawSvg.cpp - Pictures of layouts as SVG ---------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Layout/Draw.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace llvm;

namespace warpwright {

// All sizes are in pixels. The width of a character is that of common
// monospaced fonts, 0.6 em, so that no font has to be measured.
static constexpr int Margin = 24, HeaderHeight = 30, NumberSize = 11;
static constexpr int LabelSize = 13, DetailSize = 10, TitleSize = 15;
static constexpr int CaptionHeight = 34;

static int textWidth(size_t Characters, int Size) {
  return int(Characters * Size * 6 + 9) / 10;
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
  explicit Picture(ArrayRef<const Grid *> Grids) {
    size_t Label = 2, Detail = 0;
    for (const Grid *G : Grids)
      for (const Grid::Cell &Cell : G->Cells) {
        Label = std::max(Label, Cell.Label.size());
        Detail = std::max(Detail, Cell.Detail.size());
      }
    CellWidth = std::max(textWidth(Label, LabelSize) + 14,
                         textWidth(Detail, DetailSize) + 12);
    CellHeight = Detail ? 36 : 28;
    CellWidth = std::max(CellWidth, CellHeight);
  }

  int width(const Grid &G) const { return int(G.Columns) * CellWidth; }
  int height(const Grid &G) const { return int(G.Rows) * CellHeight; }

  /// Draws \p G with its cells from (\p X, \p Y) on, the numbers outside.
  void draw(const Grid &G, int X, int Y) {
    raw_string_ostream OS(Body);
    for (int64_t C = 0; C < G.Columns; ++C)
      text(OS, X + C * CellWidth + CellWidth / 2, Y - 8, "n",
           std::to_string(C));
    for (int64_t R = 0; R < G.Rows; ++R)
      text(OS, X - 8, Y + R * CellHeight + CellHeight / 2 + 4, "r",
           std::to_string(R));
    for (int64_t R = 0; R < G.Rows; ++R)
      for (int64_t C = 0; C < G.Columns; ++C) {
        const Grid::Cell &Cell = G.at(R, C);
        int Left = X + C * CellWidth, Top = Y + R * CellHeight;
        int Middle = Left + CellWidth / 2;
        OS << "<rect x=\"" << Left << "\" y=\"" << Top << "\" width=\""
           << CellWidth << "\" height=\"" << CellHeight << "\" fill=\""
           << fillOf(G, Cell) << "\"/>\n";
        if (Cell.Detail.empty()) {
          text(OS, Middle, Top + CellHeight / 2 + 5, "l", Cell.Label);
        } else {
          text(OS, Middle, Top + 16, "l", Cell.Label);
          text(OS, Middle, Top + 29, "d", Cell.Detail);
        }
      }
    rules(OS, G, X, Y, 1, 1, "g");
    rules(OS, G, X, Y, G.RowBlock, G.ColumnBlock, "b");
    OS << "<rect class=\"f\" x=\"" << X << "\" y=\"" << Y << "\" width=\""
       << width(G) << "\" height=\"" << height(G) << "\"/>\n";
    grow(X + width(G), Y + height(G));
  }

  void title(StringRef Text, int X, int Y) {
    raw_string_ostream OS(Body);
    text(OS, X, Y, "t", Text);
    grow(X + textWidth(Text.size(), TitleSize), Y);
  }

  /// One line that explains the colours.
  void caption(const Grid &G, int X, int Y) {
    raw_string_ostream OS(Body);
    std::string Words;
    if (G.Palette == Grid::Colours::Threads) {
      Words = "T thread, V value; one colour per thread";
      if (G.MaxColour >= 8)
        Words += ", tones of one hue for four neighbours";
      if (G.Shared)
        Words += "; of several threads, the first";
    } else if (G.Palette == Grid::Colours::Banks) {
      text(OS, X, Y + 20, "c", "bank 0");
      int Left = X + textWidth(7, NumberSize);
      for (int I = 0; I < 32; ++I)
        OS << "<rect x=\"" << Left + 9 * I << "\" y=\"" << Y + 10
           << "\" width=\"9\" height=\"13\" fill=\"" << bankColour(I)
           << "\"/>\n";
      text(OS, Left + 9 * 32 + 6, Y + 20, "c", "31; b bank of the element");
      grow(Left + 9 * 32 + 6 + textWidth(26, NumberSize), Y + CaptionHeight);
      return;
    } else {
      Words = "the offset of each coordinate, darker towards the end of memory";
    }
    text(OS, X, Y + 20, "c", Words);
    grow(X + textWidth(Words.size(), NumberSize), Y + CaptionHeight);
  }

  std::string finish() const {
    std::string Result;
    raw_string_ostream OS(Result);
    int W = Right + Margin, H = Bottom + Margin / 2;
    OS << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << W
       << "\" height=\"" << H << "\" viewBox=\"0 0 " << W << ' ' << H
       << "\" font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\">\n"
       << "<style>.l{font-size:" << LabelSize
       << "px;fill:#1b2733;text-anchor:middle}.d{font-size:" << DetailSize
       << "px;fill:#2f3b47;text-anchor:middle}.n,.r,.c{font-size:" << NumberSize
       << "px;fill:#6b7885}.n{text-anchor:middle}.r{text-anchor:end}"
       << ".t{font-size:" << TitleSize << "px;fill:#1b2733;font-weight:bold}"
       << ".g{stroke:#ffffff;stroke-width:1}.b{stroke:#1b2733;stroke-width:2}"
       << ".f{fill:none;stroke:#1b2733;stroke-width:2}</style>\n"
       << "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
       << Body << "</svg>\n";
    return Result;
  }

private:
  int CellWidth, CellHeight, Right = 0, Bottom = 0;
  std::string Body;

  void grow(int X, int Y) {
    Right = std::max(Right, X);
    Bottom = std::max(Bottom, Y);
  }

  static void text(raw_ostream &OS, int64_t X, int64_t Y, StringRef Class,
                   StringRef Text) {
    OS << "<text class=\"" << Class << "\" x=\"" << X << "\" y=\"" << Y
       << "\">";
    printHTMLEscaped(Text, OS);
    OS << "</text>\n";
  }

  void rules(raw_ostream &OS, const Grid &G, int X, int Y, int64_t EveryRow,
             int64_t EveryColumn, StringRef Class) const {
    auto Line = [&](int X1, int Y1, int X2, int Y2) {
      OS << "<line class=\"" << Class << "\" x1=\"" << X1 << "\" y1=\"" << Y1
         << "\" x2=\"" << X2 << "\" y2=\"" << Y2 << "\"/>\n";
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
  return textWidth(std::to_string(G.Rows - 1).size(), NumberSize) + 12;
}

std::string drawSvg(const Grid &G) {
  Picture P(ArrayRef<const Grid *>{&G});
  int X = Margin + numberRoom(G), Y = Margin + TitleSize + HeaderHeight;
  P.title(G.Title, Margin, Margin + TitleSize);
  P.draw(G, X, Y);
  P.caption(G, X, Y + P.height(G));
  return P.finish();
}

std::string drawMmaSvg(StringRef Title, const Grid &A, const Grid *B,
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
  int Top = Margin + TitleSize + 2 * HeaderHeight;
  int XA = Margin + numberRoom(A);
  int XC = XA + P.width(A) + numberRoom(C) + HeaderHeight;
  int YC = B ? Top + P.height(Turned) + 2 * HeaderHeight : Top;
  P.title(Title, Margin, Margin + TitleSize);
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
