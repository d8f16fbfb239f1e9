#!/usr/bin/env python3
"""Writes the examples once more with float operands.

usage: retype.py EXAMPLES OUT [--tf32] [--only NAME[,NAME]]

EXAMPLES is docs/examples, OUT a folder for the programs. Half and bfloat16
become float; where an example has both, bfloat16 does and half stays, so that
there are kernels with outputs, or other launches, in half. What a program
expects changes with it: rows that start at multiples of 16 bytes are multiples
of 4 floats, and a float result is wrong by no more than 1e-6. With --tf32 the
kernels get the clause precision(tf32), and 1e-3 is enough.
"""

import argparse
import os
import re

# What it builds with has nothing to do with types; and kernels whose operands are of
# other types, so that floats in place of their halves would be another kernel.
SKIPPED = {"cmake", "fp8_linear.cu", "int4_weights.cu"}
NAMES = {
    "__hadd": "__fadd_rn",
    "__hmul": "__fmul_rn",
    "__hfma": "__fmaf_rn",
}
HALF = {"half": "float", "__half": "float", "__half2float": "float",
        "__float2half": "float", "__float2half_rn": "float", **NAMES}
BF16 = {"__nv_bfloat16": "float", "nv_bfloat16": "float",
        "__bfloat162float": "float", "__float2bfloat16": "float",
        "__float2bfloat16_rn": "float"}


def find_examples(folder):
    """Yields (name, files) of the examples that can be written in float."""
    for entry in sorted(os.listdir(folder)):
        path = os.path.join(folder, entry)
        if entry in SKIPPED:
            continue
        files = [path]
        if os.path.isdir(path):
            files = [os.path.join(path, f) for f in sorted(os.listdir(path))]
        elif not entry.endswith(".cu"):
            continue
        if any(re.search(r"\b(half|__nv_bfloat16)\b", read(f)) for f in files):
            # Those that have float operands already are what they are.
            if not any("floatOperands" in read(f) for f in files):
                yield entry.replace(".cu", ""), files


def read(path):
    with open(path) as file:
        return file.read()


def has_both(texts):
    return any(re.search(r"\bhalf\b", t) and "__nv_bfloat16" in t for t in texts)


def retype(text, both, tf32=False):
    """The text of one file with its kernels' types changed."""
    table = BF16 if both else {**HALF, **BF16}
    launched = both and "template <typename T" in text
    kept = []

    def aside(match):
        kept.append(match[0])
        return f"@{len(kept) - 1}@"

    text = re.sub(r"^#include .*$", aside, text, flags=re.M)
    text = re.sub(r"\b\w+\b", lambda m: table.get(m[0], m[0]), text)
    text = re.sub(r"@(\d+)@", lambda m: kept[int(m[1])], text)
    # Programs that are built in a folder of their own find the header by -I.
    text = text.replace('"../check.h"', '"check.h"')
    bound = "1e-3" if tf32 else "1e-6"
    lines = []
    for line in text.split("\n"):
        if line.startswith("// EXPECT-LOG"):
            if launched:
                continue  # which rows TMA can read depends on the type
            line = re.sub(r"rows\((.*?)\)", r"rows(\1, 4)", line)
            line = line.replace("% 8", "% 4")
        # How inexact sums in half are, or those of tensor cores in float.
        if line.startswith("// EXPECT-BOUND") or "test.setBound(" in line:
            continue
        if tf32 and line.startswith("#pragma warpwright matmul"):
            line += " precision(tf32)"
        lines.append(line)
        if "check::Suite test(argc, argv);" in line:
            lines.append(f"  test.floatOperands({'1e-3' if tf32 else ''});")
    text = "\n".join(lines)
    if "check::Suite test" in text and not both:
        text = text.replace("\n\n#include", f"\n// EXPECT-BOUND: {bound}\n\n#include", 1)
    return text


def write(examples, out, tf32=False, only=()):
    """Writes the programs; returns their names."""
    names = []
    for name, files in find_examples(examples):
        texts = [read(f) for f in files]
        both = has_both(texts)
        if (only and name not in only) or (tf32 and both):
            continue
        base = examples if files[0] == os.path.join(examples, name + ".cu") else \
            os.path.dirname(os.path.dirname(files[0]))
        for path, text in zip(files, texts):
            target = os.path.join(out, os.path.relpath(path, base))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "w") as file:
                file.write(retype(text, both, tf32))
        names.append(name)
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("examples")
    parser.add_argument("out")
    parser.add_argument("--tf32", action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    names = write(options.examples, options.out, options.tf32,
                  set(filter(None, options.only.split(","))))
    print(f"{len(names)} programs: {' '.join(names)}")


if __name__ == "__main__":
    main()
