"""Figures and charts of runs: a scene with points, scores as text, the loss, the charts of a state."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from vizml.data import Dataset
from vizml.data.wording import plural, quoted
from vizml.evaluate.metrics import binary_classifier, known_score, score, threshold_text
from vizml.field.arrays import Bounds, Floats, Ints, Mask, evenly_spaced
from vizml.field.raster import Section
from vizml.field.tiles import own_tiles
from vizml.learn import REGRESS, CannotLearn, State, Task, View
from vizml.learn.layers import LAYERS
from vizml.run.compose import compose
from vizml.run.errors import guarded
from vizml.run.layers import OTHER_FITS, OTHER_MODEL, OTHER_MODELS, Layer, with_layers
from vizml.run.request import RenderRequest, RunRequest, ShownState
from vizml.scene import CLASSES, Axis, Chart, Scene, Series
from vizml.scene.figure import (
    FIRST_FOLD,
    FIRST_SHADE,
    FOLD,
    LEGEND,
    LEVELS,
    PLAIN,
    SCORES,
    SHADES,
    STANDARD,
    Figure,
    Fill,
    Points,
    RenderOptions,
)
from vizml.scene.palette import FOLDS
from vizml.scene.shading import Lens
from vizml.scene.viewport import Categories, Viewport

LOG_RATIO = 100.0
"""Ratio of the highest to the lowest loss above which the axis is logarithmic."""
MOST_PICTURES = 60
"""Pictures in an animation of a long run."""
FAINTEST = 0.15
"""Opacity of points far from a section."""
DEFAULTS = RenderOptions()
COMMON = (*LAYERS, LEGEND, LEVELS, OTHER_FITS, OTHER_MODEL, OTHER_MODELS)
"""Names of layers that can be switched in all pictures, whether they have them or not."""


@dataclass(frozen=True, eq=False)
class FigureSource:
    """A state of a run, ready to be composed at any size."""

    run: RunRequest
    shown: ShownState | None
    options: RenderOptions = DEFAULTS
    node: str = ""
    layers: tuple[Layer, ...] = ()
    test_name: str = "test"
    trained_on: Dataset | None = None
    """The data that the state has been trained on, where the run's have been edited since."""

    @cached_property
    def points(self) -> Floats:
        """The points of the data set on the canvas."""
        return self.run.model.task.placed(self.run.dataset).points

    @property
    def bounds(self) -> Bounds | None:
        """The rectangle of the canvas that holds all points."""
        return self.run.model.task.bounds(self.run.dataset)

    @property
    def categories(self) -> Categories:
        """The names of the categories on the axes."""
        return self.run.model.task.canvas_axes(self.run.dataset).categories

    @cached_property
    def _scored(self) -> ShownState | None:
        """The state with its scores, which a stage shows a moment after the picture."""
        shown, threshold = self.shown, self.options.look.threshold
        if shown is None or shown.train is not None or not self.options.look.shows(SCORES):
            return shown
        _, held = self.run.split.parts(self.run.dataset)
        return replace(
            shown,
            train=known_score(shown.state, shown.state.trained_on, threshold),
            held=score(shown.state, held, threshold),
        )

    def figure(self, viewport: Viewport) -> Figure:
        """Compose the figure, with the field exact at each pixel."""
        run, shown, options = self.run, self.shown, self.options
        look = replace(options.look, transparent=options.transparent)
        scene = section = None
        if shown is not None:
            train = run.split.parts(run.dataset)[0] if self.trained_on is None else self.trained_on
            asked = RenderRequest(viewport, look, held=options.held, node=self.node, layers=self.layers)
            request = asked.on(train, shown.state)
            check_names(options, shown.state.on(request.section))
            section = request.section
            with own_tiles():
                scene = compose(train, shown.state, request)
                if self.layers:
                    scene = with_layers(scene, shown.state, request)
        held, tested = run.split.masks(run.dataset)
        task = run.model.task
        x, y = axis_titles(run.dataset, task, scene)
        x, y = (
            x if options.xlabel is None else options.xlabel,
            y if options.ylabel is None else options.ylabel,
        )
        return Figure(
            points_of(
                run.dataset, task, scene, positions=self.points, held=held, tested=tested,
                test_name=self.test_name, section=section,
            ),
            scene, look, (x, y),
            score_lines(self._scored, task, run.dataset, look.threshold),
            options.title, f"{run.model.title}, {plural(len(run.dataset), 'point')}",
        )  # fmt: skip


def layer_names(view: View[Any]) -> tuple[str, ...]:
    """Return the names of the layers of a view's own marks."""
    return tuple(mark.layer for mark in guarded(view.state, "marks", view.marks, ()))


