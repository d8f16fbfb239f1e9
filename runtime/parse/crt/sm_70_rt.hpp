//===-- sm_70_rt.hpp - Named by Clang, not needed ---*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Clang's __clang_cuda_intrinsics.h includes a file of this name.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PARSE_CRT_SM_70_RT_HPP
#define WARPWRIGHT_PARSE_CRT_SM_70_RT_HPP

#endif // WARPWRIGHT_PARSE_CRT_SM_70_RT_HPP
