//===-- CodeGen.cpp - Sections and the rewritten file ---------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/CodeGen/CodeGen.h"
#include "Emitters.h"
#include "FilePlans.h"
#include "Format.h"
#include "warpwright/Source/Chevrons.h"
#include "warpwright/Source/Markers.h"
#include "llvm/ADT/STLExtras.h"

namespace warpwright {

static constexpr char LaunchType[] = "::warpwright::rt::Launch";

static std::string launcherSuffix(const KernelSource &Source) {
  return Source.DeclarationOnly ? "_warpwright_weak" : "_warpwright";
}

std::string launcherName(const KernelSource &Source) {
  return Source.Name + launcherSuffix(Source);
}

/// The name by which compilers and profilers know the lines of a section. Angle
/// brackets keep it out of dependency files: it is no file.
static std::string sectionFile(const KernelSource &Source) {
  return "<" + Source.Name + ".warpwright>";
}

static llvm::Error internalError(const KernelSource &Source,
                                 const llvm::Twine &What) {
  return llvm::createStringError("internal error: kernel '" + Source.Name +
                                 "': " + What);
}

/// What stands before the launcher's type. Templates are kept to this file:
/// another one may have lifted other instantiations.
static std::string storageOf(const KernelSource &Source) {
  const bool IsTemplate = !Source.TemplateHeader.empty();
  return Source.InternalLinkage || Source.Inline || Source.DeclarationOnly ||
                 IsTemplate
             ? "static "
             : "";
}

/// What tells the epilogue of a kernel from that of another file's kernel of
/// the same name, which may be a static one or an overload: the linker keeps
/// one of two equal instantiations of the runtime's templates. (nvcc confuses
/// unnamed namespaces within each other.)
static std::string fileSuffix(const KernelSource &Source) {
  if (Source.InUnnamedNamespace || Source.Origin.empty())
    return "";
  return ("_" + llvm::StringRef(Source.Origin).take_back(8)).str();
}

/// Whether \p Name stands in \p Text as a whole word.
static bool mentions(llvm::StringRef Text, llvm::StringRef Name) {
  NameTable Words;
  Words.addIdentifiers(Text);
  return Words.contains(Name);
}

static std::vector<std::string> patternDeclarations(const KernelSource &S) {
  std::vector<std::string> Result;
  for (const ParamSource &P : S.Params) {
    // An array is a pointer here, which it would not be as a member.
    const bool Usable = mentions(P.DeclText, P.Name) &&
                        !llvm::StringRef(P.DeclText).contains('[');
    Result.push_back(Usable ? respell(P.DeclText)
                            : declare(respell(P.Type), P.Name));
  }
  return Result;
}

/// The first line of the launcher, whose first parameter is the configuration
/// called \p LaunchName; or, where that is empty, of the function of the same
/// name that launches call, with exactly the kernel's parameters.
static std::string patternSignature(const KernelSource &S,
                                    llvm::StringRef LaunchName,
                                    bool WithDefaults) {
  std::string Text;
  if (!S.TemplateHeader.empty())
    Text = (WithDefaults && !S.TemplateHeaderWithDefaults.empty()
                ? S.TemplateHeaderWithDefaults
                : S.TemplateHeader) +
           "\n";
  Text += storageOf(S) + (LaunchName.empty() ? "inline " : "") + "void " +
          launcherName(S) + "(";
  llvm::ListSeparator Separator;
  if (!LaunchName.empty())
    Text += (llvm::StringRef(Separator) + LaunchType + " " + LaunchName).str();
  for (const auto &[P, D] : llvm::zip(S.Params, patternDeclarations(S))) {
    Text += (llvm::StringRef(Separator) + D).str();
    if (WithDefaults && !P.DefaultText.empty())
      Text += " = " + P.DefaultText;
  }
  return Text + ")";
}

/// Words that are macros of the toolkit's own. A user who defines one anew
/// (`#define __forceinline__ inline`) means the same by it, and without any
/// definition it means nothing.
static bool isQualifier(llvm::StringRef Word) {
  return llvm::is_contained({"__device__", "__host__", "__global__",
                             "__forceinline__", "__noinline__",
                             "__launch_bounds__", "__restrict__"},
                            Word);
}

/// What a launch calls behind its configuration. It takes exactly the kernel's
/// parameters, so that template arguments are deduced, overloads chosen,
/// arguments converted and defaults used as in the launch of the kernel.
static std::string launchedFunction(const KernelSource &S) {
  const bool IsTemplate = !S.TemplateHeader.empty();
  return patternSignature(S, "", !S.ForwardDeclaration) + " {\n" +
         launcherName(S) +
         (IsTemplate ? templateArguments(S.TemplateParamNames) : "") +
         "(::warpwright::rt::Configure::take()" +
         (S.Params.empty() ? "" : ", " + argumentList(S)) + ");\n}\n";
}

namespace {
/// Writes the sections of one file; knows the names that they have taken.
class SectionWriter {
public:
  /// \p Text may be empty when the file is not at hand.
  explicit SectionWriter(llvm::StringRef Text, bool WithCertificates)
      : WithCertificates(WithCertificates) {
    FileNames.addIdentifiers(withoutComments(Text));
    Macros.addMacros(Text);
  }

