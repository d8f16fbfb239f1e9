//===- library_header.h - Before the toolkit's own headers ------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Libraries that run on the GPU are not simulated. So that a program that only
// mentions one compiles, its declarations come from the toolkit's own header,
// which finds the headers beside it before the simulator's. Those that the
// simulator has are included first here, and the others' guards set.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_LIBRARY_HEADER_H
#define WARPWRIGHT_SIM_LIBRARY_HEADER_H

#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "driver_types.h"
#include "library_types.h"

#define CU_COMPLEX_H_
#define __CUDA_BF16_H__
#define __CUDA_FP16_H__
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __LIBRARY_TYPES_H__

#endif // WARPWRIGHT_SIM_LIBRARY_HEADER_H
