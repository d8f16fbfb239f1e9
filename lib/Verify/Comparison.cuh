//===-- Comparison.cuh - Running and comparing -----------------*- CUDA -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of every verification program; CMake turns this file into a string.
//===----------------------------------------------------------------------===//

namespace warpwright_verify {

//===----------------------------------------------------------------------===//
// One problem
//===----------------------------------------------------------------------===//

struct Extents {
  int64_t b, m, n, k;
};

/// The requirement on the outputs of both kernels with integers as data, for
/// which all sums are exact: the float64 result, rounded once; equal bits; or
/// agreement as with random data.
enum class Agreement { exact, same, close };

/// A launch, and the plans to run on it.
struct Setup {
  dim3 grid, block;
  size_t shared_bytes;
  uint64_t seed;
  int size; ///< integers in operands go from -size to size
  /// The same for data of many digits, for A and for B; 0: there are none for
  /// which all sums are exact.
  int digits[2];
  Agreement agreement;
  /// Plans to force, after the launcher's own choice: "large small".
  const char *plans;
  const char *what; ///< what is special about it, or ""
};

/// The data to run a problem on. `parts`: whether elements are split into fp16
/// parts before the tensor cores multiply them.
inline std::vector<Data> data_for(const Setup &setup, bool parts) {
  std::vector<Data> kinds = {Data::integers, Data::random};
  if (parts && setup.digits[0])
    kinds.push_back(Data::digits);
  if (parts)
    kinds.insert(kinds.end(), {Data::wide, Data::special});
  return kinds;
}

/// The allowed difference of a sum from float64, relative to the sum of its
/// terms' magnitudes: a fixed part, and a part for each term.
struct Accuracy {
  double sum, term;
};

/// One set of arguments of one kernel. The generated classes say what the
/// kernel computes: left and right are the factors of a product, each product
/// is a term of one sum; result is output number `o` for the finished sums, and
/// index is the element to which that goes.
class Problem {
public:
  Problem(const Setup &setup, Accuracy original, Accuracy rewritten)
      : setup(setup), accuracy{original, rewritten} {}
  virtual ~Problem() {}
  virtual Extents extents() const = 0;
  virtual double left(int product, int64_t b, int64_t m, int64_t k) = 0;
  virtual double right(int product, int64_t b, int64_t k, int64_t n) = 0;
  virtual double result(int o, const double *sums, int64_t b, int64_t m,
                        int64_t n) = 0;
  virtual int64_t index(int o, int64_t b, int64_t m, int64_t n) = 0;
  /// Whether that output has this element.
  virtual bool has(int, int64_t, int64_t, int64_t) { return true; }
  /// Launches one of the two kernels.
  virtual void launch(bool rewritten) = 0;

  Setup setup;
  Accuracy accuracy[2]; ///< of the original and of the rewritten kernel
  int sums = 1;
  std::vector<int> sum_of = {0}; ///< by product
  /// Whether the original rounds its factors to tf32 before it multiplies them.
  bool rounds_factors = false;
  bool exchanged = false; ///< m counts the user's columns
  /// False if the outputs cannot be computed on the host.
  bool has_reference = true;
  std::vector<Array *> arrays;
  std::vector<Array *> outputs;
};

/// The interval in which an element must be, and the float64 result.
struct Wanted {
  double value, low, high;
};

/// The path of the last launch, which the launcher sets through note_path.
struct Path {
  const char *path = "";
  char detail[200] = "";
};
inline Path &last_path() {
  static Path path;
  return path;
}
inline void note_path(const char *, const char *path, const char *detail) {
  last_path().path = path;
  std::snprintf(last_path().detail, sizeof(last_path().detail), "%s", detail);
}

/// The results of all runs.
struct Totals {
  int runs = 0, hopper = 0, original = 0, bad = 0;
  /// For one kernel, in the order of the tables.
  struct Kernel {
    const char *name;
    int hopper;
    std::string reason; ///< why the original was last taken
  };
  std::vector<Kernel> kernels;
};
inline Totals &totals() {
  static Totals all;
  return all;
}

/// Runs the kernels on one problem and compares. Every output element is
/// compared with the other kernel's. At most `samples` elements, spread over
/// all, are compared with the float64 result, which takes extents.k products
/// each.
class Comparison {
public:
  Comparison(Problem &problem, Data data, int64_t samples = 1 << 21)
      : p(problem), data(data), e(problem.extents()), samples(samples) {}

