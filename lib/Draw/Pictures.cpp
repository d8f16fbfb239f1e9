//===- Pictures.cpp - Pictures of a planned kernel ------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Draw/Pictures.h"

#include "Style.h"

#include "warpwright/Hopper/Machine.h"
#include "warpwright/Plan/Plan.h"
#include "warpwright/Plan/Roles.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace warpwright {

static constexpr size_t MaxNamePart = 80;

/// The arrays from which the plans read an operand: `A`, or `G, U`.
static std::string arraysOf(const Contraction &C, bool First) {
  std::vector<std::string> Names;
  for (unsigned I = 0; I != C.sumCount(); ++I)
    for (const Product &P : C.sum(I).Products) {
      const std::string &Name = (First ? P.A : P.B).Pointer;
      if (!is_contained(Names, Name))
        Names.push_back(Name);
    }
  return join(Names, ", ");
}

PictureSubject pictureSubject(const Contraction &C, const Directives &Clauses,
                              const PlanSet &Plans, const KernelPlan &Plan) {
  PictureSubject S;
  S.Kernel = C.Kernel;
  S.A = arraysOf(C, /*First=*/true);
  S.B = arraysOf(C, /*First=*/false);
  S.C = C.Outputs.front().Pointer;
  const std::array<int64_t, 3> *Shape = nullptr;
  for (const std::array<int64_t, 3> &Each : Clauses.Shapes) {
    size_t Chosen =
        selectPlan(Plans, Each[0], Each[1], Each[2], 1, deviceOf(Machine()));
    if (!Shape)
      Shape = &Each;
    if (Chosen < Plans.Plans.size() && Plans.Plans[Chosen].Name == Plan.Name) {
      Shape = &Each;
      break;
    }
  }
  if (Shape) {
    std::tie(S.M, S.N, S.K) = std::tie((*Shape)[0], (*Shape)[1], (*Shape)[2]);
    S.SizesFrom = "from the pragma's shapes";
  } else {
    // Two bands, the second one not full, and tiles that every edge of the
    // output cuts.
    int64_t Along = Plan.bandRows() + std::max<int64_t>(1, Plan.bandRows() / 4);
    int64_t Rows = Along * Plan.clusterRows() * Plan.tileRows();
    int64_t Columns = 10 * Plan.clusterColumns() * Plan.tileColumns();
    Rows -= Plan.tileRows() * 3 / 8;
    Columns -= Plan.tileColumns() * 5 / 8;
    S.M = Plan.SwapAB ? Columns : Rows;
    S.N = Plan.SwapAB ? Rows : Columns;
    S.K = 4096;
    S.SizesFrom = "an example, since the sizes are known at the launch only";
  }
  auto Constant = [&](const IntExpr &Extent, int64_t &Size) {
    if (std::optional<int64_t> Known = Extent.getConstant();
        Known && *Known > 0)
      Size = *Known;
  };
  Constant(C.MExtent, S.M);
  Constant(C.NExtent, S.N);
  Constant(C.KExtent, S.K);
  Constant(C.BatchExtent, S.Batch);
  return S;
}

Expected<std::vector<Picture>>
drawPlan(const KernelPlan &P, const PictureSubject &Subject, StringRef Prefix) {
  // There is little room for names next to their arrays.
  PictureSubject S = Subject;
  for (std::string *Name : {&S.A, &S.B, &S.C})
    *Name = shortened(*Name, 130, TextStyle());
  std::vector<Picture> Pictures;
  auto Add = [&](StringRef Topic, const Twine &Title, std::string Text) {
    Pictures.push_back(
        {formatv("{0}-{1}-{2}.svg", Prefix, Pictures.size() + 1, Topic),
         Title.str(), std::move(Text)});
  };
  Add("tiles", "How " + Twine(S.C) + " is cut into tiles", drawTiles(P, S));
  Expected<std::string> Loads = drawLoads(P, S);
  if (!Loads)
    return Loads.takeError();
  Add("loads", "How TMA brings the operands to shared memory", *Loads);
  Add("memory", "Where everything lies in shared memory", drawMemory(P, S));
  Add("operands",
      ("What each " + StringRef(P.Multiply->Instruction) + " reads").str(),
      drawOperands(P, S));
  Expected<std::string> Accumulator = drawAccumulator(P, S);
  if (!Accumulator)
    return Accumulator.takeError();
  Add("accumulators", "Which thread holds which element of the result",
      *Accumulator);
  Expected<std::string> Epilogue = drawEpilogue(P, S);
  if (!Epilogue)
    return Epilogue.takeError();
  Add("epilogue", "How results reach " + Twine(S.C), *Epilogue);
  return Pictures;
}

