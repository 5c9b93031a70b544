"""Keyboard input of the canvas: selection, strokes, and a cross-hair moved by arrow keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from vizml.scene import Mark, Path
from vizml.ui.canvas.pointer_input import OPTION_FACTOR
from vizml.ui.canvas.tools import Pointer

if TYPE_CHECKING:
    from vizml.ui.canvas.canvas import Canvas

Action: TypeAlias = Callable[[], object]
Key = Qt.Key
DIRECTIONS = {Key.Key_Left: (-1, 0), Key.Key_Right: (1, 0), Key.Key_Up: (0, 1), Key.Key_Down: (0, -1)}
CANVAS_KEYS: tuple[tuple[str, str], ...] = (
    ("Remove a point (Shift: menu)", "Right click"),
    ("Zoom", "Wheel"),
    ("Pan", "Space and drag"),
    ("Radius of brush and eraser", "[  ]"),
    ("Select all", "Ctrl+A"),
    ("Delete the selection", "Del"),
    ("Duplicate the selection", "Ctrl+D"),
    ("Move the selection", "Arrows"),
    ("Cancel", "Esc"),
)
"""Inputs of the canvas with the focus, and the keys for them."""
NUDGE = 1.0
"""Pixels that an arrow key moves the selection."""
CROSSHAIR_STEP = 8.0
"""Pixels that an arrow key moves the cross-hair."""
SHIFT_FACTOR = 10
"""Factor of both steps with Shift."""
COPY_OFFSET = 14.0
"""Pixels between duplicated points and their originals."""


class Crosshair:
    """Pointer for use by keyboard: appears when the canvas gets the focus by Tab."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self.visible = False

    def show(self) -> None:
        """Appear at the pointer, else in the centre."""
        self.visible = True
        self.move(0.0, 0.0)

    def hide(self) -> None:
        """Disappear, and leave the arrow keys to the timeline."""
        self.visible = False

    def move(self, dx: float, dy: float) -> None:
        """Move by pixels within the plot."""
        pointer, centre = self._canvas.pointer, self._canvas.plot_geometry.plot.center()
        x, y = pointer.at.pixel if pointer.at else (centre.x(), centre.y())
        pointer.hover(x + dx, y + dy)

    def marks(self, at: Pointer) -> tuple[Mark, ...]:
        """Return its two lines across the plot."""
        left, right, bottom, top = self._canvas.plot_geometry.bounds
        x, y = at.point
        lines = (np.array([[left, y], [right, y]]), np.array([[x, bottom], [x, top]]))
        return (Path(layer="Cross-hair", lines=lines, ink="accent", width=1.0, opacity=0.7),)


def key_action(canvas: Canvas, event: QKeyEvent) -> Action | None:
    """Return the action of a key that the canvas handles before any shortcut of the window."""
    key, modifiers = event.key(), event.modifiers()
    if modifiers & (Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier):
        return None
    if modifiers & Qt.KeyboardModifier.ControlModifier:
        return _with_ctrl(canvas, key)
    if key in DIRECTIONS:
        factor = SHIFT_FACTOR if modifiers & Qt.KeyboardModifier.ShiftModifier else 1
        return _arrow(canvas, *DIRECTIONS[Key(key)], factor)
    return _plain(canvas, key)


def _with_ctrl(canvas: Canvas, key: int) -> Action | None:
    if key == Key.Key_A and len(canvas.document.dataset):
        return canvas.selection.all
    if key == Key.Key_D and len(canvas.selection.ids):
        across, up = canvas.plot_geometry.unit
        return lambda: canvas.selection.duplicate(COPY_OFFSET * across, -COPY_OFFSET * up)
    return None


def _arrow(canvas: Canvas, right: int, up: int, factor: int) -> Action | None:
    """Move the selection, else the cross-hair where it is visible."""
    if len(canvas.selection.ids):
        dx, dy = (NUDGE * factor * unit for unit in canvas.plot_geometry.unit)
        return lambda: canvas.selection.nudge(right * dx, up * dy)
    if canvas.crosshair.visible:
        step = CROSSHAIR_STEP * factor
        return lambda: canvas.crosshair.move(right * step, -up * step)
    return None


def _plain(canvas: Canvas, key: int) -> Action | None:
    if key in (Key.Key_Delete, Key.Key_Backspace) and len(canvas.selection.ids):
        return canvas.selection.delete
    if key == Key.Key_Escape and canvas.pointer.stroke:
        return canvas.pointer.cancel
    if key == Key.Key_Escape and canvas.arrow_keys:
        return canvas.selection.clear if len(canvas.selection.ids) else canvas.crosshair.hide
    if key in (Key.Key_Return, Key.Key_Enter, Key.Key_Insert) and canvas.crosshair.visible:
        return canvas.pointer.click
    if key in (Key.Key_BracketLeft, Key.Key_BracketRight) and "radius" in canvas.active.values:
        factor = OPTION_FACTOR if key == Key.Key_BracketRight else 1 / OPTION_FACTOR
        return lambda: canvas.scale_option("radius", factor)
    return None