  void run() {
    // The other data test how Hopper kernels represent elements; they are not
    // used if the original was taken for the problem.
    if (data != Data::integers && data != Data::random &&
        std::strcmp(last_path().path, "hopper"))
      return;
    prepare();
    last_path() = Path();
    p.launch(false);
    finish(0, "the original");
    run_rewritten(nullptr);
    if ((data != Data::integers && data != Data::wide) ||
        std::strcmp(last_path().path, "hopper"))
      return;
    // Forces each plan of the list, unless it was just taken.
    const std::string chosen = last_path().detail;
    const char *next = p.setup.plans;
    while (*next) {
      const size_t length = std::strcspn(next, " ");
      const std::string plan(next, length);
      if (plan != chosen)
        run_rewritten(plan.c_str());
      next += length + (next[length] == ' ');
    }
  }

private:
  int64_t count() const { return e.b * e.m * e.n; }

  template <class Fn> void for_each(const Fn &fn) const {
    for (int64_t b = 0, i = 0; b < e.b; ++b)
      for (int64_t m = 0; m < e.m; ++m)
        for (int64_t n = 0; n < e.n; ++n, ++i)
          fn(i, b, m, n);
  }

  /// Evaluates everything once and ignores the results.
  void visit() {
    for (int product = 0; product < products(); ++product)
      for (int64_t b = 0; b < e.b; ++b)
        for (int64_t k = 0; k < e.k; ++k) {
          Array::term() = {k, true, p.setup.seed % 2 == 0};
          for (int64_t m = 0; m < e.m; ++m)
            p.left(product, b, m, k);
          Array::term().left = false;
          for (int64_t n = 0; n < e.n; ++n)
            p.right(product, b, k, n);
        }
    Array::term().k = -1;
    const std::vector<double> ones(p.sums, 1.0);
    for_each([&](int64_t, int64_t b, int64_t m, int64_t n) {
      for (int o = 0; o < outputs(); ++o)
        if (p.has(o, b, m, n))
          p.result(o, ones.data(), b, m, n);
    });
  }
  Agreement agreement() const {
    return data == Data::integers || data == Data::digits ? p.setup.agreement
                                                          : Agreement::close;
  }
  int outputs() const { return static_cast<int>(p.outputs.size()); }
  int products() const { return static_cast<int>(p.sum_of.size()); }

  void prepare() {
    if (e.b < 0 || e.m < 0 || e.n < 0)
      e = {0, 0, 0, 0};
    e.k = greater(e.k, 0);
    visit();
    for_each([&](int64_t, int64_t b, int64_t m, int64_t n) {
      for (int o = 0; o < outputs(); ++o)
        if (p.has(o, b, m, n))
          array(o).look(p.index(o, b, m, n));
    });
    uint64_t stream = p.setup.seed;
    for (Array *array : p.arrays)
      if (!array->same)
        array->allocate(data, ++stream);
    visit();
    for (Array *array : p.arrays)
      array->ready();
    mine.assign(p.arrays.size(), {});
    for (size_t a = 0; a < p.arrays.size(); ++a)
      mine[a].assign(p.arrays[a]->image.size(), false);
    for_each([&](int64_t, int64_t b, int64_t m, int64_t n) {
      for (int o = 0; o < outputs(); ++o) {
        if (!p.has(o, b, m, n))
          continue;
        const size_t at = array(o).place(p.index(o, b, m, n));
        for (int i = 0; i < info(array(o).type).bytes; ++i)
          mine[number(o)][at + i] = true;
      }
    });
    compute();
    upload();
  }

