#!/usr/bin/env python3
"""Builds, checks and runs a pack of rewritten programs on a Hopper GPU.

For every example: the rewritten file built for sm_90a without spills or the
ptxas messages that mean serialised wgmma; a full run that agrees with float64
and takes the Hopper kernel exactly for the shapes its EXPECT-LOG line names;
the same over 100 random shapes, and for some with every plan in turn; memcheck
and racecheck on small shapes; the same file built for sm_80, sm_90 and sm_80
plus sm_90a, each computing right, with the Hopper kernel running exactly where
its image is loaded; WARPWRIGHT=off takes the original, and WARPWRIGHT_VERIFY=1
sees both kernels agree; some are also built with -rdc=true and with -G. For
every near-miss with a launcher: the same bytes on stdout as the original.

A short table comes last; $OUT/gpu.log holds everything. Exit status 0 if every
cell is good. `--only NAME[,NAME]`, `--kinds examples` and `--skip
sanitizer,matrix` do less.
The examples written in float, random kernels with float operands (float) and the
examples with precision(tf32) (tf32) are built, run and compared with float64 on
the same shapes, and with the switches. The programs with shared-memory tiles,
register tiles and matrix fragments (tiles) have shapes of their own: each takes
the Hopper kernel for one of them at least. `--kinds` chooses among all of these.
$OUT/digests.txt has a hash of every output of the examples' small shapes, which
the simulator's runs are compared with: keep it as test/Inputs/digests.txt.
"""

import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ARCHITECTURES = {
    "90a": ["-gencode=arch=compute_90a,code=sm_90a"],
    "80": ["-arch=sm_80"],
    "90": ["-arch=sm_90"],
    "80+90a": ["-gencode=arch=compute_80,code=sm_80",
               "-gencode=arch=compute_90a,code=sm_90a"],
    # Slower, as ptxas says for both; the results must be the same.
    "rdc-90a": ["-gencode=arch=compute_90a,code=sm_90a", "-rdc=true"],
    "debug-90a": ["-gencode=arch=compute_90a,code=sm_90a", "-G"],
}
# Their plans are all run, not only those that the selector picks: between them
# they have every storage order, batches, and each kind of output.
FORCED = ["matmul", "transposed", "column_major", "batched_strided",
          "linear_gelu", "mixed_outputs", "residual", "two_outputs"]
# Those in float whose plans are all run, and which the sanitizers see.
FORCED_FLOAT = ["matmul", "transposed", "column_major", "batched_strided",
                "mixed_outputs", "memory_accumulator", "special_values",
                "turned_rows"]
# Of the programs with tiles those whose plans are all run, with the shapes of the
# program: they have families of plans that no example has.
FORCED_TILES = ["unaligned_orders", "int8_orders", "int8_zero_points", "fp8_orders",
                "double_orders", "mixed_weights", "grouped_weights", "half_sums",
                "nibble_weights", "bit_counts", "complex_orders", "complex_tiles"]
KINDS = ["examples", "float", "tf32", "tiles", "near_miss", "near_float",
         "near_tiles"]
# Of the tiled programs those that racecheck sees; memcheck sees all.
RACES = ["sgemm_7_warp_tiles", "buffered_quads", "wmma_through_shared",
         "unrolled_with_rest", "float4_rows", "two_arrays", "half_outputs",
         "deep_sums", "deep_float", "unaligned_orders", "unaligned_batches",
         "double_orders", "double_sums"]
FORBIDDEN = ["Potential Performance Loss", "C7504", "C7508", "C7517", "C7519"]
SPILL = re.compile(r"(\d+) bytes spill stores, (\d+) bytes spill loads")
LOG_LINE = re.compile(r"^warpwright: .+?: (hopper|original)\b")
CASE = re.compile(r"^case (\S+) (\d+)x(\d+)x(\d+): error (\S+?),? .*: (ok|BAD)$")
EXPECT = re.compile(r"^// EXPECT-LOG(?: (\w+))?: (hopper|original)(?: if (.*))?$")


