# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels that are mutated: a plan, element types, majors and shapes."""

from dataclasses import dataclass

TYPES = {"bf16": ("__nv_bfloat16", "__bfloat162float", "__float2bfloat16"),
         "f16": ("__half", "__half2float", "__float2half"),
         "f32": ("float", "float", ""),
         "tf32": ("float", "float", ""),  # which need no more than 11 bits
         "f64": ("double", "", ""),
         "e4m3": ("__nv_fp8_e4m3", "float", ""),
         "i8": ("signed char", "float", "")}

KERNEL = """\
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#pragma warpwright matmul
__global__ void product_kernel(const {a_type} *A, const {b_type} *B, {out} *C,
                               int M, int N, int K, int lda, int ldb,
                               int ldc) {{
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  int m = blockIdx.y * blockDim.y + threadIdx.y;
{batch}  if (m < M && n < N) {{
    {sum} sum = 0;
    for (int k = 0; k < K; ++k)
      sum += {a_load}(A[{a}]) * {b_factor};
    C[{c}] = {store};
  }}
}}

void product(const void *a, const void *b, void *c, int m, int n, int k,
             int lda, int ldb, int ldc, int batch) {{
  dim3 block(16, 16), grid((n + 15) / 16, (m + 15) / 16, batch);
  product_kernel<<<grid, block>>>(static_cast<const {a_type} *>(a),
                                  static_cast<const {b_type} *>(b),
                                  static_cast<{out} *>(c), m, n, k, lda, ldb,
                                  ldc);
}}
"""


@dataclass
class Program:
    name: str
    note: str
    plan: dict
    shapes: list  # M, N, K, more elements in a row of the output
    in_type: str = "bf16"  # of A, and of B where that has none of its own
    b_type: str = ""
    out_type: str = "bf16"
    a: str = "k"
    b: str = "n"
    batch: int = 1
    sms: int = 2
    columns: bool = False  # of the output are contiguous
    group: int = 0  # of k, in which elements of B have the same scale

    def source(self):
        a_type, a_load, _ = TYPES[self.in_type]
        b_type, b_load, _ = TYPES[self.b_type or self.in_type]
        out, _, convert = TYPES[self.out_type]
        at = {"a": "m * lda + k" if self.a == "k" else "k * lda + m",
              "b": "k * ldb + n" if self.b == "n" else "n * ldb + k",
              "c": "n * ldc + m" if self.columns else "m * ldc + n"}
        batch = ""
        if self.batch > 1:
            batch = "  int z = blockIdx.z;\n"
            rows = {"a": "M" if self.a == "k" else "K",
                    "b": "K" if self.b == "n" else "N", "c": "M"}
            for name in at:
                at[name] = "z * %s * ld%s + %s" % (rows[name], name, at[name])
        fp8 = "#include <cuda_fp8.h>\n" * ("fp8" in a_type + b_type)
        factor = "%s(B[%s])" % (b_load, at.pop("b"))
        if self.group:
            factor = "(%s * static_cast<float>(k / %d + 1))" % (factor, self.group)
        return fp8 + KERNEL.format(
            a_type=a_type, b_type=b_type, a_load=a_load, b_factor=factor,
            sum="double" if self.in_type == "f64" else "float",
            out=out, batch=batch, **at,
            store="%s(sum)" % convert if convert else "sum")

    def arguments(self):
        out = self.out_type + "t" * self.columns
        types = "%s,%s" % (self.in_type, self.b_type or self.in_type)
        return [types, out, self.a, self.b,
                str(self.batch)] + [",".join(map(str, s)) for s in self.shapes]


def plan(tile, stages, **more):
    """The plan as in a plan file. Bands have two rows of tiles, so that there are
    several bands, of which the last one has fewer rows."""
    return dict({"name": "plan", "tile": list(tile), "stages": stages,
                 "raster_group": 2}, **more)


# The first shape has several tiles for each CTA and more blocks of k than
# stages. The second is ragged, with rows that no TMA store can write. The third
# has fewer blocks of k than stages, and the last has K = 1. The device has room for
# two clusters.
PROGRAMS = [
    Program("large", "two CTAs share B by multicast; two warpgroups a tile",
            plan((128, 256, 64), 4, cluster=[2, 1], raster_group=1),
            [(512, 512, 328, 0), (293, 277, 147, 4), (136, 264, 72, 8),
             (40, 24, 1, 0)], sms=4),
    Program("pingpong_pair", "two CTAs share A; warpgroups take turns",
            plan((128, 128, 64), 6, cluster=[1, 2], schedule="pingpong"),
            [(384, 512, 456, 0), (165, 277, 147, 4), (136, 136, 72, 8),
             (40, 24, 1, 0)], b="k", sms=4),
    Program("pingpong", "warpgroups take turns; both operands m- and n-major",
            plan((64, 64, 64), 3, schedule="pingpong"),
            [(384, 136, 200, 0), (101, 99, 147, 4), (72, 136, 72, 8),
             (40, 24, 1, 0)], a="m"),
    Program("small", "one warpgroup; batched",
            plan((64, 128, 64), 4),
            [(136, 136, 328, 0), (101, 149, 147, 4), (72, 136, 72, 8),
             (40, 24, 1, 0)], in_type="f16", out_type="f16", batch=3),
    Program("skinny", "operands exchanged: B supplies the 64 rows",
            plan((32, 64, 64), 5, swap_ab=True),
            [(72, 264, 392, 0), (37, 149, 147, 4), (24, 200, 72, 8),
             (40, 24, 1, 0)]),
    Program("f32", "32-bit output, several boxes for each stage and slab",
            plan((128, 96, 64), 3),
            [(264, 200, 264, 0), (165, 149, 147, 3), (72, 104, 72, 4),
             (40, 24, 1, 0)], out_type="f32", a="m", b="k"),
    Program("quad", "two by two CTAs share both operands",
            plan((64, 64, 64), 3, cluster=[2, 2]),
            [(264, 264, 264, 0), (165, 149, 147, 4), (72, 72, 72, 8),
             (40, 24, 1, 0)], sms=8),
    Program("columns", "an output whose columns are contiguous",
            plan((64, 96, 64), 4),
            [(136, 200, 328, 0), (101, 149, 147, 3), (72, 104, 72, 4),
             (40, 24, 1, 0)], out_type="f32", columns=True),
    Program("direct", "double, which each thread stores itself",
            plan((64, 96, 64), 4),
            [(136, 200, 328, 0), (101, 149, 147, 3), (72, 104, 72, 4),
             (40, 24, 1, 0)], out_type="f64", b="k"),
    # Parts of float operands: windows of several stages, the last one shorter.
    Program("split", "both operands float, in two fp16 parts each",
            plan((128, 128, 32), 6),
            [(264, 136, 232, 0), (165, 149, 147, 3), (264, 72, 40, 4),
             (40, 24, 1, 0)], in_type="f32", out_type="f32"),
    Program("mixed", "float A, m-major, times f16 B",
            plan((64, 64, 32), 4),
            [(136, 136, 232, 0), (101, 99, 147, 3), (72, 72, 40, 4),
             (40, 24, 1, 0)], in_type="f32", b_type="f16", out_type="f32",
            a="m", b="k"),
    Program("rounding", "both operands float, in one fp16 part; rows in "
            "registers, two blocks of them a warpgroup",
            plan((256, 64, 32), 3, precision="tf32", rows_in_registers=True),
            [(520, 136, 232, 0), (165, 149, 147, 3), (264, 72, 40, 4),
             (40, 24, 1, 0)], in_type="tf32", out_type="f32"),
]
