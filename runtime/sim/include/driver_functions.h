//===- driver_functions.h - Small structures --------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_DRIVER_FUNCTIONS_H
#define WARPWRIGHT_SIM_DRIVER_FUNCTIONS_H

#include "driver_types.h"

static inline cudaPitchedPtr make_cudaPitchedPtr(void *d, size_t p, size_t xsz,
                                                 size_t ysz) {
  return {d, p, xsz, ysz};
}
static inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  return {x, y, z};
}
static inline cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) {
  return {w, h, d};
}

#endif // WARPWRIGHT_SIM_DRIVER_FUNCTIONS_H