def lens_names(view: View[Any]) -> tuple[str, ...]:
    """Return the names of the lenses of a view."""
    return tuple(lens.name for lens in guarded(view.state, "lenses", view.lenses, ()))


def check_names(options: RenderOptions, view: View[Any]) -> None:
    """Raise ValueError for a layer or a lens that was asked for and that pictures of a view do not have."""
    own, lenses = (layer_names(view), lens_names(view)) if options.asked else ((), ())
    for name in options.asked:
        if name == options.look.lens:
            kind, known, shown = "lens", lenses, lenses or ("none",)
        else:
            kind, known, shown = "layer", (*COMMON, *own), (*STANDARD, LEGEND, *own)
        if name not in known:
            names = ", ".join(dict.fromkeys(shown))
            raise ValueError(f"there is no {kind} {quoted(name)}; pictures of the model have {names}")


@dataclass(frozen=True, eq=False)
class Animation:
    """States of a run as the pictures of an animation, each with the number of its step."""

    source: FigureSource
    states: tuple[State, ...]
    steps: tuple[int, ...]

    @classmethod
    def of(
        cls, source: FigureSource, states: Sequence[State], steps: Sequence[int], most: int = MOST_PICTURES
    ) -> Animation:
        """Choose at most so many states, evenly spread, the first and the last among them."""
        chosen = evenly_spaced(len(states), most).tolist()
        return cls(source, tuple(states[i] for i in chosen), tuple(int(steps[i]) for i in chosen))

    def __len__(self) -> int:
        return len(self.states)

    def source_at(self, index: int) -> FigureSource:
        """Return one picture, with the step in its title."""
        source, options, step = self.source, self.source.options, self.steps[index]
        named = f"{options.title}, step {step:,}" if options.title else f"Step {step:,} of {self.steps[-1]:,}"
        shown = source.run.scored(self.states[index], options.look.threshold, index)
        layers = tuple(layer for layer in source.layers if layer.about_data)
        return replace(source, shown=shown, options=replace(options, title=named), layers=layers)


def points_of(
    dataset: Dataset,
    task: Task,
    scene: Scene | None = None,
    *,
    positions: Floats | None = None,
    held: Mask | None = None,
    tested: Mask | None = None,
    selected: Mask | None = None,
    test_name: str = "test",
    section: Section | None = None,
) -> Points:
    """Return the points of a data set; groups that a scene has found colour them instead of their classes.

    Points fade with their distance from a section.
    """
    kinds = _kinds(dataset, scene, task)
    fills = np.zeros(len(dataset), dtype=np.int64)
    if held is not None:
        fills[held] = Fill.HOLLOW
    if tested is not None:
        fills[tested] = Fill.DOTTED
    fill_names = {Fill.HOLLOW: "held out", Fill.DOTTED: test_name}
    places = task.placed(dataset).points if positions is None else positions
    return Points(
        places, kinds, fills, selected, _names(dataset, kinds, scene, task), fill_names,
        nearness(dataset, task, section),
    )  # fmt: skip


def nearness(dataset: Dataset, task: Task, section: Section | None) -> Floats | None:
    """Return the opacity of each row by its distance from a section; None where all lie on it.

    The distance is the root mean square of the differences in the held inputs, in standard deviations.
    """
    if section is None or section.whole:
        return None
    names = task.inputs(dataset)
    held = len(names) - section.dimensions
    if len(names) != len(section.origin) or held == 0:  # an edit of the inputs precedes its first frame
        return None
    columns = [dataset.column(name) for name in names]
    away = [column.numbers - at for column, at in zip(columns, section.origin)]
    parts = section.basis.T
    along = sum(np.multiply.outer(x, part) for x, part in zip(away, parts) if part.any())
    squares = np.zeros(len(dataset))
    for x, part, column in zip(away, parts, columns):
        beside = (x - along @ part if part.any() else x) / column.spread
        squares += np.nan_to_num(beside * beside)
    shares: Floats = np.exp(-0.5 / held * squares)
    return FAINTEST + (1.0 - FAINTEST) * shares


def axis_titles(dataset: Dataset, task: Task, scene: Scene | None) -> tuple[str, str]:
    """Return the titles of the axes: that of a line view depends on what its curves are."""
    x, y = task.canvas_axes(dataset).names
    return x, y if scene is None or scene.ordinate is None else scene.ordinate.title


def kind_of(label: int, task: Task) -> int:
    """Return the symbol of a new point of a class."""
    return {"class": label, "group": -1, "plain": PLAIN}[task.point_colours]


