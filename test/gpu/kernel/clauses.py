#!/usr/bin/env python3
"""Writes one program for each combination of clauses below and rewrites it.

    clauses.py <warpwright> <folder>

The folder then travels to a Hopper machine with the runtime headers in it,
where `sh run.sh` builds every program, compares it with float64 at ten sizes
with guard bands around the output, and prints what is wrong. Tiles, clusters
and schedules that no plan of the portfolio has are all among them.
"""

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
# Where A and B lie in memory, and what C holds.
VARIANTS = {
    "nn": ("m * lda + k", "k * ldb + n", "__nv_bfloat16", "4e-3"),
    "tt": ("k * lda + m", "n * ldb + k", "float", "1e-5"),
}
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
    template = (here / "clauses.cu.in").read_text()
    bad = 0
    for number, clauses in enumerate(CLAUSES):
        for name, (a, b, element, bound) in VARIANTS.items():
            text = template
            for hole, value in {
                "@CLAUSES@": clauses,
                "@A@": a,
                "@B@": b,
                "@ELEMENT@": element,
                "@BOUND@": bound,
            }.items():
                text = text.replace(hole, value)
            plain = folder / f"{number:02}{name}.plain"
            plain.write_text(text)
            result = subprocess.run(
                [tool, "rewrite", "--strict", plain, "-o",
                 folder / f"{number:02}{name}.cu", "--", "-std=c++17",
                 "-x", "cuda"],
                capture_output=True, text=True)
            if result.returncode:
                bad = 1
                print(f"{clauses}: {result.stderr.strip()}", file=sys.stderr)
    (folder / "run.sh").write_text(RUN)
    return bad


if __name__ == "__main__":
    sys.exit(main())