  Array &array(int o) const {
    Array *array = p.outputs[o];
    return array->same ? *array->same : *array;
  }
  size_t number(int o) const {
    size_t a = 0;
    while (p.arrays[a] != &array(o))
      ++a;
    return a;
  }

  /// One side of every product: value number (product * extent + x) * e.k + k.
  struct Factors {
    int64_t extent;
    std::vector<double> values;

    const double *row(int product, int64_t x, int64_t depth) const {
      return &values[(product * extent + x) * depth];
    }
  };
  template <class Fn> Factors factors(int64_t per_batch, const Fn &fn) {
    Factors f = {e.b * per_batch, {}};
    f.values.resize(products() * f.extent * e.k);
    for (int product = 0; product < products(); ++product)
      for (int64_t b = 0; b < e.b; ++b)
        for (int64_t k = 0; k < e.k; ++k)
          for (int64_t x = 0; x < per_batch; ++x)
            f.values[(product * f.extent + b * per_batch + x) * e.k + k] =
                fn(product, b, x, k);
    return f;
  }

  /// The factor as the original uses it. It differs from the element only if
  /// there are infinities in the data: small elements may then become zeros.
  double original_factor(double x) const {
    return p.rounds_factors && data == Data::special ? round_to_tf32(x) : x;
  }

  /// The float64 results.
  void compute() {
    if (!p.has_reference)
      return;
    const Factors left =
        factors(e.m, [&](int product, int64_t b, int64_t m, int64_t k) {
          return p.left(product, b, m, k);
        });
    const Factors right =
        factors(e.n, [&](int product, int64_t b, int64_t n, int64_t k) {
          return p.right(product, b, k, n);
        });
    for (auto &side : wanted)
      side.assign(count() * outputs(), {NAN, NAN, NAN});
    for_each([&](int64_t i, int64_t b, int64_t m, int64_t n) {
      if (!is_sampled(i, m, n))
        return;
      for (int side = 0; side < 2; ++side) {
        std::vector<double> sums(p.sums), off(p.sums), size(p.sums);
        for (int product = 0; product < products(); ++product) {
          const double *x = left.row(product, b * e.m + m, e.k);
          const double *y = right.row(product, b * e.n + n, e.k);
          double sum = 0, of_terms = 0;
          for (int64_t k = 0; k < e.k; ++k) {
            const double term =
                side == 0 ? original_factor(x[k]) * original_factor(y[k])
                          : x[k] * y[k];
            sum += term;
            of_terms += std::fabs(term);
          }
          sums[p.sum_of[product]] += sum;
          size[p.sum_of[product]] += of_terms;
        }
        const Accuracy &a = p.accuracy[side];
        const double terms =
            static_cast<double>(e.k) * products() / p.sums; // of each sum
        for (int s = 0; s < p.sums; ++s)
          off[s] = agreement() != Agreement::close || !std::isfinite(size[s])
                       ? 0
                       : size[s] * (a.sum + a.term * terms);
        for (int o = 0; o < outputs(); ++o)
          if (p.has(o, b, m, n))
            wanted[side][i * outputs() + o] = around(o, sums, off, b, m, n);
      }
    });
  }

