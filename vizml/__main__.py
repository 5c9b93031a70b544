"""Entry point of `vizml` and `python -m vizml`: set the environment of libraries, run the command line."""

import ctypes
import os
import sys

ARENA_MAX, ARENAS = -8, 2
"""The parameter M_ARENA_MAX of mallopt of the GNU C library, and its value."""


def main() -> int:
    """Run the command line."""
    # numpy reads this when it is imported. OpenBLAS's threads spin while they wait: beside a busy
    # window they turn a field of 1 ms into one of 150 ms, and matrices as small as ours gain nothing.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Qt orders hash tables differently at each start, and with them the fonts of a PDF.
    os.environ.setdefault("QT_HASH_SEED", "0")
    # The GNU C library gives each thread an arena of memory, up to eight for each processor, and arrays of
    # workers leave them full of holes: 300 random actions end with 275 MB, with two arenas with 234 MB.
    if hasattr(ctypes.pythonapi, "mallopt"):
        ctypes.pythonapi.mallopt(ARENA_MAX, ARENAS)
    from vizml.commands import main as run_command_line

    return run_command_line()


if __name__ == "__main__":
    sys.exit(main())
