"""edit_runtime.py RUNTIME COPY (HEADER EDIT...)...: copies the runtime's headers, makes
mistakes in some of them by sed's expressions EDIT, and fails if one of them changes
nothing. What is then built with -I COPY has the mistakes.

A mistake that can be made while the program runs is written as a condition,
MISTAKE(name): it holds if there is a variable MISTAKE_name in the environment. So one
build has many mistakes, of which each run makes one."""

import os
import re
import shutil
import subprocess
import sys

runtime, copy, *rest = sys.argv[1:]
shutil.rmtree(copy, ignore_errors=True)
shutil.copytree(runtime, copy)


def read(path):
    with open(path) as file:
        return file.read()


edited = {}
path = None
for word in rest:
    if word.endswith(".cuh"):
        path = os.path.join(copy, "warpwright", "rt", word)
        edited[path] = read(path)
        continue
    subprocess.run(["sed", "-i", "-e", word, path], check=True)
    if read(path) == edited[path]:
        sys.exit(f"{path}: nothing changes by {word}")
    edited[path] = read(path)
for path, text in edited.items():
    with open(path, "w") as file:
        file.write(re.sub(r"\bMISTAKE\((\w+)\)", r'(::getenv("MISTAKE_\1") != nullptr)', text))
