//===-- Layout.cpp - warpwright layout ------------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Evaluates an expression of the layout language and shows the result.
///
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Driver.h"
#include "warpwright/Hopper/Atoms.h"
#include "warpwright/Layout/Banks.h"
#include "warpwright/Layout/Draw.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace warpwright;

namespace {

struct LayoutOptions {
  std::string Expression;
  bool Table = false;
  bool Text = false;
  std::string At;          ///< --at=, or empty
  std::string Svg;         ///< --svg=, or empty
  std::string ThreadValue; ///< --tv=: the shape of the tile
  int64_t BankBytes = 0;   ///< --banks: bytes of one unit of offset
  int64_t AccessBytes = 0; ///< --access: bytes that a lane moves at a time
};

constexpr int64_t MaxTable = 1 << 24;

} // namespace

/// An error in \p Text, with the text and a caret below the message.
static void reportAt(llvm::StringRef Text, llvm::Error E) {
  size_t Offset = 0;
  std::string Message;
  llvm::handleAllErrors(
      std::move(E),
      [&](const ExpressionError &Error) {
        Offset = std::min(Error.offset(), Text.size());
        Message = Error.text();
      },
      [&](const llvm::ErrorInfoBase &Error) { Message = Error.message(); });
  reportError(llvm::make_error<DiagError>(DiagID::BadExpression,
                                          std::vector<std::string>{Message}));
  // Control characters would shift the caret.
  std::string Line = Text.str();
  for (char &C : Line)
    if (static_cast<unsigned char>(C) < ' ')
      C = ' ';
  // A character of several bytes takes one column.
  size_t Column = llvm::count_if(Text.take_front(Offset), [](char C) {
    return (static_cast<unsigned char>(C) & 0xC0) != 0x80;
  });
  llvm::errs() << "  " << Line << "\n  ";
  llvm::errs().indent(Column) << "^\n";
}

static llvm::Error cannotShow(llvm::StringRef How, const llvm::Twine &Why) {
  return llvm::make_error<DiagError>(
      DiagID::CannotShow, std::vector<std::string>{How.str(), Why.str()});
}

/// A size in bytes that shared memory is read by.
static bool isAccessSize(uint64_t Bytes) {
  return llvm::isPowerOf2_64(Bytes) && Bytes <= 16;
}

static llvm::Expected<LayoutOptions> parseOptions(const CommandLine &Line) {
  // An expression may begin with a minus.
  std::vector<std::string> Expressions;
  llvm::Expected<Arguments> Given = Arguments::parse(
      Line.Args, LayoutOption, [&](llvm::ArrayRef<std::string> Words) {
        if (llvm::StringRef(Words.front()).starts_with("--"))
          return size_t(0);
        Expressions.push_back(Words.front());
        return size_t(1);
      });
  if (!Given)
    return Given.takeError();
  LayoutOptions Options;
  Options.Table = Given->has(OPT_table);
  Options.Text = Given->has(OPT_text);
  if (Given->has(OPT_banks))
    Options.BankBytes = 1;
  if (std::optional<llvm::StringRef> Value = Given->value(OPT_banks_of))
    if (Value->getAsInteger(10, Options.BankBytes) ||
        !isAccessSize(Options.BankBytes))
      return makeUsageError("'--banks' takes the bytes of one element: 1, "
                            "2, 4, 8 or 16, not '" +
                            *Value + "'");
  if (std::optional<llvm::StringRef> Value = Given->value(OPT_access))
    if (Value->getAsInteger(10, Options.AccessBytes) ||
        !isAccessSize(Options.AccessBytes))
      return makeUsageError("'--access' takes the bytes that a lane moves at "
                            "a time: 1, 2, 4, 8 or 16, not '" +
                            *Value + "'");
  const std::tuple<OptionID, llvm::StringLiteral, std::string &> Texts[] = {
      {OPT_at, "--at", Options.At},
      {OPT_svg, "--svg", Options.Svg},
      {OPT_tv, "--tv", Options.ThreadValue}};
  for (const auto &[ID, Name, To] : Texts) {
    To = Given->valueOrEmpty(ID);
    if (Given->has(ID) && To.empty())
      return makeUsageError("option '" + Name + "' needs a value");
  }
  llvm::append_range(Expressions, Given->Inputs);
  if (Expressions.size() > 1)
    return makeUsageError("more than one expression: '" + Expressions[0] +
                          "' and '" + Expressions[1] + "'");
  const bool HasExpression = !Expressions.empty();
  if (HasExpression)
    Options.Expression = Expressions.front();
  if (Options.AccessBytes && !Options.BankBytes)
    return makeUsageError("'--access' needs '--banks': the bytes of one "
                          "element");
  if (!HasExpression)
    return makeUsageError("no expression; try 'warpwright layout "
                          "\"(4,8):(8,1)\" --text'");
  return Options;
}

