"""status.py N command...: runs the command; succeeds if it exits with N."""

import subprocess
import sys

status = subprocess.run(sys.argv[2:], check=False).returncode
if status != int(sys.argv[1]):
    print(f"exit status {status}, expected {sys.argv[1]}", file=sys.stderr)
    sys.exit(1)
