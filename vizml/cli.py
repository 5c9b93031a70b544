"""The command line: open the window, list what there is, fit a model, render a picture."""

from __future__ import annotations

import json
import os
import sys
import time
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from vizml.data import Split
from vizml.data.params import Integer, Real
from vizml.learn.task import tasks

if TYPE_CHECKING:
    from vizml.experiment import Experiment

_SEED = Integer(name="seed", default=0, lo=0, hi=2**32 - 1, help="the seed of the run and of the split")
_HOLDOUT = Real(name="holdout", default=0.0, lo=0.0, hi=0.9, help="the share of the points to hold out")
_STAGE = Integer(name="stage", default=1, lo=1, hi=100, help="which stage of a project")
_SCALE = Real(name="scale", default=1.0, lo=0.1, hi=16.0, help="pixels to each unit of the size")
_STEP = Integer(name="step", default=1, lo=1, hi=10**9, help="show what was learned after this step")
_PICTURES = Integer(name="pictures", default=60, lo=2, hi=1000, help="how many an animation has at the most")
_RATE = Real(name="rate", default=10.0, lo=0.2, hi=50.0, help="pictures of an animation a second")
_SIDE = Integer(name="size", default=1000, lo=64, hi=16384, help="one side of the picture")
_COMMAND_NAMES = ("list", "fit", "render")
_WRONG = 2
_INTERRUPTED = 130

