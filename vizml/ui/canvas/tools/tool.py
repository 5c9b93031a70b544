"""Base classes of the tools: pointer events in, edits of the document and a preview out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from PySide6.QtCore import Qt

from vizml.data.params import Integer, Value
from vizml.field.arrays import Floats, Mask
from vizml.scene import Mark
from vizml.scene.viewport import scaled, shifted
from vizml.ui.canvas.document_view import DocumentView
from vizml.workspace import Document

PREVIEW = "Preview"
"""Layer of the marks that a tool shows at the pointer."""
NO_POINTS: Floats = np.empty((0, 2))
CLICK_DISTANCE = 3.0
"""A press that moves by fewer pixels is a click."""


@dataclass(frozen=True)
class Pointer:
    """Position of the pointer in logical pixels and in data units, with the modifier keys."""

    x: float
    y: float
    point: tuple[float, float]
    shift: bool = False
    ctrl: bool = False

    @property
    def data(self) -> Floats:
        """Position in data units as an array (2,)."""
        return np.array(self.point)

    @property
    def pixel(self) -> tuple[float, float]:
        """Position in logical pixels."""
        return self.x, self.y

    def distance(self, other: Pointer) -> float:
        """Return the distance between two positions in pixels."""
        return float(np.hypot(self.x - other.x, self.y - other.y))


@dataclass(frozen=True, eq=False, kw_only=True)
class Preview:
    """Effect that a press would have, as shown at the pointer."""

    added: Floats = field(default_factory=lambda: NO_POINTS)
    """Points (n, 2) that a press would add."""
    affected: Floats = field(default_factory=lambda: NO_POINTS)
    """Points (n, 2) that a press would take, or has taken."""
    marks: tuple[Mark, ...] = ()
    probes: bool = True
    """Whether the marks of the model for the pointer are shown as well."""


class Tool:
    """Tool of the canvas. A stroke lasts from press to release or is cancelled; hovering shows a preview."""

    name: ClassVar[str] = ""
    """Identifier, also of its icon."""
    order: ClassVar[int]
    title: ClassVar[str]
    key: ClassVar[str]
    tip: ClassVar[str]
    """Purpose in a few words."""
    hint: ClassVar[str]
    """Use with mouse and modifier keys, in one line."""
    params: ClassVar[tuple[Integer, ...]] = ()
    shape: ClassVar[Qt.CursorShape] = Qt.CursorShape.CrossCursor
    """Usual shape of the cursor."""

    def __init__(self, canvas: DocumentView) -> None:
        self.canvas, self.document = canvas, canvas.document
        self.values: dict[str, Value] = {param.name: param.default for param in self.params}
        self.busy = False
        """Whether a stroke is in progress."""

    def set_option(self, name: str, value: object) -> None:
        """Set a parameter; ValueError where the value is not allowed."""
        self.values[name] = self._param(name).coerce(value)

    def scale_option(self, name: str, factor: float) -> bool:
        """Multiply a parameter, changing it by at least 1 within its range; False where there is none."""
        if name not in self.values:
            return False
        param, value = self._param(name), round(float(self.values[name]))
        scaled = round(value * factor)
        if scaled == value:
            scaled += 1 if factor > 1 else -1
        self.values[name] = param.coerce(min(max(scaled, param.lo), param.hi))
        return True

    def _param(self, name: str) -> Integer:
        return next(param for param in self.params if param.name == name)

    def press(self, at: Pointer) -> None:
        """Begin a stroke."""

    def drag(self, at: Pointer) -> None:
        """Continue the stroke."""

    def release(self, at: Pointer) -> None:
        """End the stroke."""

    def cancel(self) -> None:
        """Undo the stroke."""

    def double(self, at: Pointer) -> None:
        """Handle the second press of a double click; an ordinary press for most tools."""
        self.press(at)

    def preview(self, at: Pointer) -> Preview:
        """Return the effect that a press would have."""
        del at
        return Preview()

    def cursor(self, at: Pointer) -> Qt.CursorShape:
        """Return the shape of the cursor."""
        del at
        return self.shape


class StrokeTool(Tool):
    """A tool whose stroke edits the document repeatedly and makes one undo entry."""

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


class PointDrag:
    """A drag of points, which are held by their ids: every move is an edit, all of them one undo entry."""

    def __init__(self, document: Document, mask: Mask, at: Pointer) -> None:
        self._document, self._log = document, document.work.scales.log
        self._start = scaled(at.data, self._log)
        self._ids = document.dataset.ids[mask]
        self._positions = document.placed.points[mask]

    def move(self, at: Pointer) -> None:
        """Move the points with the pointer; points that have been removed since are left out."""
        ids = self._document.dataset.ids
        kept, way = self._positions[np.isin(self._ids, ids)], scaled(at.data, self._log) - self._start
        self._document.move(np.isin(ids, self._ids), shifted(kept, way, self._log), merge="grab")

    def preview(self, at: Pointer) -> Preview:
        """Return the points that are dragged."""
        del at
        dataset = self._document.placed
        return Preview(affected=dataset.points[np.isin(dataset.ids, self._ids)])
