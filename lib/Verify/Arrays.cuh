//===-- Arrays.cuh - What kernels are given --------------------*- CUDA -*-===//
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
// Arrays
//===----------------------------------------------------------------------===//

#define WARPWRIGHT_VERIFY_CALL(call) ::warpwright_verify::require((call), #call)

/// Ends the program with status 1 unless the call of the runtime succeeded.
inline void require(cudaError_t status, const char *call) {
  if (status == cudaSuccess)
    return;
  std::printf("%s: %s\nFAIL\n", call, cudaGetErrorString(status));
  std::exit(1);
}

/// The kinds of data in arrays. The last three are for operands only, of which
/// each element is split into one or two fp16 parts before the tensor cores
/// multiply it: integers that need two parts; magnitudes that no fp16 parts
/// represent; infinities and NaNs.
enum class Data { integers, random, digits, wide, special };
inline const char *name_of(Data data) {
  static const char *const names[] = {"integers", "random", "digits", "wide",
                                      "special"};
  return names[static_cast<int>(data)];
}

/// Integers have a magnitude of at most `size`, or `digits` in Data::digits;
/// with `divisor` none is zero. `operand`: whether it is a factor of the
/// product. `count`: whether something is shifted by the elements, by one less,
/// or by what is left of a width: these are from 1 to `size` + 1. `finite`:
/// whether it has no infinity.
struct Range {
  int size = 2;
  bool divisor = false;
  bool operand = false;
  int digits = 3;
  bool count = false;
  bool finite = false;
};

/// The array to which a pointer parameter points: the elements that the
/// computation reads or writes are known, and there are guard bands on both
/// sides. Everything else holds 0xff bytes, which are NaN in the floating-point
/// types. The program first evaluates all its expressions without data, to see
/// which elements they use (Looking), then once more to draw these (Drawing),
/// and then with the data (Ready).
class Array {
public:
  Array(const char *name, Type type, Range range)
      : name(name), type(type), range(range) {}
  Array(const Array &) = delete;
  ~Array() { cudaFree(device); }

  const char *name;
  Type type;
  Range range;
  int skip = 0;          ///< elements by which the base is displaced
  bool null = false;     ///< the parameter is a null pointer
  bool written = false;  ///< an output
  Array *same = nullptr; ///< another parameter with the same pointer

  bool given() const { return same ? same->given() : !null; }

  /// The value of the element before the kernel ran.
  double operator[](int64_t index) {
    if (same)
      return (*same)[index];
    if (null)
      return 0;
    if (phase == Ready)
      return values[index - lowest];
    if (phase == Looking)
      look(index);
    else
      draw(index);
    return 1;
  }

  void look(int64_t index) {
    lowest = lesser(lowest, index);
    end = greater(end, index + 1);
  }

  /// Ends Looking: allocates the array's memory.
  void allocate(Data kind, uint64_t seed) {
    const int64_t size = info(type).bytes;
    origin = guard + (-lowest * size + 255) / 256 * 256 + skip * size;
    image.assign(origin + end * size + guard, 0xff);
    values.assign(end - lowest, NAN);
    data = kind;
    stream = seed;
    phase = Drawing;
    WARPWRIGHT_VERIFY_CALL(cudaMalloc(&device, image.size()));
  }

  void draw(int64_t index) {
    const uint64_t bits = random_bits(stream, index - lowest);
    double x;
    if (type == Type::boolean) {
      x = bits & 1;
    } else if (data == Data::integers || data == Data::digits ||
               !info(type).digits) {
      const int size = data == Data::digits ? range.digits : range.size;
      x = static_cast<double>((bits >> 20) % (2 * size + 1)) - size;
      if (range.divisor && x == 0)
        x = 1;
      if (info(type).largest > 127 && !info(type).digits &&
          (type == Type::u16 || type == Type::u32 || type == Type::u64 ||
           type == Type::u8))
        x = std::fabs(x);
      if (range.count)
        x = std::fabs(x) + 1;
    } else {
      // The sum of four uniform numbers: nearly normal, with deviation 1.
      x = -2;
      for (int i = 0; i < 4; ++i)
        x += static_cast<double>(bits >> (16 * i) & 0xffff) / 65536;
      x *= 1.7320508;
      if (range.divisor)
        x = std::copysign(std::fabs(x) + 0.5, x);
      if (range.operand && data == Data::wide)
        x *= wide_factor(index - lowest);
      if (range.operand && data == Data::special)
        x = make_special(index - lowest, x);
    }
    encode(type, x, &image[place(index)]);
    values[index - lowest] = decode(type, &image[place(index)]);
  }

  /// The term for which operands are drawn: its k, or -1, and the side.
  struct Term {
    int64_t k = -1;
    bool left = false, paired = false;
  };
  static Term &term() {
    static Term current;
    return current;
  }

