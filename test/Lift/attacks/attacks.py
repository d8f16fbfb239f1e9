#!/usr/bin/env python3
"""Runs programs whose kernels are easily misread.

    attacks.py [--tool build/bin/warpwright] [--no-simulate] [PROGRAM.cu ...]

Each program holds several annotated kernels, each with a launch. A kernel is
right if it is declined with a true reason, or if its rewritten program prints
for it what the original prints, both in the simulator. What counts as a true
reason stands above the kernel: `// DECLINES: ` and a regular expression that
is searched in the ID and the message, `WW202 a value is handed ...`; the message
must point into the lines of that kernel, between its comment and the next one's,
or into a header. A pattern of several IDs alone takes any reason of Lift or Plan:
the kernel could be lifted, and whoever reads the message must agree. The pragmas
fix one plan, so that programs build quickly.

A crash of the tool, a rewrite that takes longer than a few seconds of processor
time, a rewritten program that does not build or that the simulator finds an error
in, and a kernel that is neither lifted nor declined are wrong as well. `// FLAGS:`
in the first lines gives compile flags.
"""

import argparse
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# Processor time that rewriting a program, or one kernel of it, may take, parsing
# included. The same takes twice as long on some machines as on others.
SECONDS, SECONDS_ALONE = 24, 12
DIAGNOSTIC = re.compile(
    r"^(\S+?):(\d+):\d+: warning: '([^']+)' is not rewritten: (.*) \[(WW\d+)\]$",
    re.M,
)


def is_right(verdict):
    return verdict.startswith(("computes the same", "declined: "))


