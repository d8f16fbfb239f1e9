//===- cuda_awbarrier_primitives.h - Barriers in shared memory --*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_CUDA_AWBARRIER_PRIMITIVES_H
#define WARPWRIGHT_SIM_CUDA_AWBARRIER_PRIMITIVES_H

#include "cuda_runtime.h"

#pragma clang force_cuda_host_device begin

typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;

// Through the PTX that the device would run.
static inline void __mbarrier_init(__mbarrier_t *barrier,
                                   unsigned expected_count) {
  static ::warpwright::sim::AsmSite site = {
      "mbarrier.init.shared.b64 [%0], %1;", nullptr};
  ::warpwright::sim::AsmOperand operands[] = {
      ::warpwright::sim::asm_input(
          "r", nullptr, ::warpwright::sim::to_shared_address(barrier)),
      ::warpwright::sim::asm_input("r", nullptr, expected_count)};
  ::warpwright::sim::run_asm(site, operands, 2);
}
static inline __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier) {
  static ::warpwright::sim::AsmSite site = {
      "mbarrier.arrive.shared.b64 %0, [%1];", nullptr};
  __mbarrier_token_t token = 0;
  ::warpwright::sim::AsmOperand operands[] = {
      ::warpwright::sim::asm_output("=l", nullptr, token),
      ::warpwright::sim::asm_input(
          "r", nullptr, ::warpwright::sim::to_shared_address(barrier))};
  ::warpwright::sim::run_asm(site, operands, 2);
  return token;
}
/// Until `site` says that the phase is over which `which` names.
static inline void __warpwright_wait_by(::warpwright::sim::AsmSite &site,
                                        __mbarrier_t *barrier,
                                        ::warpwright::sim::AsmOperand which) {
  unsigned over = 0;
  while (!over) {
    ::warpwright::sim::AsmOperand operands[] = {
        ::warpwright::sim::asm_output("=r", nullptr, over),
        ::warpwright::sim::asm_input(
            "r", nullptr, ::warpwright::sim::to_shared_address(barrier)),
        which};
    ::warpwright::sim::run_asm(site, operands, 3);
  }
}
/// Until the phase is over, by what is built upon it.
static inline void __warpwright_mbarrier_wait(__mbarrier_t *barrier,
                                              __mbarrier_token_t token) {
  static ::warpwright::sim::AsmSite site = {
      "{ .reg .pred p; mbarrier.try_wait.shared.b64 p, [%1], %2; selp.u32 %0, "
      "1, 0, p; }",
      nullptr};
  __warpwright_wait_by(site, barrier,
                       ::warpwright::sim::asm_input("l", nullptr, token));
}
static inline void __warpwright_wait_parity(__mbarrier_t *barrier,
                                            unsigned parity) {
  static ::warpwright::sim::AsmSite site = {
      "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; "
      "selp.u32 %0, 1, 0, p; }",
      nullptr};
  __warpwright_wait_by(site, barrier,
                       ::warpwright::sim::asm_input("r", nullptr, parity));
}
/// The copies that the thread has issued are part of its arrival.
static inline void __pipeline_arrive_on(__mbarrier_t *barrier) {
  static ::warpwright::sim::AsmSite site = {
      "cp.async.mbarrier.arrive.shared.b64 [%0];", nullptr};
  ::warpwright::sim::AsmOperand operands[] = {::warpwright::sim::asm_input(
      "r", nullptr, ::warpwright::sim::to_shared_address(barrier))};
  ::warpwright::sim::run_asm(site, operands, 1);
}

// Pipelines of the block, of the same barriers as in libcu++: for each stage
// one for what is produced and one for what is consumed.
static inline void __warpwright_pipeline_make(void *state, unsigned stages,
                                              unsigned threads) {
  if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
    for (unsigned n = 0; n < 2 * stages; ++n)
      __mbarrier_init(static_cast<__mbarrier_t *>(state) + n, threads);
}
static inline void __warpwright_pipeline_acquire(void *state, unsigned stages,
                                                 unsigned committed, unsigned) {
  // At first all stages are free.
  __warpwright_wait_parity(static_cast<__mbarrier_t *>(state) + stages +
                               committed % stages,
                           ~(committed / stages) & 1);
}
static inline void __warpwright_pipeline_commit(void *state, unsigned stages,
                                                unsigned committed, unsigned) {
  __mbarrier_t *const produced =
      static_cast<__mbarrier_t *>(state) + committed % stages;
  __pipeline_arrive_on(produced);
  __mbarrier_arrive(produced);
}
static inline void __warpwright_pipeline_wait(void *state, unsigned stages,
                                              unsigned released, unsigned) {
  __warpwright_wait_parity(static_cast<__mbarrier_t *>(state) +
                               released % stages,
                           released / stages & 1);
}
static inline void __warpwright_pipeline_release(void *state, unsigned stages,
                                                 unsigned released, unsigned) {
  __mbarrier_arrive(static_cast<__mbarrier_t *>(state) + stages +
                    released % stages);
}

#pragma clang force_cuda_host_device end

#endif // WARPWRIGHT_SIM_CUDA_AWBARRIER_PRIMITIVES_H
