"""Random kernels with matrix fragments of a warp, right and wrong.

As tiles.py, with `nvcuda::wmma`: shapes, types and layouts, warps of a block, tiles
in shared memory, loops over elements, C as an accumulator, results that go through
shared memory. The mistakes are such as an index, a pitch or a layout that is another
one, a warp that is too small, a barrier that is missing, elements that are told apart.

    test/Lift/fuzz/fragments.py --tool build/bin/warpwright --count 400 --seed 1
"""

import sys

import tiles


# Types of elements, with a zero of the type and the type of sums.
KINDS = {
    "half": ("__float2half(0.0f)", "float"),
    "__nv_bfloat16": ("__float2bfloat16(0.0f)", "float"),
    "signed char": ("0", "int"),
    "unsigned char": ("0", "int"),
    "double": ("0.0", "double"),
}


class Kernel(tiles.Kernel):
    HEAD = "#include <mma.h>\nusing namespace nvcuda;\n"

    def build(self):
        pick, slip = self.pick, self.slip
        bm, bn = pick((16, 16), (16, 16), (32, 8), (8, 32))
        kind = pick(*KINDS)
        zero, total = KINDS[kind]
        deep = 16
        if kind == "double":
            bm, bn, deep = 8, 8, 4
        by_row = {which: pick(True, False) for which in "abc"}
        warps = pick(1, 1, 2, 4)
        down = pick(True, False)  # warps below each other, or side by side
        shared, steps = pick(True, False), pick(1, 1, 2)
        bk = deep * steps
        high, wide = (bm * warps, bn) if down else (bm, bn * warps)
        pad = pick(0, 0, 8)
        lines = []
        if shared:
            lines += [
                f"__shared__ {kind} As[{high}][{bk + pad}], Bs[{bk}][{wide + pad}];"
            ]
        warp = "0"
        if warps > 1:
            lines += [f"const int warp = {slip('threadIdx.x / 32', 'threadIdx.x / 16', 'threadIdx.x / 64', 'threadIdx.x % 2')};"]
            warp = "warp"
        lines += [f"const int bm = blockIdx.y * {slip(high, high - 1, 2 * high)}, bn = blockIdx.x * {wide};"]
        wm, wn = (f"{warp} * {bm}", "0") if down else ("0", f"{warp} * {bn}")
        lines += [f"const int m = bm + {wm}, n = bn + {slip(wn, wm)};"]

        def order(which):
            return "row_major" if by_row[which] else "col_major"

        # The tiles lie by rows, whatever their sources do.
        orders = {w: "row_major" if shared else order(w) for w in "ab"}
        shape = f"{bm}, {bn}, {deep}"
        declare = [f"wmma::fragment<wmma::matrix_a, {shape}, {kind}, wmma::{orders['a']}> a;"]
        declare += [f"wmma::fragment<wmma::matrix_b, {shape}, {kind}, wmma::{orders['b']}> b;"]
        inside = pick(True, False)
        if not inside:
            lines += declare
        lines += [f"wmma::fragment<wmma::accumulator, {shape}, {total}> c, old;"]
        pitch = "N" if by_row["c"] else "M"
        place = "C + m * N + n" if by_row["c"] else "C + n * M + m"
        layout = f"wmma::mem_{order('c')}"
        lines += [f"wmma::fill_fragment(c, {slip('0', '1')});"]
        guard = pick("", "", "", "m < M && n < N")
        guard = slip(guard, "threadIdx.x < 16", "m < M", "threadIdx.x % 32 < 31")
        if guard and not shared:
            lines += [f"if (!({guard})) return;"]
        if pick(True, False):
            lines += [f"for (int k = 0; k < {slip('K', 'K - 1', 'N')}; k += {slip(bk, 8, 2 * bk)}) {{"]
            at = "k"
        else:
            count = pick(f"K / {bk}", f"(K + {bk - 1}) / {bk}")
            lines += [f"for (int t = 0; t < {slip(count, f'{count} + 1')}; ++t) {{"]
            at = f"t * {slip(bk, bk - 1, 8)}"
        inner = list(declare) if inside else []
        sync = "__syncthreads();"
        if shared:
            threads = 32 * warps
            for which, rows, columns in (("A", high, bk), ("B", bk, wide)):
                r, q = f"i / {columns}", f"i % {slip(columns, rows)}"
                row = f"(bm + {r})" if which == "A" else f"({at} + {r})"
                column = f"({at} + {q})" if which == "A" else f"(bn + {q})"
                if which == "A":
                    index = f"{row} * K + {column}" if by_row["a"] else f"{column} * M + {row}"
                    limit = f"{column} < K"
                else:
                    index = f"{row} * N + {column}" if by_row["b"] else f"{column} * K + {row}"
                    limit = f"{row} < K"
                value = f"{which}[{index}]"
                if pick(True, True, False):
                    value = f"{limit} ? {value} : {zero}"
                inner += [f"for (int i = threadIdx.x; i < {rows * columns}; i += {slip(threads, threads + 1, 16)})"]
                inner += [f"  {which}s[{r}][{q}] = {value};"]
            inner += [slip(sync, "", "__syncwarp();")]
        for step in range(steps):
            k = deep * step
            if shared:
                inner += [f"wmma::load_matrix_sync(a, &As[{slip(wm, wn, '0')}][{k}], {slip(bk + pad, bk + pad + 8)});"]
                inner += [f"wmma::load_matrix_sync(b, &Bs[{slip(k, 0)}][{wn}], {wide + pad});"]
            else:
                a = f"m * K + {at} + {k}" if by_row["a"] else f"({at} + {k}) * M + m"
                b = f"({at} + {k}) * N + n" if by_row["b"] else f"n * K + {at} + {k}"
                inner += [f"wmma::load_matrix_sync(a, A + {slip(a, a + ' + 1')}, {slip('K' if by_row['a'] else 'M', 'N')});"]
                inner += [f"wmma::load_matrix_sync(b, B + {b}, {slip('N' if by_row['b'] else 'K', 'M')});"]
            inner += [f"wmma::mma_sync({slip('c', 'old')}, a, b, c);"]
        if shared:
            inner += [slip(sync, "", "__syncwarp();")]
        elif pick(True, False, False):
            inner += ["__syncwarp();"]
        lines += ["  " + l for l in inner] + ["}"]
        if guard and shared:
            lines += [f"if (!({guard})) return;"]
        form = pick("", "scale", "add", "clip")
        bound = slip("c.num_elements", "c.num_elements - 1", "4")
        if form == "add":
            lines += [f"wmma::load_matrix_sync(old, {place}, {pitch}, {layout});"]
        what = {
            "scale": slip("alpha * c.x[i]", "alpha * c.x[0]", "(i + 1) * c.x[i]", "threadIdx.x + c.x[i]"),
            "add": slip("c.x[i] + alpha * old.x[i]", "c.x[i] + alpha * old.x[i ^ 1]"),
            "clip": "c.x[i] > 0 ? c.x[i] : alpha",
        }
        if form:
            lines += [f"for (int i = 0; i < {bound}; ++i) c.x[i] = {what[form]};"]
        lines += [f"wmma::store_matrix_sync({slip(place, place + ' + 1')}, c, {slip(pitch, 'K')}, {slip(layout, 'wmma::mem_row_major', 'wmma::mem_col_major')});"]
        body = "\n".join("  " + l for l in lines if l.strip())
        wrong = "".join(f"// wrong: {m}\n" for m in self.mistakes)
        return (
            f"{wrong}#pragma warpwright matmul\n__global__ void {self.name}(const {kind} *A, const {kind} *B,"
            f" {total} *C, int M, int N, int K, {total} alpha) {{\n{body}\n}}\n"
        )


if __name__ == "__main__":
    sys.exit(tiles.main(Kernel, __doc__))
