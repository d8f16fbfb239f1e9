"""lit configuration: substitutions, and features probed from the machine."""

import os
import shutil
import subprocess

import lit.formats

config.name = "Warpwright"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cu", ".cuh", ".cpp", ".test"]
config.excludes = ["Inputs", "unit", "gpu"]
config.test_source_root = os.path.join(config.warpwright_source, "test")
config.test_exec_root = os.path.join(config.warpwright_build, "test")

# A user's settings must not change what the tests see.
for name in ("WARPWRIGHT", "WARPWRIGHT_LOG", "WARPWRIGHT_VERIFY"):
    config.environment.pop(name, None)
config.environment["LC_ALL"] = "C"
# The headers that stand in for the toolkit's are parsed once for all tests.
config.environment["WARPWRIGHT_HEADER_CACHE"] = os.path.join(
    config.test_exec_root, "headers"
)


def find_cuda():
    """The toolkit's root, or None: CUDA_HOME, CUDA_PATH, nvcc on PATH, then
    the usual place."""
    candidates = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH")]
    on_path = shutil.which("nvcc")
    if on_path:
        # nvcc may be a wrapper script outside the toolkit, so ask it.
        dry = subprocess.run(
            [on_path, "--dryrun", "-E", "-x", "cu", os.devnull],
            capture_output=True,
            text=True,
        )
        for line in dry.stderr.splitlines():
            if line.startswith("#$ TOP="):
                candidates.append(line[len("#$ TOP=") :].strip())
    candidates.append("/usr/local/cuda")
    for root in candidates:
        if root and os.path.exists(os.path.join(root, "include", "cuda.h")):
            return os.path.realpath(root)
    return None


def find_gpu():
    """True if the first GPU is of compute capability 9.0."""
    smi = shutil.which("nvidia-smi")
    if not smi:
        return False
    query = subprocess.run(
        [smi, "--query-gpu=compute_cap", "--format=csv,noheader"],
        capture_output=True,
        text=True,
    )
    return query.returncode == 0 and query.stdout.split()[:1] == ["9.0"]


cuda = find_cuda()
nvcc = shutil.which("nvcc")
if not nvcc and cuda and os.path.exists(os.path.join(cuda, "bin", "nvcc")):
    nvcc = os.path.join(cuda, "bin", "nvcc")
if cuda:
    config.available_features.add("cuda-toolkit")
if cuda and nvcc:
    config.available_features.add("nvcc")
    if find_gpu():
        config.available_features.add("gpu-sm90")

tools = config.llvm_tools
paths = [os.path.join(config.warpwright_build, "bin"), tools]
if nvcc:
    paths.append(os.path.dirname(nvcc))
paths.append(config.environment.get("PATH", ""))
config.environment["PATH"] = os.pathsep.join(paths)

# How a file is parsed where there is no CUDA Toolkit.
config.parse_flags = ["-nocudainc", "-nocudalib", "-include", "warpwright_parse.h"]
config.parse_flags += [
    "-isystem",
    os.path.join(config.warpwright_source, "runtime", "parse"),
]
# The headers that most programs include, behind these: precompiled with them.
config.standard_headers = [
    word
    for header in "cmath cstdint cstdio cstdlib cstring type_traits vector".split()
    for word in ("-include", header)
]
# Whole words only: a test may well name a file FileCheck-something.
for tool in ("FileCheck", "not", "count", "split-file"):
    config.substitutions.append((r"%" + tool + r"\b", os.path.join(tools, tool)))
config.substitutions += [
    (r"%warpwright\b", os.path.join(config.warpwright_build, "bin", "warpwright")),
    (r"%clang\b", os.path.join(tools, "clang")),
    (r"%cmake\b", config.cmake),
    (r"%nvcc\b", nvcc or "nvcc-not-found"),
    (r"%cuda\b", cuda or "cuda-not-found"),
    (r"%inputs\b", os.path.join(config.test_source_root, "Inputs")),
    (r"%source\b", config.warpwright_source),
    (r"%build\b", config.warpwright_build),
    (
        r"%edit_runtime\b",
        "python3 "
        + os.path.join(config.warpwright_source, "test", "Inputs", "edit_runtime.py")
        + " "
        + os.path.join(config.warpwright_source, "runtime", "include"),
    ),
    (
        r"%schedule\b",
        "python3 -B %s --tool=%s --checker=%s"
        % (
            os.path.join(config.warpwright_source, "tools", "schedule", "compare.py"),
            os.path.join(config.warpwright_build, "bin", "warpwright"),
            os.path.join(config.warpwright_build, "bin", "warpwright-schedule"),
        ),
    ),
    (r"%runtime\b", os.path.join(config.warpwright_source, "runtime", "include")),
    (r"%standard\b", " ".join(config.standard_headers)),
    (r"%parse\b", " ".join(config.parse_flags)),
]
