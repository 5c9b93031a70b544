"""`python -m tests.campaigns NAME SEED LENGTH`, as `./scripts/soak` calls it."""

import sys

from tests.campaigns import cli

sys.exit(cli.main(sys.argv[1:]))
