//===- warpwright/rt/verify.cuh - Comparing with the original --*- CUDA -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// WARPWRIGHT_VERIFY=1: every launch that goes to a Hopper kernel first runs the
// original, keeps what it wrote, puts the outputs back as they were (they may
// be inputs as well), runs the Hopper kernel and compares. What the program
// sees afterwards is the Hopper kernel's result.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_VERIFY_CUH
#define WARPWRIGHT_RT_VERIFY_CUH

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>
#include <warpwright/rt/problem.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

template <class Element> double element_as(const char *address) {
  Element element;
  memcpy(&element, address, sizeof(element));
  return static_cast<double>(element);
}

/// The element of an array in host memory, as a double.
inline double element_value(Type type, const char *address) {
  switch (type) {
  case Type::i8:
    return element_as<int8_t>(address);
  case Type::u8:
    return element_as<uint8_t>(address);
  case Type::i16:
    return element_as<int16_t>(address);
  case Type::u16:
    return element_as<uint16_t>(address);
  case Type::i32:
    return element_as<int32_t>(address);
  case Type::u32:
    return element_as<uint32_t>(address);
  case Type::i64:
    return element_as<int64_t>(address);
  case Type::u64:
    return element_as<uint64_t>(address);
  case Type::f32:
    return element_as<float>(address);
  case Type::f64:
    return element_as<double>(address);
  case Type::e5m2: // the upper half of a number in half precision
    return static_cast<double>(
        __half2float(__ushort_as_half(static_cast<unsigned short>(
            static_cast<unsigned char>(*address) << 8))));
  case Type::e4m3: {
    const int bits = *address & 127, exponent = bits >> 3, fraction = bits & 7;
    const double size = bits == 127 ? NAN
                        : exponent  ? ldexp(8 + fraction, exponent - 10)
                                    : ldexp(fraction, -9);
    return *address & 128 ? -size : size;
  }
  case Type::f16:
    return static_cast<double>(__half2float(__ushort_as_half(
        static_cast<unsigned short>(element_as<uint16_t>(address)))));
  case Type::bf16:
    return static_cast<double>(__bfloat162float(__ushort_as_bfloat16(
        static_cast<unsigned short>(element_as<uint16_t>(address)))));
  case Type::u4x2: // pairs are what plans see of operands; no output has them
  case Type::s4x2:
  case Type::u4x2_high:
  case Type::s4x2_high:
  case Type::f16x2:
  case Type::bf16x2:
    break;
  }
  return 0;
}

class Verify {
public:
  /// Saves the outputs if this launch is to be compared. Otherwise, and when
  /// the stream is being captured, all members do nothing.
  explicit Verify(Problem &problem) : problem(problem) {
    if (!environment().verify)
      return;
    ErrorGuard guard;
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    if (cudaStreamIsCapturing(problem.launch.stream, &status) != cudaSuccess ||
        status != cudaStreamCaptureStatusNone) {
      fprintf(stderr, "warpwright: %s: verify: not under stream capture\n",
              problem.kernel);
      return;
    }
    active = true;
    for_each_output([&](const Array &output, int i) {
      saved[i] = download(output);
      if (!saved[i])
        stop("cannot copy an output");
    });
  }
  Verify(const Verify &) = delete;
  Verify &operator=(const Verify &) = delete;
  ~Verify() {
    for (int i = 0; i < max_outputs; ++i) {
      free(saved[i]);
      free(expected[i]);
    }
  }

  /// Whether the original is to be launched now.
  bool wants_original() const { return active; }

  /// After the launch of the original: keeps its result and restores what the
  /// outputs held before.
  void keep_original() {
    if (!active)
      return;
    for_each_output([&](const Array &output, int i) {
      expected[i] = download(output);
      if (!expected[i])
        stop("cannot copy an output");
    });
    // Not any earlier: outputs may be the parts of one array.
    for_each_output([&](const Array &output, int i) {
      if (!upload(output, saved[i]))
        stop("cannot copy an output");
    });
  }

  /// After the launch of the Hopper kernel: compares, one line per output.
  void compare() {
    if (!active)
      return;
    for_each_output([&](const Array &output, int i) {
      char *actual = download(output);
      if (!actual) {
        stop("cannot copy an output");
        return;
      }
      report(output, expected[i], actual);
      free(actual);
    });
  }

private:
  static constexpr int max_outputs = 8;
  Problem &problem;
  bool active = false;
  char *saved[max_outputs] = {};
  char *expected[max_outputs] = {};

