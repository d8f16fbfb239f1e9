//===-- device_launch_parameters.h - All in cuda_runtime.h ---*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// See cuda_runtime.h.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PARSE_DEVICE_LAUNCH_PARAMETERS_H
#define WARPWRIGHT_PARSE_DEVICE_LAUNCH_PARAMETERS_H

#include "cuda_runtime.h"

#endif // WARPWRIGHT_PARSE_DEVICE_LAUNCH_PARAMETERS_H
