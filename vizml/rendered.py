"""Runs of the command line elsewhere: `vizml.render` draws them in scripts, the window opens their work."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from numpy.typing import ArrayLike

from vizml.commands import Parser
from vizml.commands._options import NO_ROLES, CommandRun, parsed, roles_of, run_of
from vizml.data import Dataset
from vizml.data.catalogue import generator_name
from vizml.data.columns import ClassValue, value_array
from vizml.data.files import write_picture
from vizml.data.wording import described, quoted
from vizml.evaluate.diagnostic import Diagnostic, diagnostics
from vizml.field.arrays import Bounds
from vizml.learn import Classifier, Model, State, dataset_of
from vizml.paint import export
from vizml.run.figures import FigureSource
from vizml.run.layers import generator_layers
from vizml.run.request import RunRequest
from vizml.scene import Look
from vizml.scene.figure import PIXELS_PER_INCH, RenderOptions
from vizml.scene.palette import THEMES
from vizml.scene.viewport import Scales
from vizml.workspace.projects import to_look
from vizml.workspace.work import Experiment, Work

UNITS = {
    "in": PIXELS_PER_INCH,
    "mm": PIXELS_PER_INCH / 25.4,
    "cm": PIXELS_PER_INCH / 2.54,
    "pt": 4 / 3,
    "px": 1.0,
}
"""Logical pixels in units of length."""


@dataclass(frozen=True, kw_only=True)
class RenderKeywords:
    """Keywords of `vizml.render`."""

    width: float | str = 640
    """Logical pixels (96 to the inch), or a length such as '3.5in' or '89mm'."""
    height: float | str = 480
    dpi: float | None = None
    """Pixels per inch: of an image, 96 unless given; of regions in SVG and PDF, 300 unless given."""
    title: str = ""
    xlabel: str | None = None
    ylabel: str | None = None
    classes: Sequence[str] | Mapping[ClassValue, str] = ()
    """Names of the classes, in the order of their codes or by their labels."""
    unlabelled: object = None
    """Label of points without a class, as in `learn.fit`."""
    hide: Sequence[str] | str = ()
    """Layers to hide, as the View menu calls them: 'Legend', 'Scores', 'Regions', 'Points'..."""
    show: Sequence[str] | str = ()
    """Layers to show that are off by default: 'Grid', 'Probability contours'..."""
    view: Bounds | None = None
    """Left, right, bottom and top; None for all points."""
    shading: str = "soft"
    """'soft' fades with certainty, 'hard' does not."""
    theme: str = "light"
    """'light' or 'dark'."""
    transparent: bool = False
    equal: bool | None = None
    """Whether a data unit is as long along both axes; None as in the project, else not."""
    log: str = ""
    """Logarithmic axes: 'x', 'y' or 'xy'."""
    step: int | None = None
    """Training step to show, counted from 1; None for the last."""
    seed: int = 0
    standardise: bool = False

    def __post_init__(self) -> None:
        for name, value, known in (
            ("theme", self.theme, THEMES),
            ("shading", self.shading, ("soft", "hard")),
            ("log", self.log, ("", "x", "y", "xy")),
        ):
            if value not in known:
                raise ValueError(f"{name} must be {' or '.join(known)}, not {described(value)}")

    def options(self, look: Look, scales: Scales) -> RenderOptions:
        """Return the options of an export, with other things as in a look and in scales of a project."""
        look = replace(look, theme=THEMES[self.theme], shading="hard" if self.shading == "hard" else "soft")
        hide, show = ([names] if isinstance(names, str) else names for names in (self.hide, self.show))
        for layers, on in ((hide, False), (show, True)):
            for layer in layers:
                look = look.switched(layer, on=on)
        size = (round(length(self.width)), round(length(self.height)))
        scales = scales.chosen(self.equal, self.log)
        scale = (self.dpi or PIXELS_PER_INCH) / PIXELS_PER_INCH
        return RenderOptions(
            *size, scale, look, self.view, self.transparent, self.title, self.xlabel,
            self.ylabel, equal=scales.equal, log=scales.log, dpi=self.dpi,
            asked=(*hide, *show),
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Rendered:
    """A picture that can be saved, and that notebooks display."""

    source: FigureSource

    def save(self, path: Path | str) -> None:
        """Write a .png, .svg or .pdf file."""
        write_picture(path, export.encoded_figure(export.check(path), self.source))

    def png(self) -> bytes:
        """Return the picture as PNG."""
        return export.encoded_figure(".png", self.source)

    def svg(self) -> bytes:
        """Return the picture as SVG."""
        return export.encoded_figure(".svg", self.source)

    def pdf(self) -> bytes:
        """Return the picture as PDF."""
        return export.encoded_figure(".pdf", self.source)

    def _repr_png_(self) -> bytes:
        return self.png()

    def _repr_svg_(self) -> str:
        options = self.source.options
        shown = replace(
            options, dpi=options.dpi or PIXELS_PER_INCH
        )  # on a screen, and in the notebook's file
        return export.encoded_figure(".svg", replace(self.source, options=shown)).decode()


def render(
    what: Model | State | Path | str, X: ArrayLike | None = None, y: ArrayLike | None = None, **look: Any
) -> Rendered:
    """Draw a model trained on X and y, a state with these points or its training points, or a saved project.

    Keywords are the fields of `RenderKeywords`; ValueError says which one is wrong, and what would be right.
    """
    known = [f.name for f in fields(RenderKeywords)]
    for name in look:
        if name not in known:
            raise ValueError(f"render has no option {quoted(name)}; it has {', '.join(known)}")
    keywords = RenderKeywords(**look)
    if isinstance(what, State):
        return Rendered(_of_state(what, X, y, keywords))
    if isinstance(what, Model):
        if X is None:
            raise ValueError("X is missing: a model is drawn with the points that it learns from")
        dataset = _named(dataset_of(what.task, X, y, keywords.unlabelled), keywords)
        return Rendered(_of_run(RunRequest(dataset, what, keywords.seed), keywords, Look(), Scales(), {}))
    if isinstance(what, str | Path):
        return Rendered(_of_project(Path(what), keywords))
    raise ValueError(f"render draws a model, a state or the file of a project, not {described(what)}")


def _of_run(
    run: RunRequest, keywords: RenderKeywords, look: Look, scales: Scales, held: Mapping[str, float]
) -> FigureSource:
    run = replace(run, standardise=run.standardise or keywords.standardise)
    state, _ = run.state(keywords.step)
    options = replace(keywords.options(look, scales), held=held)
    return FigureSource(run, run.scored(state, look.threshold), options)


def _of_state(
    state: State, X: ArrayLike | None, y: ArrayLike | None, keywords: RenderKeywords
) -> FigureSource:
    task, rows = state.task, state.trained_on
    known = state.labels if isinstance(state, Classifier) else ()
    if X is None:
        X, y = rows.X, value_array(known)[rows.labels] if known else rows.y if len(rows.y) else None
    dataset = dataset_of(task, X, y, keywords.unlabelled, known, state.space)
    dataset = replace(dataset, classes=rows.classes or dataset.classes)
    model = cast("Model", _Trained(task=task))
    run = RunRequest(_named(dataset, keywords), model)
    return FigureSource(run, run.scored(state), keywords.options(Look(), Scales()))


def _of_project(path: Path, keywords: RenderKeywords) -> FigureSource:
    saved = CommandRun.saved(str(path), 1, (), None, None)
    look = to_look(saved.project, Look()) if saved.project else Look()
    keywords = replace(keywords, view=keywords.view or saved.view)
    source = _of_run(saved.request, keywords, look, saved.scales, saved.held)
    return replace(source, layers=generator_layers(saved.generator))


@dataclass(frozen=True)
class _Trained:
    """Stands for the model of a state whose model is not known."""

    task: Any
    title: str = "A trained model"
    id: str = "state"


def _named(dataset: Dataset, keywords: RenderKeywords) -> Dataset:
    classes, labels = keywords.classes, dataset.values_by_code
    pairs = classes.items() if isinstance(classes, Mapping) else enumerate(classes)
    for label, name in pairs:
        known = isinstance(classes, Mapping) and label in labels
        if not known and isinstance(label, str):
            raise ValueError(f"there is no class {quoted(label)}; there are {', '.join(map(str, labels))}")
        dataset = dataset.renamed(labels.index(label) if known else int(label), name)
    return dataset


def length(value: float | str) -> float:
    """Return a length in logical pixels, given as such or with a unit: '3.5in', '89mm'."""
    if not isinstance(value, str):
        return float(value)
    found = re.fullmatch(r"(\d+\.?\d*|\.\d+)\s*(\w\w)", value)
    if found is None or found[2] not in UNITS:
        raise ValueError(
            f"a length must be a number of pixels, or end with {', '.join(UNITS)}, not {described(value)}"
        )
    return float(found[1]) * UNITS[found[2]]


@dataclass(frozen=True)
class CommandWork:
    """A work, with the step and the diagnostic that a command shows of it."""

    work: Work
    step: int | None = None
    """The step that is shown, counted from 1; None for the last."""
    diagnostic: Diagnostic | None = None


def work_of(command: str) -> CommandWork:
    """Return the work that a command `vizml fit`, `chart` or `render` describes.

    ValueError names an invalid argument.
    """
    _, name, *words = shlex.split(command)
    parser = Parser(prog=f"vizml {name}", allow_abbrev=False)
    import_module(f"vizml.commands.{name}").add_arguments(parser)
    given = parser.parse_args(words)
    run = run_of(given)
    request = run.request
    generated = generator_name(run.source) is not None and roles_of(given) == NO_ROLES
    work = Work(
        request.dataset,
        (Experiment(request.model, request.seed, request.standardise),),
        request.split,
        run.source if generated else "",
        held=run.held,
    )
    if name == "render":
        log = ("x" in given.log, "y" in given.log)
        return CommandWork(replace(work, equal=given.equal, log=log), given.step)
    kinds = {kind.id: kind for kind in diagnostics(request.model.task)} if name == "chart" else {}
    kind = kinds.get(given.name) if kinds else None
    return CommandWork(work, diagnostic=kind(**parsed(kind, given.option)) if kind else None)
