#!/usr/bin/env python3
"""Writes the programs with float operands, and those that are written by hand.

usage: write.py SOURCE OUT

SOURCE is the root of the source tree. OUT/float and OUT/tf32 get the examples in
float, without and with precision(tf32); OUT/float also random kernels that check
themselves, and the programs of test/gpu/float; OUT/near_float the near-misses in
float.
"""

import os
import random
import re
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import generate  # noqa: E402
import retype  # noqa: E402

# Programs of random kernels: name, seed, how many kernels.
FORMS = {f"forms_{n}": (f"float {n}", 6) for n in range(1, 17)}

# Near-misses that are none with float operands, whose products are added in double.
ONLY_HALVES = {"double_accumulator", "float_double_accumulator"}


def find_programs(source):
    """Yields (kind, name) of all programs."""
    examples = os.path.join(source, "docs", "examples")
    for name, files in retype.find_examples(examples):
        yield "float", name
        if not retype.has_both([retype.read(f) for f in files]):
            yield "tf32", name
    for name in FORMS:
        yield "float", name
    for entry in sorted(os.listdir(os.path.join(source, "test", "gpu", "float"))):
        yield "float", entry.replace(".cu", "")
    folder = os.path.join(source, "test", "gpu", "near_miss")
    for entry in sorted(os.listdir(folder)):
        name = entry.replace(".cu", "")
        if entry.endswith(".cu") and name not in ONLY_HALVES and re.search(
                r"\b(half|__nv_bfloat16) \*", retype.read(os.path.join(folder, entry))):
            yield "near_float", name


def write(source, out, kind, name, clauses=""):
    """Writes one program under OUT/KIND, its kernels with more clauses; returns
    the paths of its sources."""
    folder = os.path.join(out, kind)
    os.makedirs(folder, exist_ok=True)
    written = os.path.join(source, "test", "gpu", "float", name + ".cu")
    if name in FORMS:
        seed, count = FORMS[name]
        rng = random.Random(seed)
        kernels = [generate.Kernel(rng, n, "float") for n in range(count)]
        with open(os.path.join(folder, name + ".cu"), "w") as file:
            file.write(generate.program(kernels, f"for {name}", generate.SHAPES,
                                        generate.QUICK))
    elif kind == "float" and os.path.exists(written):
        shutil.copy(written, folder)
    elif kind == "near_float":
        near = os.path.join(source, "test", "gpu", "near_miss")
        shutil.copy(os.path.join(near, "near_miss.h"), folder)
        text = retype.read(os.path.join(near, name + ".cu"))
        with open(os.path.join(folder, name + ".cu"), "w") as file:
            file.write(retype.retype(text, retype.has_both([text])))
    else:
        retype.write(os.path.join(source, "docs", "examples"), folder,
                     kind == "tf32", {name})
    path = os.path.join(folder, name)
    files = [path + ".cu"]
    if os.path.isdir(path):
        files = [os.path.join(path, f) for f in sorted(os.listdir(path))]
    for path in files if clauses else ():
        text = retype.read(path)
        with open(path, "w") as file:
            file.write(re.sub(r"^(#pragma warpwright matmul\b.*)$",
                              rf"\1{clauses}", text, flags=re.M))
    return [path for path in files if path.endswith(".cu")]


def main():
    source, out = sys.argv[1:]
    count = 0
    for kind, name in find_programs(source):
        write(source, out, kind, name)
        count += 1
    print(f"{count} programs with float operands")


if __name__ == "__main__":
    main()
