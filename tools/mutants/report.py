# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The results of the mutants: the score, the survivors, and the page about them."""

import collections
import fnmatch

GOAL = 0.95
DEADLOCKS = {"WW701"}
BEGIN, END = "<!-- begin of what mutants.py writes -->", "<!-- end -->"


def read_equivalents(path):
    """Entries (programs, key, reason): `programs` is a pattern of names. Lines
    that begin with white space are the reason of all entries above that have
    none yet."""
    entries, reason = [], ""
    for line in path.read_text().splitlines() if path.exists() else []:
        if not line.strip() or line.startswith("//"):
            continue
        if line[0].isspace():
            reason = (reason + " " + line.strip()).strip()
            continue
        if reason:
            give(entries, reason)
            reason = ""
        programs, _, key = line.partition(" | ")
        entries.append([programs.strip(), key.strip(), ""])
    give(entries, reason)
    return [tuple(entry) for entry in entries]


def give(entries, reason):
    for entry in entries:
        entry[2] = entry[2] or reason


class Score:
    def __init__(self, results, entries):
        self.results = results
        self.entries = entries
        self.reasons = {}
        self.wrong = []
        used = set()
        for program, mutants in results.items():
            for key, entry in mutants.items():
                for number, (names, pattern, reason) in enumerate(entries):
                    if not fnmatch.fnmatchcase(program, names):
                        continue
                    if not matches(pattern, key):
                        continue
                    used.add(number)
                    if entry["verdict"] == "survived":
                        self.reasons[program, key] = reason
                    elif entry["verdict"] != "same":
                        self.wrong.append(
                            "%s: %s: listed as equivalent, but caught: %s" %
                            (program, key, entry["verdict"]))
        self.unused = [entries[i] for i in range(len(entries))
                       if i not in used]

    def errors(self, whole):
        rates = [self.rate(p) for p in self.results]
        return self.wrong or (whole and (
            self.unused or any(rate < GOAL for rate in rates)))

    def rate(self, program):
        caught, left, _ = self.count(program)
        return caught / (caught + left) if caught + left else 1.0

    def count(self, program):
        """Caught, survived and equivalent mutants."""
        caught = left = equivalent = 0
        for key, entry in self.results[program].items():
            if entry["verdict"] == "same":
                continue
            if entry["verdict"] != "survived":
                caught += 1
            elif (program, key) in self.reasons:
                equivalent += 1
            else:
                left += 1
        return caught, left, equivalent

    def survivors(self):
        return [(program, key) for program, mutants in self.results.items()
                for key, entry in mutants.items()
                if entry["verdict"] == "survived" and
                (program, key) not in self.reasons]

    def print(self, whole):
        for program in self.results:
            print("%s: %s" % (program, self.line(program)))
        for program, key in self.survivors():
            print("survived: %s | %s" % (program, key))
        for message in self.wrong:
            print("error: " + message)
        if whole:
            for names, key, _ in self.unused:
                print("error: no such mutant: %s | %s" % (names, key))

    def line(self, program):
        caught, left, equivalent = self.count(program)
        return ("%d of %d mutants caught, %.1f %%; %d equivalent" %
                (caught, caught + left, 100 * self.rate(program), equivalent))

    def by_verdict(self, program):
        counts = collections.Counter(
            kind(entry["verdict"]) for entry in self.results[program].values())
        return counts

    def write_docs(self, path, programs, total):
        text = path.read_text()
        before, _, rest = text.partition(BEGIN)
        _, _, after = rest.partition(END)
        path.write_text(before + BEGIN + "\n\n" + self.tables(programs, total) +
                        "\n" + END + after)

    def tables(self, programs, total_number):
        shown = [p for p in programs if p.name in self.results]
        kinds = ["validator", "compiler", "launcher", "deadlock", "finding",
                 "result", "crash", "endless"]
        judged = sum(map(len, self.results.values()))
        lines = ["%d of %d edits judged%s; the compiler makes the same code "
                 "of %d, and %d are equivalent." % (
                     judged, total_number, "" if judged == total_number else
                     ", a random sample",
                     sum(e["verdict"] == "same" for m in
                         self.results.values() for e in m.values()),
                     len(self.reasons)), "",
                 "| kernel | | mutants | " + " | ".join(kinds) +
                 " | survived | score |",
                 "|---|---|" + "---|" * (len(kinds) + 3)]
        total = collections.Counter()
        for p in shown:
            caught, left, equivalent = self.count(p.name)
            counts = self.by_verdict(p.name)
            total.update(counts)
            total["all"] += caught + left
            total["left"] += left
            lines.append("| `%s` | %s | %d | %s | %d | %.1f %% |" % (
                p.name, p.note, caught + left,
                " | ".join(str(counts[k]) for k in kinds), left,
                100 * self.rate(p.name)))
        lines.append("| all | | %d | %s | %d | %.1f %% |" % (
            total["all"], " | ".join(str(total[k]) for k in kinds),
            total["left"], 100 * (1 - total["left"] / max(1, total["all"]))))
        lines += ["", "The findings, by their number:", "",
                  "| finding | mutants |", "|---|---|"]
        numbers = collections.Counter(
            e["verdict"] for m in self.results.values() for e in m.values()
            if e["verdict"].startswith("WW"))
        for number in sorted(numbers):
            lines.append("| %s | %d |" % (number, numbers[number]))
        lines += ["", "What the validator says of plan files:", "",
                  "| property | mutants |", "|---|---|"]
        properties = collections.Counter(
            e["verdict"].partition(": ")[2] for m in self.results.values()
            for e in m.values() if e["verdict"].startswith("validator"))
        for name in sorted(properties):
            lines.append("| %s | %d |" % (name, properties[name]))
        lines += ["", "### Survivors", ""]
        grouped = {}
        for program, key in self.survivors():
            grouped.setdefault(key, []).append(program)
        for key in sorted(grouped):
            lines.append("- %s (%s)" % (code(key), ", ".join(grouped[key])))
        if not grouped:
            lines.append("None.")
        lines += ["", "### Equivalent mutants", ""]
        reasons = {}
        for (program, key), reason in sorted(self.reasons.items()):
            reasons.setdefault(reason, {}).setdefault(key, []).append(program)
        for reason in sorted(reasons):
            lines.append("%s:" % reason.rstrip("."))
            lines.append("")
            for key in sorted(reasons[reason]):
                lines.append("- %s (%s)" % (code(key), ", ".join(
                    reasons[reason][key])))
            lines.append("")
        return "\n".join(lines)


def matches(pattern, key):
    """A pattern is a key in which `...` stands for anything."""
    pieces = pattern.split("...")
    if not key.startswith(pieces[0]) or not key.endswith(pieces[-1]):
        return False
    at = 0
    for piece in pieces:
        at = key.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return len(pieces) > 1 or key == pattern


def kind(verdict):
    if verdict in DEADLOCKS:
        return "deadlock"
    if verdict.startswith("validator"):
        return "validator"
    return "finding" if verdict.startswith("WW") else verdict


def code(text):
    return "`" + text.replace("`", "'").replace("|", "\\|") + "`"
