#!/usr/bin/env python3
"""Random annotated kernels, rewritten and simulated against the originals.

usage: random.py [--count N] [--seed S] [--types 16-bit|float] [--jobs J]
                 [--keep FOLDER]

Every kernel is drawn from the choices of test/gpu/forms/generate.py (thread
mapping, guard, loop, accumulator, layouts, pitches, batch, types, epilogue),
with clauses that fix its plan (tile, stages, cluster, schedule, exchanged
operands) or leave several. Programs of a few kernels run under `warpwright sim`
with a random order of what is asynchronous; each kernel runs rewritten and
plain on small integers, for which all sums are exact, so that the outputs must
be the same bits, guard bands included. Kernels with a float operand, or with
operands of two types, also run on normal numbers and on odd ones (magnitudes
far apart, zeros, infinities), and must be as close to the results in double as
their precision asks for, or as the plain kernel is. A mismatch, a finding, a
hang, a crash and a kernel that could have been rewritten and was not are
failures. --types says which operands are drawn; each kernel's are by default.

The same N and S give the same programs. Exit status 0 if nothing failed; the
programs of failures are kept, and the command that runs each is printed. 500
kernels take nine minutes of processor time:

    python3 test/Simulate/random.py --count 500 --seed 2026
"""

import argparse
import concurrent.futures
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "gpu", "forms"))
import generate  # noqa: E402  (next to the tests that run on a GPU)

SECONDS = 600  # of one program; more is a hang
# What the data are besides small integers and normal numbers, and how errors are
# measured then.
ODD = r"""
static bool odd = false;

// Runs of numbers of very different magnitudes and of zeros, and a few numbers
// far away from their neighbours, every other buffer's infinite.
static float draw_odd(unsigned &seed, size_t index) {
  const float x = std::ldexp(draw(seed), int(index / 37 % 25) - 12);
  const unsigned kind = seed >> 8 & 2047;
  if (index / 64 % 9 == 4)
    return 0;
  if (kind == 0)
    return std::ldexp(x, -60);
  return kind == 1 && index % 2 ? x / 0.0f : x;
}

// Of elements that are not both finite: whether one stands for the other, or
// is too large for the narrower type.
static bool alike(double a, double b, double most) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b);
  return a == b || ((a > 0) == (b > 0) && std::abs(a) > most &&
                    std::abs(b) > most);
}
static double most(half) { return 40000; }
static double most(bf16) { return 3.3e38; }
static double most(float) { return 3.3e38; }
"""


def head(arguments):
    """generate.HEAD with odd data."""
    text = generate.HEAD % {"arguments": arguments}
    for old, new in (
            ("\n// Guard bands around", ODD + "\n// Guard bands around"),
            ("      x = T(normal ?",
             "      x = T(odd ? draw_odd(seed, &x - host.data()) : normal ?"),
            ("    difference += d * d;",
             """    if (odd && !(std::isfinite(float(a[i])) && std::isfinite(b[i]))) {
      if (!alike(double(float(a[i])), b[i], most(T())))
        return INFINITY;
      continue;
    }
    difference += d * d;"""),
            # Where the largest terms cancel, or make an element overflow that
            # then does not count, errors are larger, by how much is luck.
            ("    bound = plain;", "    bound = plain;\n  if (odd)\n"
             "    bound *= 32;")):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


LAUNCH = re.compile(r"^warpwright: (k\d+): (hopper|original)\b", re.M)
DECLINED = re.compile(r"warning: '(k\d+)' is not rewritten")


