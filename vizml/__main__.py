"""The entry, as `vizml` and as `python -m vizml`: sets what libraries read as they load, then obeys."""

import os
import sys


def main() -> int:
    """Run the command line."""
    # Read when numpy is imported, so it comes first. OpenBLAS's threads spin while they wait: beside a busy
    # window they turn a field of 1 ms into one of 150 ms, and matrices as small as ours gain nothing.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Qt shuffles its hash tables anew at each start, and a PDF has its fonts in their order.
    os.environ.setdefault("QT_HASH_SEED", "0")
    from vizml.commands import main as obey

    return obey()


if __name__ == "__main__":
    sys.exit(main())
