//===-- version.cuh - The version of the runtime ----------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything in the runtime is in the inline namespace of its version. So a
// program may hold two versions of it, in different files: their functions have
// different names. A generated section names the version that it was made for,
// `::warpwright::rt::v2::decisions`, and does not compile with another one. The
// number grows with every change that sections made before would notice.
//
//===----------------------------------------------------------------------===//

#if defined(WARPWRIGHT_RT_VERSION) && WARPWRIGHT_RT_VERSION != 2
#error "two versions of warpwright's runtime are included in one file"
#endif

#ifndef WARPWRIGHT_RT_VERSION
#define WARPWRIGHT_RT_VERSION 2
#endif
