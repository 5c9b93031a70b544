"""`vizml render`: train a model and draw it to a picture or an animation."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace

from vizml.commands._options import SCALE, add_run_arguments, refuse, run_of, size_of
from vizml.data.params import Integer, Real

ABOUT = "Train a model and draw what it has learned. Needs no screen."
STEP = Integer(name="step", default=1, lo=1, hi=10**9, help="show the state after this step")
PICTURES = Integer(name="pictures", default=60, lo=2, hi=1000, help="most pictures of an animation")
RATE = Real(name="rate", default=10.0, lo=0.2, hi=50.0, help="pictures of an animation a second")


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the subcommand."""
    add_run_arguments(parser)
    add = parser.add_argument
    kinds = "a .png, .svg or .pdf file; .gif or .webp show the whole run"
    add("-o", "--output", required=True, metavar="FILE", help=kinds)
    add("--size", default="1000x800", metavar="WxH", help="1000x800 if not given")
    add("--scale", default="1", metavar="K", help=SCALE.help)
    add("--step", metavar="N", help=f"{STEP.help}; the last if not given")
    add("--theme", choices=("light", "dark"), default="light")
    add("--title", default="", metavar="TEXT", help="a title above the plot")
    add("--transparent", action="store_true", help="no background")
    add("--pictures", metavar="N", help=f"{PICTURES.help}; {PICTURES.default} if not given")
    add("--rate", metavar="R", help=f"{RATE.help}; depends on the length if not given")


def run(given: Namespace) -> None:
    """Train, and write the file."""
    size, scale = size_of(given.size), float(SCALE.parse(given.scale))
    step = None if given.step is None else int(STEP.parse(given.step))
    asked = run_of(given)
    from vizml.paint.film import is_film
    from vizml.rendering import THEMES, RenderOptions, render_file, render_film
    from vizml.scene import Look

    look, view = Look(theme=THEMES[given.theme]), None
    if asked.project is not None:
        from vizml.workspace.projects import to_look

        look, view = to_look(asked.project, look), asked.view
    options = RenderOptions(*size, scale, look, view, title=given.title)
    if is_film(given.output):
        refuse(given, ("step", "transparent"), "is not for animations: they show every step on a ground")
        most = int(PICTURES.parse(given.pictures or str(PICTURES.default)))
        rate = None if given.rate is None else float(RATE.parse(given.rate))
        render_film(given.output, asked.request, options, most=most, rate=rate)
    else:
        refuse(given, ("pictures", "rate"), "is for animations: give it with a .gif or .webp file")
        render_file(given.output, asked.request, replace(options, transparent=given.transparent), step)
