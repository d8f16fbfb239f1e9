"""Adds up what the runners wrote into a results folder.

Reads *.json of lit (--output), of GoogleTest (--gtest_output=json:) and of
check_tree.py, which writes lit's form, and the file `broken` with one line for
each runner that could not run. Names what failed and what was skipped, and
ends with the line `N passed, N failed, N skipped`. Exit status 1 if anything
failed or nothing passed.
"""

import collections
import json
import os
import re
import sys

EXPECTED = ("unit-0.json", "unit-1.json", "lit.json", "fuzz.json", "tree.json")


def read_gtest(data):
    """Yields (name, outcome, reason) of a GoogleTest report."""
    for suite in data["testsuites"]:
        for test in suite["testsuite"]:
            name = "unit :: %s.%s" % (suite["name"], test["name"])
            if test.get("failures"):
                yield name, "failed", ""
            elif test.get("result") == "SKIPPED" or test["status"] == "NOTRUN":
                skips = test.get("skipped") or [{}]
                reason = skips[0].get("message", "").strip().split("\n")[-1]
                yield name, "skipped", reason or "disabled"
            else:
                yield name, "passed", ""


def read_lit(data):
    """Yields (name, outcome, reason) of a lit report."""
    for test in data["tests"]:
        code = test["code"]
        if code in ("PASS", "XFAIL", "FLAKYPASS"):
            yield test["name"], "passed", ""
        elif code in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"):
            found = re.search(r"unavailable features?: (.*)", test["output"])
            reason = "needs " + found[1] if found else code.lower()
            yield test["name"], "skipped", reason
        else:
            yield test["name"], "failed", code


def main(folder):
    counts = collections.Counter()
    failed = []
    skipped = collections.defaultdict(list)

    def add(name, outcome, reason):
        counts[outcome] += 1
        if outcome == "failed":
            failed.append(name)
        elif outcome == "skipped":
            skipped[reason].append(name)

    broken = os.path.join(folder, "broken")
    could_not_run = []
    if os.path.exists(broken):
        with open(broken) as file:
            could_not_run = file.read().splitlines()
    for line in could_not_run:
        add(line, "failed", "")

    reports = set(os.listdir(folder)) | set(EXPECTED)
    for report in sorted(r for r in reports if r.endswith(".json")):
        path = os.path.join(folder, report)
        try:
            with open(path) as file:
                data = json.load(file)
        except (OSError, ValueError):
            # Without a build there is nothing for those to run.
            if not could_not_run or report == "tree.json":
                add("%s (no report: it crashed?)" % report, "failed", "")
            continue
        for row in read_gtest(data) if "testsuites" in data else read_lit(data):
            add(*row)

    for reason in sorted(skipped):
        names = skipped[reason]
        print("skipped, %s: %d" % (reason, len(names)))
        for name in sorted(names):
            print("  " + name)
    for name in failed:
        print("FAILED: " + name)
    print(
        "%d passed, %d failed, %d skipped"
        % (counts["passed"], counts["failed"], counts["skipped"])
    )
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
