"""Pictures for files and for the clipboard, composed anew at the size that is asked for; no screen is needed.

The same data, model, parameters and seed give the same bytes with the same versions of VizML, Qt and numpy
and the same fonts: letters are those of the system's default sans serif.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication, QPainter

from vizml.data import Bounds, Dataset, Split
from vizml.data.dataset import Mask
from vizml.data.files import write_whole
from vizml.evaluate import score
from vizml.evaluate.diagnostic import NOTHING, Overlay
from vizml.field import Raster
from vizml.learn import CannotLearn, Model, State, Task, run
from vizml.paint import Geometry, Picture, padded, paint
from vizml.paint.formats import Painting, Paper, image, pdf, png, svg
from vizml.run.company import Company
from vizml.run.compose import compose
from vizml.run.frame import Moment
from vizml.run.others import Others
from vizml.run.staged import staged
from vizml.scene import Look
from vizml.ui.canvas.figures import score_lines

FORMATS: dict[str, Callable[[Paper, Painting, str, str], bytes]] = {".png": png, ".svg": svg, ".pdf": pdf}
DEFAULT_LOOK, WHOLE = Look(), Split()


@dataclass(frozen=True, eq=False)
class Figure:
    """What is to be pictured, at any size: points, what was learned from those not held out, and the look."""

    dataset: Dataset
    held: Mask
    state: State | None
    look: Look
    task: Task
    scores: tuple[str, ...] = ()
    title: str = ""
    about: str = ""
    """A sentence for readers who cannot see it; SVG carries it."""
    type_scale: float = 1.0
    node: str = ""
    """A node of the state's diagram that is to be seen."""
    overlay: Overlay = NOTHING
    """What a diagnostic shows beside the state."""
    rival: State | None = None
    """Another state: where it differs is to be seen."""
    company: Company | None = None
    """Other models whose curves are to be seen."""
    tested: Mask | None = None
    """Those of the held points that are kept for the last test, and what they are called."""
    test: str = "test"
    learned: Dataset | None = None
    """What the state has learned from, where that is not simply what is not held out."""

    @property
    def judging(self) -> Mask:
        """The held points that a score is of: those of the last test are not looked at."""
        return self.held if self.tested is None else self.held & ~self.tested

    def at(self, geometry: Geometry, ratio: float) -> Picture:
        """Composed for a size: the field is evaluated at every one of its pixels."""
        scene = None
        if self.state is not None:
            raster = Raster.over(geometry.bounds, *geometry.device_size(ratio))
            learned = self.dataset.take(~self.held) if self.learned is None else self.learned
            scene = compose(learned, self.state, raster, self.look, node=self.node)
            beside = self.overlay, self.rival, Others()
            scene = staged(scene, self.state, raster, self.look, *beside, company=self.company)
        return Picture(
            dataset=self.dataset,
            held=self.held,
            scene=scene,
            look=self.look,
            task=self.task,
            scores=self.scores,
            title=self.title,
            tested=self.tested,
            test=self.test,
        )


def picture_of(
    dataset: Dataset,
    split: Split,
    model: Model,
    seed: int = 0,
    step: int | None = None,
    look: Look = DEFAULT_LOOK,
    title: str = "",
) -> Figure:
    """What a model has learned after a step, counted from 1, or at the end."""
    held, tested = split.dealt(dataset)
    train, rest = split.parts(dataset)
    state = _state(model, train, seed, step)
    moment = Moment(0, state, score(state, train, look.threshold), score(state, rest, look.threshold))
    about = f"{model.title}, {len(train)} points"
    figures = score_lines(moment, model.task, look.threshold)
    return Figure(dataset, held | tested, state, look, model.task, figures, title, about, tested=tested)


def render_file(
    path: Path | str,
    dataset: Dataset,
    model: Model,
    *,
    seed: int = 0,
    size: tuple[int, int] = (1000, 800),
    scale: float = 1.0,
    step: int | None = None,
    look: Look = DEFAULT_LOOK,
    split: Split = WHOLE,
    bounds: Bounds | None = None,
    transparent: bool = False,
    title: str = "",
) -> None:
    """Train a model and save its picture; ValueError says in a sentence what is unfit."""
    check(path)
    Paper(*size, scale, transparent)
    figure = picture_of(dataset, split, model, seed, step, look, title)
    save(path, figure, bounds, size, scale, transparent=transparent)