  llvm::Expected<std::string> section(const KernelUnit &Unit);
  llvm::Expected<std::string> forwardDeclaration(const KernelSource &Source);

  /// What the sections that were written name.
  FilePlans Plans;

private:
  NameTable FileNames, Macros;
  const bool WithCertificates;

  /// The macros that the user has defined.
  NameTable macros(const KernelSource &Source) const;
  /// What no local name may be.
  NameTable reserved(const KernelSource &Source) const;
  llvm::Expected<InstanceContext> context(const KernelUnit &Unit,
                                          const KernelInstance &Instance,
                                          size_t CaseNumber);
  llvm::Expected<InstanceContext> cases(const KernelUnit &Unit,
                                        llvm::ArrayRef<KernelInstance> Cases,
                                        std::string &Code);
  llvm::Expected<std::string> instance(const InstanceContext &Context);
  std::string weakDispatcher(const KernelSource &Source);
  std::string listed(const KernelSource &Source, llvm::StringRef Original,
                     llvm::StringRef Launcher,
                     llvm::ArrayRef<std::string> Types);
  std::string templateDispatcher(const KernelSource &Source,
                                 llvm::ArrayRef<InstanceContext> Contexts);
};
} // namespace

/// The user's identifiers that a section repeats in his own terms.
static NameTable userWords(const KernelSource &Source) {
  NameTable Words;
  for (const ParamSource &P : Source.Params) {
    Words.add(P.Name);
    Words.addIdentifiers(P.Type);
    Words.addIdentifiers(P.DeclText);
    Words.addIdentifiers(P.DefaultText);
  }
  Words.addIdentifiers(Source.TemplateHeader);
  Words.addIdentifiers(Source.TemplateHeaderWithDefaults);
  Words.addIdentifiers(Source.QualifiedName);
  return Words;
}

static void addUserWords(const KernelInstance &Instance, NameTable &Words) {
  for (const std::string &Arg : Instance.Source.TemplateArgs)
    Words.addIdentifiers(Arg);
  for (const std::string &Type : Instance.Source.ParamTypes)
    Words.addIdentifiers(Type);
  Instance.Computation.walk([](const IntExpr &) {},
                            [&](const ValueRef &Top) {
                              Top->walk([&](const Value &V) {
                                if (V.K == Value::Kind::Call ||
                                    V.K == Value::Kind::Global)
                                  Words.addIdentifiers(V.Name);
                                else if (V.K == Value::Kind::Constant)
                                  Words.addIdentifiers(V.Text);
                              });
                            });
}

NameTable SectionWriter::macros(const KernelSource &Source) const {
  NameTable Names = Macros;
  for (const std::string &Name : Source.ReservedNames)
    Names.add(Name);
  return Names;
}

NameTable SectionWriter::reserved(const KernelSource &Source) const {
  NameTable Names = macros(Source);
  Names.add(userWords(Source));
  return Names;
}

llvm::Expected<InstanceContext>
SectionWriter::context(const KernelUnit &Unit, const KernelInstance &Instance,
                       size_t CaseNumber) {
  const KernelSource &S = Unit.Source;
  const bool IsTemplate = !S.TemplateHeader.empty();
  InstanceContext Context{S,  Instance, {}, {}, {}, {}, {},
                          {}, {},       {}, {}, {}, {}, WithCertificates};
  if (Instance.Plans.Plans.empty())
    return internalError(S, "an instance without plans");
  if (llvm::Error Bad = checkHostExpressions(S, Instance))
    return internalError(S, llvm::toString(std::move(Bad)));
  if (IsTemplate && Instance.Source.ParamTypes.size() != S.Params.size())
    return internalError(S, "parameter types do not match the parameters");

  std::vector<std::string> Args = Instance.Source.TemplateArgs;
  for (std::string &Arg : Args)
    Arg = respell(Arg);
  std::string Base = S.Name;
  if (IsTemplate)
    Base += "_" + identifierFor(Args);
  if (CaseNumber > 1)
    Base += "_" + std::to_string(CaseNumber);
  Context.Epilogue = FileNames.take(Base + "_epilogue" + fileSuffix(S));
  llvm::Expected<PlanText> Plans =
      emitPlans(Instance.Computation, Instance.Plans);
  if (!Plans)
    return Plans.takeError();
  Context.Plans = std::move(*Plans);

  Context.Arguments = templateArguments(Args);
  Context.Original = S.Name + Context.Arguments;
  Context.SectionFile = sectionFile(S);
  Context.Reserved = reserved(S);
  addUserWords(Instance, Context.Reserved);

  if (IsTemplate || CaseNumber > 1) {
    Context.Launcher = FileNames.take(Base + "_launch");
    Context.Storage = "static ";
  } else {
    Context.Launcher = launcherName(S);
    Context.Storage = storageOf(S);
  }
  if (IsTemplate) {
    for (const std::string &Type : Instance.Source.ParamTypes)
      Context.Types.push_back(respell(Type));
    for (const auto &[P, Type] : llvm::zip(S.Params, Context.Types))
      Context.Declarations.push_back(declare(Type, P.Name));
  } else {
    Context.Declarations = patternDeclarations(S);
    for (const ParamSource &P : S.Params)
      Context.Types.push_back(respell(P.Type));
  }
  return Context;
}

llvm::Expected<std::string>
SectionWriter::instance(const InstanceContext &Context) {
  auto Epilogue = emitEpilogue(Context);
  if (!Epilogue)
    return Epilogue.takeError();
  auto Launcher = emitLauncher(Context);
  if (!Launcher)
    return Launcher.takeError();
  if (llvm::Error Clash = Plans.add(Context.Plans))
    return Clash;
  return emitHeading(Context) + *Epilogue + *Launcher;
}

/// Adds the code of the cases of one instantiation to \p Code, each behind the
/// one to which it passes other launches on. Returns the context of the first,
/// whose launcher is that of the instantiation.
llvm::Expected<InstanceContext>
SectionWriter::cases(const KernelUnit &Unit,
                     llvm::ArrayRef<KernelInstance> Cases, std::string &Code) {
  std::vector<InstanceContext> Contexts;
  for (const KernelInstance &Case : Cases) {
    auto Context = context(Unit, Case, Contexts.size() + 1);
    if (!Context)
      return Context;
    if (!Contexts.empty())
      Contexts.back().NextCase = Context->Launcher;
    Contexts.push_back(std::move(*Context));
  }
  for (const InstanceContext &Context : llvm::reverse(Contexts)) {
    auto Text = instance(Context);
    if (!Text)
      return Text.takeError();
    Code += *Text;
  }
  return std::move(Contexts.front());
}

/// For a kernel that is defined elsewhere: its launcher, if the program has
/// one. The build never depends on whether that other file was rewritten.
std::string SectionWriter::weakDispatcher(const KernelSource &S) {
  NameTable Names = reserved(S);
  const std::string Launch = Names.take("launch");
  const std::string Strong = S.Name + "_warpwright";
  std::string Declarations;
  for (const std::string &D : patternDeclarations(S))
    Declarations += ", " + D;
  const std::string Arguments =
      S.Params.empty() ? Launch : Launch + ", " + argumentList(S);
  const std::string Configuration = std::string("const ") + LaunchType + " " +
                                    Launch + " = " +
                                    "::warpwright::rt::Configure::take();\n";
  return "/// In the file that defines " + S.Name +
         "; null where that was not rewritten.\n__attribute__((weak)) void " +
         Strong + "(" + LaunchType + " " + Launch + Declarations + ");\n\n" +
         "/// Launches " + S.Name + " by its launcher if there is one.\n" +
         patternSignature(S, "", !S.ForwardDeclaration) + " {\n" +
         Configuration + "if (" + Strong + ") {\n" + Strong + "(" + Arguments +
         ");\nreturn;\n}\n" + "::warpwright::rt::log_original(\"" + S.Name +
         "\", \"the file that defines it has no launcher for it\");\n" +
         launchOriginal(S.Name, S, Launch) + "}\n";
}

/// Puts a kernel on the list of those that are launched by address, before
/// other objects are initialised that may launch it.
std::string SectionWriter::listed(const KernelSource &S,
                                  llvm::StringRef Original,
                                  llvm::StringRef Launcher,
                                  llvm::ArrayRef<std::string> Types) {
  const std::string Name = FileNames.take(
      (S.TemplateHeader.empty() ? S.Name : Launcher.str()) + "_by_address");
  return ("\n/// For launches by address: see rt::by_address.\n"
          "__attribute__((init_priority(101))) static const " +
          ByAddressName + "::Kernel<void(" + llvm::join(Types, ", ") + ")> " +
          Name + "(" + quoted(S.Name) + ", " + Original + ", " + Launcher +
          ");\n")
      .str();
}

/// The launcher template: lifted instantiations go to their own launchers, all
/// others to the original.
std::string
SectionWriter::templateDispatcher(const KernelSource &S,
                                  llvm::ArrayRef<InstanceContext> Contexts) {
  NameTable Names = reserved(S);
  const std::string Launch = Names.take("launch");
  const std::string Struct = FileNames.take(S.Name + "_instance");
  const std::string Run = Names.take("run");
  const std::string ThisInstance = templateArguments(S.TemplateParamNames);
  const std::string Arguments =
      S.Params.empty() ? Launch : Launch + ", " + argumentList(S);
  auto Signature = [&](llvm::ArrayRef<std::string> Declarations) {
    std::string Text =
        "static void " + Run + "(const " + LaunchType + " &" + Launch;
    for (const std::string &D : Declarations)
      Text += ", " + D;
    return Text + ")";
  };
  std::string Text =
      (S.InUnnamedNamespace ? "" : "namespace {\n") +
      ("/// Where launches of " + S.Name) +
      " go: by default to the original.\n" + S.TemplateHeader + "\nstruct " +
      Struct + " {\n" + Signature(patternDeclarations(S)) +
      " {\n::warpwright::rt::log_original(\"" + S.Name +
      "\", \"this instantiation has no Hopper kernel\");\n" +
      launchOriginal(S.Name + ThisInstance, S, Launch) + "}\n};\n";
  for (const InstanceContext &Context : Contexts)
    Text += ("template <> struct " + llvm::Twine(Struct) + Context.Arguments +
             " {\nstatic constexpr auto " + Run + " = &" + Context.Launcher +
             ";\n};\n")
                .str();
  return Text + (S.InUnnamedNamespace ? "" : "} // namespace\n") +
         "\n/// Launches " + S.Name +
         ", or the Hopper kernel of an instantiation that has one.\n" +
         patternSignature(S, Launch, /*WithDefaults=*/false) + " {\n" + Struct +
         ThisInstance + "::" + Run + "(" + Arguments + ");\n}\n";
}

/// Stops a build whose macros are not those that the section was made with.
static std::string macroChecks(const KernelSource &S) {
  if (S.MacroChecks.empty())
    return "";
  std::string Text = lineDirective(1, sectionFile(S)) + "\n";
  for (const MacroCheck &Check : S.MacroChecks) {
    const std::string Made =
        S.Name + " was rewritten " +
        (Check.Value ? "with " + Check.Name + " = " + *Check.Value
                     : "without " + Check.Name) +
        "; rewrite this file with the build's flags";
    const std::string Message = quoted(Made);
    if (Check.Value)
      Text += "static_assert(::warpwright::rt::same_tokens(WARPWRIGHT_TEXT(" +
              Check.Use + "), " + quoted(*Check.Value) + "),\n              " +
              Message + ");\n";
    else
      Text += "#ifdef " + Check.Name + "\nstatic_assert(false, " + Message +
              ");\n#endif\n";
  }
  return Text;
}

/// \p Text between the two lines by which it is known again.
static std::string makeBlock(llvm::StringRef Name, const llvm::Twine &Record,
                             const std::string &Text) {
  return (BlockBegin + Name + Record + "\n" + Text + BlockEnd + Name + " (" +
          digestOf(Text) + ")\n")
      .str();
}

namespace {
/// Pragmas that set macros aside, and those that bring them back.
struct HiddenMacros {
  std::string Hide, Show;
  explicit HiddenMacros(llvm::ArrayRef<std::string> Names) {
    for (const std::string &Name : Names) {
      Hide += "#pragma push_macro(\"" + Name + "\")\n#undef " + Name + "\n";
      Show += "#pragma pop_macro(\"" + Name + "\")\n";
    }
  }
};
} // namespace

llvm::Expected<std::string> SectionWriter::section(const KernelUnit &Unit) {
  const KernelSource &S = Unit.Source;
  const bool IsTemplate = !S.TemplateHeader.empty();
  std::string Code;
  if (S.DeclarationOnly) {
    if (IsTemplate)
      return internalError(S, "a template without a definition");
    Code = weakDispatcher(S);
    std::vector<std::string> Types;
    for (const ParamSource &P : S.Params)
      Types.push_back(respell(P.Type));
    if (S.ByAddress)
      Code += listed(S, S.Name, S.Name + "_warpwright", Types);
  } else {
    if (Unit.Instances.empty())
      return internalError(S, "nothing was lifted");
    std::vector<InstanceContext> Contexts;
    for (llvm::ArrayRef<KernelInstance> Left = Unit.Instances; !Left.empty();) {
      const auto Same = Left.take_while([&](const KernelInstance &I) {
        return I.Source.TemplateArgs == Left.front().Source.TemplateArgs;
      });
      auto Context = cases(Unit, Same, Code);
      if (!Context)
        return Context.takeError();
      Contexts.push_back(std::move(*Context));
      Left = Left.drop_front(Same.size());
    }
    if (!IsTemplate && Contexts.size() != 1)
      return internalError(S, "several instances of a plain kernel");
    if (IsTemplate)
      Code += templateDispatcher(S, Contexts);
    Code += launchedFunction(S);
    if (S.ByAddress)
      for (const InstanceContext &Context : Contexts)
        Code += listed(S, Context.Original, Context.Launcher, Context.Types);
  }

  if (!S.ReopenNamespaces.empty()) {
    std::string Opening, Closing;
    for (const std::string &Name : S.ReopenNamespaces) {
      Opening += "namespace " + Name + (Name.empty() ? "{\n" : " {\n");
      Closing += "}\n";
    }
    Code = Opening + Code + Closing;
  }
  if (S.InExternC)
    Code = "extern \"C++\" {\n" + Code + "}\n";

  auto Formatted = formatCode(Code);
  if (!Formatted)
    return Formatted.takeError();

  // A macro of the user's must not change what is written here, except where
  // it is in his own words (`#define min(a, b)` is as common as it is bad).
  NameTable Words, User = userWords(S);
  Words.addIdentifiers(withoutComments(*Formatted));
  for (const KernelInstance &I : Unit.Instances)
    addUserWords(I, User);
  std::vector<std::string> Common = Words.common(macros(S));
  llvm::erase_if(Common, [&](const std::string &Name) {
    return User.contains(Name) || isQualifier(Name);
  });
  const HiddenMacros Hidden(Common);
  const std::string File = sectionFile(S);
  return makeBlock(S.Name, S.Origin.empty() ? "" : " (" + S.Origin + ")",
                   macroChecks(S) + Hidden.Hide + lineDirective(1, File) +
                       "\n" + numberLines(*Formatted, File) + Hidden.Show);
}

llvm::Expected<std::string>
SectionWriter::forwardDeclaration(const KernelSource &Source) {
  std::string Code =
      patternSignature(Source, "", /*WithDefaults=*/true) + ";\n";
  if (Source.InExternC)
    Code = "extern \"C++\" {\n" + Code + "}\n";
  auto Formatted = formatCode(Code);
  if (!Formatted)
    return Formatted.takeError();
  return makeBlock(Source.Name, " declared",
                   lineDirective(1, sectionFile(Source)) + "\n" + *Formatted);
}

llvm::Expected<std::string> generateSection(const FileSource &File,
                                            const KernelUnit &Unit) {
  return SectionWriter(File.Text, File.WithCertificates).section(Unit);
}

/// The edits that turn one launch into an expression that evaluates the
/// configuration first and then calls what launches the kernel, as `<<<...>>>`
/// does: `(Configure(grid, block), kernel_warpwright(arguments))`.
static llvm::Error redirect(llvm::StringRef Text, const KernelSource &Source,
                            const LaunchSource &L,
                            std::vector<TextEdit> &Edits) {
  auto Slice = [&](unsigned Begin, unsigned End) {
    return Begin <= End ? Text.slice(Begin, End) : llvm::StringRef();
  };
  llvm::StringRef Open = Slice(L.OpenBegin, L.OpenEnd);
  llvm::StringRef Close = Slice(L.CloseBegin, L.CloseEnd);
  const size_t CloseSize = measureChevrons(Close, '>');
  if (Slice(L.NameBegin, L.NameEnd) != Source.Name || Open.empty() ||
      measureChevrons(Open, '<') != Open.size() || !CloseSize ||
      !Close.ends_with("(") || L.Begin > L.NameBegin ||
      !Slice(L.CloseEnd, L.End).ends_with(")"))
    return internalError(Source, "line " + llvm::Twine(L.Line) +
                                     " does not hold the launch that was "
                                     "found there");
  Edits.push_back({L.Begin, 0,
                   ("(" + llvm::Twine(ConfigureName) + "(" +
                    Slice(L.OpenEnd, L.CloseBegin) + "), ")
                       .str()});
  if (!L.Qualifier.empty())
    Edits.push_back({L.NameBegin, 0, AddedQualifier.str() + L.Qualifier});
  Edits.push_back({L.NameEnd, 0, launcherSuffix(Source)});
  Close = Close.take_front(CloseSize);
  const bool IsPlain = Open == "<<<" && Close == ">>>";
  const unsigned CloseEnd = L.CloseBegin + Close.size();
  Edits.push_back({L.OpenBegin, CloseEnd - L.OpenBegin,
                   IsPlain && CloseEnd + 1 == L.CloseEnd
                       ? ""
                       : chevronsComment(Open, Close)});
  Edits.push_back({L.End, 0, ")"});
  return llvm::Error::success();
}

/// The same for a launch by address: `(Configure(grid, block),
/// by_address::launch(pointer)(arguments))`.
static llvm::Error redirectPointer(llvm::StringRef Text, const LaunchSource &L,
                                   std::vector<TextEdit> &Edits) {
  llvm::StringRef Open = Text.substr(L.OpenBegin);
  llvm::StringRef Close = Text.substr(L.CloseBegin);
  Open = Open.take_front(measureChevrons(Open, '<'));
  Close = Close.take_front(measureChevrons(Close, '>'));
  if (Open.empty() || Close.empty() || L.End > Text.size())
    return llvm::createStringError("internal error: line " +
                                   llvm::Twine(L.Line) +
                                   " does not hold the launch that was found "
                                   "there");
  Edits.push_back({L.Begin, 0,
                   ("(" + llvm::Twine(ConfigureName) + "(" +
                    Text.slice(L.OpenEnd, L.CloseBegin) + "), " +
                    ByAddressName + "::launch(")
                       .str()});
  const unsigned CloseEnd = L.CloseBegin + Close.size();
  // A comment of the user's is not to be taken for one of ours.
  const bool IsPlain = Open == "<<<" && Close == ">>>" &&
                       !Text.substr(CloseEnd).starts_with("/*");
  Edits.push_back({L.OpenBegin, CloseEnd - L.OpenBegin,
                   IsPlain ? ")" : ")" + chevronsComment(Open, Close)});
  Edits.push_back({L.End, 0, ")"});
  return llvm::Error::success();
}

/// Has what launches by address ask the list of kernels.
static llvm::Error redirectByAddress(const FileSource &File,
                                     std::vector<TextEdit> &Edits) {
  for (const LaunchSource &L : File.ByAddress.Launches)
    if (auto E = redirectPointer(File.Text, L, Edits))
      return E;
  for (unsigned Offset : File.ByAddress.Calls) {
    // The space tells the user's own `::` from ours.
    const bool Global = File.Text.substr(Offset).starts_with("::");
    Edits.push_back({Offset, 0, (ByAddressName + (Global ? " " : "::")).str()});
  }
  return llvm::Error::success();
}

/// \p Block as it is inserted in the middle of one of the user's lines.
static std::string breakingLine(llvm::StringRef Block) {
  Block.consume_back(")\n");
  return ("\n" + Block + WithinLine + ")\n").str();
}

/// An insertion of a block at \p Offset, after which the user's line
/// \p FollowLine continues.
static TextEdit insertLines(const FileSource &File, unsigned Offset,
                            unsigned FollowLine, const std::string &Lines) {
  const bool AtLineStart =
      Offset == 0 || Offset > File.Text.size() || File.Text[Offset - 1] == '\n';
  return {Offset, 0,
          (AtLineStart ? Lines : breakingLine(Lines)) +
              lineDirective(FollowLine, File.Name) + "\n"};
}

/// The same as a replacement of the block that was generated before.
static TextEdit replaceLines(const FileSource &File, const OldText &Old,
                             const std::string &Lines) {
  return {Old.Begin, Old.End - Old.Begin,
          (Old.BreaksLine ? breakingLine(Lines) : Lines) +
              lineDirective(Old.FollowLine, Old.FollowFile.empty()
                                                ? File.Name
                                                : Old.FollowFile) +
              "\n"};
}

/// Removes the block that was generated before.
static TextEdit removeLines(const OldText &Old) {
  return {Old.Begin, Old.End - Old.Begin, ""};
}

/// \p File without what was generated before and is about to be replaced.
static std::string withoutOldText(const FileSource &File,
                                  llvm::ArrayRef<KernelUnit> Units) {
  std::string Text = File.Text.str();
  if (File.OldPlans)
    std::fill(Text.begin() + File.OldPlans->Begin,
              Text.begin() + File.OldPlans->End, '\n');
  for (const KernelUnit &Unit : Units)
    for (const std::optional<OldText> *Old :
         {&Unit.Source.OldSection, &Unit.Source.OldDeclaration})
      if (*Old && !Unit.SectionExists)
        std::fill(Text.begin() + (*Old)->Begin, Text.begin() + (*Old)->End,
                  '\n');
  return Text;
}

/// Whether a template argument of \p Unit is defined behind the place of its
/// section, as a functor or function between kernel and launch may be.
static bool namesLaterThings(llvm::StringRef Text, const KernelUnit &Unit) {
  if (Unit.Source.TemplateHeader.empty())
    return false;
  if (llvm::any_of(Unit.Instances,
                   [](const KernelInstance &I) { return I.Source.NamesLater; }))
    return true;
  const std::string After =
      withoutComments(Text.drop_front(Unit.Source.SectionOffset));
  NameTable Words, Arguments;
  Words.addIdentifiers(After);
  for (const KernelInstance &I : Unit.Instances)
    for (const std::string &Arg : I.Source.TemplateArgs)
      Arguments.addIdentifiers(respell(Arg));
  return llvm::any_of(Arguments.common(Words), [&](const std::string &Name) {
    return definesType(After, Name);
  });
}

/// \p Unit with its section at the end of the file, where every name is known;
/// the launcher is declared where the section would have been.
static KernelUnit placeAtEnd(const FileSource &File, const KernelUnit &Unit) {
  KernelUnit Result = Unit;
  KernelSource &S = Result.Source;
  if (!S.ForwardDeclaration)
    S.ForwardDeclaration = {S.SectionOffset, S.FollowLine};
  S.SectionOffset = File.Text.size();
  S.FollowLine = File.Text.count('\n') + 1;
  S.InExternC = false;
  S.ReopenNamespaces.clear();
  llvm::SmallVector<llvm::StringRef> Names;
  llvm::StringRef(S.QualifiedName).split(Names, "::");
  Names.pop_back(); // the kernel
  for (llvm::StringRef Name : Names)
    S.ReopenNamespaces.push_back(Name.starts_with("(") ? std::string()
                                                       : Name.str());
  return Result;
}

/// The plans of a file as a block.
static llvm::Expected<std::string> plansBlock(const FileSource &File,
                                              const FilePlans &Plans) {
  llvm::Expected<std::string> Text = Plans.write();
  if (!Text)
    return Text.takeError();
  // The user's own macros are defined further down.
  NameTable Words, Macros;
  Words.addIdentifiers(withoutComments(*Text));
  for (const std::string &Name : File.HiddenMacros)
    Macros.add(Name);
  const HiddenMacros Hidden(Words.common(Macros));
  return makeBlock(PlansBlock, "",
                   Hidden.Hide + lineDirective(1, "<plans.warpwright>") + "\n" +
                       *Text + Hidden.Show);
}

/// Has the file include the runtime before everything else, once, without the
/// macros that would change it, and behind that \p Plans, a block or nothing.
static void writeHead(const FileSource &File, const std::string &Plans,
                      std::vector<TextEdit> &Edits) {
  const HiddenMacros Hidden(File.HiddenMacros);
  const unsigned Start = File.Text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  const size_t Old = sizeOfPrelude(File.Text.substr(Start));
  const std::string Line = lineDirective(1, File.Name) + "\n";
  const bool AddsPlans = !Plans.empty() && !File.OldPlans;
  TextEdit Edit = {Start, static_cast<unsigned>(Old),
                   Hidden.Hide + RuntimeInclude.str() + "\n" + Hidden.Show};
  if (!Old)
    Edit.Text += Line + (AddsPlans ? Plans + Line : "");
  Edits.insert(Edits.begin(), std::move(Edit));
  if (Old && AddsPlans) {
    // The #line that is there has the name of the file before it was moved.
    const unsigned At = Start + Old;
    const size_t Size = File.Text.find('\n', At) + 1 - At;
    Edits.insert(Edits.begin() + 1,
                 TextEdit{At, 0, File.Text.substr(At, Size).str() + Plans});
  }
  if (File.OldPlans)
    Edits.push_back(Plans.empty() ? removeLines(*File.OldPlans)
                                  : replaceLines(File, *File.OldPlans, Plans));
}

llvm::Expected<std::string> generate(const FileSource &File,
                                     llvm::ArrayRef<KernelUnit> Units) {
  std::vector<TextEdit> Edits = File.Edits;
  const std::string UserText = withoutOldText(File, Units);
  SectionWriter Writer(UserText, File.WithCertificates);
  bool HasSection = false;
  for (const KernelUnit &Given : Units) {
    std::optional<KernelUnit> Moved;
    if (!Given.SectionExists && namesLaterThings(UserText, Given))
      Moved = placeAtEnd(File, Given);
    const KernelUnit &Unit = Moved ? *Moved : Given;
    const KernelSource &S = Unit.Source;
    for (const LaunchSource &L : S.Launches)
      if (auto E = redirect(File.Text, S, L, Edits))
        return E;
    // Nothing here would call a dispatcher that no launch goes to.
    if (Unit.SectionExists || (S.DeclarationOnly && S.Launches.empty() &&
                               !S.ByAddress && !S.OldSection))
      continue;
    HasSection = true;
    auto Section = Writer.section(Unit);
    if (!Section)
      return Section.takeError();
    // At the end of the file or behind the kernel, as before or not.
    const bool SamePlace =
        S.OldSection &&
        (S.OldSection->Begin > Given.Source.SectionOffset + 1) == !!Moved;
    if (SamePlace)
      Edits.push_back(replaceLines(File, *S.OldSection, *Section));
    else
      Edits.push_back(
          insertLines(File, S.SectionOffset, S.FollowLine, *Section));
    if (S.OldSection && !SamePlace)
      Edits.push_back(removeLines(*S.OldSection));
    if (S.ForwardDeclaration) {
      auto Declaration = Writer.forwardDeclaration(S);
      if (!Declaration)
        return Declaration.takeError();
      Edits.push_back(S.OldDeclaration
                          ? replaceLines(File, *S.OldDeclaration, *Declaration)
                          : insertLines(File, S.ForwardDeclaration->first,
                                        S.ForwardDeclaration->second,
                                        *Declaration));
    }
  }

  if (llvm::any_of(
          Units, [](const KernelUnit &Unit) { return Unit.Source.ByAddress; }))
    if (auto E = redirectByAddress(File, Edits))
      return E;
  if (HasSection) {
    if (File.OldPlans)
      if (llvm::Error E = Writer.Plans.keep(
              File.Text.slice(File.OldPlans->Begin, File.OldPlans->End),
              UserText))
        return E;
    std::string Plans;
    if (!Writer.Plans.empty()) {
      llvm::Expected<std::string> Block = plansBlock(File, Writer.Plans);
      if (!Block)
        return Block.takeError();
      Plans = std::move(*Block);
    }
    writeHead(File, Plans, Edits);
  }
  return applyEdits(File.Text, std::move(Edits));
}

} // namespace warpwright
