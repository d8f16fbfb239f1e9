//===- check.h - Self-checking for the example programs ---------*- C++ -*-===//
//
// Part of the Warpwright project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for details.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the examples share: matrices of deterministic normal numbers between
/// guard bands, a float64 reference, and a verdict per case.
///
/// A case passes when the CUDA calls succeeded, ||C - ref|| <= bound * ||ref||
/// over all elements (a NaN never passes), every byte that is no element of an
/// output still holds the fill pattern, and no input changed. The pattern 0xff
/// is a NaN in every floating type, so an output that was never written and an
/// operand read beyond its end both show.
///
/// Each case prints one line on stdout; the last line is PASS or FAIL, and so
/// is the exit status (0 or 1). `--quick` runs small shapes only, `--random N`
/// runs N random ones. `--integers` fills matrices with whole numbers where it
/// would take normal ones: sums are then exact. `--digest` adds to each case a
/// hash of the output's bytes, to compare one machine's with another's.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_EXAMPLES_CHECK_H
#define WARPWRIGHT_EXAMPLES_CHECK_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <vector>

#define CUDA_CHECK(call) ::check::require((call), #call, __FILE__, __LINE__)

namespace check {

/// Ends the program with status 1 unless \p status is success.
inline void require(cudaError_t status, const char *call, const char *file,
                    int line) {
  if (status == cudaSuccess)
    return;
  std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call,
               cudaGetErrorString(status));
  std::printf("FAIL\n");
  std::exit(1);
}

/// The extents of one product: C is m by n, the sum runs over k.
struct Shape {
  int m, n, k;
};

inline int ceilDiv(int a, int b) { return (a + b - 1) / b; }
inline int roundUp(int a, int b) { return ceilDiv(a, b) * b; }

/// Host conversions and the normwise error an output of type T may have. Of all
/// types that are not named below, which are those of cuda_fp8.h.
template <class T> struct Element {
  static constexpr double bound = 6e-2;
  static T from(double x) { return T(static_cast<float>(x)); }
  static double value(T x) { return static_cast<float>(x); }
};
template <> struct Element<float> {
  static constexpr double bound = 1e-5;
  static float from(double x) { return static_cast<float>(x); }
  static double value(float x) { return x; }
};
template <> struct Element<double> {
  static constexpr double bound = 1e-14;
  static double from(double x) { return x; }
  static double value(double x) { return x; }
};
template <> struct Element<int> {
  static constexpr double bound = 0;
  static int from(double x) { return static_cast<int>(x); }
  static double value(int x) { return x; }
};
template <> struct Element<unsigned> {
  static constexpr double bound = 0;
  static unsigned from(double x) { return static_cast<unsigned>(x); }
  static double value(unsigned x) { return x; }
};
template <> struct Element<signed char> {
  static constexpr double bound = 0;
  static signed char from(double x) { return static_cast<signed char>(x); }
  static double value(signed char x) { return x; }
};
/// Negative numbers wrap around.
template <> struct Element<unsigned char> {
  static constexpr double bound = 0;
  static unsigned char from(double x) {
    return static_cast<unsigned char>(static_cast<int>(x));
  }
  static double value(unsigned char x) { return x; }
};
template <> struct Element<__half> {
  static constexpr double bound = 1e-3;
  static __half from(double x) { return __float2half(static_cast<float>(x)); }
  static double value(__half x) { return __half2float(x); }
};
template <> struct Element<__nv_bfloat16> {
  static constexpr double bound = 4e-3;
  static __nv_bfloat16 from(double x) {
    return __float2bfloat16(static_cast<float>(x));
  }
  static double value(__nv_bfloat16 x) { return __bfloat162float(x); }
};

