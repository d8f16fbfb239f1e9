"""Random kernels whose threads add up the parts of a sum, right and wrong.

As tiles.py, with a warp, a part of a warp, a block or a warp's share of a block for
each output: shuffles of two kinds in any order and spelling, broadcasts, trees in
shared memory, parts that one thread or one warp adds. The mistakes are such as an
offset that is missing or comes twice, another step along k, another lane or thread
that stores, a mask or a width that leaves out lanes, a barrier that is missing, a part
that is left out.

    test/Lift/fuzz/thread_sums.py --tool build/bin/warpwright --count 400 --seed 1
"""

import sys

import tiles


class Kernel(tiles.Kernel):
    def build(self):
        return self.pick(self.warp, self.warp, self.tree, self.block, self.parts)()

    def added(self, name, lanes, indent="  "):
        """Lines that add up `name` over as many lanes."""
        pick, slip = self.pick, self.slip
        mask = slip("0xffffffffu", "0xffffu", "0xfffffffeu", "__activemask()")
        width = slip("" if lanes == 32 or pick(True, False) else f", {lanes}",
                     ", 8", ", 16")  # fmt: skip
        kind = pick("down", "xor")
        offsets = []
        while lanes > 1:
            lanes //= 2
            offsets.append(lanes)
        if kind == "xor" and pick(True, False):
            self.r.shuffle(offsets)
        elif len(offsets) > 1 and pick(True, False):
            first = offsets[0]
            halve = slip(pick("o /= 2", "o >>= 1"), "o /= 4", "o -= 2")
            end = slip("o > 0", "o > 1")
            return [
                f"{indent}for (int o = {slip(first, 2 * first, first // 2)}; {end}; {halve})",
                f"{indent}  {name} += __shfl_{kind}_sync({mask}, {name}, o{width});",
            ]
        offsets = slip(offsets, offsets[1:], offsets[:-1], offsets + [offsets[-1]])
        lines = []
        for o in offsets:
            other = f"__shfl_{kind}_sync({mask}, {name}, {o}{width})"
            lines.append(indent + pick(f"{name} += {other};", f"{name} = {name} + {other};",
                                       f"{name} = {other} + {name};"))  # fmt: skip
        at = slip(None, self.r.randrange(len(lines)) if lines else None)
        if at is not None:
            lines[at] = lines[at].replace("+=", "=")
        return lines

    def warp(self):
        pick, slip = self.pick, self.slip
        lanes = pick(32, 32, 32, 16, 8)
        lane = pick(f"threadIdx.x % {lanes}", f"threadIdx.x & {lanes - 1}")
        number = f"threadIdx.x / {lanes}"
        place = pick(
            "const int row = blockIdx.y, col = blockIdx.x;",
            "const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x;",
            f"const int row = blockIdx.y, col = blockIdx.x * (blockDim.x / {lanes}) + {number};",
            f"const int row = (blockIdx.x * blockDim.x + threadIdx.x) / {lanes} / N, "
            f"col = (blockIdx.x * blockDim.x + threadIdx.x) / {lanes} % N;",
        )
        lines = [f"  const int lane = {lane};", "  " + place]
        if pick(True, False):
            lines.append("  if (row >= M || col >= N) return;")
        begin = slip("lane", "lane + 1", "2 * lane", "threadIdx.x")
        step = slip(lanes, lanes // 2, 2 * lanes, lanes - 1)
        lines += self.products(begin, step)
        lines += self.added("sum", lanes)
        if lanes == 32 and pick(True, False, False):
            lines.append(f"  sum = __shfl_sync(0xffffffffu, sum, {slip(0, 1, 16)});")
        stores = slip(pick("lane == 0", "!lane", "lane < 1"), "lane == 1", "lane < 2", "true")
        lines.append(f"  if ({stores}) C[row * N + col] = sum;")
        return self.kernel(lines)

    def products(self, begin, step):
        return [
            "  float sum = 0.0f;",
            f"  for (int k = {begin}; k < K; k += {step})",
            "    sum += A[row * K + k] * B[k * N + col];",
        ]

    def head(self, threads, parts):
        step = self.slip(threads, threads // 2, 2 * threads)
        size = self.slip(parts, parts // 2)
        return [
            f"  __shared__ float part[{size}];",
            "  const int t = threadIdx.x, row = blockIdx.y, col = blockIdx.x;",
            *self.products(self.slip("t", "t + 1"), step),
        ]

    def barrier(self):
        return self.slip("  __syncthreads();", "")

    def tree(self):
        pick, slip = self.pick, self.slip
        threads = pick(32, 64, 128)
        other = slip("t + s", "t + s - 1", "t ^ s", "t + 2 * s")
        to = slip(pick("s > 0", "s >= 1"), "s > 1")
        last = pick(0, 0, 32) if threads > 32 else 0
        if last:
            to = slip(f"s >= {last}", f"s > {last}")
        add = f"part[t] += part[{other}];"
        if not last and pick(True, False, False):
            add = f"part[t] = sum = sum + part[{other}];"
        lines = [
            *self.head(threads, threads),
            "  part[t] = sum;",
            self.barrier(),
            f"  for (int s = {slip(threads // 2, threads // 4)}; {to}; {pick('s /= 2', 's >>= 1')}) {{",
            f"    if ({slip('t < s', 't <= s', 't < 2 * s', 'true')}) {add}",
            "  " + self.barrier(),
            "  }",
        ]
        if last:
            lines += ["  if (t < 32) {", "    sum = part[t];", *self.added("sum", 32, "    "),
                      "    if (t == 0) C[row * N + col] = sum;", "  }"]  # fmt: skip
        else:
            lines.append(f"  if ({slip('t == 0', 't == 1', 't < 2')}) "
                         f"C[row * N + col] = part[{slip('0', '1', 't')}];")  # fmt: skip
        return self.kernel(lines)

    def warps(self, threads):
        """The sums of the warps of a block, in shared memory."""
        stores = self.slip("t % 32 == 0", "t % 32 == 1", "t < 32")
        return [
            *self.head(threads, 32),
            *self.added("sum", 32),
            f"  if ({stores}) part[t / 32] = sum;",
            self.barrier(),
        ]

    def block(self):
        pick, slip = self.pick, self.slip
        threads = pick(64, 128)
        count = slip(threads // 32, threads // 32 - 1, threads // 32 + 1)
        lines = [
            *self.warps(threads),
            f"  if ({pick('t < 32', 't / 32 == 0')}) {{",
            f"    sum = t < {count} ? part[t] : 0.0f;",
            *self.added("sum", 32, "    "),
            f"    if ({slip('t == 0', 't == 1')}) C[row * N + col] = sum;",
            "  }",
        ]
        return self.kernel(lines)

    def parts(self):
        pick, slip = self.pick, self.slip
        threads = pick(64, 128)
        count = threads // 32
        numbers = list(range(count))
        numbers = slip(pick(numbers, numbers[::-1]), numbers[1:], numbers + [0])
        if pick(True, False):
            every = " + ".join(f"part[{n}]" for n in numbers)
            last = [f"  if (t == 0) C[row * N + col] = {every};"]
        else:
            last = ["  if (t == 0) {", "    float every = 0.0f;",
                    f"    for (int i = {slip(0, 1)}; i < {slip(count, count - 1)}; ++i)",
                    "      every += part[i];", "    C[row * N + col] = every;", "  }"]  # fmt: skip
        return self.kernel([*self.warps(threads), *last])

    def kernel(self, lines):
        body = "\n".join(l for l in lines if l.strip())
        wrong = "".join(f"// wrong: {m}\n" for m in self.mistakes)
        return (
            f"{wrong}#pragma warpwright matmul\n__global__ void {self.name}(const float *A, "
            f"const float *B, float *C, int M, int N, int K) {{\n{body}\n}}\n"
        )


if __name__ == "__main__":
    sys.exit(tiles.main(Kernel, __doc__))
