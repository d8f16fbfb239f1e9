//===-- memcpy_async.h - Copies by a group, to be parsed --------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// By pieces as large as the type is aligned. See cuda_runtime.h.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PARSE_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define WARPWRIGHT_PARSE_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"
#include "../cuda/pipeline"

namespace cooperative_groups {

template <class Group, class T, class Size>
__device__ inline void memcpy_async(const Group &group, T *to, const T *from,
                                    const Size &size) {
  cuda::details::copy_by_group<T>(group, to, from, size);
  __pipeline_commit();
}

template <unsigned Stages, class Group>
__device__ inline void wait_prior(const Group &group) {
  __pipeline_wait_prior(Stages);
  group.sync();
}
template <class Group> __device__ inline void wait(const Group &group) {
  __pipeline_wait_prior(0);
  group.sync();
}

} // namespace cooperative_groups

#endif // WARPWRIGHT_PARSE_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
