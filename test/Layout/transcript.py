"""Replays transcripts: runs each line `$ warpwright ...` of the files given and
compares what it prints with the lines below, up to an empty line, the next
command or the end of a code block. A command that fails must be followed by
what it says on stderr.

    transcript.py WARPWRIGHT FILE... [--at-least=N]
"""

import shlex
import subprocess
import sys
import tempfile


def commands(path):
    """Yields (line number, arguments, expected output) of each command."""
    with open(path) as file:
        lines = file.read().split("\n")
    for number, line in enumerate(lines):
        if not line.startswith("$ warpwright "):
            continue
        expected = []
        for below in lines[number + 1 :]:
            if not below or below.startswith(("$ ", "```")):
                break
            expected.append(below)
        yield number + 1, shlex.split(line)[2:], expected


def main(tool, paths):
    at_least = 1
    done = failed = 0
    for path in paths:
        if path.startswith("--at-least="):
            at_least = int(path.split("=")[1])
            continue
        for number, arguments, expected in commands(path):
            with tempfile.TemporaryDirectory() as folder:
                run = subprocess.run(
                    [tool] + arguments,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                    cwd=folder,
                    timeout=60,
                )
            printed = [line.rstrip() for line in run.stdout.rstrip("\n").split("\n")]
            says_error = any("error:" in line for line in expected)
            done += 1
            if printed != expected or (run.returncode != 0) != says_error:
                failed += 1
                print("%s:%d: %s" % (path, number, shlex.join(arguments)))
                print("  expected:", *expected, sep="\n    ")
                print("  status %d:" % run.returncode, *printed, sep="\n    ")
    print("%d commands, %d differ" % (done, failed))
    if done < at_least:
        print("expected at least %d commands" % at_least)
    return 1 if failed or done < at_least else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
