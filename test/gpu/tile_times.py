#!/usr/bin/env python3
"""Times rewritten tile kernels against the plain kernel that computes the same.

Run it in a pack of pack.sh, on a machine with a Hopper GPU. Each program's copy
under timed/ has its shapes replaced by cubes of 2048 and 4096, its launch put
between events, and the reference left out. A tiled program and the plain one
take turns, ROUNDS times; the ratio is of the medians: the plain kernel's time
over the tiled one's. A ratio under 0.98 is BAD, and so is a launch that does not
take the Hopper kernel. $OUT/tile_times.txt holds the table, which comes last.
"""

import argparse
import concurrent.futures
import os
import re
import statistics
import subprocess
import sys

import run_gpu

HERE = os.path.dirname(os.path.abspath(__file__))
# The plain kernel, and what computes the same in another way.
GROUPS = {
    "plain_float": ["square_ternary", "double_buffer", "prefetched", "float4_fill",
                    "float4_rows", "buffered_quads", "buffered_register_tile",
                    "quads_transposed", "lane_map", "swizzled_columns",
                    "async_single", "async_ring"],
    "sgemm_1_plain": ["sgemm_2_coalesced", "sgemm_3_shared", "sgemm_4_block_1d",
                      "sgemm_5_block_2d", "sgemm_6_vectorized",
                      "sgemm_7_warp_tiles", "tuned_sub_tiles",
                      "warp_tiles_buffered"],
    "asserted_plain": ["rectangular", "half2_fill", "ring_of_three", "wmma_global",
                       "wmma_shared", "wmma_grid_of_fragments"],
}  # fmt: skip
SIZES, ROUNDS, LAUNCHES = (2048, 4096), 5, 20
TIMER = """
#define WARPWRIGHT_TIMED(launch) do { \\
  cudaEvent_t from, to; float ms; \\
  cudaEventCreate(&from); cudaEventCreate(&to); \\
  for (int i = 0; i < 3; ++i) launch; \\
  cudaEventRecord(from); \\
  for (int i = 0; i < %d; ++i) launch; \\
  cudaEventRecord(to); cudaDeviceSynchronize(); \\
  cudaEventElapsedTime(&ms, from, to); \\
  printf("time %%d %%.3f\\n", s.m, 1000 * ms / %d); } while (0)
""" % (LAUNCHES, LAUNCHES)


def timed(text):
    """The program with its launches timed, at the sizes to be timed."""
    shapes = ", ".join("check::Shape{%d, %d, %d}" % (n, n, n) for n in SIZES)
    text, count = re.subn(r"(for \(check::Shape s :\s*)\{.*?\}\}\)",
                          lambda m: m[1] + "{" + shapes + "})", text, flags=re.S)
    assert count == 1
    start = text.index("(::warpwright::rt::Configure(")
    depth = 0
    for end in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        if not depth:
            break
    launch = text[start : end + 1]
    text = text[:start] + "WARPWRIGHT_TIMED((" + launch + "))" + text[end + 1 :]
    return TIMER + text


def checks(text):
    """check.h without the host's product and the comparison with it."""
    for start in ("Table right(s.k, s.n), sum(s.m, s.n);",
                  "CUDA_CHECK(cudaGetLastError());"):
        assert text.count(start) == 1
    text = text.replace("Table right(s.k, s.n), sum(s.m, s.n);",
                        "return Table(1, 1); Table right(0, 0), sum(0, 0);")
    return text.replace("CUDA_CHECK(cudaGetLastError());",
                        "CUDA_CHECK(cudaGetLastError()); ++cases_; return;")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--build", action="store_true", help="only build")
    options = parser.parse_args()
    folder = os.path.join(HERE, "timed")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(HERE, "plain", "examples", "check.h")) as file:
        text = checks(file.read())
    with open(os.path.join(folder, "check.h"), "w") as file:
        file.write(text)
    names = [n for plain, tiled in GROUPS.items() for n in (plain, *tiled)]

    def build(name):
        with open(os.path.join(HERE, "rewritten", "tiles", name + ".cu")) as file:
            text = timed(file.read())
        source = os.path.join(folder, name + ".cu")
        if os.path.exists(os.path.join(folder, name)):
            return None
        with open(source, "w") as file:
            file.write(text)
        argv = ["nvcc", "-std=c++17", "-O3", "-diag-suppress", "20199",
                *run_gpu.ARCHITECTURES["90a"], "-I" + folder,
                "-I" + os.path.join(HERE, "include"), source, "-o",
                os.path.join(folder, name)]
        done = subprocess.run(argv, capture_output=True, text=True)
        return done.stderr if done.returncode else None

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        failed = [e for e in pool.map(build, names) if e]
    if failed:
        print(failed[0])
        return 1
    if options.build:
        return 0

    def run(name, log=""):
        done = subprocess.run([os.path.join(folder, name)], capture_output=True,
                              text=True, env={**os.environ, "WARPWRIGHT_LOG": log})
        times = re.findall(r"^time (\d+) (\S+)$", done.stdout, re.M)
        return done, {int(n): float(t) for n, t in times}

    def plans(name):
        """What the launches of each size take; their log would cost time."""
        done, times = run(name, "1")
        taken = re.findall(r"^warpwright: .*?: (hopper \S+|original.*)$", done.stderr,
                           re.M)
        count = len(taken) // len(SIZES)
        return {n: taken[i * count] for i, n in enumerate(times)}

    lines, bad = [], 0
    lines.append("%-24s %6s %10s %10s %7s  %s" % (
        "program", "size", "us", "plain us", "ratio", "plan"))
    for plain, tiled in GROUPS.items():
        of_plain = plans(plain)
        for name in tiled:
            taken = plans(name)
            rounds = [(run(name)[1], run(plain)[1]) for _ in range(ROUNDS)]
            for size in SIZES:
                path, other = taken.get(size, "failed"), of_plain.get(size, "failed")
                if not path.startswith("hopper") or not other.startswith("hopper"):
                    lines.append("%-24s %6d BAD: %s (plain: %s)" % (
                        name, size, path, other))
                    bad += 1
                    continue
                ours, theirs = (statistics.median(r[i][size] for r in rounds)
                                for i in (0, 1))
                slow = theirs / ours < 0.98
                bad += slow
                lines.append("%-24s %6d %10.2f %10.2f %7.3f  %s%s%s" % (
                    name, size, ours, theirs, theirs / ours, path,
                    "" if path == other else " (plain: %s)" % other,
                    " BAD" if slow else ""))
    lines.append("%d programs, %d bad" % (sum(map(len, GROUPS.values())), bad))
    table = "\n".join(lines)
    print(table)
    out = os.environ.get("OUT") or os.path.join(HERE, "out")
    os.makedirs(out, exist_ok=True)
    with open(os.path.join(out, "tile_times.txt"), "w") as file:
        file.write(table + "\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
