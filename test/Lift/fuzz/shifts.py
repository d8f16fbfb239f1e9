"""Random kernels with tiles whose rows are shifted by hand, right and wrong.

As swizzles.py, with `(column + shift) % width` in the indices of both tiles: shifts by
the row, by several times it, by parts of it or by a constant, up and down, with `%` or
`&`, of columns or of groups of columns; tiles as they are or transposed, or filled by a
loop over all threads, of which each has two rows. The mistakes are such as another shift
where the tile is read, one side only, another row, another width.

    test/Lift/fuzz/shifts.py --tool build/bin/warpwright --count 400 --seed 1
"""

import sys

import tiles


class Kernel(tiles.Kernel):
    def amount(self):
        """By how much a row is shifted, as a text with {r}."""
        pick = self.pick
        return pick("({r})", "%d * ({r})" % pick(2, 3, 5, 8), "({r}) / %d" % pick(2, 4),
                    "(({r}) & %d)" % pick(1, 3, 7), "%d" % pick(1, 3, 7),
                    "(({r}) & 3) * %d" % pick(2, 4), "(({r}) * 2 + 1)", "(({r}) + k0)")

    def shift(self, width):
        """Where in its row a column is, as a text with {r} and {c}."""
        pick = self.pick
        way = pick("up", "up", "down", "mask", "mask down", "reversed", "groups", "none")
        by = self.amount()
        if way == "none":
            return "{c}"
        if way == "up":
            return "(({c}) + %s) %% %d" % (by, width)
        if way == "down":
            return "(({c}) + %d - %s %% %d) %% %d" % (width, by, width, width)
        if way == "mask" and width & (width - 1) == 0:
            return "(({c}) + %s) & %d" % (by, width - 1)
        if way == "mask down" and width & (width - 1) == 0:
            return "(({c}) - %s) & %d" % (by, width - 1)
        if way == "reversed" and width & (width - 1) == 0:
            return "(%s - ({c})) & %d" % (by, width - 1)
        group = pick(2, 4)
        return "((({c}) / %d + %s) %% %d) * %d + ({c}) %% %d" % (
            group, by, width // group, group, group)

    def build(self):
        pick, slip = self.pick, self.slip
        t = pick(8, 12, 16, 24)
        flat = pick(True, False)
        of_a, of_b = self.shift(t), self.shift(t)
        other = slip(t, t - 1, t // 2, t + 1)

        def place(tile, how, row, column):
            index = how.format(r=row, c=column)
            if flat:
                return f"{tile}[({row}) * {t} + ({index})]"
            return f"{tile}[{row}][{index}]"

        read_a = slip(of_a, self.shift(t), "{c}")
        read_b = slip(of_b, self.shift(t), of_a)
        if other != t:
            read_b = read_b.replace(f"% {t}", f"% {other}")
        turned = pick(True, False, False)
        size = f"{t} * {t}" if flat else f"{t}][{t}"
        if pick(True, False, False):
            return self.halved(t, size, place, of_a, of_b, read_a, read_b)
        row_a = slip("ty", f"(ty + 1) % {t}", "ty ^ 1")
        store_a = place("As", of_a, "tx", "ty") if turned else place("As", of_a, "ty", "tx")
        load_a = place("As", read_a, "k", row_a) if turned else place("As", read_a, row_a, "k")
        lines = [
            f"__shared__ float As[{size}], Bs[{size}];",
            "const int tx = threadIdx.x, ty = threadIdx.y;",
            f"const int row = blockIdx.y * {t} + ty, col = blockIdx.x * {t} + tx;",
            "float acc = 0;",
            f"for (int k0 = 0; k0 < K; k0 += {t}) {{",
            f"  {store_a} = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;",
            f"  {place('Bs', of_b, 'ty', 'tx')} = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;",
            slip("  __syncthreads();", ""),
            f"  for (int k = 0; k < {t}; ++k)",
            f"    acc += {load_a} * {place('Bs', read_b, 'k', 'tx')};",
            slip("  __syncthreads();", ""),
            "}",
            "if (row < M && col < N) C[row * N + col] = acc;",
        ]
        return self.kernel(lines)

    def halved(self, t, size, place, of_a, of_b, read_a, read_b):
        """Two rows of a thread, and tiles that a loop over all threads fills."""
        pick, slip = self.pick, self.slip
        half = t // 2
        step = slip(half * t, half * t + 1, t * t)
        begin = slip(f"ty * {t} + tx", "tx", f"ty * {t} + tx + 1")
        below = slip(f"ty + {half}", "ty", f"ty + {half - 1}")
        lines = [
            f"__shared__ float As[{size}], Bs[{size}];",
            "const int tx = threadIdx.x, ty = threadIdx.y;",
            f"const int row = blockIdx.y * {t} + ty, col = blockIdx.x * {t} + tx;",
            "float acc = 0, acc1 = 0;",
            f"for (int k0 = 0; k0 < K; k0 += {t}) {{",
            f"  for (int i = {begin}; i < {t * t}; i += {step}) {{",
            f"    const int r = i / {t}, c = i % {t}, m = blockIdx.y * {t} + r, n = blockIdx.x * {t} + c;",
            f"    {place('As', of_a, 'r', 'c')} = m < M && k0 + c < K ? A[m * K + k0 + c] : 0.0f;",
            f"    {place('Bs', of_b, 'r', 'c')} = k0 + r < K && n < N ? B[(k0 + r) * N + n] : 0.0f;",
            "  }",
            slip("  __syncthreads();", ""),
            f"  for (int k = 0; k < {t}; ++k) {{",
            f"    const float b = {place('Bs', read_b, 'k', 'tx')};",
            f"    acc += {place('As', read_a, 'ty', 'k')} * b;",
            f"    acc1 += {place('As', read_a, below, 'k')} * b;",
            "  }",
            slip("  __syncthreads();", ""),
            "}",
            "if (row < M && col < N) C[row * N + col] = acc;",
            f"if (row + {half} < M && col < N) C[(row + {half}) * N + col] = acc1;",
        ]
        return self.kernel(lines)

    def kernel(self, lines):
        body = "\n".join("  " + l for l in lines if l.strip())
        wrong = "".join(f"// wrong: {m}\n" for m in self.mistakes)
        return (
            f"{wrong}#pragma warpwright matmul\n__global__ void {self.name}(const float *A, "
            f"const float *B, float *C, int M, int N, int K) {{\n{body}\n}}\n"
        )


if __name__ == "__main__":
    sys.exit(tiles.main(Kernel, __doc__))
