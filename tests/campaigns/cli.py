"""Arguments of the campaigns."""

import argparse
import subprocess
import tempfile
from importlib import import_module
from pathlib import Path

from tests.campaigns import campaign

CASES = {"numbers": "tests.campaigns.numbers", "files": "tests.campaigns.files"}


def main(arguments: list[str]) -> int:
    """Run a campaign, print its report, and return 1 where anything failed."""
    if arguments[:1] == ["child"]:
        name, seed, start, stop, log = arguments[1:]
        campaign.child(import_module(CASES[name]).case, int(seed), range(int(start), int(stop)), Path(log))
        return 0
    if arguments[:1] == ["window"]:
        from tests.campaigns import random_use

        return random_use.run(int(arguments[1]), float(arguments[2]), Path(arguments[3]))
    if arguments[:1] == ["kill-child"]:
        from tests.campaigns import kills

        return kills.child(arguments[1], int(arguments[2]), Path(arguments[3]))
    parser = argparse.ArgumentParser(prog="soak", description="Run a long campaign of random cases.")
    parser.add_argument("campaign", choices=[*CASES, "random", "kill"])
    parser.add_argument("seed", type=int)
    parser.add_argument("length", type=int, help="cases, or seconds of random use, or rounds of kills")
    parser.add_argument("--case", type=int, help="run one case alone")
    parser.add_argument("--start", type=int, default=0, help="number of the first case")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="end after this time")
    given = parser.parse_args(arguments)
    if given.campaign == "random":
        return _use_window(given.seed, min(given.length, given.seconds))
    if given.campaign == "kill":
        from tests.campaigns import kills

        return kills.run(given.seed, given.length, given.seconds)
    if given.case is not None:
        results = [campaign.run_case(import_module(CASES[given.campaign]).case, given.seed, given.case)]
    else:
        results = campaign.run(given.campaign, given.seed, given.length, given.seconds, given.start)
    print(campaign.report(given.campaign, given.seed, results))
    return int(any(result.failures for result in results))


def _use_window(seed: int, seconds: float) -> int:
    """Use the window in a process with a home folder of its own; a crash is a failure."""
    with tempfile.TemporaryDirectory(prefix="vizml-random-") as home:
        command, environment = campaign.program(Path(home), "window", seed, seconds, home)
        status = subprocess.call(command, cwd=campaign.ROOT, env=environment)
        actions = (Path(home) / "actions.txt").read_text().splitlines()
    if status < 0:
        print(f"random: seed {seed}, the process ended with signal {-status} after", *actions[-12:], sep="\n")
    return int(status != 0)
