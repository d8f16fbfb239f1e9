//===- warpwright/rt/wgmma.cuh - Warpgroup matrix multiply -----*- CUDA -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// wgmma.mma_async (PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-
// Accumulate Operation"): D[64 x n] += A[64 x k] * B[k x n] by the 128 threads
// of a warpgroup, both operands in shared memory, where 32 bytes are the k of
// an instruction, 32-bit accumulators. One overload for each n; the accumulator
// array's extent, n / 2 registers per thread, selects it. One row of
// WARPWRIGHT_WGMMA_TYPES for each pair of types of elements.
//
// Which elements a thread holds, where operands lie and how descriptors advance
// is in the constants of a plan (constants.cuh); this file only knows how the
// instruction wants to be told.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_WGMMA_CUH
#define WARPWRIGHT_RT_WGMMA_CUH

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <type_traits>
#include <warpwright/rt/arch.cuh>

struct __nv_fp8_e4m3; // of cuda_fp8.h, which the files that use them include
struct __nv_fp8_e5m2;

namespace warpwright {
namespace rt {
inline namespace v2 {

/// What is done with the register is not done any earlier than here. An
/// epilogue that reads the bits of a sum as an integer begins with it:
/// otherwise the compiler keeps the sum as an integer in the loop over k, too,
/// and ptxas lets wgmma wait for its copies (C7514).
WARPWRIGHT_DEVICE void use_register(float &d) {
  asm volatile("" : "+f"(d)::"memory");
}
WARPWRIGHT_DEVICE void use_register(int &d) {
  asm volatile("" : "+r"(d)::"memory");
}
WARPWRIGHT_DEVICE void use_register(uint32_t &d) {
  asm volatile("" : "+r"(d)::"memory");
}

#if WARPWRIGHT_HOPPER

/// Shared-memory matrix descriptor (PTX ISA, "Matrix Descriptor Format") of the
/// operand at `address`: offsets in units of 16 bytes, the swizzle by its code.
/// Operand is a plan's `rows` or `cols`: leading_bytes, stride_bytes and
/// swizzle_bytes (128, 64, 32, or 16 for none).
template <class Operand>
WARPWRIGHT_DEVICE uint64_t operand_descriptor(uint32_t address) {
  constexpr uint64_t leading = Operand::leading_bytes / 16;
  constexpr uint64_t stride = Operand::stride_bytes / 16;
  constexpr uint64_t swizzle = Operand::swizzle_bytes == 128  ? 1
                               : Operand::swizzle_bytes == 64 ? 2
                               : Operand::swizzle_bytes == 32 ? 3
                                                              : 0;
  return (address & 0x3ffff) >> 4 | leading << 16 | stride << 32 |
         swizzle << 62;
}

/// What `count` steps of `bytes` in shared memory add to a descriptor.
WARPWRIGHT_DEVICE constexpr int descriptor_step(int bytes, int count) {
  return count * (bytes / 16);
}

/// A descriptor with a step added to its address, which fills the lowest bits
/// of the lower word: an addition of 32 bits.
WARPWRIGHT_DEVICE uint64_t descriptor_further(uint64_t descriptor, int step) {
  const uint32_t low =
      static_cast<uint32_t>(descriptor) + static_cast<uint32_t>(step);
  return (descriptor >> 32 << 32) | low;
}

/// wgmma.fence: before the first wgmma, and whenever ordinary instructions
/// have touched the accumulators since the last one.
WARPWRIGHT_DEVICE void wgmma_fence() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

/// wgmma.commit_group: what was issued since the last commit becomes a group.
WARPWRIGHT_DEVICE void wgmma_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/// wgmma.wait_group: at most `pending` groups are still running afterwards.
template <int pending> WARPWRIGHT_DEVICE void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory");
}

template <class Sum, int waves, int registers>
WARPWRIGHT_DEVICE void use_registers(Sum (&d)[waves][registers]) {
#pragma unroll
  for (int wave = 0; wave < waves; ++wave)
#pragma unroll
    for (int i = 0; i < registers; ++i)
      use_register(d[wave][i]);
}

/// Waits for all groups and keeps the compiler from reading the accumulators
/// any earlier.
template <class Sum, int waves, int registers>
WARPWRIGHT_DEVICE void wgmma_wait_all(Sum (&d)[waves][registers]) {
  wgmma_wait<0>();
  use_registers(d);
}

// The operand lists of n columns, in runs of 8 columns: 4 accumulators.
// clang-format off
#define WARPWRIGHT_R4(r, i) "+" r(d[i]), "+" r(d[i + 1]), "+" r(d[i + 2]), "+" r(d[i + 3])
#define WARPWRIGHT_D_8 "%0, %1, %2, %3"
#define WARPWRIGHT_D_16 WARPWRIGHT_D_8 ", %4, %5, %6, %7"
#define WARPWRIGHT_D_24 WARPWRIGHT_D_16 ", %8, %9, %10, %11"
#define WARPWRIGHT_D_32 WARPWRIGHT_D_24 ", %12, %13, %14, %15"
#define WARPWRIGHT_D_40 WARPWRIGHT_D_32 ", %16, %17, %18, %19"
#define WARPWRIGHT_D_48 WARPWRIGHT_D_40 ", %20, %21, %22, %23"
#define WARPWRIGHT_D_56 WARPWRIGHT_D_48 ", %24, %25, %26, %27"
#define WARPWRIGHT_D_64 WARPWRIGHT_D_56 ", %28, %29, %30, %31"
#define WARPWRIGHT_D_72 WARPWRIGHT_D_64 ", %32, %33, %34, %35"
#define WARPWRIGHT_D_80 WARPWRIGHT_D_72 ", %36, %37, %38, %39"
#define WARPWRIGHT_D_88 WARPWRIGHT_D_80 ", %40, %41, %42, %43"
#define WARPWRIGHT_D_96 WARPWRIGHT_D_88 ", %44, %45, %46, %47"
#define WARPWRIGHT_D_104 WARPWRIGHT_D_96 ", %48, %49, %50, %51"
#define WARPWRIGHT_D_112 WARPWRIGHT_D_104 ", %52, %53, %54, %55"
#define WARPWRIGHT_D_120 WARPWRIGHT_D_112 ", %56, %57, %58, %59"
#define WARPWRIGHT_D_128 WARPWRIGHT_D_120 ", %60, %61, %62, %63"
#define WARPWRIGHT_D_136 WARPWRIGHT_D_128 ", %64, %65, %66, %67"
#define WARPWRIGHT_D_144 WARPWRIGHT_D_136 ", %68, %69, %70, %71"
#define WARPWRIGHT_D_152 WARPWRIGHT_D_144 ", %72, %73, %74, %75"
#define WARPWRIGHT_D_160 WARPWRIGHT_D_152 ", %76, %77, %78, %79"
#define WARPWRIGHT_D_168 WARPWRIGHT_D_160 ", %80, %81, %82, %83"
#define WARPWRIGHT_D_176 WARPWRIGHT_D_168 ", %84, %85, %86, %87"
#define WARPWRIGHT_D_184 WARPWRIGHT_D_176 ", %88, %89, %90, %91"
#define WARPWRIGHT_D_192 WARPWRIGHT_D_184 ", %92, %93, %94, %95"
#define WARPWRIGHT_D_200 WARPWRIGHT_D_192 ", %96, %97, %98, %99"
#define WARPWRIGHT_D_208 WARPWRIGHT_D_200 ", %100, %101, %102, %103"
#define WARPWRIGHT_D_216 WARPWRIGHT_D_208 ", %104, %105, %106, %107"
#define WARPWRIGHT_D_224 WARPWRIGHT_D_216 ", %108, %109, %110, %111"
#define WARPWRIGHT_D_232 WARPWRIGHT_D_224 ", %112, %113, %114, %115"
#define WARPWRIGHT_D_240 WARPWRIGHT_D_232 ", %116, %117, %118, %119"
#define WARPWRIGHT_D_248 WARPWRIGHT_D_240 ", %120, %121, %122, %123"
#define WARPWRIGHT_D_256 WARPWRIGHT_D_248 ", %124, %125, %126, %127"
#define WARPWRIGHT_R_8(r) WARPWRIGHT_R4(r, 0)
#define WARPWRIGHT_R_16(r) WARPWRIGHT_R_8(r), WARPWRIGHT_R4(r, 4)
#define WARPWRIGHT_R_24(r) WARPWRIGHT_R_16(r), WARPWRIGHT_R4(r, 8)
#define WARPWRIGHT_R_32(r) WARPWRIGHT_R_24(r), WARPWRIGHT_R4(r, 12)
#define WARPWRIGHT_R_40(r) WARPWRIGHT_R_32(r), WARPWRIGHT_R4(r, 16)
#define WARPWRIGHT_R_48(r) WARPWRIGHT_R_40(r), WARPWRIGHT_R4(r, 20)
#define WARPWRIGHT_R_56(r) WARPWRIGHT_R_48(r), WARPWRIGHT_R4(r, 24)
#define WARPWRIGHT_R_64(r) WARPWRIGHT_R_56(r), WARPWRIGHT_R4(r, 28)
#define WARPWRIGHT_R_72(r) WARPWRIGHT_R_64(r), WARPWRIGHT_R4(r, 32)
#define WARPWRIGHT_R_80(r) WARPWRIGHT_R_72(r), WARPWRIGHT_R4(r, 36)
#define WARPWRIGHT_R_88(r) WARPWRIGHT_R_80(r), WARPWRIGHT_R4(r, 40)
#define WARPWRIGHT_R_96(r) WARPWRIGHT_R_88(r), WARPWRIGHT_R4(r, 44)
#define WARPWRIGHT_R_104(r) WARPWRIGHT_R_96(r), WARPWRIGHT_R4(r, 48)
#define WARPWRIGHT_R_112(r) WARPWRIGHT_R_104(r), WARPWRIGHT_R4(r, 52)
#define WARPWRIGHT_R_120(r) WARPWRIGHT_R_112(r), WARPWRIGHT_R4(r, 56)
#define WARPWRIGHT_R_128(r) WARPWRIGHT_R_120(r), WARPWRIGHT_R4(r, 60)
#define WARPWRIGHT_R_136(r) WARPWRIGHT_R_128(r), WARPWRIGHT_R4(r, 64)
#define WARPWRIGHT_R_144(r) WARPWRIGHT_R_136(r), WARPWRIGHT_R4(r, 68)
#define WARPWRIGHT_R_152(r) WARPWRIGHT_R_144(r), WARPWRIGHT_R4(r, 72)
#define WARPWRIGHT_R_160(r) WARPWRIGHT_R_152(r), WARPWRIGHT_R4(r, 76)
#define WARPWRIGHT_R_168(r) WARPWRIGHT_R_160(r), WARPWRIGHT_R4(r, 80)
#define WARPWRIGHT_R_176(r) WARPWRIGHT_R_168(r), WARPWRIGHT_R4(r, 84)
#define WARPWRIGHT_R_184(r) WARPWRIGHT_R_176(r), WARPWRIGHT_R4(r, 88)
#define WARPWRIGHT_R_192(r) WARPWRIGHT_R_184(r), WARPWRIGHT_R4(r, 92)
#define WARPWRIGHT_R_200(r) WARPWRIGHT_R_192(r), WARPWRIGHT_R4(r, 96)
#define WARPWRIGHT_R_208(r) WARPWRIGHT_R_200(r), WARPWRIGHT_R4(r, 100)
#define WARPWRIGHT_R_216(r) WARPWRIGHT_R_208(r), WARPWRIGHT_R4(r, 104)
#define WARPWRIGHT_R_224(r) WARPWRIGHT_R_216(r), WARPWRIGHT_R4(r, 108)
#define WARPWRIGHT_R_232(r) WARPWRIGHT_R_224(r), WARPWRIGHT_R4(r, 112)
#define WARPWRIGHT_R_240(r) WARPWRIGHT_R_232(r), WARPWRIGHT_R4(r, 116)
#define WARPWRIGHT_R_248(r) WARPWRIGHT_R_240(r), WARPWRIGHT_R4(r, 120)
#define WARPWRIGHT_R_256(r) WARPWRIGHT_R_248(r), WARPWRIGHT_R4(r, 124)

// The operands after the accumulators: the descriptors, whether D is read (the
// predicate "scale-d"), and what else a type's instruction has.
#define WARPWRIGHT_WGMMA(name, of_a, of_b, sum, r, types, last, n, a, b,       \
                         accumulate, ta, tb)                                   \
  template <bool a_k_major, bool b_k_major>                                    \
  WARPWRIGHT_DEVICE void name(sum(&d)[n / 2], uint64_t desc_a,                 \
                              uint64_t desc_b, int scale_d) {                  \
    asm volatile("{\n"                                                         \
                 ".reg .pred p;\n"                                             \
                 "setp.ne.b32 p, " accumulate ", 0;\n"                         \
                 "wgmma.mma_async.sync.aligned.m64n" #n types                  \
                 " {" WARPWRIGHT_D_##n "}, " a ", " b ", p" last(ta, tb) ";\n" \
                 "}"                                                           \
                 : WARPWRIGHT_R_##n(r)                                         \
                 : "l"(desc_a), "l"(desc_b), "r"(scale_d),                     \
                   "n"(a_k_major ? 0 : 1), "n"(b_k_major ? 0 : 1));            \
  }

// What stands last: factors 1 of A and B, and the transposition bits, 1 for an
// operand that is not contiguous along k.
#define WARPWRIGHT_ANY_MAJOR(ta, tb) ", 1, 1, " ta ", " tb
// Integers have neither.
#define WARPWRIGHT_NO_MAJOR(ta, tb)

// Factors alone: both operands are contiguous along k.
#define WARPWRIGHT_K_MAJOR(ta, tb) ", 1, 1"

// A pair of types of elements: the name of its function, the C++ types of A and
// B, that of their sums and their registers' constraint in an asm statement; k,
// the type of D and those of A and B as the instruction has them; what stands
// last. (Integers have no n above 24 that is not a multiple of 16; nor has any
// plan. A function that nobody calls is not compiled.)
#define WARPWRIGHT_WGMMA_TYPES(row, ...)                                       \
  row(wgmma_bf16, __nv_bfloat16, __nv_bfloat16, float, "f",                    \
      "k16.f32.bf16.bf16", WARPWRIGHT_ANY_MAJOR, __VA_ARGS__)                  \
  row(wgmma_f16, __half, __half, float, "f", "k16.f32.f16.f16",                \
      WARPWRIGHT_ANY_MAJOR, __VA_ARGS__)                                       \
  row(wgmma_tf32, float, float, float, "f", "k8.f32.tf32.tf32",                \
      WARPWRIGHT_K_MAJOR, __VA_ARGS__)                                         \
  row(wgmma_s8, signed char, signed char, int, "r", "k32.s32.s8.s8",           \
      WARPWRIGHT_NO_MAJOR, __VA_ARGS__)                                        \
  row(wgmma_s8_u8, signed char, unsigned char, int, "r", "k32.s32.s8.u8",      \
      WARPWRIGHT_NO_MAJOR, __VA_ARGS__)                                        \
  row(wgmma_u8_s8, unsigned char, signed char, int, "r", "k32.s32.u8.s8",      \
      WARPWRIGHT_NO_MAJOR, __VA_ARGS__)                                        \
  row(wgmma_u8, unsigned char, unsigned char, int, "r", "k32.s32.u8.u8",       \
      WARPWRIGHT_NO_MAJOR, __VA_ARGS__)                                        \
  row(wgmma_b1, unsigned, unsigned, int, "r", "k256.s32.b1.b1.and.popc",       \
      WARPWRIGHT_NO_MAJOR, __VA_ARGS__)                                        \
  row(wgmma_e4m3, __nv_fp8_e4m3, __nv_fp8_e4m3, float, "f",                    \
      "k32.f32.e4m3.e4m3", WARPWRIGHT_K_MAJOR, __VA_ARGS__)                    \
  row(wgmma_e4m3_e5m2, __nv_fp8_e4m3, __nv_fp8_e5m2, float, "f",               \
      "k32.f32.e4m3.e5m2", WARPWRIGHT_K_MAJOR, __VA_ARGS__)                    \
  row(wgmma_e5m2_e4m3, __nv_fp8_e5m2, __nv_fp8_e4m3, float, "f",               \
      "k32.f32.e5m2.e4m3", WARPWRIGHT_K_MAJOR, __VA_ARGS__)                    \
  row(wgmma_e5m2, __nv_fp8_e5m2, __nv_fp8_e5m2, float, "f",                    \
      "k32.f32.e5m2.e5m2", WARPWRIGHT_K_MAJOR, __VA_ARGS__)
#define WARPWRIGHT_WGMMA_SHAPE(n, ...)                                         \
  WARPWRIGHT_WGMMA_TYPES(WARPWRIGHT_WGMMA, n, __VA_ARGS__)

// The same with A in registers, where it is what the consumers have made of
// rows, 16-bit floats, or loaded, floats: a[0 .. 3] are a lane's pairs of its 64
// rows by 16 of k, or its elements of 64 rows by 8 of k (PTX ISA, "Register
// Fragments and Shared Memory Matrix Layouts"; see fragment.cuh, plan.cuh).
#define WARPWRIGHT_B_ANY_MAJOR(tb) ", " tb
#define WARPWRIGHT_B_K_MAJOR(tb)
#define WARPWRIGHT_WGMMA_ROWS(name, of_b, of_pairs, types, last, n, a0, a1,    \
                              a2, a3, b, accumulate, tb)                       \
  template <bool b_k_major>                                                    \
  WARPWRIGHT_DEVICE void name(float(&d)[n / 2], const uint32_t *a,             \
                              uint64_t desc_b, int scale_d) {                  \
    asm volatile("{\n"                                                         \
                 ".reg .pred p;\n"                                             \
                 "setp.ne.b32 p, " accumulate ", 0;\n"                         \
                 "wgmma.mma_async.sync.aligned.m64n" #n types                  \
                 " {" WARPWRIGHT_D_##n "}, {" a0 ", " a1 ", " a2 ", " a3       \
                 "}, " b ", p, 1, 1" last(tb) ";\n"                            \
                 "}"                                                           \
                 : WARPWRIGHT_R_##n("f")                                       \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(desc_b),    \
                   "r"(scale_d), "n"(b_k_major ? 0 : 1));                      \
  }
