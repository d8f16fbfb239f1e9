"""Random kernels with asynchronous copies, right and wrong.

As tiles.py, with copies that are waited for: stages, how far ahead they are filled,
where an iteration waits, what closes groups, zero fill, and three ways to write it;
one element of a thread, or several chunks, in loops or by hand. The mistakes are such
as a wait that leaves one group too many, a group that is not closed or in a condition,
a barrier that is missing or on the wrong side of the wait, a stage that is another
one, a store over a copy, chunks that are missing, overlap or are exchanged.

    test/Lift/fuzz/copies.py --tool build/bin/warpwright --count 400 --seed 1
"""

import sys

import tiles

PRIMITIVES = """
#define COPY(to, from) __pipeline_memcpy_async(to, from, 4)
#define ZFILL(to, from, inside) __pipeline_memcpy_async(to, from, 4, (inside) ? 0 : 4)
#define CHUNK(to, from, bytes) __pipeline_memcpy_async(to, from, bytes)
#define ZCHUNK(to, from, bytes, inside) __pipeline_memcpy_async(to, from, bytes, (inside) ? 0 : bytes)
#define COMMIT __pipeline_commit();
#define WAIT(n) __pipeline_wait_prior(n);
"""
ASSEMBLY = """
#define COPY(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from))
#define ZFILL(to, from, inside) asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from), "r"((inside) ? 4 : 0))
#define CHUNK(to, from, bytes) asm volatile("cp.async.ca.shared.global [%0], [%1], " #bytes ";" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from))
#define ZCHUNK(to, from, bytes, inside) asm volatile("cp.async.ca.shared.global [%0], [%1], " #bytes ", %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from), "r"((inside) ? bytes : 0))
#define COMMIT asm volatile("cp.async.commit_group;");
#define WAIT(n) asm volatile("cp.async.wait_group %0;" ::"n"(n));
"""