def score_lines(
    shown: ShownState | None, task: Task, dataset: Dataset, threshold: float = 0.0
) -> tuple[str, ...]:
    """Return the training and held-out scores and a threshold other than 0, a line each."""
    if shown is None or task.score is None:
        return ()
    named = (("train", shown.train), ("held out", shown.held))
    scores = tuple(f"{name} {task.score.text(value)}" for name, value in named if value is not None)
    state = binary_classifier(shown.state) if scores and threshold else None
    if state is None:
        return scores
    name = dataset.name(int(state.classes[1]))
    return (*scores, f"threshold {threshold_text(state, threshold, name)}")


def _kinds(dataset: Dataset, scene: Scene | None, task: Task) -> Ints:
    if scene is not None and scene.mapped and scene.lens is not None:
        return _shades(dataset.matrix((REGRESS.target(dataset),))[:, 0], scene.lens)
    if scene is None or scene.tags is None:
        if task.point_colours == "class":
            return np.where(dataset.labels < 0, -1, dataset.labels % len(CLASSES))
        return np.full(len(dataset), kind_of(0, task))
    ids, groups = scene.tags
    symbols = _group_symbols(scene)
    shown = np.where(groups < 0, -1, symbols.start + groups % len(symbols))
    if np.array_equal(dataset.ids, ids):
        return shown
    kinds = np.full(len(dataset), -1)
    _, here, there = np.intersect1d(dataset.ids, ids, assume_unique=True, return_indices=True)
    kinds[here] = shown[there]
    return kinds


def _shades(targets: Floats, lens: Lens) -> Ints:
    """Return the kind of points with the colours of a lens; -1 for a missing target."""
    share = np.clip((targets - lens.low) / ((lens.high - lens.low) or 1.0), 0.0, 1.0)
    shades = FIRST_SHADE + np.rint(np.nan_to_num(share) * (SHADES - 1)).astype(np.int64)
    return np.where(np.isnan(targets), -1, shades)


def _names(dataset: Dataset, kinds: Ints, scene: Scene | None, task: Task) -> dict[int, str]:
    """Return the legend text of each kind; groups that share a colour share a line."""
    present = (np.flatnonzero(np.bincount(kinds - PLAIN)) + PLAIN).tolist()
    if scene is not None and scene.mapped:
        return {}
    if scene is None or scene.tags is None:
        least = -1 if task.point_colours != "group" else 0
        return {kind: dataset.name(kind) for kind in present if kind >= least}
    count = int(scene.tags[1].max(initial=-1)) + 1
    symbols = _group_symbols(scene)
    return {
        kind: _group_name(scene.tagged, kind - symbols.start, count, len(symbols))
        for kind in present
        if kind >= 0
    }


def _group_symbols(scene: Scene) -> range:
    """Return the symbols of groups: those of folds differ from those of classes."""
    return range(FIRST_FOLD, FIRST_FOLD + len(FOLDS)) if scene.tagged == FOLD else range(len(CLASSES))


def _group_name(group: str, first: int, count: int, symbols: int) -> str:
    alike = range(first, max(count, first + 1), symbols)
    return f"{group} {', '.join(str(number + 1) for number in alike)}"


# -- charts --


def loss_chart(steps: Ints, losses: Floats, note: str = "") -> Chart | None:
    """Return the chart of the loss over the recorded steps; None for fewer than two known losses."""
    known = np.isfinite(losses)
    if known.sum() < 2:
        return None
    losses, steps = losses[known], steps[: len(known)][known]
    log = bool(losses.min() > 0 and losses.max() > LOG_RATIO * losses.min())
    return Chart(
        title="Loss",
        x=Axis(title="step"),
        y=Axis(title="loss", log=log),
        series=(Series(name="loss", x=steps.astype(np.float64), y=losses),),
        cursor="step",
        note=note,
    )


def score_note(moment: ShownState, task: Task) -> str:
    """Describe the training score and the held-out score of a recorded step."""
    if task.score is None:
        return ""
    scores = (("train", moment.train), ("held out", moment.held))
    known = [f"{where} {task.score.figure(score)}" for where, score in scores if score is not None]
    return f"{task.score.name}: {', '.join(known)}" if known else ""


def state_charts(state: State, held: Dataset | None = None) -> tuple[Chart, ...]:
    """Return the charts of a state, evaluated on held-out points where there are any."""
    rows = None
    if held is not None and len(held):
        with suppress(CannotLearn):  # values are missing since an edit after the training
            rows = state.training_data(held)
    if rows is None:
        return guarded(state, "charts", state.charts, ())
    return guarded(state, "charts_on", lambda: state.charts_on(rows), ())