def save(
    path: Path | str,
    figure: Figure,
    bounds: Bounds | None = None,
    size: tuple[int, int] = (1000, 800),
    scale: float = 1.0,
    *,
    transparent: bool = False,
) -> None:
    """Write a figure in the format that the name ends with, in place of any file there in one move."""
    check(path)
    paper = Paper(*size, scale, transparent)
    with application():
        paint_it = painting(figure, bounds, paper)
        save_painting(path, paper, paint_it, figure.title or figure.about, figure.about)


def to_clipboard(
    figure: Figure,
    bounds: Bounds | None = None,
    size: tuple[int, int] = (1000, 800),
    scale: float = 2.0,
    *,
    transparent: bool = False,
) -> None:
    """Put a figure on the clipboard, as an image and as SVG: who pastes it takes the better."""
    paper = Paper(*size, scale, transparent)
    copy_painting(paper, painting(figure, bounds, paper), figure.title or figure.about, figure.about)


def save_painting(path: Path | str, paper: Paper, paint_it: Painting, title: str, about: str = "") -> None:
    """Write anything that paints, in the format that the name ends with."""
    path = Path(path)
    write = check(path)
    with application():
        put(path, write(paper, paint_it, title, about))


def copy_painting(paper: Paper, paint_it: Painting, title: str, about: str = "") -> None:
    """Put anything that paints on the clipboard."""
    data = QMimeData()
    data.setImageData(image(paper, paint_it))
    data.setData("image/svg+xml", svg(paper, paint_it, title, about))
    QGuiApplication.clipboard().setMimeData(data)


def put(path: Path, raw: bytes) -> None:
    """Put bytes in place of any file there in one move; ValueError says why that cannot be."""
    try:
        write_whole(path, raw)
    except OSError as problem:
        raise ValueError(_refusal(path, problem.strerror or str(problem))) from None


def painting(figure: Figure, bounds: Bounds | None, paper: Paper) -> Painting:
    """How to paint a figure onto paper; without bounds, all of its points are in sight."""
    look = replace(figure.look, transparent=paper.transparent)
    shown = padded(figure.dataset.bounds) if bounds is None else bounds
    if not (np.isfinite(shown).all() and shown[0] < shown[1] and shown[2] < shown[3]):
        raise ValueError(f"bounds must be left < right, bottom < top, all finite, not {shown}")
    titled = bool(figure.title)
    geometry = Geometry(paper.width, paper.height, shown, figure.type_scale, titled)
    geometry = geometry.strewn(figure.dataset.points)
    picture = replace(figure, look=look).at(geometry, paper.scale)

    def paint_it(painter: QPainter) -> None:
        paint(painter, geometry, picture)

    return paint_it


def check(path: Path | str) -> Callable[[Paper, Painting, str, str], bytes]:
    """What writes files of a name's kind; ValueError where there is nothing, or no such folder."""
    path = Path(path)
    write = FORMATS.get(path.suffix.lower())
    if write is None:
        raise ValueError(f"the name of a picture must end with .png, .svg or .pdf, not '{path.name}'")
    check_place(path)
    return write


def check_place(path: Path) -> None:
    """ValueError where no file can be written."""
    if path.is_dir():
        raise ValueError(_refusal(path, "it is a folder"))
    if not path.absolute().parent.is_dir():
        raise ValueError(_refusal(path, f"there is no folder {path.absolute().parent}"))
    if not os.access(path.absolute().parent, os.W_OK):
        raise ValueError(_refusal(path, f"the folder {path.absolute().parent} may not be written to"))


@contextmanager
def application() -> Iterator[None]:
    """Qt wants an application for letters and images: the one there is, or for now one without a screen."""
    if QGuiApplication.instance() is not None:
        yield
        return
    name, before = "QT_QPA_PLATFORM", os.environ.get("QT_QPA_PLATFORM")
    if before is None and sys.platform.startswith("linux"):
        os.environ[name] = "offscreen"
    made = QGuiApplication([])
    if before is None:
        os.environ.pop(name, None)
    try:
        yield
    finally:
        made.shutdown()


def _state(model: Model, train: Dataset, seed: int, step: int | None) -> State:
    """The state after a step; ValueError says how many there are."""
    if step is not None and step < 1:
        raise ValueError(f"steps count from 1: there is no step {step}")
    count, last = 0, None
    for state in islice(run(model, train, seed), step):
        count, last = count + 1, state
    if last is None:
        raise CannotLearn(f"{model.id} ended without a result")
    if step is not None and count < step:
        raise ValueError(f"there is no step {step}: this run has {count} steps")
    return last


def _refusal(path: Path, reason: str) -> str:
    return f"the picture cannot be written to {path}: {reason[:1].lower()}{reason[1:]}"