  template <class Function> void for_each_output(Function function) {
    RelaxedCapture relaxed; // other threads may be capturing
    int outputs = 0;
    for (int i = 0; i < problem.array_count; ++i)
      if (problem.arrays[i].use == Use::output && active &&
          outputs < max_outputs && !problem.arrays[i].is_unused(problem.extent))
        function(problem.arrays[i], outputs++);
  }

  void stop(const char *why) {
    active = false;
    fprintf(stderr, "warpwright: %s: verify: %s: %s\n", problem.kernel, why,
            cudaGetErrorString(cudaPeekAtLastError()));
  }

  static const char *first_byte(const Array &array) {
    return static_cast<const char *>(array.data) +
           array.elements.lo * size_of(array.type);
  }
  static size_t byte_count(const Array &array) {
    return static_cast<size_t>(array.elements.hi - array.elements.lo + 1) *
           size_of(array.type);
  }

  /// A copy of the array in host memory, in stream order; null on failure.
  char *download(const Array &array) const {
    char *copy = static_cast<char *>(malloc(byte_count(array)));
    const cudaStream_t stream = problem.launch.stream;
    if (copy &&
        cudaMemcpyAsync(copy, first_byte(array), byte_count(array),
                        cudaMemcpyDefault, stream) == cudaSuccess &&
        cudaStreamSynchronize(stream) == cudaSuccess)
      return copy;
    free(copy);
    return nullptr;
  }
  bool upload(const Array &array, const char *copy) const {
    return cudaMemcpyAsync(const_cast<char *>(first_byte(array)), copy,
                           byte_count(array), cudaMemcpyDefault,
                           problem.launch.stream) == cudaSuccess &&
           cudaStreamSynchronize(problem.launch.stream) == cudaSuccess;
  }

  /// Largest and normwise difference of two copies of an output.
  void report(const Array &output, const char *expected,
              const char *actual) const {
    const int64_t size = size_of(output.type);
    double largest = 0, difference = 0, norm = 0;
    int64_t unlike = 0; // NaN or infinity in one of the two only
    const PerAxis &extent = problem.extent;
    const Range batches = output.numbers(Axis::b, extent),
                rows = output.numbers(Axis::m, extent),
                columns = output.numbers(Axis::n, extent);
    for (int64_t batch = 0; batch < extent.b * problem.launches(); ++batch) {
      if (batch % extent.b < batches.lo || batch % extent.b > batches.hi)
        continue;
      for (int64_t m = rows.lo; m <= rows.hi; ++m)
        for (int64_t n = columns.lo; n <= columns.hi; ++n) {
          const int64_t launch = batch / extent.b;
          const int64_t offset =
              size *
              (output.base + batch % extent.b * output.stride.b +
               launch % problem.outer.of[0] * output.outer_stride.of[0] +
               launch / problem.outer.of[0] * output.outer_stride.of[1] +
               m * output.stride.m + n * output.stride.n - output.elements.lo);
          const double x = element_value(output.type, expected + offset);
          const double y = element_value(output.type, actual + offset);
          if (isfinite(x))
            norm += x * x;
          if (x == y || (isnan(x) && isnan(y)))
            continue;
          const double delta = fabs(x - y);
          if (!isfinite(delta)) {
            ++unlike;
            continue;
          }
          largest = delta > largest ? delta : largest;
          difference += delta * delta;
        }
    }
    const double normwise = difference == 0 ? 0
                            : norm == 0     ? INFINITY
                                            : sqrt(difference / norm);
    // What two roundings of the result can differ by, or the sums before.
    const double rounding = output.type == Type::e5m2   ? 6e-2
                            : output.type == Type::e4m3 ? 3e-2
                            : output.type == Type::bf16 ? 8e-3
                            : output.type == Type::f16  ? 2e-3
                                                        : 0;
    const double tolerance =
        rounding > problem.sum_tolerance ? rounding : problem.sum_tolerance;
    fprintf(stderr,
            "warpwright: %s: verify: %s %s: max difference %.3g, normwise "
            "%.3g\n",
            problem.kernel, output.name,
            normwise <= tolerance && !unlike ? "agrees" : "DIFFERS", largest,
            normwise);
  }
};

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_VERIFY_CUH
