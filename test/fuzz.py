"""Runs the fuzz target of the layout language for a while.

    fuzz.py FUZZER --output FILE [--seconds N] [--corpus FOLDER]

Starts from the expressions of the conformance vectors and of the lit tests. The
input of a crash, a hang or an allocation without bound is printed, and left in
the corpus folder. Writes a result in lit's form; exit status 1 if there was a
crash.
"""

import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def seeds():
    """The expressions of the vectors, the lit tests and the documentation."""
    with open(os.path.join(HERE, "Inputs", "layout.jsonl")) as file:
        for line in file:
            yield json.loads(line)["expr"]
    pages = glob.glob(os.path.join(HERE, "Layout", "*.test"))
    pages.append(os.path.join(HERE, "..", "docs", "layout.md"))
    for path in sorted(pages):
        with open(path) as file:
            for match in re.finditer(r"warpwright layout '([^'\n]+)'", file.read()):
                yield match[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("fuzzer")
    parser.add_argument("--output", required=True)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--corpus", help="a folder to keep; default: temporary")
    options = parser.parse_args()

    temporary = tempfile.TemporaryDirectory()
    corpus = options.corpus or os.path.join(temporary.name, "corpus")
    os.makedirs(corpus, exist_ok=True)
    count = 0
    for count, text in enumerate(sorted(set(seeds())), 1):
        with open(os.path.join(corpus, "seed-%04d" % count), "w") as file:
            file.write(text)
    artifacts = os.path.join(corpus, "crashes", "")
    os.makedirs(artifacts, exist_ok=True)
    start = time.time()
    run = subprocess.run(
        [
            options.fuzzer,
            "-max_total_time=%d" % options.seconds,
            "-max_len=400",
            "-timeout=10",
            "-rss_limit_mb=2048",
            "-malloc_limit_mb=512",
            "-seed=1",
            "-print_final_stats=1",
            "-dict=" + os.path.join(HERE, "unit", "Fuzz", "expressions.dict"),
            "-artifact_prefix=" + artifacts,
            corpus,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    found = re.search(r"number_of_executed_units: (\d+)", run.stdout)
    executed = int(found[1]) if found else 0
    crashes = sorted(os.listdir(artifacts))
    # A fuzzer that did nothing proves nothing.
    passed = run.returncode == 0 and not crashes and executed > count > 0
    print("%d inputs from %d seeds, %d crashes" % (executed, count, len(crashes)))
    if not passed:
        print("\n".join(run.stdout.split("\n")[-60:]))
    for name in crashes:
        with open(os.path.join(artifacts, name), "rb") as file:
            print("%s: %r" % (name, file.read()))
    test = {
        "name": "fuzz :: layout expressions",
        "code": "PASS" if passed else "FAIL",
        "elapsed": time.time() - start,
        "output": run.stdout[-4000:],
    }
    with open(options.output, "w") as file:
        json.dump({"tests": [test]}, file)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