class Kernel(tiles.Kernel):
    HEAD = "#include <cuda_pipeline.h>\n"

    def element(self, stages, ragged):
        """One element of a thread: what is declared, how many terms a tile has, and
        what loads, multiplies and stores."""
        slip = self.slip
        t = self.pick(4, 8)

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

        def mul(stage):
            return f"for (int k = 0; k < {t}; ++k) acc += As[{stage}][ty][k] * Bs[{stage}][k][tx];"

        lines = [
            f"__shared__ float As[{stages}][{t}][{t}], Bs[{stages}][{t}][{t}];",
            "const int tx = threadIdx.x, ty = threadIdx.y;",
            f"const int row = blockIdx.y * {t} + ty, col = blockIdx.x * {t} + tx;",
            "float acc = 0.0f;",
        ]
        store = "C[row * N + col] = acc;"
        store = f"if (row < M && col < N) {store}" if ragged else store
        return lines, t, load, mul, store, lambda stage: f"As[{stage}][ty][tx] = 1.0f;"

    def several(self, stages, ragged):
        """The same of a thread that copies several chunks of each tile."""
        pick, slip = self.pick, self.slip
        wide = pick(4, 4, 2, 1)  # numbers of a chunk
        bn = pick(8, 16)
        threads = bn * pick(2, 4)
        bm, bk = pick(16, 32), pick(8, 16)
        dynamic, pad_a, pad_b = pick(True, False, False), pick(0, 0, 4), pick(0, 0, 4)
        width_a, width_b = bk + pad_a, bn + pad_b
        size_a, size_b = bm * width_a, bk * width_b
        begin_b = stages * size_a

        def at_a(stage, r, c):
            if not dynamic:
                return f"As[{stage}][{r}][{c}]"
            return f"pool[({stage}) * {size_a} + ({r}) * {width_a} + {c}]"

        def at_b(stage, r, c):
            if not dynamic:
                return f"Bs[{stage}][{r}][{c}]"
            return f"pool[{begin_b} + ({stage}) * {size_b} + ({r}) * {width_b} + {c}]"

        if dynamic and slip(False, True):
            begin_b -= pick(4, size_a, bk)
        styles = {w: pick("loop", "stride", "hand", "side", "rows") for w in "AB"}
        together = pick(True, False)

        def copies(which, rows, columns, one):
            """The chunks of a tile by the number i of each, in a style."""
            total = rows * columns // wide
            each = max(1, total // threads)
            style = styles[which] if each > 1 else "loop"
            step = slip(threads, threads // 2, threads + 1, threads * 2)
            if style == "rows" and columns // wide > threads:
                style = "loop"
            if style == "rows":
                across = columns // wide
                down = slip(threads // across, threads // across + 1, max(1, threads // across // 2))
                start = slip("0", "1")
                return (
                    f"for (int r = tid / {across} + {start}; r < {slip(rows, rows - 1)}; r += {down}) "
                    f"{{ const int c = tid % {across} * {wide}; {one('r', 'c')} }}"
                )
            q = columns // wide
            place = f"const int r = x / {slip(q, q * 2)}, c = x % {q} * {wide}; {one('r', 'c')}"
            guard = f"if (x < {total}) " if total < threads else ""
            if style == "loop":
                end = slip(each, each - 1, each + 1)
                return f"for (int i = 0; i < {end}; ++i) {{ const int x = tid + i * {step}; {guard}{{ {place} }} }}"
            if style == "stride":
                return f"for (int x = tid; x < {slip(total, total - 1, total - threads)}; x += {step}) {{ {place} }}"
            numbers = list(range(each))
            if each > 1 and not slip(True, False):
                numbers[pick(*range(each))] = pick(*range(each))
            if style == "side":
                return " ".join(f"{{ const int x = tid * {each} + {i}; {place} }}" for i in numbers)
            return " ".join(f"{{ const int x = tid + {i} * {step}; {place} }}" for i in numbers)

        def load(stage, tile):
            size = 4 * wide
            bytes_a = slip(size, size // 2 if size > 4 else 8)

            def one_a(r, c):
                to, at = at_a(stage, r, c), f"A + (m0 + {r}) * K + ({tile}) * {bk} + {c}"
                if not ragged:
                    return f"CHUNK(&{to}, {at}, {bytes_a});"
                inside = f"m0 + {r} < M && ({tile}) * {bk} + {c} < {slip('K', 'K + 1')}"
                return f"ZCHUNK(&{to}, {at}, {bytes_a}, {inside});"

            def one_b(r, c):
                to, at = at_b(stage, r, c), f"B + (({tile}) * {bk} + {r}) * N + n0 + {c}"
                if not ragged:
                    return f"CHUNK(&{to}, {at}, {size});"
                inside = f"({tile}) * {bk} + {r} < K && n0 + {c} < {slip('N', 'M')}"
                return f"ZCHUNK(&{to}, {at}, {size}, {inside});"

            text = [copies("A", bm, bk, one_a), copies("B", bk, bn, one_b)]
            return " ".join(text if together else reversed(text))

        rows = bm * bn // threads
        step = threads // bn
        row = f"ty + i * {step}" if pick(True, False) else f"ty * {rows} + i"

        def mul(stage):
            return (
                f"for (int k = 0; k < {bk}; ++k) for (int i = 0; i < {rows}; ++i) "
                f"acc[i] += {at_a(stage, row, 'k')} * {at_b(stage, 'k', 'tx')};"
            )

        lines = []
        if dynamic:
            lines += ["extern __shared__ __align__(16) float pool[];"]
        else:
            lines += [f"__shared__ __align__(16) float As[{stages}][{bm}][{width_a}], Bs[{stages}][{bk}][{width_b}];"]
        lines += [
            f"const int tid = threadIdx.x, tx = tid % {bn}, ty = tid / {bn};",
            f"const int m0 = blockIdx.y * {bm}, n0 = blockIdx.x * {bn};",
            f"float acc[{rows}] = {{}};",
        ]
        store = f"C[(m0 + {row}) * N + n0 + tx] = acc[i];"
        if ragged:
            store = f"if (m0 + {row} < M && n0 + tx < N) {store}"
        store = f"for (int i = 0; i < {rows}; ++i) {store}"
        return lines, bk, load, mul, store, lambda stage: at_a(stage, "ty", "tx % 8") + " = 1.0f;"

    def build(self):
        pick, slip = self.pick, self.slip
        stages = pick(1, 2, 2, 3, 3, 4)
        where = "front" if stages == 1 else pick("front", "middle", "end", "conditional", "tail")
        # How many tiles are under way while one is multiplied.
        ahead = stages - 1
        ragged, sync = pick(True, False), "__syncthreads();"
        macros = pick(PRIMITIVES, ASSEMBLY)
        form = pick(self.element, self.several, self.several)
        lines, t, load, mul, store, over = form(stages, ragged)
        number = f"((K + {t - 1}) / {t})" if ragged else f"(K / {t})"
        lines += [f"const int tiles = {number};"]

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

        def next_tile(of):
            stage = f"({of}) % {stages}" if stages > 1 else "0"
            other = f"({of} + 1) % {stages}" if stages > 1 else "0"
            return load(slip(stage, other), of)

        by_loop = pick(True, False)
        counted = where == "conditional"  # no empty groups
        guard = pick("if (s < tiles) ", "if (s < tiles) ", "") if not counted else "if (s < tiles) "
        guard = "" if where == "tail" else guard
        first = commit(f"{guard}{{ {load('s', 's')} }}") if not counted else f"{guard}{{ {commit(load('s', 's'))} }}"
        if by_loop:
            lines += [f"for (int s = 0; s < {slip(ahead, ahead - 1)}; ++s) {{ {first} }}"]
        else:
            lines += [f"{{ const int s = {s}; {first} }}" for s in range(ahead)]
        now = f"t % {stages}" if stages > 1 else "0"
        fetch = next_tile(f"t + {ahead}" if ahead else "t")
        if where != "tail" and (ahead or pick(True, False)):
            fetch = f"if (t + {ahead} < {slip('tiles', 'tiles + 1', 'tiles - 1')}) {{ {fetch} }}"
        read = slip(now, f"(t + 1) % {stages}")
        extra = slip("", over(now))
        head = "for (int t = 0; t < tiles; ++t) {"

        def loop(*body):
            """Over all tiles; now and then left by `break`, before what comes last."""
            if pick(True, True, True, False):
                return [head, *("  " + b for b in body), "}"]
            leave = f"if (t + {slip('1', '2', '0')} {pick('==', '>=')} tiles) break;"
            where = pick(len(body) - 1, len(body))
            body = body[:where] + (leave,) + body[where:]
            return ["for (int t = 0;; ++t) {", *("  " + b for b in body), "}"]

        if where == "front":
            lines += loop(commit(fetch), both(ahead), extra, mul(read), barrier())
        elif where == "middle":
            lines += loop(both(ahead - 1), commit(fetch), mul(read), extra)
        elif where == "end":
            lines += [both(ahead - 1), *loop(commit(fetch), mul(read), extra, both(ahead - 1))]
        elif where == "tail":
            last = f"(tiles - {ahead} + t) % {stages}"
            most = f"for (int t = 0; t < tiles - {ahead}; ++t) {{"
            lines += [both(ahead - 1), most, "  " + commit(fetch), "  " + mul(read), "  " + both(ahead - 1), "  " + extra, "}"]
            lines += [both(0), f"for (int t = 0; t < {ahead}; ++t) {{ {mul(slip(last, f'(tiles + t) % {stages}'))} }}"]
        else:
            lines += [head, f"  if (t + {ahead} < tiles) {{ {commit(next_tile(f't + {ahead}'))} {wait(ahead)} }}"]
            for left in range(ahead - 1, 0, -1):
                lines += [f"  else if (t + {left} < tiles) {{ {wait(left)} }}"]
            lines += [f"  else {{ {wait(0)} }}", "  " + barrier(), "  " + extra, "  " + mul(read), "  " + barrier(), "}"]
        lines += [store]
        body = "\n".join("  " + l for l in lines if l.strip())
        wrong = "".join(f"// wrong: {m}\n" for m in self.mistakes)
        undefine = "".join(f"#undef {m}\n" for m in ("COPY", "ZFILL", "CHUNK", "ZCHUNK", "COMMIT", "WAIT"))
        return (
            f"{macros}{wrong}#pragma warpwright matmul\n__global__ void {self.name}(const float *A, "
            f"const float *B, float *C, int M, int N, int K) {{\n{body}\n}}\n{undefine}"
        )


if __name__ == "__main__":
    sys.exit(tiles.main(Kernel, __doc__))
