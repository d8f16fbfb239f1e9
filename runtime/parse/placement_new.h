//===-- placement_new.h - Objects in given storage --------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Placement new and delete for the device. <new> has them for the host, and
/// nvcc takes these for both. Clang's own wrapper of <new>, which does the
/// same, is not among the headers of a parse.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PARSE_PLACEMENT_NEW_H
#define WARPWRIGHT_PARSE_PLACEMENT_NEW_H

#include <new>

#ifndef __CLANG_CUDA_WRAPPERS_NEW
// Where they are constexpr, Clang takes them for both.
#if !(_LIBCPP_STD_VER >= 26 || __cpp_lib_constexpr_new >= 202406L)
inline __device__ void *operator new(__SIZE_TYPE__, void *Where) noexcept {
  return Where;
}
inline __device__ void *operator new[](__SIZE_TYPE__, void *Where) noexcept {
  return Where;
}
#endif
inline __device__ void operator delete(void *, void *) noexcept {}
inline __device__ void operator delete[](void *, void *) noexcept {}
#endif

#endif // WARPWRIGHT_PARSE_PLACEMENT_NEW_H
