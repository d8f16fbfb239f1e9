//===-- warpwright_parse.h - Comes before every source ---*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What `-include` names: nvcc includes cuda_runtime.h by itself, so we do too.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PARSE_WARPWRIGHT_PARSE_H
#define WARPWRIGHT_PARSE_WARPWRIGHT_PARSE_H

#include "cuda_runtime.h"

#endif // WARPWRIGHT_PARSE_WARPWRIGHT_PARSE_H
