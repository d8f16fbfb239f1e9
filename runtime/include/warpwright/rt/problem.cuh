//===- warpwright/rt/problem.cuh - What one launch computes ----*- CUDA -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launcher describes its launch as a Problem: the extents of the contraction
// and the arrays that it reads and writes, with every number known. check()
// then says whether a Hopper kernel may compute it in place of the original.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_PROBLEM_CUH
#define WARPWRIGHT_RT_PROBLEM_CUH

#include <initializer_list>
#include <stdarg.h>
#include <warpwright/rt/device.cuh>
#include <warpwright/rt/elements.cuh>
#include <warpwright/rt/range.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

/// The directions of a contraction C[b, m, n] = Sum over k of A[b, m, k] *
/// B[b, k, n].
enum class Axis { b, m, n, k };

/// One number per direction: extents of a problem or strides of an array.
struct PerAxis {
  int64_t b, m, n, k;
  bool exact = true; ///< false where one of them is beyond int64_t

  PerAxis(Integer b, Integer m, Integer n, Integer k)
      : b(b.get()), m(m.get()), n(n.get()), k(k.get()),
        exact(b.is_exact() && m.is_exact() && n.is_exact() && k.is_exact()) {}
  int64_t operator[](Axis axis) const {
    return axis == Axis::b ? b : axis == Axis::m ? m : axis == Axis::n ? n : k;
  }
};

/// One number for each batch index beyond b, of whose values a launch of a
/// Hopper kernel takes one: the launcher launches once for each. Extents, or
/// strides of an array.
struct PerOuter {
  static constexpr int count = 2;
  int64_t of[count];
  bool exact;

  PerOuter(Integer first, Integer second)
      : of{first.get(), second.get()},
        exact(first.is_exact() && second.is_exact()) {}
};

enum class Use {
  operand, ///< a factor of the product
  factor,  ///< read for what an operand's elements become before the product
  input,   ///< read by the epilogue
  output,  ///< written by the epilogue
};

/// Where the numbers of four bits of a word are, of which it has 2, 4 or 8:
/// number i at the bits from 4 * of[i] on.
struct number_places {
  int count;
  uint32_t of; ///< four bits each

  constexpr number_places() : count(0), of(0) {}
  constexpr number_places(std::initializer_list<unsigned> places)
      : count(static_cast<int>(places.size())), of(0) {
    int i = 0;
    for (const unsigned place : places)
      of |= place << 4 * i++;
  }
};

/// An array that the launch reads or writes.
struct Array {
  const char *name;
  const void *data; ///< the kernel's argument
  Type type;
  Use use;
  /// Element offset where b, m, n and k are 0, and steps from there; for an
  /// index that is not affine in b, m and n only `elements` counts.
  int64_t base;
  PerAxis stride;
  PerOuter outer_stride;
  bool affine;
  Range elements; ///< all element offsets that the launch reaches
  bool exact;     ///< false where base or a stride is beyond int64_t
  /// The extent of k for a factor of a product with a range of its own; a
  /// negative number: the problem's.
  int64_t own_k = -1;
  /// Numbers along k that an element of a factor has, where k counts numbers.
  int in_element = 1;
  /// Of a factor with words of numbers that a copy gathers: where they are.
  /// Then an element is what the copy makes of two numbers along k, a byte.
  /// Where the numbers of a word lie across k, base and strides count the
  /// array's numbers, from the lowest bits of a word on, and the second number
  /// lies half a stride of k behind the first. Where they lie along k, base and
  /// strides count words, and the stride of k is that from one to the next.
  number_places places;
  bool words_along_k = false;
  /// It is read or written for a range of one index alone, from `first` to
  /// before `end`; those of the whole array are a range of n as well.
  Axis ranging = Axis::n;
  int64_t first = 0, end = INT64_MAX;
  Array(const char *name, const void *data, Type type, Use use, Integer base,
        PerAxis stride, PerOuter outer_stride = {0, 0})
      : name(name), data(data), type(type), use(use), base(base.get()),
        stride(stride), outer_stride(outer_stride), affine(true),
        elements(base),
        exact(base.is_exact() && stride.exact && outer_stride.exact) {}
  Array(const char *name, const void *data, Type type, Use use, Range elements)
      : name(name), data(data), type(type), use(use), base(0),
        stride(0, 0, 0, 0), outer_stride(0, 0), affine(false),
        elements(elements), exact(true) {}

