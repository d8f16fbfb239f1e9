#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many mistakes in a Hopper kernel does the simulator find?

    mutants.py --tool=build/bin/warpwright [options]

For each program of programs.py this rewrites the kernel by the program's plan,
takes the C++ that `warpwright sim` builds, and makes one mutant for each small
edit of operators.py in the runtime's functions that the program uses: those that
derive the plan's numbers, the roles of the kernel, and the functions that these
call. Each mutant is compiled, run in the simulator on the program's shapes with
some seeds, and classified:

    same       the compiler makes the same code of it, so it is not counted
    validator  the planner's validator refuses it: a number in a plan file
    compiler   it does not compile, a static_assert included
    launcher   the launcher refuses it and takes the original kernel
    WWnnn      a finding of the simulator
    result     wrong numbers, or bytes written outside the output
    crash      the program dies
    endless    it runs far longer than the kernel does
    survived   nothing of these

A survivor that equivalents.txt lists, with the reason why no test can tell it
from the kernel, is equivalent. An entry for a mutant that is caught, or that
does not exist, is an error.

    --program=NAME    only this one (repeat for more)
    --sample=N        N mutants of all, chosen at random by --seed=S
    --jobs=N          jobs at a time (default: 2)
    --seeds=N         schedules that a surviving mutant has passed (default: 3)
    --results=FOLDER  keeps the results there, and continues an earlier run
    --all             also edits arithmetic in the functions that the roles call,
                      and runs every mutant with each program
    --again=VERDICT   judges the mutants with this verdict once more
    --minutes=N       stops after N minutes; the order is random
    --only=TEXT       mutants whose key contains TEXT
    --write-docs=FILE writes the tables of docs/mutation.md from the results
    --report          judges no further mutants, and reports those in --results
    --list            prints the keys and runs nothing
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import operators
import programs
import report

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parent.parent / "lib/Simulate/Build.cpp"
# The text of the runtime is the same in all programs, so each of its mutants runs in
# one of every SHARE programs.
SHARE = 4
# The runtime's headers with device functions, in an order in which they can be
# compiled. The rest of the text is not edited. For plans and roles every edit is made.
PLAN_HEADERS = ["plan", "constants"]
ROLE_HEADERS = ["corner", "load", "multiply", "feed_straight", "feed_parts",
                "feed_registers", "store", "kernel"]
# Those of families that no program here has: they are compiled, but not mutated.
OTHER_HEADERS = ["pieces", "cut_tiles", "partial", "scales", "multiply_mma", "feed_converted",
                 "feed_fragments", "feed_turned"]
MUTATED_HEADERS = PLAN_HEADERS + [
    "mbarrier", "scheduler", "tma", "cluster", "epilogue", "shared_elements", "split",
    "fragment", "wgmma"] + OTHER_HEADERS + ROLE_HEADERS
# A table that is no code.
TABLE_HEADERS = ["elements"]
# Headers that use these on the host, and are not mutated.
HOST_HEADERS = ["cost", "select", "load_copied", "line_sums", "shifts", "sum_slices",
                "cut_scratch", "launch_plan"]


def device_flags():
    """The command with which `warpwright sim` compiles, without line tables, so that
    two programs which differ in a line number only are the same; and always with
    Clang's optimizer, which makes the same program of more mutants that are."""
    text = BUILD.read_text()
    body = re.search(r"void addDeviceFlags.*?\{(.*?)\n\}", text, re.S).group(1)
    flags = re.findall(r'"(-[^"]*)"',
                       re.sub(r"//[^\n]*", "", body.partition("push_back")[0]))
    flags = ["-g0" if flag == "-g1" else flag for flag in flags]
    features = pathlib.Path("/proc/cpuinfo")
    words = features.read_text().split() if features.exists() else []
    return ["-std=gnu++17", "-O1"] + flags + ["-m" + each for each in ("fma", "f16c")
                                       if each in words]


def link_flags():
    names = re.search(r"const char \*Name :\s*\{([^}]*)\}\)\s*"
                      r"Args.push_back\(std::string\(\"-Wl,--wrap",
                      BUILD.read_text()).group(1)
    return ["-lpthread", "-ldl"] + [
        "-Wl,--wrap=" + name for name in re.findall(r'"(\w+)"', names)]


