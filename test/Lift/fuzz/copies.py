"""Random kernels with asynchronous copies, right and wrong.

As tiles.py, with copies that are waited for: stages, how far ahead they are filled,
where an iteration waits, what closes groups, zero fill, and three ways to write it.
The mistakes are such as a wait that leaves one group too many, a group that is not
closed or in a condition, a barrier that is missing or on the wrong side of the wait,
a stage that is another one, a store over a copy.

    test/Lift/fuzz/copies.py --tool build/bin/warpwright --count 400 --seed 1
"""

import sys

import tiles

PRIMITIVES = """
#define COPY(to, from) __pipeline_memcpy_async(to, from, 4)
#define ZFILL(to, from, inside) __pipeline_memcpy_async(to, from, 4, (inside) ? 0 : 4)
#define COMMIT __pipeline_commit();
#define WAIT(n) __pipeline_wait_prior(n);
"""
ASSEMBLY = """
#define COPY(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from))
#define ZFILL(to, from, inside) asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from), "r"((inside) ? 4 : 0))
#define COMMIT asm volatile("cp.async.commit_group;");
#define WAIT(n) asm volatile("cp.async.wait_group %0;" ::"n"(n));
"""


class Kernel(tiles.Kernel):
    HEAD = "#include <cuda_pipeline.h>\n"

    def build(self):
        pick, slip = self.pick, self.slip
        t = pick(4, 8)
        stages = pick(1, 2, 2, 3, 3, 4)
        where = "front" if stages == 1 else pick("front", "middle", "end", "conditional")
        # How many tiles are under way while one is multiplied.
        ahead = stages - 1
        ragged, sync = pick(True, False), "__syncthreads();"
        macros = pick(PRIMITIVES, ASSEMBLY)
        number = f"((K + {t - 1}) / {t})" if ragged else f"(K / {t})"

        def load(stage, tile):
            a = f"A + row * K + ({tile}) * {t} + tx"
            b = f"B + (({tile}) * {t} + ty) * N + col"
            to_a = f"&As[{stage}][{slip('ty', 'tx')}][{'tx'}]"
            to_b = f"&Bs[{stage}][ty][tx]"
            if ragged:
                in_a = f"row < M && ({tile}) * {t} + tx < {slip('K', 'K + 1')}"
                in_b = f"({tile}) * {t} + ty < K && col < N"
                return f"ZFILL({to_a}, {a}, {in_a}); ZFILL({to_b}, {b}, {in_b});"
            return f"COPY({to_a}, {a}); COPY({to_b}, {b});"

        def wait(left):
            left = slip(left, left + 1, left + 2, max(0, left - 1))
            text = f"WAIT({left})"
            return slip(text, "", f"if (ty == 0) {{ {text} }}")

        def barrier():
            return slip(sync, "", "__syncwarp();")

        def both(left):
            w, s = wait(left), barrier()
            return slip(f"{w} {s}", f"{s} {w}")

        def commit(text=""):
            # In the group before, or in no group.
            return slip(f"{text} COMMIT", f"COMMIT {text}", text, f"{text} COMMIT COMMIT")

        def mul(stage):
            return f"for (int k = 0; k < {t}; ++k) acc += As[{stage}][ty][k] * Bs[{stage}][k][tx];"

        def next_tile(of):
            stage = f"({of}) % {stages}" if stages > 1 else "0"
            other = f"({of} + 1) % {stages}" if stages > 1 else "0"
            return load(slip(stage, other), of)

        lines = [
            f"__shared__ float As[{stages}][{t}][{t}], Bs[{stages}][{t}][{t}];",
            "const int tx = threadIdx.x, ty = threadIdx.y;",
            f"const int row = blockIdx.y * {t} + ty, col = blockIdx.x * {t} + tx;",
            f"const int tiles = {number};",
            "float acc = 0.0f;",
        ]
        by_loop = pick(True, False)
        counted = where == "conditional"  # no empty groups
        guard = pick("if (s < tiles) ", "if (s < tiles) ", "") if not counted else "if (s < tiles) "
        first = commit(f"{guard}{{ {load('s', 's')} }}") if not counted else f"{guard}{{ {commit(load('s', 's'))} }}"
        if by_loop:
            lines += [f"for (int s = 0; s < {slip(ahead, ahead - 1)}; ++s) {{ {first} }}"]
        else:
            lines += [f"{{ const int s = {s}; {first} }}" for s in range(ahead)]
        now = f"t % {stages}" if stages > 1 else "0"
        fetch = next_tile(f"t + {ahead}" if ahead else "t")
        if ahead or pick(True, False):
            fetch = f"if (t + {ahead} < {slip('tiles', 'tiles + 1', 'tiles - 1')}) {{ {fetch} }}"
        read = slip(now, f"(t + 1) % {stages}")
        extra = slip("", f"As[{now}][ty][tx] = 1.0f;")
        head = "for (int t = 0; t < tiles; ++t) {"
        if where == "front":
            lines += [head, "  " + commit(fetch), "  " + both(ahead), "  " + extra, "  " + mul(read), "  " + barrier(), "}"]
        elif where == "middle":
            lines += [head, "  " + both(ahead - 1), "  " + commit(fetch), "  " + mul(read), "  " + extra, "}"]
        elif where == "end":
            lines += [both(ahead - 1), head, "  " + commit(fetch), "  " + mul(read), "  " + both(ahead - 1), "  " + extra, "}"]
        else:
            lines += [head, f"  if (t + {ahead} < tiles) {{ {commit(next_tile(f't + {ahead}'))} {wait(ahead)} }}"]
            for left in range(ahead - 1, 0, -1):
                lines += [f"  else if (t + {left} < tiles) {{ {wait(left)} }}"]
            lines += [f"  else {{ {wait(0)} }}", "  " + barrier(), "  " + extra, "  " + mul(read), "  " + barrier(), "}"]
        store = "C[row * N + col] = acc;"
        lines += [f"if (row < M && col < N) {store}" if ragged else store]
        body = "\n".join("  " + l for l in lines if l.strip())
        wrong = "".join(f"// wrong: {m}\n" for m in self.mistakes)
        undefine = "".join(f"#undef {m}\n" for m in ("COPY", "ZFILL", "COMMIT", "WAIT"))
        return (
            f"{macros}{wrong}#pragma warpwright matmul\n__global__ void {self.name}(const float *A, "
            f"const float *B, float *C, int M, int N, int K) {{\n{body}\n}}\n{undefine}"
        )


if __name__ == "__main__":
    sys.exit(tiles.main(Kernel, __doc__))
