#!/usr/bin/env python3
"""Lifts random matmul kernels and compares what was lifted with the original.

    run.py [--tool build/bin/warpwright] [--count 400] [--seed 1] [--jobs 2]
           [--only N] [--keep FOLDER] [--simulate N] [--toolkit] [--sums]

Kernels are written 40 to a file, lifted with `rewrite --emit=contraction`, and
each contraction is written as plain C++ loops beside its original, which runs on
the host with one thread after the other. Both run over random launches on
integers, under the conditions under which a launcher would take the contraction;
all arrays are compared to the last bit. Launches that are undefined in the
original (signed overflow, memory out of bounds, a race between threads) are left
out.

A finding is a kernel that differs, crashes the tool, takes it over two seconds
more than parsing does, or is neither lifted nor declined. `--only N` runs one
kernel, which `--keep` leaves in a folder. `--simulate N` also runs N of those
that were lifted whole, rewritten, in the simulator. `--sums` writes kernels with
several sums, and prologues, in place of odd ones. `--toolkit` parses with the
CUDA Toolkit's headers in place of the tool's own declarations.
"""

import argparse
import collections
import concurrent.futures
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import contraction
import generate

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
HEADER = "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n#include <math.h>\n#include <stdint.h>\n"
PER_FILE = 40
TURNS = 12
# Processor seconds for lifting one kernel beyond what parsing costs.
LIMIT = 2.0
WARNING = re.compile(
    r"warning: '([^']+)' is not rewritten: (.*) \[(WW\d+)\]$", re.M
)


def command(argv, seconds=None, memory=None, **more):
    """(status, stdout, stderr, processor seconds)"""

    def limit():
        if seconds:
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1,) * 2)
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory,) * 2)

    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            argv, stdin=subprocess.DEVNULL, stdout=out, stderr=err, preexec_fn=limit, **more
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode("utf8", "replace"))
    return process.returncode, *texts, usage.ru_utime + usage.ru_stime