class Program:
    """One program: its sources, what its comments expect, its verdicts."""

    def __init__(self, kind, name, sources, changed):
        self.kind, self.name, self.sources = kind, name, sources
        self.changed = changed
        self.cells = {}
        self.expectations, self.bound, self.runtime = {}, None, None
        self.race = False
        self.forced = name in (FORCED if kind == "examples" else
                               FORCED_TILES if kind == "tiles" else FORCED_FLOAT)
        for source in sources:
            with open(os.path.join(HERE, "plain", source)) as file:
                for line in file:
                    self.read_comment(line.rstrip())

    def read_comment(self, line):
        match = EXPECT.match(line)
        if match:
            label, path, condition = match.groups()
            self.expectations[label] = (path, condition or "True")
        match = re.match(r"^// EXPECT-BOUND: (\S+)$", line)
        if match:
            self.bound = match.group(1)
        match = re.match(r"^// EXPECT-RUNTIME: (\w+)(, a race)?$", line)
        if match:
            self.runtime, self.race = match.group(1), bool(match.group(2))

    def expected_path(self, label, shape, hopper_image):
        if not hopper_image:
            return "original"
        path, condition = self.expectations.get(
            label, self.expectations.get(None, (None, "True")))
        if path is None:
            return None
        other = "original" if path == "hopper" else "hopper"
        m, n, k = shape
        # The text is this project's own.
        holds = eval(condition, {"m": m, "n": n, "k": k})
        return path if holds else other


def find_programs(rewritten):
    programs = []
    plain = os.path.join(HERE, "plain")
    for kind in KINDS:
        folder = os.path.join(plain, kind)
        if not os.path.isdir(folder):
            continue
        for entry in sorted(os.listdir(folder)):
            path = os.path.join(kind, entry)
            if entry.endswith(".cu"):
                sources = [path]
            elif os.path.isdir(os.path.join(plain, path)):
                sources = [os.path.join(path, f)
                           for f in sorted(os.listdir(os.path.join(plain, path)))
                           if f.endswith(".cu")]
            else:
                continue
            changed = rewritten and any(has_launcher(s) for s in sources)
            programs.append(Program(kind, entry.replace(".cu", ""), sources,
                                    changed))
    return programs


def has_launcher(source):
    """Whether the tool generated anything for the file."""
    with open(os.path.join(HERE, "rewritten", source)) as file:
        return "warpwright::rt::Launch" in file.read()


