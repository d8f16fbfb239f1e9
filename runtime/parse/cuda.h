//===-- cuda.h - The driver's types, to be parsed ---*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the runtime headers of generated code name of the CUDA driver: tensor
/// maps. See cuda_runtime.h.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PARSE_CUDA_H
#define WARPWRIGHT_PARSE_CUDA_H

#include "cuda_runtime.h"

typedef uint64_t cuuint64_t;
typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;

typedef enum cudaError_enum {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_INITIALIZED = 3,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_NOT_SUPPORTED = 801,
  CUDA_ERROR_UNKNOWN = 999
} CUresult;

typedef struct alignas(64) CUtensorMap_st {
  cuuint64_t opaque[16];
} CUtensorMap;

#include "tensor_map_types.h"

extern "C" CUresult cuTensorMapEncodeTiled(
    CUtensorMap *Map, CUtensorMapDataType Type, cuuint32_t Rank, void *Base,
    const cuuint64_t *Extents, const cuuint64_t *Strides, const cuuint32_t *Box,
    const cuuint32_t *ElementStrides, CUtensorMapInterleave Interleave,
    CUtensorMapSwizzle Swizzle, CUtensorMapL2promotion Promotion,
    CUtensorMapFloatOOBfill Fill);

#endif // WARPWRIGHT_PARSE_CUDA_H
