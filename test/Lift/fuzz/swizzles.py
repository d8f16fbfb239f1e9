"""Random kernels with tiles that are swizzled by hand, right and wrong.

As tiles.py, with `^` in the indices of both tiles: by all bits of the row or by some,
shifted down and up, by a constant, on columns, on groups of columns or on the offset
in the tile. The mistakes are such as another swizzle where the tile is read, one side
only, another row, a bit too many.

    test/Lift/fuzz/swizzles.py --tool build/bin/warpwright --count 400 --seed 1
"""

import sys

import tiles


class Kernel(tiles.Kernel):
    def swizzle(self, width):
        """Where in its row a column is, as a text with {r} and {c}."""
        pick = self.pick
        bits = width.bit_length() - 1
        way = pick("all", "low", "moved", "down", "offset", "constant", "none")
        if way == "all":
            return "({c}) ^ ({r})"
        if way == "constant":
            return "({c}) ^ %d" % pick(2, 3, width - 1)
        if way == "none":
            return "{c}"
        some = pick(*range(1, bits))
        mask, up = (1 << some) - 1, pick(*range(bits - some + 1))
        if way == "low":
            return "({c}) ^ (({r}) & %d)" % mask
        if way == "down":
            return "({c}) ^ ((({r}) >> 1 & %d) << %d)" % (mask >> 1 or 1, up)
        return "({c}) ^ ((({r}) & %d) << %d)" % (mask, up)

    def build(self):
        pick, slip = self.pick, self.slip
        t = pick(8, 16, 32)
        flat = pick(True, False)
        of_a, of_b = self.swizzle(t), self.swizzle(t)

        def place(tile, how, row, column):
            index = how.format(r=row, c=column)
            if flat:
                return f"{tile}[({row}) * {t} + ({index})]"
            return f"{tile}[{row}][{index}]"

        read_a = slip(of_a, self.swizzle(t), "{c}")
        read_b = slip(of_b, self.swizzle(t), of_a)
        row_a = slip("ty", f"(ty + 1) % {t}", "ty ^ 1")
        size = f"{t} * {t}" if flat else f"{t}][{t}"
        lines = [
            f"__shared__ float As[{size}], Bs[{size}];",
            "const int tx = threadIdx.x, ty = threadIdx.y;",
            f"const int row = blockIdx.y * {t} + ty, col = blockIdx.x * {t} + tx;",
            "float acc = 0;",
            f"for (int k0 = 0; k0 < K; k0 += {t}) {{",
            f"  {place('As', of_a, 'ty', 'tx')} = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;",
            f"  {place('Bs', of_b, 'ty', 'tx')} = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;",
            slip("  __syncthreads();", ""),
            f"  for (int k = 0; k < {t}; ++k)",
            f"    acc += {place('As', read_a, row_a, 'k')} * {place('Bs', read_b, 'k', 'tx')};",
            slip("  __syncthreads();", ""),
            "}",
            "if (row < M && col < N) C[row * N + col] = acc;",
        ]
        body = "\n".join("  " + l for l in lines if l.strip())
        wrong = "".join(f"// wrong: {m}\n" for m in self.mistakes)
        return (
            f"{wrong}#pragma warpwright matmul\n__global__ void {self.name}(const float *A, "
            f"const float *B, float *C, int M, int N, int K) {{\n{body}\n}}\n"
        )


if __name__ == "__main__":
    sys.exit(tiles.main(Kernel, __doc__))