class Runner:
    def __init__(self, options):
        self.options = options
        self.out = os.environ.get("OUT") or os.path.join(HERE, "out")
        self.bin = os.path.join(HERE, "bin")
        os.makedirs(self.out, exist_ok=True)
        os.makedirs(self.bin, exist_ok=True)
        self.log = open(os.path.join(self.out, "gpu.log"), "w")

    def command(self, title, argv, limit, environment=None):
        """Runs argv; returns (status, stdout, stderr merged in order)."""
        start = time.time()
        try:
            done = subprocess.run(argv, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=limit,
                                  env={**os.environ, **(environment or {})})
            status, text = done.returncode, done.stdout.decode(errors="replace")
        except subprocess.TimeoutExpired as expired:
            status = 124
            text = (expired.stdout or b"").decode(errors="replace")
        seconds = time.time() - start
        self.log.write(f"=== {title}: status {status}, {seconds:.1f} s\n"
                       f"$ {' '.join(argv)}\n{text}\n")
        self.log.flush()
        return status, text, seconds

    def binary(self, program, tree, arch):
        return os.path.join(self.bin,
                            f"{program.kind}-{program.name}-{tree}-{arch}")

    def make_forced_include(self):
        """Runtime headers whose selector obeys FORCE_PLAN, under a new name."""
        folder = os.path.join(HERE, "include-forced")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(os.path.join(HERE, "include"), folder)
        path = os.path.join(folder, "warpwright", "rt", "select.cuh")
        with open(path) as file:
            text = file.read()
        without = "const char *name = nullptr;"
        assert text.count(without) == 1
        with open(path, "w") as file:
            file.write(text.replace(
                without, 'const char *name = getenv("FORCE_PLAN");'))

    def run_forced(self, program):
        """Runs a forced build with each of its plans; returns the cell."""
        if not os.path.exists(self.binary(program, "rewritten", "forced-90a")):
            return "NOT BUILT"
        plans = []
        for source in program.sources:
            with open(os.path.join(HERE, "rewritten", source)) as file:
                plans += re.findall(r'const char \*name = "(\w+)";',
                                    file.read())
        plans = sorted(set(plans))
        for plan in plans:
            for arguments in ([],) if program.kind == "tiles" else (
                    [], ["--random", "100"]):
                cell = self.run_example(program, "rewritten", "forced-90a",
                                        arguments, [("FORCE_PLAN", plan)])
                if not is_good(cell):
                    return f"{cell} {plan}"
        return f"{len(plans)} ok" if plans else "NO PLANS"

    def build(self, program, tree, arch):
        root = os.path.join(HERE, tree)
        argv = ["nvcc", "-std=c++17", "-O3", "-Xptxas", "-v", "-diag-suppress",
                "20199", *ARCHITECTURES[arch.replace("forced-", "")],
                "-I" + os.path.join(root, "examples")]
        if tree == "rewritten":
            argv.append("-I" + os.path.join(
                HERE, "include-forced" if arch.startswith("forced") else
                "include"))
        argv += [os.path.join(root, s) for s in program.sources]
        argv += ["-o", self.binary(program, tree, arch)]
        status, text, seconds = self.command(
            f"build {program.name} {tree} {arch}", argv, 300)
        cell = f"{seconds:.0f}s"
        if status:
            return "FAILED"
        if arch in ("rdc-90a", "debug-90a"):
            return cell
        if any(message in text for message in FORBIDDEN):
            return "PTXAS"
        spills = sum(int(a) + int(b) for a, b in SPILL.findall(text))
        return f"SPILL {spills}" if spills else cell

    def run_example(self, program, tree, arch, arguments, switches=()):
        """Runs one build; returns the cell of the table."""
        binary = self.binary(program, tree, arch)
        if not os.path.exists(binary):
            return "-"
        switches = dict(switches)
        hopper_image = (tree == "rewritten" and arch.endswith("90a") and
                        switches.get("WARPWRIGHT") != "off")
        environment = {"WARPWRIGHT_LOG": "1", **switches}
        argv = [binary] + arguments
        title = " ".join(["run", program.name, tree, arch, *arguments,
                          *(f"{k}={v}" for k, v in switches.items())])
        status, text, _ = self.command(title, argv, 40, environment)
        problems, paths, hoppers, originals = [], [], 0, 0
        for line in text.splitlines():
            logged, case = LOG_LINE.match(line), CASE.match(line)
            # Of several kernels, some may not have the plan that is run.
            if logged and not line.endswith("the plan that was asked for cannot be taken"):
                paths.append(logged.group(1))
            elif case:
                label, error, verdict = case.group(1, 5, 6)
                shape = tuple(int(x) for x in case.group(2, 3, 4))
                if verdict != "ok":
                    problems.append("wrong")
                if program.bound and "hopper" in paths and \
                        float(error) > float(program.bound):
                    problems.append("wrong")
                wanted = program.expected_path(label, shape, hopper_image)
                if tree == "rewritten":
                    if wanted and any(path != wanted for path in paths):
                        problems.append("path")
                    hoppers += "hopper" in paths
                    originals += "original" in paths
                paths = []
        if status == 124:
            return "TIMEOUT"
        if "wrong" in problems:
            return "WRONG"
        lines = text.strip().splitlines()
        if status or not lines or not any(l == "PASS" for l in lines[-2:]):
            return "FAILED"
        if tree == "rewritten" and not hoppers + originals:
            return "NO LOG"
        if program.kind == "tiles" and hopper_image and not hoppers:
            return "ORIGINAL"
        if problems:
            return "PATH"
        # Rounding in half on every addition is no disagreement.
        if re.search(r"^warpwright: .* verify: .* DIFFERS", text, re.M) and \
                not (program.bound and float(program.bound) > 1e-5):
            return "DIFFERS"
        return f"{hoppers}h/{originals}o" if tree == "rewritten" else "ok"

    def digest(self, program):
        """The cases of both kernels on both kinds of data, one a line."""
        lines = []
        for kernel, switch in (("rewritten", "on"), ("original", "off")):
            for data in ("normal", "integers"):
                argv = [self.binary(program, "rewritten", "90a"), "--quick",
                        "--digest"]
                argv += ["--integers"] * (data == "integers")
                text = self.command(f"digest {program.name} {kernel} {data}",
                                    argv, 60, {"WARPWRIGHT": switch})[1]
                lines += [f"{program.name} {kernel} {data}: {case}\n"
                          for case in re.findall("^case (.*)$", text, re.M)]
        return "".join(lines)

    def sanitize(self, program, tool):
        binary = self.binary(program, "rewritten", "90a")
        if not os.path.exists(binary):
            return "-"
        status, text, _ = self.command(
            f"{tool} {program.name}",
            ["compute-sanitizer", "--tool", tool, "--error-exitcode", "9",
             binary, "--quick"], 240)
        return "ok" if status == 0 else f"BAD {status}"

    def compare_near_miss(self, program):
        """The rewritten program must print what the original prints."""
        texts = []
        for tree in ("plain", "rewritten"):
            binary = self.binary(program, tree, "90a")
            if not os.path.exists(binary):
                return "NOT BUILT"
            status, text, _ = self.command(f"run {program.name} {tree}",
                                           [binary], 60,
                                           {"WARPWRIGHT_LOG": "1"})
            if status:
                return f"STATUS {status}"
            texts.append(text)
        paths = {m.group(1) for m in map(LOG_LINE.match, texts[1].splitlines())
                 if m}
        kept = "\n".join(l for l in texts[1].splitlines()
                         if not l.startswith("warpwright:"))
        wanted = {"original": {"original"}, "hopper": {"hopper"}, "none": set(),
                  "both": {"hopper", "original"}}
        if paths != wanted.get(program.runtime, paths):
            return "PATH"
        if kept.strip() != texts[0].strip():
            # Threads of an original may race; the program says so.
            return "a race, original" if program.race else "DIFFERS"
        return "same, " + ("+".join(sorted(paths)) or "no launcher")