  /// A factor of a product over no k: of the array nothing is read.
  bool is_unused() const { return own_k == 0; }
  /// The same, or the range is empty.
  bool is_unused(const PerAxis &extent) const {
    const Range range = numbers(ranging, extent);
    return is_unused() || range.hi < range.lo;
  }
  /// The numbers of an index for which it is read or written.
  Range numbers(Axis axis, const PerAxis &extent) const {
    return axis == ranging ? Range::of_part(extent[axis], first, end)
                           : Range::of_extent(extent[axis]);
  }
  /// The array as a factor of a product over so many k, fewer than 1 as over
  /// none. It is not the first product.
  Array over_k(Integer k) const {
    Array result = *this;
    result.exact &= k.is_exact();
    result.own_k = k.get() > 0 ? k.get() : 0;
    return result;
  }
  /// The array as a factor of which an element has so many numbers along k.
  Array packed(int numbers) const {
    Array result = *this;
    result.in_element = numbers;
    return result;
  }
  /// The array as a factor whose elements are gathered from such words.
  Array gathered(number_places of_word) const {
    Array result = *this;
    result.places = of_word;
    return result;
  }
  /// The same where the numbers of a word lie along k.
  Array gathered_along_k(number_places of_word) const {
    Array result = gathered(of_word);
    result.words_along_k = true;
    return result;
  }
  bool is_gathered() const { return places.count > 0; }
  /// How far it reaches along k, of which a factor has so many elements.
  Range along_k(int64_t extent) const {
    if (words_along_k) {
      const int pairs = places.count / 2;
      return Range(stride.k) * Range::of_extent((extent + pairs - 1) / pairs);
    }
    return is_gathered() ? Range(stride.k / 2) * Range::of_extent(2 * extent)
                         : Range(stride.k) * Range::of_extent(extent);
  }
  /// The array where it is read or written for a range of an index alone.
  Array when(Axis axis, Integer begin, Integer behind = INT64_MAX) const {
    Array result = *this;
    result.exact &= begin.is_exact() && behind.is_exact();
    result.ranging = axis;
    result.first = begin.get();
    result.end = behind.get();
    return result;
  }
  /// Address of the element at the origin; none if elements are gathered.
  const char *origin() const {
    return static_cast<const char *>(data) + base * size_of(type);
  }
  /// The addresses reached, as integers.
  Range bytes() const {
    const int64_t start =
        static_cast<int64_t>(reinterpret_cast<uintptr_t>(data));
    if (is_gathered()) {
      const int64_t word = places.count;
      const int64_t each = words_along_k ? 1 : word; // of what is counted
      const int64_t lo = elements.lo, hi = elements.hi;
      return Range(saturating_add(start, floor_div(lo, each) * (word / 2)),
                   saturating_add(start, floor_div(hi, each) * (word / 2) +
                                             word / 2 - 1));
    }
    const Range span = elements * Range(size_of(type));
    return Range(
        saturating_add(start, span.lo),
        saturating_add(start, saturating_add(span.hi, size_of(type) - 1)));
  }
  /// Whether both name the same element for every (b, m, n), and for the same
  /// ones.
  bool same_elements(const Array &other, const PerAxis &extent) const {
    for (const Axis axis : {Axis::b, Axis::m, Axis::n}) {
      const Range mine = numbers(axis, extent),
                  theirs = other.numbers(axis, extent);
      if (mine.lo != theirs.lo || mine.hi != theirs.hi)
        return false;
    }
    return affine && other.affine && data == other.data && type == other.type &&
           !is_gathered() && !other.is_gathered() && base == other.base &&
           stride.b == other.stride.b && stride.m == other.stride.m &&
           stride.n == other.stride.n &&
           outer_stride.of[0] == other.outer_stride.of[0] &&
           outer_stride.of[1] == other.outer_stride.of[1];
  }
  /// Whether both step through one array so that they never meet, since none is
  /// where a step leads from the other: the real and the imaginary parts of
  /// complex numbers; or since they alternate, see alternates_with.
  bool is_beside(const Array &other, const PerAxis &extent,
                 const PerOuter &outer) const {
    if (!affine || !other.affine || data != other.data || type != other.type ||
        is_gathered() || other.is_gathered())
      return false;
    int64_t step = 0;
    for (const Array *array : {this, &other})
      for (const int64_t s :
           {array->stride.b, array->stride.m, array->stride.n, array->stride.k,
            array->outer_stride.of[0], array->outer_stride.of[1]})
        for (int64_t rest = s; rest;) { // the greatest common divisor
          const int64_t remainder = step % rest;
          step = rest;
          rest = remainder;
        }
    return (step && (base - other.base) % step != 0) ||
           alternates_with(other, extent, outer);
  }
  /// Whether both have the same steps, and each index steps over all that those
  /// with smaller steps reach, where which of the two it is counts as an index
  /// of two values: halves of rows, or planes.
  bool alternates_with(const Array &other, const PerAxis &extent,
                       const PerOuter &outer) const {
    struct Step {
      int64_t stride, count;
    };
    if (stride.b != other.stride.b || stride.m != other.stride.m ||
        stride.n != other.stride.n || stride.k != other.stride.k ||
        outer_stride.of[0] != other.outer_stride.of[0] ||
        outer_stride.of[1] != other.outer_stride.of[1])
      return false;
    // Each index begins with its range, and has as many numbers as the longer
    // of the two.
    Range distance = Range(base) - Range(other.base);
    int64_t counts[3];
    for (const Axis axis : {Axis::b, Axis::m, Axis::n}) {
      const Range mine = numbers(axis, extent),
                  theirs = other.numbers(axis, extent);
      distance = distance + Range(stride[axis]) * Range(mine.lo - theirs.lo);
      counts[static_cast<int>(axis)] =
          max(mine.hi - mine.lo, theirs.hi - theirs.lo) + 1;
    }
    const Step steps[] = {{max(distance.hi, (-distance).hi), 2},
                          {stride.b, counts[0]},
                          {stride.m, counts[1]},
                          {stride.n, counts[2]},
                          {outer_stride.of[0], outer.of[0]},
                          {outer_stride.of[1], outer.of[1]}};
    for (const Step &step : steps) {
      Range below = Range(0);
      for (const Step &smaller : steps)
        if (&smaller != &step && smaller.stride <= step.stride)
          below =
              below + Range(smaller.stride) * Range::of_extent(smaller.count);
      if (step.count > 1 && step.stride <= below.hi)
        return false;
    }
    return true;
  }
};

