//===-- cuda_pipeline.h - Asynchronous copies, to be parsed ------*- C++-*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda_pipeline_primitives.h"
