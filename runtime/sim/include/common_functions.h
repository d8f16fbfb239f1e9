//===- common_functions.h - Functions of host and device code ---*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_COMMON_FUNCTIONS_H
#define WARPWRIGHT_SIM_COMMON_FUNCTIONS_H

#include "cuda_runtime.h"

#endif // WARPWRIGHT_SIM_COMMON_FUNCTIONS_H