  /// The result, and the interval of results if each sum may be off by its
  /// error.
  Wanted around(int o, std::vector<double> sums, const std::vector<double> &off,
                int64_t b, int64_t m, int64_t n) {
    const double v = p.result(o, sums.data(), b, m, n);
    Wanted w = {v, v, v};
    double largest = 0;
    for (int s = 0; s < p.sums; ++s) {
      const double sum = sums[s];
      if (std::isfinite(sum))
        largest = std::fmax(largest, std::fabs(sum));
      if (!(off[s] > 0))
        continue;
      // Sums between the ends may give a smaller or larger result than the ends
      // do, as for |x| around 0; the excess is at most the difference between
      // neighbours.
      double step = 0, before = NAN, low = v, high = v;
      for (double part : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
        sums[s] = sum + part * off[s];
        const double y = part == 0 ? v : p.result(o, sums.data(), b, m, n);
        step = std::fmax(step, std::fabs(y - before));
        before = y;
        low = y < low ? y : low;
        high = y > high ? y : high;
      }
      sums[s] = sum;
      // To first order, the effects of several sums add up.
      w.low -= v - low + step;
      w.high += high - v + step;
    }
    // Rounding in the epilogue, in float: of its result, and of intermediate
    // values that may cancel.
    const bool exact = agreement() == Agreement::exact;
    double slack = exact ? 0 : std::ldexp(std::fabs(v) + 1, -20);
    if (!exact)
      slack += std::ldexp(largest, -20);
    if (data == Data::special && !std::isfinite(v))
      return {v, v, v};
    const Type type = array(o).type;
    w.low = round_to(type, w.low - slack);
    w.high = round_to(type, w.high + slack);
    // Integers beyond the largest ones wrap around.
    w.low = w.low > v ? -INFINITY : w.low;
    w.high = w.high < v ? INFINITY : w.high;
    if (!exact) {
      w.low -= spacing(type, w.low);
      w.high += spacing(type, w.high);
    }
    return w;
  }

  void upload() {
    for (const Array *array : p.arrays)
      if (!array->same)
        array->upload();
  }

  /// Waits for the launch and fetches its results. Ends the program if the
  /// launch failed, since the context may be lost, and with it everything that
  /// follows.
  void finish(int side, const char *who) {
    cudaError_t status = cudaGetLastError();
    if (status == cudaSuccess)
      status = cudaDeviceSynchronize();
    if (status != cudaSuccess) {
      char text[300];
      std::snprintf(text, sizeof(text), "%s fails: %s", who,
                    cudaGetErrorString(status));
      print("MISMATCH", NAN, NAN, text);
      std::printf("FAIL\n");
      std::exit(1);
    }
    images[side].clear();
    for (const Array *array : p.arrays)
      images[side].push_back(array->same ? std::vector<unsigned char>()
                                         : array->download());
  }

  void run_rewritten(const char *plan) {
    last_path() = Path();
    choose_plan(plan);
    upload();
    p.launch(true);
    choose_plan(nullptr);
    finish(1, "the rewritten kernel");
    compare();
  }

  static void choose_plan(const char *plan); // after the generated text

  double got(int side, int o, int64_t index) const {
    return decode(array(o).type,
                  &images[side][number(o)][array(o).place(index)]);
  }

  /// Bytes that belong to no output element and have changed.
  std::string stray(int side) const {
    for (size_t a = 0; a < p.arrays.size(); ++a)
      for (size_t i = 0; i < images[side][a].size(); ++i)
        if (images[side][a][i] != p.arrays[a]->image[i] && !mine[a][i])
          return std::string(side ? "the rewritten kernel" : "the original") +
                 " writes to " + p.arrays[a]->name +
                 " where it should not, byte " +
                 std::to_string(static_cast<long long>(i) -
                                static_cast<long long>(p.arrays[a]->place(0)));
    return "";
  }

