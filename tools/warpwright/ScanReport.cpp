//===-- ScanReport.cpp - What a scan found, in three formats --------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scan.h"
#include "warpwright/Frontend/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace warpwright;
using Verdict = ScannedKernel::Verdict;
namespace json = llvm::json;

unsigned ScanReport::count(Verdict What) const {
  return llvm::count_if(Kernels,
                        [&](const ScannedKernel &K) { return K.What == What; });
}

static json::Value text(llvm::StringRef S) { return json::fixUTF8(S); }

static std::string getCode(unsigned Code) {
  return getDiagCode(static_cast<DiagID>(Code));
}

/// `naive, bf16 bf16 -> f32, NN`
static std::string printForm(const ScannedKernel &K) {
  std::string Text = llvm::join(K.Form, ", ");
  if (!K.Types.empty())
    Text += ", " + K.Types + ", " + K.Layout;
  return Text;
}

/// The status of a kernel, in words.
static std::string printVerdict(const ScannedKernel &K) {
  if (K.Rewritten)
    return "rewritten already";
  if (K.What == Verdict::Converts) {
    std::string Text = "converts: " + K.Formula;
    if (K.Converted != K.Instances)
      Text +=
          llvm::formatv(" ({0} of {1} instances)", K.Converted, K.Instances);
    return Text;
  }
  std::string Text =
      K.What == Verdict::Declined ? "declined: " : "not instantiated: ";
  if (!K.Reason)
    return Text + "it is not understood";
  return Text + K.Reason->Text + " [" + getCode(K.Reason->Code) + "]";
}

static std::string count(size_t Number, llvm::StringRef Noun) {
  return (llvm::Twine(Number) + " " + Noun + (Number == 1 ? "" : "s")).str();
}

