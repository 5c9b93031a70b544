"""python -m vizml: the same as the command `vizml`."""

import sys

from vizml.cli import main

if __name__ == "__main__":
    sys.exit(main())
