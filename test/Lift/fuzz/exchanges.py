"""Random kernels whose buffers are exchanged and whose blocks are reordered.

As tiles.py, with two or three buffers of each operand that are told apart by
numbers, flags or pointers which each iteration exchanges; barriers in several
spellings; values that are fetched only while there is a next tile; pairs of which
one branch copies both elements and the other one less; panels of blocks that run to
and fro. The mistakes are such as an exchange that is missing or comes first, a
barrier for half of the block, the other element of a pair, one block too far.

    test/Lift/fuzz/exchanges.py --tool build/bin/warpwright --count 400 --seed 1
"""

import sys

import tiles

PRELUDE = """
template <class T> __device__ void exchange(T &a, T &b) { T c = a; a = b; b = c; }
"""


class Kernel(tiles.Kernel):
    HEAD = tiles.Kernel.HEAD + PRELUDE

    def barrier(self, threads):
        count = self.slip(threads, threads // 2, threads + 32)
        return self.pick(
            "__syncthreads();",
            'asm volatile("bar.sync 0;" ::: "memory");',
            f'asm volatile("bar.sync 1, {count};" ::: "memory");',
            f'asm volatile("barrier.sync %0, %1;" ::"r"(2), "r"({count}) : "memory");',
            "__syncthreads_count(tx);",
            "__syncthreads_or(0);",
        )

    def build(self):
        pick, slip = self.pick, self.slip
        t = pick(4, 8)
        pairs = pick(True, False, False)
        width = t // 2 if pairs else t
        threads = width * t
        stages = pick(2, 2, 2, 3)
        way = pick("numbers", "pointers", "arrays") if stages == 3 else pick(
            "numbers", "pointers", "arrays", "flag", "difference")  # fmt: skip
        names = ["now", "next", "last"][:stages]
        lines, moves = [], []
        pointers = way in ("pointers", "arrays")
        if way == "arrays":
            for x in "AB":
                lines += [f"__shared__ float {', '.join(f'{x}{n}[{t}][{t}]' for n in range(stages))};"]
        else:
            lines += [f"__shared__ float As[{stages}][{t}][{t}], Bs[{stages}][{t}][{t}];"]
        for n, name in enumerate(names):
            if pointers:
                for x in "AB":
                    of = f"{x}{n}" if way == "arrays" else f"{x}s[{n}]"
                    lines += [f"float(*{x}{name})[{t}] = {of};"]
            elif way == "flag":
                lines += ["bool now = false;"] if n == 0 else []
            elif n == 0 or way == "numbers":
                lines += [f"int {name} = {n};"]
        tile = {}
        for name in names:
            for x in "AB":
                number = name
                if name == "next" and way == "flag":
                    number = "!now"
                if name == "next" and way == "difference":
                    number = "1 - now"
                tile[x, name] = f"{x}{name}" if pointers else f"{x}s[{number}]"
        if way == "flag":
            moves = ["now = !now;"]
        elif way == "difference":
            moves = ["now = 1 - now;"]
        else:
            for x in "AB" if pointers else [""]:
                moves += [f"exchange({x}{a}, {x}{b});" for a, b in zip(names, names[1:])]
        moves = slip(moves, moves[1:], moves[:-1], [])
        panels = pick("none", "none", "panels", "mirrored")
        guard = ""
        if panels == "none":
            lines += ["const int by = blockIdx.y, bx = blockIdx.x;"]
        else:
            down = slip("gridDim.y - blockIdx.y - 1", "gridDim.y - blockIdx.y", "gridDim.y - 1")
            odd = slip("blockIdx.z % 2", "blockIdx.y % 2", "blockIdx.z % 3")
            rows = f"{odd} ? {down} : blockIdx.y" if panels == "mirrored" else "blockIdx.y"
            lines += [f"const int by = {rows}, bx = blockIdx.z * gridDim.x + blockIdx.x;"]
            if pick(True, False):
                guard = f"if (by >= {slip('M', 'N')} / {t} || bx >= N / {slip(t, t - 1)}) return;"
        lines += [guard, "const int tx = threadIdx.x, ty = threadIdx.y;"]
        lines += [f"const int row = by * {t} + ty, col = bx * {t};"]
        ragged = not guard and pick(True, False, False)
        tiles_ = f"(K + {t - 1}) / {t}" if ragged else f"K / {t}"

        def fill(stage, number):
            """Both tiles of `stage` for the terms of tile `number`."""
            out = []
            k0 = f"({number}) * {t}"
            places = {
                "A": (f"{k0} + ", "A[row * K + %s]", "row < M && %s < K"),
                "B": ("col + ", f"B[({k0} + ty) * N + %s]", f"{k0} + ty < K && %s < N"),
            }
            for x, (before, source, inside) in places.items():
                to = tile[x, stage]
                if not pairs:
                    column = before + "tx"
                    value = source % column
                    if ragged:
                        value = f"{inside % column} ? {value} : 0.0f"
                    out += [f"{to}[ty][tx] = {value};"]
                    continue
                first, second = before + "2 * tx", before + "2 * tx + 1"
                both = [f"{to}[ty][2 * tx] = {source % first};"]
                both += [f"{to}[ty][2 * tx + 1] = {source % slip(second, first)};"]
                if not ragged:
                    out += both
                    continue
                one = f"{inside % slip(first, second)} ? {source % first} : 0.0f"
                out += [f"if ({inside % slip(second, first)}) {{"] + both + ["} else {"]
                out += [f"{to}[ty][2 * tx{slip('', ' + 1')}] = {one};"]
                out += [slip(f"{to}[ty][2 * tx + 1] = 0.0f;", ""), "}"]
            return out

        outputs = 2 if pairs else 1
        lines += [f"float acc[{outputs}] = {{}};"]
        compute = [f"for (int k = 0; k < {t}; ++k)", f"  for (int j = 0; j < {outputs}; ++j)"]
        a, b = tile["A", slip("now", "next")], tile["B", "now"]
        compute += [f"    acc[j] += {a}[ty][k] * {b}[k][tx * {outputs} + j];"]
        ahead = stages - 1
        lines += fill("now", "0")
        if stages == 3:
            lines += [f"if (1 < {tiles_}) {{"] + fill("next", "1") + ["}"]
        sync = lambda: slip(self.barrier(threads), "", "__syncwarp();")
        more = f"t + {ahead} < {tiles_}"
        target = slip(names[-1], "now")
        held = pick(True, False) and not pairs
        if stages == 2:
            lines += [sync()]
        lines += [f"float heldA, heldB;" if held else "", f"for (int t = 0; t < {tiles_}; ++t) {{"]
        if stages == 3:
            lines += [sync()]
        copy = fill(target, f"t + {ahead}")
        if held:
            to_a, to_b = copy[0].split(" = ")[0], copy[1].split(" = ")[0]
            fetch = [c.replace(to, v, 1) for c, to, v in zip(copy, (to_a, to_b), ("heldA", "heldB"))]
            lines += [f"if ({more}) {{"] + fetch + ["}"] + compute
            lines += [f"if ({slip(more, 'true')}) {{", f"{to_a} = heldA;", f"{to_b} = heldB;"]
            inside = pick(True, False)
            lines += moves * inside + ["}"] + moves * (not inside)
        else:
            parts = [[f"if ({more}) {{"] + copy + ["}"], compute]
            for part in parts if pick(True, False) else parts[::-1]:
                lines += part
            lines += moves
        if stages == 2:
            lines += [sync()]
        lines += ["}", f"for (int j = 0; j < {outputs}; ++j) {{"]
        lines += [f"  const int c = col + tx * {outputs} + j;"]
        store = "C[row * N + c] = acc[j];"
        lines += [f"  if (row < M && c < N) {store}" if ragged else store, "}"]
        body = "\n".join("  " + l for l in lines if l.strip())
        wrong = "".join(f"// wrong: {m}\n" for m in self.mistakes)
        return (
            f"{wrong}#pragma warpwright matmul\n__global__ void {self.name}(const float *A, "
            f"const float *B, float *C, int M, int N, int K) {{\n{body}\n}}\n"
        )


if __name__ == "__main__":
    sys.exit(tiles.main(Kernel, __doc__))
