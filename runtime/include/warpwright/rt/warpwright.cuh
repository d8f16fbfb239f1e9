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
#include <warpwright/rt/problem.cuh>
#include <warpwright/rt/select.cuh>
#include <warpwright/rt/tensor_map.cuh>
#include <warpwright/rt/verify.cuh>

// Device side: what the kernels are made of.
#include <warpwright/rt/epilogue.cuh>
#include <warpwright/rt/fragment.cuh>
#include <warpwright/rt/mbarrier.cuh>
#include <warpwright/rt/scheduler.cuh>
#include <warpwright/rt/split.cuh>
#include <warpwright/rt/tma.cuh>
#include <warpwright/rt/wgmma.cuh>

#endif // WARPWRIGHT_RT_WARPWRIGHT_CUH
