//===-- shifts.cuh - Zero points, and bits that are counted -----*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel may add a number s to each element of a row of A, and t to each of a
// column of B, before it multiplies them: their zero points, negated. The
// tensor cores multiply the elements as they are, and modulo 2^32
//
//     sum of (a + s) (b + t) = sum of a b + t sum of a + s sum of b + K s t
//
// Sums of the elements of a row, or a column, along k are computed before the
// product by a kernel of their own, which reads the operands once more, as they
// were copied if they were. What s and t are is the user's expression, in the
// epilogue's struct.
//
// Of words of bits, the tensor cores count those that both have. What else a
// kernel counts, as those that only one of them has, follows from that and from
// the bits of each word, which are summed in the same way.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_SHIFTS_CUH
#define WARPWRIGHT_RT_SHIFTS_CUH

#include <warpwright/rt/line_sums.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

/// An epilogue whose sums are those of elements as they are: the user's gets
/// the sums of shifted ones.
template <class D, class Epilogue> struct shifted_sums : Epilogue {
  line_sums_view a, b; ///< sums of the elements of A, if B is shifted, and of B
  unsigned depth;      ///< K

  __forceinline__ shifted_sums(const Epilogue &epilogue, line_sums_view a,
                               line_sums_view b, unsigned depth)
      : Epilogue(epilogue), a(a), b(b), depth(depth) {}

  /// The sum of the element at (m, n) of batch `batch`, of which the tensor
  /// cores have computed `sum`.
  WARPWRIGHT_DEVICE int whole(int sum, int m, int n, int batch) const {
    unsigned all = static_cast<unsigned>(sum);
    if constexpr (D::b_shifted)
      all += Epilogue::shift_of_b(n, 0, batch) * a.of(m, batch);
    if constexpr (D::a_shifted) {
      unsigned of_column = b.of(n, batch);
      if constexpr (D::b_shifted)
        of_column += depth * Epilogue::shift_of_b(n, 0, batch);
      all += Epilogue::shift_of_a(m, 0, batch) * of_column;
    }
    return static_cast<int>(all);
  }

  WARPWRIGHT_DEVICE auto value(int sum, int m, int n, int batch) const {
    return Epilogue::value(whole(sum, m, n, batch), m, n, batch);
  }
  WARPWRIGHT_DEVICE void store_others(int sum, int m, int n, int batch) const {
    Epilogue::store_others(whole(sum, m, n, batch), m, n, batch);
  }
  WARPWRIGHT_DEVICE void store_all(int sum, int m, int n, int batch) const {
    Epilogue::store_all(whole(sum, m, n, batch), m, n, batch);
  }
};

/// How many bits count, as so many times those that both words have, those that
/// A has, those that B has, and all.
struct bit_counts {
  int both, of_a, of_b, all;

  /// `table` has a bit for each case: where A has no bit and B has none, where
  /// A alone has one, where B alone has one, and where both have.
  WARPWRIGHT_CONSTEXPR explicit bit_counts(int table)
      : both((table >> 3 & 1) - (table >> 2 & 1) - (table >> 1 & 1) +
             (table & 1)),
        of_a((table >> 1 & 1) - (table & 1)),
        of_b((table >> 2 & 1) - (table & 1)), all(table & 1) {}
};

/// An epilogue whose sums are those of bits that both words have: the user's
/// gets the sums of what the kernel counts.
template <class D, class Epilogue> struct counted_sums : Epilogue {
  static constexpr int both = bit_counts(D::bit_table).both;
  static constexpr int of_a = bit_counts(D::bit_table).of_a;
  static constexpr int of_b = bit_counts(D::bit_table).of_b;
  static constexpr int all = bit_counts(D::bit_table).all;
  line_sums_view a, b;
  unsigned depth; ///< K, words

  __forceinline__ counted_sums(const Epilogue &epilogue, line_sums_view a,
                               line_sums_view b, unsigned depth)
      : Epilogue(epilogue), a(a), b(b), depth(depth) {}

  WARPWRIGHT_DEVICE int whole(int sum, int m, int n, int batch) const {
    unsigned count = static_cast<unsigned>(both) * static_cast<unsigned>(sum) +
                     static_cast<unsigned>(all) * depth * 32u;
    if constexpr (of_a != 0)
      count += static_cast<unsigned>(of_a) * a.of(m, batch);
    if constexpr (of_b != 0)
      count += static_cast<unsigned>(of_b) * b.of(n, batch);
    return static_cast<int>(count);
  }

  WARPWRIGHT_DEVICE auto value(int sum, int m, int n, int batch) const {
    return Epilogue::value(whole(sum, m, n, batch), m, n, batch);
  }
  WARPWRIGHT_DEVICE void store_others(int sum, int m, int n, int batch) const {
    Epilogue::store_others(whole(sum, m, n, batch), m, n, batch);
  }
  WARPWRIGHT_DEVICE void store_all(int sum, int m, int n, int batch) const {
    Epilogue::store_all(whole(sum, m, n, batch), m, n, batch);
  }
};

/// Which sums of elements the plan that D decides needs, and whether the user's
/// sums are others than those of the tensor cores.
template <class D> struct needed_sums {
  static constexpr bit_counts counts = bit_counts(D::bit_table);
  static constexpr bool of_a = D::b_shifted || counts.of_a != 0;
  static constexpr bool of_b = D::a_shifted || counts.of_b != 0;
  static constexpr bool any =
      of_a || of_b ||
      (D::bit_table != 0 && (counts.both != 1 || counts.all != 0));
};

/// What turns the sums of the plan that D decides into those that the user's
/// epilogue gets: nothing, where elements are multiplied as the kernel does.
template <class D, class User, bool others = needed_sums<D>::any>
class WholeSums {
public:
  using Epilogue = User;
  explicit WholeSums(Problem &) {}
  const char *make() { return nullptr; }
  const User &epilogue(const User &user) const { return user; }
};
template <class D, class User> class WholeSums<D, User, true> {
public:
  using Epilogue =
      typename std::conditional<D::bit_table != 0, counted_sums<D, User>,
                                shifted_sums<D, User>>::type;
  explicit WholeSums(Problem &problem) : problem(problem), sums(problem) {}

  /// Computes what epilogue() needs. Null, or the reason why not.
  const char *make() {
    return sums.template make<needed_sums<D>::of_a, needed_sums<D>::of_b>();
  }
  __forceinline__ Epilogue epilogue(const User &user) const {
    return {user, sums.a, sums.b, static_cast<unsigned>(problem.extent.k)};
  }

private:
  const Problem &problem;
  LineSums sums;
};

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_SHIFTS_CUH