// The same table for them, with the C++ types of columns, alone and in pairs.
#define WARPWRIGHT_WGMMA_ROW_TYPES(row, ...)                                   \
  row(wgmma_f16, __half, __half2, "k16.f32.f16.f16", WARPWRIGHT_B_ANY_MAJOR,   \
      __VA_ARGS__)                                                             \
  row(wgmma_bf16, __nv_bfloat16, __nv_bfloat162, "k16.f32.bf16.bf16",          \
      WARPWRIGHT_B_ANY_MAJOR, __VA_ARGS__)                                     \
  row(wgmma_tf32, float, float, "k8.f32.tf32.tf32", WARPWRIGHT_B_K_MAJOR,      \
      __VA_ARGS__)
#define WARPWRIGHT_WGMMA_FRAGMENT(n, ...)                                      \
  WARPWRIGHT_WGMMA_ROW_TYPES(WARPWRIGHT_WGMMA_ROWS, n, __VA_ARGS__)

// The same of halves with sums that are halves, two in a register: n columns
// take the registers of half as many, and no plan has an odd number of 8.
#define WARPWRIGHT_WGMMA_HALVES(n, half, a, b, accumulate, ta, tb)             \
  template <bool a_k_major, bool b_k_major>                                    \
  WARPWRIGHT_DEVICE void wgmma_half_sums(uint32_t(&d)[n / 4],                  \
                                         uint64_t desc_a, uint64_t desc_b,     \
                                         int scale_d) {                        \
    asm volatile("{\n"                                                         \
                 ".reg .pred p;\n"                                             \
                 "setp.ne.b32 p, " accumulate ", 0;\n"                         \
                 "wgmma.mma_async.sync.aligned.m64n" #n "k16.f16.f16.f16"      \
                 " {" WARPWRIGHT_D_##half "}, " a ", " b ", p, 1, 1, " ta      \
                 ", " tb ";\n"                                                 \
                 "}"                                                           \
                 : WARPWRIGHT_R_##half("r")                                    \
                 : "l"(desc_a), "l"(desc_b), "r"(scale_d),                     \
                   "n"(a_k_major ? 0 : 1), "n"(b_k_major ? 0 : 1));            \
  }

