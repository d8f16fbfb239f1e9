//===- cuda_pipeline_primitives.h - Copies of threads -----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_CUDA_PIPELINE_PRIMITIVES_H
#define WARPWRIGHT_SIM_CUDA_PIPELINE_PRIMITIVES_H

#include "cuda_runtime.h"

#pragma clang force_cuda_host_device begin

typedef size_t __pipeline_t;

// Through the PTX that the device would run, with its asynchrony.
static inline void __pipeline_memcpy_async(void *__restrict__ dst_shared,
                                           const void *__restrict__ src_global,
                                           size_t size_and_align,
                                           size_t zfill = 0) {
  static ::warpwright::sim::AsmSite four = {
      "cp.async.ca.shared.global [%0], [%1], 4, %2;", nullptr};
  static ::warpwright::sim::AsmSite eight = {
      "cp.async.ca.shared.global [%0], [%1], 8, %2;", nullptr};
  static ::warpwright::sim::AsmSite sixteen = {
      "cp.async.cg.shared.global [%0], [%1], 16, %2;", nullptr};
  ::warpwright::sim::AsmSite &site = size_and_align == 4   ? four
                                     : size_and_align == 8 ? eight
                                                           : sixteen;
  ::warpwright::sim::AsmOperand operands[] = {
      ::warpwright::sim::asm_input(
          "r", nullptr, ::warpwright::sim::to_shared_address(dst_shared)),
      ::warpwright::sim::asm_input(
          "l", nullptr, reinterpret_cast<unsigned long long>(src_global)),
      ::warpwright::sim::asm_input(
          "r", nullptr, static_cast<unsigned int>(size_and_align - zfill))};
  ::warpwright::sim::run_asm(site, operands, 3);
}
/// The same of 1 or 2 bytes, which CUDA copies at once.
static inline void
__warpwright_memcpy_async(void *__restrict__ dst_shared,
                          const void *__restrict__ src_global, size_t size) {
  if (size == 2)
    *static_cast<unsigned short *>(dst_shared) =
        *static_cast<const unsigned short *>(src_global);
  else
    *static_cast<unsigned char *>(dst_shared) =
        *static_cast<const unsigned char *>(src_global);
}
static inline void __pipeline_commit(void) {
  static ::warpwright::sim::AsmSite site = {"cp.async.commit_group;", nullptr};
  ::warpwright::sim::run_asm(site, nullptr, 0);
}
/// Waits for all but the last `prior` groups. The instruction wants the number
/// as a constant, and waiting for more is right too.
static inline void __pipeline_wait_prior(size_t prior) {
  static ::warpwright::sim::AsmSite sites[] = {
      {"cp.async.wait_group 0;", nullptr}, {"cp.async.wait_group 1;", nullptr},
      {"cp.async.wait_group 2;", nullptr}, {"cp.async.wait_group 3;", nullptr},
      {"cp.async.wait_group 4;", nullptr}, {"cp.async.wait_group 5;", nullptr},
      {"cp.async.wait_group 6;", nullptr}, {"cp.async.wait_group 7;", nullptr}};
  ::warpwright::sim::run_asm(sites[prior < 8 ? prior : 7], nullptr, 0);
}

#pragma clang force_cuda_host_device end

#endif // WARPWRIGHT_SIM_CUDA_PIPELINE_PRIMITIVES_H
