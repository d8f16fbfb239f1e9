//===- ExplainPictures.h - warpwright explain --svg ----------- -*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_TOOLS_EXPLAINPICTURES_H
#define WARPWRIGHT_TOOLS_EXPLAINPICTURES_H

#include "Pipeline.h"

namespace warpwright {

/// Names within the folder, and what goes there; the index page comes last.
using PictureFiles = std::vector<std::pair<std::string, std::string>>;

/// The pictures of all plans of all instances of \p Kernels, which were found
/// in \p Input.
llvm::Expected<PictureFiles> drawKernels(llvm::StringRef Input,
                                         llvm::ArrayRef<KernelReport> Kernels);

/// Writes \p Files to \p Folder, which is made when it is missing; each file
/// all or not at all. Files of other names are left alone. Fails when the
/// folder cannot be written, or would lose a file that is not a picture.
llvm::Error writePictures(llvm::StringRef Folder, const PictureFiles &Files);

} // namespace warpwright

#endif // WARPWRIGHT_TOOLS_EXPLAINPICTURES_H
