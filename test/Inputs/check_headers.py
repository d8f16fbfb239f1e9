"""check_headers.py CLANG SOURCE: what the headers of runtime/parse declare for the
parse, those of runtime/sim/include declare as well, with the same types.

Clang lists the functions of the former; for each of them a program that includes the
latter asks for a function of that name and type. So a new intrinsic that is declared for
one side only is found."""

import json
import re
import subprocess
import sys

clang, source = sys.argv[1:]
INCLUDES = "".join("#include <%s>\n" % name for name in (
    "cuda_runtime.h", "cuda_fp16.h", "cuda_bf16.h", "cuda_fp8.h", "cuda_pipeline.h",
    "cuda_pipeline_primitives.h", "cooperative_groups.h",
    "cooperative_groups/memcpy_async.h", "cuda/pipeline", "cuda/barrier",
    "cuda_awbarrier_primitives.h", "mma.h", "cuda.h"))

# Of one side only, since only that side needs it.
OWN = [
    r"__(hmma|imma|mma|bmma|dmma)_",  # what Clang calls wmma in NVIDIA's mma.h
    r"__nvvm_", r"__assert_fail$",  # builtins of Clang, and how assert ends
    # The simulator has one template for all, whose types follow from each other.
    r"nvcuda::wmma::mma_sync$|mma_sync$",
    # Not simulated: constant memory, stacks and the rest have no addresses of
    # their own.
    r"__is(Constant|Global|Local)$",
]


def functions(node, folder, where=None):
    """Of a dump of the AST: the name and type of each function in `folder`. A place
    names its file only where that is not the one before it."""
    where = where or [""]
    found = []
    for place in (node.get("loc"), *(node.get("range") or {}).values()):
        for part in ((place or {}).get("spellingLoc"),
                     (place or {}).get("expansionLoc"), place):
            where[0] = (part or {}).get("file", where[0])
        if place is node.get("loc"):
            own = where[0]
    if node["kind"] == "FunctionDecl" and own.startswith(folder):
        found.append((node["name"], node["type"]["qualType"]))
    if node["kind"] in ("TranslationUnitDecl", "NamespaceDecl", "LinkageSpecDecl"):
        for child in node.get("inner", ()):
            found += functions(child, folder, where)
    return found


parse = source + "/runtime/parse"
dump = subprocess.run(
    [clang, "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90a",
     "-nocudainc", "-nocudalib", "-include", "warpwright_parse.h", "-isystem",
     parse, "-std=c++17", "-fsyntax-only", "-w", "-Xclang", "-ast-dump=json", "-"],
    input=INCLUDES, stdout=subprocess.PIPE, text=True, check=True)
declared = sorted(set(functions(json.loads(dump.stdout), parse)))
declared = [each for each in declared
            if not any(re.match(pattern, each[0]) for pattern in OWN)]

program = INCLUDES + "using namespace nvcuda::wmma;\n" \
    "using namespace cooperative_groups;\nusing namespace cuda;\n"
for number, (name, type) in enumerate(declared):
    result, parameters = type.split("(", 1)
    program += '#line %d "declared"\nauto f%d = static_cast<%s (*)(%s>(&%s);\n' % (
        number + 1, number, result, parameters, name)
checked = subprocess.run(
    [clang, "-x", "c++", "-std=gnu++17", "-fdeclspec", "-mfma", "-mf16c", "-isystem",
     source + "/runtime/sim/include", "-ferror-limit=0", "-fsyntax-only",
     "-Wno-everything", "-"],
    input=program, stderr=subprocess.PIPE, text=True)
wrong = sorted({int(line) for line in
                re.findall(r"^declared:(\d+):\d+: error", checked.stderr, re.M)})
for number in wrong:
    print("not simulated as it is parsed: %s: %s" % declared[number - 1])
if checked.returncode and not wrong:
    sys.exit(checked.stderr)
print("%d functions declared alike" % (len(declared) - len(wrong)))
sys.exit(bool(wrong))