WARPWRIGHT_WGMMA_SHAPE(8, "%4", "%5", "%6", "%7", "%8")
WARPWRIGHT_WGMMA_SHAPE(16, "%8", "%9", "%10", "%11", "%12")
WARPWRIGHT_WGMMA_SHAPE(24, "%12", "%13", "%14", "%15", "%16")
WARPWRIGHT_WGMMA_SHAPE(32, "%16", "%17", "%18", "%19", "%20")
WARPWRIGHT_WGMMA_SHAPE(40, "%20", "%21", "%22", "%23", "%24")
WARPWRIGHT_WGMMA_SHAPE(48, "%24", "%25", "%26", "%27", "%28")
WARPWRIGHT_WGMMA_SHAPE(56, "%28", "%29", "%30", "%31", "%32")
WARPWRIGHT_WGMMA_SHAPE(64, "%32", "%33", "%34", "%35", "%36")
WARPWRIGHT_WGMMA_SHAPE(72, "%36", "%37", "%38", "%39", "%40")
WARPWRIGHT_WGMMA_SHAPE(80, "%40", "%41", "%42", "%43", "%44")
WARPWRIGHT_WGMMA_SHAPE(88, "%44", "%45", "%46", "%47", "%48")
WARPWRIGHT_WGMMA_SHAPE(96, "%48", "%49", "%50", "%51", "%52")
WARPWRIGHT_WGMMA_SHAPE(104, "%52", "%53", "%54", "%55", "%56")
WARPWRIGHT_WGMMA_SHAPE(112, "%56", "%57", "%58", "%59", "%60")
WARPWRIGHT_WGMMA_SHAPE(120, "%60", "%61", "%62", "%63", "%64")
WARPWRIGHT_WGMMA_SHAPE(128, "%64", "%65", "%66", "%67", "%68")
WARPWRIGHT_WGMMA_SHAPE(136, "%68", "%69", "%70", "%71", "%72")
WARPWRIGHT_WGMMA_SHAPE(144, "%72", "%73", "%74", "%75", "%76")
WARPWRIGHT_WGMMA_SHAPE(152, "%76", "%77", "%78", "%79", "%80")
WARPWRIGHT_WGMMA_SHAPE(160, "%80", "%81", "%82", "%83", "%84")
WARPWRIGHT_WGMMA_SHAPE(168, "%84", "%85", "%86", "%87", "%88")
WARPWRIGHT_WGMMA_SHAPE(176, "%88", "%89", "%90", "%91", "%92")
WARPWRIGHT_WGMMA_SHAPE(184, "%92", "%93", "%94", "%95", "%96")
WARPWRIGHT_WGMMA_SHAPE(192, "%96", "%97", "%98", "%99", "%100")
WARPWRIGHT_WGMMA_SHAPE(200, "%100", "%101", "%102", "%103", "%104")
WARPWRIGHT_WGMMA_SHAPE(208, "%104", "%105", "%106", "%107", "%108")
WARPWRIGHT_WGMMA_SHAPE(216, "%108", "%109", "%110", "%111", "%112")
WARPWRIGHT_WGMMA_SHAPE(224, "%112", "%113", "%114", "%115", "%116")
WARPWRIGHT_WGMMA_SHAPE(232, "%116", "%117", "%118", "%119", "%120")
WARPWRIGHT_WGMMA_SHAPE(240, "%120", "%121", "%122", "%123", "%124")
WARPWRIGHT_WGMMA_SHAPE(248, "%124", "%125", "%126", "%127", "%128")
WARPWRIGHT_WGMMA_SHAPE(256, "%128", "%129", "%130", "%131", "%132")

