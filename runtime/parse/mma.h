//===-- mma.h - Matrix fragments of a warp, to be parsed ---*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// nvcuda::wmma for half, bfloat16, tf32 and 8-bit operands, by Clang's
/// built-in functions. See cuda_runtime.h.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PARSE_MMA_H
#define WARPWRIGHT_PARSE_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#define WARPWRIGHT_INLINE static __device__ __inline__

namespace nvcuda {
namespace wmma {

WARPWRIGHT_INLINE float __float_to_tf32(float in) {
  return __builtin_bit_cast(float, __nvvm_f2tf32_rna(in));
}

enum layout_t { mem_row_major, mem_col_major };

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;

namespace precision {
struct tf32;
}

template <typename T> struct helper_traits {
  typedef T storage_element_type;
};
template <> struct helper_traits<precision::tf32> {
  typedef float storage_element_type;
};

template <typename T, int size> struct __align__(8) __frag_base {
  enum { num_elements = size };
  enum { num_storage_elements = size };
  typedef T element_type;
  typedef typename helper_traits<T>::storage_element_type storage_element_type;
  storage_element_type x[size];
};

template <typename Use, int m, int n, int k, typename T, typename Layout = void>
class fragment;

template <typename T, int size>
WARPWRIGHT_INLINE void
fill_fragment(__frag_base<T, size> &f,
              const typename helper_traits<T>::storage_element_type &in) {
#pragma unroll
  for (int i = 0; i < size; ++i)
    f.x[i] = in;
}

// The built-in functions take registers for arrays of int, float or double.
template <typename T> struct __operand_register {
  typedef int type;
};
template <> struct __operand_register<double> {
  typedef double type;
};

#define WARPWRIGHT_OPERAND(Use, M, N, K, T, Size, Layout, P, Load, ByColumns)  \
  template <>                                                                  \
  class fragment<Use, M, N, K, T, Layout> : public __frag_base<T, Size> {};    \
  WARPWRIGHT_INLINE void load_matrix_sync(                                     \
      fragment<Use, M, N, K, T, Layout> &f, const P *p, unsigned ldm) {        \
    Load((__operand_register<T>::type *)&f,                                    \
         (const __operand_register<T>::type *)p, ldm, ByColumns);              \
  }

#define WARPWRIGHT_ACCUMULATOR(M, N, K, T, Register, Load, Store)              \
  template <>                                                                  \
  class fragment<accumulator, M, N, K, T>                                      \
      : public __frag_base<T, M * N / 32> {};                                  \
  WARPWRIGHT_INLINE void load_matrix_sync(                                     \
      fragment<accumulator, M, N, K, T> &f, const T *p, unsigned ldm,          \
      layout_t layout) {                                                       \
    if (layout == mem_row_major)                                               \
      Load((Register *)&f, (const Register *)p, ldm, 0);                       \
    else                                                                       \
      Load((Register *)&f, (const Register *)p, ldm, 1);                       \
  }                                                                            \
  WARPWRIGHT_INLINE void store_matrix_sync(                                    \
      T *p, const fragment<accumulator, M, N, K, T> &f, unsigned ldm,          \
      layout_t layout) {                                                       \
    if (layout == mem_row_major)                                               \
      Store((Register *)p, (const Register *)&f, ldm, 0);                      \
    else                                                                       \
      Store((Register *)p, (const Register *)&f, ldm, 1);                      \
  }

#define WARPWRIGHT_MULTIPLY(M, N, K, T, LayoutA, LayoutB, D, RegisterD, C,     \
                            RegisterC, Multiply, Layouts)                      \
  WARPWRIGHT_INLINE void mma_sync(                                             \
      fragment<accumulator, M, N, K, D> &d,                                    \
      const fragment<matrix_a, M, N, K, T, LayoutA> &a,                        \
      const fragment<matrix_b, M, N, K, T, LayoutB> &b,                        \
      const fragment<accumulator, M, N, K, C> &c) {                            \
    Multiply((RegisterD *)&d, (const __operand_register<T>::type *)&a,         \
             (const __operand_register<T>::type *)&b, (const RegisterC *)&c,   \
             Layouts, 0);                                                      \
  }

#define WARPWRIGHT_OPERANDS(M, N, K, T, SizeA, SizeB, P, LoadA, LoadB)         \
  WARPWRIGHT_OPERAND(matrix_a, M, N, K, T, SizeA, row_major, P, LoadA, 0)      \
  WARPWRIGHT_OPERAND(matrix_a, M, N, K, T, SizeA, col_major, P, LoadA, 1)      \
  WARPWRIGHT_OPERAND(matrix_b, M, N, K, T, SizeB, row_major, P, LoadB, 0)      \
  WARPWRIGHT_OPERAND(matrix_b, M, N, K, T, SizeB, col_major, P, LoadB, 1)

#define WARPWRIGHT_MULTIPLIES(M, N, K, T, D, RegisterD, C, RegisterC,          \
                              Multiply)                                        \
  WARPWRIGHT_MULTIPLY(M, N, K, T, row_major, row_major, D, RegisterD, C,       \
                      RegisterC, Multiply, 0)                                  \
  WARPWRIGHT_MULTIPLY(M, N, K, T, row_major, col_major, D, RegisterD, C,       \
                      RegisterC, Multiply, 1)                                  \
  WARPWRIGHT_MULTIPLY(M, N, K, T, col_major, row_major, D, RegisterD, C,       \
                      RegisterC, Multiply, 2)                                  \
  WARPWRIGHT_MULTIPLY(M, N, K, T, col_major, col_major, D, RegisterD, C,       \
                      RegisterC, Multiply, 3)

