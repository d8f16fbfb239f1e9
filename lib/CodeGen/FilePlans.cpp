//===-- FilePlans.cpp - The plans that a file's sections share ------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FilePlans.h"
#include "Emitters.h"
#include "Format.h"
#include "Names.h"
#include "warpwright/CodeGen/CodeGen.h"
#include "warpwright/Contraction/CaseName.h"
#include "warpwright/Plan/RuntimePlan.h"
#include "warpwright/Source/Markers.h"
#include "llvm/ADT/StringSet.h"
#include <tuple>

namespace warpwright {

llvm::Error FilePlans::add(llvm::StringRef Name, llvm::StringRef Text) {
  std::string &Known = Declarations[Name.str()];
  // One of the texts may have been laid out already, so that the two differ in
  // white space; the digest does not see that.
  if (!Known.empty() && digestOf(Known) != digestOf(Text))
    return llvm::createStringError("internal error: two plans are called '" +
                                   Name + "'");
  if (Known.empty())
    Known = Text.str();
  return llvm::Error::success();
}

llvm::Error FilePlans::add(const PlanText &Plans) {
  if (llvm::Error E = add(Plans.TypesName, Plans.Types))
    return E;
  return add(Plans.SetName, Plans.Set);
}

/// The declaration in \p Block of the struct or template \p Name.
static llvm::StringRef findDeclaration(llvm::StringRef Block,
                                       llvm::StringRef Name) {
  const std::string Struct = ("struct " + Name + " ").str();
  const size_t At = Block.find(Struct);
  if (At == llvm::StringRef::npos)
    return "";
  size_t Begin = At;
  constexpr llvm::StringLiteral Template = "template <class Types>";
  if (Block.take_front(At).rtrim().ends_with(Template))
    Begin = Block.take_front(At).rfind(Template);
  unsigned Depth = 0;
  for (size_t End = At; End != Block.size(); ++End) {
    Depth += Block[End] == '{';
    if (Block[End] == '}' && --Depth == 0)
      return Block.slice(Begin, Block.find(';', End) + 1);
  }
  return "";
}

llvm::Error FilePlans::keep(llvm::StringRef Block, llvm::StringRef User) {
  llvm::StringSet<> Names;
  forEachPlanName(User, /*Qualified=*/true,
                  [&](llvm::StringRef Name) { Names.insert(Name); });
  for (const auto &Entry : Names)
    if (llvm::StringRef Text = findDeclaration(Block, Entry.getKey());
        !Text.empty())
      if (llvm::Error E = add(Entry.getKey(), Text))
        return E;
  return llvm::Error::success();
}

llvm::Expected<std::string> FilePlans::write() const {
  std::string Code =
      emitPlansHeading() + "namespace warpwright {\nnamespace rt {\n";
  // One compilation may include several rewritten files.
  for (const auto &[Name, Text] : Declarations) {
    const std::string Guard = PlanGuard.str() + Name;
    Code += "#ifndef " + Guard + "\n#define " + Guard + "\n" +
            llvm::StringRef(Text).rtrim().str() + "\n#endif\n\n";
  }
  return formatCode(Code + "} // namespace rt\n} // namespace warpwright\n");
}

std::string titleOf(llvm::StringRef Instance, const BoolExpr &When) {
  return When.isTrue() && !Instance.contains('<')
             ? ""
             : "// " + caseName(Instance, When) + ":\n";
}

std::vector<WrittenPlan> readPlans(llvm::StringRef Section,
                                   llvm::StringRef Plans,
                                   llvm::StringRef Kernel,
                                   llvm::ArrayRef<std::string> TemplateArgs,
                                   const BoolExpr &When) {
  std::vector<std::string> Args;
  for (const std::string &Arg : TemplateArgs)
    Args.push_back(respell(Arg));
  const std::string Title =
      titleOf((Kernel + templateArguments(Args)).str(), When);
  Section = Section.split(llvm::StringRef(Title).rtrim()).second;
  llvm::StringRef Set;
  forEachPlanName(Section, /*Qualified=*/true, [&](llvm::StringRef Name) {
    if (Set.empty() && Name.starts_with(PlanSetPrefix))
      Set = Name;
  });
  std::vector<WrittenPlan> Result;
  if (Set.empty())
    return Result;
  llvm::StringRef Rest = findDeclaration(Plans, Set);
  while (true) {
    Rest = Rest.split("struct plan_").second;
    if (Rest.empty())
      return Result;
    llvm::StringRef Name, Members;
    std::tie(Name, Members) = Rest.split('"').second.split('"');
    Members = Members.take_front(Members.find('}'));
    auto Value = [&](llvm::StringRef Member, int64_t Otherwise) {
      // A formatter may have changed the spaces.
      llvm::StringRef Text = Members.split(Member).second.ltrim();
      int64_t Number;
      return Text.consume_front("=") && !Text.ltrim().consumeInteger(10, Number)
                 ? Number
                 : Otherwise;
    };
    Result.push_back({Name.str(), Value("tile_m", 0), Value("tile_n", 0),
                      Value("tile_k", 0), Value("stages", 0),
                      Value("cluster_m", rt::decisions::cluster_m) *
                          Value("cluster_n", rt::decisions::cluster_n)});
  }
}

} // namespace warpwright
