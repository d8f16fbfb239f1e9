//===- shared_ptr_base.h - The standard header, with CUDA's macros -*- C++
//-*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libstdc++ writes __attribute__((__noinline__)) here, and __noinline__ is a
// macro of CUDA's.
//
//===----------------------------------------------------------------------===//

#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
