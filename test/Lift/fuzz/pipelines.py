"""Random kernels with a pipeline of the block, right and wrong.

As copies.py, with the copies of a stage between producer_acquire() and
producer_commit(), and its products between consumer_wait() and consumer_release(). The
mistakes are such as calls that are missing, exchanged, doubled or in a condition, fewer
buffers than stages, a stage that is another one, and stores or products outside of the
calls that belong to them.

    test/Lift/fuzz/pipelines.py --tool build/bin/warpwright --count 400 --seed 1
"""

import sys

import copies
import tiles

MACROS = """
#define COPY(to, from) cuda::memcpy_async(to, from, 4, pipe)
#define ZFILL(to, from, inside) do { if (inside) cuda::memcpy_async(to, from, 4, pipe); else *(to) = 0.0f; } while (0)
#define CHUNK(to, from, bytes) __pipeline_memcpy_async(to, from, bytes)
#define ZCHUNK(to, from, bytes, inside) __pipeline_memcpy_async(to, from, bytes, (inside) ? 0 : bytes)
"""
STORES = """
#define COPY(to, from) *(to) = *(from)
#define ZFILL(to, from, inside) *(to) = (inside) ? *(from) : 0.0f
#define CHUNK(to, from, bytes) for (int c_ = 0; c_ < bytes / 4; ++c_) (to)[c_] = (from)[c_]
#define ZCHUNK(to, from, bytes, inside) for (int c_ = 0; c_ < bytes / 4; ++c_) (to)[c_] = (inside) ? (from)[c_] : 0.0f
"""


class Kernel(copies.Kernel):
    HEAD = "#include <cooperative_groups.h>\n#include <cuda/pipeline>\n#include <cuda_pipeline.h>\n"

    def build(self):
        pick, slip = self.pick, self.slip
        buffers = pick(1, 2, 2, 3, 3, 4)
        stages = slip(buffers, buffers + 1, buffers - 1 or 2)
        # How many tiles are under way before one is released, and whether the next
        # one is fetched before or behind the products.
        ahead = pick(buffers - 1, buffers - 1, buffers)
        behind = ahead == buffers
        ragged = pick(True, False)
        macros = pick(MACROS, MACROS, STORES)
        form = pick(self.element, self.element, self.several)
        lines, t, load, mul, store, over = form(buffers, ragged)
        number = f"((K + {t - 1}) / {t})" if ragged else f"(K / {t})"
        block = "cooperative_groups::this_thread_block()"
        lines += [
            f"const int tiles = {number};",
            f"__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, {stages}> state;",
            f"auto pipe = cuda::make_pipeline({block}, &state);",
        ]
        who = pick("threadIdx.x == 0", "threadIdx.x < 4", "t % 2 == 0")

        def call(name):
            text = f"pipe.{name}();"
            return slip(text, "", f"{text} {text}", f"if ({who.replace('t %', 'blockIdx.x %')}) {{ {text} }}")

        def fill(of, guard=""):
            at = f"({of}) % {buffers}" if buffers > 1 else "0"
            text = load(slip(at, f"({of} + 1) % {buffers}"), of)
            text = f"if ({guard}) {{ {text} }}" if guard else text
            a, c = call("producer_acquire"), call("producer_commit")
            return slip(f"{a} {text} {c}", f"{text} {a} {c}", f"{a} {c} {text}")

        now = f"t % {buffers}" if buffers > 1 else "0"
        products = mul(slip(now, f"(t + 1) % {buffers}"))

        def multiply():
            w, r = call("consumer_wait"), call("consumer_release")
            return slip(f"{w} {products} {r}", f"{w} {r} {products}", f"{products} {w} {r}")

        # The calls in each iteration, or only where there is a tile.
        always = pick(True, False)
        end = slip("tiles", "tiles + 1", "tiles - 1")
        if always:
            first, fetch = fill("s", "s < tiles"), fill(f"t + {ahead}", f"t + {ahead} < {end}" if ahead else "")
        else:
            first = fill("s")
            fetch = fill(f"t + {ahead}")
            fetch = f"if (t + {ahead} < {end}) {{ {fetch} }}" if ahead else fetch
        count = slip(ahead, ahead - 1, ahead + 1)
        if pick(True, False):
            guard = "" if always else pick(" && s < tiles", " && s < tiles", "")
            lines += [f"for (int s = 0; s < {count}{guard}; ++s) {{ {first} }}"]
        elif count > 0:
            inside = always or pick(True, False)
            lines += [f"{'' if inside else f'if ({s} < tiles) '}{{ const int s = {s}; {first} }}" for s in range(count)]
        if pick(True, False, False):
            # An inner loop keeps the pipeline full.
            room, ends = slip(buffers, buffers + 1, max(1, buffers - 1)), slip("tiles", "tiles", "tiles - 1")
            step = slip("++next", "next += 2")
            lines = [l for l in lines if " s = " not in l] + ["int next = 0;"]
            text = fill("next")
            inner = f"for (; next < {ends} && next < t + {room}; {step}) {{ {text} }}"
            body = [inner, slip(multiply(), f"++next; {multiply()}")]
        else:
            body = [multiply(), fetch] if behind else [fetch, multiply()]
        sync = pick("", "", "", "__syncthreads();")
        body += [slip("", over(now)), sync]
        lines += ["for (int t = 0; t < tiles; ++t) {", *("  " + b for b in body), "}", store]
        text = "\n".join("  " + l for l in lines if l.strip())
        wrong = "".join(f"// wrong: {m}\n" for m in self.mistakes)
        undefine = "".join(f"#undef {m}\n" for m in ("COPY", "ZFILL", "CHUNK", "ZCHUNK"))
        return (
            f"{macros}{wrong}#pragma warpwright matmul\n__global__ void {self.name}(const float *A, "
            f"const float *B, float *C, int M, int N, int K) {{\n{text}\n}}\n{undefine}"
        )


if __name__ == "__main__":
    sys.exit(tiles.main(Kernel, __doc__))