class Drawn(generate.Kernel):
    """A kernel of the generator's, with clauses and shapes for a simulation."""

    def __init__(self, rng, number, types):
        super().__init__(rng, number, types)
        # Odd pitches take the original: a few are enough.
        self.pitch = rng.choice(["tight", "tight", "param", "param", "param",
                                 "odd"])
        # Pairs of elements must begin at multiples of their size.
        if self.loop == "vector" and self.pitch == "odd":
            self.pitch = "param"
        self.clauses = self.draw_clauses()
        self.shapes = self.draw_shapes()

    def draw_clauses(self):
        pick = self.rng.choice
        kind = pick(["tile"] * 8 + ["shapes", "invariant", "none"])
        # Which rows are multiplied in float depends on their neighbours.
        if self.types == "float" and kind == "invariant":
            kind = "none"
        if kind == "none":
            return ""
        if kind == "invariant":
            return " batch_invariant"
        if kind == "shapes":
            m, n, k = (pick([16, 64, 256, 1000, 4096]) for _ in range(3))
            return f" shapes({m}x{n}x{k})"
        if self.types == "float":
            return self.draw_split_clauses()
        m, n = pick([64, 128, 192, 256]), pick([32, 64, 96, 128, 192, 256])
        if m * n > 256 * 128:
            m = 128
        clauses = [f"tile({m}, {n}, 64)"]
        if pick([False, True]):
            clauses.append(f"stages({pick([2, 2, 3, 4])})")
        cluster = pick(["", "", "(2, 1)", "(1, 2)"])
        if cluster:
            clauses.append("cluster" + cluster)
        schedule = pick(["", "", "cooperative", "pingpong"])
        # A warpgroup computes 64 rows: taking turns wants one or two of them,
        # sharing a tile wants two.
        if schedule == "pingpong" and m <= 128 and m * n <= 128 * 128:
            clauses.append("schedule(pingpong)")
        elif schedule == "cooperative" and m >= 128:
            clauses.append("schedule(cooperative)")
        if m == n == 128 and pick([False, False, True]):
            clauses.append("swap_ab(on)")
        if pick([False, False, True]):
            clauses.append(pick(["deterministic", "split_k(off)", "split_k(2)",
                                 "split_k(3)", "fallback(original)",
                                 "accumulate(f32)"]))
        self.rng.shuffle(clauses)
        return " " + " ".join(clauses)

    def draw_split_clauses(self):
        """Of kernels whose operands are split into parts."""
        pick = self.rng.choice
        m, n = pick([(64, 32), (64, 64), (64, 96), (64, 128), (128, 32),
                     (128, 64), (128, 96), (128, 128), (128, 128)])
        clauses = [f"tile({m}, {n}, 32)"]
        if pick([False, True]):
            clauses.append(f"stages({pick([2, 3, 4])})")
        cluster = pick(["", "", "(2, 1)", "(1, 2)"])
        if cluster:
            clauses.append("cluster" + cluster)
        if m == n == 128 and pick([False, False, True]):
            clauses.append("swap_ab(on)")
        if pick([False, False, True]):
            clauses.append(pick(["deterministic", "split_k(off)", "split_k(2)",
                                 "split_k(3)", "fallback(original)",
                                 "accumulate(f32)"]))
        self.rng.shuffle(clauses)
        return " " + " ".join(clauses)

    def draw_shapes(self):
        """M, N, K: several tiles, few, smaller than any; ragged; and extents
        that TMA cannot read."""
        pick = self.rng.choice

        def extents(*most):
            step = pick([8, 8, 8, 1])
            return tuple((self.rng.randint(1, n) + step - 1) // step * step
                         for n in most)

        shapes = [extents(300, 300, 220), extents(160, 160, 400),
                  extents(40, 40, 40),
                  pick([(1, 8, 1), (16, 264, 8), (33, 50, 17), (40, 24, 0),
                        (8, 8, 64), (136, 8, 72)])]
        if self.map in ("x_col", "x_row", "const", "block1d", "flat"):
            shapes.append((264, 136, 72))
        return shapes

    def text(self):
        choices = {name: value for name, value in vars(self).items()
                   if name not in ("rng", "name", "shapes", "double")}
        return f"\n// {self.name}: {choices}\n" + super().text(self.clauses)


