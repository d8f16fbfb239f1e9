//===- device_types.h - Types of device code --------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_DEVICE_TYPES_H
#define WARPWRIGHT_SIM_DEVICE_TYPES_H

#include "host_defines.h"

#endif // WARPWRIGHT_SIM_DEVICE_TYPES_H