class Batch:
    """Some kernels in one file, and what became of each."""

    def __init__(self, options, numbers):
        self.options = options
        self.kernels = {n: generate.Kernel(options.seed, n, options.sums) for n in numbers}
        self.findings = {}  # number: text
        self.declined = {}  # number: (ID, message)
        self.lifted = {}  # number: contraction
        self.compared = self.skipped = self.invalid = 0
        self.never = []
        self.reasons = collections.Counter()
        self.tool_seconds = self.host_seconds = 0
        self.folder = options.keep or tempfile.mkdtemp(prefix="warpwright-fuzz-")
        os.makedirs(self.folder, exist_ok=True)

    def run(self):
        try:
            self.texts = {n: k.text() for n, k in self.kernels.items()}
            self.lift(list(self.kernels))
            self.compare()
        finally:
            if not self.options.keep and not self.options.simulate:
                shutil.rmtree(self.folder, ignore_errors=True)
        return self

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def lift(self, numbers):
        path = self.write("batch.cu", HEADER + "".join(self.texts[n] for n in numbers))
        limit = self.options.parse_seconds + LIMIT * (2 if len(numbers) == 1 else 5)
        argv = [self.options.tool, "rewrite", "--emit=contraction", *self.options.check]
        argv += [path, "--", "-std=c++17", *self.options.headers]
        status, text, messages, seconds = command(argv, limit, 4 << 30)
        self.tool_seconds += seconds
        slow = seconds > self.options.parse_seconds + LIMIT
        if slow or status not in (0, 2):
            # Which of them was it?
            if len(numbers) > 1:
                half = len(numbers) // 2
                self.lift(numbers[:half])
                self.lift(numbers[half:])
                return
            if slow:
                self.findings[numbers[0]] = "SLOW %.1f s" % seconds
                return
            errors = re.findall(r"error: .*", messages)
            what = "status %d after %.1f s: %s" % (status, seconds, (errors or [""])[0])
            self.findings[numbers[0]] = ("CRASH " if status < 0 else "ERROR ") + what
            return
        known = {}
        for name, body in contraction.split(text).items():
            known[re.sub(r"^.*?(kernel_\d+).*$", r"\1", name)] = body
        declined = {}
        for name, message, identity in WARNING.findall(messages):
            name = re.sub(r"^.*?(kernel_\d+).*$", r"\1", name)
            declined.setdefault(name, (identity, message))
        for n in numbers:
            name = self.kernels[n].name()
            if name in known:
                try:
                    self.lifted[n] = contraction.Contraction(known[name])
                except contraction.Unreadable as error:
                    self.findings[n] = "UNREADABLE %s\n%s" % (error, known[name])
            elif name in declined:
                self.declined[n] = declined[name]
            else:
                self.findings[n] = "SILENT neither lifted nor declined"

    def host_program(self, numbers):
        out = ['#include "runtime.h"', HEADER]
        rows = []
        for n in numbers:
            kernel = self.kernels[n]
            out.append(self.texts[n])
            out.append("namespace n%d {" % n)
            declarations = kernel.declarations()
            arguments = kernel.arguments(", ".join(name for _, name, _, _ in kernel.params))
            out.append(
                "static void original(const Case &fuzz_case) {\n%s\n%s(%s);\n}"
                % (declarations, kernel.call, arguments)
            )
            out.append("LENIENT " + self.lifted[n].write("contraction", declarations))
            out.append("} // namespace n%d" % n)
            params = ", ".join("{'%s', '%s'}" % (k, e) for _, _, k, e in kernel.params)
            out.append("static const Param params_%d[] = {%s};" % (n, params))
            rows.append(
                '{"%d", "%s", %d, params_%d, n%d::original, n%d::contraction},'
                % (n, kernel.shape, len(kernel.params), n, n, n)
            )
        out.append("static const Kernel kernels[] = {\n%s\n};" % "\n".join(rows))
        out.append(
            "int main() {\n  prepare();\n  for (const Kernel &k : kernels) {\n"
            "    run(k, atoi(k.name) + %dull * 1000000, %d);\n    fflush(stdout);\n  }\n}\n"
            % (self.options.seed, TURNS)
        )
        return "\n".join(out)

    def compare(self):
        self.host(sorted(self.lifted))

    def host(self, numbers):
        if not numbers:
            return
        source = self.write("host.cpp", self.host_program(numbers))
        program = os.path.join(self.folder, "host")
        argv = [self.options.compiler, "-std=c++17", "-O1", "-w", "-DFUZZ_HOST"]
        argv += ["-ffp-contract=off", "-fno-strict-float-cast-overflow", "-fno-exceptions"]
        argv += ["-DLENIENT=__attribute__((no_sanitize(\"undefined\")))"]
        argv += ["-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero,unreachable,return,bool"]
        argv += ["-fsanitize-minimal-runtime", "-fno-sanitize-link-runtime", "-fsanitize-recover=all"]
        argv += ["-I" + os.path.join(HERE, "host"), source, "-o", program, "-lm"]
        status, _, messages, seconds = command(argv)
        self.host_seconds += seconds
        if status:
            if len(numbers) > 1:
                half = len(numbers) // 2
                self.host(numbers[:half])
                self.host(numbers[half:])
            else:
                errors = re.findall(r"error: .*", messages)
                self.findings[numbers[0]] = "NAMES the contraction does not compile: %s" % errors[:2]
            return
        status, text, messages, seconds = command([program], 120)
        self.host_seconds += seconds
        seen = set()
        for line in text.split("\n"):
            match = re.match(r"(\d+) (same|DIFFERS) (.*)", line)
            if not match:
                continue
            n = int(match[1])
            seen.add(n)
            if match[2] == "DIFFERS":
                self.findings[n] = "DIFFERS " + match[3]
                continue
            same, original, invalid, why = re.match(
                r"(\d+) original (\d+) invalid (\d+) ?(.*)", match[3]
            ).groups()
            self.compared += int(same)
            self.skipped += int(original)
            self.invalid += int(invalid)
            if same == "0":
                self.never.append(n)
                self.reasons[why or "undefined"] += 1
        for n in numbers:
            if n not in seen:
                self.findings[n] = "HOST the comparison ended with status %d" % status


