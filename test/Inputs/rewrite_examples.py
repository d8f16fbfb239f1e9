"""Rewrites all of docs/examples in a copy and reverts them. Generated text is to stay
worth reading, so it may not grow unseen; reverted files are to be the original ones.
The arguments are the tool, the root of the repository, a folder, and flags."""

import pathlib
import shutil
import subprocess
import sys

# Lines of all rewritten examples together, and of the first one that people read.
# Lower them when something made sections shorter.
MOST, MOST_MATMUL = 10966, 232

tool, source, folder, *flags = sys.argv[1:]
examples, work = pathlib.Path(source, "docs/examples"), pathlib.Path(folder)
shutil.copytree(examples, work)
problems, total = [], 0
for path in sorted([*work.glob("*.cu"), *work.glob("two_files/*.cu")]):
    before = path.read_bytes()
    command = [tool, "rewrite", "--no-check", "--in-place", str(path)]
    status = subprocess.run([*command, "--", *flags], capture_output=True).returncode
    if status not in (0, 2):
        problems.append(f"{path.name}: rewriting ends with {status}")
    lines = path.read_bytes().count(b"\n")
    total += lines
    if path.name == "matmul.cu" and lines > MOST_MATMUL:
        problems.append(f"matmul.cu has {lines} lines, more than {MOST_MATMUL}")
    command = [tool, "rewrite", "--revert", "--in-place", str(path)]
    if subprocess.run(command).returncode or path.read_bytes() != before:
        problems.append(f"{path.name}: reverting does not give back the original")
if total > MOST:
    problems.append(f"all rewritten examples have {total} lines, more than {MOST}")
print(f"{total} lines")
sys.exit("\n".join(problems) or 0)
