//===- plans.h - The plans that bench.cu measures ---------------*- CUDA
//-*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_TEST_GPU_KERNEL_PLANS_H
#define WARPWRIGHT_TEST_GPU_KERNEL_PLANS_H

#include "harness.cuh"

/// Plans for row-major bf16 C: (rows x cols x stages, groups, pingpong,
/// cluster), for operand majors (rk, ck), swapped or not.
#define PLAN(TR, TC, ST, G, PP, CR, CC, SW)                                    \
  plans.push_back(describe<gemm_plan<TR, TC, ST, G, PP, CR, CC, SW ? BK : AK,  \
                                     SW ? AK : BK, SW, SW, __nv_bfloat16>>(    \
      #TR "x" #TC "/" #ST " g" #G " pp" #PP " c" #CR "x" #CC " s" #SW))
template <bool AK, bool BK> void large_plans(std::vector<plan_info> &plans) {
  PLAN(128, 256, 4, 2, 0, 2, 1, 0);
  PLAN(128, 256, 4, 2, 0, 1, 1, 0);
  PLAN(128, 128, 6, 2, 1, 2, 1, 0);
  PLAN(128, 128, 6, 2, 1, 1, 1, 0);
  PLAN(128, 192, 4, 2, 0, 2, 1, 0);
}
template <bool AK, bool BK> void small_plans(std::vector<plan_info> &plans) {
  PLAN(128, 256, 4, 2, 0, 2, 2, 0);
  PLAN(128, 256, 4, 2, 0, 4, 1, 0);
  PLAN(128, 128, 6, 2, 1, 2, 2, 0);
  PLAN(128, 128, 6, 2, 0, 2, 1, 0);
  PLAN(128, 192, 4, 2, 0, 2, 2, 0);
  PLAN(128, 192, 4, 2, 0, 1, 1, 0);
  PLAN(128, 160, 4, 2, 0, 2, 1, 0);
  PLAN(256, 128, 4, 2, 0, 1, 2, 0);
  PLAN(128, 64, 8, 2, 0, 2, 1, 0);
  PLAN(128, 64, 8, 2, 0, 1, 1, 0);
  PLAN(64, 128, 8, 1, 0, 2, 1, 0);
  PLAN(64, 128, 8, 1, 0, 1, 2, 0);
  PLAN(64, 128, 8, 1, 0, 2, 2, 0);
  PLAN(64, 128, 8, 1, 0, 1, 1, 0);
  PLAN(64, 64, 12, 1, 0, 1, 1, 0);
  PLAN(64, 64, 12, 1, 0, 2, 2, 0);
  PLAN(64, 32, 12, 1, 0, 1, 1, 0);
  PLAN(64, 16, 12, 1, 0, 1, 1, 1);
  PLAN(64, 32, 12, 1, 0, 1, 1, 1);
  PLAN(64, 64, 12, 1, 0, 1, 1, 1);
  PLAN(64, 128, 8, 1, 0, 1, 1, 1);
  PLAN(128, 32, 9, 2, 0, 1, 1, 1);
  PLAN(128, 64, 8, 2, 0, 1, 1, 1);
}

inline std::vector<plan_info> all_plans() {
  std::vector<plan_info> plans;
  large_plans<true, true>(plans);
  large_plans<true, false>(plans);
  large_plans<false, false>(plans);
  large_plans<false, true>(plans);
  small_plans<true, true>(plans);
  small_plans<true, false>(plans);
  return plans;
}

#endif // WARPWRIGHT_TEST_GPU_KERNEL_PLANS_H