/// The offset at the coordinate \p Text of \p L.
static llvm::Expected<int64_t> offsetAt(const ComposedLayout &L,
                                        llvm::StringRef Text) {
  llvm::Expected<IntTuple> C = parseIntTuple(Text);
  if (!C)
    return C.takeError();
  if (hasAny(*C))
    return layoutError("'_' names no single element; use slice");
  if (llvm::Error E = checkCoord(*C, L.shape()))
    return E;
  if (!isWithin(*C, L.shape()))
    return layoutError("coordinate " + C->str() + " lies outside the shape " +
                       L.shape().str());
  return L(*C);
}

/// Prints the bank of each element, and the wavefronts of the usual accesses to
/// a tile.
static llvm::Error showBanks(const ComposedLayout &L, int64_t Bytes) {
  llvm::Expected<Grid> G = offsetGrid(L, Bytes);
  if (!G)
    return cannotShow("--banks", toString(G.takeError()));
  for (Grid::Cell &Cell : G->Cells) {
    Cell.Label = std::to_string(Cell.Colour);
    Cell.Detail.clear();
  }
  llvm::outs() << "banks:\n" << drawText(*G);
  auto Count = [&](const char *What, int64_t Lanes, int64_t LaneRows,
                   int64_t LaneColumns, int64_t AccessBytes) {
    // Lane i accesses AccessBytes at (i * LaneRows, i * LaneColumns).
    if (AccessBytes % Bytes || (Lanes - 1) * LaneRows >= G->Rows ||
        (Lanes - 1) * LaneColumns + AccessBytes / Bytes > G->Columns)
      return;
    std::vector<int64_t> Addresses;
    for (int64_t Lane = 0; Lane < Lanes; ++Lane) {
      int64_t Row = Lane * LaneRows, Column = Lane * LaneColumns;
      int64_t First = L(Row + G->Rows * Column) * Bytes;
      for (int64_t E = 1; E < AccessBytes / Bytes; ++E)
        if (L(Row + G->Rows * (Column + E)) * Bytes != First + E * Bytes)
          return; // not one access
      if (First % AccessBytes)
        return;
      Addresses.push_back(First);
    }
    unsigned N = countWavefronts(Addresses, AccessBytes);
    llvm::outs() << What << ": " << N << (N == 1 ? " wavefront" : " wavefronts")
                 << '\n';
  };
  Count("8 rows of 16 bytes (ldmatrix)", 8, 1, 0, 16);
  Count("one column by 32 lanes", 32, 1, 0, Bytes);
  Count("one row by 32 lanes of 4 bytes", 32, 0, 4 / Bytes, 4);
  if (Bytes != 4)
    Count("one row by 32 lanes", 32, 0, 1, Bytes);
  return llvm::Error::success();
}

/// The wavefronts with which the threads of \p L, (thread, value), move their
/// values.
static llvm::Error showAccess(const ComposedLayout &L, int64_t UnitBytes,
                              int64_t Bytes) {
  llvm::Expected<AccessCost> Cost = accessCost(L, UnitBytes, Bytes);
  if (!Cost)
    return cannotShow("--access", toString(Cost.takeError()));
  unsigned Total = 0;
  int64_t Together = Bytes / UnitBytes;
  auto Say = [](unsigned N) {
    return llvm::Twine(N).str() + (N == 1 ? " wavefront" : " wavefronts");
  };
  // Equal accesses share a line.
  const std::vector<unsigned> &Each = Cost->Wavefronts;
  for (size_t I = 0, End; I < Each.size(); I = End) {
    for (End = I; End < Each.size() && Each[End] == Each[I]; ++End)
      Total += Each[End];
    int64_t First = I * Together, Last = End * Together - 1;
    llvm::outs() << (First == Last ? "value " : "values ") << First;
    if (First != Last)
      llvm::outs() << ".." << Last;
    llvm::outs() << ": ";
    if (End - I > 1)
      llvm::outs() << End - I << " accesses, each ";
    llvm::outs() << Say(Each[I]) << '\n';
  }
  llvm::outs() << "in all " << Say(Total) << " for " << Cost->Warps
               << (Cost->Warps == 1 ? " warp, " : " warps, ")
               << Cost->Ideal * Each.size() << " at best\n";
  return llvm::Error::success();
}