/// The integers that the original computes element offsets in.
enum class IndexType { i32, u32, i64 };

/// A launch, put as a contraction.
struct Problem {
  const char *kernel;
  const Launch &launch;
  PerAxis extent;
  PerOuter outer{1, 1}; ///< extents of the batch indices beyond b
  Array *arrays;
  int array_count;
  IndexType index_type;
  /// Generated code computes the offsets of elements that it reads and writes
  /// itself in int, whatever the original does.
  bool int_epilogue;
  DeviceInfo device;
  /// The original loads from arrays after it stored to others: no two of them
  /// may be one.
  bool loads_after_stores = false;
  /// The epilogue reads arrays that it stores to: each element, once, before it
  /// is stored, so that no element may be stored twice.
  bool reads_outputs = false;
  /// By how much the sums of two kernels may differ normwise, when one of them
  /// is the tensor cores' (verify.cuh).
  double sum_tolerance = 1e-4;
  /// So many of k have the same scales and zero points, where that is an
  /// argument of the kernel; else 0.
  int group_k = 0;
  char reason[160]; ///< where a reason that names an array is written

  template <int count>
  Problem(const char *kernel, const Launch &launch, PerAxis extent,
          Array (&arrays)[count], IndexType index_type,
          bool int_epilogue = false)
      : kernel(kernel), launch(launch), extent(extent), arrays(arrays),
        array_count(count), index_type(index_type), int_epilogue(int_epilogue),
        device(current_device()), reason() {}