WARPWRIGHT_WGMMA_FRAGMENT(8, "%4", "%5", "%6", "%7", "%8", "%9", "%10")
WARPWRIGHT_WGMMA_FRAGMENT(16, "%8", "%9", "%10", "%11", "%12", "%13", "%14")
WARPWRIGHT_WGMMA_FRAGMENT(24, "%12", "%13", "%14", "%15", "%16", "%17", "%18")
WARPWRIGHT_WGMMA_FRAGMENT(32, "%16", "%17", "%18", "%19", "%20", "%21", "%22")
WARPWRIGHT_WGMMA_FRAGMENT(40, "%20", "%21", "%22", "%23", "%24", "%25", "%26")
WARPWRIGHT_WGMMA_FRAGMENT(48, "%24", "%25", "%26", "%27", "%28", "%29", "%30")
WARPWRIGHT_WGMMA_FRAGMENT(56, "%28", "%29", "%30", "%31", "%32", "%33", "%34")
WARPWRIGHT_WGMMA_FRAGMENT(64, "%32", "%33", "%34", "%35", "%36", "%37", "%38")
WARPWRIGHT_WGMMA_FRAGMENT(72, "%36", "%37", "%38", "%39", "%40", "%41", "%42")
WARPWRIGHT_WGMMA_FRAGMENT(80, "%40", "%41", "%42", "%43", "%44", "%45", "%46")
WARPWRIGHT_WGMMA_FRAGMENT(88, "%44", "%45", "%46", "%47", "%48", "%49", "%50")
WARPWRIGHT_WGMMA_FRAGMENT(96, "%48", "%49", "%50", "%51", "%52", "%53", "%54")
WARPWRIGHT_WGMMA_FRAGMENT(104, "%52", "%53", "%54", "%55", "%56", "%57", "%58")
WARPWRIGHT_WGMMA_FRAGMENT(112, "%56", "%57", "%58", "%59", "%60", "%61", "%62")
WARPWRIGHT_WGMMA_FRAGMENT(120, "%60", "%61", "%62", "%63", "%64", "%65", "%66")
WARPWRIGHT_WGMMA_FRAGMENT(128, "%64", "%65", "%66", "%67", "%68", "%69", "%70")
WARPWRIGHT_WGMMA_FRAGMENT(136, "%68", "%69", "%70", "%71", "%72", "%73", "%74")
WARPWRIGHT_WGMMA_FRAGMENT(144, "%72", "%73", "%74", "%75", "%76", "%77", "%78")
WARPWRIGHT_WGMMA_FRAGMENT(152, "%76", "%77", "%78", "%79", "%80", "%81", "%82")
WARPWRIGHT_WGMMA_FRAGMENT(160, "%80", "%81", "%82", "%83", "%84", "%85", "%86")
WARPWRIGHT_WGMMA_FRAGMENT(168, "%84", "%85", "%86", "%87", "%88", "%89", "%90")
WARPWRIGHT_WGMMA_FRAGMENT(176, "%88", "%89", "%90", "%91", "%92", "%93", "%94")
WARPWRIGHT_WGMMA_FRAGMENT(184, "%92", "%93", "%94", "%95", "%96", "%97", "%98")
WARPWRIGHT_WGMMA_FRAGMENT(192, "%96", "%97", "%98", "%99", "%100", "%101", "%102")
WARPWRIGHT_WGMMA_FRAGMENT(200, "%100", "%101", "%102", "%103", "%104", "%105", "%106")
WARPWRIGHT_WGMMA_FRAGMENT(208, "%104", "%105", "%106", "%107", "%108", "%109", "%110")
WARPWRIGHT_WGMMA_FRAGMENT(216, "%108", "%109", "%110", "%111", "%112", "%113", "%114")
WARPWRIGHT_WGMMA_FRAGMENT(224, "%112", "%113", "%114", "%115", "%116", "%117", "%118")
WARPWRIGHT_WGMMA_FRAGMENT(232, "%116", "%117", "%118", "%119", "%120", "%121", "%122")
WARPWRIGHT_WGMMA_FRAGMENT(240, "%120", "%121", "%122", "%123", "%124", "%125", "%126")
WARPWRIGHT_WGMMA_FRAGMENT(248, "%124", "%125", "%126", "%127", "%128", "%129", "%130")
WARPWRIGHT_WGMMA_FRAGMENT(256, "%128", "%129", "%130", "%131", "%132", "%133", "%134")

