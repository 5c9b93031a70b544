"""Points held by the pointer: taken by their ids, moved with each event of a drag, as one undo entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from PySide6.QtCore import Qt

from vizml.data import Bounds
from vizml.data.dataset import Floats, Mask
from vizml.data.params import Param, Value
from vizml.learn import State, Task
from vizml.paint import Geometry
from vizml.scene import Mark
from vizml.ui.canvas.selection import Selection, ids_of
from vizml.workspace import Document

GHOST = "Ghost"
"""The layer of what a tool shows of itself under the pointer."""
NO_POINTS: Floats = np.empty((0, 2))


@dataclass(frozen=True)
class Pointer:
    """Where the pointer is, in logical pixels and in data units, and which keys are held with it."""

    x: float
    y: float
    point: tuple[float, float]
    shift: bool = False
    ctrl: bool = False

    @property
    def data(self) -> Floats:
        """The place in data units as an array (2,)."""
        return np.array(self.point)

    @property
    def place(self) -> tuple[float, float]:
        """The place in logical pixels."""
        return self.x, self.y

    def distance(self, other: Pointer) -> float:
        """How far apart two places are, in pixels."""
        return float(np.hypot(self.x - other.x, self.y - other.y))


class ToolHost(Protocol):
    """What a tool may see and do; the canvas is one."""

    @property
    def document(self) -> Document: ...

    @property
    def selection(self) -> Selection: ...

    @property
    def plot_geometry(self) -> Geometry: ...

    @property
    def index(self) -> int: ...

    @property
    def state(self) -> State | None: ...

    @property
    def label(self) -> int: ...

    @property
    def task(self) -> Task: ...

    def set_bounds(self, bounds: Bounds) -> None: ...

    def fit_all(self) -> None: ...


class Tool:
    """One tool. A stroke goes from press to release, or ends early by cancel; hovering shows a ghost."""

    name: ClassVar[str]
    title: ClassVar[str]
    hint: ClassVar[str]
    """What it does and with which keys, in one line."""
    params: ClassVar[tuple[Param, ...]] = ()

    def __init__(self, surface: ToolHost) -> None:
        self.surface = surface
        self.values: dict[str, Value] = {param.name: param.default for param in self.params}
        self.busy = False
        """Whether a stroke is under way."""

    def options(self) -> Mapping[str, Value]:
        """The value of each of its parameters."""
        return dict(self.values)

    def set_option(self, name: str, value: object) -> None:
        """Set one of its parameters; ValueError where it is not allowed."""
        for param in self.params:
            if param.name == name:
                self.values[name] = param.coerce(value)
                return
        raise ValueError(f"the tool {self.name} has no option '{name}'")

    def scale_option(self, name: str, factor: float) -> bool:
        """Make an option larger or smaller by at least one, within its range; False where there is none."""
        for param in self.params:
            if param.name == name:
                self.values[name] = _scaled(param, float(self.values[name]), factor)
                return True
        return False

    @property
    def document(self) -> Document:
        return self.surface.document

    def press(self, at: Pointer) -> None:
        """A stroke begins."""

    def drag(self, at: Pointer) -> None:
        """The stroke goes on."""

    def release(self, at: Pointer) -> None:
        """The stroke is done."""

    def cancel(self) -> None:
        """The stroke is taken back."""

    def double(self, at: Pointer) -> None:
        """A second press soon after a first one; most tools take it for a press like any other."""
        self.press(at)

    def coming(self, at: Pointer) -> Floats:
        """The points (n, 2) that a press there would add."""
        del at
        return NO_POINTS

    def taken(self, at: Pointer) -> Floats:
        """The points (n, 2) that a press there would take, or has taken."""
        del at
        return NO_POINTS

    def ghost(self, at: Pointer) -> tuple[Mark, ...]:
        """What else it would do, or is doing, with the pointer there."""
        del at
        return ()

    def cursor(self, at: Pointer | None) -> Qt.CursorShape:
        """The shape of the pointer."""
        del at
        return Qt.CursorShape.CrossCursor


class StrokeTool(Tool):
    """A tool whose stroke edits the document again and again, and is one undo entry in the end."""

    def press(self, at: Pointer) -> None:
        self.document.seal()
        self._before = self.document.work
        self.busy = True

    def release(self, at: Pointer) -> None:
        self.document.seal()
        self.busy = False

    def cancel(self) -> None:
        if self.document.work is not self._before:
            self.document.undo()
        self.busy = False


def _scaled(param: Param, value: float, factor: float) -> Value:
    lo, hi = param.lo, param.hi  # type: ignore[attr-defined]
    wanted = round(value * factor)
    if wanted == round(value):
        wanted += 1 if factor > 1 else -1
    return param.coerce(min(max(wanted, lo), hi))


class PointDrag:
    """Where some points were when they were taken, and how far the pointer has carried them since."""

    def __init__(self, document: Document, mask: Mask, at: Pointer) -> None:
        self._document = document
        self._ids = ids_of(document.dataset)[mask]
        self._places = document.dataset.points[mask]
        self._start = at.data

    def carry(self, at: Pointer) -> None:
        """Move them with the pointer; those that are no longer there are let go."""
        ids = ids_of(self._document.dataset)
        mask = np.isin(ids, self._ids)
        places = self._places[np.isin(self._ids, ids)]
        self._document.move(mask, places + (at.data - self._start), merge="grab")
