//===-- Directives.h - What the pragma's clauses ask for --------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The clauses of one `#pragma warpwright matmul`, evaluated for one kernel or
/// template instantiation: plain data from the front end to the planner. The
/// `assume` clauses are not here: Lift turns them into Requirements.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_CONTRACTION_DIRECTIVES_H
#define WARPWRIGHT_CONTRACTION_DIRECTIVES_H

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace warpwright {

struct Directives {
  enum class ScheduleKind { Auto, Cooperative, Pingpong };
  enum class Toggle { Auto, On, Off };
  enum class PrecisionKind { Auto, TF32, TF32x3 };
  enum class AccumulateKind { Default, F16, F32, F64, I32, Promoted, Fast };
  enum class FallbackKind { Original, Error };
  enum class FactorsKind { Outside, Inside };

  /// Rows (m), columns (n) and depth (k) of a CTA's tile, in elements.
  std::optional<std::array<int64_t, 3>> Tile;
  std::optional<int64_t> Stages;
  /// CTAs along m and n.
  std::optional<std::pair<int64_t, int64_t>> Cluster;
  std::optional<ScheduleKind> Schedule;
  /// 0: auto; 1: off; n: that many slices.
  std::optional<int64_t> SplitK;
  std::optional<Toggle> SwapAB;
  std::optional<PrecisionKind> Precision;
  std::optional<AccumulateKind> Accumulate;
  /// Expected problem sizes {M, N, K}; any other size still works.
  std::vector<std::array<int64_t, 3>> Shapes;
  bool Deterministic = false;
  bool BatchInvariant = false;
  FallbackKind Fallback = FallbackKind::Original;
  /// Where a factor that the original multiplies in its loop is multiplied.
  FactorsKind Factors = FactorsKind::Outside;
};

} // namespace warpwright

#endif // WARPWRIGHT_CONTRACTION_DIRECTIVES_H
