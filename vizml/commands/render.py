"""`vizml render`: train a model and draw it to a picture or an animation."""

from __future__ import annotations

from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from dataclasses import replace
from pathlib import Path

from vizml.commands._options import (
    DPI,
    ParseAction,
    add_param,
    add_picture_options,
    add_run_options,
    parse_pair,
    parse_view,
    refuse,
    run_of,
)
from vizml.data import Project
from vizml.data.files import check_place, write_picture
from vizml.data.params import Integer, Real
from vizml.evaluate.metrics import binary_classifier, lead_at
from vizml.learn import State
from vizml.run.figures import DEFAULTS, MOST_PICTURES, Animation, FigureSource
from vizml.run.layers import BAYES, Layer, generator_layers
from vizml.run.matrix import SectionMatrix
from vizml.run.request import RunRequest
from vizml.scene import Look
from vizml.scene.figure import PIXELS_PER_INCH, RenderOptions
from vizml.scene.palette import THEMES
from vizml.workspace.projects import to_look

THRESHOLD = Real(
    name="threshold", default=0.5, lo=-1e9, hi=1e9,
    help="Decision threshold: the probability of the second class, or f(x) of models without probabilities.",
)  # fmt: skip
TYPE = Real(name="type-scale", default=1.0, lo=0.75, hi=3.0, help="Factor of the size of type.")
ABOUT = "Train a model and draw its predictions. Needs no screen."
STEP = Integer(name="step", default=1, lo=1, hi=10**9, help="Training step to show. Default: the last.")
PICTURES = Integer(
    name="pictures", default=MOST_PICTURES, lo=2, hi=1000, help="Most pictures in an animation. Default: 60."
)
RATE = Real(name="rate", default=10.0, lo=0.2, hi=50.0, help="Pictures of an animation per second.")


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the subcommand."""
    add_run_options(parser)
    files = "PNG, SVG or PDF file; GIF and WebP files show the training as an animation."
    add_picture_options(parser, files, (1000, 800), 1.0)
    add_param(parser, DPI, "D")
    add_param(parser, STEP, "N")
    view = "Rectangle to show, such as --view=-3,3,-2,2 (left, right, bottom, top). Default: all points."
    parser.add_argument("--view", action=ParseAction, parse=parse_view, metavar="L,R,B,T", help=view)
    shading = "Regions that fade with certainty (soft), or do not (hard)."
    parser.add_argument("--shading", choices=("soft", "hard"), help=shading)
    for name, verb in (("hide", "Hide"), ("show", "Show")):
        layer = f"{verb} a layer, as the View menu calls it: Legend, Grid... May be repeated."
        parser.add_argument(f"--{name}", action="append", default=[], metavar="LAYER", help=layer)
    lens = "Quantity to show in place of the regions, as the View menu calls it."
    parser.add_argument("--lens", default="", metavar="NAME", help=lens)
    add_param(parser, THRESHOLD, "T")
    add_param(parser, TYPE, "K", 1.0)
    parser.add_argument("--title", default="", metavar="TEXT", help="Title above the plot.")
    equal = "Make a data unit as long along both axes. Default: on for generated data with one unit."
    parser.add_argument("--equal", action=BooleanOptionalAction, help=equal)
    parser.add_argument("--log", choices=("x", "y", "xy"), default="", help="Logarithmic axes.")
    parser.add_argument("--transparent", action="store_true", help="Leave the background transparent.")
    matrix = "Draw nine sections: two inputs that are not shown at their 10, 50 and 90 %% quantiles."
    parser.add_argument("--matrix", action=ParseAction, parse=parse_pair, metavar="A,B", help=matrix)
    add_param(parser, PICTURES, "N")
    add_param(parser, RATE, "R")


def _look(given: Namespace, project: Project | None) -> Look:
    """Return the appearance that the options describe, for the rest as in a project."""
    look = replace(Look(theme=THEMES[given.theme]), lens=given.lens)
    if project is not None:
        look = to_look(project, look)
    if given.shading:
        look = replace(look, shading=given.shading)
    for layers, on in ((given.hide, False), (given.show, True)):
        for layer in layers:
            look = look.switched(layer, on=on)
    return look


def run(given: Namespace) -> None:
    """Train, and write the file."""
    command = run_of(given)
    from vizml.paint import export, film  # after the models: PySide6 inspects each module imported later

    look, view = _look(given, command.project), given.view or command.view
    (width, height), scales = given.size, command.scales.chosen(given.equal, given.log)
    if given.dpi and given.scale != 1.0:
        raise ValueError("--dpi and --scale both set the pixels of an image: give one of them")
    scale = given.dpi / PIXELS_PER_INCH if given.dpi else given.scale
    options = RenderOptions(
        width, height, scale, look, view, title=given.title, type_scale=given.type_scale,
        equal=scales.equal, log=scales.log, dpi=given.dpi, held=command.held,
        asked=(*given.hide, *given.show, *([given.lens] if given.lens else [])),
    )  # fmt: skip
    layers = generator_layers(command.generator) if BAYES in look.shown else ()
    if Path(given.output).suffix.lower() in film.FORMATS:
        refuse(
            given, ("step", "transparent", "matrix"), "is not for animations: they show every step, opaque"
        )
        render_film(
            given.output,
            command.request,
            options,
            most=given.pictures or MOST_PICTURES,
            rate=given.rate,
            threshold=given.threshold,
            layers=layers,
        )
    else:
        refuse(given, ("pictures", "rate"), "is for animations: give it with a .gif or .webp file")
        export.check(given.output, film.FORMATS)
        options = replace(options, transparent=given.transparent)
        render_file(given.output, command.request, options, given.step, given.threshold, given.matrix, layers)


def render_file(
    path: Path | str,
    run: RunRequest,
    options: RenderOptions = DEFAULTS,
    step: int | None = None,
    threshold: float | None = None,
    matrix: tuple[str, str] | None = None,
    layers: tuple[Layer, ...] = (),
) -> None:
    """Train a model and save its picture, or its sections over two inputs.

    ValueError says what is wrong before any training.
    """
    from vizml.paint import export
    from vizml.paint.matrix import encoded_matrix

    suffix = export.check(path)
    check_place(path)
    source = FigureSource(run, None, options, layers=layers)
    export.layout(source)
    sections = SectionMatrix(source, *matrix) if matrix else None
    state, _ = run.state(step)
    options = _with_threshold(options, state, threshold)
    shown = run.scored(state, options.look.threshold)
    source = replace(source, shown=shown, options=options)
    raw = encoded_matrix(suffix, replace(sections, source=source)) if sections else None
    write_picture(path, export.encoded_figure(suffix, source) if raw is None else raw)


def _with_threshold(options: RenderOptions, state: State, threshold: float | None) -> RenderOptions:
    if threshold is None:
        return options
    classifier = binary_classifier(state)
    if classifier is None:
        raise ValueError("--threshold is for classifiers of two classes")
    return replace(options, look=replace(options.look, threshold=lead_at(classifier, threshold)))


def render_film(
    path: Path | str,
    run: RunRequest,
    options: RenderOptions = DEFAULTS,
    *,
    most: int = MOST_PICTURES,
    rate: float | None = None,
    threshold: float | None = None,
    layers: tuple[Layer, ...] = (),
) -> None:
    """Train a model and save the run as an animation; the rate is in pictures a second."""
    from vizml.paint import export, film

    suffix = film.check(path)
    check_place(path)
    source = FigureSource(run, None, options, layers=layers)
    export.layout(source)
    recording = run.recording()
    source = replace(source, options=_with_threshold(options, recording.states[-1], threshold))
    animation = Animation.of(source, recording.states, recording.steps, most)
    made = film.Film(len(animation))
    with export.application():
        for index in range(len(animation)):
            paper, painting, _ = export.composed(animation.source_at(index))
            made.add(export.image(paper, painting))
    write_picture(path, made.encoded(suffix, rate))
