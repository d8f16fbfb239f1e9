"""What the lift makes of the programs in test/gpu/tiles and test/gpu/tile_miss, and
of the kernels in test/Lift/forms/Inputs.

Each program of tiles has a line or more in forms.txt: the contraction of its
kernels without the requirements, or why there is none. So has each of Inputs,
which have the forms that public kernels have (docs/forms.md), each beside its
launch; some of those are wrong, as public ones are. Each program of
tile_miss names the diagnostic that declines it (`// EXPECT: WWnnn`), or says
that its kernel is lifted and what the launcher then does (`EXPECT-RUNTIME:`).
`--write` brings forms.txt up to date; read the difference before you commit it."""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
GPU = os.path.join(HERE, "..", "..", "gpu")


def lift(tool, flags, path):
    done = subprocess.run(
        [tool, "rewrite", "--emit=contraction", path, "--", *flags],
        capture_output=True,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
    )
    if done.returncode < 0:
        return [f"crashed with signal {-done.returncode}"], set()
    lines = []
    for part in re.split(r"(?m)^(?=contraction \")", done.stdout):
        if not (match := re.match(r'contraction "([^"]+)"', part)):
            continue
        lines.append(match.group(1))
        for line in part.splitlines():
            if re.match(r"  (index %[bmnk] <|operand |plus$|minus$|sum |output )", line):
                if line != "  index %b < 1":
                    lines.append(line)
    said = re.findall(r"(?:warning|error): (.*is not rewritten: .*)$", done.stderr, re.M)
    numbers = set(re.findall(r"is not rewritten: .*\[(WW\d+)\]$", done.stderr, re.M))
    if not lines and not said:
        said = re.findall(r"error: .*$", done.stderr, re.M)[:1]
    return lines + said, numbers


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", required=True)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("flags", nargs="*", help="Clang's, after --")
    options = parser.parse_args()

    def programs(path):
        files = [os.path.join(path, f) for f in sorted(os.listdir(path))]
        return [f for f in files if f.endswith(".cu")]

    tiles = programs(os.path.join(GPU, "tiles"))
    good = tiles + programs(os.path.join(HERE, "Inputs"))
    bad = programs(os.path.join(GPU, "tile_miss"))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        found = list(
            pool.map(lambda p: lift(options.tool, options.flags, p), good + bad)
        )
    text, lifted = "", 0
    for path, (lines, numbers) in zip(good, found):
        text += os.path.relpath(path, os.path.dirname(path) if path in tiles else HERE) + "\n"
        text += "".join("  " + line + "\n" for line in lines)
        lifted += not numbers
    table = os.path.join(HERE, "forms.txt")
    if options.write:
        with open(table, "w") as file:
            file.write(text)
    with open(table) as file:
        expected = file.read()
    failures = 0
    for want, have in zip(
        re.split(r"(?m)^(?=\S)", expected), re.split(r"(?m)^(?=\S)", text)
    ):
        if want != have:
            failures += 1
            print(f"expected:\n{want}found:\n{have}")
    for path, (lines, numbers) in zip(bad, found[len(good) :]):
        with open(path) as file:
            source = file.read()
        wanted = set(re.findall(r"^// EXPECT: (WW\d+)", source, re.M))
        if wanted != numbers or (not wanted and "// EXPECT-RUNTIME:" not in source):
            failures += 1
            print(f"{path}: expected {wanted or 'a contraction'}, found: {lines}")
    print(f"{len(good)} programs of tiles and kernels, {lifted} lifted")
    print(f"{len(bad)} programs of tile_miss")
    print(f"{failures} differ from what is expected")
    return 1 if failures or len(expected) != len(text) else 0


if __name__ == "__main__":
    sys.exit(main())
