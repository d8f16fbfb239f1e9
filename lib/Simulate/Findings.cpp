//===-- Findings.cpp - What the simulator found, as diagnostics -----------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Findings.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace warpwright;
namespace json = llvm::json;

void GeneratedLines::add(llvm::StringRef Text) {
  std::string File; // empty for a line of the user's
  unsigned Number = 0;
  while (!Text.empty()) {
    llvm::StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    llvm::StringRef Directive = Line;
    unsigned Next = 0;
    if (Directive.consume_front("#line ") &&
        !Directive.consumeInteger(10, Next)) {
      llvm::StringRef Name = Directive.trim();
      if (Name.consume_front("\"") && Name.consume_back("\""))
        File = Name.starts_with("<") ? Name.str() : "";
      Number = Next;
      continue;
    }
    if (!File.empty()) {
      std::vector<std::string> &Lines = Files[File];
      if (Lines.size() <= Number)
        Lines.resize(Number + 1);
      Lines[Number] = Line.str();
    }
    ++Number;
  }
}

void GeneratedLines::print(llvm::raw_ostream &OS) const {
  for (const auto &File : Files)
    for (const auto &[Number, Line] : llvm::enumerate(File.second))
      if (!Line.empty())
        OS << "#line " << Number << " \"" << File.first() << "\"\n"
           << Line << '\n';
}

std::optional<llvm::StringRef> GeneratedLines::find(llvm::StringRef File,
                                                    unsigned Line) const {
  auto Found = Files.find(File);
  if (Found == Files.end() || Line >= Found->second.size())
    return std::nullopt;
  return llvm::StringRef(Found->second[Line]);
}

static llvm::symbolize::LLVMSymbolizer::Options getSymbolizerOptions() {
  llvm::symbolize::LLVMSymbolizer::Options Options;
  // As in the line markers: generated text has names that are not paths.
  Options.PathStyle =
      llvm::DILineInfoSpecifier::FileLineInfoKind::RelativeFilePath;
  Options.UseSymbolTable = false;
  return Options;
}

FindingPrinter::FindingPrinter(llvm::StringRef Program,
                               const GeneratedLines &Generated,
                               llvm::raw_ostream &OS)
    : Program(Program.str()), Generated(Generated), OS(OS),
      Symbolizer(getSymbolizerOptions()) {}

/// The name of a function without parameters and template arguments, for use in
/// a note.
static std::string shorten(llvm::StringRef Function) {
  std::string Out;
  unsigned Depth = 0;
  for (size_t I = 0; I < Function.size(); ++I) {
    char C = Function[I];
    if (C == '<' && !llvm::StringRef(Out).ends_with("operator"))
      ++Depth;
    else if (C == '>' && Depth)
      --Depth;
    else if (C == '(' && !Depth && !Out.empty())
      break;
    else if (!Depth)
      Out += C;
  }
  return Out.substr(Out.rfind(' ') == std::string::npos ? 0
                                                        : Out.rfind(' ') + 1);
}

std::vector<FindingPrinter::Frame>
FindingPrinter::symbolize(const json::Array *Stack) {
  std::vector<Frame> Frames;
  if (!Stack)
    return Frames;
  for (const json::Value &Entry : *Stack) {
    uint64_t Address = 0;
    auto Text = Entry.getAsString();
    if (!Text || Text->getAsInteger(0, Address))
      continue;
    auto Inlined = Symbolizer.symbolizeInlinedCode(
        Program, {Address, llvm::object::SectionedAddress::UndefSection});
    if (!Inlined) {
      llvm::consumeError(Inlined.takeError());
      continue;
    }
    for (unsigned I = 0; I != Inlined->getNumberOfFrames(); ++I) {
      const llvm::DILineInfo &Info = Inlined->getFrame(I);
      if (Info.FileName == llvm::DILineInfo::BadString || Info.Line == 0)
        continue;
      Frames.push_back(
          {Info.FileName, shorten(Info.FunctionName), Info.Line, Info.Column});
    }
  }
  return Frames;
}

/// Whether a file belongs to the simulator, the runtime or the system.
static bool isLibrary(llvm::StringRef File) {
  return File.contains("/warpwright/rt/") ||
         File.contains("/warpwright/sim/") ||
         File.contains("/runtime/sim/lib/") || File.contains("/include/c++/") ||
         File.starts_with("/usr/include/") || File.starts_with("/usr/lib/");
}

/// The runtime's files that have the roles of a kernel's warpgroups.
static bool isRole(llvm::StringRef File) {
  const auto [Folder, Name] = File.rsplit('/');
  return Folder.ends_with("warpwright/rt") &&
         (Name == "load.cuh" || Name == "store.cuh" || Name == "kernel.cuh" ||
          Name.starts_with("feed_"));
}

const FindingPrinter::Frame *
FindingPrinter::choose(llvm::ArrayRef<Frame> Frames) {
  for (const Frame &Each : Frames)
    if (!isLibrary(Each.File))
      return &Each;
  for (const Frame &Each : Frames)
    if (isRole(Each.File))
      return &Each;
  for (const Frame &Each : Frames)
    if (llvm::StringRef(Each.File).contains("/warpwright/rt/"))
      return &Each;
  return Frames.empty() ? nullptr : &Frames.front();
}

void FindingPrinter::printPlace(const Frame &At) {
  OS << At.File << ':' << At.Line << ": ";
}