  /// Products stay within float's range; half operands are left alone, since
  /// half's range is small. In paired data, large elements are multiplied by
  /// zeros, so that sums consist of the small ones beside them. In other data,
  /// magnitudes change by runs of elements: most are unchanged, in some all are
  /// scaled alike, in some each has its own factor, and some are zero.
  double wide_factor(int64_t at) const {
    if (type == Type::f16)
      return 1;
    if (term().paired && term().k >= 0) {
      const uint64_t side = random_bits(1, term().k) % 16;
      const int size = 10 + random_bits(2, term().k / 20) % 40;
      if (side > 1)
        return 1;
      return term().left == (side == 0) ? std::ldexp(1.0, size) : 0;
    }
    const uint64_t run = random_bits(stream + 0x10000, at / 48);
    const uint64_t own = random_bits(stream + 0x20000, at);
    if (run % 32 > 2)
      return 1;
    if (run % 32 == 2)
      return 0;
    const uint64_t bits = run % 32 ? run : own;
    return std::ldexp(1.0, static_cast<int>((bits >> 8) % 101) - 50);
  }

  /// Some runs have, now and then, an infinity, a NaN, a zero of either sign or
  /// a subnormal number.
  double make_special(int64_t at, double x) const {
    const uint64_t own = random_bits(stream + 0x20000, at);
    if (random_bits(stream + 0x10000, at / 600) % 4)
      return x;
    switch (own % 400) {
    case 0:
      return NAN;
    case 1:
    case 2:
      return range.finite ? x : std::copysign(INFINITY, x);
    default:
      if (own % 400 < 20)
        return std::copysign(0.0, x);
      if (own % 400 < 40)
        return std::ldexp(x, info(type).lowest + 6);
      return x;
    }
  }

  void ready() { phase = Ready; }

  void upload() const {
    WARPWRIGHT_VERIFY_CALL(
        cudaMemcpy(device, image.data(), image.size(), cudaMemcpyHostToDevice));
  }
  std::vector<unsigned char> download() const {
    std::vector<unsigned char> now(image.size());
    WARPWRIGHT_VERIFY_CALL(
        cudaMemcpy(now.data(), device, now.size(), cudaMemcpyDeviceToHost));
    return now;
  }

  /// The argument of the kernel: the address of element 0.
  void *pointer() const {
    if (same)
      return same->pointer();
    return null ? nullptr : static_cast<char *>(device) + origin;
  }
  /// Offset of an element in the image, in bytes.
  size_t place(int64_t index) const {
    return static_cast<size_t>(origin + index * info(type).bytes);
  }

  std::vector<unsigned char> image; ///< before the kernel runs

private:
  static constexpr int64_t guard = 4096;
  enum { Looking, Drawing, Ready } phase = Looking;
  Data data = Data::integers;
  uint64_t stream = 0;
  int64_t lowest = 0, end = 0, origin = 0;
  std::vector<double> values;
  void *device = nullptr;
};

// Arguments that are structures are created empty, then filled field by field.
template <class T> T blank() {
  if constexpr (std::is_default_constructible<T>::value) {
    return T();
  } else {
    alignas(T) unsigned char bytes[sizeof(T)] = {};
    return *reinterpret_cast<T *>(bytes);
  }
}
template <class T> void assign(T &field, int64_t value) {
  field = static_cast<T>(value);
}
template <class T> void assign(T &field, double value) {
  field = static_cast<T>(static_cast<float>(value));
}
template <class T> void assign(T *&field, void *value) {
  field = static_cast<T *>(value);
}
/// The same for the field of type T that lies `offset` bytes behind the start
/// of an object, which may be declared with another name of the type (long for
/// long long).
template <class T, size_t offset, class Object, class V>
void assign_at(Object &object, V value) {
  static_assert(offset + sizeof(T) <= sizeof(Object), "not inside the object");
  T field{};
  assign(field, value);
  memcpy(&reinterpret_cast<unsigned char &>(object) + offset, &field,
         sizeof field);
}
/// A variable in constant memory, which is read, changed and written back.
template <class T> struct Held {
  T value;
  explicit Held(const T &symbol) {
    WARPWRIGHT_VERIFY_CALL(cudaMemcpyFromSymbol(&value, symbol, sizeof value));
  }
  void write(const T &symbol) const {
    WARPWRIGHT_VERIFY_CALL(cudaMemcpyToSymbol(symbol, &value, sizeof value));
  }
};
/// The type of a kernel's parameter, if it has no name outside of the kernel.
template <int I, class Kernel> struct parameter;
template <int I, class... P>
struct parameter<I, void (*)(P...)> : std::tuple_element<I, std::tuple<P...>> {
};

} // namespace warpwright_verify
