//===- Clock.h - Vector clocks ----------------------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What happened before what, in one cluster. Components are warps (their time
// advances at every release) and mbarriers (their time counts completed
// phases, which is how the bytes that a TMA load writes become known).
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_LIB_CLOCK_H
#define WARPWRIGHT_SIM_LIB_CLOCK_H

#include <stdint.h>
#include <vector>

namespace warpwright {
namespace sim {

struct Clock {
  std::vector<uint32_t> time; ///< shorter than the components: zeros

  uint32_t at(unsigned component) const {
    return component < time.size() ? time[component] : 0;
  }
  void set(unsigned component, uint32_t value) {
    if (time.size() <= component)
      time.resize(component + 1);
    time[component] = value;
  }
  void join(const Clock &other) {
    if (time.size() < other.time.size())
      time.resize(other.time.size());
    for (unsigned i = 0; i < other.time.size(); ++i)
      if (time[i] < other.time[i])
        time[i] = other.time[i];
  }
};

/// A moment of one component. It happened before all that knows of it.
struct Epoch {
  uint32_t component = 0, time = 0;
  bool known_to(const Clock &clock) const {
    return time <= clock.at(component);
  }
};

} // namespace sim
} // namespace warpwright

#endif // WARPWRIGHT_SIM_LIB_CLOCK_H
