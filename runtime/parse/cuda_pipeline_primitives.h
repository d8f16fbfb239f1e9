//===-- cuda_pipeline_primitives.h - Copies, to be parsed --------*- C++-*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Asynchronous copies to shared memory. Lift and the executed check know these
/// functions by their names. See cuda_runtime.h.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PARSE_CUDA_PIPELINE_PRIMITIVES_H
#define WARPWRIGHT_PARSE_CUDA_PIPELINE_PRIMITIVES_H

__device__ void __pipeline_memcpy_async(void *__restrict__ dst_shared,
                                        const void *__restrict__ src_global,
                                        size_t size_and_align,
                                        size_t zfill = 0);
__device__ void __pipeline_commit();
/// The same of 1 or 2 bytes, by what is built upon it.
__device__ void __warpwright_memcpy_async(void *__restrict__ dst_shared,
                                          const void *__restrict__ src_global,
                                          size_t size);
__device__ void __pipeline_wait_prior(size_t prior);

#endif // WARPWRIGHT_PARSE_CUDA_PIPELINE_PRIMITIVES_H
