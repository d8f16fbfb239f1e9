//===-- VerifySubject.h - What is to be verified in a file ------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_TOOLS_VERIFYSUBJECT_H
#define WARPWRIGHT_TOOLS_VERIFYSUBJECT_H

#include "Pipeline.h"
#include "warpwright/Verify/Verify.h"

namespace warpwright {

/// Every instance of \p File that was lifted and planned; of kernels that were
/// rewritten before, every instance that can be lifted, with the plans that
/// stand in the text.
std::vector<Subject> collectSubjects(ParsedFile &File,
                                     const PipelineResult &Lifted);

} // namespace warpwright

#endif // WARPWRIGHT_TOOLS_VERIFYSUBJECT_H
