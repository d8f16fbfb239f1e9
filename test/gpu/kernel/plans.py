#!/usr/bin/env python3
"""Writes one program for each plan below and rewrites it.

    plans.py <warpwright> <folder>

The folder then travels to a Hopper machine with the runtime headers in it,
where `sh run.sh` builds every program, compares it with float64 at ten sizes
with guard bands around the output, and prints what is wrong. Plans are asked
for by clauses, or by a plan file with one plan of each family in all operand
orders. Tiles, clusters and schedules that no plan of the portfolio has are
among them.
"""

import json
import pathlib
import shutil
import subprocess
import sys

CLAUSES = [
    "tile(192,128,64)",
    "tile(256,128,64)",
    "tile(64,256,64)",
    "tile(128,96,64)",
    "tile(128,208,64)",
    "tile(64,16,64)",
    "tile(16,64,64) swap_ab(on)",
    "tile(128,256,64) cluster(1,2)",
    "tile(128,128,64) cluster(2,2)",
    "tile(64,64,64) cluster(4,1)",
    "tile(128,128,64) schedule(pingpong) cluster(1,2)",
    "tile(256,64,64)",
    "tile(64,192,64) schedule(pingpong)",
    "tile(128,160,64) cluster(2,1)",
    "tile(48,128,64) swap_ab(on)",
    "tile(256,112,64)",
    "stages(2)",
    "swap_ab(on)",
    "schedule(cooperative)",
    "cluster(2,2)",
    "batch_invariant",
]
# Tile, stages, cluster, more members of the plan file, and what C holds.
BF16, F32, F16 = "__nv_bfloat16", "float", "__half"
PLANS = [
    ((128, 256, 64), 4, (2, 1), {}, BF16),
    ((128, 256, 64), 4, (1, 2), {}, F16),
    ((128, 128, 64), 6, (2, 1), {"schedule": "pingpong"}, BF16),
    ((128, 128, 64), 6, (1, 1), {}, F32),
    ((64, 256, 64), 4, (1, 1), {"schedule": "pingpong"}, F32),
    ((256, 128, 64), 4, (1, 2), {}, BF16),
    ((16, 64, 64), 12, (1, 1), {"swap_ab": True}, BF16),
    ((64, 32, 64), 12, (1, 1), {}, F32),
    ((32, 128, 64), 8, (1, 1), {"swap_ab": True}, F16),
    ((128, 96, 64), 5, (1, 1), {}, BF16),
    ((64, 64, 64), 8, (2, 2), {}, BF16),
]
# Where A and B lie in memory: N is row-major, T is column-major.
LAYOUTS = {
    "nn": ("m * lda + k", "k * ldb + n"),
    "nt": ("m * lda + k", "n * ldb + k"),
    "tn": ("k * lda + m", "k * ldb + n"),
    "tt": ("k * lda + m", "n * ldb + k"),
}
# Normwise, against float64.
BOUNDS = {BF16: "4e-3", F16: "1e-3", F32: "1e-5"}
RUN = """#!/bin/sh
# Builds and runs every program here; prints one line for each.
cd "$(dirname "$0")" || exit 1
ls *.cu | xargs -P "$(nproc)" -I{} sh -c 'nvcc -std=c++17 -O3 -Xptxas -v \\
  -gencode=arch=compute_90a,code=sm_90a -Iinclude {} -o {}.exe > {}.log 2>&1 ||
  echo "{}: does not build"; grep -l "C75" {}.log'
bad=0
for source in *.cu; do
  if WARPWRIGHT_LOG=1 timeout 60 "./$source.exe" > "$source.out" 2>&1; then
    echo "$source: right, $(grep -c hopper "$source.out") Hopper launches"
  else
    bad=1
    echo "$source: WRONG"
    grep WRONG "$source.out"
  fi
done
exit $bad
"""


def main():
    tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    here = pathlib.Path(__file__).resolve().parent
    folder.mkdir(parents=True, exist_ok=True)
    include = here.parents[2] / "runtime" / "include"
    shutil.copytree(include, folder / "include", dirs_exist_ok=True)
    template = (here / "plans.cu.in").read_text()
    bad = 0

    def write(name, clauses, layout, element, *options):
        text = template
        a, b = LAYOUTS[layout]
        for hole, value in {
            "@CLAUSES@": clauses,
            "@A@": a,
            "@B@": b,
            "@ELEMENT@": element,
            "@BOUND@": BOUNDS[element],
        }.items():
            text = text.replace(hole, value)
        plain = folder / f"{name}_{layout}.plain"
        plain.write_text(text)
        result = subprocess.run(
            [tool, "rewrite", "--strict", plain, *options, "-o",
             folder / f"{name}_{layout}.cu", "--", "-std=c++17", "-x",
             "cuda"],
            capture_output=True, text=True)
        if result.returncode:
            print(f"{name} {clauses}: {result.stderr.strip()}",
                  file=sys.stderr)
        return result.returncode != 0

    for number, clauses in enumerate(CLAUSES):
        bad |= write(f"clauses{number:02}", clauses, "nn", BF16)
        bad |= write(f"clauses{number:02}", clauses, "tt", F32)
    for number, (tile, stages, cluster, more, element) in enumerate(PLANS):
        plan = {"name": "one", "tile": tile, "stages": stages,
                "cluster": cluster, **more}
        file = folder / f"plan{number:02}.json"
        file.write_text(json.dumps({"version": 2, "plans": [plan]}))
        for layout in LAYOUTS:
            bad |= write(f"plan{number:02}", "", layout, element,
                         f"--plan={file}")
    (folder / "run.sh").write_text(RUN)
    return bad


if __name__ == "__main__":
    sys.exit(main())
