"""`vizml fit`: train a model and print its scores and figures."""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser, Namespace

from vizml.commands._options import add_run_arguments, run_of
from vizml.commands._runs import readable

ABOUT = "Train a model and print its scores and figures."


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the subcommand."""
    add_run_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print JSON, without the time that it took")


def run(given: Namespace) -> None:
    """Train, and print the report."""
    asked = run_of(given)
    started = time.perf_counter()
    state, steps = asked.request.state()
    seconds = time.perf_counter() - started
    report = asked.report(state, steps)
    print(json.dumps(report, indent=1) if given.json else readable(report, seconds))
