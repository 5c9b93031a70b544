"""Options that several subcommands share: data, model and run, size and appearance of a figure."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from vizml.commands._runs import CommandRun
from vizml.data import Split
from vizml.data.params import Integer, Real
from vizml.learn import all_tasks

SEED = Integer(name="seed", default=0, lo=0, hi=2**32 - 1, help="the seed of the run and of the split")
HOLDOUT = Real(name="holdout", default=0.0, lo=0.0, hi=0.9, help="the share of the points to hold out")
STAGE = Integer(name="stage", default=1, lo=1, hi=100, help="which stage of a project")
SCALE = Real(name="scale", default=1.0, lo=0.1, hi=16.0, help="pixels to each unit of the size")
SIDE = Integer(name="size", default=1000, lo=64, hi=16384, help="one side of the picture")


def add_run_arguments(parser: ArgumentParser) -> None:
    """Add the options that choose data, model and run."""
    add = parser.add_argument
    data = "a data set, with options (moons:n=300,noise=0.2), a CSV file or a project"
    add("--data", required=True, metavar="D", help=data)
    add("--model", metavar="M", help="a model's id, as 'vizml list' gives it; a project has its own")
    add("--stage", metavar="N", help=f"{STAGE.help}; the first if not given")
    add("--task", metavar="T", help=", ".join(task.id for task in all_tasks()))
    add("--set", action="append", default=[], metavar="K=V", help="set a parameter; may be repeated")
    add("--seed", metavar="S", help=SEED.help)
    add("--holdout", metavar="SHARE", help=HOLDOUT.help)
    add("--standardise", action="store_true", help="scale the inputs to mean 0 and standard deviation 1")


def run_of(given: Namespace) -> CommandRun:
    """Return the run that the options ask for; ValueError says what is wrong with them."""
    seed = None if given.seed is None else int(SEED.parse(given.seed))
    holdout = None if given.holdout is None else float(HOLDOUT.parse(given.holdout))
    if given.model is not None:
        refuse(given, ("stage",), "is for a project's own models: leave --model out")
        split = Split(holdout or 0.0, seed or 0)
        asked = CommandRun.of(given.data, given.model, given.task, given.set, split)
        return asked.standardised(given.standardise)
    if not given.data.lower().endswith(".vizml"):
        raise ValueError("--model is missing: 'vizml list' names the models; only a project has its own")
    refuse(given, ("task",), "goes with --model: a project's model has its task")
    stage = int(STAGE.parse(given.stage or str(STAGE.default)))
    return CommandRun.saved(given.data, stage, given.set, seed, holdout).standardised(given.standardise)


def refuse(given: Namespace, names: tuple[str, ...], why: str) -> None:
    """Raise ValueError where one of some options is given."""
    for name in names:
        if getattr(given, name):
            raise ValueError(f"--{name} {why}")


def size_of(text: str) -> tuple[int, int]:
    """Return width and height out of '1000x800'."""
    width, times, height = text.lower().partition("x")
    if not times:
        raise ValueError(f"size must be width and height in pixels, such as 1000x800, not '{text}'")
    return int(SIDE.parse(width)), int(SIDE.parse(height))
