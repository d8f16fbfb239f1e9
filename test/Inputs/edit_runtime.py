"""edit_runtime.py RUNTIME COPY HEADER EDIT...: copies the runtime's headers, makes a
mistake in one of them by sed's expressions EDIT, and fails if none of them changes
anything. What is then built with -I COPY has the mistake."""

import os
import shutil
import subprocess
import sys

runtime, copy, header, *edits = sys.argv[1:]
shutil.rmtree(copy, ignore_errors=True)
shutil.copytree(runtime, copy)
path = os.path.join(copy, "warpwright", "rt", header)
with open(path) as file:
    before = file.read()
for edit in edits:
    subprocess.run(["sed", "-i", "-e", edit, path], check=True)
    with open(path) as file:
        after = file.read()
    if after == before:
        sys.exit(f"{header}: nothing changes by {edit}")
    before = after
