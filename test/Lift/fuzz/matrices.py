"""Random kernels with mma.sync and ldmatrix, right and wrong.

As tiles.py, with inline assembly: shapes and types, registers loaded by hand from
global memory or from tiles, or by ldmatrix; warps of a block, arrays of fragments,
sums of float and half. The mistakes are such as another lane in an index, registers
in another order, a .trans or a barrier that is missing, a condition within a warp.

    test/Lift/fuzz/matrices.py --tool build/bin/warpwright --count 400 --seed 1
"""

import sys

import tiles


class Kernel(tiles.Kernel):
    HEAD = (
        "#include <cstdint>\n#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n"
        "#define PAIR(X) (*reinterpret_cast<const uint32_t *>(&(X)))\n"
        "__device__ __forceinline__ uint32_t rounded(float x) {\n  uint32_t r;\n"
        '  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(x));\n  return r;\n}\n'
        "__device__ __forceinline__ uint32_t at(const void *p) {\n"
        "  return static_cast<uint32_t>(__cvta_generic_to_shared(p));\n}\n"
    )

    def assembly(self, word, results, vectors, inputs, constraint):
        """A statement of which the last vector begins as the results."""
        number, groups = 0, []
        for size in (len(results), *vectors):
            groups.append("{" + ", ".join(f"%{number + i}" for i in range(size)) + "}")
            number += size
        outputs = ", ".join(f'"{constraint}"({r})' for r in results)
        arguments = ", ".join(f'"r"({i})' for i in inputs)
        if constraint.startswith("+"):
            groups.append(groups[0])
        elif word.startswith("ld"):
            groups[1] = "[" + groups[1][1:-1] + "]"
        return f'asm volatile("{word} {", ".join(groups)};" : {outputs} : {arguments});'

    def build(self):
        pick, slip = self.pick, self.slip
        name = pick("f16", "f16", "bf16", "tf32")
        kind = {"f16": "half", "bf16": "__nv_bfloat16", "tf32": "float"}[name]
        packed = 1 if name == "tf32" else 2
        halves = pick(1, 2)
        depth = 4 * packed * halves
        in_half = name == "f16" and pick(True, False, False)
        source = pick("global", "shared", "ldmatrix") if packed == 2 else pick("global", "shared")
        # Two neighbours along k have to lie side by side, unless ldmatrix turns them.
        turned = source == "ldmatrix" and pick(True, False) or packed == 1 and pick(True, False)
        warps, down = pick(1, 1, 2, 4), pick(1, 2)
        across, steps = pick(1, 2), pick(1, 1, 2)
        bm, bn, bk = 16 * down * warps, 8 * across, depth * steps
        along_y = source == "global" and pick(True, False, False)
        tid = "threadIdx.x"
        lines = []
        if along_y:
            lines += [f"const int lane = {tid}, warp = threadIdx.y;"]
        elif warps == 1 and pick(True, False):
            lines += [f"const int lane = {tid}, warp = 0;"]
        else:
            lines += [f"const int lane = {slip(f'{tid} % 32', f'{tid} % 16', tid)}, warp = {slip(f'{tid} / 32', f'{tid} / 16', f'{tid} % 2')};"]
        group, quad = slip("lane / 4", "lane / 8", "lane % 8"), slip("lane % 4", "lane % 8", "lane / 8")
        lines += [
            f"const int group = {group}, quad = {quad}, pair = quad * {packed};",
            f"const int m = blockIdx.y * {bm}, n = blockIdx.x * {bn}, wm = warp * {slip(16 * down, 16, 8)};",
        ]
        pad = pick(0, 8)
        if source != "global":
            lines += [f"__shared__ {kind} As[{bm}][{bk + pad}], Bs[{bk if turned else bn}][{(bn if turned else bk) + pad}];"]
        registers = 2 if in_half else 4
        start = slip("0", "1") if not in_half else "0"
        lines += [
            f"{'uint32_t' if in_half else 'float'} c[{down}][{across}][{registers}];",
            f"for (int i = 0; i < {down}; ++i) for (int j = 0; j < {across}; ++j)"
            f" for (int r = 0; r < {registers}; ++r) c[i][j][r] = {start};",
            f"for (int k = 0; k < {slip('K', 'K - 1')}; k += {slip(bk, 2 * bk, bk // 2)}) {{",
        ]
        inner = []
        if source != "global":
            threads = 32 * warps
            of_b = (bk, bn) if turned else (bn, bk)
            for which, (rows, columns) in (("A", (bm, bk)), ("B", of_b)):
                r, q = f"i / {columns}", f"i % {columns}"
                if which == "A":
                    index = f"(m + {r}) * K + k + {q}"
                else:
                    index = f"(k + {r}) * N + n + {q}" if turned else f"(n + {r}) * K + k + {q}"
                inner += [
                    f"for (int i = {tid}; i < {rows * columns}; i += {slip(threads, threads + 1)})",
                    f"  {which}s[{r}][{q}] = {which}[{index}];",
                ]
            inner += [slip("__syncthreads();", "__syncwarp();")]
        inner += [
            f"uint32_t a[{down}][{2 * halves}], b[{across}][{halves}];",
            f"for (int s = 0; s < {bk}; s += {depth}) {{",
        ]

        def element(which, row, k):
            """By hand: two neighbours, or a number that is rounded."""
            at = f"s + pair + {k}"
            if which == "A":
                e = f"A[(m + {row}) * K + k + {at}]" if source == "global" else f"As[{row}][{at}]"
            elif turned:
                e = f"B[(k + {at}) * N + n + {row}]" if source == "global" else f"Bs[{at}][{row}]"
            else:
                e = f"B[(n + {row}) * K + k + {at}]" if source == "global" else f"Bs[{row}][{at}]"
            return f"rounded({e})" if packed == 1 else f"PAIR({e})"

        step = 4 * packed
        if source == "ldmatrix":
            word = "ldmatrix.sync.aligned.m8n8.x%d%s.shared.b16"
            n = 2 * halves
            row, column = slip("lane % 16", "lane % 8", "lane / 2"), slip("lane / 16", "lane / 8 % 2") if n == 4 else "0"
            load_a = self.assembly(word % (n, slip("", ".trans")), [f"a[i][{r}]" for r in range(n)], [1],
                                   [f"at(&As[wm + i * 16 + {row}][s + {column} * 8])"], "=r")
            if turned:
                where = f"Bs[s + lane % {8 * halves}][j * 8]"
            else:
                where = f"Bs[j * 8 + lane % 8][s + lane / 8 % {halves} * 8]"
            trans = ".trans" if turned else ""
            load_b = self.assembly(word % (halves, slip(trans, "" if turned else ".trans")), [f"b[j][{r}]" for r in range(halves)], [1],
                                   [f"at(&{where})"], "=r")
            inner += [f"  for (int i = 0; i < {down}; ++i)", f"    {load_a}"]
            inner += [f"  for (int j = 0; j < {across}; ++j)", f"    {load_b}"]
        else:
            inner += [f"  for (int i = 0; i < {down}; ++i) {{"]
            for r in range(2 * halves):
                low = f" + {slip(8, 4, 9)}" if r % 2 else ""
                register = slip(r, r ^ 1)
                inner += [f"    a[i][{register}] = {element('A', f'wm + i * 16 + group{low}', r // 2 * step)};"]
            inner += ["  }", f"  for (int j = 0; j < {across}; ++j) {{"]
            for r in range(halves):
                inner += [f"    b[j][{r}] = {element('B', 'j * 8 + group', slip(r * step, r * step + step))};"]
            inner += ["  }"]
        k_word = f"m16n8k{depth}"
        sums = "f16" if in_half else "f32"
        multiply = self.assembly(
            f"mma.sync.aligned.{k_word}.row.col.{sums}.{name}.{name}.{sums}",
            [f"c[i][j][{r}]" for r in range(registers)], [2 * halves, halves],
            [f"a[i][{r}]" for r in range(2 * halves)] + [f"b[j][{r}]" for r in range(halves)],
            "+r" if in_half else "+f",
        )
        guard = slip("", "if (lane < 31) ", "if (warp == 0) ")
        inner += [f"  for (int i = 0; i < {down}; ++i) for (int j = 0; j < {across}; ++j)", f"    {guard}{multiply}", "}"]
        if source != "global":
            inner += [slip("__syncthreads();", "__syncwarp();")]
        lines += ["  " + l for l in inner] + ["}"]
        out = "half" if in_half else "float"
        lines += [f"for (int i = 0; i < {down}; ++i) for (int j = 0; j < {across}; ++j) {{",
                  f"  const int row = m + wm + i * 16 + group, col = n + j * 8 + quad * {slip(2, 1)};"]
        scale = pick("", "", "2.0f * ")
        bound = pick(None, None, "row")
        for h in (0, 1):
            row = f"row + {slip(8, 9, 4)}" if h else "row"
            test = f"if ({row} < M) " if bound else ""
            if in_half:
                lines += [f"  {test}*reinterpret_cast<uint32_t *>(&C[({row}) * N + col]) = c[i][j][{slip(h, 1 - h)}];"]
            elif pick(True, False):
                lines += [f"  {test}*reinterpret_cast<float2 *>(&C[({row}) * N + col]) = make_float2({scale}c[i][j][{2 * h}], {scale}c[i][j][{slip(2 * h + 1, 2 * h)}]);"]
            else:
                lines += [f"  {test}C[({row}) * N + col] = {scale}c[i][j][{2 * h}];",
                          f"  {test}C[({row}) * N + col + 1] = {scale}c[i][j][{slip(2 * h + 1, 2 * h)}];"]
        lines += ["}"]
        body = "\n".join("  " + l for l in lines if l.strip())
        wrong = "".join(f"// wrong: {m}\n" for m in self.mistakes)
        clause = " precision(tf32)" if name == "tf32" else ""
        return (
            f"{wrong}#pragma warpwright matmul{clause}\n__global__ void {self.name}(const {kind} *A, const {kind} *B,"
            f" {out} *C, int M, int N, int K) {{\n{body}\n}}\n"
        )


if __name__ == "__main__":
    sys.exit(tiles.main(Kernel, __doc__))
