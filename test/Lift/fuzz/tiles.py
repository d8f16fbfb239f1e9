"""Random kernels with tiles and several outputs of a thread, right and wrong.

Each kernel is put together from ways to fill a tile, to order its threads, to
walk along k and to keep outputs; about half of them get a mistake: a barrier
that is missing, an index or a bound that is off by one, indices that are
exchanged, a stage that is the wrong one. Each is lifted with the executed check,
which runs it as it is, with all threads, barriers and shared memory. The lift
may decline what it likes; where it and the execution disagree (WW220), or where
the tool crashes, the lift is wrong, and the kernel is printed.

    test/Lift/fuzz/tiles.py --tool build/bin/warpwright --count 400 --seed 1
"""

import argparse
import concurrent.futures
import os
import random
import re
import subprocess
import sys
import tempfile

PER_FILE = 25


class Kernel:
    """The text of one kernel; `mistakes` says what is wrong on purpose."""

    HEAD = "#include <cuda_runtime.h>\n"

    def __init__(self, name, seed):
        self.r = random.Random(seed)
        self.name = name
        self.mistakes = []
        self.left = 1 if self.r.random() < 0.5 else 0
        self.text = self.build()

    def pick(self, *of):
        return self.r.choice(of)

    def slip(self, right, *wrong):
        """`right`, or now and then one of `wrong`."""
        if self.left and self.r.random() < 0.12:
            self.left -= 1
            choice = self.r.choice(wrong)
            self.mistakes.append(f"{choice or 'nothing'} for {right}")
            return choice
        return right

    def build(self):
        pick, slip = self.pick, self.slip
        bm, bn, bk = pick(4, 8), pick(4, 8), pick(4, 8)
        outputs = pick(1, 1, 2, 4)
        outputs = min(outputs, bm)
        apart = pick(True, False)
        dynamic, flat = pick(True, False), pick(True, False)
        pad_a, pad_b = pick(0, 0, 1, 2), pick(0, 0, 1)
        trans_a, trans_b = pick(False, False, True), pick(False, False, True)
        stages = 1 if dynamic else pick(1, 1, 2)
        rows = bm // outputs
        width_a = (bm if trans_a else bk) + pad_a
        width_b = (bk if trans_b else bn) + pad_b
        size_a = (bk if trans_a else bm) * width_a
        size_b = (bn if trans_b else bk) * width_b

        def at_a(stage, m, k):
            first, second = (k, m) if trans_a else (m, k)
            stage = f"({stage}) * {size_a} + " if stages > 1 else ""
            return f"As[{stage}({first}) * {width_a} + {second}]"

        def at_b(stage, k, n):
            first, second = (n, k) if trans_b else (k, n)
            stage = f"({stage}) * {size_b} + " if stages > 1 else ""
            return f"Bs[{stage}({first}) * {width_b} + {second}]"

        ragged = pick(True, True, False)
        by_1d = pick(True, False)
        lines = []
        if dynamic:
            lines += ["extern __shared__ float pool[];", "float *As = pool;"]
            lines += [f"float *Bs = pool + {slip(size_a, size_a - 1, size_a // 2)};"]
        else:
            lines += [f"__shared__ float As[{stages * size_a}], Bs[{stages * size_b}];"]
        if by_1d:
            lines += [f"int tx = threadIdx.x % {bn}, ty = threadIdx.x / {bn};"]
            lines += ["int id = threadIdx.x;"]
        else:
            lines += ["int tx = threadIdx.x, ty = threadIdx.y;"]
            lines += [f"int id = ty * {slip(bn, bn - 1)} + tx;"]
        threads = rows * bn
        lines += [f"int row0 = blockIdx.y * {slip(bm, bm - 1, bm * 2)};"]
        lines += [f"int col0 = blockIdx.x * {bn};"]

        order = pick("ab", "ba")
        hows = {tile: pick("loop", "loop", "rows") for tile in "ab"}
        forms = {tile: pick("ternary", "if", "zero") for tile in "ab"}

        def fill(stage, k0):
            """Both tiles for the terms from k0 on."""
            out = []
            for which in order:
                if which == "a":
                    height, width, array = bm, bk, "A"
                else:
                    height, width, array = bk, bn, "B"
                total = height * width
                how = hows[which]
                out += [f"for (int i = id; i < {slip(total, total - 1)}; i += {slip(threads, threads + 1)}) {{"]
                if how == "loop":
                    out += [f"  int r = i / {width}, c = i % {slip(width, height)};"]
                else:
                    out += [f"  int c = i / {height}, r = i % {height};"]
                if which == "a":
                    gr, gc, inside = "row0 + r", f"{k0} + c", f"row0 + r < M && {k0} + c < {slip('K', 'K - 1', 'N')}"
                    place = at_a(stage, slip("r", "c"), slip("c", "r"))
                    source = f"A[({gr}) * K + {gc}]"
                else:
                    gr, gc, inside = f"{k0} + r", "col0 + c", f"{k0} + r < K && col0 + c < N"
                    place = at_b(stage, slip("r", "r + 1"), "c")
                    source = f"B[({gr}) * N + {gc}]"
                if ragged:
                    form = forms[which]
                    if form == "ternary":
                        out += [f"  {place} = {inside} ? {source} : {slip('0.0f', '1.0f')};"]
                    elif form == "if":
                        out += [f"  if ({inside}) {place} = {source};", f"  else {place} = 0.0f;"]
                    else:
                        out += [f"  {place} = 0.0f;", f"  if ({inside}) {place} = {source};"]
                else:
                    out += [f"  {place} = {source};"]
                out += ["}"]
            return out

        lines += [f"float acc[{outputs}] = {{}};"]
        sync = "__syncthreads();"
        if pick(True, False):
            head = f"for (int t = 0; t < {slip(f'(K + {bk - 1}) / {bk}', f'K / {bk} + 1', f'(K + {bk}) / {bk}')}; ++t) {{"
            k0 = f"t * {slip(bk, bk - 1, bk + 1)}"
            if not ragged:
                head = f"for (int t = 0; t < K / {bk}; ++t) {{"
        else:
            head = f"for (int kk = 0, t = 0; kk < K; kk += {slip(bk, bk - 1)}, ++t) {{"
            k0 = "kk"

        row = f"ty + i * {rows}" if apart else f"ty * {outputs} + i"
        turns = pick(True, False) and bk % 2 == 0

        def compute(stage):
            """The product of the tiles of `stage`; b may be fetched ahead."""
            sign = slip("+=", "+=", "-=")
            out = []
            if turns:
                out += [f"float b[2]; b[0] = {at_b(stage, '0', 'tx')};"]
            out += [f"for (int k = 0; k < {slip(bk, bk - 1, bk + 1)}; ++k) {{"]
            if turns:
                last = slip(bk - 1, bk, bk - 2)
                nxt = at_b(stage, slip("k + 1", "k"), "tx")
                out += [f"  if (k < {last}) b[{slip('(k + 1) % 2', 'k % 2')}] = {nxt};"]
                factor = "b[k % 2]"
            else:
                out += [f"  float b = {at_b(stage, slip('k', 'k + 1'), slip('tx', 'ty'))};"]
                factor = "b"
            out += [f"  for (int i = 0; i < {outputs}; ++i)"]
            return out + [f"    acc[i] {sign} {at_a(stage, row, slip('k', 'k ^ 1'))} * {factor};", "}"]

        def indented(of):
            return ["  " + l for l in of]

        tiles = f"((K + {bk - 1}) / {bk})" if ragged else f"(K / {bk})"
        pipeline = pick("number", "toggled", "after", "conditional") if stages == 2 else "none"
        turn = pick("now ^= 1;", "now = 1 - now;")
        if pipeline == "number":
            ahead = f"(t + 1) * {bk}"
            lines += fill("0", "0") + [slip(sync, "")] + [head]
            lines += [f"  if ({slip(ahead, 'kk' if k0 == 'kk' else 't * ' + str(bk))} < K) {{"]
            lines += ["    " + l for l in fill(slip("(t + 1) & 1", "t & 1"), ahead)] + ["  }"]
            lines += indented(compute("t & 1") + [slip(sync, "", "__syncwarp();")]) + ["}"]
        elif pipeline == "toggled":
            lines += ["int now = 0;"] + fill("0", "0") + [slip(sync, "")]
            lines += [f"for (int t = 0; t < {tiles}; ++t) {{", f"  if (t + 1 < {slip(tiles, 'K')}) {{"]
            lines += indented(indented(fill(slip("now ^ 1", "now"), f"(t + 1) * {bk}"))) + ["  }"]
            lines += indented(compute(slip("now", "now ^ 1")) + [slip(sync, ""), slip(turn, "")]) + ["}"]
        elif pipeline == "after":
            lines += ["int now = 0;"] + fill("0", "0") + [slip(sync, "")]
            lines += [f"for (int t = {slip('1', '0', '2')}; t < {slip(tiles, tiles + ' - 1')}; ++t) {{"]
            lines += indented(fill(slip("1 - now", "now"), f"t * {bk}") + compute("now"))
            lines += indented([slip(sync, ""), slip(turn, "")]) + ["}"]
            lines += compute(slip("now", "1 - now", "0"))
        elif pipeline == "conditional":
            lines += ["int now = 0;"] + fill("0", "0") + [slip(sync, "")]
            lines += [f"for (int t = 0; t < {tiles}; ++t) {{"] + indented(compute("now"))
            lines += [f"  if (t + 1 < {slip(tiles, tiles + ' - 1')}) {{", "    " + slip(turn, "")]
            lines += indented(indented(fill("now", f"{slip('(t + 1)', 't')} * {bk}") + [slip(sync, "")])) + ["  }", "}"]
        else:
            lines += [head]
            lines += indented(fill("0", k0))
            lines += ["  " + slip(sync, "", "__syncwarp();", "if (tx) __syncthreads();")]
            lines += indented(compute("0") + [slip(sync, "")]) + ["}"]
        out_row = f"row0 + ty + i * {rows}" if apart else f"row0 + ty * {outputs} + i"
        lines += [f"for (int i = 0; i < {outputs}; ++i) {{", f"  int r = {out_row}, c = col0 + tx;"]
        store = f"C[r * N + c] = {pick('acc[i]', 'acc[i] * alpha', 'acc[i] + C[r * N + c]')};"
        lines += ["  " + (f"if (r < M && c < N) {store}" if ragged else store), "}"]
        body = "\n".join("  " + l for l in lines if l.strip())
        wrong = "".join(f"// wrong: {m}\n" for m in self.mistakes)
        return (
            f"{wrong}#pragma warpwright matmul\n__global__ void {self.name}(const float *A, const float *B,"
            f" float *C, int M, int N, int K, float alpha) {{\n{body}\n}}\n"
        )