WARPWRIGHT_WGMMA_HALVES(16, 8, "%4", "%5", "%6", "%7", "%8")
WARPWRIGHT_WGMMA_HALVES(32, 16, "%8", "%9", "%10", "%11", "%12")
WARPWRIGHT_WGMMA_HALVES(48, 24, "%12", "%13", "%14", "%15", "%16")
WARPWRIGHT_WGMMA_HALVES(64, 32, "%16", "%17", "%18", "%19", "%20")
WARPWRIGHT_WGMMA_HALVES(80, 40, "%20", "%21", "%22", "%23", "%24")
WARPWRIGHT_WGMMA_HALVES(96, 48, "%24", "%25", "%26", "%27", "%28")
WARPWRIGHT_WGMMA_HALVES(112, 56, "%28", "%29", "%30", "%31", "%32")
WARPWRIGHT_WGMMA_HALVES(128, 64, "%32", "%33", "%34", "%35", "%36")
WARPWRIGHT_WGMMA_HALVES(144, 72, "%36", "%37", "%38", "%39", "%40")
WARPWRIGHT_WGMMA_HALVES(160, 80, "%40", "%41", "%42", "%43", "%44")
WARPWRIGHT_WGMMA_HALVES(176, 88, "%44", "%45", "%46", "%47", "%48")
WARPWRIGHT_WGMMA_HALVES(192, 96, "%48", "%49", "%50", "%51", "%52")
WARPWRIGHT_WGMMA_HALVES(208, 104, "%52", "%53", "%54", "%55", "%56")
WARPWRIGHT_WGMMA_HALVES(224, 112, "%56", "%57", "%58", "%59", "%60")
WARPWRIGHT_WGMMA_HALVES(240, 120, "%60", "%61", "%62", "%63", "%64")
WARPWRIGHT_WGMMA_HALVES(256, 128, "%64", "%65", "%66", "%67", "%68")

