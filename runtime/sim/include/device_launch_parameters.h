//===- device_launch_parameters.h - threadIdx and the like ------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The built-in variables read the simulated thread that runs. They have no
// state of their own, convert to uint3 and dim3, and exist in device code only:
// on the host there is no thread to read.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_DEVICE_LAUNCH_PARAMETERS_H
#define WARPWRIGHT_SIM_DEVICE_LAUNCH_PARAMETERS_H

#include "vector_types.h"
#include "warpwright/sim/program.h"

#pragma clang force_cuda_host_device begin

namespace warpwright {
namespace sim {

/// A component never changes while a function of the thread runs, so calls may
/// be merged and hoisted. Not inlined: the reads are not the program's.
template <int Which, int Axis>
__attribute__((const, noinline)) WARPWRIGHT_SIM_UNCHECKED inline unsigned int
builtin_index() {
  const Index3 &index = Which == 0   ? current_thread->threadIdx
                        : Which == 1 ? current_thread->blockIdx
                        : Which == 2 ? current_thread->blockDim
                                     : current_thread->gridDim;
  return Axis == 0 ? index.x : Axis == 1 ? index.y : index.z;
}

template <int Which> struct BuiltinIndex {
  __declspec(property(get = get_x)) unsigned int x;
  __declspec(property(get = get_y)) unsigned int y;
  __declspec(property(get = get_z)) unsigned int z;
  __forceinline__ unsigned int get_x() const {
    return builtin_index<Which, 0>();
  }
  __forceinline__ unsigned int get_y() const {
    return builtin_index<Which, 1>();
  }
  __forceinline__ unsigned int get_z() const {
    return builtin_index<Which, 2>();
  }
  __forceinline__ operator uint3() const {
    return uint3{get_x(), get_y(), get_z()};
  }
};

} // namespace sim
} // namespace warpwright

static constexpr ::warpwright::sim::BuiltinIndex<0> threadIdx = {};
static constexpr ::warpwright::sim::BuiltinIndex<1> blockIdx = {};
static constexpr ::warpwright::sim::BuiltinIndex<2> blockDim = {};
static constexpr ::warpwright::sim::BuiltinIndex<3> gridDim = {};
static constexpr int warpSize = 32;

#pragma clang force_cuda_host_device end

#endif // WARPWRIGHT_SIM_DEVICE_LAUNCH_PARAMETERS_H
