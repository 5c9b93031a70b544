"""A run as a moving picture, from its first step to its last: GIF or WebP, for slides and pages."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from PIL import Image
from PySide6.QtGui import QImage

from vizml.data import Bounds, Dataset, Split
from vizml.evaluate import score
from vizml.field.cancellation import check_cancelled
from vizml.learn import CannotLearn, Model, State, run
from vizml.paint.formats import Painting, Paper, image
from vizml.paint.palette import Palette
from vizml.run.frame import Moment
from vizml.run.recording import Recording
from vizml.scene import Look
from vizml.ui.canvas.figures import score_lines
from vizml.ui.export import DEFAULT_LOOK, WHOLE, Figure, application, check_place, painting, put

FORMATS = {".gif": "GIF", ".webp": "WEBP"}
MOST = 60
"""Pictures of a run that has more steps than that."""
LASTS = 6.0
"""Seconds that a run of middling length takes."""
QUICKEST, SLOWEST = 0.1, 0.8
"""Seconds that a picture stays, whatever the length."""
HOLD = 2.0
"""Seconds that the last one stays, before it all begins anew."""
KEYS = 3
"""So many pictures of a run tell which colours a GIF has."""


@dataclass(frozen=True, eq=False)
class Reel:
    """The states of a run that are to be seen, each with the number of its step, on one paper."""

    figure: Figure
    states: tuple[State, ...]
    steps: tuple[int, ...]
    paper: Paper
    bounds: Bounds | None = None

    @classmethod
    def of(
        cls,
        figure: Figure,
        states: Sequence[State],
        steps: Sequence[int],
        paper: Paper,
        bounds: Bounds | None = None,
        most: int = MOST,
    ) -> Reel:
        """As many states as are wanted, evenly spread, the first and the last among them."""
        count = len(states)
        spread = np.linspace(0, count - 1, min(count, most)).round().astype(int).tolist()
        chosen, numbers = tuple(states[i] for i in spread), tuple(int(steps[i]) for i in spread)
        return cls(figure, chosen, numbers, paper, bounds)

    def __len__(self) -> int:
        return len(self.states)

    @cached_property
    def _parts(self) -> tuple[Dataset, Dataset]:
        """What was learned from, and what judges it."""
        dataset = self.figure.dataset
        return dataset.take(~self.figure.held), dataset.take(self.figure.judging)

    def picture(self, index: int) -> QImage:
        """One of its pictures."""
        return image(self.paper, self.painting(index))

    def painting(self, index: int) -> Painting:
        """What there is to paint for one of its pictures, with the step for a title; for any thread."""
        figure, state, step = self.figure, self.states[index], self.steps[index]
        threshold = figure.look.threshold
        moment = Moment(index, state, *(score(state, part, threshold) for part in self._parts))
        title = f"{figure.title}, step {step:,}" if figure.title else f"Step {step:,} of {self.steps[-1]:,}"
        shown = replace(
            figure,
            state=state,
            scores=score_lines(moment, figure.task, threshold),
            title=title,
            rival=None,
            company=None,
        )
        return painting(shown, self.bounds, self.paper)


class Film:
    """The pictures of a reel as they are made, one with each `step`, and the file that they become."""

    def __init__(self, reel: Reel) -> None:
        self.reel = reel
        self._shots: list[Image.Image] = []

    @property
    def count(self) -> int:
        """How many pictures it is to have."""
        return len(self.reel)

    @property
    def made(self) -> int:
        """How many there are."""
        return len(self._shots)

    @property
    def whole(self) -> bool:
        """Whether all pictures are made."""
        return self.made == self.count

    def step(self) -> None:
        """Make the next picture."""
        self.add(self.reel.picture(self.made))

    def add(self, picture: QImage) -> None:
        """Take the next picture."""
        self._shots.append(_shot(picture))

    def encoded(self, suffix: str, rate: float | None = None) -> bytes:
        """The bytes of a file that begins anew when it has ended; a rate is pictures a second."""
        first, *others = self._limited() if suffix == ".gif" else self._shots
        stays = 1 / rate if rate else min(max(LASTS / self.count, QUICKEST), SLOWEST)
        durations = [round(1000 * stays)] * len(others) + [round(1000 * HOLD)]
        buffer = io.BytesIO()
        first.save(
            buffer, FORMATS[suffix], save_all=True, append_images=others, duration=durations, loop=0,
            lossless=True, optimize=False,
        )  # fmt: skip
        return buffer.getvalue()

    def _limited(self) -> list[Image.Image]:
        """The pictures in as few colours as a GIF may have."""
        last = len(self._shots) - 1
        keys = sorted({round(last * share) for share in np.linspace(0.0, 1.0, KEYS).tolist()})
        palette = Palette.of([self._shots[key] for key in keys])
        limited = []
        for shot in self._shots:
            check_cancelled()
            limited.append(palette.limited(shot))
        return limited


def render_film(
    path: Path | str,
    dataset: Dataset,
    model: Model,
    *,
    seed: int = 0,
    size: tuple[int, int] = (1000, 800),
    scale: float = 1.0,
    look: Look = DEFAULT_LOOK,
    split: Split = WHOLE,
    bounds: Bounds | None = None,
    most: int = MOST,
    rate: float | None = None,
) -> None:
    """Train a model and save how it learned; ValueError says in a sentence what is unfit."""
    suffix = check(path)
    paper = Paper(*size, scale)
    recording = Recording()
    for state in run(model, split.parts(dataset)[0], seed):
        recording.append(state)
    if not len(recording):
        raise CannotLearn(f"{model.id} ended without a result")
    figure = Figure(dataset, split.hidden(dataset), None, look, model.task)
    with application():
        film = Film(Reel.of(figure, recording.states, recording.steps.tolist(), paper, bounds, most=most))
        while not film.whole:
            film.step()
    put(Path(path), film.encoded(suffix, rate))


def is_film(path: Path | str) -> bool:
    """Whether a name is that of a moving picture."""
    return Path(path).suffix.lower() in FORMATS


def check(path: Path | str) -> str:
    """The kind of file that a name asks for; ValueError where there is none, or no such folder."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        raise ValueError(f"the name of an animation must end with .gif or .webp, not '{Path(path).name}'")
    check_place(Path(path))
    return suffix


def _shot(picture: QImage) -> Image.Image:
    """A picture of Qt as one of Pillow."""
    plain = picture.convertToFormat(QImage.Format.Format_RGBX8888)
    rows = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), -1)[:, : 4 * plain.width()]
    return Image.fromarray(rows.reshape(plain.height(), plain.width(), 4)[..., :3].copy())
