"""Runs a command with stderr on a terminal; prints what that shows, and ends as
the command does."""

import os
import pty
import subprocess
import sys

ours, theirs = pty.openpty()
run = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=theirs)
os.close(theirs)
shown = b""
while True:
    try:
        more = os.read(ours, 4096)
    except OSError:  # the other end is closed
        break
    if not more:
        break
    shown += more
sys.stdout.write(shown.decode().replace("\r", "\n"))
sys.exit(run.wait())
