//===- PtxMemory.h - Addresses of memory instructions -----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_LIB_PTXMEMORY_H
#define WARPWRIGHT_SIM_LIB_PTXMEMORY_H

#include "Async.h"
#include "Ptx.h"

namespace warpwright {
namespace sim {

enum class PtxAccess : uint8_t { load, store, atomic };

/// The host's pointer to what an instruction accesses, after all checks of
/// bounds, alignment and order; null where a check failed (and reported).
char *resolve(Thread &thread, PtxSpace space, uint64_t address, uint32_t bytes,
              PtxAccess access, const char *what);

/// The place that a shared-memory operand names, in any of the three forms.
SharedPlace shared_operand(Thread &thread, PtxSpace space, uint64_t address,
                           uint32_t bytes, const char *what);

} // namespace sim
} // namespace warpwright

#endif // WARPWRIGHT_SIM_LIB_PTXMEMORY_H