std::string fileNamePart(StringRef Text) {
  std::string Result;
  for (char C : Text) {
    if (isAlnum(C) || C == '_' || C == '.')
      Result += C;
    else if (!Result.empty() && Result.back() != '-')
      Result += '-';
  }
  // On most systems file names may have 255 bytes.
  if (Result.size() > MaxNamePart)
    Result.resize(MaxNamePart);
  while (!Result.empty() && Result.back() == '-')
    Result.pop_back();
  return Result.empty() ? "kernel" : Result;
}

bool isPictureFile(StringRef Text) { return Text.starts_with(PictureMarker); }

std::string indexPage(StringRef Input, ArrayRef<PictureEntry> Entries) {
  std::string Page;
  raw_string_ostream OS(Page);
  auto Words = [&](StringRef Text) { printHTMLEscaped(Text, OS); };
  OS << PictureMarker
     << "\n<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
        "charset=\"utf-8\"/>\n<title>";
  Words(Input);
  OS << R"(: pictures of its kernels</title>
<style>
body{font-family:DejaVu Sans,Verdana,Arial,sans-serif;color:#1b2733;background:#ffffff;max-width:1240px;margin:2em auto;padding:0 1em;font-size:14px;line-height:1.5}
h1{font-size:22px}h2{font-size:18px;margin-top:2em;border-bottom:1px solid #c9d0d6}h3{font-size:15px;margin-bottom:0.2em}
p{color:#5a6672;margin-top:0}
ul{display:grid;grid-template-columns:repeat(3,1fr);gap:14px;list-style:none;padding:0}
li a{display:block;border:1px solid #c9d0d6;padding:8px;color:#005a8e;text-decoration:none}
li a:hover,li a:focus{border-color:#005a8e}
img{display:block;width:100%;height:210px;object-fit:contain;object-position:top}
</style>
</head>
<body>
<h1>)";
  Words(Input);
  OS << "</h1>\n<p>What <code>warpwright explain --svg</code> drew. A launch "
        "takes one of a kernel's plans, by the sizes that it is given.</p>\n";
  if (Entries.empty())
    OS << "<p>No annotated kernel.</p>\n";
  if (Entries.size() > 1) {
    OS << "<p class=\"contents\">";
    for (size_t I = 0; I < Entries.size(); ++I) {
      OS << (I ? " · " : "") << "<a href=\"#kernel-" << I << "\">";
      Words(Entries[I].Kernel + Entries[I].Instance);
      OS << "</a>";
    }
    OS << "</p>\n";
  }
  for (size_t I = 0; I < Entries.size(); ++I) {
    const PictureEntry &E = Entries[I];
    OS << "<h2 id=\"kernel-" << I << "\">";
    Words(E.Kernel + E.Instance);
    OS << "</h2>\n<p>";
    Words(E.Place);
    if (!E.Note.empty()) {
      OS << ": ";
      Words(E.Note);
    }
    OS << "</p>\n";
    for (const PictureEntry::Plan &P : E.Plans) {
      OS << "<h3>plan ";
      Words(P.Name);
      OS << "</h3>\n<p>";
      Words(P.Summary);
      OS << "</p>\n<ul>\n";
      for (const Picture &Each : P.Pictures) {
        OS << "<li><a href=\"" << Each.File << "\"><img src=\"" << Each.File
           << "\" alt=\"\"/>";
        Words(Each.Title);
        OS << "</a></li>\n";
      }
      OS << "</ul>\n";
    }
  }
  OS << "</body>\n</html>\n";
  return Page;
}

} // namespace warpwright