  /// The extent of k of the product of which an array is a factor.
  int64_t k_of(const Array &array) const {
    return array.own_k >= 0 ? array.own_k : extent.k;
  }
  /// The extents along which an array is read or written, in elements.
  PerAxis extent_of(const Array &array) const {
    PerAxis result = extent;
    result.k = k_of(array) / array.in_element;
    return result;
  }
  /// The extent of k where all products have the same, or what they have on
  /// average. The arrays begin with the factors of each product.
  int64_t mean_k() const {
    int64_t products = 0, sum = 0;
    for (int i = 0; i < array_count && arrays[i].use == Use::operand; i += 2) {
      sum += k_of(arrays[i]);
      ++products;
    }
    return products ? (sum + products - 1) / products : extent.k;
  }
  /// How many launches of a Hopper kernel compute it.
  int64_t launches() const { return outer.of[0] * outer.of[1]; }
  /// Turns from the first launch's elements to those of another one.
  void turn_to(int64_t launch) {
    for (int i = 0; i < array_count; ++i)
      arrays[i].base += launch % outer.of[0] * arrays[i].outer_stride.of[0] +
                        launch / outer.of[0] * arrays[i].outer_stride.of[1];
  }

  /// Formats a reason; the result lives as long as the problem.
  const char *because(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof(reason), format, arguments);
    va_end(arguments);
    return reason;
  }
};

/// A fact about the launch that the Hopper kernel relies on.
struct Requirement {
  Truth holds;
  const char *otherwise; ///< the reason to log where it does not hold
};