#undef WARPWRIGHT_WGMMA_HALVES
#undef WARPWRIGHT_WGMMA_FRAGMENT
#undef WARPWRIGHT_WGMMA_ROWS
#undef WARPWRIGHT_B_ANY_MAJOR
#undef WARPWRIGHT_B_K_MAJOR
#undef WARPWRIGHT_WGMMA_SHAPE
#undef WARPWRIGHT_WGMMA
#undef WARPWRIGHT_D_8
#undef WARPWRIGHT_R_8
#undef WARPWRIGHT_D_16
#undef WARPWRIGHT_R_16
#undef WARPWRIGHT_D_24
#undef WARPWRIGHT_R_24
#undef WARPWRIGHT_D_32
#undef WARPWRIGHT_R_32
#undef WARPWRIGHT_D_40
#undef WARPWRIGHT_R_40
#undef WARPWRIGHT_D_48
#undef WARPWRIGHT_R_48
#undef WARPWRIGHT_D_56
#undef WARPWRIGHT_R_56
#undef WARPWRIGHT_D_64
#undef WARPWRIGHT_R_64
#undef WARPWRIGHT_D_72
#undef WARPWRIGHT_R_72
#undef WARPWRIGHT_D_80
#undef WARPWRIGHT_R_80
#undef WARPWRIGHT_D_88
#undef WARPWRIGHT_R_88
#undef WARPWRIGHT_D_96
#undef WARPWRIGHT_R_96
#undef WARPWRIGHT_D_104
#undef WARPWRIGHT_R_104
#undef WARPWRIGHT_D_112
#undef WARPWRIGHT_R_112
#undef WARPWRIGHT_D_120
#undef WARPWRIGHT_R_120
#undef WARPWRIGHT_D_128
#undef WARPWRIGHT_R_128
#undef WARPWRIGHT_D_136
#undef WARPWRIGHT_R_136
#undef WARPWRIGHT_D_144
#undef WARPWRIGHT_R_144
#undef WARPWRIGHT_D_152
#undef WARPWRIGHT_R_152
#undef WARPWRIGHT_D_160
#undef WARPWRIGHT_R_160
#undef WARPWRIGHT_D_168
#undef WARPWRIGHT_R_168
#undef WARPWRIGHT_D_176
#undef WARPWRIGHT_R_176
#undef WARPWRIGHT_D_184
#undef WARPWRIGHT_R_184
#undef WARPWRIGHT_D_192
#undef WARPWRIGHT_R_192
#undef WARPWRIGHT_D_200
#undef WARPWRIGHT_R_200
#undef WARPWRIGHT_D_208
#undef WARPWRIGHT_R_208
#undef WARPWRIGHT_D_216
#undef WARPWRIGHT_R_216
#undef WARPWRIGHT_D_224
#undef WARPWRIGHT_R_224
#undef WARPWRIGHT_D_232
#undef WARPWRIGHT_R_232
#undef WARPWRIGHT_D_240
#undef WARPWRIGHT_R_240
#undef WARPWRIGHT_D_248
#undef WARPWRIGHT_R_248
#undef WARPWRIGHT_D_256
#undef WARPWRIGHT_R_256
#undef WARPWRIGHT_R4
// clang-format on

