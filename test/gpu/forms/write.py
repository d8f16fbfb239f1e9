#!/usr/bin/env python3
"""Writes the programs with float operands, and those that are written by hand.

usage: write.py SOURCE OUT

SOURCE is the root of the source tree. OUT/float and OUT/tf32 get the examples in
float, without and with precision(tf32); OUT/float also random kernels that check
themselves, and the programs of test/gpu/float.
"""

import os
import random
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import generate  # noqa: E402
import retype  # noqa: E402

# Programs of random kernels: name, seed, how many kernels.
FORMS = {f"forms_{n}": (f"float {n}", 6) for n in range(1, 17)}


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


def write(source, out, kind, name):
    """Writes one program under OUT/KIND; returns the paths of its sources."""
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
    else:
        retype.write(os.path.join(source, "docs", "examples"), folder,
                     kind == "tf32", {name})
    path = os.path.join(folder, name)
    if not os.path.isdir(path):
        return [path + ".cu"]
    return [os.path.join(path, f) for f in sorted(os.listdir(path))
            if f.endswith(".cu")]


def main():
    source, out = sys.argv[1:]
    count = 0
    for kind, name in find_programs(source):
        write(source, out, kind, name)
        count += 1
    print(f"{count} programs with float operands")


if __name__ == "__main__":
    main()
