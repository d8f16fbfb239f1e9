#!/usr/bin/env python3
"""How many wrong lifts does the executed check find?

`warpwright-mistaken` is `warpwright`, but its lift makes the one mistake of
lib/Lift/Mistakes.def that WARPWRIGHT_MISTAKE names. For every mistake it lifts
the kernels of Inputs/mistakes.cu, and each is one of

    same      the contraction is the right one: the mistake does not matter here
    declined  for another reason than the check's
    caught    the executed check declines it (WW220)
    missed    another contraction than the right one, and the check agreed

A mistake is found when a kernel is caught and none is missed. A contraction that
reads differently but is right is named in EQUIVALENT, with the reason; one that
is wrong where no execution can get, in OUT_OF_REACH, and printed."""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import time

# (mistake, kernel): why the other contraction is as right.
NARROWER = "it asks for more of the launch than it must: slower, not wrong"
EMPTY = "N of 0 is an empty extent too, with which the original runs"
EQUIVALENT = {
    ("ElseNotNegated", "one_of_two_stores"): NARROWER,
    ("EitherIsFirst", "one_of_two_stores"): NARROWER,
    ("OverlayLost", "one_of_two_stores"): NARROWER,
    ("StoreOrderReversed", "one_of_two_stores"): "only one of the two happens",
    ("FusedRangeWrong", "flat_guarded"): NARROWER,
    ("RequirementsDropped", "flat"): EMPTY,
    ("RequirementsDropped", "flat_guarded"): EMPTY,
    ("RequirementsDropped", "flat_store"): EMPTY,
    ("RequirementsDropped", "groups"): "K below 0 is an empty extent as well",
    ("NegativeTripCount", "counted_to_the_end"): "a requirement excludes it",
    ("RequirementsDropped", "tiles"): "the indices ask for the same block",
    ("StoreGuardDropped", "tiles"): NARROWER,
    ("StepIgnored", "tiles"): NARROWER,
    ("StepIgnored", "fragments"): NARROWER,
    ("SelectSwapped", "sequences_of_heads"): NARROWER,
    ("RequirementsDropped", "sequences_of_heads"): "heads is asked for otherwise",
}

# (mistake, kernel): why no execution of bounded cost shows the difference.
THREADS = "M * N leaves 32 bits, so that the grid needs 2^32 threads"
ELEMENTS = "the matrices need 2^31 elements"
OUT_OF_REACH = {
    ("ObligationsDropped", "flat_guarded"): THREADS,
    ("UnsignedNeverWraps", "flat_guarded"): THREADS,
    ("UpperBoundIgnored", "flat_guarded"): THREADS,
    ("ObligationsDropped", "tiles"): ELEMENTS,
    ("UpperBoundIgnored", "tiles"): ELEMENTS,
    ("ObligationsDropped", "fragments"): ELEMENTS,
    ("UpperBoundIgnored", "fragments"): ELEMENTS,
}


def run(tool, inputs, flags, mistake=None):
    """The contraction of each kernel that was lifted, and the numbers of the
    warnings and remarks about each."""
    environment = dict(os.environ)
    environment.pop("WARPWRIGHT_MISTAKE", None)
    if mistake:
        environment["WARPWRIGHT_MISTAKE"] = mistake
    done = subprocess.run(
        [tool, "rewrite", "--emit=contraction", inputs, "--"] + flags,
        capture_output=True,
        text=True,
        env=environment,
    )
    if done.returncode < 0 or " error: " in done.stderr:
        sys.exit(f"{mistake or 'no mistake'}: {tool} fails:\n{done.stderr}")
    lifted = {}
    for part in re.split(r"(?m)^(?=contraction \")", done.stdout):
        if match := re.match(r'contraction "([^"]+)"', part):
            lifted[match.group(1)] = part
    said = {}
    for line in done.stderr.splitlines():
        if match := re.search(r"(?:warning|remark): '([^']+)' .*\[(WW\d+)\]$", line):
            # A race or a divergence has the number of what is wrong.
            executed = "rewritten: as it was executed, " in line
            number = "WW220" if executed else match.group(2)
            said.setdefault(match.group(1), {})[number] = line
        if match := re.search(r"temporary file '([^']+)'|; '([^']+)' has the launch", line):
            path = match.group(1) or match.group(2)
            if os.path.exists(path):
                os.unlink(path)
    return lifted, said


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", required=True, help="warpwright-mistaken")
    parser.add_argument("--inputs", required=True, help="the kernels")
    parser.add_argument("--table", required=True, help="Mistakes.def")
    parser.add_argument("--only", help="one mistake, with what the tool says")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("flags", nargs="*", help="Clang's, after --")
    options = parser.parse_args()

    with open(options.table, encoding="utf-8") as file:
        table = re.findall(r'(?m)^MISTAKE\((\w+),\s*"([^"]+)"\)', file.read())
    if options.only:
        table = [entry for entry in table if entry[0] == options.only]
    with open(options.inputs, encoding="utf-8") as file:
        kernels = re.findall(r"__global__ void (\w+)", file.read())

    # All of it is executed, and agrees, without a mistake.
    right, said = run(options.tool, options.inputs, options.flags)
    for kernel in kernels:
        for number in ("WW220", "WW506", "WW507"):
            if number in said.get(kernel, {}):
                sys.exit(f"without a mistake: {said[kernel][number]}")
    print(f"{len(right)} of {len(kernels)} kernels lifted and checked")

    start = time.time()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(
            pool.map(
                lambda entry: run(
                    options.tool, options.inputs, options.flags, entry[0]
                ),
                table,
            )
        )
    found = 0
    for (name, what), (lifted, said) in zip(table, results):
        caught, missed, declined, beyond = [], [], [], []
        for kernel in kernels:
            if "WW220" in said.get(kernel, {}):
                caught.append(kernel)
            elif kernel not in lifted:
                if kernel in right:
                    declined.append(kernel)
            elif lifted[kernel] != right.get(kernel):
                if (name, kernel) in OUT_OF_REACH:
                    beyond.append(kernel)
                elif (name, kernel) not in EQUIVALENT:
                    missed.append(kernel)
            # What is caught after all needs no excuse.
            if kernel in caught + declined and (
                (name, kernel) in EQUIVALENT or (name, kernel) in OUT_OF_REACH
            ):
                sys.exit(f"{name} is caught in {kernel}: it is no exception")
        good = bool(caught) and not missed
        found += good
        verdict = "caught" if good else "MISSED" if missed else "no effect"
        print(f"{verdict}: {name}: {what}")
        print(
            f"    {len(caught)} caught, {len(declined)} declined otherwise, "
            f"{len(missed)} missed"
        )
        for kernel in missed:
            print(f"    missed: {kernel}")
        for kernel in beyond:
            print(f"    out of reach: {kernel}: {OUT_OF_REACH[name, kernel]}")
        if options.only:
            for kernel in kernels:
                for line in said.get(kernel, {}).values():
                    if "WW504" not in line:
                        print(f"    {line}")
            for kernel in missed:
                print(lifted[kernel])
    print(f"{found} of {len(table)} mistakes caught")
    print(f"{time.time() - start:.0f} s", file=sys.stderr)
    return 0 if options.only or 20 * found >= 19 * len(table) else 1


if __name__ == "__main__":
    sys.exit(main())
