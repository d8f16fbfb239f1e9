//===- mma.h - Matrix fragments of a warp -----------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nvcuda::wmma for 16-bit, tf32 and 8-bit operands, made of the device's
// mma.sync instructions, which the simulator interprets. How a fragment is
// spread over the lanes is CUDA's secret; here it is mma.sync's layout.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_MMA_H
#define WARPWRIGHT_SIM_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#pragma clang force_cuda_host_device begin

namespace nvcuda {
namespace wmma {

enum layout_t { mem_row_major, mem_col_major };

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;

namespace precision {
struct tf32;
}

namespace details {

/// Elements of a type as fragments hold them, and as instructions name them.
template <class T> struct element;
#define WARPWRIGHT_SIM_ELEMENT(T, Stored, Name)                                \
  template <> struct element<T> {                                              \
    typedef Stored type;                                                       \
    static constexpr const char *name = Name;                                  \
  };
WARPWRIGHT_SIM_ELEMENT(__half, __half, "f16")
WARPWRIGHT_SIM_ELEMENT(__nv_bfloat16, __nv_bfloat16, "bf16")
WARPWRIGHT_SIM_ELEMENT(precision::tf32, float, "tf32")
WARPWRIGHT_SIM_ELEMENT(signed char, signed char, "s8")
WARPWRIGHT_SIM_ELEMENT(unsigned char, unsigned char, "u8")
WARPWRIGHT_SIM_ELEMENT(float, float, "f32")
WARPWRIGHT_SIM_ELEMENT(int, int, "s32")
WARPWRIGHT_SIM_ELEMENT(double, double, "f64")
#undef WARPWRIGHT_SIM_ELEMENT

inline int lane() {
  return static_cast<int>(
      (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) &
      31);
}

struct place {
  int row, col;
};

/// Where element i of a lane's fragment is. The instructions multiply 16 rows
/// by 8 columns, so a product of 8 rows is computed transposed.
template <class Use, int m, int n, int k, class T> struct layout;
template <int m, int n, int k, class T> struct layout<matrix_a, m, n, k, T> {
  static constexpr bool swapped = m == 8;
  static constexpr int per = 4 / static_cast<int>(sizeof(T));
  static constexpr int count = m * k / 32;
  static place at(int i) {
    const int l = lane();
    if (swapped) // a right operand of 8 columns, transposed
      return {l / 4, per * (l % 4) + i % per + i / per * 4 * per};
    const int tile = i / (16 * k / 32), r = i % (16 * k / 32) / per;
    return {16 * tile + l / 4 + 8 * (r & 1),
            per * (l % 4) + i % per + (r >> 1) * 4 * per};
  }
};
template <int m, int n, int k, class T> struct layout<matrix_b, m, n, k, T> {
  static constexpr int count = n * k / 32;
  static place at(int i) {
    const int l = lane();
    constexpr int per = 4 / static_cast<int>(sizeof(T));
    if (m == 8) { // a left operand, transposed
      const place p = layout<matrix_a, n, m, k, T>::at(i);
      return {p.col, p.row};
    }
    const int tile = i / (8 * k / 32), e = i % (8 * k / 32);
    return {per * (l % 4) + e % per + e / per * 4 * per, 8 * tile + l / 4};
  }
};
template <int m, int n, int k, class T> struct layout<accumulator, m, n, k, T> {
  static constexpr int count = m * n / 32;
  static place at(int i) {
    const int l = lane(), tile = i / 4;
    constexpr int columns = (m == 8 ? m : n) / 8; // tiles side by side
    const int row = tile / columns * 16 + l / 4 + 8 * (i % 4 >> 1);
    const int col = tile % columns * 8 + 2 * (l % 4) + (i & 1);
    return m == 8 ? place{col, row} : place{row, col};
  }
};

/// Doubles have a shape of their own (PTX ISA, "Matrix Fragments for
/// mma.m8n8k4 with .f64 floating point type").
template <> struct layout<matrix_a, 8, 8, 4, double> {
  static constexpr int count = 1;
  static place at(int) { return {lane() / 4, lane() % 4}; }
};
template <> struct layout<matrix_b, 8, 8, 4, double> {
  static constexpr int count = 1;
  static place at(int) { return {lane() % 4, lane() / 4}; }
};
template <> struct layout<accumulator, 8, 8, 4, double> {
  static constexpr int count = 2;
  static place at(int i) { return {lane() / 4, 2 * (lane() % 4) + i}; }
};

/// The bits of neighbouring elements as one register.
template <class T> inline unsigned int bits_of(const T *x) {
  unsigned int bits;
  memcpy(&bits, x, sizeof(bits));
  return bits;
}

template <class A, class D, int k> struct instruction;
// Only sums of integers saturate (PTX ISA, wmma.mma).
#define WARPWRIGHT_SIM_MMA(A, D, K, Shape, Types, Text)                        \
  template <> struct instruction<A, D, K> {                                    \
    static ::warpwright::sim::AsmSite &site(bool saturates) {                  \
      static ::warpwright::sim::AsmSite site = {                               \
          "mma.sync.aligned." Shape ".row.col." Types " " Text, nullptr};      \
      static ::warpwright::sim::AsmSite saturating = {                         \
          "mma.sync.aligned." Shape ".row.col.satfinite." Types " " Text,      \
          nullptr};                                                            \
      return saturates && std::is_same<D, int>::value ? saturating : site;     \
    }                                                                          \
  };
#define WARPWRIGHT_SIM_MMA_LONG                                                \
  "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
#define WARPWRIGHT_SIM_MMA_HALF                                                \
  "{%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};"
#define WARPWRIGHT_SIM_MMA_SHORT                                               \
  "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
WARPWRIGHT_SIM_MMA(__half, float, 16, "m16n8k16", "f32.f16.f16.f32",
                   WARPWRIGHT_SIM_MMA_LONG)
WARPWRIGHT_SIM_MMA(__half, __half, 16, "m16n8k16", "f16.f16.f16.f16",
                   WARPWRIGHT_SIM_MMA_HALF)
WARPWRIGHT_SIM_MMA(__nv_bfloat16, float, 16, "m16n8k16", "f32.bf16.bf16.f32",
                   WARPWRIGHT_SIM_MMA_LONG)
WARPWRIGHT_SIM_MMA(precision::tf32, float, 8, "m16n8k8", "f32.tf32.tf32.f32",
                   WARPWRIGHT_SIM_MMA_LONG)
WARPWRIGHT_SIM_MMA(signed char, int, 16, "m16n8k16", "s32.s8.s8.s32",
                   WARPWRIGHT_SIM_MMA_SHORT)
WARPWRIGHT_SIM_MMA(unsigned char, int, 16, "m16n8k16", "s32.u8.u8.s32",
                   WARPWRIGHT_SIM_MMA_SHORT)
#undef WARPWRIGHT_SIM_MMA_SHORT
#undef WARPWRIGHT_SIM_MMA_HALF
#undef WARPWRIGHT_SIM_MMA_LONG
#undef WARPWRIGHT_SIM_MMA

/// d = a * b + c for 16 rows and 8 columns; four elements of d and c.
template <class A, class D, int k, class Stored, class Sum>
inline void multiply(Sum *d, const Stored *a, const Stored *b, const Sum *c,
                     bool saturates) {
  constexpr int per = 4 / static_cast<int>(sizeof(Stored));
  constexpr int a_count = 16 * k / 32 / per, b_count = 8 * k / 32 / per;
  constexpr int d_count = static_cast<int>(4 * sizeof(Sum) / 4);
  unsigned int registers[d_count];
  ::warpwright::sim::AsmOperand operands[2 * d_count + a_count + b_count];
  int at = 0;
  for (int i = 0; i < d_count; ++i)
    operands[at++] = ::warpwright::sim::asm_output("=r", nullptr, registers[i]);
  for (int i = 0; i < a_count; ++i)
    operands[at++] =
        ::warpwright::sim::asm_input("r", nullptr, bits_of(a + i * per));
  for (int i = 0; i < b_count; ++i)
    operands[at++] =
        ::warpwright::sim::asm_input("r", nullptr, bits_of(b + i * per));
  for (int i = 0; i < d_count; ++i)
    operands[at++] = ::warpwright::sim::asm_input(
        "r", nullptr, bits_of(c + i * static_cast<int>(4 / sizeof(Sum))));
  ::warpwright::sim::run_asm(instruction<A, D, k>::site(saturates), operands,
                             static_cast<size_t>(at));
  memcpy(d, registers, sizeof(registers));
}

inline void multiply(double *d, double a, double b, const double *c) {
  static ::warpwright::sim::AsmSite site = {
      "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 "
      "{%0, %1}, {%2}, {%3}, {%4, %5};",
      nullptr};
  ::warpwright::sim::AsmOperand operands[] = {
      ::warpwright::sim::asm_output("=d", nullptr, d[0]),
      ::warpwright::sim::asm_output("=d", nullptr, d[1]),
      ::warpwright::sim::asm_input("d", nullptr, a),
      ::warpwright::sim::asm_input("d", nullptr, b),
      ::warpwright::sim::asm_input("d", nullptr, c[0]),
      ::warpwright::sim::asm_input("d", nullptr, c[1])};
  ::warpwright::sim::run_asm(site, operands, 6);
}

} // namespace details

template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment {
  static_assert((m == 16 && n == 16) || (m == 32 && n == 8) ||
                    (m == 8 && n == 32) ||
                    (m == 8 && n == 8 && k == 4 &&
                     std::is_same<T, double>::value),
                "fragments are of 16x16, 32x8 and 8x32 products, and of 8x8 "
                "products of doubles");

public:
  typedef typename details::element<T>::type element_type;
  typedef element_type storage_element_type;
  static constexpr int num_elements =
      details::layout<Use, m, n, k, element_type>::count;
  static constexpr int num_storage_elements = num_elements;
  element_type x[num_elements];
};

template <class Use, int m, int n, int k, class T, class Layout, class Value>
inline void fill_fragment(fragment<Use, m, n, k, T, Layout> &f,
                          const Value &value) {
  for (auto &element : f.x)
    element = value;
}

template <class Use, int m, int n, int k, class T, class Layout, class Memory>
inline void load_matrix_sync(fragment<Use, m, n, k, T, Layout> &f,
                             const Memory *p, unsigned int ldm) {
  typedef fragment<Use, m, n, k, T, Layout> Fragment;
  constexpr bool by_rows = std::is_same<Layout, row_major>::value;
  __syncwarp();
  for (int i = 0; i < Fragment::num_elements; ++i) {
    const details::place at =
        details::layout<Use, m, n, k, typename Fragment::element_type>::at(i);
    f.x[i] =
        by_rows
            ? p[static_cast<size_t>(at.row) * ldm + static_cast<size_t>(at.col)]
            : p[static_cast<size_t>(at.col) * ldm +
                static_cast<size_t>(at.row)];
  }
}
template <int m, int n, int k, class T>
inline void load_matrix_sync(fragment<accumulator, m, n, k, T> &f, const T *p,
                             unsigned int ldm, layout_t layout) {
  __syncwarp();
  for (int i = 0; i < f.num_elements; ++i) {
    const details::place at = details::layout<accumulator, m, n, k, T>::at(i);
    const int line = layout == mem_row_major ? at.row : at.col;
    const int within = layout == mem_row_major ? at.col : at.row;
    f.x[i] = p[static_cast<size_t>(line) * ldm + static_cast<size_t>(within)];
  }
}
template <int m, int n, int k, class T>
inline void store_matrix_sync(T *p, const fragment<accumulator, m, n, k, T> &f,
                              unsigned int ldm, layout_t layout) {
  for (int i = 0; i < f.num_elements; ++i) {
    const details::place at = details::layout<accumulator, m, n, k, T>::at(i);
    const int line = layout == mem_row_major ? at.row : at.col;
    const int within = layout == mem_row_major ? at.col : at.row;
    p[static_cast<size_t>(line) * ldm + static_cast<size_t>(within)] = f.x[i];
  }
  __syncwarp();
}

template <int m, int n, int k, class A, class LA, class LB, class D, class C>
inline void mma_sync(fragment<accumulator, m, n, k, D> &d,
                     const fragment<matrix_a, m, n, k, A, LA> &a,
                     const fragment<matrix_b, m, n, k, A, LB> &b,
                     const fragment<accumulator, m, n, k, C> &c,
                     bool satf = false) {
  static_assert(std::is_same<C, D>::value,
                "accumulators of two types are not simulated");
  // Left and right of the instruction, see details::layout.
  constexpr bool swapped = m == 8;
  constexpr int rows = (swapped ? n : m) / 16, columns = (swapped ? m : n) / 8;
  const auto *left = swapped ? b.x : a.x;
  const auto *right = swapped ? a.x : b.x;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      const int tile = (i * columns + j) * 4;
      details::multiply<A, D, k>(d.x + tile, left + i * (16 * k / 32),
                                 right + j * (8 * k / 32), c.x + tile, satf);
    }
}

template <class LA, class LB>
inline void mma_sync(fragment<accumulator, 8, 8, 4, double> &d,
                     const fragment<matrix_a, 8, 8, 4, double, LA> &a,
                     const fragment<matrix_b, 8, 8, 4, double, LB> &b,
                     const fragment<accumulator, 8, 8, 4, double> &c) {
  details::multiply(d.x, a.x[0], b.x[0], c.x);
}

/// Rounds to tf32's 10 bits after the point; to the nearest, ties away.
inline float __float_to_tf32(float x) {
  const unsigned int bits = __float_as_uint(x);
  if ((bits & 0x7f800000u) == 0x7f800000u)
    return x;
  return __uint_as_float((bits + 0x1000u) & 0xffffe000u);
}

} // namespace wmma
} // namespace nvcuda

#pragma clang force_cuda_host_device end

#endif // WARPWRIGHT_SIM_MMA_H
