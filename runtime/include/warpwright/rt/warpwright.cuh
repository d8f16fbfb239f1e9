//===- warpwright/rt/warpwright.cuh - All that generated code needs -*- CUDA
//-*-//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one header that a rewritten file includes.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_WARPWRIGHT_CUH
#define WARPWRIGHT_RT_WARPWRIGHT_CUH

// Host side: launching.
#include <warpwright/rt/by_address.cuh>
#include <warpwright/rt/launch.cuh>
#include <warpwright/rt/launch_plan.cuh>
#include <warpwright/rt/member.cuh>
#include <warpwright/rt/original.cuh>
#include <warpwright/rt/problem.cuh>
#include <warpwright/rt/select.cuh>
#include <warpwright/rt/tensor_map.cuh>
#include <warpwright/rt/verify.cuh>

// Device side: the kernel and the roles that it is made of.
#include <warpwright/rt/kernel.cuh>

#endif // WARPWRIGHT_RT_WARPWRIGHT_CUH
