"""Runs some random kernels whole in the simulator: rewritten against original."""

import os
import random
import re

COUNT = 32  # M, N and K: rows that TMA can read
ELEMENTS = 4096
FIXED = {"M": COUNT, "N": COUNT, "K": COUNT, "1": COUNT, "2": COUNT, "3": COUNT, "W": COUNT}
HELPERS = r"""
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
static unsigned state = 1;
static int draw(int low, int high) {
  state = state * 1664525u + 1013904223u;
  return low + (int)((state >> 8) % (unsigned)(high - low + 1));
}
template <class T> static T *array(char kind) {
  T *host = (T *)malloc(ELEMENTS * sizeof(T)), *device = nullptr;
  for (int i = 0; i < ELEMENTS; ++i)
    host[i] = (T)(float)(kind == 'i' ? draw(-1, 6) : draw(-3, 3));
  cudaMalloc(&device, ELEMENTS * sizeof(T));
  cudaMemcpy(device, host, ELEMENTS * sizeof(T), cudaMemcpyHostToDevice);
  free(host);
  return device;
}
template <class T> static void show(const char *name, T *device) {
  int error = cudaDeviceSynchronize();
  T *host = (T *)malloc(ELEMENTS * sizeof(T));
  cudaMemcpy(host, device, ELEMENTS * sizeof(T), cudaMemcpyDeviceToHost);
  unsigned hash = 2166136261u;
  for (int i = 0; i < ELEMENTS; ++i) {
    float value = (float)host[i] + 0.0f;
    unsigned bits = 0x7fc00000;
    if (value == value)
      memcpy(&bits, &value, 4);
    hash = (hash ^ bits) * 16777619u;
  }
  printf("%s error %d hash %08x first %g %g %g\n", name, error, hash,
         (double)(float)host[0], (double)(float)host[1], (double)(float)host[COUNT]);
  fflush(stdout);
  free(host);
}
"""


def launch(kernel, rng):
    """Statements that launch the kernel once and show what it wrote."""
    out, arguments, shown = [], [], []
    small = {"s": (-6, 24), "u": (0, 24), "q": (-6, 40), "c": (-128, 127),
             "g": (-6, 24), "m": (0, 6), "o": (0, 12), "x": (0, 1)}  # fmt: skip
    for type, name, kind, element in kernel.params:
        if type.endswith("*"):
            plain = type.replace("const ", "")[:-1].strip()
            out.append("%s *%s = array<%s>('%s');" % (plain, name, plain, element))
            arguments.append(name)
            if kind in "CD":
                shown.append(name)
        elif kind in FIXED:
            arguments.append(str(FIXED[kind]))
        elif kind == "f":
            arguments.append(rng.choice(("0.5f", "2.0f", "-1.0f", "3.0f")))
        else:
            arguments.append("(%s)%d" % (type, rng.randint(*small[kind])))
    x, y = rng.choice(((16, 16), (8, 8), (32, 4)))
    up = lambda extent, block: (extent + block - 1) // block
    grid, block = {
        "y": ((up(COUNT, x), up(COUNT, y)), (x, y)),
        "x": ((up(COUNT, x), up(COUNT, y)), (x, y)),
        "f": ((up(COUNT * COUNT, 64),), (64,)),
        "r": ((COUNT,), (32,)),
    }[kernel.shape[0]]
    if kernel.shape[1] == "z":
        grid = (*grid, 2)
    sizes = "dim3(%s), dim3(%s)" % (", ".join(map(str, grid)), ", ".join(map(str, block)))
    out.append("%s<<<%s>>>(%s);" % (kernel.call, sizes, kernel.arguments(", ".join(arguments))))
    out += ['show("%d", %s);' % (kernel.number, name) for name in shown]
    return "\n".join(out)


def run(options, batch, numbers, header, command):
    """{number: what is wrong} of the kernels in one program."""
    text = "#define COUNT %d\n#define ELEMENTS %d\n" % (COUNT, ELEMENTS) + header + HELPERS
    calls = []
    for n in numbers:
        kernel = batch.kernels[n]
        deep = 32 if kernel.types == ["f", "f"] else 64
        pragma = "#pragma warpwright matmul tile(64, 64, %d)" % deep
        text += batch.texts[n].replace("#pragma warpwright matmul", pragma)
        rng = random.Random("%d:%d" % (options.seed, n))
        text += "namespace n%d {\nvoid go() {\n%s\n}\n}\n" % (n, launch(kernel, rng))
        calls.append("n%d::go();" % n)
    path = batch.write("simulated.cu", text + "int main() {\n%s\n}\n" % "\n".join(calls))
    folder = os.path.join(batch.folder, "simulated")
    argv = [options.tool, "sim", "--build-only", "--keep=" + folder, path, "-std=c++17"]
    status, _, messages, _ = command(argv)
    if status:
        if len(numbers) == 1:
            errors = re.findall(r"error: .*", messages)
            return {numbers[0]: "does not build: %s" % (errors[:2] or status)}
        wrong = {}
        for n in numbers:
            wrong.update(run(options, batch, [n], header, command))
        return wrong
    lines, hopper = [], 0
    for setting in ("off", "on"):
        environment = {**os.environ, "WARPWRIGHT_SIM_CONTINUE": "1", "WARPWRIGHT_LOG": "1"}
        environment.pop("WARPWRIGHT", None)
        if setting == "off":
            environment["WARPWRIGHT"] = "off"
        _, output, messages, _ = command([os.path.join(folder, "program")], env=environment)
        hopper = len(re.findall(r": hopper ", messages))
        found = {}
        for line in output.split("\n"):
            found.setdefault(line.split(" ")[0], []).append(line)
        lines.append(found)
    print("%d kernels simulated, %d launches took the Hopper kernel" % (len(numbers), hopper))
    return {
        n: "original %s, rewritten %s" % (lines[0].get(str(n)), lines[1].get(str(n)))
        for n in numbers
        if lines[0].get(str(n)) != lines[1].get(str(n))
    }
