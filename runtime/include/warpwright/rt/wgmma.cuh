//===- warpwright/rt/wgmma.cuh - Warpgroup matrix multiply -----*- CUDA -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// wgmma.mma_async (PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-
// Accumulate Operation"): D[64 x n] += A[64 x 16] * B[16 x n] by the 128
// threads of a warpgroup, both operands in shared memory, 32-bit float
// accumulators. One overload for each n; the accumulator array's extent,
// n / 2 registers per thread, selects it.
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

namespace warpwright {
namespace rt {
inline namespace v2 {

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

/// Waits for all groups and keeps the compiler from reading the accumulators
/// any earlier.
template <int waves, int registers>
WARPWRIGHT_DEVICE void wgmma_wait_all(float (&d)[waves][registers]) {
  wgmma_wait<0>();
#pragma unroll
  for (int wave = 0; wave < waves; ++wave)
#pragma unroll
    for (int i = 0; i < registers; ++i)
      asm volatile("" : "+f"(d[wave][i])::"memory");
}

// The operand lists of n columns, in runs of 8 columns: 4 accumulators.
// clang-format off
#define WARPWRIGHT_R4(i) \
  "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
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
#define WARPWRIGHT_R_8 WARPWRIGHT_R4(0)
#define WARPWRIGHT_R_16 WARPWRIGHT_R_8, WARPWRIGHT_R4(4)
#define WARPWRIGHT_R_24 WARPWRIGHT_R_16, WARPWRIGHT_R4(8)
#define WARPWRIGHT_R_32 WARPWRIGHT_R_24, WARPWRIGHT_R4(12)
#define WARPWRIGHT_R_40 WARPWRIGHT_R_32, WARPWRIGHT_R4(16)
#define WARPWRIGHT_R_48 WARPWRIGHT_R_40, WARPWRIGHT_R4(20)
#define WARPWRIGHT_R_56 WARPWRIGHT_R_48, WARPWRIGHT_R4(24)
#define WARPWRIGHT_R_64 WARPWRIGHT_R_56, WARPWRIGHT_R4(28)
#define WARPWRIGHT_R_72 WARPWRIGHT_R_64, WARPWRIGHT_R4(32)
#define WARPWRIGHT_R_80 WARPWRIGHT_R_72, WARPWRIGHT_R4(36)
#define WARPWRIGHT_R_88 WARPWRIGHT_R_80, WARPWRIGHT_R4(40)
#define WARPWRIGHT_R_96 WARPWRIGHT_R_88, WARPWRIGHT_R4(44)
#define WARPWRIGHT_R_104 WARPWRIGHT_R_96, WARPWRIGHT_R4(48)
#define WARPWRIGHT_R_112 WARPWRIGHT_R_104, WARPWRIGHT_R4(52)
#define WARPWRIGHT_R_120 WARPWRIGHT_R_112, WARPWRIGHT_R4(56)
#define WARPWRIGHT_R_128 WARPWRIGHT_R_120, WARPWRIGHT_R4(60)
#define WARPWRIGHT_R_136 WARPWRIGHT_R_128, WARPWRIGHT_R4(64)
#define WARPWRIGHT_R_144 WARPWRIGHT_R_136, WARPWRIGHT_R4(68)
#define WARPWRIGHT_R_152 WARPWRIGHT_R_144, WARPWRIGHT_R4(72)
#define WARPWRIGHT_R_160 WARPWRIGHT_R_152, WARPWRIGHT_R4(76)
#define WARPWRIGHT_R_168 WARPWRIGHT_R_160, WARPWRIGHT_R4(80)
#define WARPWRIGHT_R_176 WARPWRIGHT_R_168, WARPWRIGHT_R4(84)
#define WARPWRIGHT_R_184 WARPWRIGHT_R_176, WARPWRIGHT_R4(88)
#define WARPWRIGHT_R_192 WARPWRIGHT_R_184, WARPWRIGHT_R4(92)
#define WARPWRIGHT_R_200 WARPWRIGHT_R_192, WARPWRIGHT_R4(96)
#define WARPWRIGHT_R_208 WARPWRIGHT_R_200, WARPWRIGHT_R4(100)
#define WARPWRIGHT_R_216 WARPWRIGHT_R_208, WARPWRIGHT_R4(104)
#define WARPWRIGHT_R_224 WARPWRIGHT_R_216, WARPWRIGHT_R4(108)
#define WARPWRIGHT_R_232 WARPWRIGHT_R_224, WARPWRIGHT_R4(112)
#define WARPWRIGHT_R_240 WARPWRIGHT_R_232, WARPWRIGHT_R4(116)
#define WARPWRIGHT_R_248 WARPWRIGHT_R_240, WARPWRIGHT_R4(120)
#define WARPWRIGHT_R_256 WARPWRIGHT_R_248, WARPWRIGHT_R4(124)

// The operands after the accumulators: the descriptors, whether D is read (the
// predicate "scale-d"), and the transposition bits, 1 for an MN-major operand.
#define WARPWRIGHT_WGMMA(name, type, n, a, b, accumulate, ta, tb)              \
  template <bool a_k_major, bool b_k_major>                                    \
  WARPWRIGHT_DEVICE void name(float(&d)[n / 2], uint64_t desc_a,               \
                              uint64_t desc_b, int scale_d) {                  \
    asm volatile("{\n"                                                         \
                 ".reg .pred p;\n"                                             \
                 "setp.ne.b32 p, " accumulate ", 0;\n"                         \
                 "wgmma.mma_async.sync.aligned.m64n" #n "k16.f32." type "."    \
                 type " {" WARPWRIGHT_D_##n "}, " a ", " b ", p, 1, 1, " ta    \
                 ", " tb ";\n"                                                 \
                 "}"                                                           \
                 : WARPWRIGHT_R_##n                                            \
                 : "l"(desc_a), "l"(desc_b), "r"(scale_d),                     \
                   "n"(a_k_major ? 0 : 1), "n"(b_k_major ? 0 : 1));            \
  }
#define WARPWRIGHT_WGMMA_16BIT(n, a, b, accumulate, ta, tb)                    \
  WARPWRIGHT_WGMMA(wgmma_bf16, "bf16", n, a, b, accumulate, ta, tb)            \
  WARPWRIGHT_WGMMA(wgmma_f16, "f16", n, a, b, accumulate, ta, tb)

// The same with A in registers: a[0 .. 3] are a lane's pairs of its 64 rows by
// 16 of k (PTX ISA, "Register Fragments and Shared Memory Matrix Layouts"; see
// fragment.cuh).
#define WARPWRIGHT_WGMMA_FRAGMENT(n, a0, a1, a2, a3, b, accumulate, tb)        \
  template <bool b_k_major>                                                    \
  WARPWRIGHT_DEVICE void wgmma_f16(float(&d)[n / 2], const uint32_t *a,        \
                                   uint64_t desc_b, int scale_d) {             \
    asm volatile("{\n"                                                         \
                 ".reg .pred p;\n"                                             \
                 "setp.ne.b32 p, " accumulate ", 0;\n"                         \
                 "wgmma.mma_async.sync.aligned.m64n" #n                        \
                 "k16.f32.f16.f16 {" WARPWRIGHT_D_##n "}, {" a0 ", " a1        \
                 ", " a2 ", " a3 "}, " b ", p, 1, 1, " tb ";\n"                \
                 "}"                                                           \
                 : WARPWRIGHT_R_##n                                            \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(desc_b),    \
                   "r"(scale_d), "n"(b_k_major ? 0 : 1));                      \
  }

WARPWRIGHT_WGMMA_16BIT(8, "%4", "%5", "%6", "%7", "%8")
WARPWRIGHT_WGMMA_16BIT(16, "%8", "%9", "%10", "%11", "%12")
WARPWRIGHT_WGMMA_16BIT(24, "%12", "%13", "%14", "%15", "%16")
WARPWRIGHT_WGMMA_16BIT(32, "%16", "%17", "%18", "%19", "%20")
WARPWRIGHT_WGMMA_16BIT(40, "%20", "%21", "%22", "%23", "%24")
WARPWRIGHT_WGMMA_16BIT(48, "%24", "%25", "%26", "%27", "%28")
WARPWRIGHT_WGMMA_16BIT(56, "%28", "%29", "%30", "%31", "%32")
WARPWRIGHT_WGMMA_16BIT(64, "%32", "%33", "%34", "%35", "%36")
WARPWRIGHT_WGMMA_16BIT(72, "%36", "%37", "%38", "%39", "%40")
WARPWRIGHT_WGMMA_16BIT(80, "%40", "%41", "%42", "%43", "%44")
WARPWRIGHT_WGMMA_16BIT(88, "%44", "%45", "%46", "%47", "%48")
WARPWRIGHT_WGMMA_16BIT(96, "%48", "%49", "%50", "%51", "%52")
WARPWRIGHT_WGMMA_16BIT(104, "%52", "%53", "%54", "%55", "%56")
WARPWRIGHT_WGMMA_16BIT(112, "%56", "%57", "%58", "%59", "%60")
WARPWRIGHT_WGMMA_16BIT(120, "%60", "%61", "%62", "%63", "%64")
WARPWRIGHT_WGMMA_16BIT(128, "%64", "%65", "%66", "%67", "%68")
WARPWRIGHT_WGMMA_16BIT(136, "%68", "%69", "%70", "%71", "%72")
WARPWRIGHT_WGMMA_16BIT(144, "%72", "%73", "%74", "%75", "%76")
WARPWRIGHT_WGMMA_16BIT(152, "%76", "%77", "%78", "%79", "%80")
WARPWRIGHT_WGMMA_16BIT(160, "%80", "%81", "%82", "%83", "%84")
WARPWRIGHT_WGMMA_16BIT(168, "%84", "%85", "%86", "%87", "%88")
WARPWRIGHT_WGMMA_16BIT(176, "%88", "%89", "%90", "%91", "%92")
WARPWRIGHT_WGMMA_16BIT(184, "%92", "%93", "%94", "%95", "%96")
WARPWRIGHT_WGMMA_16BIT(192, "%96", "%97", "%98", "%99", "%100")
WARPWRIGHT_WGMMA_16BIT(200, "%100", "%101", "%102", "%103", "%104")
WARPWRIGHT_WGMMA_16BIT(208, "%104", "%105", "%106", "%107", "%108")
WARPWRIGHT_WGMMA_16BIT(216, "%108", "%109", "%110", "%111", "%112")
WARPWRIGHT_WGMMA_16BIT(224, "%112", "%113", "%114", "%115", "%116")
WARPWRIGHT_WGMMA_16BIT(232, "%116", "%117", "%118", "%119", "%120")
WARPWRIGHT_WGMMA_16BIT(240, "%120", "%121", "%122", "%123", "%124")
WARPWRIGHT_WGMMA_16BIT(248, "%124", "%125", "%126", "%127", "%128")
WARPWRIGHT_WGMMA_16BIT(256, "%128", "%129", "%130", "%131", "%132")

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

#undef WARPWRIGHT_WGMMA_FRAGMENT
#undef WARPWRIGHT_WGMMA_16BIT
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

/// The instruction for operands of type Element.
template <class Element, bool a_k_major, bool b_k_major, int registers>
WARPWRIGHT_DEVICE void wgmma(float (&d)[registers], uint64_t desc_a,
                             uint64_t desc_b, int scale_d) {
  if constexpr (std::is_same<Element, __nv_bfloat16>::value) {
    wgmma_bf16<a_k_major, b_k_major>(d, desc_a, desc_b, scale_d);
  } else {
    static_assert(std::is_same<Element, __half>::value,
                  "no wgmma of this runtime multiplies such elements");
    wgmma_f16<a_k_major, b_k_major>(d, desc_a, desc_b, scale_d);
  }
}

#endif // WARPWRIGHT_HOPPER

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_WGMMA_CUH