/// The text of the line, as Clang shows it.
void FindingPrinter::printSnippet(const Frame &At) {
  std::string Text;
  if (auto Line = Generated.find(At.File, At.Line)) {
    Text = Line->str();
  } else if (auto Buffer = llvm::MemoryBuffer::getFile(At.File)) {
    llvm::StringRef Rest = (*Buffer)->getBuffer();
    for (unsigned I = 1; I < At.Line && !Rest.empty(); ++I)
      Rest = Rest.split('\n').second;
    Text = Rest.split('\n').first.str();
  }
  if (llvm::StringRef(Text).trim().empty())
    return;
  std::string Number = std::to_string(At.Line);
  OS.indent(Number.size() < 5 ? 5 - Number.size() : 0)
      << Number << " | " << llvm::StringRef(Text).rtrim() << '\n';
}

/// The role of a warp in a warp-specialized kernel, by the functions in which
/// it is. Generated kernels name these functions so.
template <class Frames> static llvm::StringRef getRole(const Frames &Stack) {
  llvm::StringRef Role;
  for (const auto &Each : Stack) {
    llvm::StringRef Function = Each.Function;
    // Loads and stores of shared memory are functions of the role, too.
    if (Function.ends_with("transform"))
      return "transform";
    if (!Role.empty())
      continue;
    if (Function.contains("produce"))
      Role = "producer";
    else if (Function.contains("store") || Function.contains("epilogue"))
      Role = "epilogue";
    else if (Function.contains("multiply") || Function.contains("consume"))
      Role = "consumer";
  }
  return Role;
}

/// `block (0,1,0), cluster rank 1, warp 4, lane 0`.
static std::string describe(const json::Object &Where, llvm::StringRef Role) {
  auto Index = [](const json::Array *List) {
    std::string Text = "(";
    for (size_t I = 0; List && I != List->size(); ++I)
      Text += (I ? "," : "") +
              std::to_string((*List)[I].getAsInteger().value_or(0));
    return Text + ")";
  };
  auto Number = [&](llvm::StringRef Key) {
    return std::to_string(Where.getInteger(Key).value_or(0));
  };
  std::string Text = "block " + Index(Where.getArray("block")) +
                     ", cluster rank " + Number("cluster_rank") + ", warp " +
                     Number("warp") + ", lane " + Number("lane") + ", thread " +
                     Index(Where.getArray("thread"));
  if (!Role.empty())
    Text += " (" + Role.str() + ")";
  return Text;
}

void FindingPrinter::printNote(const json::Object &Note) {
  std::vector<Frame> Frames = symbolize(Note.getArray("stack"));
  const Frame *At = choose(Frames);
  if (At)
    printPlace(*At);
  OS << "note: " << Note.getString("message").value_or("");
  if (const json::Object *Where = Note.getObject("where"))
    OS << ", " << describe(*Where, getRole(Frames));
  OS << '\n';
  if (At)
    printSnippet(*At);
}

void FindingPrinter::print(llvm::StringRef Line) {
  llvm::Expected<json::Value> Parsed = json::parse(Line);
  if (!Parsed) {
    // A finding must not be lost, even if it cannot be read completely.
    llvm::consumeError(Parsed.takeError());
    OS << "error: " << Line << '\n';
    ++NumErrors;
    return;
  }
  const json::Object *Finding = Parsed->getAsObject();
  if (!Finding)
    return;
  bool IsError = Finding->getString("severity").value_or("error") == "error";
  ++(IsError ? NumErrors : NumWarnings);

  std::vector<Frame> Frames = symbolize(Finding->getArray("stack"));
  const Frame *At = choose(Frames);
  std::string File = Finding->getString("file").value_or("").str();
  int64_t KernelLine = Finding->getInteger("line").value_or(0);
  if (At)
    printPlace(*At);
  else if (!File.empty())
    OS << File << ':' << KernelLine << ": ";
  OS << (IsError ? "error: " : "warning: ")
     << Finding->getString("message").value_or("") << " [WW"
     << Finding->getInteger("id").value_or(0) << "]\n";
  if (At)
    printSnippet(*At);

  // The calls from there to the kernel.
  size_t Shown = 0;
  for (const Frame &Each : Frames) {
    bool IsInner = At && &Each < At;
    if (&Each == At ||
        (isLibrary(Each.File) && !llvm::StringRef(Each.File).contains("/rt/")))
      continue;
    if (++Shown > 8)
      break;
    // For the compiler, a kernel's body is a lambda.
    llvm::StringRef Function = Each.Function;
    if (Function == "operator" || Function == "operator()")
      Function = Finding->getString("kernel").value_or("operator()");
    printPlace(Each);
    OS << "note: " << (IsInner ? "in '" : "called from '") << Function << "'\n";
  }
  llvm::StringRef Kernel = Finding->getString("kernel").value_or("");
  if (!Kernel.empty()) {
    if (!File.empty())
      OS << File << ':' << KernelLine << ": ";
    OS << "note: in kernel '" << Kernel << "'";
    if (const json::Object *Where = Finding->getObject("where"))
      OS << ", " << describe(*Where, getRole(Frames));
    OS << '\n';
  }
  llvm::StringRef User = Finding->getString("user_kernel").value_or("");
  if (!User.empty())
    OS << Finding->getString("user_file").value_or("") << ':'
       << Finding->getInteger("user_line").value_or(0)
       << ": note: generated for '" << User << "'\n";
  if (const json::Array *Notes = Finding->getArray("notes"))
    for (const json::Value &Note : *Notes)
      if (const json::Object *Object = Note.getAsObject())
        printNote(*Object);
  OS.flush();
}
