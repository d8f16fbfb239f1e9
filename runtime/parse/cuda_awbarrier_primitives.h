//===-- cuda_awbarrier_primitives.h - To be parsed --------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Barriers in shared memory. See cuda_runtime.h.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PARSE_CUDA_AWBARRIER_PRIMITIVES_H
#define WARPWRIGHT_PARSE_CUDA_AWBARRIER_PRIMITIVES_H

typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;

__device__ void __mbarrier_init(__mbarrier_t *barrier, unsigned expected_count);
__device__ __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier);
/// Until the phase is over, by what is built upon it.
__device__ void __warpwright_mbarrier_wait(__mbarrier_t *barrier,
                                           __mbarrier_token_t token);
/// The copies that the thread has issued are part of its arrival.
__device__ void __pipeline_arrive_on(__mbarrier_t *barrier);

/// The operations of a pipeline of which all threads of a block are producers
/// and consumers. They wait as
/// IR/KnownFunctions.h says of PipelineOp.
__device__ void __warpwright_pipeline_make(void *state, unsigned stages,
                                           unsigned threads);
__device__ void __warpwright_pipeline_acquire(void *state, unsigned stages,
                                              unsigned committed,
                                              unsigned left);
__device__ void __warpwright_pipeline_commit(void *state, unsigned stages,
                                             unsigned committed, unsigned left);
__device__ void __warpwright_pipeline_wait(void *state, unsigned stages,
                                           unsigned released, unsigned left);
__device__ void __warpwright_pipeline_release(void *state, unsigned stages,
                                              unsigned released, unsigned left);

#endif // WARPWRIGHT_PARSE_CUDA_AWBARRIER_PRIMITIVES_H