def run(tool, flags, folder, number, kernels):
    path = os.path.join(folder, f"tiles{number}.cu")
    with open(path, "w") as file:
        file.write(kernels[0].HEAD + "\n".join(k.text for k in kernels))
    done = subprocess.run(
        [tool, "rewrite", "--emit=contraction", path, "--", *flags],
        capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def main(kind=Kernel, what=__doc__):
    parser = argparse.ArgumentParser(description=what.splitlines()[0])
    parser.add_argument("--tool", required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("flags", nargs="*", help="Clang's, after --")
    options = parser.parse_args()
    kernels = [
        kind(f"k{n}", options.seed * 1000003 + n) for n in range(options.count)
    ]
    files = [kernels[n : n + PER_FILE] for n in range(0, len(kernels), PER_FILE)]
    lifted = declined = wrong = unchecked = lifted_wrong = 0
    reasons = {}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(
        options.jobs
    ) as pool:
        results = pool.map(
            lambda f: run(options.tool, options.flags, folder, *f), enumerate(files)
        )
        for part, (status, out, messages) in zip(files, results):
            # The launches that it would be reproduced with.
            for path in re.findall(r"'([^']+)' has the launch", messages):
                if os.path.exists(path):
                    os.unlink(path)
            if status < 0 or status == 1 or " error: " in messages:
                wrong += 1
                print(f"status {status}:\n{messages[:3000]}")
            found = set(re.findall(r'(?m)^contraction "(\w+)"', out))
            by_name = {k.name: k for k in part}
            for name, why, number in re.findall(
                r"'(k\d+)' is not rewritten: (.*)\[(WW\d+)\]$", messages, re.M
            ):
                declined += 1
                # What a race brought may not have mattered to the sum.
                raced = why.startswith("as it was executed, ")
                if raced and by_name[name].mistakes:
                    number += " executed"
                reasons[number] = reasons.get(number, 0) + 1
                if number == "WW220" or raced and not by_name[name].mistakes:
                    wrong += 1
                    print("the lift and the execution disagree:\n" + by_name[name].text)
                    print(re.findall(rf"'{name}' is not rewritten: .*", messages)[0])
            lifted += len(found)
            lifted_wrong += sum(bool(by_name[n].mistakes) for n in found)
            unchecked += len(re.findall(r"was not executed .*\[WW507\]", messages))
    print(
        f"{len(kernels)} kernels: {lifted} lifted ({lifted_wrong} of them with a "
        f"mistake that is none), {declined} declined, {unchecked} not executed"
    )
    print("declined: " + ", ".join(f"{n} {c}" for n, c in sorted(reasons.items())))
    print(f"{wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