  void compare() {
    std::string problem = stray(0);
    if (problem.empty())
      problem = stray(1);
    const bool by_original = !std::strcmp(last_path().path, "original");
    const bool same = agreement() != Agreement::close;
    double difference = 0, norm = 0, worst = 0;
    int64_t elements = 0;
    for_each([&](int64_t i, int64_t b, int64_t m, int64_t n) {
      for (int o = 0; o < outputs(); ++o) {
        if (!p.has(o, b, m, n))
          continue;
        const int64_t index = p.index(o, b, m, n);
        const double first = got(0, o, index), second = got(1, o, index);
        const double reference =
            p.has_reference ? wanted[1][i * outputs() + o].value : NAN;
        // Bit for bit, except for the sign of a zero.
        if (same && problem.empty() && first != second &&
            !(std::isnan(first) && std::isnan(second)))
          problem = describe("", o, index, b, m, n, second, first, reference);
        if (!p.has_reference) {
          note(difference, norm, worst, elements, second, first);
          if (problem.empty() && !close(o, first, second))
            problem = describe("", o, index, b, m, n, second, first, NAN);
          continue;
        }
        // If the launcher took the original, the original's accuracy counts.
        const Wanted *w[2];
        for (int side = 0; side < 2; ++side)
          w[side] = &wanted[by_original ? 0 : side][i * outputs() + o];
        if (!is_sampled(i, m, n))
          continue;
        note(difference, norm, worst, elements, second, w[1]->value);
        // Double does not overflow where float does, and may treat the maximum
        // of a NaN differently: there the other kernel's result is taken as
        // right.
        if (!problem.empty() || same_special(first, second, w[0]->value))
          continue;
        if (!inside(first, *w[0]))
          problem = describe("the original is wrong, or was misread: ", o,
                             index, b, m, n, second, first, w[0]->value);
        else if (!inside(second, *w[1]))
          problem = describe("", o, index, b, m, n, second, first, w[1]->value);
      }
    });
    const double error =
        norm > 0 ? std::sqrt(difference / norm) : std::sqrt(difference);
    const double rms =
        elements ? std::sqrt(norm / static_cast<double>(elements)) : 0;
    print(!problem.empty()                  ? "MISMATCH"
          : !same                           ? "close"
          : agreement() == Agreement::exact ? "equal"
                                            : "same",
          error, rms > 0 ? worst / rms : worst, problem.c_str());
  }

  /// About as many as `samples`, always including the last row and column.
  bool is_sampled(int64_t i, int64_t m, int64_t n) const {
    const int64_t every = count() / samples + 1;
    return every == 1 || random_bits(p.setup.seed, i) % every == 0 ||
           m + 1 == e.m || n + 1 == e.n;
  }

  static void note(double &difference, double &norm, double &worst,
                   int64_t &elements, double got, double want) {
    if (!std::isfinite(want))
      return;
    const double d = std::fabs(got - want);
    difference += d * d;
    norm += want * want;
    worst = d > worst || std::isnan(d) ? d : worst;
    ++elements;
  }

  bool same_special(double first, double second, double want) const {
    return (data == Data::wide || data == Data::special) &&
           (!std::isfinite(first) || !std::isfinite(want)) &&
           (first == second || (std::isnan(first) && std::isnan(second)));
  }

  static bool inside(double x, const Wanted &w) {
    if (std::isnan(w.value))
      return std::isnan(x);
    return (x >= w.low && x <= w.high) || std::isnan(w.low) ||
           std::isnan(w.high);
  }

  /// Without a reference: the agreement that the types allow.
  bool close(int o, double x, double y) const {
    if (std::isnan(x) || std::isnan(y) || std::isinf(x) || std::isinf(y))
      return x == y || (std::isnan(x) && std::isnan(y));
    return std::fabs(x - y) <= 2 * spacing(array(o).type, x) +
                                   1e-3 * (std::fabs(x) + std::fabs(y)) + 1e-4;
  }

  std::string describe(const char *before, int o, int64_t index, int64_t b,
                       int64_t m, int64_t n, double rewritten, double original,
                       double reference) const {
    char text[400];
    int used =
        std::snprintf(text, sizeof(text),
                      "%s%s[%lld] (b %lld, m %lld, n %lld) is %.9g, "
                      "the original's %.9g",
                      before, array(o).name, static_cast<long long>(index),
                      static_cast<long long>(b), static_cast<long long>(m),
                      static_cast<long long>(n), rewritten, original);
    if (!std::isnan(reference))
      std::snprintf(text + used, sizeof(text) - used, ", in float64 %.9g",
                    reference);
    return text;
  }