template <class> constexpr bool no_wgmma = false;

#define WARPWRIGHT_WGMMA_CALL(name, of_a, of_b, ...)                           \
  if constexpr (std::is_same<A, of_a>::value && std::is_same<B, of_b>::value)  \
    name<a_k_major, b_k_major>(d, desc_a, desc_b, scale_d);                    \
  else

/// The instruction for elements of the types A and B.
template <class A, class B, bool a_k_major, bool b_k_major, class Sum,
          int registers>
WARPWRIGHT_DEVICE void wgmma(Sum (&d)[registers], uint64_t desc_a,
                             uint64_t desc_b, int scale_d) {
  if constexpr (std::is_same<Sum, uint32_t>::value) {
    static_assert(std::is_same<A, __half>::value &&
                      std::is_same<B, __half>::value,
                  "sums that are halves");
    wgmma_half_sums<a_k_major, b_k_major>(d, desc_a, desc_b, scale_d);
  } else
    WARPWRIGHT_WGMMA_TYPES(WARPWRIGHT_WGMMA_CALL, )
  static_assert(no_wgmma<A>,
                "no wgmma of this runtime multiplies such elements");
}

#undef WARPWRIGHT_WGMMA_CALL

#define WARPWRIGHT_WGMMA_ROWS_CALL(name, of_b, of_pairs, ...)                  \
  if constexpr (std::is_same<B, of_b>::value ||                                \
                std::is_same<B, of_pairs>::value)                              \
    name<b_k_major>(d, rows, desc_b, scale_d);                                 \
  else

/// The instruction for columns of the type B, or pairs of such, by rows of that
/// type in registers.
template <class B, bool b_k_major, int registers>
WARPWRIGHT_DEVICE void wgmma_rows(float (&d)[registers], const uint32_t *rows,
                                  uint64_t desc_b, int scale_d) {
  WARPWRIGHT_WGMMA_ROW_TYPES(WARPWRIGHT_WGMMA_ROWS_CALL, )
  static_assert(no_wgmma<B>,
                "no wgmma of this runtime has rows of such elements");
}

#undef WARPWRIGHT_WGMMA_ROWS_CALL
#undef WARPWRIGHT_WGMMA_ROW_TYPES
#undef WARPWRIGHT_WGMMA_TYPES
#undef WARPWRIGHT_ANY_MAJOR
#undef WARPWRIGHT_K_MAJOR
#undef WARPWRIGHT_NO_MAJOR

#endif // WARPWRIGHT_HOPPER

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_WGMMA_CUH