def check_call(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit("mutants: %s\n%s%s" % (" ".join(map(str, command)),
                                        done.stdout, done.stderr))
    return done.stdout


def is_core(mutant, own):
    """In functions that the roles call, only statements are deleted and repeated;
    their arithmetic is edited with --all."""
    return mutant.key.split(":")[0] in own or mutant.operator in (
        "delete", "duplicate", "negate", "plan file")


def plan_file_mutants(plan_file):
    """One plan file for every number plus and minus one and for every flag flipped,
    as text in place of the kernel's."""
    mutants = []

    def visit(node, path):
        items = (node.items() if isinstance(node, dict) else
                 enumerate(node) if isinstance(node, list) else ())
        for name, value in list(items):
            here = path + [str(name)]
            if name in ("cost", "certificate", "version"):
                continue
            if isinstance(value, (dict, list)):
                visit(value, here)
            elif isinstance(value, (bool, int)):
                for new in ([not value] if isinstance(value, bool) else
                            [value + 1, value - 1]):
                    node[name] = new
                    mutants.append(operators.Mutant(
                        "plan file: %s: %s -> %s" % (
                            ".".join(here[2:]), json.dumps(value),
                            json.dumps(new)),
                        "plan file", 0, 0, json.dumps(plan_file)))
                    node[name] = value

    visit(plan_file, [])
    return mutants


class Subject:
    """A program, ready to be mutated."""

    def __init__(self, program, options, folder):
        self.program, self.options, self.folder = program, options, folder
        self.number = programs.PROGRAMS.index(program)
        self.compiler = options.compiler
        tool = options.tool
        folder.mkdir(parents=True, exist_ok=True)
        self.library = (tool.parent.parent /
                        "share/warpwright/sim/lib/libWarpwrightSim.a")
        self.flags, self.link_flags = device_flags(), link_flags()
        (folder / "kernel.cu").write_text(program.source())
        (folder / "plan.json").write_text(json.dumps(
            {"version": 2, "plans": [program.plan]}))
        # A fixed name, since it is a part of the text that is compared.
        check_call([tool, "rewrite", "--strict", "--plan=plan.json",
                    "kernel.cu", "-o", "rewritten.cu"], cwd=folder)
        self.plan_file = json.loads(check_call(
            [tool, "rewrite", "--strict", "--plan=plan.json",
             "--emit=plan-json", "kernel.cu"], cwd=folder))
        text = check_call([tool, "sim", "--emit=cpp", "rewritten.cu"],
                          cwd=folder)
        prefix, self.body, self.own = split(text, self.accumulators())
        self.mutants = self.enumerate()
        self.signature = hashlib.sha256(
            (self.body + repr(program.arguments())).encode()).hexdigest()
        if options.list or options.report:
            return
        (folder / "prefix.h").write_text(prefix)
        check_call([self.compiler, "-x", "c++-header", "-undef",
                    "-fpch-codegen", *self.flags, "prefix.h", "-o",
                    "prefix.pch"], cwd=folder)
        check_call([self.compiler, *self.flags, "-c", "prefix.pch", "-o",
                    "prefix.o"], cwd=folder)
        sim = tool.parent.parent / "share/warpwright/sim/include"
        check_call([self.compiler, "-O2", "-w", "-std=gnu++17", "-isystem",
                    sim, "-c", HERE / "check.cpp", "-o", "check.o"],
                   cwd=folder)
        self.base_time = 0
        self.log = self.base_program = None
        self.objects = {}  # what a text compiles to -> first key, verdict
        self.lock = threading.Lock()
        start = time.time()
        verdict, self.base_object = self.judge(self.body, "base", True)
        self.base_time = time.time() - start
        if verdict != "survived":
            sys.exit("mutants: %s itself is bad: %s" % (program.name, verdict))

    def accumulators(self):
        """Of a thread, for each instruction: half its columns."""
        m, n, _ = self.program.plan["tile"]
        return (m if self.program.plan.get("swap_ab") else n) // 2

    def unused_headers(self):
        """The functions of which the kernel's other feeds consist."""
        if self.program.plan.get("rows_in_registers"):
            return ["multiply", "feed_straight"]
        if "f32" in (self.program.in_type, self.program.b_type) or \
                self.program.b_type:
            return ["multiply", "feed_straight", "feed_registers", "fragment"]
        return ["feed_parts", "feed_registers", "fragment", "shared_elements", "split"]

    def unused_functions(self):
        """Functions that only other plans' kernels call. Their mutants would all give
        the same code, and only take time to compile."""
        unused = {"store_staged" if self.program.out_type == "f64" else
                  "store_direct"}
        if "feed_straight" in self.unused_headers():
            unused |= {"straight_operand", "wgmma_bf16"}
        else:
            unused |= {"split_operand", "derive_transform", "k_slot",
                       "wgmma_f16" if self.program.in_type == "bf16" else
                       "wgmma_bf16"}
        return unused

    def enumerate(self):
        tokens = operators.tokenize(self.body)
        words = operators.find_scopes(tokens)
        unused = self.unused_headers() + OTHER_HEADERS + HOST_HEADERS
        found = operators.reachable(
            {s: w for s, w in words.items() if self.own.get(s) not in unused},
            ["hopper_kernel"])
        # The structs of a section hold decisions; other decisions are other plans.
        # Structs of numbers hold zeros, which derived numbers replace.
        found = {s for s in found - self.unused_functions()
                 if not s.startswith("product") and
                 not s.endswith(("_numbers", "choice"))}
        own = {scope for scope in found
               if self.own.get(scope) in PLAN_HEADERS + ROLE_HEADERS}
        every = operators.Enumerator(self.body, found.__contains__, own).run()
        every += plan_file_mutants(self.plan_file)
        if self.options.all:
            return every
        return [m for m in every if is_core(m, own) and self.has_turn(m)]

    def has_turn(self, mutant):
        """The runtime is the same in all programs: each of its mutants runs in
        one of SHARE programs, another set for each."""
        if mutant.operator == "plan file":
            return True
        digest = hashlib.sha256(mutant.key.encode()).digest()
        return (digest[0] + self.number) % SHARE == 0

    def compile(self, text, stem, base):
        # From standard input: the name of a file would be in the object.
        done = subprocess.run(
            [self.compiler, "-x", "c++", "-undef", *self.flags, "-include-pch",
             "prefix.pch", "-", "-c", "-o", stem + ".o"], cwd=self.folder,
            input=text.encode(), capture_output=True)
        if base and done.returncode:
            print(done.stderr.decode(), file=sys.stderr)
        return done.returncode == 0

    def judge_mutant(self, mutant):
        if mutant.operator != "plan file":
            return self.judge(mutant.apply(self.body), mutant.key)
        stem = "p" + hashlib.sha256(mutant.key.encode()).hexdigest()[:12]
        path = self.folder / (stem + ".json")
        path.write_text(mutant.text)
        done = subprocess.run(
            [self.options.tool, "rewrite", "--strict", "--plan=" + path.name,
             "kernel.cu", "-o", stem + ".cu"], cwd=self.folder,
            capture_output=True, text=True)
        rewritten = self.folder / (stem + ".cu")
        same = rewritten.exists() and rewritten.read_text() == (
            self.folder / "rewritten.cu").read_text()
        path.unlink()
        rewritten.unlink(missing_ok=True)
        if done.returncode == 0:
            return ("same" if same else "survived"), None
        if "where the runtime has" in done.stderr:
            return "validator: does not follow", None
        broken = re.search(r"plan '\w+': ([a-z-]+): ", done.stderr)
        return "validator: " + (broken.group(1) if broken
                                else "not readable"), None

    def judge(self, text, name, base=False):
        """The verdict and a digest of the code; (None, key) if the same code
        was judged before."""
        stem = "m" + hashlib.sha256(name.encode()).hexdigest()[:12]
        try:
            if not self.compile(text, stem, base):
                return "compiler", None
            code = read_code(self.folder / (stem + ".o"))
            if not base:
                if code == self.base_object:
                    return "same", code
                with self.lock:
                    if code in self.objects:
                        return None, self.objects[code]
                    self.objects[code] = name
            check_call([self.compiler, "-fuse-ld=lld" if self.options.lld
                        else "-O1", "-s", "-o", stem, stem + ".o", "prefix.o",
                        "check.o", self.library, *self.link_flags],
                       cwd=self.folder)
            for seed in range(1, self.options.seeds + 1):
                verdict = self.run(stem, seed, base)
                if verdict != "survived":
                    break
            if verdict == "survived":
                # Names are removed now, also those of statics that differ in a
                # number only.
                program = read_code(self.folder / stem)
                if base:
                    self.base_program = program
                elif program == self.base_program:
                    verdict = "same"
            return verdict, code
        finally:
            for left in (stem, stem + ".o"):
                (self.folder / left).unlink(missing_ok=True)

    def run(self, program, seed, base):
        reader, writer = os.pipe()
        environment = dict(os.environ, WARPWRIGHT_LOG="1",
                           WARPWRIGHT_SIM_SMS=str(self.program.sms),
                           WARPWRIGHT_SIM_SEED=str(seed),
                           WARPWRIGHT_SIM_THREADS="1",
                           WARPWRIGHT_SIM_REPORT_FD=str(writer))
        limit = 120 if base else 60 + 20 * self.base_time
        process = subprocess.Popen(
            ["./" + program, *self.program.arguments()], cwd=self.folder,
            env=environment, pass_fds=[writer], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, errors="replace")
        os.close(writer)
        findings = []
        drain = threading.Thread(
            target=lambda: findings.append(os.fdopen(reader).read()))
        drain.start()
        try:
            output, log = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            drain.join()
            return "endless"
        drain.join()
        for line in findings[0].splitlines():
            finding = json.loads(line)
            if base:
                print(finding, file=sys.stderr)
            if finding["severity"] == "error":
                return "WW%d" % finding["id"]
        log = [line for line in log.splitlines() if "warpwright:" in line]
        if process.returncode < 0 or process.returncode > 128:
            return "crash"
        if process.returncode:
            if base:
                print(output, file=sys.stderr)
            return "result"
        if base:
            if any("original" in line for line in log):
                sys.exit("mutants: %s takes the original: %s" %
                         (self.program.name, log))
            self.log = log
        elif log != self.log:
            return "launcher"
        return "survived"


def read_code(path):
    """A digest of everything in an object that determines its behaviour."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def split(text, accumulators):
    """The program as `warpwright sim` compiles it, in two: what no mutant
    changes, and the runtime's device functions with the program; and the header
    that each scope of these is in.

    Of the many overloads of wgmma, only those stay that the plan selects, by its
    accumulators, and one of each name that has none for them."""
    lines = text.split("\n")
    start = next(i for i, line in enumerate(lines)
                 if line.startswith("#") and '/rt/warpwright.cuh"' in line)
    prefix, parts, rest, current = lines[:start], {}, [], ""
    for line in lines[start:]:
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            current = marker.group(1)
            continue
        header = re.search(r"/rt/(\w+)\.cuh$", current)
        if header and header.group(1) in MUTATED_HEADERS + HOST_HEADERS:
            parts.setdefault(header.group(1), []).append(line)
        elif current.startswith("/") or header and header.group(1) in TABLE_HEADERS:
            prefix.append(line)
        else:
            rest.append(line)
    rest = "\n".join(rest)
    overloads, dispatch, last = "\n".join(parts["wgmma"]).partition(
        "template <class> constexpr bool no_wgmma")
    if not dispatch:
        sys.exit("mutants: wgmma.cuh is not as it was")
    first, *pieces = re.split(r"(?=template <bool [ab]_k_major)", overloads)
    used = "[%d / 2]" % (2 * accumulators)
    kept, names = [], set()
    for piece in sorted(pieces, key=lambda piece: used not in piece):
        name = re.search(r"void (\w+)\(", piece).group(1)
        if used in piece or name not in names:
            kept.append(piece)
        names.add(name)
    # In lines of their own, so that each has a key.
    parts["wgmma"] = [first] + kept + [dispatch + last]
    body = "\n".join("\n".join(parts[h]) for h in
                     MUTATED_HEADERS + HOST_HEADERS if h in parts)
    own = {}
    for header in MUTATED_HEADERS + HOST_HEADERS:
        for scope in operators.find_scopes(
                operators.tokenize("\n".join(parts.get(header, [])))):
            own.setdefault(scope, header)
    return "\n".join(prefix) + "\n", body + "\n" + rest, own


class Run:
    """All mutants of some programs."""

    def __init__(self, options):
        self.options = options
        self.results = {}
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="mutants."))

    def path(self, name):
        return self.options.results / (name + ".json")

    def load(self, name):
        if self.options.results and self.path(name).exists():
            return json.loads(self.path(name).read_text())
        return {}

    def store(self, name, stored):
        if self.options.results:
            self.options.results.mkdir(parents=True, exist_ok=True)
            temporary = self.path(name + ".new")
            temporary.write_text(json.dumps(stored, indent=1))
            temporary.replace(self.path(name))

    def prepare(self):
        chosen = [p for p in programs.PROGRAMS if not self.options.program or
                  p.name in self.options.program]
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            subjects = list(pool.map(lambda p: Subject(
                p, self.options, self.folder / p.name), chosen))
        work = [(s, m) for s in subjects for m in s.mutants
                if self.options.only in m.key]
        # A random order in which the place of a mutant depends on its key only.
        work.sort(key=lambda each: hashlib.sha256(
            ("%d %s %s" % (self.options.seed, each[0].program.name,
                           each[1].key)).encode()).digest())
        self.total = len(work)
        if self.options.sample:
            work = work[:self.options.sample]
        return subjects, work

    def run(self):
        subjects, work = self.prepare()
        if self.options.list:
            for subject, mutant in work:
                print("%s\t%s" % (subject.program.name, mutant.key))
            return
        done = 0
        stores = {}
        for subject in subjects:
            stored = self.load(subject.program.name)
            if stored.get("signature") != subject.signature:
                stored = {"signature": subject.signature, "mutants": {}}
            stored["seconds"] = stored.get("seconds", 0)
            for key in [k for k, e in stored["mutants"].items()
                        if e["verdict"] == self.options.again and
                        self.options.only in k]:
                del stored["mutants"][key]
            stores[subject.program.name] = stored
        pending = [(s, m) for s, m in work if m.key not in
                   stores[s.program.name]["mutants"]]
        if self.options.report:
            pending = []
        started = time.time()
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            futures = {pool.submit(s.judge_mutant, m): (s, m)
                       for s, m in pending}
            for future in concurrent.futures.as_completed(futures):
                if future.cancelled():
                    continue
                if self.options.minutes and time.time() - started > \
                        60 * self.options.minutes:
                    for other in futures:
                        other.cancel()
                subject, mutant = futures[future]
                verdict, code = future.result()
                entry = {"operator": mutant.operator, "verdict": verdict}
                if verdict is None:
                    entry["as"] = code
                stores[subject.program.name]["mutants"][mutant.key] = entry
                done += 1
                if self.options.verbose:
                    print("%s: %s: %s" % (subject.program.name, verdict,
                                          mutant.key), flush=True)
                if done % 50 == 0:
                    for name, stored in stores.items():
                        self.store(name, stored)
                    print("%d of %d, %.0f s" % (done, len(pending), time.time()
                                                - started), flush=True)
        for name, stored in stores.items():
            stored["seconds"] += (time.time() - started) / len(stores)
            follow(stored["mutants"])
            self.store(name, stored)
        names = {(s.program.name, m.key) for s, m in work}
        for name, stored in stores.items():
            self.results[name] = {k: v for k, v in stored["mutants"].items()
                                  if (name, k) in names}

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def follow(mutants):
    """Gives mutants of the same code the verdict of the first of them."""
    for entry in mutants.values():
        seen = set()
        while entry["verdict"] is None and entry["as"] not in seen:
            seen.add(entry["as"])
            entry["verdict"] = mutants[entry["as"]]["verdict"]


def parse_options():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--tool", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", default=shutil.which("clang++-22") or
                        shutil.which("clang++"))
    parser.add_argument("--program", action="append", default=[])
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--again", default="")
    parser.add_argument("--write-docs", type=pathlib.Path)
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    options.tool = options.tool.resolve()
    if options.results:
        options.results = options.results.resolve()
    options.lld = shutil.which("ld.lld") is not None
    return options


def main():
    options = parse_options()
    run = Run(options)
    try:
        run.run()
    finally:
        run.close()
    if options.list:
        return 0
    judged = sum(map(len, run.results.values()))
    whole = judged == run.total and not options.only
    print("%d of %d mutants judged" % (judged, run.total))
    score = report.Score(run.results,
                         report.read_equivalents(HERE / "equivalents.txt"))
    score.print(whole)
    if options.write_docs:
        score.write_docs(options.write_docs, programs.PROGRAMS, run.total)
    return 1 if score.errors(whole) else 0


if __name__ == "__main__":
    sys.exit(main())
