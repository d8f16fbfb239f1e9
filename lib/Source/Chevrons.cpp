//===-- Chevrons.cpp - How `<<<` and `>>>` are written --------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Source/Chevrons.h"
#include "llvm/ADT/Twine.h"

using namespace warpwright;

size_t warpwright::measureChevrons(llvm::StringRef Text, char Bracket) {
  if (Text.size() < 3 || Text[0] != Bracket || Text[1] != Bracket)
    return 0;
  // A backslash at the end of a line continues it.
  size_t Last = 2;
  for (;;) {
    Last = Text.find_first_not_of(" \t\v\f\r\n", Last);
    llvm::StringRef Rest = Text.substr(Last);
    if (!Rest.consume_front("\\") || !Rest.ltrim(" \t\r").starts_with("\n"))
      break;
    ++Last;
  }
  return Last < Text.size() && Text[Last] == Bracket ? Last + 1 : 0;
}

size_t warpwright::findChevrons(llvm::StringRef Text, size_t From) {
  for (size_t At = Text.find("<<", From); At != llvm::StringRef::npos;
       At = Text.find("<<", At + 1))
    if (measureChevrons(Text.substr(At), '<') &&
        !Text.take_front(At).rtrim().ends_with("operator"))
      return At;
  return llvm::StringRef::npos;
}

std::string warpwright::chevronsComment(llvm::StringRef Open,
                                        llvm::StringRef Close) {
  return ("/*" + llvm::Twine(Open) + Close + "*/").str();
}

std::optional<ChevronsComment>
warpwright::findChevronsComment(llvm::StringRef Text) {
  for (size_t At = Text.find("/*<<"); At != llvm::StringRef::npos;
       At = Text.find("/*<<", At + 1)) {
    llvm::StringRef Rest = Text.substr(At + 2);
    const llvm::StringRef Open = Rest.take_front(measureChevrons(Rest, '<'));
    Rest = Rest.drop_front(Open.size());
    const llvm::StringRef Close = Rest.take_front(measureChevrons(Rest, '>'));
    Rest = Rest.drop_front(Close.size());
    if (!Open.empty() && !Close.empty() && Rest.consume_front("*/"))
      return ChevronsComment{At, Text.size() - Rest.size(), Open, Close};
  }
  return std::nullopt;
}