def simulate(options, batches):
    """Runs rewritten kernels in the simulator, against their originals."""
    import simulated

    count = wrong = 0
    for batch in batches:
        if count >= options.simulate:
            break
        clean = [n for n in sorted(batch.lifted) if n not in batch.findings]
        clean = clean[: options.simulate - count]
        if clean:
            bad = simulated.run(options, batch, clean, HEADER, command)
            count, wrong = count + len(clean), wrong + len(bad)
            for n, text in bad.items():
                batch.findings[n] = "SIMULATED " + text
    print("%d simulated, %d of them differ" % (count, wrong))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tool", default=os.path.join(ROOT, "build/bin/warpwright"))
    parser.add_argument("--compiler", default="clang++-22")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", type=int)
    parser.add_argument("--keep")
    parser.add_argument("--simulate", type=int, default=0)
    parser.add_argument("--toolkit", action="store_true")
    parser.add_argument("--features", action="store_true")
    parser.add_argument("--sums", action="store_true", help="several sums, and prologues")
    options = parser.parse_args()
    options.tool = os.path.abspath(options.tool)
    options.headers = []
    if not options.toolkit:
        options.headers = ["-nocudainc", "-nocudalib", "-include", "warpwright_parse.h"]
        options.headers += ["-isystem", os.path.join(ROOT, "runtime", "parse")]
    # The executed check would hide what the lift got wrong.
    options.check = no_check(options)
    return options


def no_check(options):
    """--no-check, if this tool takes it."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "empty.cu")
        with open(path, "w") as file:
            file.write(HEADER)
        argv = [options.tool, "rewrite", "--emit=contraction"]
        tail = [path, "--", "-std=c++17", *options.headers]
        status, _, _, _ = command([*argv, "--no-check", *tail])
        return ["--no-check"] if status == 0 else []


def parse_seconds(options):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "empty.cu")
        with open(path, "w") as file:
            file.write(HEADER)
        argv = [options.tool, "rewrite", "--emit=contraction", path, "--", "-std=c++17"]
        return command(argv + options.headers)[3]


def main():
    options = parse_arguments()
    options.parse_seconds = parse_seconds(options)
    numbers = range(options.first, options.first + options.count)
    if options.only is not None:
        numbers = [options.only]
    groups = [numbers[i : i + PER_FILE] for i in range(0, len(numbers), PER_FILE)]
    if options.keep and len(groups) > 1:
        sys.exit("--keep wants at most %d kernels" % PER_FILE)
    start = time.time()
    batches = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for batch in pool.map(lambda g: Batch(options, g).run(), groups):
            batches.append(batch)
            for n, text in sorted(batch.findings.items()):
                kernel = batch.kernels[n]
                print("%d:%d %s  [%s]" % (options.seed, n, text, ", ".join(kernel.features)), flush=True)
    if options.simulate:
        simulate(options, batches)
        for batch in batches:
            if not options.keep:
                shutil.rmtree(batch.folder, ignore_errors=True)
    return report(options, batches, time.time() - start)


def report(options, batches, seconds):
    findings = collections.Counter()
    identities = collections.Counter()
    features = collections.defaultdict(collections.Counter)
    for batch in batches:
        for n, text in batch.findings.items():
            findings[text.split()[0]] += 1
        for identity, _ in batch.declined.values():
            identities[identity] += 1
        for n, kernel in batch.kernels.items():
            verdict = "wrong" if n in batch.findings else "lifted" if n in batch.lifted else "declined"
            for feature in kernel.features or ["nothing odd"]:
                features[feature][verdict] += 1
    total = lambda what: sum(what(b) for b in batches)
    kernels = total(lambda b: len(b.kernels))
    lifted = total(lambda b: len(b.lifted))
    print("seed %d: %d kernels, %d lifted, %d declined" % (options.seed, kernels, lifted, sum(identities.values())))
    print("declined by: " + ", ".join("%s %d" % p for p in identities.most_common()))
    print("%d launches compared, %d left to the original, %d undefined; %d kernels never compared"
          % (total(lambda b: b.compared), total(lambda b: b.skipped), total(lambda b: b.invalid),
             total(lambda b: len(b.never))))  # fmt: skip
    if options.features:
        for feature, counts in sorted(features.items(), key=lambda p: -p[1]["wrong"]):
            print("  %-30s wrong %4d lifted %4d declined %4d"
                  % (feature, counts["wrong"], counts["lifted"], counts["declined"]))  # fmt: skip
    print("findings: " + (", ".join("%s %d" % p for p in findings.most_common()) or "none"))
    print("%.0f s, of which the tool took %.0f and the comparison %.0f processor seconds"
          % (seconds, total(lambda b: b.tool_seconds), total(lambda b: b.host_seconds)))  # fmt: skip
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
