//===- KernelQuery.h - Which kernel a pointer names -------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_LIB_KERNELQUERY_H
#define WARPWRIGHT_SIM_LIB_KERNELQUERY_H

#include "warpwright/sim/program.h"

namespace warpwright {
namespace sim {

/// What the kernel at `kernel` is and how it is called from an array of
/// pointers to its arguments; the site is null if that is no kernel's address.
/// Nothing is run. For the host only.
KernelQuery query_kernel(const void *kernel);

} // namespace sim
} // namespace warpwright

#endif // WARPWRIGHT_SIM_LIB_KERNELQUERY_H