def program(seed, types, first, count):
    kernels = []
    for n in range(first, first + count):
        rng = random.Random(f"{seed}/{n}")
        kernels.append(Drawn(rng, n, types or rng.choice(["16-bit", "float"])))

    def calls(which):
        return "".join(f"  test_{k.name}({m}, {n}, {kk});\n"
                       for k in which for m, n, kk in k.shapes)
    arguments = f"for test/Simulate/random.py --seed {seed}"
    text = (head(arguments) + "\n".join(k.text() for k in kernels)
            + "\n\nint main() {\n" + calls(kernels))
    close = calls([k for k in kernels if k.types == "float"])
    if close:
        text += f"  normal = true;\n{close}  odd = true;\n{close}"
    return (text + '  printf(failures ? "FAIL\\n" : "PASS\\n");\n'
            + "  return failures != 0;\n}\n")


class Outcome:
    """What one program did."""

    def __init__(self, path, command):
        self.path, self.command = path, command
        self.failure, self.output = None, ""
        self.hopper, self.original, self.declined = set(), 0, set()
        self.launches = 0

    def run(self, kernels):
        environment = dict(os.environ, WARPWRIGHT_LOG="1")
        environment.pop("WARPWRIGHT", None)
        try:
            done = subprocess.run(self.command, capture_output=True, text=True,
                                  env=environment, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            self.failure = f"not done after {SECONDS} seconds"
            return self
        self.output = done.stdout + done.stderr
        for name, path in LAUNCH.findall(done.stderr):
            if path == "hopper":
                self.hopper.add(name)
                self.launches += 1
            else:
                self.original += 1
        self.declined = set(DECLINED.findall(done.stderr))
        different = re.findall(r"^(?:case )?(k\d+ .*): (?:DIFFERENT|BAD)$",
                               done.stdout, re.M)
        if different:
            self.failure = "other results: " + "; ".join(different)
        elif done.returncode != 0:
            found = re.search(r"error: .*", done.stderr)
            self.failure = (f"exit status {done.returncode}"
                            + (": " + found.group(0) if found else ""))
        elif done.stdout.splitlines()[-1:] != ["PASS"]:
            self.failure = "it did not say PASS"
        elif self.declined:
            self.failure = "not rewritten: " + ", ".join(sorted(self.declined))
        return self


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1][7:])
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--types", choices=["16-bit", "float"])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep")
    parser.add_argument("--per-program", type=int, default=3)
    parser.add_argument("--warpwright", default="warpwright")
    arguments = parser.parse_args()

    folder = arguments.keep or tempfile.mkdtemp(prefix="warpwright-random-")
    os.makedirs(folder, exist_ok=True)
    tool = shutil.which(arguments.warpwright) or arguments.warpwright

    def one(first):
        count = min(arguments.per_program, arguments.count - first)
        path = os.path.join(folder, f"random-{arguments.seed}-{first}.cu")
        with open(path, "w") as out:
            out.write(program(arguments.seed, arguments.types, first, count))
        order = random.Random(f"order {arguments.seed}/{first}")
        command = [tool, "sim", path, f"--seed={order.randint(1, 1 << 30)}"]
        if arguments.jobs > 1:
            command.append("--threads=1")
        return Outcome(path, command).run(count)

    outcomes = []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        firsts = range(0, arguments.count, arguments.per_program)
        for outcome in pool.map(one, firsts):
            outcomes.append(outcome)
            if outcome.failure:
                print(f"FAILED {os.path.basename(outcome.path)}: "
                      f"{outcome.failure}\n  {' '.join(outcome.command)}",
                      flush=True)
            elif not arguments.keep:
                os.remove(outcome.path)
    failed = sum(o.failure is not None for o in outcomes)
    on_tensor_cores = sum(len(o.hopper) for o in outcomes)
    print(f"{arguments.count} kernels: {on_tensor_cores} ran on tensor cores, "
          f"{sum(o.launches for o in outcomes)} launches, and "
          f"{sum(o.original for o in outcomes)} launches of originals")
    print(f"{len(outcomes) - failed} of {len(outcomes)} programs passed")
    if not failed and not arguments.keep:
        shutil.rmtree(folder)
    # Tests that always run the originals would test nothing.
    return 1 if failed or 2 * on_tensor_cores < arguments.count else 0


if __name__ == "__main__":
    sys.exit(main())
