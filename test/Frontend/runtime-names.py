"""What a file must not declare, wherever it does: the names of the runtime, which
is included in front of it. Each line is put before a kernel, and then behind it.
The same with a namespace's other names, which are in nobody's way.
"""

import argparse
import os
import subprocess

KERNEL = """
#pragma warpwright matmul
__global__ void gemm(const float *A, const float *B, float *C, int M, int N,
                     int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * B[k * N + col];
  C[row * N + col] = acc;
}
"""

TAKEN = """
struct warpwright { int x; };
class warpwright;
enum warpwright { a_b };
enum class warpwright { a };
union warpwright { int i; float f; };
typedef int warpwright;
using warpwright = int;
template <class T> struct warpwright {};
template <class T> constexpr int warpwright = 3;
void warpwright();
extern "C" void warpwright(void);
static int warpwright;
namespace m { struct warpwright {}; } using m::warpwright;
namespace m {} namespace warpwright = m;
inline namespace warpwright { struct Mine {}; }
namespace warpwright { struct rt {}; }
namespace warpwright { enum { rt }; }
namespace warpwright { void rt(); }
namespace warpwright { static int rt = 3; }
namespace warpwright { using rt = int; }
namespace m {} namespace warpwright { namespace rt = ::m; }
namespace warpwright { inline namespace rt { struct Mine {}; } }
namespace warpwright { namespace rt { struct Launch {}; } }
namespace warpwright { namespace rt { template <class> struct plans; } }
namespace warpwright { namespace rt { struct v2 {}; } }
namespace warpwright { namespace rt { namespace v2 { struct decisions {}; } } }
namespace warpwright { namespace rt { void run(int); } }
"""

FREE = """
namespace warpwright { struct Mine {}; void run(); namespace rt_ {} }
namespace warpwright { namespace rt {} }
struct rt { int x; };
namespace rt { int min(int); struct Launch {}; }
namespace { struct warpwright {}; }
namespace m { struct warpwright {}; } using namespace m;
namespace m { namespace warpwright { namespace rt { struct Launch {}; } } }
struct run {}; struct plans {}; struct decisions {}; struct Launch {};
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("flags", nargs="*")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    source = os.path.join(options.work, "names.cu")

    def rewrite(text, more=()):
        with open(source, "w") as file:
            file.write(text)
        command = [options.tool, "rewrite", "--no-check", source]
        command += ["-o", source + ".out", "--", *options.flags, *more]
        done = subprocess.run(command, capture_output=True, text=True)
        return done.returncode, done.stderr

    wrong = 0

    def expect(line, taken, done):
        nonlocal wrong
        status, text = done
        declined = status == 2 and "[WW406]" in text and "launcher needs" in text
        if declined != taken or (not taken and status != 0):
            wrong += 1
            print(f"wrong: {line}: status {status}\n{text}")

    cases = [(line, True) for line in TAKEN.strip().splitlines()]
    cases += [(line, False) for line in FREE.strip().splitlines()]
    for line, taken in cases:
        expect(line, taken, rewrite(line + KERNEL))
        if "using namespace" not in line:
            expect(line, taken, rewrite(KERNEL + line))
    flags = ["-Dwarpwright=3", "-Drt=3", "-Dsame_tokens=3", "-Dstages=3"]
    for flag in flags:
        expect(flag, flag != "-Dstages=3", rewrite(KERNEL, [flag]))
    print(f"{len(cases) + len(flags)} declarations and flags, {wrong} wrong")


main()