/// Deterministic random bits (splitmix64).
inline uint64_t randomBits(uint64_t &state) {
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Whether random() means whole numbers: `--integers`.
inline bool &wholeNumbers() {
  static bool whole = false;
  return whole;
}

/// `batch` matrices of rows by cols elements in device memory, a row every
/// `pitch` elements, with a host copy. Guard bands lie before and behind; they
/// and the gaps between rows hold 0xff bytes, and so do all elements at first.
template <class T> class Matrix {
public:
  Matrix(int rows, int cols, int pitch = 0, int batch = 1)
      : rows_(rows), cols_(cols), pitch_(pitch ? pitch : cols), batch_(batch),
        image_(bytes(), 0xff) {
    CUDA_CHECK(cudaMalloc(&base_, bytes()));
    upload();
  }
  ~Matrix() { cudaFree(base_); }
  Matrix(const Matrix &) = delete;
  Matrix &operator=(const Matrix &) = delete;

  int rows() const { return rows_; }
  int cols() const { return cols_; }
  int pitch() const { return pitch_; }
  int batch() const { return batch_; }
  /// Elements from one matrix of the batch to the next.
  size_t batchStride() const { return static_cast<size_t>(rows_) * pitch_; }

  /// The first element, in device memory.
  T *data() { return reinterpret_cast<T *>(base_ + guard); }

  /// The host copy of an element.
  double operator()(int row, int col, int batch = 0) const {
    T element;
    std::memcpy(&element, &image_[offset(row, col, batch)], sizeof(T));
    return Element<T>::value(element);
  }

  /// Fills the elements with normal numbers of the given deviation: the sum
  /// of four uniform ones, so none is beyond 3.5 deviations.
  void random(uint64_t seed, double deviation = 1) {
    if (wholeNumbers())
      return integers(seed);
    fill(seed, [=](uint64_t bits) {
      double sum = 0;
      for (int i = 0; i < 4; ++i)
        sum += static_cast<double>((bits >> (16 * i)) & 0xffff) / 65536.0;
      return (sum - 2.0) * 1.7320508 * deviation;
    });
  }

  /// Fills the elements with whole numbers from -bound to bound.
  void integers(uint64_t seed, int bound = 2) {
    fill(seed, [=](uint64_t bits) {
      return static_cast<double>((bits >> 20) % (2 * bound + 1)) - bound;
    });
  }

  /// Sets the host copy of one element; upload() sends it.
  void set(int row, int col, double value) {
    T element = Element<T>::from(value);
    std::memcpy(&image_[offset(row, col, 0)], &element, sizeof(T));
  }

  void upload() {
    CUDA_CHECK(
        cudaMemcpy(base_, image_.data(), bytes(), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaDeviceSynchronize());
  }

  void download() {
    CUDA_CHECK(
        cudaMemcpy(image_.data(), base_, bytes(), cudaMemcpyDeviceToHost));
  }

  /// True if device memory still equals the host copy, byte for byte.
  bool unchanged() const {
    std::vector<unsigned char> now(bytes());
    CUDA_CHECK(cudaMemcpy(now.data(), base_, bytes(), cudaMemcpyDeviceToHost));
    return now == image_;
  }

  /// Bytes of the host copy that are no element and not 0xff: what a kernel
  /// wrote where it had no business to.
  size_t strayBytes() const {
    size_t stray = 0, next = 0;
    auto gap = [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i)
        stray += image_[i] != 0xff;
    };
    for (int b = 0; b < batch_; ++b)
      for (int r = 0; r < rows_; ++r) {
        gap(next, offset(r, 0, b));
        next = offset(r, 0, b) + cols_ * sizeof(T);
      }
    gap(next, bytes());
    return stray;
  }

  /// FNV-1a over the bytes of the host copy, gaps and guard bands included.
  uint64_t digest() const {
    uint64_t hash = 0xcbf29ce484222325u;
    for (unsigned char byte : image_)
      hash = (hash ^ byte) * 0x100000001b3u;
    return hash;
  }

private:
  static constexpr size_t guard = 4096;

  size_t bytes() const {
    return 2 * guard + batch_ * batchStride() * sizeof(T);
  }
  size_t offset(int row, int col, int batch) const {
    return guard +
           (batch * batchStride() + static_cast<size_t>(row) * pitch_ + col) *
               sizeof(T);
  }

  template <class Draw> void fill(uint64_t seed, Draw draw) {
    uint64_t state = seed * 0x2545f4914f6cdd1du;
    for (int b = 0; b < batch_; ++b)
      for (int r = 0; r < rows_; ++r)
        for (int c = 0; c < cols_; ++c) {
          T element = Element<T>::from(draw(randomBits(state)));
          std::memcpy(&image_[offset(r, c, b)], &element, sizeof(T));
        }
    upload();
  }

  int rows_, cols_, pitch_, batch_;
  char *base_ = nullptr;
  std::vector<unsigned char> image_;
};

/// A dense m by n table of doubles.
class Table {
public:
  Table(int m, int n) : n_(n), values_(static_cast<size_t>(m) * n, 0.0) {}
  double *row(int m) { return values_.data() + static_cast<size_t>(m) * n_; }
  double operator()(int m, int n) const {
    return values_[static_cast<size_t>(m) * n_ + n];
  }

private:
  int n_;
  std::vector<double> values_;
};

/// Sum over k of a(m, k) * b(k, n), in double.
template <class GetA, class GetB>
Table product(Shape s, const GetA &a, const GetB &b) {
  Table right(s.k, s.n), sum(s.m, s.n);
  for (int k = 0; k < s.k; ++k)
    for (int n = 0; n < s.n; ++n)
      right.row(k)[n] = b(k, n);
  for (int m = 0; m < s.m; ++m)
    for (int k = 0; k < s.k; ++k) {
      const double left = a(m, k), *from = right.row(k);
      double *to = sum.row(m);
      for (int n = 0; n < s.n; ++n)
        to[n] += left * from[n];
    }
  return sum;
}

/// Runs the cases of one program and keeps the verdict.
class Suite {
public:
  Suite(int argc, char **argv) {
    for (int i = 1; i < argc; ++i) {
      quick_ |= std::strcmp(argv[i], "--quick") == 0;
      digest_ |= std::strcmp(argv[i], "--digest") == 0;
      wholeNumbers() |= std::strcmp(argv[i], "--integers") == 0;
      if (std::strcmp(argv[i], "--random") == 0 && i + 1 < argc)
        random_ = std::atoi(argv[++i]);
    }
  }

  bool quick() const { return quick_; }

  /// For arithmetic that is less exact than its output type.
  void setBound(double bound) { bound_ = bound; }

  /// For float operands, and operands of two types: float outputs may err by
  /// \p bound, or by what adding k products one after the other in float
  /// costs, which is what the kernels do as they are written.
  void floatOperands(double bound = 1e-6) { floatBound_ = bound; }

  /// Aligned, more tiles than multiprocessors, a multiple of 8 only, ragged,
  /// narrow, deep, tiny, and K of 1 and 0; or as the options say.
  std::vector<Shape> shapes() const {
    if (random_)
      return randomShapes();
    if (quick_)
      return {{136, 72, 40}, {133, 72, 40}, {67, 45, 23}, {3, 5, 7},
              {1, 1, 1},     {24, 16, 1},   {24, 16, 0}};
    return {{512, 768, 256}, {2304, 2048, 192}, {520, 328, 200},
            {509, 328, 200}, {517, 331, 203},   {16, 1024, 512},
            {1000, 16, 136}, {256, 128, 4096},  {64, 40, 8},
            {3, 5, 7},       {1, 1, 1},         {64, 48, 1},
            {64, 48, 0}};
  }

  /// Waits for the device, then checks output \p got, whose element (row,
  /// col) of batch b should be want(row, col) or want(row, col, b), and that
  /// the \p inputs were left alone. \p name is the kernel's.
  template <class T, class Want, class... Inputs>
  void expect(const char *name, Shape s, Matrix<T> &got, const Want &want,
              const Inputs &...inputs) {
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
    got.download();
    double difference = 0, norm = 0;
    for (int b = 0; b < got.batch(); ++b)
      for (int r = 0; r < got.rows(); ++r)
        for (int c = 0; c < got.cols(); ++c) {
          double wanted = call(want, r, c, b, 0), d = got(r, c, b) - wanted;
          difference += d * d;
          norm += wanted * wanted;
        }
    double error = std::sqrt(difference), bound = Element<T>::bound;
    if (norm > 0)
      error /= std::sqrt(norm);
    if (floatBound_ > 0 && std::is_same<T, float>::value)
      bound = std::fmax(floatBound_, 6e-8 * std::sqrt(s.k));
    if (bound_ > 0)
      bound = bound_;
    size_t stray = got.strayBytes();
    bool intact = true;
    for (bool same : {true, inputs.unchanged()...})
      intact &= same;
    bool good = error <= bound && stray == 0 && intact;
    char digest[32] = "";
    if (digest_)
      std::snprintf(digest, sizeof(digest), ", digest %016llx",
                    static_cast<unsigned long long>(got.digest()));
    std::printf("case %s %dx%dx%d: error %.2e, bound %.0e%s%s%s: %s\n", name,
                s.m, s.n, s.k, error, bound, digest,
                stray ? ", wrote outside the output" : "",
                intact ? "" : ", changed an input", good ? "ok" : "BAD");
    std::fflush(stdout);
    passed_ &= good;
    ++cases_;
  }

  /// The exit status, after printing the last line.
  int finish() const {
    bool passed = passed_ && cases_ > 0;
    std::printf("%s\n", passed ? "PASS" : "FAIL");
    return passed ? 0 : 1;
  }

private:
  // want(row, col, batch) if it takes three arguments, else want(row, col).
  template <class Want>
  static auto call(const Want &want, int r, int c, int b, int)
      -> decltype(want(r, c, b)) {
    return want(r, c, b);
  }
  template <class Want>
  static auto call(const Want &want, int r, int c, int, long)
      -> decltype(want(r, c)) {
    return want(r, c);
  }

  // Extents of 1 to 800, small ones as likely as large ones, every other one
  // a multiple of 8 so that rows often start where TMA can read them.
  std::vector<Shape> randomShapes() const {
    uint64_t state = 7;
    auto extent = [&state] {
      double u =
          static_cast<double>(randomBits(state) >> 11) / 9007199254740992.0;
      int any = static_cast<int>(std::exp2(u * 9.645));
      return randomBits(state) & 1024 ? roundUp(any, 8) : any;
    };
    std::vector<Shape> shapes(random_);
    for (Shape &s : shapes)
      s = {extent(), extent(), extent()};
    return shapes;
  }

  bool quick_ = false, digest_ = false, passed_ = true;
  int random_ = 0, cases_ = 0;
  double bound_ = 0, floatBound_ = 0;
};

} // namespace check

#endif // WARPWRIGHT_EXAMPLES_CHECK_H
