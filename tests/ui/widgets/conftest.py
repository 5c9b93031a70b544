"""Models with a parameter of every kind, and a hand on their controls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.random import Generator
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from tests.ui.pointer import move_mouse, turn_wheel
from vizml.data import Dataset
from vizml.learn import CLASSIFY, Model, State, choice, flag, integer, real, text
from vizml.learn.model import SingleClassState
from vizml.run.request import Frame, RenderRequest, ShownState
from vizml.scene.viewport import Viewport
from vizml.workspace import Document, Experiment, Work

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def _layers(line: str) -> None:
    for part in line.split(","):
        int(part)


@dataclass(frozen=True)
class Kinds(Model):
    """Not registered: the panel shows whatever the document holds."""

    C: float = real(1.0, 1e-3, 1e4, log=True, help="cost of a point inside the margin", symbol="C")
    gamma: float = real("scale", 1e-4, 1e3, log=True, words=("scale",), help="width", symbol=r"\gamma")
    share: float = real(30, 0, 100, help="share of points", unit="%")
    width: float = real("scott", 1e-3, 10, log=True, words=("scott", "silverman"), help="bandwidth")
    k: int = integer(3, 1, 50, help="neighbours", symbol="k")
    kernel: str = choice("linear", ("linear", "poly", "rbf", "laplace"), labels={"rbf": "Gaussian"}, help="k")
    degree: int = integer(3, 1, 10, help="of the polynomial", when={"kernel": ("poly",)})
    vote: str = choice("hard", ("hard", "soft"), help="how votes count")
    open: bool = flag(False, help="whether it is open")
    hidden: str = text("8,8", _layers, "numbers of units as in 8,8", help="layers")

    def steps(self, data: Dataset, rng: Generator) -> Iterator[State]:
        yield SingleClassState.of(data)


for name, value in {
    "id": "kinds", "task": CLASSIFY, "family": "Networks", "title": "One of every kind",
    "about": "Shows each kind of parameter.", "formula": (r"e^{i\pi} + 1 = 0",),
}.items():  # fmt: skip
    setattr(Kinds, name, value)


class PointerInput:
    """Mouse and wheel on a widget, in its own pixels; the screen is not asked where the pointer is."""

    def press(self, widget, x, y=None):
        QTest.mousePress(widget, LEFT, NONE, self.place(widget, x, y))

    def move(self, widget, x, y=None):
        move_mouse(widget, self.place(widget, x, y), LEFT)

    def release(self, widget, x, y=None):
        QTest.mouseRelease(widget, LEFT, NONE, self.place(widget, x, y))

    def drag(self, widget, *xs):
        self.press(widget, xs[0])
        for x in xs:
            self.move(widget, x)
        self.release(widget, xs[-1])

    def wheel(self, widget, notches):
        """Whether it was taken."""
        return turn_wheel(widget, widget.rect().center(), notches)

    @staticmethod
    def place(widget, x, y):
        return QPoint(round(x), widget.height() // 2 if y is None else round(y))


@pytest.fixture
def hand(qapp):
    return PointerInput()


@pytest.fixture
def document(qapp):
    return Document(Work(Dataset.empty(), (Experiment(Kinds()),)))


def frame(count=10, at=None, *, losses=None, token=1, running=False, progress=None, note="", steps=None):
    """What a stage would show of a run of so many states."""
    state = SingleClassState(classes=np.array([0]), note=note)
    index = count - 1 if at is None else at
    return Frame(
        token=token,
        request=RenderRequest(Viewport((0.0, 1.0, 0.0, 1.0), 10, 10)),
        shown=ShownState(index, state) if count else None,
        count=count,
        losses=np.full(count, np.nan) if losses is None else np.asarray(losses, float),
        steps=np.arange(1, count + 1) if steps is None else np.asarray(steps),
        running=running,
        progress=progress,
    )


@pytest.fixture
def make_frame():
    return frame
