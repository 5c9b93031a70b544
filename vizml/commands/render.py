"""`vizml render`: train a model and draw it to a picture or an animation."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace

from vizml.commands._options import add_param, add_picture_options, add_run_options, refuse, run_of
from vizml.data.params import Integer, Real

ABOUT = "Train a model and draw its predictions. Needs no screen."
STEP = Integer(name="step", default=1, lo=1, hi=10**9, help="Training step to show. Default: the last.")
PICTURES = Integer(
    name="pictures",
    default=60,
    lo=2,
    hi=1000,
    help="Most pictures in an animation. Default: 60.",
)
RATE = Real(name="rate", default=10.0, lo=0.2, hi=50.0, help="Pictures of an animation per second.")


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the subcommand."""
    add_run_options(parser)
    files = "PNG, SVG or PDF file; GIF and WebP files show the training as an animation."
    add_picture_options(parser, files, (1000, 800), 1.0)
    add_param(parser, STEP, "N")
    parser.add_argument("--title", default="", metavar="TEXT", help="Title above the plot.")
    equal = "Make a data unit as long along both axes."
    parser.add_argument("--equal", action="store_true", help=equal)
    parser.add_argument("--log", choices=("x", "y", "xy"), default="", help="Logarithmic axes.")
    parser.add_argument("--transparent", action="store_true", help="Leave the background transparent.")
    add_param(parser, PICTURES, "N")
    add_param(parser, RATE, "R")


def run(given: Namespace) -> None:
    """Train, and write the file."""
    command = run_of(given)
    from vizml.paint.film import is_film
    from vizml.rendering import THEMES, render_file, render_film
    from vizml.run.request import RenderOptions
    from vizml.scene import Look

    look, view = Look(theme=THEMES[given.theme]), None
    if command.project is not None:
        from vizml.workspace.projects import to_look

        look, view = to_look(command.project, look), command.view
    width, height = given.size
    options = RenderOptions(
        width, height, given.scale, look, view, title=given.title, equal=given.equal,
        log=("x" in given.log, "y" in given.log),
    )  # fmt: skip
    if is_film(given.output):
        refuse(given, ("step", "transparent"), "is not for animations: they show every step, opaque")
        most = given.pictures or int(PICTURES.default)
        render_film(given.output, command.request, options, most=most, rate=given.rate)
    else:
        refuse(given, ("pictures", "rate"), "is for animations: give it with a .gif or .webp file")
        options = replace(options, transparent=given.transparent)
        render_file(given.output, command.request, options, given.step)