std::string warpwright::printScanText(const ScanReport &Report,
                                      PathPrinter Show) {
  // Kernels and files that could not be read, in one order.
  std::vector<std::tuple<std::string, unsigned, std::string>> Lines;
  for (const ScannedKernel &K : Report.Kernels) {
    const std::string File = Show(K.File);
    Lines.emplace_back(File, K.Line,
                       llvm::formatv("{0}:{1}: {2}: {3}: {4}\n", File, K.Line,
                                     K.Name, printForm(K), printVerdict(K)));
  }
  for (const ScanReport::Failure &F : Report.Failures) {
    const std::string File = Show(F.Path);
    std::string Where = File;
    if (F.Why.Line)
      Where = llvm::formatv(
          "{0}:{1}", F.Why.File.empty() ? File : Show(F.Why.File), F.Why.Line);
    std::string About =
        Where == File || llvm::StringRef(Where).starts_with(File + ":")
            ? ""
            : "'" + File + "' is ";
    Lines.emplace_back(File, F.Why.Line,
                       llvm::formatv("{0}: {1}not parsed: {2} [{3}]\n", Where,
                                     About, F.Why.Text, getCode(F.Why.Code)));
  }
  llvm::stable_sort(Lines, [](const auto &A, const auto &B) {
    return std::tie(std::get<0>(A), std::get<1>(A)) <
           std::tie(std::get<0>(B), std::get<1>(B));
  });
  std::string Text;
  for (const auto &[File, Line, Each] : Lines)
    Text += Each;
  const unsigned Converts = Report.count(Verdict::Converts);
  Text += llvm::formatv("{0} in {1}: {2} {3}, {4} declined",
                        count(Report.Kernels.size(), "kernel"),
                        count(Report.NumFiles, "file"), Converts,
                        Converts == 1 ? "converts" : "convert",
                        Report.count(Verdict::Declined));
  if (unsigned Open = Report.count(Verdict::NotInstantiated))
    Text += llvm::formatv(", {0} not instantiated", Open);
  if (!Report.Failures.empty())
    Text += ", " + count(Report.Failures.size(), "file") + " not parsed";
  return Text + "\n";
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static json::Value printReason(const ScanReason &R, PathPrinter Show) {
  json::Object O{{"id", getCode(R.Code)}, {"message", text(R.Text)}};
  if (R.Line) {
    O["file"] = text(Show(R.File));
    O["line"] = R.Line;
    O["column"] = R.Column;
  }
  return O;
}

static llvm::StringRef getStatus(const ScannedKernel &K) {
  switch (K.What) {
  case Verdict::Converts:
    return K.Rewritten ? "rewritten" : "converts";
  case Verdict::Declined:
    return "declined";
  case Verdict::NotInstantiated:
    return "not-instantiated";
  }
  llvm_unreachable("unknown verdict");
}

std::string warpwright::printScanJSON(const ScanReport &Report,
                                      PathPrinter Show) {
  json::Array Kernels, Failures;
  for (const ScannedKernel &K : Report.Kernels) {
    json::Array Form;
    for (const std::string &Word : K.Form)
      Form.push_back(Word);
    json::Object O{{"file", text(Show(K.File))}, {"line", K.Line},
                   {"column", K.Column},         {"kernel", text(K.Name)},
                   {"annotated", K.Annotated},   {"form", std::move(Form)},
                   {"status", getStatus(K)},     {"instances", K.Instances},
                   {"converted", K.Converted}};
    if (!K.Formula.empty()) {
      O["types"] = K.Types;
      O["layout"] = K.Layout;
      O["formula"] = text(K.Formula);
      O["contraction"] = text(K.Contraction);
    }
    if (K.Reason)
      O["reason"] = printReason(*K.Reason, Show);
    Kernels.push_back(std::move(O));
  }
  for (const ScanReport::Failure &F : Report.Failures)
    Failures.push_back(json::Object{{"file", text(Show(F.Path))},
                                    {"reason", printReason(F.Why, Show)}});
  json::Object Totals{
      {"kernels", Report.Kernels.size()},
      {"files", Report.NumFiles},
      {"converts", Report.count(Verdict::Converts)},
      {"declined", Report.count(Verdict::Declined)},
      {"notInstantiated", Report.count(Verdict::NotInstantiated)},
      {"notParsed", Report.Failures.size()}};
  return llvm::formatv("{0:2}\n", json::Value(json::Object{
                                      {"kernels", std::move(Kernels)},
                                      {"notParsed", std::move(Failures)},
                                      {"totals", std::move(Totals)},
                                  }));
}

//===----------------------------------------------------------------------===//
// SARIF
//===----------------------------------------------------------------------===//

/// A path as a URI reference: RFC 3986 allows few characters without escapes.
static std::string getUri(llvm::StringRef Path) {
  std::string Uri = llvm::sys::path::is_absolute(Path) ? "file://" : "";
  for (unsigned char C : Path)
    if (llvm::isAlnum(C) || llvm::StringRef("/-._~").contains(C))
      Uri += C;
    else
      Uri +=
          "%" + llvm::toHex(llvm::StringRef(reinterpret_cast<char *>(&C), 1));
  return Uri;
}

static json::Object locate(llvm::StringRef Path, unsigned Line,
                           unsigned Column) {
  json::Object Physical{
      {"artifactLocation", json::Object{{"uri", getUri(Path)}}}};
  if (Line)
    Physical["region"] =
        json::Object{{"startLine", Line}, {"startColumn", Column}};
  return json::Object{{"physicalLocation", std::move(Physical)}};
}

/// A convertible kernel is a finding of its own, with the pragma as its fix.
static unsigned getRule(const ScannedKernel &K) {
  if (K.What == Verdict::Converts)
    return unsigned(DiagID::Convertible);
  return K.Reason ? K.Reason->Code : unsigned(DiagID::UnsupportedStatement);
}

static json::Object printResult(const ScannedKernel &K, PathPrinter Show) {
  const bool Converts = K.What == Verdict::Converts;
  std::string Message = "'" + K.Name + "' (" + printForm(K) + ") ";
  if (K.Rewritten)
    Message += "is rewritten already";
  else if (Converts)
    Message += "can be rewritten: " + K.Formula;
  else
    Message += "is not rewritten: " +
               (K.Reason ? K.Reason->Text : "it is not understood");
  // For annotated kernels there is nothing to do.
  const bool Todo = Converts && !K.Annotated;
  json::Object Result{
      {"ruleId", getCode(getRule(K))},
      {"kind", Converts && !Todo ? "pass" : "informational"},
      {"level", "none"},
      {"message", json::Object{{"text", text(Message)}}},
      {"locations", json::Array{locate(Show(K.File), K.Line, K.Column)}},
  };
  if (Todo || !Converts) {
    Result["kind"] = "fail";
    Result["level"] = "note";
  }
  if (!Converts && K.Reason && K.Reason->Line) {
    json::Object Place =
        locate(Show(K.Reason->File), K.Reason->Line, K.Reason->Column);
    Place["message"] = json::Object{{"text", text(K.Reason->Text)}};
    Result["relatedLocations"] = json::Array{std::move(Place)};
  }
  if (K.Insertion) {
    json::Object Change{
        {"artifactLocation",
         json::Object{{"uri", getUri(Show(K.Insertion->File))}}},
        {"replacements",
         json::Array{json::Object{
             {"deletedRegion", json::Object{{"byteOffset", K.Insertion->Offset},
                                            {"byteLength", 0}}},
             {"insertedContent",
              json::Object{{"text", text(K.Insertion->Text)}}}}}}};
    Result["fixes"] = json::Array{json::Object{
        {"description", json::Object{{"text", "insert the pragma"}}},
        {"artifactChanges", json::Array{std::move(Change)}}}};
  }
  return Result;
}

std::string warpwright::printScanSarif(const ScanReport &Report,
                                       PathPrinter Show) {
  std::set<unsigned> Codes;
  json::Array Results, Notifications, Rules;
  for (const ScannedKernel &K : Report.Kernels) {
    Codes.insert(getRule(K));
    Results.push_back(printResult(K, Show));
  }
  for (const ScanReport::Failure &F : Report.Failures) {
    Codes.insert(F.Why.Code);
    Notifications.push_back(json::Object{
        {"level", "error"},
        {"associatedRule", json::Object{{"id", getCode(F.Why.Code)}}},
        {"message",
         json::Object{{"text", text("'" + Show(F.Path) +
                                    "' is not scanned: " + F.Why.Text)}}},
        {"locations",
         json::Array{locate(Show(F.Why.File.empty() ? F.Path : F.Why.File),
                            F.Why.Line, F.Why.Column)}}});
  }
  for (unsigned Code : Codes) {
    const DiagInfo &Info = getDiagInfo(static_cast<DiagID>(Code));
    Rules.push_back(json::Object{
        {"id", getCode(Code)},
        {"name", Info.Name},
        {"shortDescription", json::Object{{"text", Info.Format}}},
        {"help", json::Object{{"text", "docs/diagnostics/" + getCode(Code) +
                                           ".md says why and what to do."}}}});
  }
  json::Object Driver{{"name", "warpwright"},
                      {"version", WARPWRIGHT_VERSION},
                      {"rules", std::move(Rules)}};
  json::Object Invocation{
      {"executionSuccessful", Report.Failures.empty()},
      {"toolExecutionNotifications", std::move(Notifications)}};
  json::Object Run{{"tool", json::Object{{"driver", std::move(Driver)}}},
                   {"invocations", json::Array{std::move(Invocation)}},
                   {"columnKind", "utf16CodeUnits"},
                   {"results", std::move(Results)}};
  return llvm::formatv(
      "{0:2}\n",
      json::Value(json::Object{
          {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", json::Array{std::move(Run)}}}));
}