static llvm::Error show(const LayoutOptions &Options,
                        const ExpressionValue &Value) {
  const auto *ThreadValue = std::get_if<ThreadValueLayout>(&Value);
  ComposedLayout L = llvm::cantFail(ExpressionArgument{Value}.layout());
  llvm::outs() << L << '\n';
  if (Options.Table) {
    if (L.size() > MaxTable)
      return cannotShow("--table", "the layout has " + llvm::Twine(L.size()) +
                                       " elements");
    for (int64_t I = 0; I < L.size(); ++I)
      llvm::outs() << (I ? " " : "") << L(I);
    llvm::outs() << '\n';
  }
  if (!Options.At.empty()) {
    llvm::Expected<int64_t> Offset = offsetAt(L, Options.At);
    if (!Offset)
      return Offset.takeError();
    llvm::outs() << *Offset << '\n';
  }
  if (Options.AccessBytes) {
    if (ThreadValue)
      return cannotShow("--access",
                        "the layout leads to elements of a tile, not to "
                        "memory; try composition(<layout of the tile>,...)");
    if (llvm::Error E = showAccess(L, Options.BankBytes, Options.AccessBytes))
      return E;
  } else if (Options.BankBytes && !Options.Text)
    if (llvm::Error E = showBanks(L, Options.BankBytes))
      return E;
  if (Options.Text || !Options.Svg.empty()) {
    llvm::Expected<Grid> G = ThreadValue ? threadValueGrid(*ThreadValue)
                                         : offsetGrid(L, Options.BankBytes);
    if (!G)
      return cannotShow(Options.Text ? "--text" : "--svg",
                        toString(G.takeError()));
    if (Options.Text)
      llvm::outs() << drawText(*G);
    if (!Options.Svg.empty())
      return writeOutput(Options.Svg, drawSvg(*G));
  }
  return llvm::Error::success();
}

int warpwright::runLayout(const CommandLine &Line) {
  llvm::Expected<LayoutOptions> Options = parseOptions(Line);
  if (!Options) {
    reportError(Options.takeError());
    return ES_Failure;
  }
  llvm::Expected<ExpressionValue> Value =
      evaluateExpression(Options->Expression, &machineLibrary());
  if (!Value) {
    reportAt(Options->Expression, Value.takeError());
    return ES_Failure;
  }
  // Options that apply to layouts only.
  const char *Shown = Options->Table                  ? "--table"
                      : !Options->At.empty()          ? "--at"
                      : Options->BankBytes            ? "--banks"
                      : Options->Text                 ? "--text"
                      : !Options->ThreadValue.empty() ? "--tv"
                                                      : nullptr;
  auto RefuseShown = [&](const llvm::Twine &What) {
    llvm::outs().flush();
    reportError(cannotShow(Shown, What + " is no layout"));
    return ES_Failure;
  };
  // A number that a function computed is a number, not a shape.
  llvm::StringRef Text = llvm::StringRef(Options->Expression).ltrim();
  if (const auto *Number = std::get_if<IntTuple>(&*Value);
      Number && (llvm::isAlpha(Text.front()) || hasAny(*Number))) {
    llvm::outs() << *Number << '\n';
    if (!Shown && !Options->Svg.empty())
      Shown = "--svg";
    return Shown ? RefuseShown(Number->str()) : ES_Success;
  }
  // Values that can be arguments, but have no elements.
  std::string Alone;
  if (const auto *S = std::get_if<Swizzle>(&*Value))
    Alone = S->str();
  else if (const auto *T = std::get_if<Tiler>(&*Value))
    Alone = T->str();
  if (!Alone.empty()) {
    llvm::outs() << Alone << '\n';
    if (!Shown && !Options->Svg.empty())
      Shown = "--svg";
    return Shown ? RefuseShown(Alone) : ES_Success;
  }
  if (const auto *Object =
          std::get_if<std::shared_ptr<const ExpressionObject>>(&*Value)) {
    llvm::outs() << (*Object)->str() << '\n';
    if (Shown)
      return RefuseShown((*Object)->kind());
    if (Options->Svg.empty())
      return ES_Success;
    llvm::outs().flush();
    llvm::Expected<std::string> Picture = (*Object)->svg();
    llvm::Error E = Picture
                        ? writeOutput(Options->Svg, *Picture)
                        : cannotShow("--svg", toString(Picture.takeError()));
    if (!E)
      return ES_Success;
    reportError(std::move(E));
    return ES_Failure;
  }
  llvm::Expected<ComposedLayout> L = ExpressionArgument{*Value}.layout();
  if (!L) {
    reportAt(Options->Expression, L.takeError());
    return ES_Failure;
  }
  if (!Options->ThreadValue.empty()) {
    llvm::Expected<IntTuple> Tile = parseIntTuple(Options->ThreadValue);
    if (!Tile || hasAny(*Tile)) {
      reportAt(Options->ThreadValue,
               Tile ? layoutError("'_' cannot stand in a shape")
                    : Tile.takeError());
      return ES_Failure;
    }
    Value = ThreadValueLayout{*L, *Tile};
  }
  if (llvm::Error E = show(*Options, *Value)) {
    llvm::outs().flush();
    if (E.isA<DiagError>())
      reportError(std::move(E));
    else
      reportAt(Options->At, std::move(E));
    return ES_Failure;
  }
  return ES_Success;
}