// A product of bytes may saturate.
#define WARPWRIGHT_BYTES(M, N, K, T, LayoutA, LayoutB, Multiply, Layouts)      \
  WARPWRIGHT_INLINE void mma_sync(                                             \
      fragment<accumulator, M, N, K, int> &d,                                  \
      const fragment<matrix_a, M, N, K, T, LayoutA> &a,                        \
      const fragment<matrix_b, M, N, K, T, LayoutB> &b,                        \
      const fragment<accumulator, M, N, K, int> &c, bool satf = false) {       \
    if (satf)                                                                  \
      Multiply((int *)&d, (const int *)&a, (const int *)&b, (const int *)&c,   \
               Layouts, 1);                                                    \
    else                                                                       \
      Multiply((int *)&d, (const int *)&a, (const int *)&b, (const int *)&c,   \
               Layouts, 0);                                                    \
  }

#define WARPWRIGHT_SHAPE(M, N, SizeA, SizeB, Shape)                            \
  WARPWRIGHT_OPERANDS(M, N, 16, __half, 16, 16, __half, __hmma_##Shape##_ld_a, \
                      __hmma_##Shape##_ld_b)                                   \
  WARPWRIGHT_OPERANDS(M, N, 16, __nv_bfloat16, SizeA, SizeB, __nv_bfloat16,    \
                      __mma_bf16_##Shape##_ld_a, __mma_bf16_##Shape##_ld_b)    \
  WARPWRIGHT_OPERANDS(M, N, 16, signed char, SizeA, SizeB, signed char,        \
                      __imma_##Shape##_ld_a_s8, __imma_##Shape##_ld_b_s8)      \
  WARPWRIGHT_OPERANDS(M, N, 16, unsigned char, SizeA, SizeB, unsigned char,    \
                      __imma_##Shape##_ld_a_u8, __imma_##Shape##_ld_b_u8)      \
  WARPWRIGHT_ACCUMULATOR(M, N, 16, __half, int, __hmma_##Shape##_ld_c_f16,     \
                         __hmma_##Shape##_st_c_f16)                            \
  WARPWRIGHT_ACCUMULATOR(M, N, 16, float, float, __hmma_##Shape##_ld_c_f32,    \
                         __hmma_##Shape##_st_c_f32)                            \
  WARPWRIGHT_ACCUMULATOR(M, N, 16, int, int, __imma_##Shape##_ld_c,            \
                         __imma_##Shape##_st_c_i32)                            \
  WARPWRIGHT_MULTIPLIES(M, N, 16, __half, __half, int, __half, int,            \
                        __hmma_##Shape##_mma_f16f16)                           \
  WARPWRIGHT_MULTIPLIES(M, N, 16, __half, float, float, __half, int,           \
                        __hmma_##Shape##_mma_f32f16)                           \
  WARPWRIGHT_MULTIPLIES(M, N, 16, __half, float, float, float, float,          \
                        __hmma_##Shape##_mma_f32f32)                           \
  WARPWRIGHT_MULTIPLIES(M, N, 16, __half, __half, int, float, float,           \
                        __hmma_##Shape##_mma_f16f32)                           \
  WARPWRIGHT_MULTIPLIES(M, N, 16, __nv_bfloat16, float, float, float, float,   \
                        __mma_bf16_##Shape##_mma_f32)                          \
  WARPWRIGHT_BYTES(M, N, 16, signed char, row_major, row_major,                \
                   __imma_##Shape##_mma_s8, 0)                                 \
  WARPWRIGHT_BYTES(M, N, 16, signed char, row_major, col_major,                \
                   __imma_##Shape##_mma_s8, 1)                                 \
  WARPWRIGHT_BYTES(M, N, 16, signed char, col_major, row_major,                \
                   __imma_##Shape##_mma_s8, 2)                                 \
  WARPWRIGHT_BYTES(M, N, 16, signed char, col_major, col_major,                \
                   __imma_##Shape##_mma_s8, 3)                                 \
  WARPWRIGHT_BYTES(M, N, 16, unsigned char, row_major, row_major,              \
                   __imma_##Shape##_mma_u8, 0)                                 \
  WARPWRIGHT_BYTES(M, N, 16, unsigned char, row_major, col_major,              \
                   __imma_##Shape##_mma_u8, 1)                                 \
  WARPWRIGHT_BYTES(M, N, 16, unsigned char, col_major, row_major,              \
                   __imma_##Shape##_mma_u8, 2)                                 \
  WARPWRIGHT_BYTES(M, N, 16, unsigned char, col_major, col_major,              \
                   __imma_##Shape##_mma_u8, 3)

WARPWRIGHT_SHAPE(16, 16, 8, 8, m16n16k16)
WARPWRIGHT_SHAPE(32, 8, 16, 4, m32n8k16)
WARPWRIGHT_SHAPE(8, 32, 4, 16, m8n32k16)

WARPWRIGHT_OPERANDS(16, 16, 8, precision::tf32, 4, 4, float,
                    __mma_tf32_m16n16k8_ld_a, __mma_tf32_m16n16k8_ld_b)
WARPWRIGHT_ACCUMULATOR(16, 16, 8, float, float, __mma_tf32_m16n16k8_ld_c,
                       __mma_m16n16k8_st_c_f32)
WARPWRIGHT_MULTIPLIES(16, 16, 8, precision::tf32, float, float, float, float,
                      __mma_tf32_m16n16k8_mma_f32)

WARPWRIGHT_OPERANDS(8, 8, 4, double, 1, 1, double, __dmma_m8n8k4_ld_a,
                    __dmma_m8n8k4_ld_b)
WARPWRIGHT_ACCUMULATOR(8, 8, 4, double, double, __dmma_m8n8k4_ld_c,
                       __dmma_m8n8k4_st_c_f64)
WARPWRIGHT_MULTIPLIES(8, 8, 4, double, double, double, double, double,
                      __dmma_m8n8k4_mma_f64)

#undef WARPWRIGHT_SHAPE
#undef WARPWRIGHT_BYTES
#undef WARPWRIGHT_MULTIPLIES
#undef WARPWRIGHT_OPERANDS
#undef WARPWRIGHT_MULTIPLY
#undef WARPWRIGHT_ACCUMULATOR
#undef WARPWRIGHT_OPERAND
#undef WARPWRIGHT_INLINE

} // namespace wmma
} // namespace nvcuda

#endif // WARPWRIGHT_PARSE_MMA_H
