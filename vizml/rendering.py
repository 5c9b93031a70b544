"""Pictures of models for files, scripts and notebooks: the one way from a request to PNG, SVG, PDF and GIF.

Used by `vizml render`, by the export dialog and by `vizml.render`. No screen is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from vizml.data import Dataset
from vizml.learn import CannotLearn, State
from vizml.paint import Geometry, export, film, padded, painting
from vizml.paint.export import Painting, Paper
from vizml.run.figures import figure_of
from vizml.run.layers import Layer
from vizml.run.recording import Recording
from vizml.run.request import RenderOptions, RenderRequest, RunRequest, ShownState
from vizml.scene import DARK, LIGHT
from vizml.scene.figure import Figure
from vizml.scene.viewport import Viewport

MOST_PICTURES = 60
"""Pictures in an animation of a long run."""
DEFAULTS = RenderOptions()
THEMES = {"light": LIGHT, "dark": DARK}


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

    @property
    def paper(self) -> Paper:
        """The paper to paint on; ValueError where its size is out of range."""
        options = self.options
        return Paper(options.width, options.height, options.scale, options.transparent)

    @cached_property
    def geometry(self) -> Geometry:
        """Layout of the figure; ValueError where its rectangle is not one."""
        options = self.options
        bounds = options.view or padded(self.run.dataset.bounds, log=options.log)
        if not (np.isfinite(bounds).all() and bounds[0] < bounds[1] and bounds[2] < bounds[3]):
            raise ValueError(f"bounds must be left < right, bottom < top, all finite, not {bounds}")
        plain = Geometry(
            options.width, options.height, bounds, options.type_scale, bool(options.title), log=options.log
        )
        plot = plain.plot.toRect()
        viewport = Viewport(bounds, plot.width(), plot.height(), options.equal, options.log)
        return replace(plain, bounds=viewport.bounds).strewn(self.run.dataset.points)

    def figure(self) -> Figure:
        """Compose the figure."""
        options = self.options
        look = replace(options.look, transparent=options.transparent)
        viewport = self.geometry.viewport(options.scale)
        figure = figure_of(
            self.run, self.shown, RenderRequest(viewport, look, node=self.node, layers=self.layers),
            title=options.title, test_name=self.test_name, trained_on=self.trained_on,
        )  # fmt: skip
        x, y = figure.axes
        return replace(figure, axes=(options.xlabel or x, options.ylabel or y))

    def painting(self) -> Painting:
        """Compose the figure, and return a function that paints it."""
        return painting(self.geometry, self.figure())

    def save(self, path: Path | str) -> None:
        """Write the figure in the format of the file's ending; ValueError says what is wrong."""
        export.check(path)
        _ = self.paper
        with export.application():
            figure = self.figure()
            title = figure.title or figure.description
            export.save(path, self.paper, painting(self.geometry, figure), title, figure.description)

    def copy(self) -> None:
        """Put the figure on the clipboard."""
        figure = self.figure()
        title = figure.title or figure.description
        export.copy(self.paper, painting(self.geometry, figure), title, figure.description)


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
        chosen = np.linspace(0, len(states) - 1, min(len(states), most)).round().astype(int).tolist()
        return cls(source, tuple(states[i] for i in chosen), tuple(int(steps[i]) for i in chosen))

    def __len__(self) -> int:
        return len(self.states)

    def source_at(self, index: int) -> FigureSource:
        """Return one picture, with the step in its title."""
        source, options, step = self.source, self.source.options, self.steps[index]
        named = f"{options.title}, step {step:,}" if options.title else f"Step {step:,} of {self.steps[-1]:,}"
        shown = source.run.scored(self.states[index], options.look.threshold, index)
        return replace(source, shown=shown, options=replace(options, title=named), layers=())


def render_file(
    path: Path | str, run: RunRequest, options: RenderOptions = DEFAULTS, step: int | None = None
) -> None:
    """Train a model and save its picture; ValueError says what is wrong before any training."""
    export.check(path)
    source = FigureSource(run, None, options)
    _ = source.paper, source.geometry
    state, _ = run.state(step)
    replace(source, shown=run.scored(state, options.look.threshold)).save(path)


def render_film(
    path: Path | str,
    run: RunRequest,
    options: RenderOptions = DEFAULTS,
    *,
    most: int = MOST_PICTURES,
    rate: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Train a model and save the run as an animation; the rate is in pictures a second."""
    suffix = film.check(path)
    source, recording = FigureSource(run, None, options), Recording()
    paper, _ = source.paper, source.geometry
    for state in run.states():
        recording.append(state)
    if not len(recording):
        raise CannotLearn(f"{run.model.id} ended without a result")
    animation = Animation.of(source, recording.states, recording.steps.tolist(), most)
    made = film.Film(len(animation))
    with export.application():
        for index in range(len(animation)):
            made.add(export.image(paper, animation.source_at(index).painting()))
            if progress is not None:
                progress(index + 1, len(animation))
    export.write_file(Path(path), made.encoded(suffix, rate))
