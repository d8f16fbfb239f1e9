//===-- Factors.h - The factors of a launch's products ---------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a check computes by the contraction takes a factor of A once for each
/// column of the output, and one of B once for each row. Most of the time would
/// go into finding the same elements again.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_EXECUTE_FACTORS_H
#define WARPWRIGHT_LIB_EXECUTE_FACTORS_H

#include "Problem.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

namespace warpwright {
namespace execute {

/// A factor as a number, or that it has none.
struct Factor {
  enum { Unknown, Valid, Invalid } State = Unknown;
  int64_t Integer = 0; ///< of products that are added as integers
  double Real = 0;     ///< of others
  void set(const std::optional<Num> &Value, bool Integers) {
    State = Value ? Valid : Invalid;
    if (Value && Integers)
      Integer = Value->integer();
    else if (Value)
      Real = Value->real();
  }
};

/// The factors on one side of a product, which are the same in each column of
/// the output, or in each row: they are looked up once for all of these.
class FactorTable {
public:
  FactorTable(const ProductCode &Product, unsigned Side,
              const std::array<uint32_t, 4> &Dims) {
    std::vector<uint32_t> Ids;
    Product.Indices[Side].names(Ids);
    const bool Rows = llvm::is_contained(Ids, Dims[1]),
               Columns = llvm::is_contained(Ids, Dims[2]);
    // A prologue may read more than its factor's index says.
    Kept = Product.Prologues[Side].empty() && !(Rows && Columns);
    if (Rows || Columns)
      Line = Rows ? Dims[1] : Dims[2];
  }
  /// Where factor \p K of the line in \p Env is kept.
  Factor &at(const Environment &Env, int64_t K) {
    if (!Kept)
      return Last = Factor();
    const size_t At = Line ? static_cast<size_t>(Env.Ints[*Line]) : 0;
    if (At >= Lines.size())
      Lines.resize(At + 1);
    if (static_cast<size_t>(K) >= Lines[At].size())
      Lines[At].resize(static_cast<size_t>(K) + 1);
    return Lines[At][static_cast<size_t>(K)];
  }

private:
  bool Kept = false;
  /// The index with which the factors change besides k. Nothing: with none.
  std::optional<uint32_t> Line;
  std::vector<std::vector<Factor>> Lines;
  Factor Last;
};

/// Those of a sum, two for each product.
using SumTables = std::vector<std::array<FactorTable, 2>>;

inline SumTables tablesFor(const SumCode &Sum,
                           const std::array<uint32_t, 4> &Dims) {
  SumTables Tables;
  for (const ProductCode &Product : Sum.Products)
    Tables.push_back(
        {FactorTable(Product, 0, Dims), FactorTable(Product, 1, Dims)});
  return Tables;
}

} // namespace execute
} // namespace warpwright

#endif // WARPWRIGHT_LIB_EXECUTE_FACTORS_H