  /// One row of the table, and below it the mismatch, if there is one.
  void print(const char *verdict, double error, double worst,
             const char *problem) {
    char shape[100], path[256];
    int used = 0;
    if (e.b != 1)
      used = std::snprintf(shape, sizeof(shape), "%lldx",
                           static_cast<long long>(e.b));
    std::snprintf(shape + used, sizeof(shape) - used, "%lldx%lldx%lld",
                  static_cast<long long>(p.exchanged ? e.n : e.m),
                  static_cast<long long>(p.exchanged ? e.m : e.n),
                  static_cast<long long>(e.k));
    if (!*last_path().path)
      std::snprintf(path, sizeof(path), "not rewritten");
    else if (!std::strcmp(last_path().path, "hopper"))
      std::snprintf(path, sizeof(path), "hopper %s", last_path().detail);
    else
      std::snprintf(path, sizeof(path), "original: %s", last_path().detail);
    std::printf("  %-16s %-8s  %-8s %-8s %-8s  %s%s%s\n", shape, name_of(data),
                number(error).c_str(), number(worst).c_str(), verdict, path,
                *p.setup.what ? "; " : "", p.setup.what);
    if (*problem)
      std::printf("    %s\n", problem);
    std::fflush(stdout);
    Totals &all = totals();
    ++all.runs;
    all.bad += *problem != 0;
    Totals::Kernel &kernel = all.kernels.back();
    if (!std::strcmp(last_path().path, "hopper")) {
      ++all.hopper;
      ++kernel.hopper;
    } else {
      ++all.original;
      kernel.reason = last_path().detail;
    }
  }
  static std::string number(double x) {
    if (std::isnan(x))
      return "-";
    char text[32];
    std::snprintf(text, sizeof(text), x == 0 ? "0" : "%.1e", x);
    return text;
  }

  Problem &p;
  Data data;
  Extents e;
  int64_t samples;
  std::vector<Wanted> wanted[2]; ///< for the original and for the rewritten
  std::vector<std::vector<unsigned char>> images[2];
  std::vector<std::vector<bool>> mine; ///< bytes that an output may change
};

/// False, with a message, if there is no device to run on.
inline bool find_device() {
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status == cudaSuccess && devices > 0)
    return true;
  std::printf("there is no GPU to run on: %s\nFAIL\n",
              status == cudaSuccess ? "the runtime finds none"
                                    : cudaGetErrorString(status));
  return false;
}

/// A heading for the rows of one kernel.
inline void print_heading(const char *kernel, bool has_reference) {
  totals().kernels.push_back({kernel, 0, ""});
  std::printf("%s\n  %-16s %-8s  %-8s %-8s %-8s  %s\n", kernel, "shape", "data",
              "error", "worst", "verdict", "path");
  if (!has_reference)
    std::printf(
        "  (there is no float64 result: an output calls a function that "
        "only the device\n  has; error and worst are against the "
        "original)\n");
}

/// The last lines; the program's exit status.
inline int finish() {
  const Totals &all = totals();
  std::printf("%d runs, %d on Hopper and %d by the original: ", all.runs,
              all.hopper, all.original);
  if (all.bad) {
    std::printf("%d MISMATCHES\nFAIL\n", all.bad);
    return 1;
  }
  std::printf("no mismatch\n");
  // An original that agrees with itself proves nothing.
  int unproven = 0;
  for (const Totals::Kernel &kernel : all.kernels)
    if (!kernel.hopper) {
      ++unproven;
      std::printf("no run took a Hopper kernel of %s: %s\n", kernel.name,
                  kernel.reason.empty() ? "there is none"
                                        : kernel.reason.c_str());
    }
  std::printf(unproven ? "NOT VERIFIED\n" : "PASS\n");
  return unproven || !all.runs;
}

} // namespace warpwright_verify