def is_good(cell):
    return not cell.isupper() and not re.match(r"[A-Z]{2,}", cell)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="names, comma-separated")
    parser.add_argument("--kinds", default=",".join(KINDS),
                        help="which programs, comma-separated")
    parser.add_argument("--skip", default="",
                        help="sanitizer, matrix, switches, random, plans or "
                        "near_miss, comma-separated")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--at-once", type=int,
                        help="programs on the GPU; default: 8, or half the jobs")
    options = parser.parse_args()
    skip = set(filter(None, options.skip.split(",")))
    only = set(filter(None, options.only.split(",")))
    kinds = set(options.kinds.split(","))

    rewritten = os.path.isdir(os.path.join(HERE, "rewritten"))
    tree = "rewritten" if rewritten else "plain"
    programs = [p for p in find_programs(rewritten)
                if p.kind in kinds and (not only or p.name in only)]
    near = [p for p in programs if p.kind.startswith("near_")]
    declined = [p for p in programs
                if rewritten and p.kind == "tiles" and not p.changed]
    examples = [p for p in programs if p not in near + declined]
    if "near_miss" in skip:
        near = []
    if rewritten:
        for program in near:
            if not program.changed:
                program.cells["result"] = "declined"
        near_built = [p for p in near if p.changed]
    else:
        near_built = near
    runner = Runner(options)
    matrix = [] if "matrix" in skip or not rewritten else [
        "80", "90", "80+90a", "rdc-90a", "debug-90a"]
    matrix_of = {a: [p for p in examples if p.forced or
                     (a in ("80", "90", "80+90a") and p.kind == "examples")]
                 for a in matrix}

    switches = {} if "switches" in skip or not rewritten else {
        "off": ("WARPWRIGHT", "off"), "verify": ("WARPWRIGHT_VERIFY", "1")}

    def parallel(jobs, tasks):
        """tasks: (program, cell, function, arguments)."""
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            futures = [(p, c, pool.submit(f, *a)) for p, c, f, a in tasks]
            for program, cell, future in futures:
                program.cells[cell] = future.result()

    start = time.time()
    builds = [(p, "build", runner.build, (p, tree, "90a")) for p in examples]
    builds += [(p, f"build {t}", runner.build, (p, t, "90a"))
               for p in near_built
               for t in (["plain", "rewritten"] if rewritten else ["plain"])]
    builds += [(p, "build " + a, runner.build, (p, tree, a))
               for a in matrix for p in matrix_of[a]]
    forced = []
    if rewritten and "plans" not in skip:
        forced = [p for p in examples if p.forced]
        runner.make_forced_include()
    builds += [(p, "build forced", runner.build, (p, tree, "forced-90a"))
               for p in forced]
    parallel(options.jobs, builds)
    built = time.time()

    at_once = options.at_once or max(1, min(8, options.jobs // 2))
    parallel(at_once, [(p, "run", runner.run_example, (p, tree, "90a", []))
                       for p in examples])
    if "random" not in skip:
        parallel(at_once, [(p, "random", runner.run_example,
                            (p, tree, "90a", ["--random", "100"]))
                           for p in examples if p.kind != "tiles"])
    parallel(at_once, [(p, "plans", runner.run_forced, (p,)) for p in forced])
    if rewritten:
        parallel(at_once, [(p, "result", runner.compare_near_miss, (p,))
                           for p in near_built])
        parallel(at_once, [(p, a, runner.run_example, (p, tree, a, ["--quick"]))
                           for a in matrix for p in matrix_of[a]])
        for cell, switch in switches.items():
            # Where sums cancel or overflow, the two kernels differ by nature:
            # the program itself judges each value.
            parallel(at_once, [(p, cell, runner.run_example,
                                (p, tree, "90a", ["--quick"], [switch]))
                               for p in examples
                               if (p.name, cell) != ("special_values",
                                                     "verify")])
        with open(os.path.join(runner.out, "digests.txt"), "w") as file:
            with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
                file.writelines(pool.map(runner.digest, [
                    p for p in examples if p.kind == "examples"]))
    else:
        for p in near:
            status, text, _ = runner.command(
                f"run {p.name}", [runner.binary(p, "plain", "90a")], 60)
            again = runner.command(
                f"again {p.name}", [runner.binary(p, "plain", "90a")], 60)[1]
            p.cells["result"] = ("FAILED" if status else
                                 "ok" if text == again else "NOT STABLE")
    ran = time.time()
    tools = [] if "sanitizer" in skip or not rewritten else ["memcheck",
                                                            "racecheck"]
    parallel(at_once, [(p, t, runner.sanitize, (p, t))
                       for t in tools for p in examples
                       if p.kind == "examples" or p.forced or
                       p.kind == "tiles" and (t == "memcheck" or
                                              p.name in RACES)])
    end = time.time()

    columns = ["build", "run", *["random"] * ("random" not in skip),
               *["plans"] * bool(forced), *tools, *matrix, *switches]
    lines = [f"{'program':<26}" + "".join(f"{c:>10}" for c in columns)]
    bad = 0
    for p in examples:
        cells = [p.cells.get(c, "-") for c in columns]
        cells += [p.cells[c] for c in p.cells
                  if c.startswith("build ") and not is_good(p.cells[c])]
        bad += any(not is_good(c) for c in cells)
        name = p.name if p.kind == "examples" else f"{p.kind}/{p.name}"
        lines.append(f"{name:<26}" + "".join(f"{c:>10}" for c in cells))
    if near:
        lines.append("")
        lines.append(f"{'near-miss':<26}  result")
    for p in near:
        result = p.cells.get("result", "-")
        bad += not is_good(result)
        name = p.name if p.kind == "near_miss" else f"{p.kind}/{p.name}"
        lines.append(f"{name:<26}  {result}")
    if declined:
        lines.append("")
        lines.append("not rewritten: " + ", ".join(p.name for p in declined))
    lines.append("")
    lines.append(f"{len(programs)} programs, {bad} bad; build {built - start:.0f}"
                 f" s, run {ran - built:.0f} s, sanitizers {end - ran:.0f} s")
    table = "\n".join(lines)
    with open(os.path.join(runner.out, "gpu-table.txt"), "w") as file:
        file.write(table + "\n")
    print(table)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
