//===- cluster.h - Thread block clusters ------------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What CUDA has for clusters goes through the PTX that the device would run.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_CLUSTER_H
#define WARPWRIGHT_SIM_CLUSTER_H

#include "vector_types.h"
#include "warpwright/sim/program.h"

#pragma clang force_cuda_host_device begin

namespace warpwright {
namespace sim {

inline unsigned int read_register(AsmSite &site) {
  unsigned int value = 0;
  AsmOperand operands[] = {asm_output("=r", nullptr, value)};
  run_asm(site, operands, 1);
  return value;
}
#define WARPWRIGHT_SIM_REGISTER(Function, Register)                            \
  inline unsigned int Function() {                                             \
    static AsmSite site = {"mov.u32 %0, %%" Register ";", nullptr};            \
    return read_register(site);                                                \
  }
#define WARPWRIGHT_SIM_REGISTERS(Function, Register)                           \
  WARPWRIGHT_SIM_REGISTER(Function##_x, Register ".x")                         \
  WARPWRIGHT_SIM_REGISTER(Function##_y, Register ".y")                         \
  WARPWRIGHT_SIM_REGISTER(Function##_z, Register ".z")                         \
  inline dim3 Function() {                                                     \
    return dim3(Function##_x(), Function##_y(), Function##_z());               \
  }
WARPWRIGHT_SIM_REGISTER(cluster_ctarank, "cluster_ctarank")
WARPWRIGHT_SIM_REGISTER(cluster_nctarank, "cluster_nctarank")
WARPWRIGHT_SIM_REGISTERS(cluster_ctaid, "cluster_ctaid")
WARPWRIGHT_SIM_REGISTERS(cluster_nctaid, "cluster_nctaid")
WARPWRIGHT_SIM_REGISTERS(clusterid, "clusterid")
WARPWRIGHT_SIM_REGISTERS(nclusterid, "nclusterid")
#undef WARPWRIGHT_SIM_REGISTERS
#undef WARPWRIGHT_SIM_REGISTER

} // namespace sim
} // namespace warpwright

static inline unsigned int __clusterRelativeBlockRank(void) {
  return ::warpwright::sim::cluster_ctarank();
}
static inline unsigned int __clusterSizeInBlocks(void) {
  return ::warpwright::sim::cluster_nctarank();
}
static inline dim3 __clusterRelativeBlockIdx(void) {
  return ::warpwright::sim::cluster_ctaid();
}
static inline dim3 __clusterDim(void) {
  return ::warpwright::sim::cluster_nctaid();
}
static inline dim3 __clusterIdx(void) { return ::warpwright::sim::clusterid(); }
static inline dim3 __clusterGridDimInClusters(void) {
  return ::warpwright::sim::nclusterid();
}
static inline unsigned int __clusterDimIsSpecified(void) {
  return ::warpwright::sim::cluster_nctarank() > 1;
}
static inline void __cluster_barrier_arrive(void) {
  static ::warpwright::sim::AsmSite site = {"barrier.cluster.arrive;", nullptr};
  ::warpwright::sim::run_asm(site, nullptr, 0);
}
static inline void __cluster_barrier_arrive_relaxed(void) {
  static ::warpwright::sim::AsmSite site = {"barrier.cluster.arrive.relaxed;",
                                            nullptr};
  ::warpwright::sim::run_asm(site, nullptr, 0);
}
static inline void __cluster_barrier_wait(void) {
  static ::warpwright::sim::AsmSite site = {"barrier.cluster.wait;", nullptr};
  ::warpwright::sim::run_asm(site, nullptr, 0);
}
/// The same variable in the shared memory of another block of the cluster.
static inline void *__cluster_map_shared_rank(const void *ptr,
                                              unsigned int target_block_rank) {
  static ::warpwright::sim::AsmSite site = {"mapa.u64 %0, %1, %2;", nullptr};
  unsigned long long address = 0;
  ::warpwright::sim::AsmOperand operands[] = {
      ::warpwright::sim::asm_output("=l", nullptr, address),
      ::warpwright::sim::asm_input("l", nullptr,
                                   reinterpret_cast<unsigned long long>(ptr)),
      ::warpwright::sim::asm_input("r", nullptr, target_block_rank)};
  ::warpwright::sim::run_asm(site, operands, 3);
  return reinterpret_cast<void *>(address);
}
/// The rank of the block whose shared memory the pointer leads to.
static inline unsigned int __cluster_query_shared_rank(const void *ptr) {
  static ::warpwright::sim::AsmSite site = {"getctarank.u64 %0, %1;", nullptr};
  unsigned int rank = 0;
  ::warpwright::sim::AsmOperand operands[] = {
      ::warpwright::sim::asm_output("=r", nullptr, rank),
      ::warpwright::sim::asm_input("l", nullptr,
                                   reinterpret_cast<unsigned long long>(ptr))};
  ::warpwright::sim::run_asm(site, operands, 2);
  return rank;
}

// One kernel's start overlapping another's end: launches run one by one here.
static inline void cudaTriggerProgrammaticLaunchCompletion(void) {}
static inline void cudaGridDependencySynchronize(void) {
  ::warpwright::sim::wait_for_previous_kernel();
}

#pragma clang force_cuda_host_device end

#endif // WARPWRIGHT_SIM_CLUSTER_H