class Program:
    """One program; judge() gives a verdict for each of its kernels."""

    def __init__(self, tool, name, environment=None, simulate=True):
        self.tool, self.name, self.simulate = tool, name, simulate
        self.environment = {**os.environ, **(environment or {})}
        self.environment.pop("WARPWRIGHT", None)
        with open(os.path.join(HERE, name)) as file:
            self.lines = file.read().split("\n")
        self.flags = ["-std=c++17", "-I" + HERE]
        for line in self.lines[:3]:
            if line.startswith("// FLAGS:"):
                self.flags += line[len("// FLAGS:") :].split()
        self.kernels = self.find_kernels()

    def find_kernels(self):
        """{kernel: (first line, last line, pattern of true reasons)}"""
        starts = [
            number
            for number, line in enumerate(self.lines, 1)
            if line.startswith("// DECLINES: ")
        ]
        ends = [start - 1 for start in starts[1:]]
        for number, line in enumerate(self.lines, 1):
            if line.startswith("int main()"):
                ends.append(number)
        kernels = {}
        for start, end in zip(starts, ends):
            text = "\n".join(self.lines[start:end])
            annotated = text[text.index("#pragma warpwright") :]
            name = re.search(r"__global__ void (\w+)", annotated)[1]
            kernels[name] = (start, end, self.lines[start - 1][len("// DECLINES: ") :])
        return kernels

    def run(self, argv, environment=None, seconds=None):
        def limit():
            if seconds:
                resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
                memory = 4 << 30
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

        done = subprocess.run(
            argv,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            cwd=HERE,
            env={**self.environment, **(environment or {})},
            preexec_fn=limit,
        )
        return done.returncode, done.stdout, done.stderr

    def judge(self):
        """One verdict for each kernel. Where the tool or the program as a whole
        fails, each kernel is tried without the pragmas of the others."""
        verdicts = self.judge_file(self.name, self.kernels)
        broken = ("CRASH", "RUNS AWAY", "DOES NOT BUILD")
        if len(self.kernels) == 1:
            return verdicts
        for kernel in self.kernels:
            if verdicts[kernel].startswith(broken):
                with tempfile.TemporaryDirectory() as folder:
                    path = os.path.join(folder, self.name)
                    with open(path, "w") as file:
                        file.write(self.alone(kernel))
                    verdicts.update(self.judge_file(path, [kernel]))
        return verdicts

    def alone(self, kernel):
        first, last, _ = self.kernels[kernel]
        return "\n".join(
            line
            if first <= number <= last or not line.startswith("#pragma warpwright")
            else ""
            for number, line in enumerate(self.lines, 1)
        )

    def judge_file(self, path, kernels):
        argv = [self.tool, "rewrite", "--emit=contraction", path, "--"]
        seconds = SECONDS if len(kernels) > 1 else SECONDS_ALONE
        status, text, messages = self.run(argv + self.flags, seconds=seconds)
        if status in (-signal.SIGXCPU, -signal.SIGKILL):
            return dict.fromkeys(kernels, "RUNS AWAY: over %d s" % seconds)
        if status not in (0, 2):
            reason = " ".join(re.findall(r"error: .*", messages)) or messages[-300:]
            return dict.fromkeys(kernels, "CRASH: status %d: " % status + reason)
        lifted = {
            name.split("<")[0].split("::")[-1]
            for name in re.findall(r'^contraction "([^"]+)"', text, re.M)
        }
        declined = {}
        for file, line, name, message, identity in DIAGNOSTIC.findall(messages):
            name = name.split("<")[0].split("::")[-1]
            declined.setdefault(name, (file, int(line), identity + " " + message))
        verdicts = {}
        for name in kernels:
            if name in declined:
                verdicts[name] = self.judge_reason(name, *declined[name])
            elif name not in lifted:
                verdicts[name] = "IN SILENCE: neither lifted nor declined"
        if lifted.intersection(kernels):
            if self.simulate:
                self.compare(path, kernels, verdicts)
            else:
                for name in lifted.intersection(kernels):
                    verdicts.setdefault(name, "lifted, not simulated")
        return {name: verdicts[name] for name in kernels}

    def judge_reason(self, name, file, line, message):
        first, last, pattern = self.kernels[name]
        if not re.search(pattern, message):
            return "FOR ANOTHER REASON than %s: line %d: %s" % (pattern, line, message)
        if os.path.basename(file) == self.name and not first <= line <= last:
            return "AT ANOTHER PLACE: line %d: %s" % (line, message)
        return "declined: line %d: %s" % (line, message)

    def compare(self, path, kernels, verdicts):
        """Simulates the rewritten program as it is and with the originals."""
        folder = tempfile.mkdtemp(prefix="warpwright-attack-")
        try:
            argv = [self.tool, "sim", "--build-only", "--keep=" + folder]
            status, _, messages = self.run(argv + [path] + self.flags)
            if status:
                errors = re.findall(r"error: .*", messages)[:3]
                reason = " ".join(errors) or "status %d" % status
                for name in kernels:
                    verdicts.setdefault(name, "DOES NOT BUILD: " + reason)
                return
            program = os.path.join(folder, "program")
            outputs = []
            for setting in ("off", "on"):
                environment = {"WARPWRIGHT_SIM_CONTINUE": "1", "WARPWRIGHT_LOG": "1"}
                if setting == "off":
                    environment["WARPWRIGHT"] = "off"
                outputs.append(self.run([program], environment))
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        (_, before, _), (status, after, messages) = outputs
        before, after = self.by_kernel(before), self.by_kernel(after)
        for name in kernels:
            if name in verdicts:
                continue
            if name not in before:
                verdicts[name] = "NOT RUN: the original prints nothing"
            elif name not in after:
                verdicts[name] = "BREAKS: status %d: %s" % (status, messages[-300:])
            elif before[name] != after[name]:
                verdicts[name] = "DIFFERS: original %r, rewritten %r" % (
                    before[name],
                    after[name],
                )
            else:
                paths = re.findall(
                    r"^warpwright: %s\b[^:\n]*: (.*)$" % name, messages, re.M
                )
                verdicts[name] = "computes the same: " + "; ".join(paths)

    @staticmethod
    def by_kernel(output):
        """What was printed for each kernel, its checksum last."""
        result, lines = {}, []
        for line in output.split("\n"):
            lines.append(line)
            match = re.match(r"(\w+): error -?\d+, hash ", line)
            if match:
                result[match[1]] = "\n".join(lines)
                lines = []
        return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tool", default="build/bin/warpwright")
    parser.add_argument("--no-simulate", action="store_true")
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()
    tool = os.path.abspath(options.tool)
    names = [os.path.basename(path) for path in options.programs]
    names = names or sorted(n for n in os.listdir(HERE) if n.endswith(".cu"))
    counts = {}
    for name in names:
        program = Program(tool, name, simulate=not options.no_simulate)
        for kernel, verdict in program.judge().items():
            word = verdict.split(":")[0]
            word = word.split(" than ")[0]
            counts[word] = counts.get(word, 0) + 1
            print("%-24s %-28s %s" % (name, kernel, verdict), flush=True)
    print(", ".join("%s: %d" % pair for pair in sorted(counts.items())))
    right = ("computes the same", "declined", "lifted, not simulated")
    return 1 if any(word not in right for word in counts) else 0


if __name__ == "__main__":
    sys.exit(main())
