//===- builtin_types.h - Types of the runtime and vectors -------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_BUILTIN_TYPES_H
#define WARPWRIGHT_SIM_BUILTIN_TYPES_H

#include "driver_types.h"

#endif // WARPWRIGHT_SIM_BUILTIN_TYPES_H