_COMMANDS = """
commands:
  vizml [FILE]     open the window, with a project (.vizml) or a CSV file in it
  vizml list       tasks, models with their parameters, data sets with their options
  vizml fit        train a model and print how good it is
  vizml render     train a model and draw it to a PNG, SVG or PDF file, or its run to a GIF; needs no screen

vizml COMMAND --help tells more. For example:
  vizml fit --data moons:n=300,noise=0.3 --model svm --set C=10 --holdout 0.3
  vizml render --data iris --model tree --set max_depth=3 -o iris.svg
  vizml render --data lesson.vizml -o figure.pdf
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; 0, or 2 after one line on stderr that says what was wrong."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        status = _dispatch(arguments)
        sys.stdout.flush()
        return status
    except SystemExit as told:  # --help and --version have said what they had to
        return int(told.code or 0)
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return _INTERRUPTED
    except (ValueError, OSError, MemoryError) as error:
        print("vizml:", " ".join(str(error).split()) or type(error).__name__, file=sys.stderr)
        return _WRONG
    except Exception as error:  # noqa: BLE001 (a script wants one line, whatever a model's code raises)
        print(f"vizml: a fault of the program, please report it: {error!r}", file=sys.stderr)
        return _WRONG


class _Parser(ArgumentParser):
    """Says what is wrong in one line, as everything else does."""

    def error(self, message: str) -> NoReturn:
        raise ValueError(f"{message}; '{self.prog} --help' tells what may be")


def _dispatch(arguments: list[str]) -> int:
    if not arguments or arguments[0] not in _COMMAND_NAMES:
        return _open(_parser().parse_args(arguments).file)
    command, rest = arguments[0], arguments[1:]
    if command == "list":
        return _list(_list_parser().parse_args(rest))
    if command == "fit":
        return _fit(_fit_parser().parse_args(rest))
    return _render(_render_parser().parse_args(rest))


def _parser() -> ArgumentParser:
    from vizml import __version__

    parser = _Parser(
        prog="vizml",
        description="A desktop lab for decision boundaries: click points, pick an algorithm, watch it learn.",
        epilog=_COMMANDS,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
        usage="vizml [FILE] | list | fit | render",
    )
    parser.add_argument("file", nargs="?", metavar="FILE", help="a project (.vizml) or a CSV file to open")
    parser.add_argument("--version", action="version", version=f"vizml {__version__}")
    return parser


def _list_parser() -> ArgumentParser:
    about = "List the tasks, the models with their parameters, and the data sets with their options."
    parser = _Parser(prog="vizml list", description=about, allow_abbrev=False)
    parser.add_argument("--json", action="store_true", help="for programs to read")
    return parser


def _run_parser(command: str, about: str) -> ArgumentParser:
    """The options that choose data, model and run."""
    parser = _Parser(prog=f"vizml {command}", description=about, allow_abbrev=False)
    parser.add_argument(
        "--data",
        required=True,
        metavar="D",
        help="a data set, with options (moons:n=300,noise=0.2), a CSV file or a project",
    )
    parser.add_argument(
        "--model", metavar="M", help="a model's id, as 'vizml list' gives it; a project has its own"
    )
    parser.add_argument("--stage", metavar="N", help=f"{_STAGE.help}; the first if not given")
    parser.add_argument("--task", metavar="T", help=", ".join(task.value for task in tasks()))
    parser.add_argument(
        "--set", action="append", default=[], metavar="K=V", help="set a parameter; may be repeated"
    )
    parser.add_argument("--seed", metavar="S", help=_SEED.help)
    parser.add_argument("--holdout", metavar="SHARE", help=_HOLDOUT.help)
    return parser


def _fit_parser() -> ArgumentParser:
    parser = _run_parser("fit", "Train a model and print its scores and figures.")
    parser.add_argument("--json", action="store_true", help="for programs to read, without the time it took")
    return parser


def _render_parser() -> ArgumentParser:
    parser = _run_parser("render", "Train a model and draw what it has learned. Needs no screen.")
    kinds = "a .png, .svg or .pdf file; .gif or .webp show the whole run"
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help=kinds)
    parser.add_argument("--size", default="1000x800", metavar="WxH", help="1000x800 if not given")
    parser.add_argument("--scale", default="1", metavar="K", help=_SCALE.help)
    parser.add_argument("--step", metavar="N", help=f"{_STEP.help}; the last if not given")
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    parser.add_argument("--transparent", action="store_true", help="no background")
    parser.add_argument("--pictures", metavar="N", help=f"{_PICTURES.help}; {_PICTURES.default} if not given")
    parser.add_argument("--rate", metavar="R", help=f"{_RATE.help}; as suits its length if not given")
    return parser


def _open(file: str | None) -> int:
    """The window, once it is sure that there is a file to look at."""
    if file is not None and Path(file).is_dir():
        raise ValueError(f"{file} is a folder: a project or a CSV file is wanted")
    if file is not None and not Path(file).exists():
        near = get_close_matches(file, _COMMAND_NAMES, n=1)
        raise ValueError(f"there is no file {file}" + (f"; did you mean 'vizml {near[0]}'?" if near else ""))
    if not _has_screen():
        raise ValueError("there is no screen to open the window on; 'vizml render' draws without one")
    from vizml.app import main as open_window

    return open_window(file)


def _has_screen() -> bool:
    """Where it is not said which screen to use, Qt would abort the program."""
    named = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))
    return named or not sys.platform.startswith("linux")


def _list(given: Namespace) -> int:
    from vizml import listing

    print(json.dumps(listing.as_facts(), indent=1) if given.json else listing.as_text())
    return 0


def _fit(given: Namespace) -> int:
    from vizml.experiment import readable

    asked = _experiment(given)
    started = time.perf_counter()
    state, steps = asked.state()
    seconds = time.perf_counter() - started
    report = asked.report(state, steps)
    print(json.dumps(report, indent=1) if given.json else readable(report, seconds))
    return 0


def _render(given: Namespace) -> int:
    size, scale = _size(given.size), float(_SCALE.parse(given.scale))
    step = None if given.step is None else int(_STEP.parse(given.step))
    asked = _experiment(given)
    from vizml.scene import DARK, LIGHT, Look
    from vizml.ui.export import render_file
    from vizml.ui.film import is_film, render_film

    look = Look(theme=DARK if given.theme == "dark" else LIGHT)
    bounds = None
    if asked.project is not None:
        from vizml.ui.window.projects import to_look

        look, bounds = to_look(asked.project, look), asked.project.view
    what = given.output, asked.dataset, asked.model
    how: dict[str, Any] = {
        "seed": asked.seed,
        "split": asked.split,
        "size": size,
        "scale": scale,
        "look": look,
        "bounds": bounds,
    }
    if is_film(given.output):
        _refuse(given, ("step", "transparent"), "is not for animations: they show every step on a ground")
        most = int(_PICTURES.parse(given.pictures or str(_PICTURES.default)))
        rate = None if given.rate is None else float(_RATE.parse(given.rate))
        render_film(*what, most=most, rate=rate, **how)
    else:
        _refuse(given, ("pictures", "rate"), "is for animations: give it with a .gif or .webp file")
        render_file(*what, step=step, transparent=given.transparent, **how)
    return 0


def _refuse(given: Namespace, names: tuple[str, ...], why: str) -> None:
    for name in names:
        if getattr(given, name):
            raise ValueError(f"--{name} {why}")


def _size(text: str) -> tuple[int, int]:
    width, times, height = text.lower().partition("x")
    if not times:
        raise ValueError(f"size must be width and height in pixels, such as 1000x800, not '{text}'")
    return int(_SIDE.parse(width)), int(_SIDE.parse(height))


def _experiment(given: Namespace) -> Experiment:
    from vizml.experiment import Experiment

    seed = None if given.seed is None else int(_SEED.parse(given.seed))
    holdout = None if given.holdout is None else float(_HOLDOUT.parse(given.holdout))
    if given.model is not None:
        _refuse(given, ("stage",), "is for a project's own models: leave --model out")
        return Experiment.of(given.data, given.model, given.task, given.set, Split(holdout or 0.0, seed or 0))
    if not given.data.lower().endswith(".vizml"):
        raise ValueError("--model is missing: 'vizml list' names the models; only a project has its own")
    _refuse(given, ("task",), "goes with --model: a project's model has its task")
    stage = int(_STAGE.parse(given.stage or str(_STAGE.default)))
    return Experiment.saved(given.data, stage, given.set, seed, holdout)