/// Null when a Hopper kernel computes exactly what the launch of `original`
/// computes; otherwise the reason why the original must run.
inline const char *check(Problem &problem, const void *original,
                         DeviceCache &original_cache) {
  if (environment().off)
    return "WARPWRIGHT=off";
  if (problem.device.compute_capability != 90)
    return "the device is not of compute capability 9.0";
  if (!is_valid_launch(problem.launch, original, original_cache,
                       problem.device.id))
    return "the launch is not valid";
  // `blockIdx.x * blockDim.x + threadIdx.x` is then an int, and what the lift
  // says of it holds in 32-bit arithmetic, signed and unsigned.
  const dim3 grid = problem.launch.grid, block = problem.launch.block;
  const struct {
    char axis;
    unsigned blocks, threads;
  } lines[] = {
      {'x', grid.x, block.x}, {'y', grid.y, block.y}, {'z', grid.z, block.z}};
  for (const auto &line : lines)
    if (static_cast<uint64_t>(line.blocks) * line.threads > INT32_MAX)
      return problem.because("more than 2^31 - 1 threads along %c", line.axis);

  const PerAxis &extent = problem.extent;
  if (!extent.exact)
    return "an extent is beyond 64 bits";
  if (extent.b <= 0 || extent.m <= 0 || extent.n <= 0 || extent.k <= 0)
    return problem.because("nothing to compute: batch %lld, M %lld, N %lld, "
                           "K %lld",
                           (long long)extent.b, (long long)extent.m,
                           (long long)extent.n, (long long)extent.k);
  const int64_t longest = 1 << 30; // coordinates of whole tiles fit an int
  if (extent.b > longest || extent.m > longest || extent.n > longest ||
      extent.k > longest)
    return "an extent is beyond 2^30";
  if (!problem.outer.exact || problem.outer.of[0] <= 0 ||
      problem.outer.of[1] <= 0)
    return "nothing to compute: a batch is empty";
  // Each takes microseconds.
  constexpr int64_t most_launches = 1024;
  if (problem.outer.of[0] > most_launches ||
      problem.outer.of[1] > most_launches || problem.launches() > most_launches)
    return problem.because("more than %lld launches, one for each batch",
                           (long long)most_launches);

  const int64_t least = problem.index_type == IndexType::i32   ? INT32_MIN
                        : problem.index_type == IndexType::u32 ? 0
                                                               : INT64_MIN + 1;
  const int64_t most = problem.index_type == IndexType::i32 ? INT32_MAX
                       : problem.index_type == IndexType::u32
                           ? static_cast<int64_t>(UINT32_MAX)
                           : INT64_MAX / 16;
  for (int i = 0; i < problem.array_count; ++i) {
    Array &array = problem.arrays[i];
    if (!array.data && (array.use == Use::input || array.use == Use::factor))
      continue; // generated code asks for null before it reads
    if (array.exact && array.is_unused(extent))
      continue;
    if (!array.data)
      return problem.because("%s is null", array.name);
    // The original may copy elements byte by byte, as memcpy does.
    if (reinterpret_cast<uintptr_t>(array.data) % size_of(array.type) != 0)
      return problem.because("%s does not start at a multiple of %d bytes",
                             array.name, size_of(array.type));
    if (!array.exact)
      return problem.because("%s: an index is out of its type's range",
                             array.name);
    if (array.own_k > longest)
      return "an extent is beyond 2^30";
    if (array.affine) {
      const Range terms[] = {
          Range(array.base),
          Range(array.stride.b) * array.numbers(Axis::b, extent),
          Range(array.stride.m) * array.numbers(Axis::m, extent),
          Range(array.stride.n) * array.numbers(Axis::n, extent),
          array.along_k(problem.extent_of(array).k),
          Range(array.outer_stride.of[0]) *
              Range::of_extent(problem.outer.of[0]),
          Range(array.outer_stride.of[1]) *
              Range::of_extent(problem.outer.of[1])};
      // Generated code may add an offset up in another order than the original
      // did: with all terms pulling one way, it must still fit.
      Range sum(0), reach(0);
      for (const Range &term : terms) {
        sum = sum + term;
        reach = reach + max(term, -term);
      }
      array.elements = sum;
      if (problem.index_type == IndexType::i32 && reach.hi > most)
        return problem.because("%s: an index is out of its type's range",
                               array.name);
      if (problem.int_epilogue && array.use != Use::operand &&
          reach.hi > INT32_MAX)
        return problem.because("%s has more elements than an int can count",
                               array.name);
    } else if (problem.int_epilogue && (array.elements.lo < INT32_MIN ||
                                        array.elements.hi > INT32_MAX)) {
      return problem.because("%s has more elements than an int can count",
                             array.name);
    }
    if (array.elements.lo < least || array.elements.hi > most)
      return problem.because("%s: an index is out of its type's range",
                             array.name);
  }

  for (int o = 0; o < problem.array_count; ++o) {
    const Array &output = problem.arrays[o];
    if (output.use != Use::output || output.is_unused(extent))
      continue;
    const Range written = output.bytes();
    for (int i = 0; i < problem.array_count; ++i) {
      const Array &other = problem.arrays[i];
      if (i == o || !other.data || other.is_unused(extent) ||
          (other.use == Use::output && i < o))
        continue;
      if (output.is_beside(other, extent, problem.outer))
        continue;
      const Range touched = other.bytes();
      if (touched.hi < written.lo || written.hi < touched.lo)
        continue;
      // Legal: each element is read by the thread that then writes it.
      if (other.use == Use::input && output.same_elements(other, extent) &&
          problem.launches() == 1 && // if one fails, the original runs
          (!problem.loads_after_stores ||
           strcmp(output.name, other.name) == 0)) {
        problem.reads_outputs = true;
        continue;
      }
      return problem.because("%s overlaps %s", output.name, other.name);
    }
  }
  return nullptr;
}

/// As check() above, with what the lift relied on besides.
inline const char *check(Problem &problem, const void *original,
                         DeviceCache &original_cache,
                         std::initializer_list<Requirement> requirements) {
  if (const char *reason = check(problem, original, original_cache))
    return reason;
  for (const Requirement &requirement : requirements)
    if (!requirement.holds.is_true())
      return requirement.otherwise;
  return nullptr;
}

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_PROBLEM_CUH
